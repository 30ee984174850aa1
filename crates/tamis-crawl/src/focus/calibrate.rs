//! What a page about the event is like: each model page is judged by a model of the others.
//!
//! A page is like the model that was learnt from it, whatever it is about; how like it is to a model of the others says what to expect of pages that nobody has
//! seen. Names and days get a say as far as the pages agree in them: an epidemic has no place, and a trial goes on for years.

use super::learn::{LearnOptions, Seen};
use super::model::{Model, Parts};
use super::score::{Said, Scorer, total};

/// Pages that are left out in turn: a few tell what is typical.
const MOST_PAGES: usize = 40;
/// A page counts as relevant from this share of the mean relevance of the model pages on; of a single page, which is judged by itself, from less.
const THRESHOLD_SHARE: f64 = 0.75;
const THRESHOLD_OF_ONE: f64 = 0.4;
/// The more names and days count beside terms, the more there is for a page to differ in, and the less keep others away: the share is less by so much where they are all.
const SLACK: f64 = 0.15;

/// How far a part is trusted: not at all where the typical model page agrees in it for less than `from`, as far as `most` (the weight of terms is 1) from `to` on.
struct Trust {
    from: f64,
    to: f64,
    most: f64,
}

const PLACES: Trust = Trust { from: 0.2, to: 0.7, most: 1.5 };
const DATES: Trust = Trust { from: 0.1, to: 0.5, most: 0.75 };

impl Trust {
    fn weight(&self, typical: f64) -> f64 {
        self.most * ((typical - self.from) / (self.to - self.from)).clamp(0.0, 1.0)
    }
}

/// Sets the scale of similarity, the weights of the parts and the threshold.
pub(super) fn calibrate(model: &mut Model, pages: &[&Seen<'_>], options: LearnOptions) {
    let said = said_by_others(model, pages, options);
    if said.is_empty() {
        return;
    }
    let most = said.iter().map(Said::similarity).fold(0.0, f64::max);
    model.similarity = rounded(most).clamp(0.05, 1.0);
    let places = PLACES.weight(median(said.iter().map(|said| said.places.unwrap_or(0.0)).collect()));
    let dates = DATES.weight(median(said.iter().filter_map(|said| said.dates).collect()));
    let whole = 1.0 + places + dates;
    model.parts =
        Parts { terms: rounded(1.0 / whole), places: rounded(places / whole), dates: rounded(dates / whole) };
    let share = if pages.len() == 1 { THRESHOLD_OF_ONE } else { THRESHOLD_SHARE };
    let mean = said.iter().map(|said| total(model, said)).sum::<f64>() / said.len() as f64;
    let share = share - SLACK * (1.0 - model.parts.terms);
    model.threshold = rounded(share * mean);
}

/// What is said of each page by a model of the others; of a single one by its own.
fn said_by_others(model: &Model, pages: &[&Seen<'_>], options: LearnOptions) -> Vec<Said> {
    if let [page] = pages {
        return vec![Scorer::new(model).said(page.page)];
    }
    let said = |left_out: usize| {
        let others = pages.iter().enumerate().filter(|(at, _)| *at != left_out);
        let others: Vec<&Seen<'_>> = others.map(|(_, page)| *page).collect();
        Scorer::new(&Model::of_pages(&others, options)).said(pages[left_out].page)
    };
    (0..pages.len().min(MOST_PAGES)).map(said).collect()
}

/// The median, of nothing 0.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// As a file has it.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
