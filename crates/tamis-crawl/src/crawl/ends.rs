//! How addresses ended, by their places in the url log.

use std::collections::BTreeMap;

use super::outcome;

/// Places in a log of 256 TB, with the outcomes behind them.
const OUTCOME_BITS: u32 = 16;
/// Outcomes need less: of a page with text two bits say whether it was judged, and new.
const JUDGED: u16 = 1 << 14;
const NEW: u16 = 1 << 15;
const OUTCOME_MASK: u16 = JUDGED - 1;

/// How an address ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    /// The status, or what stands for one.
    pub outcome: u16,
    /// Whether its text was new, where it had enough to judge.
    pub is_new: Option<bool>,
}

impl End {
    fn bits(self) -> u16 {
        self.outcome & OUTCOME_MASK
            | self.is_new.map_or(0, |is_new| if is_new { JUDGED | NEW } else { JUDGED })
    }

    fn of_bits(bits: u64) -> Self {
        let bits = bits as u16;
        Self { outcome: bits & OUTCOME_MASK, is_new: (bits & JUDGED != 0).then_some(bits & NEW != 0) }
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
    pub(super) fn pages(&self) -> u64 {
        self.ends.iter().filter(|end| End::of_bits(**end).outcome < 1000).count() as u64
    }

    /// How many ended in each way.
    pub(super) fn outcomes(&self) -> BTreeMap<String, u64> {
        let mut outcomes: BTreeMap<&str, u64> = BTreeMap::new();
        for end in &self.ends {
            *outcomes.entry(outcome::name(End::of_bits(*end).outcome)).or_default() += 1;
        }
        outcomes.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_outcome_holds() {
        let mut ends = Ends::default();
        for (id, outcome) in [(9, 1003), (4, 200), (9, 1004), (1 << 47, 404), (9, 301)] {
            ends.push(id, End { outcome, is_new: None });
        }
        ends.settle();
        assert_eq!(
            [4, 9, 1 << 47, 5].map(|id| ends.of(id).map(|end| end.outcome)),
            [Some(200), Some(301), Some(404), None]
        );
        assert_eq!((ends.len(), ends.pages()), (3, 3));
        ends.forget(|outcome| outcome == 404);
        assert_eq!(ends.of(1 << 47), None);
        for is_new in [None, Some(true), Some(false)] {
            let end = End { outcome: 1117, is_new };
            assert_eq!(End::of_bits(7 << 16 | u64::from(end.bits())), end);
        }
        assert_eq!(ends.outcomes(), BTreeMap::from([("2xx".to_owned(), 1), ("3xx".to_owned(), 1)]));
    }
}
