//! What an event is to a crawl: weighted terms, names and days.

use tamis_page::date::Date;

use super::entities::NameKind;

/// A model of an event. It is learnt by [`Model::learn`], kept in a file that a person can edit, and asked through a
/// [`Scorer`](super::Scorer).
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// From which relevance on a page counts as relevant.
    pub threshold: f64,
    /// The similarity in terms of a page that is about the event and nothing else: less is taken in proportion to it, more counts like it.
    pub similarity: f64,
    /// How much the parts of relevance count.
    pub parts: Parts,
    /// How much the parts of a link's hope count.
    pub links: LinkParts,
    /// The terms, heaviest first.
    pub terms: Vec<Term>,
    /// Names of places, people and organisations, heaviest first.
    pub names: Vec<Name>,
    /// Days, heaviest first.
    pub dates: Vec<EventDate>,
}

/// How much the parts of a page's relevance count, in proportion to each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parts {
    /// The similarity in terms.
    pub terms: f64,
    /// The agreement in names.
    pub places: f64,
    /// The agreement in days.
    pub dates: f64,
}

/// How much each part of a link speaks for it, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkParts {
    /// Its own text.
    pub anchor: f64,
    /// The text around it.
    pub around: f64,
    /// The words of its address.
    pub address: f64,
    /// The relevance of its page.
    pub page: f64,
    /// Which share of the hope that led to an irrelevant page its links take over: how far to tunnel.
    pub tunnel: f64,
    /// How much the importance of sources counts: 0 not at all, 1 as far as it is known.
    pub sources: f64,
}

/// A weighted term: a word in small letters, without plural.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// The term.
    pub term: String,
    /// Its weight; the heaviest has 1.
    pub weight: f64,
}

/// A weighted name.
#[derive(Debug, Clone, PartialEq)]
pub struct Name {
    /// As pages write it.
    pub name: String,
    /// Of what.
    pub kind: NameKind,
    /// Its weight; the heaviest has 1.
    pub weight: f64,
}

/// A day of the event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EventDate {
    /// The day.
    pub day: Date,
    /// So many days from it the agreement has fallen to a third.
    pub spread_days: u32,
    /// Its weight; the heaviest has 1.
    pub weight: f64,
}

impl Default for Model {
    /// A model that knows nothing yet.
    fn default() -> Self {
        Self {
            threshold: 0.4,
            similarity: 0.4,
            parts: Parts::default(),
            links: LinkParts::default(),
            terms: Vec::new(),
            names: Vec::new(),
            dates: Vec::new(),
        }
    }
}

impl Default for Parts {
    fn default() -> Self {
        Self { terms: 0.4, places: 0.35, dates: 0.25 }
    }
}

impl Default for LinkParts {
    fn default() -> Self {
        Self { anchor: 0.8, around: 0.3, address: 0.5, page: 0.5, tunnel: 0.5, sources: 1.0 }
    }
}
