//! The columns that need no body: from the identity of a capture, and from the heads of its record.

use std::borrow::Cow;
use std::cell::OnceCell;

use tamis_archive::http::HttpHead;
use tamis_archive::{Content, Head, RecordType};
use tamis_collection::relevance::Scores;
use tamis_page::domain::Domain;
use url::Url;

use super::Context;
use crate::build::Build;
use crate::dedup::Duplicate;

/// A capture, and what its collection says of it.
pub(crate) struct Identity<'r> {
    pub(crate) file: &'r str,
    pub(crate) place: Place,
    pub(crate) url: Option<&'r str>,
    pub(crate) context: &'r Context,
}

/// Where a record is in its archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// As stored: records that share a compressed member have the offset of that member.
    pub(crate) offset: u64,
    /// The number of the record within its compressed member.
    pub(crate) in_member: u64,
}

impl Place {
    /// The place of a record at `offset`, read right after the record at `before`.
    pub(super) fn after(before: Option<Place>, offset: u64) -> Self {
        let in_member =
            before.filter(|before| before.offset == offset).map_or(0, |before| before.in_member + 1);
        Self { offset, in_member }
    }
}

impl<'r> Identity<'r> {
    pub(crate) fn id(&self) -> String {
        let Place { offset, in_member } = self.place;
        match in_member {
            0 => format!("{}:{offset}", self.file),
            _ => format!("{}:{offset}+{in_member}", self.file),
        }
    }

    pub(crate) fn duplicate(&self) -> Option<&'r Duplicate> {
        self.context.duplicates.of(self.file, self.place)
    }

    pub(crate) fn tweet_ids(&self) -> Option<impl Iterator<Item = &'r str>> {
        Some(self.context.tweets.ids(self.url?)?.iter().map(|id| &**id))
    }

    pub(crate) fn judged(&self) -> Option<&'r Scores> {
        self.context.relevance.of(self.url?)
    }

    pub(crate) fn event(&self) -> Option<&'r str> {
        self.judged().filter(|judged| judged.relevant).map(|_| &*self.context.event)
    }
}

/// What the heads of a record say.
pub(crate) struct Facts<'r> {
    head: &'r Head,
    record_type: RecordType,
    http: &'r HttpHead,
    content: Content,
    /// The payload digest, if it was asked for.
    pub(crate) digest: Option<String>,
    /// The stored bytes of the record.
    pub(crate) length: Option<u64>,
    url: OnceCell<Option<Cow<'r, str>>>,
    parsed: OnceCell<Option<Url>>,
}

impl<'r> Facts<'r> {
    pub(super) fn new(
        head: &'r Head,
        record_type: RecordType,
        http: &'r HttpHead,
        content: Content,
        digest: Option<String>,
        length: Option<u64>,
    ) -> Self {
        Self {
            head,
            record_type,
            http,
            content,
            digest,
            length,
            url: OnceCell::new(),
            parsed: OnceCell::new(),
        }
    }

    pub(crate) fn url(&self) -> Option<&str> {
        self.url.get_or_init(|| self.head.target_uri()).as_deref()
    }

    pub(crate) fn domain(&self) -> Option<Domain<'_>> {
        let parsed = self.parsed.get_or_init(|| self.url().and_then(|url| Url::parse(url).ok()));
        parsed.as_ref().and_then(Domain::of)
    }

    pub(crate) fn country(&self) -> Option<&'static str> {
        self.domain().and_then(|domain| domain.country).map(|country| country.name)
    }

    /// The `Location` header as a whole URL.
    pub(crate) fn location(&self) -> Option<String> {
        let location = self.http.fields().text("Location").filter(|_| self.content.is_http)?;
        let base = Url::parse(self.url()?).ok()?;
        base.join(location.trim()).ok().map(String::from)
    }

    pub(crate) fn key(&self) -> Option<String> {
        let time = self.head.date().map(|time| time.to_string()).unwrap_or_default();
        self.url().map(|url| format!("{url}-{time}"))
    }

    pub(crate) fn milliseconds(&self) -> Option<i64> {
        let time = self.head.date()?;
        Some(time.unix_seconds() * 1000 + i64::from(time.nanos() / 1_000_000))
    }

    pub(crate) fn mime(&self) -> Option<&String> {
        self.content.mime.as_ref()
    }

    pub(crate) fn status(&self) -> Option<u16> {
        self.content.status
    }

    pub(crate) fn record_type(&self) -> &'static str {
        self.record_type.name()
    }

    pub(crate) fn record_id(&self) -> Option<Cow<'_, str>> {
        self.head.record_id()
    }

    pub(crate) fn field(&self, name: &str) -> Option<Cow<'_, str>> {
        self.head.fields().text(name)
    }

    pub(crate) fn append_headers(&self, build: &mut Build) {
        if let Build::Headers(build) = build {
            build.append(self.content.is_http.then(|| self.http.fields().iter()));
        }
    }
}
