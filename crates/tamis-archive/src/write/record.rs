//! What a new record is to say. Its block comes with the call that writes it.

use std::fmt::Display;
use std::net::IpAddr;

use super::head_text::{check_name, check_value};
use super::{RecordId, RevisitProfile, Truncation};
use crate::fields::trim;
use crate::{Error, Fields, RecordType, Result, Timestamp};

/// The fields of a record to be written.
///
/// The writer adds what it alone can know: `Content-Length`, the digests, and the record id unless one is given.
/// A value that no header can carry, or a field that the standard wants and that is not there, is refused by the call
/// that writes the record; nothing is written then.
///
/// ```
/// use tamis_archive::write::{NewRecord, Writer, WriterOptions};
/// let date = "2024-04-08T18:18:29Z".parse()?;
/// let mut writer = Writer::new(Vec::new(), WriterOptions::default())?;
/// let response = NewRecord::response("http://example.org/", date).ip_address([192, 0, 2, 1].into());
/// let written = writer.write(&response, b"HTTP/1.1 200 OK\r\n\r\nhello")?;
/// let request = NewRecord::request("http://example.org/", date).concurrent_to(&written.record_id);
/// writer.write(&request, b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n")?;
/// # Ok::<(), tamis_archive::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct NewRecord {
    pub(super) record_type: RecordType,
    pub(super) date: Timestamp,
    pub(super) id: Option<RecordId>,
    pub(super) fields: Fields,
    pub(super) profile: Option<RevisitProfile>,
    pub(super) refers_to_date: Option<Timestamp>,
    pub(super) content_type: Option<String>,
    pub(super) block_digest: Option<String>,
    pub(super) payload_digest: Option<String>,
    refusal: Option<Refusal>,
}

#[derive(Debug, Clone)]
struct Refusal {
    field: String,
    why: &'static str,
}

const HTTP_RESPONSE: &str = "application/http;msgtype=response";
const HTTP_REQUEST: &str = "application/http;msgtype=request";
const WARC_FIELDS: &str = "application/warc-fields";

/// What the writer or a method of [`NewRecord`] writes, so that a field by name must not.
const OWN_FIELDS: [&str; 9] = [
    "WARC-Type",
    "WARC-Record-ID",
    "WARC-Date",
    "Content-Length",
    "Content-Type",
    "WARC-Block-Digest",
    "WARC-Payload-Digest",
    "WARC-Profile",
    "WARC-Refers-To-Date",
];

/// The fields of ISO 28500 that a record has once at most. `WARC-Concurrent-To` and fields of others may repeat.
const ONCE: [&str; 11] = [
    "WARC-Target-URI",
    "WARC-IP-Address",
    "WARC-Warcinfo-ID",
    "WARC-Refers-To",
    "WARC-Refers-To-Target-URI",
    "WARC-Truncated",
    "WARC-Filename",
    "WARC-Identified-Payload-Type",
    "WARC-Segment-Number",
    "WARC-Segment-Origin-ID",
    "WARC-Segment-Total-Length",
];

impl NewRecord {
    /// A record of any type, without a target and a content type.
    pub fn new(record_type: RecordType, date: Timestamp) -> Self {
        Self {
            record_type,
            date,
            id: None,
            fields: Fields::default(),
            profile: None,
            refers_to_date: None,
            content_type: None,
            block_digest: None,
            payload_digest: None,
            refusal: None,
        }
    }

    /// The description of the records that follow. Its block is made by [`warc_fields`](super::warc_fields).
    pub fn warcinfo(date: Timestamp) -> Self {
        Self::new(RecordType::Warcinfo, date).content_type(WARC_FIELDS)
    }

    /// What a server answered: an HTTP message, unless the content type is set to another.
    pub fn response(uri: &str, date: Timestamp) -> Self {
        Self::new(RecordType::Response, date).target_uri(uri).content_type(HTTP_RESPONSE)
    }

    /// What was asked of a server: an HTTP message, unless the content type is set to another.
    pub fn request(uri: &str, date: Timestamp) -> Self {
        Self::new(RecordType::Request, date).target_uri(uri).content_type(HTTP_REQUEST)
    }

