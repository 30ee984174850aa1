//! Markup into tokens: tags with attributes, characters. Nothing is copied; every token is a span of the page.
//!
//! The rules are those of HTML's tokenisation (<https://html.spec.whatwg.org/#tokenization>), told by where a token ends
//! rather than state by state: whatever the bytes, each call moves forward, so the whole is linear.

use memchr::{memchr, memchr_iter, memchr3, memmem};

use super::attribute::{Attribute, Name};
use super::raw;
use super::tag::Tag;

/// Attributes of one tag beyond these are passed over: no page has them, and memory stays bounded.
const MOST_ATTRIBUTES: usize = 512;
/// Attributes of one page, some 160 MB of memory.
const MOST_IN_PAGE: usize = 4_000_000;

/// A piece of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// `<name …>`; its attributes were put in the caller's list.
    Start { tag: Tag, name: &'a str, self_closing: bool },
    /// `</name>`
    End { tag: Tag, name: &'a str },
    /// Characters between tags, with character references as they stand. Plain ones have neither references nor NULs.
    Text { raw: &'a str, is_plain: bool },
}

/// Splits a page into [`Token`]s; comments, doctypes and processing instructions are passed over.
pub(crate) struct Tokenizer<'a> {
    page: &'a str,
    at: usize,
}

impl<'a> Tokenizer<'a> {
    pub(crate) fn new(page: &'a str) -> Self {
        Tokenizer { page, at: 0 }
    }

    /// The next token. Attributes of a start tag are added to `attributes`.
    pub(crate) fn next(&mut self, attributes: &mut Vec<Attribute<'a>>) -> Option<Token<'a>> {
        loop {
            let rest = self.bytes();
            match rest {
                [] => return None,
                [b'<', b'a'..=b'z' | b'A'..=b'Z', ..] => return self.start_tag(attributes),
                [b'<', b'/', b'a'..=b'z' | b'A'..=b'Z', ..] => return self.end_tag(),
                [b'<', b'/', b'>', ..] => self.at += 3,
                [b'<', b'!', b'-', b'-', ..] => self.comment(),
                [b'<', b'!' | b'?', ..] | [b'<', b'/', _, ..] => {
                    self.at += past(memchr(b'>', rest), 1, rest.len());
                }
                _ => return Some(self.text()),
            }
        }
    }

    /// Everything up to the end tag of a raw text element, which is left for the next call.
    pub(crate) fn raw_text(&mut self, tag: Tag) -> &'a str {
        let rest = self.bytes();
        let length = match tag {
            Tag::Plaintext => rest.len(),
            Tag::Script => raw::script_end(rest),
            _ => raw::end_tag_at(rest, tag.name().as_bytes()),
        };
        self.take(length)
    }

    /// The content of a CDATA section in foreign content, if one starts here.
    pub(crate) fn cdata(&mut self) -> Option<&'a str> {
        let inner = self.bytes().strip_prefix(b"<![CDATA[")?;
        let length = memmem::find(inner, b"]]>").unwrap_or(inner.len());
        self.at += b"<![CDATA[".len();
        let text = self.take(length);
        self.at = (self.at + 3).min(self.page.len());
        Some(text)
    }

    fn bytes(&self) -> &'a [u8] {
        &self.page.as_bytes()[self.at..]
    }

    /// The next `length` bytes; both ends are beside ASCII characters or the page's end.
    fn take(&mut self, length: usize) -> &'a str {
        let span = &self.page[self.at..self.at + length];
        self.at += length;
        span
    }

    /// Characters up to the next `<` that starts markup.
    fn text(&mut self) -> Token<'a> {
        let rest = self.bytes();
        let mut is_plain = !matches!(rest, [b'&' | 0, ..]);
        let mut end = 1;
        while let Some(found) = next_of_text(&rest[end..], is_plain) {
            end += found;
            if starts_markup(&rest[end..]) {
                return Token::Text { raw: self.take(end), is_plain };
            }
            is_plain &= rest[end] == b'<';
            end += 1;
        }
        Token::Text { raw: self.take(rest.len()), is_plain }
    }

    fn comment(&mut self) {
        let body = &self.bytes()[4..];
        let length = if body.starts_with(b">") {
            1
        } else if body.starts_with(b"->") {
            2
        } else {
            comment_end(body)
        };
        self.at += 4 + length;
    }

    fn start_tag(&mut self, attributes: &mut Vec<Attribute<'a>>) -> Option<Token<'a>> {
        self.at += 1;
        let name = self.tag_name();
        let mut self_closing = false;
        let first = attributes.len();
        loop {
            self.skip_space();
            match self.bytes() {
                [] => {
                    attributes.truncate(first);
                    return None;
                }
                [b'>', ..] => {
                    self.at += 1;
                    return Some(Token::Start { tag: Tag::of(name.as_bytes()), name, self_closing });
                }
                [b'/', ..] => {
                    self.at += 1;
                    self_closing = self.bytes().first() == Some(&b'>');
                }
                _ => {
                    let attribute = self.attribute();
                    if attributes.len() - first < MOST_ATTRIBUTES && attributes.len() < MOST_IN_PAGE {
                        attributes.push(attribute);
                    }
                }
            }
        }
    }

    fn end_tag(&mut self) -> Option<Token<'a>> {
        self.at += 2;
        let name = self.tag_name();
        loop {
            self.skip_space();
            match self.bytes() {
                [] => return None,
                [b'>', ..] => break,
                [b'/', ..] => self.at += 1,
                _ => _ = self.attribute(),
            }
        }
        self.at += 1;
        Some(Token::End { tag: Tag::of(name.as_bytes()), name })
    }

    fn tag_name(&mut self) -> &'a str {
        let rest = self.bytes();
        let length = rest.iter().position(|&b| is(b, ENDS_TAG_NAME));
        self.take(length.unwrap_or(rest.len()))
    }

    fn skip_space(&mut self) {
        let rest = self.bytes();
        self.at += rest.iter().position(|&b| !is_space(b)).unwrap_or(rest.len());
    }

    /// Name and value; called where neither space, `/` nor `>` stands.
    fn attribute(&mut self) -> Attribute<'a> {
        let rest = self.bytes();
        let length = rest[1..].iter().position(|&b| is(b, ENDS_ATTRIBUTE_NAME));
        let end = length.map_or(rest.len(), |length| length + 1);
        let written = self.take(ceil_char(self.page, self.at, end));
        self.skip_space();
        let raw = if self.bytes().first() == Some(&b'=') {
            self.at += 1;
            self.skip_space();
            self.attribute_value()
        } else {
            ""
        };
        Attribute { name: Name::of(written.as_bytes()), written, raw }
    }

    fn attribute_value(&mut self) -> &'a str {
        let rest = self.bytes();
        if let Some(&quote @ (b'"' | b'\'')) = rest.first() {
            self.at += 1;
            let length = memchr(quote, &rest[1..]);
            let value = self.take(length.unwrap_or(rest.len() - 1));
            self.at = (self.at + 1).min(self.page.len());
            return value;
        }
        let length = rest.iter().position(|&b| is(b, ENDS_VALUE));
        self.take(length.unwrap_or(rest.len()))
    }
}

