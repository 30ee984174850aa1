//! Counts of very many things in little memory.

/// Rows of counters; a thing has one in each, and its count is the least of them.
const ROWS: usize = 4;

/// A count-min sketch with conservative update: counts are never too low, and too high only where four other things
/// share all counters of one (Estan & Varghese 2002).
#[derive(Debug)]
pub(super) struct Sketch {
    counters: Box<[u32]>,
    row_mask: u64,
}

impl Sketch {
    /// With this many counters a row, a power of two; 16 bytes each.
    pub(super) fn new(row_len_log2: u32) -> Self {
        let row_len = 1_usize << row_len_log2;
        Self { counters: vec![0; ROWS * row_len].into(), row_mask: row_len as u64 - 1 }
    }

    pub(super) fn count(&self, key: u64) -> u32 {
        self.places(key).map(|at| self.counters[at]).min().unwrap_or(0)
    }

    pub(super) fn add(&mut self, key: u64) {
        let count = self.count(key).saturating_add(1);
        for at in self.places(key) {
            self.counters[at] = self.counters[at].max(count);
        }
    }

    #[cfg(test)]
    pub(super) fn counters_sum(&self) -> u64 {
        self.counters.iter().copied().map(u64::from).sum()
    }

    /// A place in each row, by two halves of the key (Kirsch & Mitzenmacher 2006).
    fn places(&self, key: u64) -> impl Iterator<Item = usize> + use<> {
        let (first, step, mask) = (key, key >> 32 | 1, self.row_mask);
        (0..ROWS as u64).map(move |row| {
            let at = first.wrapping_add(row.wrapping_mul(step).wrapping_mul(0x9E37_79B9_7F4A_7C15)) & mask;
            (row * (mask + 1) + at) as usize
        })
    }
}

/// How often things of late came; what shares its place with a newer thing is forgotten, so that a count may be too
/// low, but never too high but for one in sixteen million.
#[derive(Debug)]
pub(super) struct Recent {
    /// 24 bits of the thing, 8 of its count.
    slots: Box<[u32]>,
}

impl Recent {
    /// With this many places, a power of two; 4 bytes each.
    pub(super) fn new(len_log2: u32) -> Self {
        Self { slots: vec![0; 1 << len_log2].into() }
    }

    pub(super) fn count(&self, key: u64) -> u32 {
        let slot = self.slots[self.place(key)];
        if slot >> 8 == mark(key) { slot & 0xFF } else { 0 }
    }

    pub(super) fn add(&mut self, key: u64) {
        let count = (self.count(key) + 1).min(0xFF);
        let place = self.place(key);
        self.slots[place] = mark(key) << 8 | count;
    }

    fn place(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }
}

fn mark(key: u64) -> u32 {
    (key >> 40) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u64) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes())
    }

    #[test]
    fn a_sketch_never_counts_too_little_and_seldom_too_much() {
        let mut sketch = Sketch::new(12);
        for n in 0..10_000 {
            (0..=n % 10).for_each(|_| sketch.add(key(n)));
        }
        let too_much: u32 = (0..10_000)
            .map(|n| {
                let count = sketch.count(key(n));
                assert!(u64::from(count) > n % 10, "{n}");
                count - (n % 10) as u32 - 1
            })
            .sum();
        assert!(too_much < 10_000 * 8, "{too_much}: fourteen adds a counter");
        let unseen: u32 = (10_000..20_000).map(|n| sketch.count(key(n))).max().unwrap_or(0);
        assert!(unseen < 30, "{unseen}");
    }

    #[test]
    fn recent_things_are_counted_and_old_ones_forgotten() {
        let mut recent = Recent::new(8);
        (0..300).for_each(|_| recent.add(key(1)));
        assert_eq!(recent.count(key(1)), 255);
        (2..5_000).for_each(|n| recent.add(key(n)));
        assert_eq!(recent.count(key(1)), 0);
        assert_eq!(recent.count(key(4_999)), 1);
    }
}
