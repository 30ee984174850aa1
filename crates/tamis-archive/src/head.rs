//! The head of a record: its version, its type and its named fields.

use std::borrow::Cow;
use std::fmt;

use crate::fields::trim;
use crate::{Fields, Timestamp};

/// The head of a record, whatever format it came in.
///
/// ARC and WARC 0.9 heads are a line of words; they are given as the WARC fields that say the same, so that whoever
/// reads records needs to know one shape alone. [`Head::raw`] has the bytes as they stand in the file.
#[derive(Debug, Clone, Default)]
pub struct Head {
    pub(crate) version: Version,
    pub(crate) record_type: RecordType,
    pub(crate) fields: Fields,
    pub(crate) raw: Vec<u8>,
}

/// The format and version of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Version {
    /// ARC with a one-line head of five words.
    Arc1,
    /// ARC 2 with ten words, or ARC 1.1 with a metadata block.
    Arc2,
    /// WARC, by its two numbers: `Warc(1, 1)`, `Warc(0, 17)`.
    Warc(u16, u16),
    /// A version line that begins like WARC's and goes on otherwise.
    #[default]
    Unknown,
}

/// What a record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[expect(missing_docs, reason = "the terms of ISO 28500")]
pub enum RecordType {
    Warcinfo,
    Response,
    Resource,
    Request,
    Metadata,
    Revisit,
    Conversion,
    Continuation,
    /// A type the standard does not define, or none.
    #[default]
    Other,
}

impl Head {
    /// The format and version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// What the record holds.
    pub fn record_type(&self) -> RecordType {
        self.record_type
    }

    /// The named fields in their order.
    pub fn fields(&self) -> &Fields {
        &self.fields
    }

    /// The head as it stands in the file, from the version line through the empty line.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// `WARC-Target-URI`, without the angle brackets that some writers put around it.
    pub fn target_uri(&self) -> Option<Cow<'_, str>> {
        self.fields.get("WARC-Target-URI").map(without_brackets).map(crate::fields::bytes_to_text)
    }

    /// `WARC-Date`, read leniently ([`Timestamp::parse_leniently`]): the one date of a record, for indexes and tables alike.
    pub fn date(&self) -> Option<Timestamp> {
        self.fields.get("WARC-Date").and_then(Timestamp::parse_leniently)
    }

    /// `WARC-Record-ID`, with its angle brackets.
    pub fn record_id(&self) -> Option<Cow<'_, str>> {
        self.fields.text("WARC-Record-ID")
    }

    /// `Content-Length`, if it is a length.
    pub fn content_length(&self) -> Option<u64> {
        let digits = trim(self.fields.get("Content-Length")?);
        let digit = |b: &u8| b.is_ascii_digit().then(|| u64::from(b - b'0'));
        let append = |n: u64, b: &u8| n.checked_mul(10)?.checked_add(digit(b)?);
        digits.iter().try_fold(0, append).filter(|_| !digits.is_empty())
    }

    /// The media type of the block in lower case, without parameters: `application/http`.
    pub fn media_type(&self) -> Option<String> {
        let value = self.fields.text("Content-Type")?;
        let media_type = value.split(';').next().unwrap_or_default().trim();
        (!media_type.is_empty()).then(|| media_type.to_ascii_lowercase())
    }

    /// Whether the block should be an HTTP message: by its media type, or by the record's type and scheme, for some
    /// writers state the media type of the payload. Where it should and is not, [`Body::read_http`](crate::Body::read_http)
    /// says so.
    pub fn holds_http(&self) -> bool {
        if self.fields.get("Content-Type").is_some_and(is_http_type) {
            return true;
        }
        let is_exchange =
            matches!(self.record_type, RecordType::Response | RecordType::Request | RecordType::Revisit);
        let uri = self.fields.get("WARC-Target-URI").map(without_brackets).unwrap_or_default();
        is_exchange && uri.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"http"))
    }
}

/// `application/http`, or `message/http` as it was once written.
pub(crate) fn is_http_type(value: &[u8]) -> bool {
    let named = |name: &[u8]| value.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    named(b"application/http") || named(b"message/http")
}

impl RecordType {
    /// Whether such a record is a capture: a thing of its own, or one that stands for it. Requests and metadata are about
    /// captures; to count them would count pages twice.
    pub fn is_capture(self) -> bool {
        matches!(self, Self::Response | Self::Resource | Self::Revisit | Self::Conversion)
    }

    /// The type that a `WARC-Type` value names, in any case of letters.
    pub fn from_name(name: &[u8]) -> Self {
        let known = Self::KNOWN.iter().find(|known| name.eq_ignore_ascii_case(known.name().as_bytes()));
        known.copied().unwrap_or(Self::Other)
    }

    /// The value of `WARC-Type`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Warcinfo => "warcinfo",
            Self::Response => "response",
            Self::Resource => "resource",
            Self::Request => "request",
            Self::Metadata => "metadata",
            Self::Revisit => "revisit",
            Self::Conversion => "conversion",
            Self::Continuation => "continuation",
            Self::Other => "other",
        }
    }

    /// The types of the standard.
    pub const KNOWN: [Self; 8] = [
        Self::Warcinfo,
        Self::Response,
        Self::Resource,
        Self::Request,
        Self::Metadata,
        Self::Revisit,
        Self::Conversion,
        Self::Continuation,
    ];
}

impl fmt::Display for RecordType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arc1 => f.pad("ARC/1.0"),
            Self::Arc2 => f.pad("ARC/2.0"),
            Self::Warc(major, minor) => f.pad(&format!("WARC/{major}.{minor}")),
            Self::Unknown => f.pad("unknown"),
        }
    }
}

/// Wget 1.14 to 1.19 wrote `<http://…>`, as the grammar of WARC 1.0 says and its examples do not.
pub(crate) fn without_brackets(uri: &[u8]) -> &[u8] {
    uri.strip_prefix(b"<").and_then(|uri| uri.strip_suffix(b">")).unwrap_or(uri)
}
