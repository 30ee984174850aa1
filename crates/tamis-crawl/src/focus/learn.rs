//! Learning a model from pages about an event.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use tamis_text::date::Date;
use url::Url;

use super::background;
use super::dates::{self, Days};
use super::entities::{Entities, NameKind};
use super::model::{EventDate, Model, Name, Term};
use super::score::{Scorer, typical};
use super::text::PageText;
use super::words::{self, StopLists};

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

/// A page's terms with weights, of length 1.
pub(super) type Vector = HashMap<Box<str>, f64>;

/// Days around a peak that belong to it.
const PEAK_DAYS: u32 = 30;
/// How fast days count less for a peak.
const PEAK_SPREAD: f64 = 7.0;
const LEAST_SPREAD: f64 = 3.0;
/// Days of all pages that are looked at: the time goes with their square.
const MOST_DAYS: usize = 4_000;
/// A lesser peak than this share of the highest is chance.
const LEAST_PEAK: f64 = 0.4;
/// Pages about an event differ; a page counts as relevant from this share of the typical relevance of the model pages on.
const THRESHOLD_SHARE: f64 = 0.6;

impl Model {
    /// Learns an event from pages about it. More pages, and of more sources, make a better one; of none it knows nothing.
    ///
    /// Terms are the centroid of the pages (Rocchio), each weighted by its frequency in the page and its rarity in general. Names are those
    /// that recur, across sources where there are several. Days are the peaks of those that the pages name or were published on.
    pub fn learn(pages: &[PageText], entities: &dyn Entities, options: LearnOptions) -> Self {
        let pages: Vec<&PageText> = pages.iter().filter(|page| !page.is_empty()).collect();
        let vectors: Vec<Vector> = pages.iter().map(|page| vector(page)).collect();
        let mut model = Self {
            terms: terms(&vectors, options.terms),
            names: names(&pages, entities, options.names),
            dates: event_dates(&pages, options.dates),
            ..Self::default()
        };
        let named = name_terms(&model.names);
        let topics: Vec<Vector> = vectors.iter().map(|vector| without(vector, &named)).collect();
        if let Some(similarity) = typical(similarities(&topics, options.terms)) {
            model.similarity = similarity.clamp(0.05, 1.0);
            let scorer = Scorer::new(&model);
            let relevance = pages.iter().map(|page| scorer.score(page).total).collect();
            let share = typical(relevance).unwrap_or(1.0) * THRESHOLD_SHARE;
            model.threshold = (share * 100.0).round() / 100.0;
        }
        model
    }
}

/// The terms of a page, those of the title twice.
pub(super) fn vector(page: &PageText) -> Vector {
    let stop = StopLists::of(page.language.as_deref());
    let mut counts = words::count(&page.text, &stop);
    for (term, count) in words::count(&page.title, &stop) {
        *counts.entry(term).or_default() += count;
    }
    let weigh = |count: u32, term: &str| (1.0 + f64::from(count).ln()) * background::weight(term);
    let mut vector: Vector =
        counts.into_iter().map(|(term, count)| (weigh(count, &term), term)).map(|(w, t)| (t, w)).collect();
    let length = length(vector.values());
    if length > 0.0 {
        for weight in vector.values_mut() {
            *weight /= length;
        }
    }
    vector
}

/// The terms of names.
pub(super) fn name_terms(names: &[Name]) -> HashSet<Box<str>> {
    let mut terms = HashSet::new();
    for name in names {
        words::each(&name.name, |term| {
            terms.insert(term.into());
        });
    }
    terms
}

/// A vector without some terms, of length 1 again.
fn without(vector: &Vector, left_out: &HashSet<Box<str>>) -> Vector {
    let kept = vector.iter().filter(|(term, _)| !left_out.contains(*term));
    let mut kept: Vector = kept.map(|(term, weight)| (term.clone(), *weight)).collect();
    let length = length(kept.values());
    if length > 0.0 {
        for weight in kept.values_mut() {
            *weight /= length;
        }
    }
    kept
}

