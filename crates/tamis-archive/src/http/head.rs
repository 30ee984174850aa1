//! The head of an HTTP message: start line and fields.

use std::ops::Range;

use super::quirk::{HttpQuirk, HttpQuirks};
use super::start_line::{StartLine, is_token_byte};
use crate::fields::trim;
use crate::{Fields, FieldsReport};

/// A head that goes on behind this length is cut there. Apache takes 8 KiB a line, browsers some 256 KiB in all.
pub const MAX_HEAD_BYTES: usize = 1 << 20;

/// The head of an HTTP message. Filling it again allocates nothing, once it has grown to the size of heads.
#[derive(Debug, Clone, Default)]
pub struct HttpHead {
    line: Vec<u8>,
    parts: StartLine,
    fields: Fields,
    quirks: HttpQuirks,
    len: usize,
}

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HttpKind {
    /// It begins with a request line.
    Request,
    /// It begins with a status line.
    Response,
    /// It begins with fields: whoever wrote it left the start line out.
    #[default]
    Bare,
}

/// How much of a block the caller holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// Its beginning; more can be had.
    Prefix,
}

/// What came of reading a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parse {
    /// The head is read; the body begins at this many bytes.
    Done(usize),
    /// The head goes on behind the bytes given: call again with more, best with twice as many.
    Partial,
    /// The block is no HTTP message. The head is empty.
    NotHttp,
}

impl HttpHead {
    /// The head of a response with these fields, as if it had been received.
    pub fn response(status: u16, fields: &[(&str, &str)]) -> Self {
        let mut text = format!("HTTP/1.1 {status} \r\n");
        for (name, value) in fields {
            text.extend([name, ": ", value, "\r\n"]);
        }
        text.push_str("\r\n");
        let mut head = Self::default();
        head.parse(text.as_bytes(), Extent::Whole);
        head
    }

    /// Reads the head at the beginning of a block. Never asks for more than [`MAX_HEAD_BYTES`].
    ///
    /// A head without an empty line at its end goes up to the first line that cannot be a field.
    pub fn parse(&mut self, block: &[u8], extent: Extent) -> Parse {
        self.clear();
        let outcome = self.read(block, extent);
        if let Parse::Done(len) = outcome {
            self.len = len;
        } else {
            self.clear();
        }
        outcome
    }

    /// Forgets the message and keeps the memory.
    pub fn clear(&mut self) {
        self.line.clear();
        self.parts = StartLine::default();
        self.fields.clear();
        self.quirks = HttpQuirks::default();
        self.len = 0;
    }

    /// Whether it is a request or a response.
    pub fn kind(&self) -> HttpKind {
        self.parts.kind
    }

    /// The status, if the message states one of three digits.
    pub fn status(&self) -> Option<u16> {
        self.parts.status
    }

    /// The text behind the status.
    pub fn reason(&self) -> &[u8] {
        self.part(&self.parts.reason)
    }

    /// The method of a request.
    pub fn method(&self) -> &[u8] {
        self.part(&self.parts.method)
    }

    /// The target of a request, as it stands.
    pub fn target(&self) -> &[u8] {
        self.part(&self.parts.target)
    }

    /// The protocol and its version as they stand: `HTTP/1.1`. Empty if the message has none.
    pub fn version(&self) -> &[u8] {
        self.part(&self.parts.version)
    }

    /// The start line without its line end. Empty if the message has none.
    pub fn start_line(&self) -> &[u8] {
        &self.line
    }

    /// The fields in their order.
    pub fn fields(&self) -> &Fields {
        &self.fields
    }

    /// What is odd about the head.
    pub fn quirks(&self) -> HttpQuirks {
        self.quirks
    }

    /// The length of the head in bytes, through the empty line.
    pub fn len_bytes(&self) -> usize {
        self.len
    }

    /// The media type in lower case, without parameters: `text/html`.
    pub fn media_type(&self) -> Option<String> {
        let value = self.fields.get("Content-Type")?;
        let end = value.iter().position(|b| matches!(b, b';' | b',')).unwrap_or(value.len());
        let media_type = crate::fields::bytes_to_text(trim(&value[..end])).to_ascii_lowercase();
        (!media_type.is_empty()).then_some(media_type)
    }

    fn part(&self, place: &Range<usize>) -> &[u8] {
        &self.line[place.clone()]
    }

