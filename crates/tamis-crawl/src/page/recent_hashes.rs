//! Whether a hash was seen lately, in constant memory.

/// Bits of a filter for each hash: one false answer in 50,000 when it is full.
const BITS_A_HASH: usize = 32;
const PROBES: u32 = 7;
/// Words of 64 bits in a block of the filter: one line of the cache.
const BLOCK: usize = 8;

/// The newest hashes: at least as many as its capacity, at most twice as many. Memory: 8 bytes for each of the capacity.
#[derive(Debug)]
pub(crate) struct RecentHashes {
    /// The newest, and those before.
    filters: [Filter; 2],
}

impl RecentHashes {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { filters: [Filter::new(capacity), Filter::new(capacity)] }
    }

    /// Adds a hash; says whether it was not there.
    pub(crate) fn insert(&mut self, hash: u64) -> bool {
        if self.filters.iter().any(|filter| filter.has(hash)) {
            return false;
        }
        if self.filters[0].is_full() {
            self.filters.swap(0, 1);
            self.filters[0].clear();
        }
        self.filters[0].add(hash);
        true
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.filters.iter().map(|filter| filter.words.len() * 8).sum()
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
        let blocks = (capacity * BITS_A_HASH).div_ceil(BLOCK * 64);
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

    fn spread(seed: u64) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&seed.to_le_bytes())
    }

    #[test]
    fn a_full_filter_is_seldom_wrong() {
        let mut filter = Filter::new(20_000);
        (0..20_000).for_each(|seed| filter.add(spread(seed)));
        assert!((0..20_000).all(|seed| filter.has(spread(seed))));
        let wrong = (20_000..420_000).filter(|&seed| filter.has(spread(seed))).count();
        assert!(wrong < 400_000 / 5_000, "{wrong}");
    }
}