pub(super) fn length<'w>(weights: impl Iterator<Item = &'w f64>) -> f64 {
    // In order of size, so that the sum is the same whatever the order of the map.
    let mut squares: Vec<f64> = weights.map(|weight| weight * weight).collect();
    squares.sort_unstable_by(f64::total_cmp);
    squares.iter().sum::<f64>().sqrt()
}

/// The heaviest terms of the mean of vectors.
fn terms(vectors: &[Vector], most: usize) -> Vec<Term> {
    let mut sums: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    for (term, weight) in vectors.iter().flatten() {
        let (sum, pages) = sums.entry(term).or_default();
        *sum += weight;
        *pages += 1;
    }
    // What only one of many pages says is of the page, not of the event.
    let least_pages = if vectors.len() >= 3 { 2 } else { 1 };
    let kept = sums.into_iter().filter(|(_, (_, pages))| *pages >= least_pages);
    let kept = heaviest(kept.map(|(term, (sum, _))| (sum, term.to_owned())).collect(), most);
    kept.into_iter().map(|(weight, term)| Term { term, weight }).collect()
}

/// The similarity of each page to what the others make.
fn similarities(vectors: &[Vector], most: usize) -> Vec<f64> {
    let similarity = |left_out: usize| {
        let others: Vec<Vector> = vectors
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != left_out)
            .map(|(_, vector)| vector.clone())
            .collect();
        let terms = if others.is_empty() { terms(vectors, most) } else { terms(&others, most) };
        let length = length(terms.iter().map(|term| &term.weight));
        let shared =
            terms.iter().map(|term| term.weight * vectors[left_out].get(&*term.term).copied().unwrap_or(0.0));
        if length > 0.0 { (shared.sum::<f64>() / length).max(0.0) } else { 0.0 }
    };
    // A few tell what is typical.
    (0..vectors.len().min(40)).map(similarity).collect()
}

