//! What a fetched page says to the crawler: its links, and its text in short.
//!
//! [`PageReader::read`] takes an exchange and gives [`PageFacts`]; [`NearDuplicates`] tells by them whether the crawl has
//! seen such a page before.

mod body;
mod html;
mod links;
mod manifest;
mod near;
mod recent_hashes;
mod sort;
#[cfg(test)]
mod tests;

use tamis_archive::http::HttpHead;
use tamis_near::NormalForm;
use tamis_page::charset::{Hints, decode_hinted};
use tamis_page::links::{Resolver, refresh, script, style};
use tamis_page::page::{Draft, charset_of};
use tamis_page::status::{Origin, Status};
use url::Url;

pub use body::Body;
pub use links::{Link, LinkText};
pub use near::{NearDuplicates, Verdict};
pub(crate) use recent_hashes::RecentHashes;
pub use sort::Sort;
pub use tamis_page::links::Kind;

use crate::Address;
use crate::focus::PageText;
use links::Links;

/// A response, as far as it says where to go next.
#[derive(Clone, Copy)]
pub struct Exchange<'a> {
    /// The address that was fetched.
    pub address: &'a Address,
    /// The head of the response.
    pub head: &'a HttpHead,
    /// Its body, decoded up to [`Options::most_bytes`].
    pub body: &'a Body<'a>,
}

impl Exchange<'_> {
    fn field(&self, name: &str) -> Option<&str> {
        self.head.fields().get(name).and_then(|value| std::str::from_utf8(value).ok())
    }

    fn status(&self) -> u16 {
        self.head.status().unwrap_or(0)
    }
}

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Also give what the page loads: images, scripts, style sheets, media.
    pub requisites: bool,
    /// Also give the texts in and around links.
    pub link_texts: bool,
    /// Also give the page's text as a model of an event judges it, of responses with status 200.
    pub page_text: bool,
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
    /// A hash of its visible text with all numbers; 0 without text.
    pub shown: u64,
    /// Its text for a model; only with [`Options::page_text`].
    pub page_text: Option<PageText>,
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
    /// Decodes the body of a response as far as [`PageReader::read`] needs it; at most `limit` bytes will be decoded in all.
    pub fn decode<'a>(&self, head: &HttpHead, raw_body: &'a [u8], limit: usize) -> Body<'a> {
        Body::decoded(head, raw_body, self.options.most_bytes, limit.max(self.options.most_bytes))
    }

    /// A reader that looks for these things.
    pub fn new(options: Options) -> Self {
        Self { options, form: NormalForm::default() }
    }

    /// Reads a page. Never fails: a body that is none says nothing. Linear in the size of the decoded body.
    pub fn read(&mut self, exchange: &Exchange<'_>) -> PageFacts {
        let options = self.options;
        let content_type = exchange.field("content-type");
        let body = exchange.body.bytes();
        let sort = match Sort::of(content_type, body) {
            Sort::Other if is_manifest(exchange.address) => Sort::Manifest,
            sort => sort,
        };
        let mut facts = PageFacts::new(sort, exchange.body.is_whole());
        let mut links = Links::new(options);
        let Ok(url) = Url::parse(exchange.address.as_str()) else { return facts };
        read_head(exchange, &url, &mut facts, &mut links);
        let is_loaded = matches!(sort, Sort::Style | Sort::Script | Sort::Manifest);
        if matches!(sort, Sort::Html | Sort::Plain) || is_loaded && options.requisites {
            let tld = exchange.address.host().rsplit('.').next();
            let hints = Hints { http_charset: content_type.and_then(charset_of), tld };
            let text = decode_hinted(body, hints).text;
            self.form.clear();
            let is_judged = options.page_text && exchange.status() == 200;
            match sort {
                Sort::Html => {
                    let draft = Draft::of_html(&text, Some(&url));
                    html::read(draft.tree(), &url, &mut self.form, &mut facts, &mut links);
                    facts.page_text = is_judged.then(|| page_text(&draft, content_type, &url));
                }
                Sort::Plain => {
                    self.form.push(&text);
                    facts.shown = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
                    facts.page_text = is_judged.then(|| PageText::of_plain(&text, url.as_str()));
                }
                Sort::Style => {
                    let found = style::references(&text).map(|reference| (style::kind(reference), reference));
                    of_loaded(found, url, &mut links);
                }
                Sort::Script => {
                    let found = script::imports(&text).into_iter();
                    let found = found.filter(|specifier| script::is_reference(specifier));
                    of_loaded(found.map(|specifier| (Kind::Script, specifier)), url, &mut links);
                }
                _ => {
                    let found = manifest::references(&text);
                    of_loaded(
                        found.iter().map(|reference| (Kind::Image, reference.as_str())),
                        url,
                        &mut links,
                    );
                }
            }
            facts.text = (!is_loaded).then(|| TextFacts::of(self.form.finish()));
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
            shown: 0,
            page_text: None,
            is_whole,
        }
    }
}