/// White space as HTML counts it.
pub(crate) fn is_space(byte: u8) -> bool {
    is(byte, SPACE)
}

const SPACE: u8 = 1;
const ENDS_TAG_NAME: u8 = 1 << 1;
const ENDS_ATTRIBUTE_NAME: u8 = 1 << 2;
const ENDS_VALUE: u8 = 1 << 3;

/// What a byte is, in one look: names and values are gone through byte by byte.
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let ends = ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME;
    let spaces = [b' ', b'\t', b'\n', b'\r', 0x0C];
    let mut at = 0;
    while at < spaces.len() {
        classes[spaces[at] as usize] = SPACE | ends | ENDS_VALUE;
        at += 1;
    }
    classes[b'/' as usize] = ends;
    classes[b'>' as usize] = ends | ENDS_VALUE;
    classes[b'=' as usize] = ENDS_ATTRIBUTE_NAME;
    classes
};

fn is(byte: u8, class: u8) -> bool {
    CLASSES[usize::from(byte)] & class != 0
}

/// Where text may end or, as long as it is plain, may stop to be so: one search for both.
fn next_of_text(rest: &[u8], is_plain: bool) -> Option<usize> {
    if is_plain { memchr3(b'<', b'&', 0, rest) } else { memchr(b'<', rest) }
}

