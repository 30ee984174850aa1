//! References in style sheets.

use memchr::memmem;

use super::Kind;

/// The references of a style sheet, as written: `url(…)` and `@import "…"`. Escapes are not decoded.
pub fn references(sheet: &str) -> impl Iterator<Item = &str> {
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

/// What a reference of a style sheet loads, by its file extension.
pub fn kind(reference: &str) -> Kind {
    let path = reference.split(['?', '#']).next().unwrap_or_default();
    let extension = path.rsplit('.').next().unwrap_or_default();
    let is = |names: &[&str]| names.iter().any(|name| extension.eq_ignore_ascii_case(name));
    match () {
        () if is(&["css"]) => Kind::Style,
        () if is(&["woff", "woff2", "ttf", "otf", "eot"]) => Kind::Media,
        () => Kind::Image,
    }
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
    fn references_of_style_sheets() {
        for (sheet, expected) in [
            ("a { background: url(x.png) } b { src: URL( 'y z.woff' ) }", &["x.png", "y z.woff"][..]),
            ("@import 'a.css'; @import url(b.css); @IMPORT \"c.css\" screen;", &["a.css", "b.css", "c.css"]),
            ("/* url(no.png) */ url(\"yes.png\") /", &["yes.png"]),
            ("url() url('') url(\n url(a(b) calc(1 + 2) @media x { }", &[]),
            ("/* never ends url(x)", &[]),
            ("url(data:image/png;base64,AA/BB==)", &["data:image/png;base64,AA/BB=="]),
        ] {
            assert_eq!(references(sheet).collect::<Vec<_>>(), expected, "{sheet}");
        }
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "([a-z,;='\"()@/* é]|url|import|\n){0,40}") {
            references(&text).count();
        }
    }
}