    /// An answer whose payload is stored already. The block is the head of the HTTP message, or nothing.
    pub fn revisit(uri: &str, date: Timestamp, profile: RevisitProfile) -> Self {
        let mut record = Self::new(RecordType::Revisit, date).target_uri(uri).content_type(HTTP_RESPONSE);
        record.profile = Some(profile);
        record
    }

    /// Something said about another record ([`NewRecord::refers_to`], [`NewRecord::concurrent_to`]) or a target.
    pub fn metadata(date: Timestamp) -> Self {
        Self::new(RecordType::Metadata, date).content_type(WARC_FIELDS)
    }

    /// A resource without the protocol that brought it.
    pub fn resource(uri: &str, date: Timestamp, content_type: &str) -> Self {
        Self::new(RecordType::Resource, date).target_uri(uri).content_type(content_type)
    }

    /// Another form of what is stored in the record that it refers to.
    pub fn conversion(uri: &str, date: Timestamp, content_type: &str) -> Self {
        Self::new(RecordType::Conversion, date).target_uri(uri).content_type(content_type)
    }

    /// A later segment of a record: `number` is 2 or more, `origin` the id of the first segment.
    pub fn continuation(uri: &str, date: Timestamp, number: u32, origin: &RecordId) -> Self {
        Self::new(RecordType::Continuation, date)
            .target_uri(uri)
            .segment_number(number)
            .text("WARC-Segment-Origin-ID", origin)
    }

    /// `WARC-Target-URI`.
    #[must_use]
    pub fn target_uri(self, uri: &str) -> Self {
        self.text("WARC-Target-URI", uri)
    }

    /// `WARC-Record-ID`, instead of one that the writer makes.
    #[must_use]
    pub fn id(mut self, id: RecordId) -> Self {
        self.id = Some(id);
        self
    }

    /// `WARC-IP-Address`: of the server that answered.
    #[must_use]
    pub fn ip_address(self, address: IpAddr) -> Self {
        self.text("WARC-IP-Address", address)
    }

    /// `WARC-Concurrent-To`: a record of the same capture. May be given several times.
    #[must_use]
    pub fn concurrent_to(self, id: &RecordId) -> Self {
        self.text("WARC-Concurrent-To", id)
    }

    /// `WARC-Warcinfo-ID`, instead of that of the file's own warcinfo record.
    #[must_use]
    pub fn warcinfo_id(self, id: &RecordId) -> Self {
        self.text("WARC-Warcinfo-ID", id)
    }

    /// `WARC-Refers-To`: the record that this one revisits, converts or describes.
    #[must_use]
    pub fn refers_to(self, id: &RecordId) -> Self {
        self.text("WARC-Refers-To", id)
    }

    /// `WARC-Refers-To-Target-URI` and `WARC-Refers-To-Date`: the target and the date of the record that it revisits.
    #[must_use]
    pub fn refers_to_target(mut self, uri: &str, date: Timestamp) -> Self {
        self.refers_to_date = Some(date);
        self.text("WARC-Refers-To-Target-URI", uri)
    }

    /// `WARC-Truncated`.
    #[must_use]
    pub fn truncated(self, reason: Truncation) -> Self {
        self.text("WARC-Truncated", reason.name())
    }

    /// `WARC-Identified-Payload-Type`: what the payload was found to be, whatever the server said.
    #[must_use]
    pub fn identified_payload_type(self, media_type: &str) -> Self {
        self.text("WARC-Identified-Payload-Type", media_type)
    }

    /// `WARC-Filename`, of a warcinfo record.
    #[must_use]
    pub fn filename(self, name: &str) -> Self {
        self.text("WARC-Filename", name)
    }

    /// `WARC-Segment-Number`. The writer computes no payload digest of a segment: it has a part of the payload alone.
    #[must_use]
    pub fn segment_number(self, number: u32) -> Self {
        self.text("WARC-Segment-Number", number)
    }

    /// `WARC-Segment-Total-Length`, of the last segment.
    #[must_use]
    pub fn segment_total_length(self, len_bytes: u64) -> Self {
        self.text("WARC-Segment-Total-Length", len_bytes)
    }

