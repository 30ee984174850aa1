//! Whether the crawl has seen a page before, or one that is nearly the same.

use tamis_near::hamming::Ring;

use super::TextFacts;
use super::recent_hashes::RecentHashes;

/// Texts shorter than this are not judged: a line of navigation or "not found" is the same everywhere, and the links
/// around it are not.
const SHORTEST_BYTES: usize = 200;

/// Remembers the texts of the newest pages, and finds those that are nearly the same.
///
/// Memory: up to 96 to 136 bytes for each page of the capacity, whatever the pages are. A page is forgotten after as many
/// others, at the earliest. After a restart it is what it was if the logged facts are given to it again, in order.
#[derive(Debug)]
pub struct NearDuplicates {
    texts: RecentHashes,
    ring: Ring,
    most_bits: u32,
}

/// What is known of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It is new, or too short to tell.
    Novel,
    /// A text with the same normal form was seen.
    Same,
    /// A text was seen whose fingerprint differs in so many bits.
    Near {
        /// Bits that differ.
        distance: u32,
    },
}

impl NearDuplicates {
    /// Remembers so many pages; texts whose fingerprints differ in at most `most_bits`, up to 3, are near.
    pub fn new(pages: usize, most_bits: u32) -> Self {
        Self { texts: RecentHashes::new(pages), ring: Ring::new(pages), most_bits }
    }

    /// Whether a text is long enough to be judged.
    pub fn is_judged(text: &TextFacts) -> bool {
        text.len_bytes >= SHORTEST_BYTES
    }

    /// Whether such a text was seen; from now on it was.
    ///
    /// Of near texts only the first is kept to compare with, so that small changes do not add up to large ones.
    pub fn check_and_add(&mut self, text: &TextFacts) -> Verdict {
        if !Self::is_judged(text) {
            return Verdict::Novel;
        }
        if !self.texts.insert(text.exact) {
            return Verdict::Same;
        }
        if let Some(found) = self.ring.nearest(text.simhash, self.most_bits) {
            return Verdict::Near { distance: found.distance };
        }
        self.ring.insert(text.simhash);
        Verdict::Novel
    }

    /// Bytes of memory in use.
    pub fn memory_bytes(&self) -> usize {
        self.ring.memory_bytes() + self.texts.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(seed: u64) -> TextFacts {
        let hash = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let exact = (hash ^ hash >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        TextFacts {
            simhash: exact.rotate_left(17).wrapping_mul(0x94D0_49BB_1331_11EB),
            exact,
            len_bytes: 1000,
        }
    }

    #[test]
    fn texts_are_same_near_or_novel() {
        let mut seen = NearDuplicates::new(100, 3);
        assert_eq!(seen.check_and_add(&text(1)), Verdict::Novel);
        assert_eq!(seen.check_and_add(&text(1)), Verdict::Same);
        let near = TextFacts { simhash: text(1).simhash ^ 0b101, ..text(2) };
        assert_eq!(seen.check_and_add(&near), Verdict::Near { distance: 2 });
        assert_eq!(seen.check_and_add(&near), Verdict::Same);
        let further = TextFacts { simhash: near.simhash ^ 0b11 << 40, ..text(3) };
        assert_eq!(seen.check_and_add(&further), Verdict::Novel);
    }

    #[test]
    fn short_texts_are_not_judged() {
        let mut seen = NearDuplicates::new(100, 3);
        let short = TextFacts { len_bytes: 100, ..text(1) };
        assert_eq!([seen.check_and_add(&short), seen.check_and_add(&short)], [Verdict::Novel; 2]);
    }

    #[test]
    fn memory_is_bounded_and_old_pages_are_forgotten() {
        let mut seen = NearDuplicates::new(1000, 3);
        (0..10_000).for_each(|seed| _ = seen.check_and_add(&text(seed)));
        assert!(seen.memory_bytes() < 1000 * 140, "{}", seen.memory_bytes());
        assert_eq!(seen.check_and_add(&text(9_500)), Verdict::Same);
        assert_eq!(seen.check_and_add(&text(10)), Verdict::Novel);
    }

    #[test]
    fn the_same_facts_rebuild_the_same_memory() {
        let facts: Vec<TextFacts> = (0..500).map(|seed| text(seed % 300)).collect();
        let verdicts =
            |seen: &mut NearDuplicates| facts.iter().map(|text| seen.check_and_add(text)).collect::<Vec<_>>();
        let (mut one, mut other) = (NearDuplicates::new(100, 3), NearDuplicates::new(100, 3));
        assert_eq!(verdicts(&mut one), verdicts(&mut other));
    }
}
