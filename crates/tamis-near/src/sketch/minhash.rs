//! One-permutation `MinHash`: one hash function, whose range is cut into slots.

use std::collections::HashSet;

use super::{bytes, fold, text};

/// How many least hashes a [`MinHash`] holds.
pub const SLOTS: usize = 128;
const SLOT_BITS: u32 = SLOTS.trailing_zeros();
/// A slot into which no shingle fell; values have 31 bits.
const EMPTY: u32 = u32::MAX;

/// The least hash of each slot.
///
/// Li, Owen and Zhang, *One permutation hashing* (2012): the upper 7 bits of a shingle's hash say the slot, the 31 below
/// them are its value there; a slot keeps the least. One hash a shingle instead of 128.
///
/// Slots that stay empty, as in short pages, are filled. In a sketch of a text slot `s` gets the least of `fold(h, s)` over the
/// hashes `h` of all shingles, its upper 31 bits: as good as a function of its own. In a sketch of bytes, which decides
/// nothing, it takes the value of another slot, the same in every sketch (Shrivastava, *Optimal densification*, 2017): it
/// goes through the slots `fold(s, 1) mod 128`, `fold(s, 2) mod 128` … until one was not empty.
///
/// The standard error of a similarity `j` is `sqrt(j (1 - j) / 128)`: 3.5 % at 80 %; of bytes more, if they are few.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MinHash([u32; SLOTS]);

impl MinHash {
    /// Its length as bytes.
    pub const BYTES: usize = SLOTS * 4;

    /// The sketch of a page as it was sent, over all runs of 12 bytes; of fewer bytes there is one run, filled up with zeros.
    pub fn of_bytes(page: &[u8]) -> Self {
        bytes::sketch(page)
    }

    /// The sketch of a text, over all runs of [`super::WORDS_IN_SHINGLE`] words; of fewer words there is one run.
    ///
    /// Words are what stands between spaces; letters of Chinese, Japanese and Thai, which have none, are words of their own.
    /// Bring the text into a normal form before (small letters, no punctuation): nothing is changed here.
    pub fn of_text(text: &[u8]) -> Self {
        text::sketch(text)
    }

    /// The sketch of a page without shingles; it resembles nothing, not even itself.
    pub fn empty() -> Self {
        Self([EMPTY; SLOTS])
    }

    /// Whether there were no shingles.
    pub fn is_empty(&self) -> bool {
        self.0[0] == EMPTY
    }

    /// The value of each slot, none of them `u32::MAX` but in a sketch that is empty.
    pub fn slots(&self) -> &[u32; SLOTS] {
        &self.0
    }

    /// In how many slots two sketches agree.
    pub fn agreeing(&self, other: &Self) -> u32 {
        let equal = |(one, other): (&u32, &u32)| u32::from(one == other && *one != EMPTY);
        self.0.iter().zip(&other.0).map(equal).sum()
    }

    /// The estimated Jaccard similarity, 0 to 1.
    pub fn similarity(&self, other: &Self) -> f64 {
        f64::from(self.agreeing(other)) / SLOTS as f64
    }

    /// As it is kept: slot after slot, little-endian.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        for (to, value) in bytes.chunks_exact_mut(4).zip(self.0) {
            to.copy_from_slice(&value.to_le_bytes());
        }
        bytes
    }

    /// Any bytes are a sketch.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let mut slots = [0; SLOTS];
        for (value, from) in slots.iter_mut().zip(bytes.as_chunks().0) {
            *value = u32::from_le_bytes(*from);
        }
        Self(slots)
    }
}

/// A sketch while shingles come in.
pub(super) struct Filling([u32; SLOTS]);

impl Filling {
    pub(super) fn new() -> Self {
        Self([EMPTY; SLOTS])
    }

    #[inline]
    pub(super) fn add(&mut self, hash: u64) {
        let value = ((hash << SLOT_BITS) >> 33) as u32;
        let slot = &mut self.0[(hash >> (64 - SLOT_BITS)) as usize];
        if value < *slot {
            *slot = value;
        }
    }

    pub(super) fn has_empty_slots(&self) -> bool {
        self.0.contains(&EMPTY)
    }

    /// Fills the slots that are empty from all shingles.
    pub(super) fn finish_over(self, hashes: &HashSet<u64>) -> MinHash {
        let mut slots = self.0;
        for (slot, value) in (0..).zip(&mut slots).filter(|(_, value)| **value == EMPTY) {
            let values = hashes.iter().map(|&hash| (fold(hash, slot) >> 33) as u32);
            *value = values.min().unwrap_or(EMPTY);
        }
        MinHash(slots)
    }

    /// Fills the slots that are empty from others, if not all of them are.
    pub(super) fn finish(self) -> MinHash {
        let found = self.0;
        let mut slots = found;
        if found.iter().any(|&value| value != EMPTY) {
            for slot in (0..SLOTS).filter(|&slot| found[slot] == EMPTY) {
                let others = (1..).map(|turn| found[fold(slot as u64, turn) as usize % SLOTS]);
                slots[slot] = others.into_iter().find(|&value| value != EMPTY).unwrap_or(EMPTY);
            }
        }
        MinHash(slots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(range: std::ops::Range<u64>) -> MinHash {
        let mut filling = Filling::new();
        range.for_each(|number| filling.add(fold(number, 7)));
        filling.finish()
    }

    #[test]
    fn agreement_estimates_the_share_of_common_shingles() {
        for (one, other, jaccard) in [
            (0..3000, 0..3000, 1.0),
            (0..3000, 300..3000, 0.9),
            (0..3000, 1000..4000, 0.5),
            (0..3000, 3000..6000, 0.0),
            (0..40, 4..40, 0.9),
            (0..40, 40..80, 0.0),
        ] {
            let similarity = numbers(one.clone()).similarity(&numbers(other.clone()));
            assert!((similarity - jaccard).abs() < 0.11, "{one:?} {other:?}: {similarity}");
        }
    }

    #[test]
    fn bytes_bring_a_sketch_back() {
        let sketch = numbers(0..50);
        assert_eq!(MinHash::from_bytes(&sketch.to_bytes()), sketch);
    }

    #[test]
    fn no_shingles_resemble_nothing() {
        assert!(MinHash::empty().is_empty());
        assert!(numbers(0..0).is_empty());
        assert_eq!(MinHash::empty().agreeing(&MinHash::empty()), 0);
    }

    #[test]
    fn a_single_shingle_fills_all_slots() {
        let sketch = numbers(5..6);
        assert!(!sketch.is_empty());
        assert!(sketch.slots().iter().all(|value| value == &sketch.slots()[0]));
    }
}
