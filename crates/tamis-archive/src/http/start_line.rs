//! The first line of an HTTP message, request or response, as servers and crawlers really wrote it.

use std::ops::Range;

use super::head::HttpKind;
use super::quirk::{HttpQuirk, HttpQuirks};

/// The parts of a start line, as places in it.
#[derive(Debug, Clone, Default)]
pub(super) struct StartLine {
    pub(super) kind: HttpKind,
    pub(super) version: Range<usize>,
    pub(super) method: Range<usize>,
    pub(super) target: Range<usize>,
    pub(super) status: Option<u16>,
    pub(super) reason: Range<usize>,
}

/// Longer than any method that was ever defined (`UPDATEREDIRECTREF`), shorter than a line of binary data.
const MAX_METHOD_BYTES: usize = 32;

impl StartLine {
    /// Reads a line without its line end. None if it is neither a request nor a response.
    pub(super) fn parse(line: &[u8], quirks: &mut HttpQuirks) -> Option<Self> {
        let first = word(line, 0);
        if is_protocol(line, &first) {
            Some(Self::response(line, first, quirks))
        } else if is_bare_status(line, &first) {
            quirks.insert(HttpQuirk::MissingVersion);
            let mut parts = Self { kind: HttpKind::Response, ..Self::default() };
            parts.read_status(line, 0, quirks);
            Some(parts)
        } else {
            Self::request(line, first, quirks)
        }
    }

    fn response(line: &[u8], version: Range<usize>, quirks: &mut HttpQuirks) -> Self {
        quirks.insert_if(!is_standard_version(&line[version.clone()]), HttpQuirk::OddVersion);
        let mut at = version.end;
        let mut next = word(line, at);
        while starts_with_http_slash(&line[next.clone()]) {
            quirks.insert(HttpQuirk::RepeatedVersion);
            at = next.end;
            next = word(line, at);
        }
        let mut parts = Self { kind: HttpKind::Response, version, ..Self::default() };
        parts.read_status(line, at, quirks);
        parts
    }

    fn read_status(&mut self, line: &[u8], at: usize, quirks: &mut HttpQuirks) {
        let place = word(line, at);
        let digits = line[place.clone()].iter().take_while(|b| b.is_ascii_digit()).count();
        let reason_at = match digits {
            0 => place.start,
            3 => place.start + 3,
            _ => place.end,
        };
        if digits == 3 {
            let number = line[place.clone()][..3].iter().fold(0, |n, b| n * 10 + u16::from(b - b'0'));
            self.status = Some(number);
            quirks.insert_if(place.len() > 3, HttpQuirk::JoinedStatus);
        }
        quirks.insert_if(self.status.is_none_or(|status| status < 100), HttpQuirk::BadStatus);
        self.reason = skip_blanks(line, reason_at)..end_of_text(line);
        self.reason.end = self.reason.end.max(self.reason.start);
        // HTTP/2 and later have no reason, so those who write them down as HTTP/1 have none to write.
        let has_reasons = !matches!(line[self.version.clone()].get(5), Some(b'2' | b'3'));
        quirks.insert_if(
            has_reasons && digits > 0 && line.len() == self.reason.start && reason_at == line.len(),
            HttpQuirk::MissingReason,
        );
    }

    fn request(line: &[u8], method: Range<usize>, quirks: &mut HttpQuirks) -> Option<Self> {
        let is_method = (1..=MAX_METHOD_BYTES).contains(&method.len())
            && line[method.clone()].iter().all(|&b| is_token_byte(b));
        if !is_method || method.end == line.len() {
            return None;
        }
        let (version, versions, end) = trailing_versions(line, method.end);
        let target = skip_blanks(line, method.end).min(end)..end;
        if versions == 0 && !is_plausible_without_version(&line[method.clone()], &line[target.clone()]) {
            return None;
        }
        quirks.insert_if(versions == 0, HttpQuirk::MissingVersion);
        quirks.insert_if(versions > 1, HttpQuirk::RepeatedVersion);
        quirks.insert_if(versions > 0 && !is_standard_version(&line[version.clone()]), HttpQuirk::OddVersion);
        let has_blank = line[target.clone()].iter().any(|&b| is_blank(b));
        quirks.insert_if(target.is_empty() || has_blank, HttpQuirk::OddTarget);
        Some(Self { kind: HttpKind::Request, version, method, target, ..Self::default() })
    }
}

