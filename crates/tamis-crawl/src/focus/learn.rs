//! Learning a model from pages about an event.

use url::Url;

use super::calibrate::calibrate;
use super::dates::Days;
use super::days::{event_dates, page_days};
use super::entities::{Entities, NameKind};
use super::model::Model;
use super::names::names;
use super::text::PageText;
use super::vector::{Vector, terms, vector};

/// How much a model keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LearnOptions {
    /// The most terms.
    pub terms: usize,
    /// The most names.
    pub names: usize,
    /// The most days.
    pub dates: usize,
}

impl Default for LearnOptions {
    fn default() -> Self {
        Self { terms: 100, names: 20, dates: 4 }
    }
}

/// A page to learn from, and what was found in it.
pub(super) struct Seen<'p> {
    pub(super) page: &'p PageText,
    pub(super) vector: Vector,
    pub(super) names: Vec<(String, NameKind)>,
    pub(super) days: Vec<Days>,
    pub(super) host: String,
}

impl Model {
    /// Learns an event from pages about it. More pages, and of more sources, make a better one; of none it knows nothing.
    ///
    /// Terms are the centroid of the pages (Rocchio), each weighted by its frequency in the page, its rarity in general and how many pages share
    /// it. Names are those that recur, across sources where there are several. Days are the peaks of those that the pages name or were
    /// published on. What a page about the event is like is told by judging each page by a model of the others.
    pub fn learn(pages: &[PageText], entities: &dyn Entities, options: LearnOptions) -> Self {
        let pages = pages.iter().filter(|page| !page.is_empty());
        let seen: Vec<Seen<'_>> = pages.map(|page| Seen::of(page, entities)).collect();
        let all: Vec<&Seen<'_>> = seen.iter().collect();
        let mut model = Self::of_pages(&all, options);
        calibrate(&mut model, &all, options);
        model
    }

    /// What pages share, with the usual weights of its parts.
    pub(super) fn of_pages(pages: &[&Seen<'_>], options: LearnOptions) -> Self {
        let vectors: Vec<&Vector> = pages.iter().map(|page| &page.vector).collect();
        Self {
            terms: terms(&vectors, options.terms),
            names: names(pages, options.names),
            dates: event_dates(pages, options.dates),
            ..Self::default()
        }
    }
}

impl<'p> Seen<'p> {
    fn of(page: &'p PageText, entities: &dyn Entities) -> Self {
        let mut names = Vec::new();
        entities.each(&format!("{}\n{}", page.title, page.text), &mut |name, kind| {
            names.push((name.to_owned(), kind));
        });
        let host = Url::parse(&page.url).ok().and_then(|url| url.host_str().map(str::to_owned));
        Self { page, vector: vector(page), names, days: page_days(page), host: host.unwrap_or_default() }
    }
}