impl TextFacts {
    /// Of a text in normal form.
    fn of(form: &[u8]) -> Self {
        Self {
            simhash: tamis_near::simhash::simhash(form),
            exact: xxhash_rust::xxh3::xxh3_64(form),
            len_bytes: form.len(),
        }
    }
}

impl Default for Options {
    /// Links to pages only, of the first 16 MiB and 250,000 links: the longest lists of real sites have some ten thousand.
    fn default() -> Self {
        Self {
            requisites: false,
            link_texts: false,
            page_text: false,
            most_bytes: 16 << 20,
            most_links: 250_000,
        }
    }
}

/// The text of a page for a model. Bodies that are HTML only by their first bytes have none, as in rows.
fn page_text(draft: &Draft<'_>, content_type: Option<&str>, url: &Url) -> PageText {
    let status = Status::new(Some(200), content_type.unwrap_or("text/html"), true, Origin::Fetched);
    if status.is_sound() {
        PageText::of_draft(draft, url.as_str())
    } else {
        PageText::of_plain("", url.as_str())
    }
}

/// What the head says.
fn read_head(exchange: &Exchange<'_>, url: &Url, facts: &mut PageFacts, links: &mut Links) {
    let is_redirect = (300..400).contains(&exchange.status());
    let redirect = exchange.field("location").filter(|_| is_redirect);
    let refresh = exchange.field("refresh").and_then(refresh::reference);
    if redirect.is_some() || refresh.is_some() {
        let resolver = Resolver::new(Some(url.clone()));
        let mut room = String::new();
        for (kind, reference) in [(Kind::Redirect, redirect), (Kind::Refresh, refresh)] {
            if let Some(url) = reference.and_then(|reference| resolver.absolute(reference, &mut room)) {
                links.add(kind, url, false, LinkText::default);
            }
        }
    }
    // A directive with a colon is for the robot of that name.
    facts.nofollow =
        exchange.field("x-robots-tag").is_some_and(|tag| !tag.contains(':') && says_nofollow(tag));
}

/// Takes the references of what a page loads.
fn of_loaded<'t>(references: impl Iterator<Item = (Kind, &'t str)>, url: Url, links: &mut Links) {
    let resolver = Resolver::new(Some(url));
    let mut room = String::new();
    for (kind, reference) in references {
        if let Some(url) = resolver.absolute(reference, &mut room) {
            links.add(kind, url, false, LinkText::default);
        }
    }
}

/// Whether an address is that of a manifest: servers call it JSON.
fn is_manifest(address: &Address) -> bool {
    let path = address.path_and_query().split('?').next().unwrap_or_default();
    path.ends_with(".webmanifest") || path.ends_with("/manifest.json")
}

/// Whether directives to robots say that links are not to be followed.
fn says_nofollow(directives: &str) -> bool {
    let mut words = directives.split(|c: char| c == ',' || c.is_whitespace());
    words.any(|word| word.eq_ignore_ascii_case("nofollow") || word.eq_ignore_ascii_case("none"))
}
