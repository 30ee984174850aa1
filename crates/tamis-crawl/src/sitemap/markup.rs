//! What tags say.

use std::borrow::Cow;

/// A tag, from what is between `<` and `>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    /// What is before the colon of its name.
    pub(super) prefix: &'a str,
    /// Its name without it.
    pub(super) name: &'a str,
    pub(super) is_end: bool,
    /// Whether it is an element without content.
    pub(super) is_empty: bool,
    attributes: &'a str,
}

impl<'a> Tag<'a> {
    pub(super) fn read(text: &'a str) -> Self {
        let (text, is_end) = text.strip_prefix('/').map_or((text, false), |rest| (rest, true));
        let (text, is_empty) = text.trim_end().strip_suffix('/').map_or((text, false), |rest| (rest, true));
        let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
        let (whole, attributes) = text.split_at(end);
        let (prefix, name) = whole.split_once(':').unwrap_or(("", whole));
        Self { prefix, name, is_end, is_empty, attributes }
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value of an attribute, as it is written.
    pub(super) fn attribute(&self, name: &str) -> Option<&'a str> {
        let mut rest = self.attributes;
        loop {
            let (key, behind) = rest.split_once('=')?;
            let (value, after) = value(behind.trim_start());
            if key.trim().eq_ignore_ascii_case(name) {
                return Some(value);
            }
            rest = after;
        }
    }
}

/// A value in quotes or without, and what is behind it.
fn value(text: &str) -> (&str, &str) {
    match text.as_bytes().first() {
        Some(&quote @ (b'"' | b'\'')) => text[1..].split_once(char::from(quote)).unwrap_or((&text[1..], "")),
        _ => text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((text, "")),
    }
}

/// Text with its character references read. Those without a semicolon are left where an address may have meant
/// something else: `?a=1&copy=2`.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    htmlize::unescape_attribute(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_their_attributes() {
        let tag = Tag::read("sit:link  rel = 'alternate' href=\"http://a/?b=1&amp;c=2\" x=y/");
        assert_eq!((tag.prefix, tag.name, tag.is_end, tag.is_empty), ("sit", "link", false, true));
        assert_eq!(tag.attribute("HREF"), Some("http://a/?b=1&amp;c=2"));
        assert_eq!(tag.attribute("rel"), Some("alternate"));
        assert_eq!(tag.attribute("x"), Some("y"));
        assert_eq!(tag.attribute("y"), None);
        assert!(Tag::read("/url ").is("URL") && Tag::read("/url").is_end);
        assert_eq!(Tag::read("a href='x").attribute("href"), Some("x"));
        for odd in ["", "/", ":", "=", "a =", "a ='"] {
            assert_eq!(Tag::read(odd).attribute("href"), None, "{odd}");
        }
    }

    #[test]
    fn references_are_read_as_in_attributes() {
        assert_eq!(unescape("a=1&amp;b=2&#38;c&#x26;d"), "a=1&b=2&c&d");
        assert_eq!(unescape("?a=1&copy=2"), "?a=1&copy=2");
    }
}
