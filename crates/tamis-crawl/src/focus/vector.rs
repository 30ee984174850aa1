//! The terms of pages as vectors.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::background;
use super::model::{Name, Term};
use super::text::PageText;
use super::words::{self, StopLists};

/// A page's terms with weights, of length 1.
pub(super) type Vector = HashMap<Box<str>, f64>;

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

/// The length of a vector.
pub(super) fn length<'w>(weights: impl Iterator<Item = &'w f64>) -> f64 {
    // In order of size, so that the sum is the same whatever the order of the map.
    let mut squares: Vec<f64> = weights.map(|weight| weight * weight).collect();
    squares.sort_unstable_by(f64::total_cmp);
    squares.iter().sum::<f64>().sqrt()
}

/// The heaviest terms of the mean of vectors.
pub(super) fn terms(vectors: &[&Vector], most: usize) -> Vec<Term> {
    let mut sums: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    for (term, weight) in vectors.iter().copied().flatten() {
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

/// The heaviest items, with weights from 1 down, rounded as a file has them.
pub(super) fn heaviest<T: Ord>(mut items: Vec<(f64, T)>, most: usize) -> Vec<(f64, T)> {
    items.sort_by(|(one, left), (other, right)| other.total_cmp(one).then_with(|| left.cmp(right)));
    items.truncate(most);
    let top = items.first().map_or(1.0, |(weight, _)| *weight);
    let scaled = items.into_iter().map(|(weight, item)| ((weight / top * 1000.0).round() / 1000.0, item));
    scaled.filter(|(weight, _)| *weight > 0.0).collect()
}
