//! How relevant a page is, and how much a link promises.

use std::collections::{BTreeMap, HashMap, HashSet};

use tamis_collection::relevance::Scores;

use super::dates::{self, Days};
use super::days::page_days;
use super::model::{EventDate, Model};
use super::names::key;
use super::text::PageText;
use super::vector::{Vector, length, name_terms, vector};
use super::{background, words};
use crate::page::LinkText;

/// How relevant a page is to an event. All from 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Relevance {
    /// Everything together: the similarity in terms, in proportion to that of a page about nothing else, less where names and days disagree.
    pub total: f64,
    /// The similarity in terms: the cosine in the vector space of the background.
    pub terms: f64,
    /// Which share of the heaviest names the page has.
    pub places: f64,
    /// How near its days are to those of the event; `None` if it names none.
    pub dates: Option<f64>,
}

/// What a page and a model have in common, part by part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said {
    /// The similarity in terms.
    pub(super) terms: f64,
    /// The same without those that stand in names.
    pub(super) topic: f64,
    /// The share of the heaviest names; none if the model has no names.
    pub(super) places: Option<f64>,
    /// How near the days are; none if the page or the model has none.
    pub(super) dates: Option<f64>,
}

/// Where the names of a text stand: how often, and how many words before the first.
#[derive(Debug, Clone, Copy)]
struct Met {
    count: u32,
    first: usize,
}

/// A model, ready to judge. Memory: that of the model.
#[derive(Debug, Clone)]
pub struct Scorer {
    model: Model,
    terms: HashMap<Box<str>, f64>,
    length: f64,
    /// The terms that stand in names: they say where it was, not what.
    named: HashSet<Box<str>>,
    /// The length of the terms without those.
    topic_length: f64,
    /// Names by their first terms: the others, and which of the model's it is.
    names: NamesByTerm,
    /// The weight of the heaviest names.
    enough_names: f64,
}

/// Names by their first terms: the others, and which of the model's it is.
type NamesByTerm = HashMap<Box<str>, Vec<(Vec<Box<str>>, usize)>>;

/// How much the similarity without names counts in the geometric mean of both.
const TOPIC: f64 = 1.0 / 3.0;
/// A page that has as much weight in names as this many of the heaviest has all there is to have.
const ENOUGH_NAMES: usize = 3;
/// A name counts in full if it stands among so many first words, or so often.
const EARLY_WORDS: usize = 150;
const OFTEN: u32 = 3;
/// Else for so much.
const IN_PASSING: f64 = 0.5;
/// Where the publication and the text name different days, the publication counts for so much.
const PUBLISHED: f64 = 0.6;
/// In a short text, weights of terms that make up for silence, and words without weight that take as much away again.
const SHORT_HALF: f64 = 0.5;
const SHORT_OTHERS: f64 = 0.06;
/// A day in an address counts like a term of this weight.
const DAY_IN_ADDRESS: f64 = 0.3;

impl Relevance {
    /// Its line in the log of relevance, with six digits.
    pub fn scores(&self, relevant: bool) -> Scores {
        let round = |value: f64| (value * 1e6).round() / 1e6;
        Scores {
            relevance: round(self.total),
            terms: round(self.terms),
            places: round(self.places),
            dates: self.dates.map(round),
            relevant,
        }
    }
}

