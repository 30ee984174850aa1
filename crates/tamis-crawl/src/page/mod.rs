//! What a fetched page says to the crawler: its links, and its text in short.
//!
//! [`PageReader::read`] takes an exchange and gives [`PageFacts`]; [`NearDuplicates`] tells by them whether the crawl has
//! seen such a page before.

mod body;
mod html;
mod links;
mod near;
mod references;
mod resolve;
mod sort;
#[cfg(test)]
mod tests;

use tamis_order::NormalForm;
use tamis_text::charset::{Hints, decode_hinted};
use tamis_text::links::refresh;

pub(crate) use body::decoded;
pub use links::{Kind, Link};
pub use near::{NearDuplicates, Verdict};
pub use sort::Sort;

use crate::Address;
use links::Links;
use resolve::Resolver;

/// A response, as far as it says where to go next.
pub struct Exchange<'a, F> {
    /// The address that was fetched.
    pub address: &'a Address,
    /// The status.
    pub status: u16,
    /// The first value of a field of the head, by its name in small letters.
    pub field: F,
    /// The body, without transfer coding; content codings may be left.
    pub body: &'a [u8],
}

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Also give what the page loads: images, scripts, style sheets, media.
    pub requisites: bool,
    /// Also give the texts of links.
    pub anchors: bool,
    /// Bytes of a decoded body that are read.
    pub most_bytes: usize,
    /// Links of a page that are kept.
    pub most_links: usize,
}

/// What a page says to the crawler.
#[derive(Debug)]
pub struct PageFacts {
    /// What sort of document it is.
    pub sort: Sort,
    /// Where it leads: each address once, without fragments, in the order of the page.
    pub links: Vec<Link>,
    /// Links beyond [`Options::most_links`].
    pub links_left_out: usize,
    /// Directives to robots that stand in the page, as written: names that hold `robot` or `bot`, and contents.
    pub robots: Vec<(Box<str>, Box<str>)>,
    /// Whether a directive to all robots, in head or page, says that no link is to be followed.
    pub nofollow: bool,
    /// The address that the page says it should have.
    pub canonical: Option<Address>,
    /// Its visible text in short; none if it is no page of HTML or plain text.
    pub text: Option<TextFacts>,
    /// Whether the body was read to its end.
    pub is_whole: bool,
}

/// A page's visible text in short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextFacts {
    /// The `SimHash` of its normal form.
    pub simhash: u64,
    /// A hash of its normal form (XXH3, 64 bits).
    pub exact: u64,
    /// Bytes of its normal form.
    pub len_bytes: usize,
}

/// Reads pages, one after the other. Memory: some ten times the largest body read.
#[derive(Debug, Default)]
pub struct PageReader {
    options: Options,
    form: NormalForm,
}

impl PageReader {
    /// A reader that looks for these things.
    pub fn new(options: Options) -> Self {
        Self { options, form: NormalForm::default() }
    }

    /// Reads a page. Never fails: a body that is none says nothing. Linear in the size of the decoded body.
    pub fn read<'f>(&mut self, exchange: &Exchange<'_, impl Fn(&str) -> Option<&'f str>>) -> PageFacts {
        let options = self.options;
        let field = &exchange.field;
        let content_type = field("content-type");
        let (body, is_whole) = body::decoded(exchange.body, field("content-encoding"), options.most_bytes);
        let sort = Sort::of(content_type, &body);
        let mut facts = PageFacts::new(sort, is_whole);
        let mut links = Links::new(options);
        read_head(exchange, &mut facts, &mut links);
        if matches!(sort, Sort::Html | Sort::Plain | Sort::Style) {
            let tld = exchange.address.host().rsplit('.').next();
            let hints = Hints { http_charset: content_type.and_then(charset), tld };
            let text = decode_hinted(&body, hints).text;
            self.form.clear();
            match sort {
                Sort::Html => html::read(&text, exchange.address, &mut self.form, &mut facts, &mut links),
                Sort::Plain => self.form.push(&text),
                _ => style(&text, exchange.address, &mut links),
            }
            facts.text = (sort != Sort::Style).then(|| TextFacts::of(self.form.finish()));
        }
        links.give(&mut facts);
        facts
    }

    /// The normal form of the last page's visible text: words in small letters, without numbers and dates.
    pub fn normal_form(&self) -> &[u8] {
        self.form.text()
    }
}

impl PageFacts {
    fn new(sort: Sort, is_whole: bool) -> Self {
        Self {
            sort,
            links: Vec::new(),
            links_left_out: 0,
            robots: Vec::new(),
            nofollow: false,
            canonical: None,
            text: None,
            is_whole,
        }
    }
}

impl TextFacts {
    /// Of a text in normal form.
    fn of(form: &[u8]) -> Self {
        Self {
            simhash: tamis_order::simhash::simhash(form),
            exact: xxhash_rust::xxh3::xxh3_64(form),
            len_bytes: form.len(),
        }
    }
}

impl Default for Options {
    /// Links to pages only, of the first 10 MiB and 20,000 links.
    fn default() -> Self {
        Self { requisites: false, anchors: false, most_bytes: 10 << 20, most_links: 20_000 }
    }
}

/// What the head says.
fn read_head<'f>(
    exchange: &Exchange<'_, impl Fn(&str) -> Option<&'f str>>,
    facts: &mut PageFacts,
    links: &mut Links,
) {
    let field = &exchange.field;
    let redirect = (300..400).contains(&exchange.status).then(|| field("location")).flatten();
    let refresh = field("refresh").and_then(refresh::reference);
    if (redirect.is_some() || refresh.is_some())
        && let Some(resolver) = Resolver::new(exchange.address, None)
    {
        let mut add = |kind, reference: Option<&str>| {
            links.add(kind, reference.and_then(|reference| resolver.resolve(reference)), false, None);
        };
        add(Kind::Redirect, redirect);
        add(Kind::Refresh, refresh);
    }
    // A directive with a colon is for the robot of that name.
    facts.nofollow = field("x-robots-tag").is_some_and(|tag| !tag.contains(':') && says_nofollow(tag));
}

/// The references of a style sheet.
fn style(sheet: &str, address: &Address, links: &mut Links) {
    let Some(resolver) = Resolver::new(address, None).filter(|_| links.wants(Kind::Image)) else { return };
    for reference in references::of_style(sheet) {
        links.add(Kind::in_style(reference), resolver.resolve(reference), false, None);
    }
}

/// Whether directives to robots say that links are not to be followed.
fn says_nofollow(directives: &str) -> bool {
    let mut words = directives.split(|c: char| c == ',' || c.is_whitespace());
    words.any(|word| word.eq_ignore_ascii_case("nofollow") || word.eq_ignore_ascii_case("none"))
}

/// The `charset` of a `Content-Type`.
fn charset(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then_some(value)
    })
}
