//! What a page says of itself: title, authors, dates, owner, language.
//!
//! [`read`] goes over the page's nodes once, gathers every statement, and believes for each field the first rule of this
//! order that gives a plausible value:
//!
//! | field | order |
//! |---|---|
//! | title | the heading most like `<title>`, if it is like what is stated; stated: `opengraph`, `json-ld`, `twitter`, `parsely`, `sailthru`, `citation`, `dublin-core`, `microdata`, `rdfa`, `meta`; the heading; `<title>`. The site's name is cut off and is never the title itself. |
//! | authors | `json-ld`, `parsely`, `sailthru`, `citation`, `opengraph`, `dublin-core`, `meta`, `microdata`, `rdfa`, `rel`, elements named after authors (`class`), a `byline` behind the heading; organisations in structured data; at last the site's own name or the name of an account. |
//! | published | a day in the address (`url`); `opengraph`, `parsely`, `sailthru`, `citation`, `meta`, `dublin-core`, `json-ld`, `microdata`, `rdfa`, `http-equiv`; `<time>` and elements named after dates nearest to the heading, those that speak of publishing first; a short text with a date near the heading; the modified time; other dates of the `text`; the day in the address of the `image`; a month in the address; the year of the `copyright`. |
//! | modified | `opengraph`, `json-ld`, `microdata`, `rdfa`, `meta`, `dublin-core`, `http-equiv`; elements whose class speaks of changes. |
//! | publisher | `json-ld`, `meta`, `dublin-core`, `citation`, `microdata`, `rdfa`. |
//! | site name | `opengraph`, `json-ld`, `meta`, what follows the heading's words in `<title>`. |
//! | organization | the holder in `json-ld`, the `copyright` line, `meta`, organisations in `json-ld`. |
//! | keywords | all of `meta`, `json-ld`, `opengraph`, `parsely`, `sailthru`, `dublin-core`, `citation`, `microdata`. |
//! | description | `meta`, `opengraph`, `json-ld`, `twitter`, `dublin-core`, `citation`, `sailthru`, `microdata`. |
//! | canonical | `rel`, `opengraph`, `parsely`, `twitter`. |
//! | language | `lang`, `http-equiv`, `json-ld`, `microdata`, `meta`, `dublin-core`, `citation`, `opengraph`. |
//! | image | `opengraph`, `json-ld`, `twitter`, `parsely`, `sailthru`, `meta`, `microdata`. |
//!
//! A day in the address comes before all else because it is in the time of the place; what machines write is often in
//! UTC, a day off. What stands in comments, side bars and lists of other pages is not the page's. A date is plausible
//! from 1995 to the day after the page was fetched.
//!
//! Memory: the statements, and JSON-LD as a tree of slices of the page, at most 200,000 values.

mod author;
mod class_hint;
mod date;
mod found;
mod json;
mod json_ld;
mod language;
mod meta_name;
mod moment;
mod organization;
mod page_text;
mod people;
mod scan;
mod signal;
mod title;

use url::Url;

pub use date::{Moment, Precision, Time};
pub use found::{Found, Rule};

pub use crate::date::Date;

use crate::html::{NodeId, Tag, Tree, trait_bits};
use date::{Order, Reader};
use moment::Dates;
use scan::Scan;
use signal::Field;

/// What a page says of itself, each value with the rule that found it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The title, without the site's name.
    pub title: Option<Found<String>>,
    /// The people who wrote it; an organisation where no person is named.
    pub authors: Vec<Found<String>>,
    /// Who published it.
    pub publisher: Option<Found<String>>,
    /// The name of the site.
    pub site_name: Option<Found<String>>,
    /// Who stands behind the site, by the copyright line or structured data.
    pub organization: Option<Found<String>>,
    /// When it was published.
    pub published: Option<Found<Moment>>,
    /// When it was last changed, as far as it says so.
    pub modified: Option<Found<Moment>>,
    /// Keywords and tags, each once.
    pub keywords: Vec<Found<String>>,
    /// A summary.
    pub description: Option<Found<String>>,
    /// The address the page wants to be known by, absolute.
    pub canonical: Option<Found<Url>>,
    /// The language it says it is in, as a BCP 47 tag.
    pub language: Option<Found<String>>,
    /// The address of its picture, absolute.
    pub image: Option<Found<Url>>,
}

