//! Counts by a key, in bounded memory.

use std::cmp::Reverse;
use std::collections::HashMap;

/// A longer key is cut: what comes out of archives may be of any length.
const MAX_KEY: usize = 120;

/// How many records, and how large they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) records: u64,
    /// Bytes in the file, as far as records do not share them.
    pub(super) stored: u64,
    /// Bytes of heads and blocks.
    pub(super) unpacked: u64,
}

impl Count {
    pub(super) fn add(&mut self, other: Self) {
        self.records += other.records;
        self.stored += other.stored;
        self.unpacked += other.unpacked;
    }
}

/// Counts by keys of which there may be any number. The first so many keys are counted exactly, all others together.
///
/// Parts of a whole that are counted apart without a bound and merged in order give what counting the whole gives.
#[derive(Debug, Clone)]
pub(super) struct Counts {
    keys: HashMap<String, Keyed>,
    bound: usize,
    /// What belongs to none of the keys.
    others: Count,
}

#[derive(Debug, Clone, Copy)]
struct Keyed {
    count: Count,
    /// How many keys were met before this one.
    place: usize,
}

impl Default for Counts {
    /// No bound: for few records.
    fn default() -> Self {
        Self::up_to(usize::MAX)
    }
}

impl Counts {
    pub(super) fn up_to(bound: usize) -> Self {
        Self { keys: HashMap::new(), bound, others: Count::default() }
    }

    pub(super) fn add(&mut self, key: &str, count: Count) {
        let key = cut(key);
        let place = self.keys.len();
        if let Some(keyed) = self.keys.get_mut(key) {
            keyed.count.add(count);
        } else if place < self.bound {
            self.keys.insert(key.to_owned(), Keyed { count, place });
        } else {
            self.others.add(count);
        }
    }

    pub(super) fn merge(&mut self, later: Self) {
        let mut keys: Vec<_> = later.keys.into_iter().collect();
        keys.sort_unstable_by_key(|(_, keyed)| keyed.place);
        for (key, keyed) in keys {
            self.add(&key, keyed.count);
        }
        self.others.add(later.others);
    }

    /// The keys, those with the most records first, and what belongs to none of them.
    pub(super) fn into_sorted(self) -> (Vec<(String, Count)>, Count) {
        let mut keys: Vec<_> = self.keys.into_iter().map(|(key, keyed)| (key, keyed.count)).collect();
        keys.sort_unstable_by(|a, b| (Reverse(a.1.records), &a.0).cmp(&(Reverse(b.1.records), &b.0)));
        (keys, self.others)
    }
}

fn cut(key: &str) -> &str {
    &key[..key.floor_char_boundary(MAX_KEY)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Count = Count { records: 1, stored: 2, unpacked: 3 };

    fn counted(keys: &[&str], bound: usize) -> Counts {
        let mut counts = Counts::up_to(bound);
        for key in keys {
            counts.add(key, ONE);
        }
        counts
    }

    #[test]
    fn parts_merge_to_the_whole() {
        let keys = ["b", "a", "c", "a", "d", "c", "e", "a"];
        for bound in [3, 4, 10] {
            let whole = counted(&keys, bound).into_sorted();
            for at in 0..=keys.len() {
                let mut parts = counted(&keys[..at], bound);
                parts.merge(counted(&keys[at..], usize::MAX));
                assert_eq!(parts.into_sorted(), whole, "{bound} {at}");
            }
        }
        let (sorted, others) = counted(&keys, 3).into_sorted();
        let names: Vec<&str> = sorted.iter().map(|(key, _)| &**key).collect();
        assert_eq!((names, others.records), (vec!["a", "c", "b"], 2));
    }

    #[test]
    fn long_keys_are_cut_between_letters() {
        let (sorted, _) = counted(&[&"ü".repeat(1000)], 3).into_sorted();
        assert_eq!(sorted[0].0, "ü".repeat(MAX_KEY / 2));
    }
}
