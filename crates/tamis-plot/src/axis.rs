//! An axis: which range it shows, and where its marks are.

use super::log_ticks;
use super::numbers::{Numbers, decade, power};

/// One of the two axes of [`Lines`](super::Lines).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Axis {
    /// What it measures, with the unit.
    pub label: String,
    /// Whether steps add or multiply.
    pub scale: Scale,
    /// How to write the numbers.
    pub numbers: Numbers,
}

/// How an axis is divided.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scale {
    /// The same way for the same difference.
    #[default]
    Linear,
    /// The same way for the same ratio. Values that are not above zero have no place on it.
    Log,
}

/// The largest magnitude on an axis: the difference of two is a number still.
const LARGEST: f64 = 1e300;
/// The smallest magnitude on an axis: parts of it are a number still.
const SMALLEST: f64 = 1e-300;
/// A span below this part of the values is none: differences would drown in the last digits.
const NARROWEST: f64 = 1e-9;

impl Axis {
    /// An axis with equal steps.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// An axis with equal ratios.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Log, ..Self::default() }
    }

    /// The same with other numbers.
    #[must_use]
    pub fn with_numbers(self, numbers: Numbers) -> Self {
        Self { numbers, ..self }
    }

    /// Whether a value has a place on it.
    pub(super) fn holds(&self, value: f64) -> bool {
        match self.scale {
            Scale::Linear => value.abs() <= LARGEST,
            Scale::Log => (SMALLEST..=LARGEST).contains(&value),
        }
    }

    /// The axis for values that all have a place on it, with about so many labels at most.
    pub(super) fn ruler(&self, values: impl Iterator<Item = f64>, most: usize) -> Ruler {
        let ends = values.fold(None, |ends: Option<(f64, f64)>, value| {
            Some(ends.map_or((value, value), |(min, max)| (min.min(value), max.max(value))))
        });
        match self.scale {
            Scale::Linear => self.linear_ruler(ends.unwrap_or((0.0, 1.0)), most),
            Scale::Log => log_ticks::ruler(ends.unwrap_or((1.0, 10.0)), most, self.numbers),
        }
    }

    fn linear_ruler(&self, ends: (f64, f64), most: usize) -> Ruler {
        let (low, high) = widened(ends);
        let step = step(low, high, most);
        // What is a whole number of steps up to the last digits needs no further step.
        let first = (low / step + NARROWEST).floor();
        let count = ((high / step - NARROWEST).ceil() - first) as usize;
        let mark = |i: usize| {
            let at = (first + i as f64) * step;
            Mark { at, label: Some(self.numbers.among(at, step)) }
        };
        let marks: Vec<Mark> = (0..=count).map(mark).collect();
        Ruler { scale: Scale::Linear, low: first * step, high: (first + count as f64) * step, marks }
    }
}

/// The part of an axis that is shown.
#[derive(Debug, Clone)]
pub(super) struct Ruler {
    pub(super) scale: Scale,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) marks: Vec<Mark>,
}

/// A mark on an axis. Those without a label are smaller.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mark {
    pub(super) at: f64,
    pub(super) label: Option<String>,
}

impl Ruler {
    /// Where a value is, from 0 at the low end to 1 at the high one.
    pub(super) fn place(&self, value: f64) -> f64 {
        let part = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => (value.log10() - self.low.log10()) / (self.high.log10() - self.low.log10()),
        };
        part.clamp(0.0, 1.0)
    }

    /// The marks that have one, with their labels.
    pub(super) fn labels(&self) -> impl DoubleEndedIterator<Item = (f64, &str)> {
        self.marks.iter().filter_map(|mark| Some((self.place(mark.at), mark.label.as_deref()?)))
    }
}

/// The ends of what to show: from zero, unless the values are far from it and their differences would not be seen.
fn widened((min, max): (f64, f64)) -> (f64, f64) {
    let magnitude = max.abs().max(min.abs());
    if magnitude < SMALLEST {
        return (0.0, 1.0);
    }
    let is_narrow = max - min <= magnitude * NARROWEST;
    match (min, max) {
        _ if min > 0.0 && (is_narrow || min < max / 2.0) => (0.0, max),
        _ if max < 0.0 && (is_narrow || max > min / 2.0) => (min, 0.0),
        _ => (min, max),
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that goes into a span at most so often.
fn step(low: f64, high: f64, most: usize) -> f64 {
    let least = (high - low) / most.max(1) as f64;
    let unit = power(decade(least));
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * unit >= least * (1.0 - NARROWEST));
    factor.unwrap_or(10.0) * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64], most: usize) -> Vec<String> {
        let ruler = axis.ruler(values.iter().copied(), most);
        ruler.labels().map(|(_, label)| label.to_owned()).collect()
    }

    #[test]
    fn linear_marks_are_at_1_2_5() {
        let axis = Axis::linear("x");
        for (values, expected) in [
            (&[0.0, 10.0][..], "0 2 4 6 8 10"),
            (&[1.0, 64.0], "0 20 40 60 80"),
            (&[0.0, 0.9], "0 0.2 0.4 0.6 0.8 1"),
            (&[-3.0, 4.0], "−4 −2 0 2 4"),
            (&[97.1, 98.4], "97 97.5 98 98.5"),
            (&[-5.0], "−5 −4 −3 −2 −1 0"),
            (&[0.0], "0 0.2 0.4 0.6 0.8 1"),
            (&[], "0 0.2 0.4 0.6 0.8 1"),
            (
                &[1e15, 1e15 + 1.0],
                "0 200,000,000,000,000 400,000,000,000,000 600,000,000,000,000 800,000,000,000,000 1×10¹⁵",
            ),
        ] {
            assert_eq!(labels(&axis, values, 5).join(" "), expected, "{values:?}");
        }
        let files = Axis::linear("files").with_numbers(Numbers::Short);
        assert_eq!(labels(&files, &[0.0, 2e6], 5), ["0", "500k", "1M", "1.5M", "2M"]);
    }

    #[test]
    fn every_range_has_few_marks_and_holds_its_values() {
        let ends = [-1e300, -7e4, -3.3, -1e-300, 0.0, 1e-300, 2e-9, 0.7, 1.0, 1.000_000_1, 99.0, 1e15, 1e300];
        for scale in [Scale::Linear, Scale::Log] {
            let axis = Axis { scale, ..Axis::default() };
            for (&min, &max) in ends.iter().flat_map(|min| ends.iter().map(move |max| (min, max))) {
                if !(axis.holds(min) && axis.holds(max) && min <= max) {
                    continue;
                }
                for most in [2, 5, 10] {
                    let ruler = axis.ruler([min, max].into_iter(), most);
                    let count = ruler.labels().count();
                    assert!((1..=most + 2).contains(&count), "{min}..{max}: {count} of {most}");
                    assert!(ruler.low < ruler.high, "{min}..{max}: {ruler:?}");
                    let (low, high) = (ruler.place(min), ruler.place(max));
                    assert!(low <= high && (0.0..=1.0).contains(&low) && high <= 1.0, "{min}..{max}");
                    assert!(ruler.low <= min * (1.0 + 1e-8) + 1e-290 || min < 0.0, "{min}..{max}: {ruler:?}");
                }
            }
        }
    }
}
