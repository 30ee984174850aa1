//! A page as a model sees it: its text and its days.

use tamis_page::charset::{Hints, decode_hinted};
use tamis_page::date::Date;
use tamis_page::metadata::Search;
use tamis_page::page::{Capture, Draft, Options, charset_of, open};
use tamis_page::status::Origin;
use url::Url;

/// Main texts shorter than this are not all that a page says: it may be a list.
const SHORTEST_MAIN: usize = 400;
/// Bytes of a text that are looked at.
const MOST_BYTES: usize = 1 << 20;

/// The text of a page, and what it says of itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageText {
    /// Its title.
    pub title: String,
    /// Its text: the main one, or all that a reader sees where that is short.
    pub text: String,
    /// The language it says it is in.
    pub language: Option<String>,
    /// When it says it was published.
    pub published: Option<Date>,
    /// Its address.
    pub url: String,
}

impl PageText {
    /// A text without a page.
    pub fn of_text(text: &str) -> Self {
        Self { text: cut(text).to_owned(), ..Self::default() }
    }

    /// A page of plain text.
    pub(crate) fn of_plain(text: &str, url: &str) -> Self {
        Self { url: url.to_owned(), ..Self::of_text(text) }
    }

    /// Reads a page: HTML or plain text, without content codings. What is neither has no text.
    pub fn read(body: &[u8], content_type: Option<&str>, url: &str) -> Self {
        let is_plain =
            content_type.is_some_and(|kind| kind.trim_start().to_ascii_lowercase().starts_with("text/plain"));
        if is_plain {
            let body = &body[..body.len().min(MOST_BYTES)];
            let hints = Hints { http_charset: content_type.and_then(charset_of), tld: None };
            return Self::of_plain(&decode_hinted(body, hints).text, url);
        }
        let address = Url::parse(url).ok();
        let capture = Capture {
            bytes: body,
            content_type,
            http_status: Some(200),
            url: address.as_ref(),
            fetched: None,
            origin: Origin::Fetched,
        };
        let opened = open(&capture, Options::default());
        if !opened.is_page() {
            return Self::of_plain("", url);
        }
        Self::of_draft(&opened.parse(), url)
    }

    /// The text of a page that was parsed.
    pub(crate) fn of_draft(draft: &Draft<'_>, url: &str) -> Self {
        let content = draft.content(true);
        let metadata = draft.metadata(Search::Whole);
        let main = &content.main.text;
        let text = if main.len() < SHORTEST_MAIN { &content.full.text } else { main };
        Self {
            title: metadata.title.map(|title| title.value).unwrap_or_default(),
            text: cut(text).to_owned(),
            language: metadata.language.map(|language| language.value),
            published: metadata.published.map(|published| published.value.date),
            url: url.to_owned(),
        }
    }

    /// Whether there is anything to judge.
    pub fn is_empty(&self) -> bool {
        self.title.is_empty() && self.text.is_empty()
    }
}

fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(MOST_BYTES)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<html lang=en><head><title>Flood in Orvane</title><meta property='article:published_time' content='2023-03-14'></head>\
        <body><p>The river <a href='/dam?x=1#top'>broke the dam</a> at night.</p><a href='/dam?x=1'>more</a></body></html>";

    #[test]
    fn a_page_is_its_text_and_its_day() {
        let page = PageText::read(PAGE.as_bytes(), Some("text/html"), "http://x.org/a");
        assert_eq!((&*page.title, page.language.as_deref()), ("Flood in Orvane", Some("en")));
        assert_eq!(page.published, Date::new(2023, 3, 14));
        assert!(page.text.contains("The river broke the dam at night."), "{}", page.text);
    }

    #[test]
    fn what_is_no_page_says_nothing() {
        for (body, kind) in
            [(&b"\x89PNG\r\n"[..], Some("image/png")), (&b""[..], None), (&b"\0\0\0"[..], Some("text/html"))]
        {
            assert!(PageText::read(body, kind, "http://x.org/").text.trim().is_empty(), "{kind:?}");
        }
        assert_eq!(PageText::read(b"a text", Some("Text/Plain; charset=x"), "no url").text, "a text");
    }
}
