//! The marks of a logarithmic axis.

use super::axis::{Mark, Ruler, Scale};
use super::numbers::{Numbers, decade, power};

/// Up to so many decades show what lies between them.
const SHOWN_BETWEEN: i32 = 6;

/// A number of one digit: a power of ten and a factor of 1 to 9. They are in the order of their values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Round {
    decade: i32,
    factor: i32,
}

impl Round {
    fn value(self) -> f64 {
        f64::from(self.factor) * power(self.decade)
    }

    fn is_one_two_five(self) -> bool {
        matches!(self.factor, 1 | 2 | 5)
    }

    /// All that have their decades from one to another.
    fn all(from: i32, to: i32) -> impl DoubleEndedIterator<Item = Self> {
        (from..=to).flat_map(|decade| (1..=9).map(move |factor| Self { decade, factor }))
    }
}

/// An axis from the last 1, 2 or 5 before the values to the first behind them.
pub(super) fn ruler((min, max): (f64, f64), most: usize, numbers: Numbers) -> Ruler {
    let (first, last) = ends(min, max);
    let between: Vec<Round> =
        Round::all(first.decade, last.decade).filter(|round| (first..=last).contains(round)).collect();
    let labelled = labelled(&between, most);
    let shows_all = last.decade - first.decade <= SHOWN_BETWEEN;
    let mark = |&round: &Round| {
        let label = labelled.contains(&round).then(|| numbers.among(round.value(), power(round.decade)));
        Mark { at: round.value(), label }
    };
    let marks = between.iter().filter(|round| shows_all || round.factor == 1).map(mark).collect();
    Ruler { scale: Scale::Log, low: first.value(), high: last.value(), marks }
}

/// The ends of the axis, which differ.
fn ends(min: f64, max: f64) -> (Round, Round) {
    let candidates = || Round::all(decade(min) - 1, decade(max) + 1).filter(|round| round.is_one_two_five());
    let outermost = |decade| Round { decade, factor: 1 };
    let below = |limit: f64| candidates().rfind(|round| round.value() <= limit);
    let above = |limit: f64| candidates().find(|round| round.value() >= limit);
    let first = below(min).unwrap_or(outermost(decade(min) - 1));
    let last = above(max).unwrap_or(outermost(decade(max) + 2));
    if first < last { (first, last) } else { (outermost(first.decade - 1), outermost(first.decade + 1)) }
}

/// As many of them as may have labels: all, or 1-2-5, or powers of ten, or some of these, evenly spaced.
fn labelled(between: &[Round], most: usize) -> Vec<Round> {
    let few = |keep: &dyn Fn(Round) -> bool| {
        let kept: Vec<Round> = between.iter().copied().filter(|&round| keep(round)).collect();
        (2..=most.max(2)).contains(&kept.len()).then_some(kept)
    };
    let every = |n: i32| few(&move |round| round.factor == 1 && round.decade.rem_euclid(n) == 0);
    few(&|_| true)
        .or_else(|| few(&Round::is_one_two_five))
        .or_else(|| [1, 2, 5, 10, 20, 50, 100, 200].into_iter().find_map(every))
        // A range that is too narrow for any of these.
        .unwrap_or_else(|| between.first().into_iter().chain(between.last()).copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_suit_the_range() {
        for (min, max, most, expected) in [
            (1.0, 64.0, 8, "1 2 5 10 20 50 100"),
            (1.0, 64.0, 4, "1 10 100"),
            (2.0, 5.0, 8, "2 3 4 5"),
            (0.3, 900.0, 5, "1 10 100 1,000"),
            (1.0, 1e6, 5, "1 100 10,000 1,000,000"),
            (7.0, 7.0, 8, "5 6 7 8 9 10"),
            (10.0, 10.0, 8, "1 2 5 10 20 50 100"),
            (1.0, 5.0, 2, "1 5"),
            (1e-300, 1e300, 4, "1×10⁻²⁰⁰ 1 1×10²⁰⁰"),
        ] {
            let ruler = ruler((min, max), most, Numbers::Grouped);
            let labels: Vec<_> = ruler.labels().map(|(_, label)| label).collect();
            assert_eq!(labels.join(" "), expected, "{min:e}..{max:e}");
            assert!(ruler.low <= min && max <= ruler.high, "{min:e}..{max:e}");
        }
    }

    #[test]
    fn between_few_decades_there_are_marks_without_labels() {
        let bare =
            |max| ruler((1.0, max), 4, Numbers::Grouped).marks.iter().filter(|m| m.label.is_none()).count();
        assert_eq!(bare(1000.0), 3 * 8);
        assert!(bare(1e12) < 13);
    }
}
