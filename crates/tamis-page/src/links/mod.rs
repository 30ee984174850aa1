//! The links of a page: what it leads to, what it loads, and the URLs that stand in its text.
//!
//! One pass over the tree. Memory is linear in the page: texts around links are ranges of the page's visible text, which
//! is kept once, and URLs take [`MOST_URL_BYTES`] together at most.

mod plain;
mod position;
mod read;
pub mod refresh;
mod resolve;
pub mod script;
mod source;
pub mod srcset;
pub mod style;
#[cfg(test)]
mod tests;

pub use position::{Placed, Position};
pub use read::{read, read_wanted};
pub use resolve::Resolver;
pub use source::{Reference, Wanted, each_reference};

use crate::html::NodeId;
use position::InNode;

/// Characters of the visible text that [`Link::before`] and [`Link::after`] give at most.
pub const AROUND_CHARS: usize = 60;
/// All URLs of a page together; links beyond are counted in [`LeftOut::beyond`]. A page of 300,000 links takes a third.
pub const MOST_URL_BYTES: usize = 64 << 20;

/// What a link leads to, or loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `<a>` and `<area>`: for the reader to follow.
    Anchor,
    /// `<iframe>` and `<frame>`.
    Frame,
    /// The `Location` of an HTTP response. No element gives it.
    Redirect,
    /// `<meta http-equiv=refresh>`, or the HTTP field `Refresh`.
    Refresh,
    /// `<link rel=next>` and `prev`.
    Series,
    /// `<link rel=canonical>`.
    Canonical,
    /// `<link rel=alternate>`: other languages and formats, feeds.
    Alternate,
    /// `<link rel=sitemap>`.
    Sitemap,
    /// Any other `<link>` that loads nothing, and `cite`.
    Relation,
    /// Where a form is sent.
    Form,
    /// A URL in the visible text or the title, outside of any link.
    Text,
    /// `<img>`, `srcset`, posters, icons and backgrounds.
    Image,
    /// `<script>`, and `<link>` that loads one.
    Script,
    /// Style sheets.
    Style,
    /// `<video>`, `<audio>`, `<object>`, `<embed>` and their parts, and fonts.
    Media,
}

impl Kind {
    /// Its name in rows.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Anchor => "anchor",
            Kind::Frame => "frame",
            Kind::Redirect => "redirect",
            Kind::Refresh => "refresh",
            Kind::Series | Kind::Canonical | Kind::Alternate | Kind::Sitemap | Kind::Relation => "relation",
            Kind::Form => "form",
            Kind::Text => "text",
            Kind::Image => "image",
            Kind::Script => "script",
            Kind::Style => "style",
            Kind::Media => "media",
        }
    }

    /// Whether the page loads it, rather than leads to it.
    pub fn is_requisite(self) -> bool {
        self >= Kind::Image
    }
}

/// References of a page that are no links, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// `javascript:`
    pub script: u32,
    /// `mailto:`
    pub mail: u32,
    /// `data:`
    pub data: u32,
    /// `tel:`, `sms:` and `callto:`
    pub telephone: u32,
    /// Any other scheme that names nothing on the network.
    pub other: u32,
    /// No URL by the standard, or relative without a base.
    pub broken: u32,
    /// Links after [`MOST_URL_BYTES`] were full.
    pub beyond: u32,
}

/// The links of a page, in its order.
#[derive(Debug, Default)]
pub struct Links {
    records: Vec<Record>,
    /// URLs and `rel`s.
    pool: String,
    /// The visible text, each run of white space as one space.
    seen: String,
    /// Texts of links that are not in the visible text: of images, labels and hidden elements.
    aside: String,
    left_out: LeftOut,
    base: Option<String>,
}

/// A range of bytes in one of the texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Span {
    start: u32,
    end: u32,
}

/// Where in the page a link stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// In the head or title: in no text.
    Head,
    /// Kept from view.
    Hidden,
    Seen,
}

