//! Records of archives as pages.

use std::borrow::Cow;

use tamis_archive::http::HttpHead;
use tamis_archive::{Content, Error, Head, Part, Record, RecordType, surt};
use tamis_text::metadata::Date;
use tamis_text::page::{self, Capture, Page};
use tamis_text::status::Origin;
use url::Url;

use super::Args;
use super::printed::Cleaned;
use super::row::Row;
use crate::commands::payload::{self, Payloaded};

/// What a record is read as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A response, or a file of its own.
    Capture,
    /// The text that somebody took out of a page.
    Text,
}

impl Form {
    /// None for records that hold no page. What was converted into neither text nor HTML is no capture of its own.
    fn of(head: &Head) -> Option<Form> {
        match head.record_type() {
            RecordType::Response | RecordType::Resource => Some(Form::Capture),
            RecordType::Conversion => match head.media_type().as_deref() {
                Some("text/plain") => Some(Form::Text),
                Some("text/html" | "application/xhtml+xml") => Some(Form::Capture),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Args {
    /// Cleans the pages of some records; those with one of these keys, if there are any.
    pub(super) fn clean_part(
        &self,
        part: &mut Part<'_>,
        file: &str,
        keys: &[String],
        cleaned: &mut Cleaned,
    ) -> tamis_archive::Result<()> {
        let mut http = HttpHead::default();
        while let Some(record) = part.reader.next()? {
            let is_asked =
                || record.head.target_uri().is_some_and(|url| keys.contains(&surt(url.as_bytes())));
            if !keys.is_empty() && !is_asked() {
                continue;
            }
            match Form::of(record.head) {
                Some(form) => self.clean_record(form, file, record, &mut http, cleaned)?,
                None => cleaned.pass_over(record.head.record_type().name()),
            }
        }
        Ok(())
    }

    fn clean_record(
        &self,
        form: Form,
        file: &str,
        mut record: Record<'_>,
        http: &mut HttpHead,
        cleaned: &mut Cleaned,
    ) -> tamis_archive::Result<()> {
        let (head, offset) = (record.head, record.offset());
        let path = record.body.path().to_owned();
        let content = Content::of(head, &mut record.body, http).map_err(Error::io(&path))?;
        let fields = if content.is_http { http.fields() } else { head.fields() };
        let mime = fields.text("Content-Type").map(Cow::into_owned);
        let payload =
            payload::read(&content, &mut record.body, http, self.max_size.0).map_err(Error::io(&path))?;
        let Some(Payloaded { bytes, is_cut }) = payload else {
            cleaned.too_large.push(format!("{file}: offset {offset}"));
            return Ok(());
        };
        let is_stated = head.fields().get("WARC-Truncated").is_some();
        let is_cut = is_cut || is_stated || record.finish()?.is_damaged;
        let url = head.target_uri();
        let parsed = url.as_deref().and_then(|url| Url::parse(url).ok());
        let capture = Capture {
            bytes: &bytes,
            content_type: mime.as_deref(),
            http_status: content.status,
            url: parsed.as_ref(),
            fetched: head.date().and_then(|time| date(time.unix_seconds())),
            origin: Origin::Archived,
        };
        let mut page = self.page(form, head, &capture);
        page.truncated |= is_stated;
        let row = Row {
            file,
            offset: Some(offset),
            url: url.as_deref(),
            time: head.date().map(|time| time.to_string()),
            mime: mime.as_deref(),
            is_cut,
            is_no_http: head.record_type() == RecordType::Response && !content.is_http,
            page: &page,
            html: &|| page::open(&capture, self.options()).html().to_owned(),
        };
        cleaned.add(&row, self);
        Ok(())
    }

    fn page(&self, form: Form, head: &Head, capture: &Capture<'_>) -> Page {
        match form {
            Form::Capture => page::read(capture, self.options()),
            Form::Text => {
                let language = head.fields().text("WARC-Identified-Content-Language");
                Page::of_text(capture, language.as_deref(), self.options())
            }
        }
    }
}

/// The day of a moment, in UTC.
pub(super) fn date(unix_seconds: i64) -> Option<Date> {
    Date::from_unix_days(unix_seconds.div_euclid(86_400).try_into().ok()?)
}
