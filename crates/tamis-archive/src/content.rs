//! What a record says about what it holds.

use std::io::{self, BufRead, Read};

use crate::head::is_http_type;
use crate::http::{BodyOutcome, BodyReader, DecodeLimits, HttpHead, HttpKind};
use crate::{Algorithm, Body, Hasher, Head, RecordType, Version};

/// What a record says about what it holds, read from its head and that of its HTTP message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Content {
    /// Whether the block is an HTTP message.
    pub is_http: bool,
    /// The status of a response.
    pub status: Option<u16>,
    /// The media type of the payload ([`payload_mime`]).
    pub mime: Option<String>,
}

impl Content {
    /// Looks into the block without consuming it. `http` is left empty where there is no message.
    pub fn of(head: &Head, body: &mut Body<'_>, http: &mut HttpHead) -> io::Result<Self> {
        http.clear();
        if !head.holds_http() || body.peek_http(http)?.is_none() {
            return Ok(Self { mime: payload_mime(head, None), ..Self::default() });
        }
        let status = http.status().filter(|_| http.kind() == HttpKind::Response);
        Ok(Self { is_http: true, status, mime: payload_mime(head, Some(http)) })
    }
}

/// The type of a record by what it holds. The line of an ARC record does not state one: what came from a web server is a response
/// if it begins like an HTTP message, else a resource.
pub fn record_type(head: &Head, body: &mut Body<'_>) -> io::Result<RecordType> {
    let stated = head.record_type();
    let is_arc = matches!(head.version(), Version::Arc1 | Version::Arc2);
    if !is_arc || stated != RecordType::Response {
        return Ok(stated);
    }
    let is_http = body.peek(5)?.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"));
    Ok(if is_http { stated } else { RecordType::Resource })
}

/// The media type of the payload of a record, in lower case and without parameters: of the HTTP message if there is one,
/// else that of the line of an ARC record, else that of the record. The type of an HTTP message itself is not one of a payload.
pub fn payload_mime(head: &Head, http: Option<&HttpHead>) -> Option<String> {
    let of_http = http.and_then(|http| http.fields().text("Content-Type"));
    let of_record = || head.fields().text("Content-Type").filter(|value| !is_http_type(value.as_bytes()));
    let value = of_http.or_else(|| head.fields().text("ARC-Content-Type")).or_else(of_record)?;
    let word = value.trim_start().split(|c: char| c == ';' || c.is_whitespace()).next().unwrap_or_default();
    (!word.is_empty()).then(|| word.to_ascii_lowercase())
}

/// The payload digest of a record: the one that its head states (`WARC-Payload-Digest`), as it is written, or else the SHA-1
/// of `payload` in base32, `sha1:` before it. None for a revisit that states none: its payload is elsewhere.
///
/// `payload` is what is hashed, and must be whole: all bytes of the block after the head of its HTTP message, or the whole
/// block where there is no message. They are hashed as they are stored, with transfer and content codings, as WARC 1.1
/// (section 5.9) and most indexers do. It is not read if the head states a digest. A slice of a block in memory will do:
/// `payload_digest(head, &mut &block[http.len_bytes()..])`.
pub fn payload_digest(head: &Head, payload: &mut impl BufRead) -> io::Result<Option<String>> {
    if let Some(stated) = head.fields().text("WARC-Payload-Digest").filter(|stated| !stated.is_empty()) {
        return Ok(Some(stated.into_owned()));
    }
    if head.record_type() == RecordType::Revisit {
        return Ok(None);
    }
    let mut hasher = Hasher::new(Algorithm::Sha1);
    loop {
        let bytes = payload.fill_buf()?;
        if bytes.is_empty() {
            return Ok(Some(hasher.finish().to_string()));
        }
        hasher.update(bytes);
        let n = bytes.len();
        payload.consume(n);
    }
}

/// The payload of a record: the body of its message with all codings undone, or its block.
pub enum Payload<'a, 'r> {
    /// The body of an HTTP message.
    Message(BodyReader<&'a mut Body<'r>>),
    /// The block itself.
    Block(&'a mut Body<'r>),
}

