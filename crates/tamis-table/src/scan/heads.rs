//! The columns that the heads of a record give.

use std::borrow::Cow;
use std::cell::OnceCell;

use tamis_archive::http::HttpHead;
use tamis_archive::{Content, Head, surt};
use tamis_text::domain::Domain;
use url::Url;

use super::Context;
use crate::build::Build;
use crate::column::Id;
use crate::dedup::Duplicate;
use crate::relevance::Judged;

/// What the heads of a record say.
pub(super) struct Facts<'r> {
    file: &'r str,
    head: &'r Head,
    http: &'r HttpHead,
    content: Content,
    offset: u64,
    length: Option<u64>,
    url: OnceCell<Option<Cow<'r, str>>>,
    parsed: OnceCell<Option<Url>>,
}

impl<'r> Facts<'r> {
    pub(super) fn new(
        file: &'r str,
        head: &'r Head,
        http: &'r HttpHead,
        content: Content,
        offset: u64,
        length: Option<u64>,
    ) -> Self {
        Self { file, head, http, content, offset, length, url: OnceCell::new(), parsed: OnceCell::new() }
    }

    fn url(&self) -> Option<&str> {
        self.url.get_or_init(|| self.head.target_uri()).as_deref()
    }

    fn domain(&self) -> Option<Domain<'_>> {
        let parsed = self.parsed.get_or_init(|| self.url().and_then(|url| Url::parse(url).ok()));
        parsed.as_ref().and_then(Domain::of)
    }

    /// Where the answer sends the reader.
    fn location(&self) -> Option<String> {
        let location = self.http.fields().text("Location").filter(|_| self.content.is_http)?;
        let base = Url::parse(self.url()?).ok()?;
        base.join(location.trim()).ok().map(String::from)
    }

    fn key(&self) -> Option<String> {
        let time = self.head.date().map(|time| time.to_string()).unwrap_or_default();
        self.url().map(|url| format!("{url}-{time}"))
    }

    fn judged<'c>(&self, context: &'c Context) -> Option<&'c Judged> {
        context.relevance.of(self.url()?)
    }

    fn duplicate<'c>(&self, context: &'c Context) -> Option<&'c Duplicate> {
        context.duplicates.of(self.file, self.offset)
    }

    fn milliseconds(&self) -> Option<i64> {
        let time = self.head.date()?;
        Some(time.unix_seconds() * 1000 + i64::from(time.nanos() / 1_000_000))
    }
}

/// Adds what the heads say for a column. Columns that need the body get nothing here.
pub(super) fn append(id: Id, facts: &Facts<'_>, context: &Context, build: &mut Build) {
    let field = |name| facts.head.fields().text(name);
    match id {
        Id::Key => build.text(facts.key()),
        Id::DocType => build.text(Some("webpage")),
        Id::CollectionId => build.text(context.collection.as_ref().map(|(id, _)| id)),
        Id::CollectionName => build.text(context.collection.as_ref().map(|(_, name)| name)),
        Id::DummyData => build.flag(Some(false)),
        Id::Url => build.text(facts.url()),
        Id::DomainName => build.text(facts.domain().map(|domain| domain.name)),
        Id::DomainLocation => {
            build.text(facts.domain().and_then(|domain| domain.country).map(|country| country.name));
        }
        Id::Time => build.time(facts.milliseconds()),
        Id::MimeType => build.text(facts.content.mime.as_ref()),
        Id::TweetIds => {
            let ids = facts.url().and_then(|url| context.tweets.ids(url));
            build.texts(ids.map(|ids| ids.iter().map(|id| &**id)));
        }
        Id::File => build.text(Some(facts.file)),
        Id::Offset => build.count(Some(facts.offset)),
        Id::Length => build.count(facts.length),
        Id::RecordType => build.text(Some(facts.head.record_type().name())),
        Id::RecordId => build.text(facts.head.record_id()),
        Id::Digest => build.text(field("WARC-Payload-Digest")),
        Id::Ip => build.text(field("WARC-IP-Address")),
        Id::IdentifiedLanguages => build.text(field("WARC-Identified-Content-Language")),
        Id::Status => build.status(facts.content.status),
        Id::Headers => {
            if let Build::Headers(build) = build {
                build.append(facts.content.is_http.then(|| facts.http.fields().iter()));
            }
        }
        Id::Relevance => build.share(facts.judged(context).map(|judged| judged.relevance)),
        Id::Relevant => build.flag(facts.judged(context).map(|judged| judged.relevant)),
        Id::RelevanceTerms => build.share(facts.judged(context).map(|judged| judged.terms)),
        Id::RelevancePlaces => build.share(facts.judged(context).map(|judged| judged.places)),
        Id::RelevanceDates => build.share(facts.judged(context).and_then(|judged| judged.dates)),
        Id::Events => {
            let event = facts.judged(context).filter(|judged| judged.relevant).map(|_| &*context.event);
            build.texts(event.map(|event| [event]));
        }
        Id::Location => build.text(facts.location()),
        Id::Host => build.text(facts.domain().map(|domain| domain.host)),
        Id::Surt => build.text(facts.url().map(surt)),
        Id::DuplicateOf => build.text(facts.duplicate(context).map(|found| &found.of)),
        Id::DuplicateKind => build.text(facts.duplicate(context).map(|found| found.kind)),
        Id::Similarity => build.share(facts.duplicate(context).map(|found| found.similarity)),
        _ => {}
    }
}