#[derive(Debug)]
struct Record {
    node: NodeId,
    /// One past the node's last descendant.
    end: NodeId,
    kind: Kind,
    standing: Standing,
    url: Span,
    rel: Span,
    /// The link's text in the visible text; where that is empty, still the place.
    place: Span,
    aside: Span,
    in_node: Option<Box<InNode>>,
}

/// One link.
#[derive(Clone, Copy, Debug)]
pub struct Link<'l> {
    links: &'l Links,
    record: &'l Record,
}

impl Links {
    /// How many links there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The links in the order of the page.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Link<'_>> {
        self.records.iter().map(|record| Link { links: self, record })
    }

    /// What was left out, by reason.
    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }

    /// The URL that references were relative to: the page's own, or that of its `<base>`.
    pub fn base(&self) -> Option<&str> {
        self.base.as_deref()
    }
}

impl<'l> Link<'l> {
    /// The absolute URL, without its fragment.
    pub fn url(&self) -> &'l str {
        self.record.url.of(&self.links.pool)
    }

    /// What it leads to.
    pub fn kind(&self) -> Kind {
        self.record.kind
    }

    /// The element, or for [`Kind::Text`] the text node.
    pub fn node(&self) -> NodeId {
        self.record.node
    }

    /// The text a reader would click on, each run of white space as one space: the element's own, else that of its
    /// images, else its label or title. An image's is its alternative text.
    pub fn anchor(&self) -> &'l str {
        match self.record.place.of(&self.links.seen) {
            "" => self.record.aside.of(&self.links.aside),
            text => text,
        }
    }

    /// The tokens of `rel`, in lower case, one space between.
    pub fn rel(&self) -> &'l str {
        self.record.rel.of(&self.links.pool)
    }

    /// Visible text before the link: whole words, [`AROUND_CHARS`] at most. Empty for links that are not in view.
    pub fn before(&self) -> &'l str {
        if self.record.standing != Standing::Seen {
            return "";
        }
        let text = self.links.seen[..self.record.place.start as usize].trim_end();
        let Some(cut) = last_chars(text, AROUND_CHARS) else { return text.trim_start() };
        let taken = &text[cut..];
        let cuts_word = !text[..cut].ends_with(' ') && cut > 0;
        let whole = if cuts_word { taken.find(' ').map_or(taken, |at| &taken[at..]) } else { taken };
        whole.trim_start()
    }

    /// Visible text behind the link, as [`Link::before`].
    pub fn after(&self) -> &'l str {
        if self.record.standing != Standing::Seen {
            return "";
        }
        let text = self.links.seen[self.record.place.end as usize..].trim_start();
        let Some(cut) = first_chars(text, AROUND_CHARS) else { return text.trim_end() };
        let taken = &text[..cut];
        let cuts_word = !text[cut..].starts_with(' ');
        let whole = if cuts_word { taken.rfind(' ').map_or(taken, |at| &taken[..at]) } else { taken };
        whole.trim_end()
    }
}

/// Where a text's first characters end, so many of them; none if it has no more.
fn first_chars(text: &str, count: usize) -> Option<usize> {
    let bytes = text.as_bytes().get(..count)?;
    if bytes.is_ascii() {
        return (text.len() > count).then_some(count);
    }
    text.char_indices().nth(count).map(|(at, _)| at)
}

/// Where a text's last characters start, so many of them; none if it has fewer.
fn last_chars(text: &str, count: usize) -> Option<usize> {
    let start = text.len().checked_sub(count)?;
    if text.as_bytes()[start..].is_ascii() {
        return Some(start);
    }
    text.char_indices().rev().nth(count - 1).map(|(at, _)| at)
}

impl Span {
    fn of(self, text: &str) -> &str {
        &text[self.start as usize..self.end as usize]
    }

    /// From here to the end of a text, without white space at the ends.
    fn trimmed(text: &str, from: u32) -> Span {
        let whole = &text[from as usize..];
        let inner = whole.trim_start();
        let start = from + (whole.len() - inner.len()) as u32;
        Span { start, end: start + inner.trim_end().len() as u32 }
    }
}