/// Names that recur: in several pages, and of several sources if there are.
fn names(pages: &[&PageText], entities: &dyn Entities, most: usize) -> Vec<Name> {
    let mut found: BTreeMap<String, Recurring> = BTreeMap::new();
    let host = |page: &PageText| {
        Url::parse(&page.url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
    };
    let hosts: Vec<String> = pages.iter().map(|page| host(page)).collect();
    for ((at, page), host) in pages.iter().enumerate().zip(&hosts) {
        entities.each(&format!("{}\n{}", page.title, page.text), &mut |name, kind| {
            let key = key(name);
            if !key.is_empty() {
                found.entry(key).or_default().add(name, kind, at, host);
            }
        });
    }
    let several_hosts = hosts.iter().collect::<BTreeSet<_>>().len() > 1;
    let recurs = |name: &Recurring| match pages.len() {
        1 => name.count > 1,
        _ => name.pages.len() > 1 && (!several_hosts || name.hosts.len() > 1),
    };
    let kept = found.into_values().filter(recurs).map(|name| (name.weight(pages.len()), name));
    let kept = heaviest(kept.map(|(weight, name)| (weight, name.spelt())).collect(), most);
    kept.into_iter().map(|(weight, (name, kind))| Name { name, kind, weight }).collect()
}

/// What is counted of a name.
#[derive(Debug, Default)]
struct Recurring {
    count: u32,
    pages: BTreeSet<usize>,
    hosts: BTreeSet<String>,
    spellings: BTreeMap<(String, NameKind), u32>,
}

impl Recurring {
    fn add(&mut self, name: &str, kind: NameKind, page: usize, host: &str) {
        self.count += 1;
        self.pages.insert(page);
        self.hosts.insert(host.to_owned());
        let spelt = name.split_whitespace().collect::<Vec<_>>().join(" ");
        *self.spellings.entry((spelt, kind)).or_default() += 1;
    }

    fn weight(&self, pages: usize) -> f64 {
        let rarity = self.spellings.keys().map(|(name, _)| rarity(name)).fold(0.0, f64::max);
        // Where an event was tells more than who spoke of it.
        let kind = if self.spellings.keys().any(|(_, kind)| *kind == NameKind::Place) { 1.0 } else { 0.8 };
        self.pages.len() as f64 / pages as f64 * (1.0 + f64::from(self.count).ln()) * rarity * kind
    }

    /// As most pages spell it.
    fn spelt(self) -> (String, NameKind) {
        let most = self.spellings.into_iter().max_by_key(|(_, count)| *count);
        most.map_or((String::new(), NameKind::Name), |(spelt, _)| spelt)
    }
}

/// The terms of a name, one space between.
pub(super) fn key(name: &str) -> String {
    let mut key = String::new();
    words::each(name, |term| {
        key.push_str(if key.is_empty() { "" } else { " " });
        key.push_str(term);
    });
    key
}

fn rarity(name: &str) -> f64 {
    let mut most: f64 = 0.0;
    words::each(name, |term| most = most.max(background::weight(term)));
    most
}

/// The heaviest items, with weights from 1 down, rounded as a file has them.
fn heaviest<T: Ord>(mut items: Vec<(f64, T)>, most: usize) -> Vec<(f64, T)> {
    items.sort_by(|(one, left), (other, right)| other.total_cmp(one).then_with(|| left.cmp(right)));
    items.truncate(most);
    let top = items.first().map_or(1.0, |(weight, _)| *weight);
    let scaled = items.into_iter().map(|(weight, item)| ((weight / top * 1000.0).round() / 1000.0, item));
    scaled.filter(|(weight, _)| *weight > 0.0).collect()
}

/// The peaks of the days that pages name.
fn event_dates(pages: &[&PageText], most: usize) -> Vec<EventDate> {
    let mut days: Vec<(i32, f64, usize)> = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        let named = page_days(page).into_iter().filter(|days| days.first == days.last);
        days.extend(named.map(|day| (day.first, 1.0, at)));
        days.extend(page.published.map(|date| (date.unix_days(), 2.0, at)));
    }
    days.truncate(MOST_DAYS);
    days.sort_by_key(|(day, ..)| *day);
    let least_pages = if pages.len() >= 3 { 2 } else { 1 };
    let mut peaks: Vec<(f64, EventDate)> = Vec::new();
    while peaks.len() < most {
        let Some((height, day)) = peak(&days) else { break };
        if height < peaks.first().map_or(0.0, |(top, _)| top * LEAST_PEAK) {
            break;
        }
        let (near, rest): (Vec<_>, Vec<_>) =
            days.into_iter().partition(|(other, ..)| other.abs_diff(day) <= PEAK_DAYS);
        days = rest;
        if near.iter().map(|(.., page)| page).collect::<BTreeSet<_>>().len() >= least_pages {
            peaks.extend(of_peak(&near, day).map(|date| (height, date)));
        }
    }
    let top = peaks.first().map_or(1.0, |(height, _)| *height);
    let weigh = |(height, date): (f64, EventDate)| EventDate {
        weight: (height / top * 1000.0).round() / 1000.0,
        ..date
    };
    peaks.into_iter().map(weigh).collect()
}

/// The day that most others are near, and how much they weigh.
fn peak(days: &[(i32, f64, usize)]) -> Option<(f64, i32)> {
    let nearness = |other: i32, day: i32| (-f64::from(other.abs_diff(day)) / PEAK_SPREAD).exp();
    let height =
        |day: i32| -> f64 { days.iter().map(|(other, weight, _)| weight * nearness(*other, day)).sum() };
    let heights = days.iter().map(|(day, ..)| (height(*day), *day));
    heights.max_by(|(one, early), (other, late)| one.total_cmp(other).then(late.cmp(early)))
}

fn of_peak(near: &[(i32, f64, usize)], day: i32) -> Option<EventDate> {
    let weight: f64 = near.iter().map(|(_, weight, _)| weight).sum();
    let off: f64 = near.iter().map(|(other, weight, _)| weight * f64::from(other.abs_diff(day))).sum();
    let spread_days = (off / weight).clamp(LEAST_SPREAD, f64::from(PEAK_DAYS)).round() as u32;
    Some(EventDate { day: Date::from_unix_days(day)?, spread_days, weight: 1.0 })
}

/// The days that a page names, in its text, its title and its address.
pub(super) fn page_days(page: &PageText) -> Vec<Days> {
    let mut found = dates::find(&page.text);
    found.extend(dates::find(&page.title));
    found.extend(dates::find(&page.url));
    found.sort_unstable();
    found.dedup();
    found
}