impl Scorer {
    /// Makes a model ready.
    pub fn new(model: &Model) -> Self {
        let terms: HashMap<Box<str>, f64> =
            model.terms.iter().map(|term| (words::term(&term.term).into(), term.weight)).collect();
        let mut names: NamesByTerm = HashMap::new();
        for (at, name) in model.names.iter().enumerate() {
            let key = key(&name.name);
            let mut parts = key.split(' ').filter(|part| !part.is_empty()).map(Box::from);
            if let Some(first) = parts.next() {
                names.entry(first).or_default().push((parts.collect(), at));
            }
        }
        let mut weights: Vec<f64> = model.names.iter().map(|name| name.weight).collect();
        weights.sort_unstable_by(|one, other| other.total_cmp(one));
        let enough_names = weights.iter().take(ENOUGH_NAMES).sum();
        let in_names = name_terms(&model.names);
        let topic_length =
            length(terms.iter().filter(|(term, _)| !in_names.contains(*term)).map(|(_, weight)| weight));
        let length = length(terms.values());
        Self { terms, length, named: in_names, topic_length, names, enough_names, model: model.clone() }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Judges a page.
    pub fn score(&self, page: &PageText) -> Relevance {
        let said = self.said(page);
        let Said { terms, places, dates, .. } = said;
        Relevance { total: total(&self.model, &said), terms, places: places.unwrap_or(0.0), dates }
    }

    /// What a page and the model have in common.
    pub(super) fn said(&self, page: &PageText) -> Said {
        let vector = vector(page);
        Said {
            terms: self.similarity(&vector),
            topic: self.topic_similarity(&vector),
            places: self.named(&format!("{}\n{}", page.title, page.text)),
            dates: self.dated(page),
        }
    }

    /// Whether a page so relevant is relevant.
    pub fn is_relevant(&self, relevance: &Relevance) -> bool {
        relevance.total >= self.model.threshold
    }

    /// How much a link promises, from 0 to 1: one minus the product of what each part leaves open. `inherited` is what its page hands
    /// on, by [`handed_on`](Self::handed_on).
    pub fn hope(&self, link: &LinkText, address: &str, inherited: f64) -> f64 {
        let parts = &self.model.links;
        let spoken = [
            (parts.anchor, self.short(&link.anchor)),
            (parts.around, self.short(&link.around)),
            (parts.address, self.address(address)),
            (1.0, inherited),
        ];
        let left_open: f64 =
            spoken.iter().map(|(part, value)| 1.0 - (part * value).clamp(0.0, 1.0)).product();
        (1.0 - left_open).clamp(0.0, 1.0)
    }

    /// What a page hands on to its links: of a relevant one its relevance, of another a share of the hope that led to it. So hope falls with
    /// each step from the last relevant page, and a few irrelevant pages can be passed (the shark search of Hersovici et al., 1998).
    pub fn handed_on(&self, relevance: &Relevance, hope: f64) -> f64 {
        let parts = &self.model.links;
        if self.is_relevant(relevance) {
            parts.page * relevance.total
        } else {
            parts.tunnel * hope.min(parts.page)
        }
    }

    /// The cosine of a page's terms and the model's, both without those of names; with them if the model has no others.
    fn topic_similarity(&self, page: &Vector) -> f64 {
        if self.named.is_empty() || self.topic_length <= 0.0 {
            return self.similarity(page);
        }
        let of_page =
            length(page.iter().filter(|(term, _)| !self.named.contains(*term)).map(|(_, weight)| weight));
        if of_page <= 0.0 {
            return 0.0;
        }
        let topic = self.terms.iter().filter(|(term, _)| !self.named.contains(*term));
        let mut shared: Vec<f64> =
            topic.filter_map(|(term, weight)| Some(weight * page.get(term)?)).collect();
        shared.sort_unstable_by(f64::total_cmp);
        (shared.iter().sum::<f64>() / (self.topic_length * of_page) + 0.0).clamp(0.0, 1.0)
    }

    /// The cosine of a page's terms and the model's.
    fn similarity(&self, page: &Vector) -> f64 {
        if self.length <= 0.0 {
            return 0.0;
        }
        let mut shared: Vec<f64> =
            self.terms.iter().filter_map(|(term, weight)| Some(weight * page.get(term)?)).collect();
        shared.sort_unstable_by(f64::total_cmp);
        (shared.iter().sum::<f64>() / self.length + 0.0).clamp(0.0, 1.0)
    }

    /// Which share of the heaviest names a page has; none if the model has no names. What stands once, far down, counts for less: it is named in passing.
    fn named(&self, text: &str) -> Option<f64> {
        if self.enough_names <= 0.0 {
            return None;
        }
        let weigh = |(at, met): (usize, Met)| {
            let is_prominent = met.first < EARLY_WORDS || met.count >= OFTEN;
            self.model.names[at].weight * if is_prominent { 1.0 } else { IN_PASSING }
        };
        let weight: f64 = self.names_in(text).into_iter().map(weigh).sum();
        Some((weight / self.enough_names + 0.0).min(1.0))
    }

    /// The names in a text, by their numbers in the model.
    fn names_in(&self, text: &str) -> BTreeMap<usize, Met> {
        // Names that have begun: what is still to come of them.
        let mut open: Vec<(&[Box<str>], usize)> = Vec::new();
        let mut met: BTreeMap<usize, Met> = BTreeMap::new();
        let mut words = 0;
        words::each(text, |term| {
            let mut count = |at: usize| met.entry(at).or_insert(Met { count: 0, first: words }).count += 1;
            open.retain_mut(|(rest, at)| match rest.split_first() {
                Some((next, behind)) if **next == *term => {
                    *rest = behind;
                    if behind.is_empty() {
                        count(*at);
                    }
                    !behind.is_empty()
                }
                _ => false,
            });
            for (rest, at) in self.names.get(term).into_iter().flatten() {
                if rest.is_empty() {
                    count(*at);
                } else {
                    open.push((rest, *at));
                }
            }
            words += 1;
        });
        met
    }

    /// How near the days of a page are to those of the event; none if it or the model has none.
    fn dated(&self, page: &PageText) -> Option<f64> {
        if self.model.dates.is_empty() {
            return None;
        }
        let agreement = |days: Days| self.model.dates.iter().map(|date| near(days, date)).fold(0.0, f64::max);
        let named = page_days(page).into_iter().map(agreement).max_by(f64::total_cmp);
        let published = page.published.map(|date| agreement(Days::day(date)));
        match (published, named) {
            (Some(published), Some(named)) => {
                Some(PUBLISHED * published + (1.0 - PUBLISHED) * named.max(published))
            }
            (one, other) => one.or(other),
        }
    }

    /// How much a short text speaks of the event.
    fn short(&self, text: &str) -> f64 {
        if text.is_empty() {
            return 0.0;
        }
        let (mut spoken, mut others) = (0.0, 0.0);
        let mut met = HashSet::new();
        words::each(text, |term| match self.terms.get(term) {
            Some(weight) if met.insert(Box::<str>::from(term)) => spoken += weight,
            Some(_) => {}
            None => others += background::weight(term),
        });
        spoken += self.names_in(text).keys().map(|at| self.model.names[*at].weight).sum::<f64>();
        spoken / (spoken + SHORT_HALF + SHORT_OTHERS * others)
    }

    /// How much the words of an address, its path and query, speak of the event.
    fn address(&self, address: &str) -> f64 {
        let path = address.split_once("://").map_or(address, |(_, rest)| rest);
        let path = path.split_once('/').map_or("", |(_, path)| path);
        let spoken = self.short(path);
        let days = dates::find(path).into_iter();
        let day = days
            .flat_map(|days| self.model.dates.iter().map(move |date| near(days, date)))
            .fold(0.0, f64::max);
        1.0 - (1.0 - spoken) * (1.0 - DAY_IN_ADDRESS * day)
    }
}

impl Model {
    /// Judges one page; for many see [`Scorer`].
    pub fn score(&self, page: &PageText) -> Relevance {
        Scorer::new(self).score(page)
    }
}

impl Said {
    /// The similarity in terms, a mean of that in all and that without names. Without names it ranks real pages worse; with them alone, another matter in
    /// the same place would be similar, since names are rare words.
    pub(super) fn similarity(&self) -> f64 {
        self.terms.powf(1.0 - TOPIC) * self.topic.powf(TOPIC)
    }
}

/// The similarity in proportion to that of a page about nothing else; what disagrees in names and days takes away. Days that are not named say
/// nothing.
pub(super) fn total(model: &Model, said: &Said) -> f64 {
    let parts = &model.parts;
    let similarity = (said.similarity() / model.similarity.max(f64::MIN_POSITIVE)).min(1.0);
    let others = [(parts.places, said.places), (parts.dates, said.dates)];
    let others = others.into_iter().filter_map(|(part, value)| Some((part, value?)));
    let (whole, agreed) = others.fold((parts.terms, parts.terms), |(whole, agreed), (part, value)| {
        (whole + part, agreed + part * value)
    });
    if whole > 0.0 { (similarity * agreed / whole).clamp(0.0, 1.0) } else { 0.0 }
}

fn near(days: Days, date: &EventDate) -> f64 {
    let distance = f64::from(days.distance(date.day.unix_days()));
    date.weight * (-distance / f64::from(date.spread_days.max(1))).exp()
}
