//! Sums over pages.

use std::collections::BTreeMap;

use super::{Agreement, Language};

/// How often answers agreed, over many pages. Tallies of parts, merged in any order, are the tally of the whole.
///
/// Memory: a number for each pair of languages that were taken for one another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    classes: [u64; 5],
    without_expectation: u64,
    confusions: BTreeMap<(Language, Language), u64>,
    scores: BTreeMap<Language, Score>,
}

/// How well one language was found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// Pages it was expected of.
    pub expected: u64,
    /// Pages with an expectation that it was answered for.
    pub answered: u64,
    /// Pages it was both.
    pub both: u64,
}

impl Tally {
    /// Counts a page.
    pub fn add(&mut self, answered: &[Language], expected: &[Language]) -> Agreement {
        let class = Agreement::of(answered, expected);
        self.classes[class as usize] += 1;
        if expected.is_empty() {
            self.without_expectation += 1;
            return class;
        }
        let (missed, extra) = (without(expected, answered), without(answered, expected));
        for missed in &missed {
            for extra in &extra {
                *self.confusions.entry((*missed, *extra)).or_default() += 1;
            }
        }
        for language in without(expected, &[]) {
            let score = self.scores.entry(language).or_default();
            score.expected += 1;
            score.both += u64::from(answered.contains(&language));
        }
        for language in without(answered, &[]) {
            self.scores.entry(language).or_default().answered += 1;
        }
        class
    }

    /// Takes in the counts of another tally.
    pub fn merge(&mut self, other: &Self) {
        for (sum, count) in self.classes.iter_mut().zip(other.classes) {
            *sum += count;
        }
        self.without_expectation += other.without_expectation;
        for (pair, count) in &other.confusions {
            *self.confusions.entry(*pair).or_default() += count;
        }
        for (language, score) in &other.scores {
            let sum = self.scores.entry(*language).or_default();
            sum.expected += score.expected;
            sum.answered += score.answered;
            sum.both += score.both;
        }
    }

    /// Pages counted.
    pub fn pages(&self) -> u64 {
        self.classes.iter().sum()
    }

    /// Pages in a class. Those without an expectation are among [`Agreement::Same`].
    pub fn count(&self, class: Agreement) -> u64 {
        self.classes[class as usize]
    }

    /// Pages that nothing was expected of.
    pub fn without_expectation(&self) -> u64 {
        self.without_expectation
    }

    /// Which language was missed on pages where which other was answered without being expected, and on how many; the most
    /// frequent first.
    pub fn confusions(&self) -> Vec<(Language, Language, u64)> {
        let mut pairs: Vec<_> =
            self.confusions.iter().map(|((missed, extra), count)| (*missed, *extra, *count)).collect();
        pairs.sort_by_key(|(_, _, count)| u64::MAX - count);
        pairs
    }

    /// How well each language was found, by code.
    pub fn scores(&self) -> impl Iterator<Item = (Language, Score)> {
        self.scores.iter().map(|(language, score)| (*language, *score))
    }

    /// The mean F1 of the languages that were expected at all.
    pub fn macro_f1(&self) -> Option<f64> {
        let expected: Vec<f64> = self
            .scores
            .values()
            .filter(|score| score.expected > 0)
            .map(|score| score.f1().unwrap_or(0.0))
            .collect();
        (!expected.is_empty()).then(|| expected.iter().sum::<f64>() / expected.len() as f64)
    }
}

impl Score {
    /// Of the pages it was answered for, the share it was expected of.
    pub fn precision(self) -> Option<f64> {
        (self.answered > 0).then(|| self.both as f64 / self.answered as f64)
    }

    /// Of the pages it was expected of, the share it was answered for.
    pub fn recall(self) -> Option<f64> {
        (self.expected > 0).then(|| self.both as f64 / self.expected as f64)
    }

    /// The harmonic mean of precision and recall; zero where one of them has no pages.
    pub fn f1(self) -> Option<f64> {
        let sum = self.expected + self.answered;
        (sum > 0).then(|| 2.0 * self.both as f64 / sum as f64)
    }
}

/// The languages of one list, each once, that are not on the other.
fn without(one: &[Language], other: &[Language]) -> Vec<Language> {
    let mut left: Vec<_> = one.iter().copied().filter(|language| !other.contains(language)).collect();
    left.sort_unstable();
    left.dedup();
    left
}

#[cfg(test)]
mod tests {
    use super::super::tests::languages;
    use super::*;

    const PAGES: [(&str, &str); 7] = [
        ("eng", "eng"),
        ("eng fra", "eng"),
        ("ukr", "rus"),
        ("ukr", "rus"),
        ("rus", "rus eng"),
        ("ukr eng", "rus eng"),
        ("deu", ""),
    ];

    fn tally(pages: &[(&str, &str)]) -> Tally {
        let mut tally = Tally::default();
        for (answered, expected) in pages {
            tally.add(&languages(answered), &languages(expected));
        }
        tally
    }

    #[test]
    fn classes_pairs_and_scores_are_counted() {
        let tally = tally(&PAGES);
        assert_eq!(Agreement::ALL.map(|class| tally.count(class)), [2, 2, 1, 1, 1]);
        assert_eq!((tally.pages(), tally.without_expectation()), (7, 1));
        let pairs: Vec<_> =
            tally.confusions().iter().map(|it| format!("{} {} {}", it.0, it.1, it.2)).collect();
        assert_eq!(pairs, ["rus ukr 3"]);
        let scores: Vec<_> = tally
            .scores()
            .map(|(code, it)| format!("{code} {} {} {}", it.expected, it.answered, it.both))
            .collect();
        assert_eq!(scores, ["eng 4 3 3", "fra 0 1 0", "rus 4 1 1", "ukr 0 3 0"]);
        let (_, rus) = tally.scores().nth(2).expect("rus");
        assert_eq!((rus.precision(), rus.recall(), rus.f1()), (Some(1.0), Some(0.25), Some(0.4)));
        let expected = f64::midpoint(6.0 / 7.0, 0.4);
        assert!(tally.macro_f1().is_some_and(|f1| (f1 - expected).abs() < 1e-12));
        assert_eq!(Tally::default().macro_f1(), None);
    }

    #[test]
    fn parts_merged_in_any_order_are_the_whole() {
        let whole = tally(&PAGES);
        for cut in 0..=PAGES.len() {
            let (one, other) = (tally(&PAGES[..cut]), tally(&PAGES[cut..]));
            let (mut first, mut second) = (one.clone(), other.clone());
            first.merge(&other);
            second.merge(&one);
            assert_eq!((&first, &second), (&whole, &whole), "{cut}");
        }
    }
}
