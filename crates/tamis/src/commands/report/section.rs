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
    /// What these are.
    pub(super) among: &'static str,
    /// Those with a value that is not shown.
    pub(super) other: u64,
    /// How sure each value is, 0 to 1; empty where nothing says so.
    pub(super) confidence: Vec<f64>,
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
        let bar = |(at, (label, count, share)): (usize, (String, u64, String))| {
            let note = match self.confidence.get(at) {
                Some(confidence) => format!("{share}, confidence {confidence:.2}"),
                None => share,
            };
            Bar::new(label, count as f64).with_note(note).with_hue(self.hue)
        };
        let bars = self.rows().enumerate().map(bar).collect();
        Bars { title: self.heading(), numbers: Numbers::Grouped, bars }
    }

    /// The title, and what the shares are of.
    fn heading(&self) -> String {
        if self.among.is_empty() {
            return self.title.clone();
        }
        format!("{} (% of {} {})", self.title, HumanCount(self.all), self.among)
    }

    fn table(&self) -> (Vec<&'static str>, Vec<Vec<String>>) {
        let row = |(at, (label, count, share)): (usize, (String, u64, String))| {
            let confidence = self.confidence.get(at).map(|confidence| format!("{confidence:.2}"));
            [label, HumanCount(count).to_string(), share].into_iter().chain(confidence).collect()
        };
        let mut names = vec![self.of, "count", "share"];
        if !self.confidence.is_empty() {
            names.push("confidence");
        }
        (names, self.rows().enumerate().map(row).collect())
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
    /// The same with shares of another number.
    pub(super) fn among(mut self, all: u64, among: &'static str) -> Self {
        if let Self::Counts(counts) = &mut self {
            (counts.all, counts.among) = (all, among);
        }
        self
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Counts(counts) => counts.values.iter().all(|(_, count)| *count == 0),
            Self::Table { rows, .. } => rows.is_empty(),
            Self::Curve { points, .. } => points.is_empty(),
            Self::Places { spots, .. } => spots.is_empty(),
        }
    }

    /// What stands above its chart; tables have nothing.
    pub(super) fn title(&self) -> Option<String> {
        match self {
            Self::Counts(counts) => Some(counts.heading()),
            Self::Curve { title, .. } | Self::Places { title, .. } => Some(title.clone()),
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
            Self::Counts(counts) => counts.table(),
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

    #[test]
    fn shares_say_of_what_and_names_how_sure_they_are() {
        let counts = Counts {
            title: "Pages per person".to_owned(),
            of: "name",
            values: vec![("Ada".to_owned(), 5)],
            all: 1200,
            among: "captures",
            confidence: vec![0.876],
            ..Counts::default()
        };
        let shown = Shown::Counts(counts);
        assert_eq!(shown.title().as_deref(), Some("Pages per person (% of 1,200 captures)"));
        let (names, rows) = shown.table();
        assert_eq!(names, ["name", "count", "share", "confidence"]);
        assert_eq!(rows, [["Ada", "5", "0.4 %", "0.88"]]);
        assert!(shown.svg().expect("a chart").contains("confidence 0.88"));
    }
}
