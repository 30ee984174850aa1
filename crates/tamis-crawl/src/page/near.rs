//! Whether the crawl has seen a page before, or one that is nearly the same.

use tamis_near::hamming::Ring;

use super::TextFacts;

/// Texts shorter than this are not judged: a line of navigation or "not found" is the same everywhere, and the links
/// around it are not.
const SHORTEST_BYTES: usize = 200;
/// Bits of the filter for each page: one false answer in 50,000 when it is full.
const BITS_A_PAGE: usize = 32;
const PROBES: u32 = 7;
/// Words of 64 bits in a block of the filter: one line of the cache.
const BLOCK: usize = 8;

/// Remembers the texts of the newest pages, and finds those that are nearly the same.
///
/// Memory: up to 96 to 136 bytes for each page of the capacity, whatever the pages are. A page is forgotten after as many
/// others, at the earliest. After a restart it is what it was if the logged facts are given to it again, in order.
#[derive(Debug)]
pub struct NearDuplicates {
    /// Hashes of the newest texts, and of those before.
    filters: [Filter; 2],
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
        Self { filters: [Filter::new(pages), Filter::new(pages)], ring: Ring::new(pages), most_bits }
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
        if self.filters.iter().any(|filter| filter.has(text.exact)) {
            return Verdict::Same;
        }
        if self.filters[0].is_full() {
            self.filters.swap(0, 1);
            self.filters[0].clear();
        }
        self.filters[0].add(text.exact);
        if let Some(found) = self.ring.nearest(text.simhash, self.most_bits) {
            return Verdict::Near { distance: found.distance };
        }
        self.ring.insert(text.simhash);
        Verdict::Novel
    }

    /// Bytes of memory in use.
    pub fn memory_bytes(&self) -> usize {
        self.ring.memory_bytes() + self.filters.iter().map(|filter| filter.words.len() * 8).sum::<usize>()
    }
}

/// A Bloom filter in blocks of 512 bits: a look at it is one at memory (Putze, Sanders and Singler, 2007).
#[derive(Debug)]
struct Filter {
    words: Vec<u64>,
    added: usize,
    capacity: usize,
}

impl Filter {
    fn new(capacity: usize) -> Self {
        let capacity = capacity.max(1);
        let blocks = (capacity * BITS_A_PAGE).div_ceil(BLOCK * 64);
        Self { words: vec![0; blocks * BLOCK], added: 0, capacity }
    }

    fn is_full(&self) -> bool {
        self.added >= self.capacity
    }

    fn clear(&mut self) {
        self.words.fill(0);
        self.added = 0;
    }

    fn has(&self, hash: u64) -> bool {
        let block = self.block(hash);
        probes(hash).all(|bit| self.words[block + bit / 64] >> (bit % 64) & 1 == 1)
    }

    fn add(&mut self, hash: u64) {
        let block = self.block(hash);
        probes(hash).for_each(|bit| self.words[block + bit / 64] |= 1 << (bit % 64));
        self.added += 1;
    }

    /// The upper bits of the hash choose the block, without a division.
    fn block(&self, hash: u64) -> usize {
        let blocks = (self.words.len() / BLOCK) as u128;
        ((u128::from(hash) * blocks) >> 64) as usize * BLOCK
    }
}

/// Nine bits of another mix of the hash for each probe.
fn probes(hash: u64) -> impl Iterator<Item = usize> {
    let mixed = (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (0..PROBES).map(move |probe| (mixed >> (9 * probe) & 0x1FF) as usize)
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
    fn a_full_filter_is_seldom_wrong() {
        let mut filter = Filter::new(20_000);
        (0..20_000).for_each(|seed| filter.add(text(seed).exact));
        assert!((0..20_000).all(|seed| filter.has(text(seed).exact)));
        let wrong = (20_000..420_000).filter(|&seed| filter.has(text(seed).exact)).count();
        assert!(wrong < 400_000 / 5_000, "{wrong}");
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