    fn read(&mut self, block: &[u8], extent: Extent) -> Parse {
        let is_too_long = block.len() > MAX_HEAD_BYTES;
        let extent = if block.len() >= MAX_HEAD_BYTES { Extent::Whole } else { extent };
        let block = &block[..block.len().min(MAX_HEAD_BYTES)];
        let start = block.iter().position(|b| !matches!(b, b'\r' | b'\n')).unwrap_or(block.len());
        self.quirks.insert_if(start > 0, HttpQuirk::LeadingBlankLines);
        let line_end = memchr::memchr(b'\n', &block[start..]).map(|i| start + i + 1);
        let fields_at = match (line_end, extent) {
            (None, Extent::Prefix) => return Parse::Partial,
            (end, _) => match self.read_start_line(block, start..end.unwrap_or(block.len())) {
                Some(fields_at) => fields_at,
                None => return Parse::NotHttp,
            },
        };
        let lines = &block[fields_at..];
        let (report, empty_line) = self.fields.parse_lines(lines, |_| false);
        match (empty_line, extent) {
            (Some(empty_line), _) => self.judge_fields(report, fields_at + empty_line.end),
            (None, Extent::Prefix) => Parse::Partial,
            (None, Extent::Whole) => {
                self.quirks.insert(HttpQuirk::HeadUnended);
                self.quirks.insert_if(is_too_long, HttpQuirk::HeadTooLong);
                let len = guess_end(lines);
                self.fields.clear();
                let report = self.fields.parse(&lines[..len]);
                self.judge_fields(report, fields_at + len)
            }
        }
    }

    /// Reads the start line and gives the place of the fields. None if the line begins no message.
    fn read_start_line(&mut self, block: &[u8], place: Range<usize>) -> Option<usize> {
        let line = &block[place.clone()];
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let bare_lf = text.len() < line.len() && !text.ends_with(b"\r");
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if let Some(parts) = StartLine::parse(text, &mut self.quirks) {
            self.line.extend_from_slice(text);
            self.parts = parts;
            self.quirks.insert_if(bare_lf, HttpQuirk::BareLf);
            Some(place.end)
        } else {
            let is_address = memchr::memmem::find(text, b"://")
                .is_some_and(|i| text[..i].iter().all(|&b| is_token_byte(b)));
            self.quirks.insert(HttpQuirk::MissingStartLine);
            (is_field(line) && !is_address).then_some(place.start)
        }
    }

    fn judge_fields(&mut self, report: FieldsReport, head_len: usize) -> Parse {
        let FieldsReport { bad_lines, folded_lines, bare_lf } = report;
        if self.parts.kind == HttpKind::Bare && bad_lines > 0 {
            // Without a start line, nothing but sound fields tells a head from any text with a colon.
            return Parse::NotHttp;
        }
        self.quirks.insert_if(bad_lines > 0, HttpQuirk::BadHeaderLine);
        self.quirks.insert_if(folded_lines > 0, HttpQuirk::FoldedLine);
        self.quirks.insert_if(bare_lf > 0, HttpQuirk::BareLf);
        Parse::Done(head_len)
    }
}

/// Where a head without an empty line ends: before the first line that is no field.
fn guess_end(lines: &[u8]) -> usize {
    let mut at = 0;
    while at < lines.len() {
        let end = memchr::memchr(b'\n', &lines[at..]).map_or(lines.len(), |i| at + i + 1);
        if !is_field(&lines[at..end]) {
            break;
        }
        at = end;
    }
    at
}