/// A byte that may stand in a method or a field name (RFC 9110, section 5.6.2).
pub(super) fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// The last version of the line, how many versions end it, and where the text before them ends.
fn trailing_versions(line: &[u8], start: usize) -> (Range<usize>, usize, usize) {
    let (mut version, mut count, mut end) = (0..0, 0, end_of_text(line));
    loop {
        let word_start = line[start..end].iter().rposition(|&b| is_blank(b)).map_or(end, |i| start + i + 1);
        if !starts_with_http_slash(&line[word_start..end]) {
            return (version, count, end);
        }
        if count == 0 {
            version = word_start..end;
        }
        count += 1;
        end = start + end_of_text(&line[start..word_start]);
    }
}

/// HTTP/0.9 requests have no version, and neither do those of some browser extensions; but lines of text have none either.
fn is_plausible_without_version(method: &[u8], target: &[u8]) -> bool {
    let is_address =
        target.starts_with(b"/") || target == b"*" || memchr::memmem::find(target, b"://").is_some();
    is_address && method.iter().all(u8::is_ascii_uppercase)
}

/// `HTTP/…`, `HTTPX/…`, and `HTTP` or `ICY` where a status follows.
fn is_protocol(line: &[u8], word_place: &Range<usize>) -> bool {
    let first = &line[word_place.clone()];
    if first.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP")) {
        let rest = first[4..].iter().position(|b| !b.is_ascii_alphabetic()).map(|i| first[4 + i]);
        return rest == Some(b'/') || rest.is_none() && status_follows(line, word_place.end);
    }
    first == b"ICY" && status_follows(line, word_place.end)
}

fn status_follows(line: &[u8], at: usize) -> bool {
    line[word(line, at)].first().is_some_and(u8::is_ascii_digit)
}

