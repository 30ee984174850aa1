//! References in style sheets.

use memchr::memmem;

use super::Kind;

/// The references of a style sheet, as written: `url(…)`, `@import "…"`, and texts in `image-set(…)`. Escapes are not decoded.
pub fn references(sheet: &str) -> impl Iterator<Item = &str> {
    let bytes = sheet.as_bytes();
    let (mut at, mut sets) = (0, 0_u32);
    std::iter::from_fn(move || {
        loop {
            if sets > 0 {
                at += bytes[at..]
                    .iter()
                    .position(|byte| matches!(byte, b'(' | b')' | b'"' | b'\'' | b'/' | b'}'))?;
            } else {
                at += memchr::memchr3(b'(', b'@', b'/', &bytes[at..])?;
            }
            let (before, behind) = (&bytes[..at], &sheet[at + 1..]);
            at += 1;
            let found = match bytes[at - 1] {
                b'/' => {
                    at += comment_len(&bytes[at..]);
                    continue;
                }
                b'@' => imported(behind),
                b')' => {
                    sets -= 1;
                    None
                }
                // Brackets that were never closed end with the rule.
                b'}' => {
                    sets = 0;
                    None
                }
                quote @ (b'"' | b'\'') => quoted(behind, char::from(quote)),
                _ if ends_with(before, b"url") => in_brackets(behind),
                _ if ends_with(before, b"type") && sets > 0 => {
                    at += memchr::memchr(b')', &bytes[at..]).map_or(0, |end| end + 1);
                    continue;
                }
                _ => {
                    sets += u32::from(sets > 0 || ends_with(before, b"image-set"));
                    None
                }
            };
            if let Some(reference) = found {
                at += skipped(&sheet[at..], reference);
                return Some(reference);
            }
        }
    })
}

/// How much of a text ends with what was found in it, with the quote and bracket behind it.
fn skipped(text: &str, reference: &str) -> usize {
    let start = reference.as_ptr() as usize - text.as_ptr() as usize;
    let end = start + reference.len();
    let rest = &text.as_bytes()[end..];
    let quote = usize::from(matches!(rest.first(), Some(b'"' | b'\'')));
    let is_in_brackets = start > 0 || quote == 0;
    let bracket = rest[quote..].trim_ascii_start();
    if is_in_brackets && bracket.first() == Some(&b')') {
        return end + rest.len() - bracket.len() + 1;
    }
    end + quote
}

fn ends_with(before: &[u8], name: &[u8]) -> bool {
    before.len().checked_sub(name.len()).is_some_and(|start| before[start..].eq_ignore_ascii_case(name))
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
            (
                "a{background:image-set('a.png' 1x, url(b.png) 2x, \"c.avif\" type('image/avif') 3x)} b{content:'no'}",
                &["a.png", "b.png", "c.avif"],
            ),
            (
                "a{b:-webkit-image-set(url('a.png') 1x, url( \"b.png\" ) 2x)} 'no' c{d:url(c)}",
                &["a.png", "b.png", "c"],
            ),
            ("a{b:image-set('a' 1x} c{content:'no';d:url(e)}", &["a", "e"]),
            (
                "@font-face{src:local('no'),url(a.woff2) format('no')} @import url('b.css') screen;",
                &["a.woff2", "b.css"],
            ),
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