/// How much of a page is searched for what it says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Its statements and headings: no authors, organisation and dates, which take most of the time.
    Stated,
    /// Names of classes and texts, too: everything.
    Whole,
}

const SITE_NAME: &[Rule] = &[Rule::OpenGraph, Rule::JsonLd, Rule::Meta];
const PUBLISHER: &[Rule] =
    &[Rule::JsonLd, Rule::Meta, Rule::DublinCore, Rule::Citation, Rule::Microdata, Rule::Rdfa];
const DESCRIPTION: &[Rule] = &[
    Rule::Meta,
    Rule::OpenGraph,
    Rule::JsonLd,
    Rule::Twitter,
    Rule::DublinCore,
    Rule::Citation,
    Rule::Sailthru,
    Rule::Microdata,
];
const KEYWORDS: &[Rule] = &[
    Rule::Meta,
    Rule::JsonLd,
    Rule::OpenGraph,
    Rule::Parsely,
    Rule::Sailthru,
    Rule::DublinCore,
    Rule::Citation,
    Rule::Microdata,
];
const CANONICAL: &[Rule] = &[Rule::Rel, Rule::OpenGraph, Rule::Parsely, Rule::Twitter];
const IMAGE: &[Rule] = &[
    Rule::OpenGraph,
    Rule::JsonLd,
    Rule::Twitter,
    Rule::Parsely,
    Rule::Sailthru,
    Rule::Meta,
    Rule::Microdata,
];
/// More keywords than this are a dictionary.
const MOST_KEYWORDS: usize = 100;
/// Bytes of an element's text that is a value.
const LONGEST_VALUE: usize = 1_000;

/// Nodes of an element whose text is a value.
const MOST_PARTS: NodeId = 2_000;

/// Reads what a page says of itself. `url` is the page's address; `fetched` the day it was fetched, which no date of the
/// page can be later than and from which "2 hours ago" counts.
pub fn read(tree: &Tree<'_>, url: Option<&Url>, fetched: Option<Date>, search: Search) -> Metadata {
    let scan = Scan::of(tree, &|address| url.is_some_and(|url| is_same_address(url, address)), search);
    let page = Page { tree, scan: &scan, url };
    let stated_site = page.first(Field::SiteName, SITE_NAME);
    let publisher = page.first(Field::Publisher, PUBLISHER);
    let site = page.site_names(&[&stated_site, &publisher]);
    let heading = title::heading(tree, &scan, &site);
    let stated = Metadata {
        title: title::choose(tree, &scan, heading, &site),
        keywords: page.keywords(),
        description: page.first(Field::Description, DESCRIPTION),
        canonical: page.address(Field::Canonical, CANONICAL),
        image: page.address(Field::Image, IMAGE),
        site_name: stated_site.or_else(|| title::site(tree, &scan, heading)),
        language: language::choose(&scan),
        publisher,
        ..Metadata::default()
    };
    if search == Search::Stated {
        return stated;
    }
    let reader = reader(url, stated.language.as_ref().map_or("", |found| &found.value), fetched);
    let dates = Dates { tree, scan: &scan, url, heading, reader };
    Metadata {
        authors: author::choose(tree, &scan, heading, &site),
        organization: organization::choose(tree, &scan),
        published: dates.published(),
        modified: dates.modified(),
        ..stated
    }
}

/// What every field is chosen from.
struct Page<'p, 'a> {
    tree: &'p Tree<'a>,
    scan: &'p Scan<'a>,
    url: Option<&'p Url>,
}

impl Page<'_, '_> {
    /// The first text of a field; addresses and handles are none.
    fn first(&self, field: Field, order: &[Rule]) -> Option<Found<String>> {
        self.scan.of_field(field, order).into_iter().find_map(|signal| {
            let text = if signal.value.is_empty() {
                node_text(self.tree, signal.node, LONGEST_VALUE)
            } else {
                title::squeezed(&signal.value)
            };
            let is_text = !text.is_empty() && !text.starts_with("http") && !text.starts_with('@');
            is_text.then(|| Found::new(text, signal.rule))
        })
    }