/// A `<` that is no text.
fn starts_markup(rest: &[u8]) -> bool {
    matches!(rest, [b'<', b'a'..=b'z' | b'A'..=b'Z' | b'!' | b'?', ..] | [b'<', b'/', _, ..])
}

/// Behind what was found, or the end.
fn past(found: Option<usize>, length: usize, end: usize) -> usize {
    found.map_or(end, |at| at + length)
}

/// An attribute's name may start with a character of several bytes: its end must be one of a character's.
fn ceil_char(page: &str, at: usize, length: usize) -> usize {
    let mut length = length;
    while !page.is_char_boundary(at + length) {
        length += 1;
    }
    length
}

/// Length up to and with `-->` or `--!>`.
fn comment_end(body: &[u8]) -> usize {
    let ends = |&at: &usize| body[..at].ends_with(b"--") || body[..at].ends_with(b"--!");
    memchr_iter(b'>', body).find(ends).map_or(body.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(page: &str) -> String {
        let mut tokenizer = Tokenizer::new(page);
        let mut attributes = Vec::new();
        let mut shown = Vec::new();
        while let Some(token) = tokenizer.next(&mut attributes) {
            shown.push(match token {
                Token::Start { name, self_closing, .. } => {
                    let mut tag = name.to_owned();
                    for attribute in attributes.drain(..) {
                        tag.extend([" ", attribute.written, "=", attribute.raw]);
                    }
                    format!("<{tag}{}>", if self_closing { "/" } else { "" })
                }
                Token::End { name, .. } => format!("</{name}>"),
                Token::Text { raw, .. } => format!("'{raw}'"),
            });
        }
        shown.join(" ")
    }

    #[test]
    fn tags_attributes_and_text() {
        for (page, tokens) in [
            ("", ""),
            ("a<b>c</b>d", "'a' <b> 'c' </b> 'd'"),
            ("<a href=x title='y z' data-q=\"1>2\" hidden>", "<a href=x title=y z data-q=1>2 hidden=>"),
            ("<br/><img src=a/>", "<br/> <img src=a/>"),
            ("<a\n  href = x\t>", "<a href=x>"),
            ("<a =b c==d>", "<a =b= c==d>"),
            ("<a b='1'c=\"2\">", "<a b=1 c=2>"),
            ("<div ü=1>ä", "<div ü=1> 'ä'"),
            ("</a href=x></>x", "</a> 'x'"),
            ("1 < 2 <3 a<", "'1 < 2 <3 a<'"),
            ("<", "'<'"),
            ("a</", "'a</'"),
            ("a<!", "'a'"),
            ("a<?", "'a'"),
            ("a<!-- <b> -->c<!---->d<!-->e<!--->f<!-- x --!>g", "'a' 'c' 'd' 'e' 'f' 'g'"),
            ("<!DOCTYPE html><?xml x?><![CDATA[a]]>b</ c>d", "'b' 'd'"),
            ("a<!-- b", "'a'"),
            ("a<b c='d>e", "'a'"),
            ("a</b", "'a'"),
        ] {
            assert_eq!(shown(page), tokens, "{page}");
        }
    }

    #[test]
    fn raw_text_ends_at_its_own_end_tag() {
        for (rest, text) in [
            ("a</b></script>", "a</b>"),
            ("a</SCRIPT >", "a"),
            ("a</scripty></script/>", "a</scripty>"),
            ("a</script", "a</script"),
            ("a</scrip", "a</scrip"),
            ("'<!-- <script>'</script> --></script>", "'<!-- <script>'</script> -->"),
            ("<!--></script>", "<!-->"),
            ("<!-- </script>", "<!-- "),
            ("<!-- <script </script> </script>", "<!-- <script </script> "),
        ] {
            assert_eq!(Tokenizer::new(rest).raw_text(Tag::Script), text, "{rest}");
        }
    }
}