/// `200 OK`, or `404` alone: a status line that lost its version.
fn is_bare_status(line: &[u8], first: &Range<usize>) -> bool {
    let is_status = matches!(line[first.clone()], [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9']);
    is_status && line[word(line, first.end)].first().is_none_or(u8::is_ascii_alphabetic)
}

fn starts_with_http_slash(text: &[u8]) -> bool {
    text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"))
}

fn is_standard_version(version: &[u8]) -> bool {
    const STANDARD: [&[u8]; 7] =
        [b"HTTP/1.1", b"HTTP/1.0", b"HTTP/2", b"HTTP/2.0", b"HTTP/3", b"HTTP/3.0", b"HTTP/0.9"];
    STANDARD.contains(&version)
}

/// The next run of bytes without blanks, from `at`.
fn word(line: &[u8], at: usize) -> Range<usize> {
    let start = skip_blanks(line, at);
    let len = line[start..].iter().position(|&b| is_blank(b)).unwrap_or(line.len() - start);
    start..start + len
}

fn skip_blanks(line: &[u8], at: usize) -> usize {
    line[at..].iter().position(|&b| !is_blank(b)).map_or(line.len(), |i| at + i)
}

fn end_of_text(line: &[u8]) -> usize {
    line.iter().rposition(|&b| !is_blank(b)).map_or(0, |i| i + 1)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::HttpQuirk::*;
    use super::*;

    fn parsed(line: &str) -> Option<(StartLine, HttpQuirks)> {
        let mut quirks = HttpQuirks::default();
        StartLine::parse(line.as_bytes(), &mut quirks).map(|parts| (parts, quirks))
    }

    #[test]
    fn status_lines_are_read_in_any_shape() {
        type Case = (&'static str, &'static str, Option<u16>, &'static str, &'static [HttpQuirk]);
        let cases: &[Case] = &[
            ("HTTP/1.1 200 OK", "HTTP/1.1", Some(200), "OK", &[]),
            ("HTTP/1.0 404 Not  Found ", "HTTP/1.0", Some(404), "Not  Found", &[]),
            ("HTTP/1.1 HTTP/1.1 200 OK", "HTTP/1.1", Some(200), "OK", &[RepeatedVersion]),
            ("HTTP/1.1 200", "HTTP/1.1", Some(200), "", &[MissingReason]),
            ("HTTP/1.1 200 ", "HTTP/1.1", Some(200), "", &[]),
            ("HTTP/2 200", "HTTP/2", Some(200), "", &[]),
            ("HTTP/3 103 Early Hints", "HTTP/3", Some(103), "Early Hints", &[]),
            ("HTTP/1.1\t 301   Moved", "HTTP/1.1", Some(301), "Moved", &[]),
            ("HTTP/1.1 200OK", "HTTP/1.1", Some(200), "OK", &[JoinedStatus]),
            ("HTTP/1.1 200 OK200 OK", "HTTP/1.1", Some(200), "OK200 OK", &[]),
            ("http/1.1 200 OK", "http/1.1", Some(200), "OK", &[OddVersion]),
            ("HTTP 200 OK", "HTTP", Some(200), "OK", &[OddVersion]),
            ("HTTPX/1.1 200 OK", "HTTPX/1.1", Some(200), "OK", &[OddVersion]),
            ("ICY 200 OK", "ICY", Some(200), "OK", &[OddVersion]),
            ("200 OK", "", Some(200), "OK", &[MissingVersion]),
            ("404", "", Some(404), "", &[MissingVersion, MissingReason]),
            ("HTTP/1.1 OK", "HTTP/1.1", None, "OK", &[BadStatus]),
            ("HTTP/1.1 20 OK", "HTTP/1.1", None, "OK", &[BadStatus]),
            ("HTTP/1.1 2000000000000 OK", "HTTP/1.1", None, "OK", &[BadStatus]),
            ("HTTP/1.1 000 None", "HTTP/1.1", Some(0), "None", &[BadStatus]),
            ("HTTP/1.1 999 Request denied", "HTTP/1.1", Some(999), "Request denied", &[]),
            ("HTTP/1.", "HTTP/1.", None, "", &[OddVersion, BadStatus]),
        ];
        for (line, version, status, reason, expected) in cases {
            let (parts, quirks) = parsed(line).expect(line);
            let text = |place: &Range<usize>| &line[place.clone()];
            assert_eq!(parts.kind, HttpKind::Response, "{line:?}");
            assert_eq!(
                (text(&parts.version), parts.status, text(&parts.reason)),
                (*version, *status, *reason)
            );
            assert_eq!(quirks, HttpQuirks::of(expected), "{line:?}: {quirks}");
        }
    }

    #[test]
    fn request_lines_are_read_in_any_shape() {
        type Case = (&'static str, &'static str, &'static str, &'static str, &'static [HttpQuirk]);
        let cases: &[Case] = &[
            ("GET / HTTP/1.1", "GET", "/", "HTTP/1.1", &[]),
            ("GETX /?example=2 HTTP/1.1", "GETX", "/?example=2", "HTTP/1.1", &[]),
            ("GET /a b c HTTP/1.0 ", "GET", "/a b c", "HTTP/1.0", &[OddTarget]),
            ("GET  HTTP/1.1", "GET", "", "HTTP/1.1", &[OddTarget]),
            ("GET /about", "GET", "/about", "", &[MissingVersion]),
            ("GET http://example.com/", "GET", "http://example.com/", "", &[MissingVersion]),
            ("GET / HTTP/1.1 HTTP/1.1", "GET", "/", "HTTP/1.1", &[RepeatedVersion]),
            ("M-SEARCH * HTTP/1.1", "M-SEARCH", "*", "HTTP/1.1", &[]),
            ("post / http/1.1", "post", "/", "http/1.1", &[OddVersion]),
        ];
        for (line, method, target, version, expected) in cases {
            let (parts, quirks) = parsed(line).expect(line);
            let text = |place: &Range<usize>| &line[place.clone()];
            assert_eq!(parts.kind, HttpKind::Request, "{line:?}");
            assert_eq!(
                (text(&parts.method), text(&parts.target), text(&parts.version)),
                (*method, *target, *version)
            );
            assert_eq!(quirks, HttpQuirks::of(expected), "{line:?}: {quirks}");
        }
    }

    #[test]
    fn lines_of_other_text_are_refused() {
        let lines = [
            "20080430204847",
            "<!DOCTYPE html>",
            "https://example.com/",
            "HTTP is a protocol",
            "Get a life",
            "ICY roads",
            "250 1 8",
            "GET",
            "",
            "  ",
            "\u{0}\u{1}\u{2} x HTTP/1.1",
        ];
        for line in lines {
            assert!(parsed(line).is_none(), "{line:?}");
        }
    }
}
