//! References that stand inside of a longer value: `srcset`, `<meta http-equiv=refresh>` and style sheets.

use memchr::memmem;

/// The references of a `srcset`: what stands first in each candidate.
///
/// Candidates with descriptors that make no sense are given, too: fetching one in vain does no harm.
pub(super) fn of_srcset(srcset: &str) -> impl Iterator<Item = &str> {
    let mut rest = srcset;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (reference, behind) = rest.split_at(end);
        let bare = reference.trim_end_matches(',');
        rest = if bare.len() < reference.len() { behind } else { &behind[candidate_end(behind)..] };
        (!bare.is_empty()).then_some(bare)
    })
}

/// The comma behind the descriptors; those in brackets are part of them.
fn candidate_end(descriptors: &str) -> usize {
    let mut in_brackets = false;
    let end = descriptors.bytes().position(|byte| {
        in_brackets = byte == b'(' || (in_brackets && byte != b')');
        byte == b',' && !in_brackets
    });
    end.unwrap_or(descriptors.len())
}

/// The reference of a refresh, `5; url=next.html` (<https://html.spec.whatwg.org/#attr-meta-http-equiv-refresh>).
pub(super) fn of_refresh(content: &str) -> Option<&str> {
    let content = content.trim_ascii_start();
    let seconds = content.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
    let behind = &content[seconds..];
    if seconds == 0 || !behind.starts_with(|c: char| c.is_ascii_whitespace() || matches!(c, ';' | ',')) {
        return None;
    }
    let behind = behind.trim_ascii_start();
    let rest = behind.strip_prefix([';', ',']).unwrap_or(behind).trim_ascii_start();
    let reference = behind_name(rest).unwrap_or(rest);
    let reference = match reference.as_bytes() {
        [quote @ (b'"' | b'\''), ..] => reference[1..].split(char::from(*quote)).next().unwrap_or_default(),
        _ => reference,
    };
    (!reference.trim_ascii().is_empty()).then_some(reference)
}

/// What follows `url =`.
fn behind_name(text: &str) -> Option<&str> {
    let is_named = text.get(..3)?.eq_ignore_ascii_case("url");
    let value = text[3..].trim_ascii_start().strip_prefix('=')?;
    is_named.then(|| value.trim_ascii_start())
}

/// The references of a style sheet: `url(…)` and `@import "…"`, as they stand in it. Escapes are not undone.
pub(super) fn of_style(sheet: &str) -> impl Iterator<Item = &str> {
    let bytes = sheet.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += memchr::memchr3(b'(', b'@', b'/', &bytes[at..])?;
            let (before, behind) = (&bytes[..at], &sheet[at + 1..]);
            at += 1;
            let found = match before.len().checked_sub(3) {
                _ if bytes[at - 1] == b'/' => {
                    at += comment_len(&bytes[at..]);
                    continue;
                }
                _ if bytes[at - 1] == b'@' => imported(behind),
                Some(name) if before[name..].eq_ignore_ascii_case(b"url") => in_brackets(behind),
                _ => None,
            };
            if let Some(reference) = found {
                at += reference.len();
                return Some(reference);
            }
        }
    })
}

/// The length of a comment behind its slash; 0 for a slash that starts none.
fn comment_len(behind: &[u8]) -> usize {
    let Some(body) = behind.strip_prefix(b"*") else { return 0 };
    memmem::find(body, b"*/").map_or(behind.len(), |end| end + 3)
}

/// The text in quotes behind `@import`; `@import url(…)` is found by its brackets.
fn imported(behind: &str) -> Option<&str> {
    let is_import = behind.get(..6)?.eq_ignore_ascii_case("import");
    let rest = behind[6..].trim_ascii_start();
    let quote = rest.chars().next().filter(|c| is_import && matches!(c, '"' | '\''))?;
    quoted(&rest[1..], quote)
}

fn in_brackets(behind: &str) -> Option<&str> {
    let rest = behind.trim_ascii_start();
    if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        return quoted(&rest[1..], quote);
    }
    let end = memchr::memchr3(b')', b'(', b'\n', rest.as_bytes())?;
    let reference = rest[..end].trim_ascii_end();
    (rest.as_bytes()[end] == b')' && !reference.is_empty()).then_some(reference)
}

/// Up to the quote, which has to be on the same line.
fn quoted(rest: &str, quote: char) -> Option<&str> {
    let end = memchr::memchr2(quote as u8, b'\n', rest.as_bytes())?;
    (end > 0 && rest.as_bytes()[end] == quote as u8).then(|| &rest[..end])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn candidates_of_a_srcset() {
        for (srcset, expected) in [
            ("", &[][..]),
            (" , ,, ", &[]),
            ("a 1x, b 2x", &["a", "b"]),
            ("a, b", &["a", "b"]),
            ("a,b 2x", &["a,b"]),
            ("/w_3,h_2/a.jpg 300w,\n /w_6,h_4/a.jpg 600w", &["/w_3,h_2/a.jpg", "/w_6,h_4/a.jpg"]),
            ("a (1x, 2x), b", &["a", "b"]),
        ] {
            assert_eq!(of_srcset(srcset).collect::<Vec<_>>(), expected, "{srcset}");
        }
    }

    #[test]
    fn targets_of_refreshes() {
        for (content, expected) in [
            ("", None),
            ("5", None),
            ("5;", None),
            ("5; url=a", Some("a")),
            (" 0;URL='a b'x", Some("a b")),
            ("0,url=\"a\"", Some("a")),
            ("0 url = a", Some("a")),
            ("0;a", Some("a")),
            (".5;url=a", Some("a")),
            ("5x;url=a", None),
            ("url=a", None),
            ("0;ürl=a", Some("ürl=a")),
        ] {
            assert_eq!(of_refresh(content), expected, "{content}");
        }
    }

    #[test]
    fn references_of_style_sheets() {
        for (sheet, expected) in [
            ("a { background: url(x.png) } b { src: URL( 'y z.woff' ) }", &["x.png", "y z.woff"][..]),
            ("@import 'a.css'; @import url(b.css); @IMPORT \"c.css\" screen;", &["a.css", "b.css", "c.css"]),
            ("/* url(no.png) */ url(\"yes.png\") /", &["yes.png"]),
            ("url() url('') url(\n url(a(b) calc(1 + 2) @media x { }", &[]),
            ("/* never ends url(x)", &[]),
            ("url(data:image/png;base64,AA/BB==)", &["data:image/png;base64,AA/BB=="]),
        ] {
            assert_eq!(of_style(sheet).collect::<Vec<_>>(), expected, "{sheet}");
        }
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "([a-z,;='\"()@/* é]|url|import|\n){0,40}") {
            of_srcset(&text).count();
            of_style(&text).count();
            of_refresh(&text);
        }
    }
}