    fn keywords(&self) -> Vec<Found<String>> {
        let mut found: Vec<Found<String>> = Vec::new();
        for signal in self.scan.of_field(Field::Keywords, KEYWORDS) {
            for word in signal.value.split([',', ';', '\n']).map(title::squeezed) {
                let is_known = || found.iter().any(|other| other.value.to_lowercase() == word.to_lowercase());
                if word.is_empty() || word.len() > 100 || found.len() >= MOST_KEYWORDS || is_known() {
                    continue;
                }
                found.push(Found::new(word, signal.rule));
            }
        }
        found
    }

    /// The first address of a field, absolute.
    fn address(&self, field: Field, order: &[Rule]) -> Option<Found<Url>> {
        let base = match (&self.scan.base, self.url) {
            (Some(base), Some(url)) => url.join(base.trim()).ok(),
            (Some(base), None) => Url::parse(base.trim()).ok(),
            (None, url) => url.cloned(),
        };
        self.scan.of_field(field, order).into_iter().find_map(|signal| {
            let written = signal.value.trim();
            let url = match &base {
                Some(base) => base.join(written),
                None => Url::parse(written),
            };
            let url =
                url.ok().filter(|url| !written.is_empty() && matches!(url.scheme(), "http" | "https"))?;
            Some(Found::new(url, signal.rule))
        })
    }

    /// Letters of all names the site goes by.
    fn site_names(&self, stated: &[&Option<Found<String>>]) -> Vec<String> {
        let mut names: Vec<String> =
            stated.iter().copied().flatten().map(|name| title::letters(&name.value)).collect();
        if let Some(host) = self.url.and_then(Url::host_str) {
            let host = host.strip_prefix("www.").unwrap_or(host);
            let site = host.rsplit_once('.').map_or(host, |(name, _)| name);
            names.extend([title::letters(host), title::letters(site.rsplit('.').next().unwrap_or(site))]);
        }
        names.retain(|name| !name.is_empty());
        names
    }
}

/// Reads dates as pages of this language and country write them.
fn reader(url: Option<&Url>, language: &str, fetched: Option<Date>) -> Reader {
    let country = url.and_then(Url::host_str).and_then(|host| host.rsplit('.').next()).unwrap_or("");
    let is_american = language.starts_with("en")
        && !matches!(language.get(3..), Some("GB" | "AU" | "NZ" | "IE" | "IN" | "ZA"))
        && !matches!(country, "uk" | "au" | "nz" | "ie" | "in" | "za" | "eu");
    let last = Date::new(2099, 12, 31).expect("a day of the calendar");
    let tomorrow = fetched.and_then(|day| Date::from_unix_days(day.unix_days() + 1));
    Reader {
        order: if is_american { Order::MonthFirst } else { Order::DayFirst },
        earliest: Date::new(1995, 1, 1).expect("a day of the calendar"),
        latest: tomorrow.unwrap_or(last),
        fetched,
    }
}

/// Whether an address as written is the page's, but for scheme, `www.`, query and a slash at the end.
fn is_same_address(url: &Url, address: &str) -> bool {
    let bare = |address: &str| {
        let address = address.split(['?', '#']).next().unwrap_or(address);
        let address = address.split_once("://").map_or(address, |(_, rest)| rest);
        address.strip_prefix("www.").unwrap_or(address).trim_end_matches('/').to_ascii_lowercase()
    };
    bare(url.as_str()) == bare(address)
}

/// The text of an element, its white space squeezed, as far as `most` bytes and a little more.
fn node_text(tree: &Tree<'_>, id: NodeId, most: usize) -> String {
    let mut text = String::new();
    let mut next = id;
    let end = tree.node(id).end.min(id.saturating_add(MOST_PARTS));
    while next < end && text.len() <= most {
        let node = tree.node(next);
        if node.tag == Tag::Text {
            let words = tree.text(next);
            crate::html::push_words(&mut text, &words[..words.floor_char_boundary(2 * most)]);
        } else if next != id && node.tag.has(trait_bits::UNSEEN) {
            next = node.end;
            continue;
        } else if node.tag.has(trait_bits::BLOCK) || node.tag == Tag::Br {
            crate::html::push_space(&mut text);
        }
        next += 1;
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests;