    /// `Content-Type`, instead of the usual one of the record's type. An empty one means none.
    #[must_use]
    pub fn content_type(mut self, content_type: &str) -> Self {
        let checked = self.checked("Content-Type", content_type);
        self.content_type = Some(checked).filter(|value| !value.is_empty());
        self
    }

    /// `WARC-Block-Digest`, instead of one that the writer computes: `sha1:…`.
    #[must_use]
    pub fn block_digest(mut self, digest: &str) -> Self {
        self.block_digest = Some(self.checked_digest("WARC-Block-Digest", digest));
        self
    }

    /// `WARC-Payload-Digest`, instead of one that the writer computes: `sha1:…`.
    #[must_use]
    pub fn payload_digest(mut self, digest: &str) -> Self {
        self.payload_digest = Some(self.checked_digest("WARC-Payload-Digest", digest));
        self
    }

    /// Any other field. Blanks around the value are dropped, as every reader drops them.
    #[must_use]
    pub fn field(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        let value = trim(value.as_ref());
        let reserved = OWN_FIELDS.iter().any(|own| own.eq_ignore_ascii_case(name));
        let repeated =
            self.fields.get(name).is_some() && ONCE.iter().any(|own| own.eq_ignore_ascii_case(name));
        let verdict = match () {
            () if reserved => Err("this field is set by the writer or by its own method"),
            () if repeated => Err("this field is repeated"),
            () => check_name(name).and_then(|()| check_value(value)),
        };
        match verdict {
            Ok(()) => self.fields.push(name.as_bytes(), value),
            Err(why) => self.refuse(name, value, why),
        }
        self
    }

    fn text(self, name: &str, value: impl Display) -> Self {
        self.field(name, format!("{value}"))
    }

    fn checked(&mut self, name: &str, value: &str) -> String {
        let value = trim(value.as_bytes());
        if let Err(why) = check_value(value) {
            self.refuse(name, value, why);
        }
        crate::fields::bytes_to_text(value).into_owned()
    }

    fn checked_digest(&mut self, name: &str, digest: &str) -> String {
        let is_token = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_graphic());
        if !digest.split_once(':').is_some_and(|(algorithm, value)| is_token(algorithm) && is_token(value)) {
            self.refuse(name, digest.as_bytes(), "a digest is an algorithm, a colon and a value");
        }
        digest.to_owned()
    }

    fn refuse(&mut self, name: &str, value: &[u8], why: &'static str) {
        let field = format!("{name}: {}", String::from_utf8_lossy(value));
        self.refusal.get_or_insert(Refusal { field, why });
    }

    /// The first thing that keeps this record from being written.
    pub(super) fn check(&self) -> Result<()> {
        if let Some(Refusal { field, why }) = &self.refusal {
            return Err(Error::Value { what: "header field", value: field.clone(), why: (*why).into() });
        }
        match self.broken_rule() {
            Some(why) => {
                Err(Error::Value { what: "record", value: self.record_type.to_string(), why: why.into() })
            }
            None => Ok(()),
        }
    }

    /// ISO 28500:2017, 5.6 to 5.20: which types need or forbid which fields.
    fn broken_rule(&self) -> Option<&'static str> {
        use RecordType::{Continuation, Metadata, Other, Revisit, Warcinfo};
        let has = |name: &str| self.fields.get(name).is_some_and(|value| !value.is_empty());
        let needs_target = !matches!(self.record_type, Warcinfo | Metadata);
        match self.record_type {
            Other => Some("not a type of the standard"),
            _ if needs_target && !has("WARC-Target-URI") => Some("needs a target URI"),
            Warcinfo if has("WARC-Target-URI") => Some("has no target URI"),
            Revisit if self.profile.is_none() => Some("needs a profile"),
            Revisit
                if self.profile == Some(RevisitProfile::IdenticalPayloadDigest)
                    && self.payload_digest.is_none() =>
            {
                Some("needs the payload digest of the record that it revisits")
            }
            Continuation if !(has("WARC-Segment-Number") && has("WARC-Segment-Origin-ID")) => {
                Some("needs a segment number and the id of its first segment")
            }
            _ => None,
        }
    }
}
