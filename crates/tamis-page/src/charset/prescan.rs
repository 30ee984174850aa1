//! The encoding that a page declares in its own first bytes.
//!
//! After the [prescan][] of the HTML standard, over four times as many bytes: old pages have scripts and comments above
//! their `<meta>`. Comments, other tags and their attributes are stepped over, so that a `<meta>` inside them counts for
//! nothing.
//!
//! [prescan]: https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memmem};

use super::label::encoding_for;
use super::{Declared, Rule};

/// How far into a page a declaration is looked for.
const REACH: usize = 4096;

/// The first `<meta>` that names an encoding.
pub(super) fn meta(bytes: &[u8]) -> Option<Declared> {
    Scan { bytes: &bytes[..bytes.len().min(REACH)], at: 0 }.meta()
}

/// The encoding of the XML declaration that starts the page.
pub(super) fn xml(bytes: &[u8]) -> Option<Declared> {
    let bytes = bytes.trim_ascii_start();
    let head = bytes[..bytes.len().min(REACH)].strip_prefix(b"<?xml")?;
    let head = &head[..memchr(b'>', head)?];
    let after = head[memmem::find(head, b"encoding")? + 8..].trim_ascii_start();
    let (quote, value) = after.strip_prefix(b"=")?.trim_ascii_start().split_first()?;
    let end = matches!(quote, b'"' | b'\'').then(|| memchr(*quote, value))??;
    declared(&value[..end], Rule::Xml)
}

/// A label within a page: it could be read as ASCII, so it cannot mean UTF-16.
fn declared(label: &[u8], rule: Rule) -> Option<Declared> {
    let label = String::from_utf8_lossy(label).trim().to_owned();
    let encoding = encoding_for(&label).map(readable_as_ascii)?;
    Some(Declared { label, encoding, rule })
}

fn readable_as_ascii(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// A place in the first bytes of a page.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// The attributes of one `<meta>`, as far as they say something of encodings.
#[derive(Default)]
struct MetaTag {
    charset: Option<Vec<u8>>,
    content: Option<Vec<u8>>,
    is_content_type: bool,
}

impl MetaTag {
    /// The first attribute of a name counts.
    fn note(&mut self, name: &[u8], value: Vec<u8>) {
        match name {
            b"charset" if self.charset.is_none() => self.charset = Some(value),
            b"content" if self.content.is_none() => self.content = Some(value),
            b"http-equiv" => self.is_content_type |= value.trim_ascii() == b"content-type",
            _ => {}
        }
    }

    fn declared(&self) -> Option<Declared> {
        let by_attribute = self.charset.as_deref().and_then(|label| declared(label, Rule::Meta));
        by_attribute.or_else(|| {
            let content = self.content.as_deref().filter(|_| self.is_content_type)?;
            declared(charset_in(content)?, Rule::Meta)
        })
    }
}

/// The label in the likes of `text/html; charset=utf-8`.
fn charset_in(content: &[u8]) -> Option<&[u8]> {
    memmem::find_iter(content, b"charset").find_map(|found| {
        let value = content[found + 7..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
        match value.first()? {
            quote @ (b'"' | b'\'') => memchr(*quote, &value[1..]).map(|end| &value[1..=end]),
            _ => value.split(|&byte| byte == b';' || byte.is_ascii_whitespace()).next(),
        }
    })
}

impl Scan<'_> {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.at.min(self.bytes.len())..]
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Moves behind the next `needle`, or says that there is none.
    fn skip_past(&mut self, needle: &[u8]) -> Option<()> {
        self.at += memmem::find(self.rest(), needle)? + needle.len();
        Some(())
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
    }

    fn meta(mut self) -> Option<Declared> {
        loop {
            self.at += memchr(b'<', self.rest())?;
            let rest = self.rest();
            if rest.starts_with(b"<!--") {
                // `<!-->` is a whole comment: the end may share its dashes with the start.
                self.at += 2;
                self.skip_past(b"-->")?;
            } else if is_meta(rest) {
                self.at += 5;
                if let Some(declared) = self.attributes().declared() {
                    return Some(declared);
                }
            } else if is_tag(rest) {
                self.skip_while(|byte| !byte.is_ascii_whitespace() && byte != b'>');
                self.attributes();
            } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
                self.skip_past(b">")?;
            } else {
                self.at += 1;
            }
        }
    }

    /// The attributes up to the end of a tag.
    fn attributes(&mut self) -> MetaTag {
        let mut tag = MetaTag::default();
        while let Some((name, value)) = self.attribute() {
            tag.note(&name, value);
        }
        tag
    }

    /// "Get an attribute" of the standard; names and values in lower case.
    fn attribute(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        self.skip_while(|byte| byte.is_ascii_whitespace() || byte == b'/');
        if self.peek()? == b'>' {
            return None;
        }
        let start = self.at;
        // A `=` that stands first belongs to the name.
        self.at += 1;
        self.skip_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'=' | b'/' | b'>'));
        let name = self.bytes[start..self.at].to_ascii_lowercase();
        self.skip_while(|byte| byte.is_ascii_whitespace());
        if self.peek() != Some(b'=') {
            return Some((name, Vec::new()));
        }
        self.at += 1;
        self.skip_while(|byte| byte.is_ascii_whitespace());
        Some((name, self.value()?))
    }

    /// None where the bytes end within quotes: half a value says nothing.
    fn value(&mut self) -> Option<Vec<u8>> {
        let quote = self.peek()?;
        let start = self.at;
        if !matches!(quote, b'"' | b'\'') {
            self.skip_while(|byte| !byte.is_ascii_whitespace() && byte != b'>');
            return Some(self.bytes[start..self.at].to_ascii_lowercase());
        }
        self.at += 1;
        let Some(length) = memchr(quote, self.rest()) else {
            self.at = self.bytes.len();
            return None;
        };
        self.at += length + 1;
        Some(self.bytes[start + 1..self.at - 1].to_ascii_lowercase())
    }
}

