//! A part of a report: a heading, words, and what it shows.

use crate::human_count::HumanCount;
use crate::plot::{Axis, Bar, Bars, Lines, Map, Numbers, Series, Spot};

/// A part of a report.
pub(super) struct Section {
    pub(super) heading: &'static str,
    /// A sentence or two.
    pub(super) words: String,
    pub(super) shown: Vec<Shown>,
}

/// What a section shows.
pub(super) enum Shown {
    /// Values with how often they are there.
    Counts { title: String, of: &'static str, counts: Vec<(String, u64)> },
    /// Columns with names, and rows.
    Table { names: Vec<&'static str>, rows: Vec<Vec<String>> },
    /// A curve.
    Curve { title: String, x: &'static str, y: &'static str, points: Vec<(f64, f64)> },
    /// Places.
    Places { title: String, spots: Vec<Spot> },
}

impl Section {
    /// A section with what there is to show; none of it if there is nothing.
    pub(super) fn new(heading: &'static str, words: impl Into<String>) -> Self {
        Self { heading, words: words.into(), shown: Vec::new() }
    }

    pub(super) fn with(mut self, shown: Shown) -> Self {
        if !shown.is_empty() {
            self.shown.push(shown);
        }
        self
    }

    pub(super) fn is_filled(&self) -> bool {
        !self.shown.is_empty()
    }
}

impl Shown {
    fn is_empty(&self) -> bool {
        match self {
            Self::Counts { counts, .. } => counts.is_empty(),
            Self::Table { rows, .. } => rows.is_empty(),
            Self::Curve { points, .. } => points.is_empty(),
            Self::Places { spots, .. } => spots.is_empty(),
        }
    }

    /// The chart of it; tables have none.
    pub(super) fn svg(&self) -> Option<String> {
        match self {
            Self::Counts { title, counts, .. } => {
                let all: u64 = counts.iter().map(|(_, count)| count).sum();
                let bar = |(label, count): &(String, u64)| {
                    let share = 100.0 * *count as f64 / all.max(1) as f64;
                    Bar::new(label.clone(), *count as f64).with_note(format!("{share:.1} %"))
                };
                let bars = counts.iter().map(bar).collect();
                Some(Bars { title: title.clone(), numbers: Numbers::Grouped, bars }.svg())
            }
            Self::Table { .. } => None,
            Self::Curve { title, x, y, points } => {
                let series = vec![Series::new(*y, points.clone())];
                Some(Lines { title: title.clone(), x: Axis::linear(*x), y: Axis::linear(*y), series }.svg())
            }
            Self::Places { title, spots } => Some(Map { title: title.clone(), spots: spots.clone() }.svg()),
        }
    }

    /// The same as a table.
    pub(super) fn table(&self) -> (Vec<&str>, Vec<Vec<String>>) {
        match self {
            Self::Counts { of, counts, .. } => {
                let row =
                    |(label, count): &(String, u64)| vec![label.clone(), HumanCount(*count).to_string()];
                (vec![*of, "count"], counts.iter().map(row).collect())
            }
            Self::Table { names, rows } => (names.clone(), rows.clone()),
            Self::Curve { x, y, points, .. } => {
                let row = |(x, y): &(f64, f64)| vec![format!("{x}"), format!("{y:.3}")];
                (vec![*x, *y], sampled(points).map(row).collect())
            }
            Self::Places { spots, .. } => {
                let row = |spot: &Spot| {
                    let place = format!("{:.2}, {:.2}", spot.latitude, spot.longitude);
                    vec![spot.label.clone(), place, spot.value.to_string()]
                };
                (vec!["place", "latitude, longitude", "count"], spots.iter().map(row).collect())
            }
        }
    }
}

/// At most about twenty points of a curve, the last among them.
fn sampled(points: &[(f64, f64)]) -> impl Iterator<Item = &(f64, f64)> {
    let step = (points.len() / 20).max(1);
    let last = points.len().saturating_sub(1);
    points.iter().enumerate().filter(move |(at, _)| at % step == 0 || *at == last).map(|(_, point)| point)
}
