//! From the name of a host to its number.

use std::hash::{BuildHasher, RandomState};

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The names of all hosts, each with the number of its first appearance.
///
/// 8 to 16 bytes a host beside the name itself. Names come from strangers' pages, so the hash has a secret
/// seed; it orders nothing that can be seen.
#[derive(Debug)]
pub(super) struct Names {
    all: Vec<Box<str>>,
    /// Numbers, by open addressing; a power of two, at most half full.
    slots: Vec<u32>,
    seed: u64,
}

const EMPTY: u32 = u32::MAX;

impl Names {
    pub(super) fn new() -> Self {
        Self { all: Vec::new(), slots: vec![EMPTY; 64], seed: RandomState::new().hash_one(0) }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn name(&self, number: u32) -> &str {
        &self.all[number as usize]
    }

    pub(super) fn find(&self, name: &str) -> Option<u32> {
        Some(self.slots[self.slot(name)]).filter(|number| *number != EMPTY)
    }

    /// Its number, a new one if the name is new.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        let slot = self.slot(name);
        if self.slots[slot] != EMPTY {
            return self.slots[slot];
        }
        let number = self.all.len() as u32;
        self.all.push(name.into());
        self.slots[slot] = number;
        if self.all.len() * 2 > self.slots.len() {
            self.grow();
        }
        number
    }

    /// Where the name stands, or where it would.
    fn slot(&self, name: &str) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = xxh3_64_with_seed(name.as_bytes(), self.seed) as usize & mask;
        while self.slots[slot] != EMPTY && self.name(self.slots[slot]) != name {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![EMPTY; self.slots.len() * 2];
        for number in 0..self.all.len() as u32 {
            let slot = self.slot(&self.all[number as usize]);
            self.slots[slot] = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_first_appearance() {
        let mut names = Names::new();
        for round in 0..2 {
            for number in 0..5_000 {
                let name = format!("{number}.example.org");
                assert_eq!(names.find(&name), (round == 1).then_some(number));
                assert_eq!(names.number(&name), number);
                assert_eq!(names.name(number), name);
            }
        }
        assert_eq!((names.len(), names.find("")), (5_000, None));
    }
}