/// Whether a line is a field, continues one, or is the cut-off beginning of one.
fn is_field(line: &[u8]) -> bool {
    let is_fold = line.first().is_some_and(|b| matches!(b, b' ' | b'\t'));
    let name_len = line.iter().take_while(|&&b| is_token_byte(b)).count();
    let rest = trim(&line[name_len..]);
    let is_cut = name_len == line.len();
    is_fold || name_len > 0 && (rest.starts_with(b":") || is_cut)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::HttpQuirk::*;
    use super::*;

    fn parsed(block: &[u8], extent: Extent) -> (HttpHead, Parse) {
        let mut head = HttpHead::default();
        let outcome = head.parse(block, extent);
        (head, outcome)
    }

    #[test]
    fn heads_are_read_in_any_shape() {
        // The head, the body, how many fields, and what is odd.
        let cases: &[(&str, &str, usize, &[HttpQuirk])] = &[
            ("HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\n\r\n", "body", 2, &[]),
            ("HTTP/1.1 200 OK\r\n\r\n", "", 0, &[]),
            ("HTTP/1.1 200 OK\nA: 1\n\n", "\n\nbody", 1, &[BareLf]),
            ("HTTP/1.1 200 OK\r\nA: 1\r\r\n\r\r\n", "body", 1, &[]),
            ("\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "body", 0, &[LeadingBlankLines]),
            ("HTTP/1.1 200 OK\r\nA: 1\r\n 2\r\n\r\n", "body", 1, &[FoldedLine]),
            ("HTTP/1.1 200 OK\r\nno field\r\nA: 1\r\n\r\n", "body", 1, &[BadHeaderLine]),
            ("HTTP/1.1 200 OK\r\nA: 1\r\n", "", 1, &[HeadUnended]),
            ("HTTP/1.1 200 OK\r\nA: 1\r\nConte", "", 1, &[HeadUnended, BadHeaderLine]),
            ("HTTP/1.1 200 OK", "", 0, &[HeadUnended]),
            ("HTTP/1.1 200 OK\r\nA: 1\r\n", "<html><p>a: b</html>", 1, &[HeadUnended]),
            ("Vary: Accept\nA: 1\n\r\n", "<html>", 2, &[MissingStartLine, BareLf]),
        ];
        for (text, body, fields, quirks) in cases {
            let block = format!("{text}{body}");
            let (head, outcome) = parsed(block.as_bytes(), Extent::Whole);
            assert_eq!(outcome, Parse::Done(text.len()), "{block:?}");
            assert_eq!((head.fields().len(), head.len_bytes()), (*fields, text.len()), "{block:?}");
            assert_eq!(head.quirks(), HttpQuirks::of(quirks), "{block:?}: {}", head.quirks());
        }
    }

    #[test]
    fn blocks_that_are_no_message_are_refused() {
        let blocks: &[&[u8]] = &[
            b"",
            b"\r\n\r\n",
            b"20080430204847\n",
            b"<!DOCTYPE html>\r\n\r\n",
            b"http://example.com/: a page\r\n\r\n",
            b"Title: a text\r\nthat goes on\r\n\r\n",
            b"\x89PNG\r\n\x1a\n\0\0",
        ];
        for block in blocks {
            let (head, outcome) = parsed(block, Extent::Whole);
            assert_eq!(outcome, Parse::NotHttp, "{block:?}");
            assert!(head.fields().is_empty() && head.quirks().is_empty());
        }
    }

    #[test]
    fn a_prefix_asks_for_more_until_the_head_ends() {
        let text = b"HTTP/1.1 200 OK\r\nA: 1\r\n\r\n";
        for len in 0..text.len() {
            assert_eq!(parsed(&text[..len], Extent::Prefix).1, Parse::Partial, "{len}");
        }
        assert_eq!(parsed(text, Extent::Prefix).1, Parse::Done(text.len()));
        assert_eq!(parsed(b"no message\r\n", Extent::Prefix).1, Parse::NotHttp);
    }

    #[test]
    fn a_head_without_end_is_cut_at_the_limit() {
        let mut block = b"HTTP/1.1 200 OK\r\nA: 1\r\nB: ".to_vec();
        block.resize(MAX_HEAD_BYTES + 10, b'x');
        let (head, outcome) = parsed(&block, Extent::Prefix);
        assert_eq!(outcome, Parse::Done(MAX_HEAD_BYTES));
        assert_eq!(head.quirks(), HttpQuirks::of(&[HeadUnended, HeadTooLong]));
        assert_eq!(head.status(), Some(200));
    }

    #[test]
    fn a_head_that_is_filled_again_keeps_nothing() {
        let mut head = HttpHead::default();
        head.parse(b"HTTP/1.1 200OK\r\nContent-Type: Text/HTML; charset=x\r\n\r\n", Extent::Whole);
        assert_eq!(head.media_type().as_deref(), Some("text/html"));
        head.parse(b"GET /a HTTP/1.0\r\nHost: b\r\n\r\n", Extent::Whole);
        assert_eq!((head.kind(), head.method(), head.target()), (HttpKind::Request, &b"GET"[..], &b"/a"[..]));
        assert_eq!((head.version(), head.status(), head.reason()), (&b"HTTP/1.0"[..], None, &b""[..]));
        assert_eq!((head.media_type(), head.quirks().is_empty()), (None, true));
    }

    proptest! {
        #[test]
        fn any_bytes_give_a_head_within_the_block(start in prop::sample::select(vec!["", "HTTP/", "HTTP/1.1 200", "GET /", "A: b\n"]),
                                                  rest: Vec<u8>, whole: bool) {
            let block = [start.as_bytes(), &rest].concat();
            let extent = if whole { Extent::Whole } else { Extent::Prefix };
            let (head, outcome) = parsed(&block, extent);
            match outcome {
                Parse::Done(len) => prop_assert!(len <= block.len() && len == head.len_bytes()),
                Parse::Partial => prop_assert!(!whole),
                Parse::NotHttp => prop_assert_eq!(head.len_bytes(), 0),
            }
        }
    }
}
