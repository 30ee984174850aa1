//! How addresses ended, by their places in the url log.

use std::collections::BTreeMap;

use super::journal::{news_bits, news_of_bits};
use super::outcome;
use crate::scope::News;

/// Places in a log of 256 TB, with the outcomes behind them.
const OUTCOME_BITS: u32 = 16;
/// Outcomes need less: the upper five bits say what a page brought.
const NEWS_SHIFT: u32 = 11;
const OUTCOME_MASK: u16 = (1 << NEWS_SHIFT) - 1;

/// How an address ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    /// The status, or what stands for one.
    pub outcome: u16,
    /// What its page brought, if that was judged.
    pub news: Option<News>,
}

impl End {
    fn bits(self) -> u16 {
        let news = u16::from(self.news.map_or(0, news_bits)) << NEWS_SHIFT;
        self.outcome.min(OUTCOME_MASK) | news
    }

    fn of_bits(bits: u64) -> Self {
        let bits = bits as u16;
        Self { outcome: bits & OUTCOME_MASK, news: news_of_bits((bits >> NEWS_SHIFT) as u8) }
    }
}

/// The last outcome of each address that has one: 8 bytes each.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// The place and the outcome; sorted and each place once, when settled.
    ends: Vec<u64>,
}

impl Ends {
    /// Notes an outcome; later ones take the place of earlier ones.
    pub(super) fn push(&mut self, id: u64, end: End) {
        self.ends.push(id << OUTCOME_BITS | u64::from(end.bits()));
    }

    /// Makes ready to be asked.
    pub(super) fn settle(&mut self) {
        self.ends.reverse();
        self.ends.sort_by_key(|end| end >> OUTCOME_BITS);
        self.ends.dedup_by_key(|end| *end >> OUTCOME_BITS);
    }

    /// Forgets those whose outcome is such.
    pub(super) fn forget(&mut self, is_such: impl Fn(u16) -> bool) {
        self.ends.retain(|end| !is_such(End::of_bits(*end).outcome));
    }

    /// How an address ended.
    pub(super) fn of(&self, id: u64) -> Option<End> {
        let at = self.ends.binary_search_by_key(&id, |end| end >> OUTCOME_BITS).ok()?;
        Some(End::of_bits(self.ends[at]))
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many were answered.
    pub(super) fn responses(&self) -> u64 {
        self.ends.iter().filter(|end| End::of_bits(**end).outcome < 1000).count() as u64
    }

    /// How many were answered with a page: a status of 200 to 299.
    pub(super) fn pages(&self) -> u64 {
        self.ends.iter().filter(|end| outcome::is_page(End::of_bits(**end).outcome)).count() as u64
    }

    /// How many ended in each way.
    pub(super) fn outcomes(&self) -> BTreeMap<String, u64> {
        let mut outcomes: BTreeMap<&str, u64> = BTreeMap::new();
        for end in &self.ends {
            *outcomes.entry(outcome::name(End::of_bits(*end).outcome)).or_default() += 1;
        }
        named(outcomes)
    }

    /// How many were never asked for, by the limit.
    pub(super) fn left_out(&self) -> BTreeMap<String, u64> {
        let mut left_out: BTreeMap<&str, u64> = BTreeMap::new();
        for limit in self.ends.iter().filter_map(|end| outcome::limit(End::of_bits(*end).outcome)) {
            *left_out.entry(limit).or_default() += 1;
        }
        named(left_out)
    }
}

fn named(counts: BTreeMap<&str, u64>) -> BTreeMap<String, u64> {
    counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_outcome_holds() {
        let mut ends = Ends::default();
        for (id, outcome) in [(9, 1003), (4, 200), (9, 1004), (1 << 47, 404), (9, 301)] {
            ends.push(id, End { outcome, news: None });
        }
        ends.settle();
        assert_eq!(
            [4, 9, 1 << 47, 5].map(|id| ends.of(id).map(|end| end.outcome)),
            [Some(200), Some(301), Some(404), None]
        );
        assert_eq!((ends.len(), ends.pages(), ends.responses()), (3, 1, 3));
        ends.forget(|outcome| outcome == 404);
        assert_eq!(ends.of(1 << 47), None);
        for bits in 0..16_u8 {
            let end = End { outcome: 1117, news: news_of_bits(bits << 1 | 1) };
            assert!(end.news.is_some());
            assert_eq!(End::of_bits(7 << 16 | u64::from(end.bits())), end);
        }
        assert_eq!(ends.outcomes(), BTreeMap::from([("2xx".to_owned(), 1), ("3xx".to_owned(), 1)]));
    }
}
