//! What a page says of itself: title, authors, dates, owner, language.
//!
//! [`read`] goes over the page's nodes once, gathers every statement, and believes for each field the first rule of this
//! order that gives a plausible value:
//!
//! | field | order |
//! |---|---|

mod author;
mod class_hint;
mod date;
mod found;
mod json;
mod json_ld;
mod meta_name;
mod moment;
mod organization;
mod page_text;
mod scan;
mod signal;
mod title;

use url::Url;

pub use date::{Date, Moment, Precision, Time};
pub use found::{Found, Rule};

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

/// Reads what a page says of itself. `url` is the page's address; `fetched` the day it was fetched, which no date of the
/// page can be later than and from which "2 hours ago" counts.
pub fn read(tree: &Tree<'_>, url: Option<&Url>, fetched: Option<Date>) -> Metadata {
    let is_page = |address: &str| url.is_some_and(|url| same_address(url, address));
    let scan = Scan::of(tree, &is_page);
    let language = first(&scan, Field::Language, &[Rule::Lang, Rule::HttpEquiv, Rule::Meta, Rule::JsonLd, Rule::OpenGraph, Rule::DublinCore]);
    let site_name = first(&scan, Field::SiteName, &[Rule::OpenGraph, Rule::JsonLd, Rule::Meta]);
    let publisher = first(&scan, Field::Publisher, &[Rule::JsonLd, Rule::Meta, Rule::DublinCore, Rule::Citation, Rule::Microdata]);
    let mut site: Vec<String> = [&site_name, &publisher].into_iter().flatten().map(|name| title::letters(&name.value)).collect();
    for host in url.and_then(Url::host_str) {
        site.extend([host_name(host), title::letters(host.strip_prefix("www.").unwrap_or(host))]);
    }
    site.retain(|name| !name.is_empty());
    let heading = title::heading(tree, &scan, &site);
    let reader = reader(url, language.as_ref().map(|found| found.value.as_str()), fetched);
    let dates = Dates { tree, scan: &scan, url, heading, reader };
    Metadata {
        title: title::choose(tree, &scan, heading, &site),
        authors: author::choose(tree, &scan, heading, &site),
        published: dates.published(),
        modified: dates.modified(),
        language,
        site_name,
        publisher,
        ..Metadata::default()
    }
}

fn host_name(host: &str) -> String {
    let host = host.strip_prefix("www.").unwrap_or(host);
    let name = host.rsplit_once('.').map_or(host, |(name, _)| name);
    title::letters(name.rsplit('.').next().unwrap_or(name))
}

fn first(scan: &Scan<'_>, field: Field, order: &[Rule]) -> Option<Found<String>> {
    scan.of_field(field, order)
        .into_iter()
        .map(|signal| Found::new(title::squeezed(&signal.value), signal.rule))
        .find(|found| !found.value.is_empty())
}

fn reader(url: Option<&Url>, language: Option<&str>, fetched: Option<Date>) -> Reader {
    let date = |year, month, day| Date::new(year, month, day).expect("a day of the calendar");
    let tomorrow = |day: Date| Date::from_unix_days(day.unix_days() + 1);
    let language = language.unwrap_or("").to_ascii_lowercase();
    let country = url.and_then(Url::host_str).and_then(|host| host.rsplit('.').next()).unwrap_or("");
    let american = language.starts_with("en")
        && !matches!(language.get(3..), Some("gb" | "au" | "nz" | "ie" | "in" | "za"))
        && !matches!(country, "uk" | "au" | "nz" | "ie" | "in" | "za" | "eu");
    Reader {
        order: if american { Order::MonthFirst } else { Order::DayFirst },
        earliest: date(1995, 1, 1),
        latest: fetched.and_then(tomorrow).unwrap_or(date(2099, 12, 31)),
        fetched,
    }
}

/// Whether an address as written is the page's, but for scheme, `www.`, query and a slash at the end.
fn same_address(url: &Url, address: &str) -> bool {
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
    let end = tree.node(id).end;
    while next < end && text.len() <= most {
        let node = tree.node(next);
        if node.tag == Tag::Text {
            crate::html::push_words(&mut text, &tree.text(next));
        } else if next != id && node.tag.has(trait_bits::UNSEEN) {
            next = node.end;
            continue;
        } else if node.tag.has(trait_bits::BLOCK) || node.tag == Tag::Br {
            crate::html::push_words(&mut text, " ");
        }
        next += 1;
    }
    text.truncate(text.trim_end().len());
    text
}
