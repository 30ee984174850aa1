//! A part of a report: a heading, words, and what it shows.

use crate::human_count::HumanCount;
use tamis_plot::{Axis, Bar, Bars, Hue, Lines, Map, Numbers, Series, Spot};

/// A part of a report.
pub(super) struct Section {
    pub(super) heading: &'static str,
    /// A sentence or two.
    pub(super) words: String,
    pub(super) shown: Vec<Shown>,
}

/// What a section shows.
pub(super) enum Shown {
    /// Values with their counts.
    Counts(Counts),
    /// Columns with names, and rows.
    Table { names: Vec<&'static str>, rows: Vec<Vec<String>> },
    /// A curve.
    Curve { title: String, x: &'static str, y: &'static str, points: Vec<(f64, f64)> },
    /// Places.
    Places { title: String, spots: Vec<Spot> },
}

/// Values with their counts, and all that they are counted among.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) title: String,
    /// What the values are.
    pub(super) of: &'static str,
    pub(super) values: Vec<(String, u64)>,
    /// All that shares are taken of, be they shown or not.
    pub(super) all: u64,
    /// Those with a value that is not shown.
    pub(super) other: u64,
    pub(super) hue: Hue,
}

impl Counts {
    /// Labels with their counts and shares, the values that are not shown as one.
    fn rows(&self) -> impl Iterator<Item = (String, u64, String)> {
        let other = (self.other > 0).then(|| ("other".to_owned(), self.other));
        let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / self.all.max(1) as f64);
        self.values.iter().cloned().chain(other).map(move |(label, count)| (label, count, share(count)))
    }

    fn bars(&self) -> Bars {
        let bar = |(label, count, share): (String, u64, String)| {
            Bar::new(label, count as f64).with_note(share).with_hue(self.hue)
        };
        Bars { title: self.title.clone(), numbers: Numbers::Grouped, bars: self.rows().map(bar).collect() }
    }
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
            Self::Counts(counts) => counts.values.iter().all(|(_, count)| *count == 0),
            Self::Table { rows, .. } => rows.is_empty(),
            Self::Curve { points, .. } => points.is_empty(),
            Self::Places { spots, .. } => spots.is_empty(),
        }
    }

    /// What stands above its chart; tables have nothing.
    pub(super) fn title(&self) -> Option<&str> {
        match self {
            Self::Counts(Counts { title, .. }) | Self::Curve { title, .. } | Self::Places { title, .. } => {
                Some(title)
            }
            Self::Table { .. } => None,
        }
    }

    /// The chart of it; tables have none.
    pub(super) fn svg(&self) -> Option<String> {
        match self {
            Self::Counts(counts) => Some(counts.bars().svg()),
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
            Self::Counts(counts) => {
                let row = |(label, count, share): (String, u64, String)| {
                    vec![label, HumanCount(count).to_string(), share]
                };
                (vec![counts.of, "count", "share"], counts.rows().map(row).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_all_and_the_rest_is_one_line() {
        let counts = vec![("a".to_owned(), 50), ("b".to_owned(), 10)];
        let shown =
            Shown::Counts(Counts { values: counts, of: "site", all: 200, other: 40, ..Counts::default() });
        let (names, rows) = shown.table();
        assert_eq!(names, ["site", "count", "share"]);
        assert_eq!(rows, [["a", "50", "25.0 %"], ["b", "10", "5.0 %"], ["other", "40", "20.0 %"]]);
        let svg = shown.svg().expect("a chart");
        assert!(svg.contains("25.0 %") && svg.contains("other"), "{svg}");
    }
}
