//! Where records begin: the judgement that everything forgiving rests on.

use memchr::memmem;

use crate::arc::{self, ArcLine};

/// Whether the bytes begin, behind line ends, with what must be the head of a record.
pub(crate) fn starts_record(bytes: &[u8]) -> bool {
    let skip = line_ends(bytes);
    is_warc_head(&bytes[skip..]) || starts_arc(&bytes[skip..])
}

/// Whether the bytes begin with `WARC/`, whatever follows. Where a record is due, this is one, if a broken one.
pub(crate) fn starts_loosely(bytes: &[u8]) -> bool {
    bytes.get(..5).is_some_and(|magic| magic.eq_ignore_ascii_case(b"WARC/"))
}

/// How many CR and LF the bytes begin with.
pub(crate) fn line_ends(bytes: &[u8]) -> usize {
    bytes.iter().position(|b| !matches!(b, b'\r' | b'\n')).unwrap_or(bytes.len())
}

/// Whether the bytes begin with `WARC/` and two numbers.
fn starts_warc(bytes: &[u8]) -> bool {
    let Some((magic, rest)) = bytes.split_first_chunk::<5>() else { return false };
    let digits = rest.iter().take(3).take_while(|b| b.is_ascii_digit()).count();
    magic.eq_ignore_ascii_case(b"WARC/")
        && digits > 0
        && rest.get(digits) == Some(&b'.')
        && rest.get(digits + 1).is_some_and(u8::is_ascii_digit)
}

/// Whether a line, of which the end is not a part, names a version and nothing else, or is the head line of WARC 0.9. No
/// field looks so.
pub(crate) fn is_version_line(line: &[u8]) -> bool {
    if !starts_warc(line) {
        return false;
    }
    let version = line[5..].trim_ascii_end();
    match version {
        [b'0', b'.', b'9', b' ', words @ ..] => {
            words.trim_ascii_start().first().is_some_and(u8::is_ascii_digit)
        }
        _ => version.iter().all(|b| b.is_ascii_digit() || *b == b'.'),
    }
}

/// Whether the bytes begin with a whole line that is an ARC head beyond doubt.
pub(crate) fn starts_arc(bytes: &[u8]) -> bool {
    let line = arc::line_len(bytes).and_then(|len| ArcLine::parse(&bytes[..len]));
    line.is_some_and(|line| line.is_certain())
}

/// The first place at a line's start where a record begins, of WARC or, if `arc`, of ARC.
pub(crate) fn find_record(bytes: &[u8], arc: bool) -> Option<usize> {
    if arc { find_arc(bytes) } else { find_warc(bytes) }
}

fn find_warc(bytes: &[u8]) -> Option<usize> {
    let at_line_start = |i: usize| i == 0 || bytes[i - 1] == b'\n';
    let is_head = |i: usize| is_sure_head(&bytes[i..]) || (at_line_start(i) && is_warc_head(&bytes[i..]));
    let upper = memmem::find_iter(bytes, b"WARC/").find(|&i| is_head(i));
    // Lower case was written by a few tools only, but the search costs next to nothing.
    let lower = memmem::find_iter(&bytes[..upper.unwrap_or(bytes.len())], b"warc/");
    lower.into_iter().find(|&i| at_line_start(i) && is_warc_head(&bytes[i..])).or(upper)
}

/// A version line by itself may stand in any text on archives; a head has a field behind it, or a 0.9 line's words.
pub(crate) fn is_warc_head(bytes: &[u8]) -> bool {
    if !starts_warc(bytes) {
        return false;
    }
    let Some(len) = memchr::memchr(b'\n', &bytes[..bytes.len().min(4096)]) else { return bytes.len() < 4096 };
    let (line, rest) = (&bytes[..len], &bytes[len + 1..]);
    if let [b'0', b'.', b'9', b' ', words @ ..] = &line[5..] {
        return words.trim_ascii_start().first().is_some_and(u8::is_ascii_digit);
    }
    let name = rest.iter().position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')));
    name.is_none_or(|len| len > 0 && rest[len..].trim_ascii_start().first() == Some(&b':'))
}

/// A version line and a field of the standard, right behind each other: a head wherever it stands, for garbage that
/// precedes one need not end its line.
pub(crate) fn is_sure_head(bytes: &[u8]) -> bool {
    let Some(len) = memchr::memchr(b'\n', &bytes[..bytes.len().min(16)]) else { return false };
    starts_warc(bytes) && bytes[..len].ends_with(b"\r") && bytes[len + 1..].starts_with(b"WARC-")
}

fn find_arc(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        if starts_arc(&bytes[at..]) {
            return Some(at);
        }
        at += memchr::memchr(b'\n', &bytes[at..])? + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_found_at_line_starts_only() {
        let head = "WARC/1.0\r\nWARC-Type: response\r\n\r\n";
        let cases = [
            (format!("junk\r\n{head}"), Some(6)),
            (format!("junk{head}"), Some(4)),
            (format!("junk{}", head.replace("WARC-Type", "X-Type")), None),
            (head.to_string(), Some(0)),
            ("text\nWARC/1.0 is a format\nof archives".to_string(), None),
            (
                "text\nwarc/0.9 10757 response http://a.org/ 20061006192531 message/http id\r\n".to_string(),
                Some(5),
            ),
            ("text\nWARC/x".to_string(), None),
            ("text\nWARC/1.1".to_string(), Some(5)),
        ];
        for (text, expected) in cases {
            assert_eq!(find_record(text.as_bytes(), false), expected, "{text:?}");
        }
    }
}
