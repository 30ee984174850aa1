//! Paths and path patterns in one spelling, and whether they match.

use std::borrow::Cow;

use memchr::memmem;

/// Which escapes of characters that need none are undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    /// None: `%62` is not `b`.
    AsWritten,
    /// All, as RFC 9309 section 2.2.2 asks.
    Undone,
}

/// A pattern in the spelling that paths are compared in: what is escaped in a request is escaped, `*` is a wildcard
/// and a literal `$` is `%24`.
pub(super) fn spell_pattern(pattern: &[u8], escapes: Escapes, out: &mut Vec<u8>) {
    let start = out.len();
    let mut rest = pattern;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = match byte {
            b'*' => {
                if out.len() == start || out.last() != Some(&b'*') {
                    out.push(b'*');
                }
                behind
            }
            0x80.. => {
                push_escape(byte, out);
                behind
            }
            _ => push_spelt(rest, escapes, out),
        };
    }
}

/// A path as it stands in a request, in the same spelling. Bytes beyond ASCII, which stand in none, are left.
pub(super) fn spell_path(path: &[u8], escapes: Escapes) -> Cow<'_, [u8]> {
    if !path.iter().any(|&byte| NEEDS_SPELLING[usize::from(byte)]) {
        return Cow::Borrowed(path);
    }
    let (mut out, mut rest) = (Vec::with_capacity(path.len() + 16), path);
    while let Some((&byte, behind)) = rest.split_first() {
        rest = match byte {
            b'*' => {
                push_escape(byte, &mut out);
                behind
            }
            0x80.. => {
                out.push(byte);
                behind
            }
            _ => push_spelt(rest, escapes, &mut out),
        };
    }
    Cow::Owned(out)
}

/// Whether a path starts as a pattern says, or is all that it says. Each piece between wildcards is taken where it is
/// found first, which is right for all that follow, so no place is looked at twice.
pub(super) fn matches(pattern: &[u8], to_end: bool, path: &[u8]) -> bool {
    let mut pieces = pattern.split(|&byte| byte == b'*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let Some(last) = pieces.next_back() else { return !to_end || rest.is_empty() };
    for piece in pieces {
        let Some(at) = memmem::find(rest, piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    if to_end { rest.ends_with(last) } else { memmem::find(rest, last).is_some() }
}

/// Spells the first byte or escape, and gives what is behind it.
fn push_spelt<'a>(bytes: &'a [u8], escapes: Escapes, out: &mut Vec<u8>) -> &'a [u8] {
    if let [b'%', high, low, rest @ ..] = bytes
        && let (Some(high), Some(low)) = (hex(*high), hex(*low))
    {
        let byte = high << 4 | low;
        // In a query the apostrophe is always escaped, in a path never.
        if byte == b'\'' || escapes == Escapes::Undone && is_unreserved(byte) {
            out.push(byte);
        } else {
            push_escape(byte, out);
        }
        return rest;
    }
    let (&byte, rest) = bytes.split_first().expect("the caller saw a byte");
    if byte != b'%' && NEEDS_SPELLING[usize::from(byte)] {
        push_escape(byte, out);
    } else {
        out.push(byte);
    }
    rest
}

fn push_escape(byte: u8, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.extend([b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// RFC 3986 section 2.3.
const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// RFC 3986 section 2.2, without the two that mean something in a pattern.
const fn is_plain_reserved(byte: u8) -> bool {
    matches!(
        byte,
        b':' | b'/'
            | b'?'
            | b'#'
            | b'['
            | b']'
            | b'@'
            | b'!'
            | b'&'
            | b'\''
            | b'('
            | b')'
            | b'+'
            | b','
            | b';'
            | b'='
    )
}

/// Bytes of ASCII that may be spelt in another way.
const NEEDS_SPELLING: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = !is_unreserved(byte as u8) && !is_plain_reserved(byte as u8);
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_match_as_google_documents_them() {
        for (pattern, to_end, path, expected) in [
            ("/", false, "/x", true),
            ("/fish*.php", false, "/fishheads/catfish.php?p", true),
            ("/*.php", true, "/a.php", true),
            ("/*.php", true, "/a.php.php", true),
            ("/*.php", true, "/a.php5", false),
            ("*.gif", true, "/a.gif", true),
            ("/a*b*c", false, "/abc", true),
            ("/a*b*c", false, "/acb", false),
            ("/a*a", true, "/a", false),
            ("/a*", false, "/a", true),
            ("*", true, "", true),
            ("", true, "", true),
            ("", true, "/", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), to_end, path.as_bytes()), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn one_spelling_for_what_means_the_same() {
        let spelt = |pattern: &str| {
            let mut out = Vec::new();
            spell_pattern(pattern.as_bytes(), Escapes::Undone, &mut out);
            String::from_utf8(out).expect("ASCII")
        };
        for (pattern, expected) in [
            ("/a%7eb", "/a~b"),
            ("/a%2fb", "/a%2Fb"),
            ("/ツ", "/%E3%83%84"),
            ("/a b|c", "/a%20b%7Cc"),
            ("/a***b$c", "/a*b%24c"),
            ("/%2a%", "/%2A%"),
            ("/%4", "/%4"),
            ("/%27'", "/''"),
        ] {
            assert_eq!(spelt(pattern), expected, "{pattern}");
        }
        assert_eq!(&*spell_path(b"/*%7e$", Escapes::Undone), b"/%2A~%24");
        assert_eq!(&*spell_path(b"/*%7e$", Escapes::AsWritten), b"/%2A%7E%24");
    }
}
