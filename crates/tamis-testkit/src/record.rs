//! WARC records, byte by byte.

use data_encoding::BASE32;
use sha1::{Digest, Sha1};

use crate::DATE;

/// A WARC record that is sound until a method spoils it.
#[derive(Debug, Clone)]
pub struct Record {
    version: String,
    fields: Vec<(String, String)>,
    block: Vec<u8>,
    line_end: &'static str,
    length_off_by: i64,
    end: Vec<u8>,
    folded: Option<String>,
}

impl Record {
    /// A record of any type with the fields that all types have.
    pub fn new(record_type: &str, block: impl Into<Vec<u8>>) -> Self {
        let block = block.into();
        let id = crc32fast::hash(&block) ^ crc32fast::hash(record_type.as_bytes());
        let fields = [
            ("WARC-Type", record_type.to_owned()),
            ("WARC-Record-ID", format!("<urn:uuid:00000000-0000-4000-8000-0000{id:08x}>")),
            ("WARC-Date", DATE.to_owned()),
        ];
        Self {
            version: "WARC/1.0".into(),
            fields: fields.map(|(name, value)| (name.to_owned(), value)).into(),
            block,
            line_end: "\r\n",
            length_off_by: 0,
            end: b"\r\n\r\n".into(),
            folded: None,
        }
    }

    /// The record that describes the file.
    pub fn warcinfo(filename: &str) -> Self {
        let block = "software: tamis-testkit\r\nformat: WARC File Format 1.0\r\n";
        Self::new("warcinfo", block)
            .field("WARC-Filename", filename)
            .field("Content-Type", "application/warc-fields")
    }

    /// A response with a whole HTTP message, such as [`http_response`] makes.
    pub fn response(url: &str, message: impl Into<Vec<u8>>) -> Self {
        Self::new("response", message).about(url).field("Content-Type", "application/http; msgtype=response")
    }

    /// The request for a page.
    pub fn request(url: &str) -> Self {
        let host = url.split('/').nth(2).unwrap_or_default();
        let path = url.splitn(4, '/').nth(3).unwrap_or_default();
        let message = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: tamis-testkit\r\n\r\n");
        Self::new("request", message).about(url).field("Content-Type", "application/http; msgtype=request")
    }

    /// A file without an HTTP message around it.
    pub fn resource(url: &str, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::new("resource", body).about(url).field("Content-Type", content_type)
    }

    /// What the crawler noted about a page.
    pub fn metadata(url: &str, fields: &str) -> Self {
        Self::new("metadata", fields).about(url).field("Content-Type", "application/warc-fields")
    }

    /// A page that has not changed: the headers of the message, and a reference to the earlier record.
    pub fn revisit(url: &str, head: impl Into<Vec<u8>>, earlier: &Self) -> Self {
        let revisit = Self::new("revisit", head)
            .about(url)
            .field("WARC-Profile", "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest")
            .field("Content-Type", "application/http; msgtype=response");
        let copied = [("WARC-Refers-To", "WARC-Record-ID"), ("WARC-Payload-Digest", "WARC-Payload-Digest")];
        copied.into_iter().fold(revisit, |revisit, (name, of)| match earlier.value(of) {
            Some(value) => revisit.field(name, value),
            None => revisit,
        })
    }

    /// A text made of a page, as in WET files.
    pub fn conversion(url: &str, text: &str) -> Self {
        Self::new("conversion", text).about(url).field("Content-Type", "text/plain")
    }

