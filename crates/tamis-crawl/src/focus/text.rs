//! A page as a model sees it: its text, its days, and the words around its links.

use std::collections::HashMap;

use tamis_text::charset::{Hints, decode_hinted};
use tamis_text::date::Date;
use tamis_text::metadata::Search;
use tamis_text::page::{Capture, Draft, Options, open};
use tamis_text::status::Origin;
use url::Url;

/// Main texts shorter than this are not all that a page says: it may be a list.
const SHORTEST_MAIN: usize = 400;
/// Bytes of a text that are looked at.
const MOST_BYTES: usize = 1 << 20;
/// Links whose surroundings are looked at.
const MOST_LINKS: usize = 5_000;

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

/// What stands in and around a link.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkText {
    /// The text to click on.
    pub anchor: String,
    /// The text before and behind it.
    pub around: String,
}

/// The links of a page by their addresses.
pub type LinkTexts = HashMap<Box<str>, LinkText>;

impl PageText {
    /// A text without a page.
    pub fn of_text(text: &str) -> Self {
        Self { text: cut(text).to_owned(), ..Self::default() }
    }

    /// Reads a page: HTML or plain text, without content codings. What is neither says nothing.
    pub fn read(body: &[u8], content_type: Option<&str>, url: &str) -> Self {
        Self::read_with_links(body, content_type, url, false).0
    }

    /// Reads a page and, if they are wanted, what stands around its links.
    pub fn read_with_links(
        body: &[u8],
        content_type: Option<&str>,
        url: &str,
        wants_links: bool,
    ) -> (Self, LinkTexts) {
        let is_plain =
            content_type.is_some_and(|kind| kind.trim_start().to_ascii_lowercase().starts_with("text/plain"));
        if is_plain {
            let body = &body[..body.len().min(MOST_BYTES)];
            let text = decode_hinted(body, Hints { http_charset: None, tld: None }).text;
            return (Self { url: url.to_owned(), ..Self::of_text(&text) }, LinkTexts::new());
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
            return (Self { url: url.to_owned(), ..Self::default() }, LinkTexts::new());
        }
        let draft = opened.parse();
        let links = if wants_links { link_texts(&draft) } else { LinkTexts::new() };
        (Self::of_draft(&draft, url), links)
    }

    fn of_draft(draft: &Draft<'_>, url: &str) -> Self {
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

fn link_texts(draft: &Draft<'_>) -> LinkTexts {
    let mut texts = LinkTexts::new();
    for link in draft.links().iter().take(MOST_LINKS) {
        let text: &mut LinkText = texts.entry(link.url().into()).or_default();
        // The first that says something: later ones are seldom more than "read on".
        if text.anchor.is_empty() {
            link.anchor().clone_into(&mut text.anchor);
            text.around = format!("{} {}", link.before(), link.after());
        }
    }
    texts
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
    fn a_page_is_its_text_its_day_and_its_links() {
        let (page, links) =
            PageText::read_with_links(PAGE.as_bytes(), Some("text/html"), "http://x.org/a", true);
        assert_eq!((&*page.title, page.language.as_deref()), ("Flood in Orvane", Some("en")));
        assert_eq!(page.published, Date::new(2023, 3, 14));
        assert!(page.text.contains("The river broke the dam at night."), "{}", page.text);
        let link = &links["http://x.org/dam?x=1"];
        assert_eq!(link.anchor, "broke the dam");
        assert!(link.around.contains("The river") && link.around.contains("at night"), "{link:?}");
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