fn is_meta(rest: &[u8]) -> bool {
    rest.len() > 5
        && rest[..5].eq_ignore_ascii_case(b"<meta")
        && (rest[5].is_ascii_whitespace() || rest[5] == b'/')
}

fn is_tag(rest: &[u8]) -> bool {
    let name = rest.get(1..).unwrap_or_default();
    name.strip_prefix(b"/").unwrap_or(name).first().is_some_and(u8::is_ascii_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(declared: Option<Declared>) -> Option<&'static str> {
        declared.map(|declared| declared.encoding.name())
    }

    #[test]
    fn a_meta_in_all_its_spellings() {
        for page in [
            "<meta charset=gbk>",
            "<META CharSet = 'GBK' />",
            "<meta/charset=\"gb2312\">",
            "<!DOCTYPE html><html><head><meta name=a content=b><meta charset=gbk>",
            "<meta http-equiv=Content-Type content='text/html; charset=gbk'>",
            "<meta content=\"text/html;charset = 'gb2312'\" http-equiv=\"content-type\">",
            "<meta content='charset; charset=gbk;x' http-equiv=' Content-Type '>",
            "<meta charset=gbk charset=utf-8>",
            "<!--><meta charset=gbk>-->",
            "<!-- <meta charset=utf-8> --><meta charset=gbk>",
            "<a title='<meta charset=utf-8>'><meta charset=gbk>",
            "</p <meta charset=utf-8><? <meta charset=utf-8><!x <meta charset=utf-8><meta charset=gbk>",
            "<meta charset=nonsense><meta charset=gbk>",
            "a < b <meta charset=gbk>",
        ] {
            assert_eq!(name(meta(page.as_bytes())), Some("GBK"), "{page}");
        }
    }

    #[test]
    fn what_declares_nothing() {
        for page in [
            "",
            "<",
            "<meta",
            "<meta ",
            "<meta charset",
            "<meta charset=",
            "<meta charset='gbk",
            "<metacharset=gbk>",
            "<meta content='text/html; charset=gbk'>",
            "<meta http-equiv=refresh content='0; charset=gbk'>",
            "<!-- <meta charset=gbk>",
            "<meta http-equiv=content-type content='text/html; charset'>",
        ] {
            assert_eq!(meta(page.as_bytes()), None, "{page}");
        }
    }

    #[test]
    fn ascii_that_says_utf_16_is_utf_8() {
        assert_eq!(name(meta(b"<meta charset=utf-16>")), Some("UTF-8"));
        assert_eq!(name(meta(b"<meta charset=utf-16be>")), Some("UTF-8"));
        assert_eq!(name(meta(b"<meta charset=x-user-defined>")), Some("windows-1252"));
    }

    #[test]
    fn a_meta_is_found_past_a_kilobyte_but_not_anywhere() {
        let page = |filler: usize| format!("<!--{}--><meta charset=gbk>", "x".repeat(filler));
        assert_eq!(name(meta(page(2000).as_bytes())), Some("GBK"));
        assert_eq!(name(meta(page(5000).as_bytes())), None);
    }

    #[test]
    fn xml_declarations() {
        for (page, expected) in [
            ("<?xml version=\"1.0\" encoding=\"koi8-r\"?>", Some("KOI8-R")),
            ("\n<?xml encoding = 'koi8-r' ?>", Some("KOI8-R")),
            ("<?xml version='1.0'?><a encoding='koi8-r'>", None),
            ("<?xml encoding=koi8-r?>", None),
            ("<?xml encoding='koi8-r?>", None),
            ("<?xml", None),
            ("<a encoding='koi8-r'>", None),
        ] {
            assert_eq!(name(xml(page.as_bytes())), expected, "{page}");
        }
    }
}