    /// Adds a field before `Content-Length`.
    #[must_use]
    pub fn field(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.into(), value.into()));
        self
    }

    /// Leaves a field out. `Content-Length` is one, too.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.fields.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        if name.eq_ignore_ascii_case("Content-Length") { self.raw_length("") } else { self }
    }

    /// Gives a field another value.
    #[must_use]
    pub fn with(self, name: &str, value: &str) -> Self {
        self.without(name).field(name, value)
    }

    /// Another version line: `WARC/1.1`, `WARC/0.17`, or one that no standard has.
    #[must_use]
    pub fn version(mut self, version: &str) -> Self {
        self.version = version.into();
        self
    }

    /// States the SHA-1 of the block, and of the payload behind its HTTP headers.
    #[must_use]
    pub fn with_digests(self) -> Self {
        let message = self.value("Content-Type").is_some_and(|value| value.starts_with("application/http"));
        let empty_line = self.block.windows(4).position(|four| four == b"\r\n\r\n");
        let payload = match empty_line {
            Some(at) if message => &self.block[at + 4..],
            _ => &self.block[..],
        };
        let (block, payload) = (sha1(&self.block), sha1(payload));
        self.field("WARC-Block-Digest", &block).field("WARC-Payload-Digest", &payload)
    }

    /// Fault: a `Content-Length` that is so much too large, or too small.
    #[must_use]
    pub fn length_off_by(mut self, bytes: i64) -> Self {
        self.length_off_by = bytes;
        self
    }

    /// Fault: any text as `Content-Length`; an empty one leaves the field out.
    #[must_use]
    pub fn raw_length(mut self, text: &str) -> Self {
        self.fields.push(("Content-Length".into(), text.into()));
        self
    }

    /// Fault: other bytes behind the block than two line ends: none, one, three.
    #[must_use]
    pub fn ended_by(mut self, end: &[u8]) -> Self {
        self.end = end.into();
        self
    }

    /// Fault: lines of the head end in LF alone, and so does the record.
    #[must_use]
    pub fn lf_only(mut self) -> Self {
        self.line_end = "\n";
        self.end = b"\n\n".into();
        self
    }

    /// The value of this field is broken over two lines behind its first half, as old mail has it.
    #[must_use]
    pub fn folded(mut self, name: &str) -> Self {
        self.folded = Some(name.into());
        self
    }

    /// The value of a field.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| &**value)
    }

    /// The block.
    pub fn block(&self) -> &[u8] {
        &self.block
    }

    /// The record as it stands in a plain file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = format!("{}{}", self.version, self.line_end).into_bytes();
        for (name, value) in
            self.fields.iter().filter(|(name, value)| name != "Content-Length" || !value.is_empty())
        {
            bytes.extend(self.line(name, value).bytes());
        }
        if self.value("Content-Length").is_none() {
            let length = (self.block.len() as u64).saturating_add_signed(self.length_off_by);
            bytes.extend(self.line("Content-Length", &length.to_string()).bytes());
        }
        bytes.extend(self.line_end.bytes());
        bytes.extend(&self.block);
        bytes.extend(&self.end);
        bytes
    }

    fn about(self, url: &str) -> Self {
        self.field("WARC-Target-URI", url)
    }

    fn line(&self, name: &str, value: &str) -> String {
        if self.folded.as_deref() != Some(name) {
            return format!("{name}: {value}{}", self.line_end);
        }
        let half = value.char_indices().nth(value.chars().count() / 2).map_or(0, |(at, _)| at);
        let (first, second) = value.split_at(half);
        format!("{name}: {first}{end}\t{second}{end}", end = self.line_end)
    }
}

/// An HTTP response with a length and a type; `content_type` may be followed by more lines.
pub fn http_response(content_type: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn sha1(bytes: &[u8]) -> String {
    format!("sha1:{}", BASE32.encode(&Sha1::digest(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(record: &Record) -> String {
        String::from_utf8(record.bytes()).expect("these are UTF-8")
    }

    #[test]
    fn a_record_is_laid_out_as_the_standard_says() {
        let record = Record::new("metadata", "a: b").field("WARC-Target-URI", "http://a/");
        let expected = "WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-0000ID>\r\n\
            WARC-Date: 2024-02-29T12:34:56Z\r\nWARC-Target-URI: http://a/\r\nContent-Length: 4\r\n\r\na: b\r\n\r\n";
        let id = record
            .value("WARC-Record-ID")
            .map(|id| id[id.len() - 9..id.len() - 1].to_owned())
            .expect("it has one");
        assert_eq!(text(&record), expected.replace("ID>", &format!("{id}>")));
    }

    #[test]
    fn each_fault_shows_in_the_bytes() {
        let record = || Record::new("resource", "0123456789");
        for (spoiled, part) in [
            (record().length_off_by(-3), "Content-Length: 7\r\n\r\n0123456789\r\n\r\n"),
            (record().length_off_by(5), "Content-Length: 15\r\n"),
            (record().raw_length("ten"), "Content-Length: ten\r\n\r\n"),
            (record().without("Content-Length"), "WARC-Date: 2024-02-29T12:34:56Z\r\n\r\n0123456789"),
            (record().ended_by(b""), "\r\n\r\n0123456789"),
            (record().lf_only(), "\nContent-Length: 10\n\n0123456789\n\n"),
            (record().folded("WARC-Date"), "WARC-Date: 2024-02-29\r\n\tT12:34:56Z\r\n"),
            (record().version("WARC/0.18"), "WARC/0.18\r\nWARC-Type"),
            (record().with("WARC-Date", "soon"), "WARC-Date: soon\r\n"),
        ] {
            assert!(text(&spoiled).contains(part), "{}", text(&spoiled));
        }
        assert!(text(&record().ended_by(b"")).ends_with('9'));
        assert!(!text(&record().without("content-length")).contains("Length"));
    }

    #[test]
    fn digests_are_those_of_block_and_payload() {
        // `printf x | sha1sum | xxd -r -p | base32`
        let record = Record::response("http://a/", http_response("text/plain", "x")).with_digests();
        assert_eq!(record.value("WARC-Payload-Digest"), Some("sha1:CH3K3DWFFIUYJK5K7V6DWULFAN4FYIDS"));
        let revisit = Record::revisit("http://a/", "HTTP/1.1 304 Not Modified\r\n\r\n", &record);
        assert_eq!(revisit.value("WARC-Payload-Digest"), record.value("WARC-Payload-Digest"));
        assert_eq!(revisit.value("WARC-Refers-To"), record.value("WARC-Record-ID"));
    }
}