impl<'a, 'r> Payload<'a, 'r> {
    /// The payload of a record whose [`Content`] was just looked at.
    pub fn of(
        content: &Content,
        body: &'a mut Body<'r>,
        http: &mut HttpHead,
        limits: DecodeLimits,
    ) -> io::Result<Self> {
        if !content.is_http {
            return Ok(Self::Block(body));
        }
        body.read_http(http)?;
        Ok(Self::Message(BodyReader::new(http, body, limits)))
    }

    /// What came of decoding. A block needs none.
    pub fn outcome(&self) -> Option<BodyOutcome> {
        match self {
            Self::Message(reader) => Some(reader.outcome()),
            Self::Block(_) => None,
        }
    }
}

impl Read for Payload<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Message(reader) => reader.read(out),
            Self::Block(body) => body.read(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use tamis_testkit::{Record, arc, http_response};

    use super::*;
    use crate::cdx::Indexer;
    use crate::{Mode, Reader};

    fn reader(bytes: &[u8]) -> Reader {
        Reader::from_stream("-", Cursor::new(bytes.to_vec()), Mode::Lenient)
    }

    /// Time, media type and digest in the index, and as [`Content`], [`Head::date`] and [`payload_digest`] give them.
    fn by_both(bytes: &[u8]) -> [(String, String, String); 2] {
        let mut entries = Vec::new();
        let (mut one, mut other) = (reader(bytes), reader(bytes));
        let record = one.next().expect("it reads").expect("a record");
        Indexer::default().index(record, "a", &mut entries).expect("it reads");
        let entry = entries.pop().expect("an entry");
        let mut record = other.next().expect("it reads").expect("a record");
        let mut http = HttpHead::default();
        let content = Content::of(record.head, &mut record.body, &mut http).expect("it reads");
        let mut block = Vec::new();
        record.body.read_to_end(&mut block).expect("it reads");
        let http_len = if content.is_http { http.len_bytes() } else { 0 };
        let digest = payload_digest(record.head, &mut &block[http_len..]).expect("a slice reads");
        let date = record.head.date().map_or_else(|| "-".to_owned(), |date| date.digits());
        [
            (entry.timestamp, entry.mime, entry.digest),
            (date, content.mime.unwrap_or_default(), digest.unwrap_or_default()),
        ]
    }

    #[test]
    fn an_index_and_a_table_see_the_same_type_date_and_digest() {
        let typed = http_response("Text/HTML; charset=utf-8", "page");
        let untyped = b"HTTP/1.0 200 OK\r\nServer: x\r\n\r\npage".to_vec();
        let head =
            |date: &str, mime: &str, len: usize| format!("http://a.org/ 10.0.0.1 {date} {mime} {len}\n");
        let with_head = |date: &str, mime: &str, block: &[u8]| {
            [head(date, mime, block.len()).as_bytes(), block, b"\n"].concat()
        };
        for (bytes, date, mime) in [
            (arc::record("http://a.org/", "text/plain", &typed), None, "text/html"),
            (arc::record("http://a.org/", "text/plain", &untyped), None, "text/plain"),
            (arc::record("http://a.org/", "image/gif", b"GIF89a"), None, "image/gif"),
            (with_head("19970101000000", "text/html", &untyped), Some("19970101000000"), "text/html"),
            (with_head("1997010100001", "text/html", &untyped), Some("19970101000000"), "text/html"),
            (
                with_head("19970231000000", "text/html charset=x", &untyped),
                Some("19970201000000"),
                "text/html",
            ),
            (Record::response("http://a.org/", typed.clone()).bytes(), None, "text/html"),
            (Record::response("http://a.org/", untyped.clone()).bytes(), None, ""),
            (Record::resource("http://a.org/", "Text/CSS; x=y", "p {}").bytes(), None, "text/css"),
            (Record::resource("http://a.org/", "text/css", "p {}").with_digests().bytes(), None, "text/css"),
            (
                Record::response("http://a.org/", typed).with("WARC-Date", "20061340").bytes(),
                Some("20060101000000"),
                "text/html",
            ),
        ] {
            let [index, table] = by_both(&bytes);
            assert_eq!(index, table, "{}", String::from_utf8_lossy(&bytes));
            assert_eq!(index.1, mime);
            assert!(date.is_none_or(|date| index.0 == date), "{index:?}");
            assert!(index.2.starts_with("sha1:"), "{index:?}");
        }
    }
}
