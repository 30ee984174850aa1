//! The arrays S and V of the Mercator sieve: signatures in memory with the place at which each was offered.
//!
//! S is kept in buckets by the first bits of the signature, so that it is half sorted as it fills: what is left is to
//! sort buckets that fit the second-level cache, one after the other, with no copy of the whole. Signatures are
//! spread evenly, so that buckets of one fixed size are full nearly at once.

/// Buckets of about so many entries: with the scratch beside them they fit a cache of 1 MB.
const BUCKET_LOG2: u32 = 14;
/// More buckets than that, and their ends no longer share the second-level TLB.
const MOST_BUCKETS_LOG2: u32 = 10;

/// A signature, its upper half first, and the number of its offer. An array and no struct, so that the many of them
/// come as zeros from the operating system, and take memory only when they are used.
type Entry = [u32; 3];

/// Signatures by the order in which they were offered. Memory: fixed when it is made.
#[derive(Debug)]
pub(super) struct Signatures {
    entries: Vec<Entry>,
    lens: Vec<u32>,
    bucket_len: usize,
    bucket_bits: u32,
    offered: u32,
    scratch: Vec<Entry>,
    counts: Vec<u32>,
}

impl Signatures {
    /// As many as fit in so much memory, two at the least.
    pub(super) fn new(memory_bytes: usize) -> Self {
        let room = (memory_bytes / size_of::<Entry>()).clamp(2, u32::MAX as usize);
        let bucket_bits = (room >> BUCKET_LOG2).max(1).ilog2().min(MOST_BUCKETS_LOG2);
        let buckets = 1 << bucket_bits;
        // One more for the scratch, and as much as two thirds of another for the counts.
        let bucket_len = (room / (buckets + 2)).max(2);
        Self {
            entries: vec![[0; 3]; bucket_len * buckets],
            lens: vec![0; buckets],
            bucket_len,
            bucket_bits,
            offered: 0,
            scratch: vec![[0; 3]; bucket_len],
            counts: Vec::new(),
        }
    }

    pub(super) fn len_bytes(&self) -> usize {
        (self.entries.len() + self.scratch.len()) * size_of::<Entry>()
            + (self.lens.len() + self.counts.len()) * size_of::<u32>()
    }

    /// How many were pushed.
    pub(super) fn len(&self) -> u32 {
        self.offered
    }

    /// Adds the signature of the next offer; `false` if there is no room for it.
    #[inline]
    #[must_use]
    pub(super) fn push(&mut self, signature: u64) -> bool {
        let bucket = self.bucket(signature);
        let len = self.lens[bucket] as usize;
        if len == self.bucket_len {
            return false;
        }
        self.entries[bucket * self.bucket_len + len] =
            [(signature >> 32) as u32, signature as u32, self.offered];
        self.lens[bucket] += 1;
        self.offered += 1;
        true
    }

    /// Hands out each signature once, in ascending order, with the number of its first offer.
    pub(super) fn for_each_sorted<E>(
        &mut self,
        mut each: impl FnMut(u64, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        for bucket in 0..self.lens.len() {
            let mut before = None;
            for entry in self.sort(bucket) {
                let signature = signature_of(entry);
                if before.replace(signature) != Some(signature) {
                    each(signature, entry[2])?;
                }
            }
        }
        Ok(())
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.lens.fill(0);
        self.offered = 0;
    }

    #[inline]
    fn bucket(&self, signature: u64) -> usize {
        // In two steps, because a number cannot be shifted by all of its bits.
        (signature >> 1 >> (63 - self.bucket_bits)) as usize
    }

    /// A bucket, sorted by signature and offer: dealt out by as many bits as tell most of them apart, then mended.
    fn sort(&mut self, bucket: usize) -> &[Entry] {
        let len = self.lens[bucket] as usize;
        let bits = len.max(2).ilog2();
        let (skip, first) = (self.bucket_bits, bucket * self.bucket_len);
        let slot = |entry: &Entry| (signature_of(entry) << skip >> (64 - bits)) as usize;
        let entries = &self.entries[first..first + len];
        let sorted = &mut self.scratch[..len];
        self.counts.clear();
        self.counts.resize(1 << bits, 0);
        for entry in entries {
            self.counts[slot(entry)] += 1;
        }
        let mut start = 0;
        for count in &mut self.counts {
            start += std::mem::replace(count, start);
        }
        for entry in entries {
            let place = &mut self.counts[slot(entry)];
            sorted[*place as usize] = *entry;
            *place += 1;
        }
        mend(sorted);
        sorted
    }
}

#[inline]
fn signature_of(&[high, low, _]: &Entry) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// Sorts what is nearly sorted by insertion. What is not, because somebody chose the URLs for it, is sorted in full.
fn mend(entries: &mut [Entry]) {
    let mut moves_left = 8 * entries.len();
    for next in 1..entries.len() {
        let entry = entries[next];
        let mut place = next;
        while place > 0 && signature_of(&entries[place - 1]) > signature_of(&entry) {
            entries[place] = entries[place - 1];
            place -= 1;
        }
        entries[place] = entry;
        if next - place > moves_left {
            entries.sort_unstable_by_key(|entry| (signature_of(entry), entry[2]));
            return;
        }
        moves_left -= next - place;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::convert::Infallible;

    use super::*;

    fn sorted(signatures: &mut Signatures) -> Vec<(u64, u32)> {
        let mut out = Vec::new();
        let each = |signature, ordinal| {
            out.push((signature, ordinal));
            Ok::<_, Infallible>(())
        };
        signatures.for_each_sorted(each).expect("infallible");
        out
    }

    /// Fills it with what `next` gives and holds the outcome against a sorted map.
    fn check(memory_bytes: usize, next: impl Fn(u64) -> u64) -> usize {
        let mut signatures = Signatures::new(memory_bytes);
        let mut firsts = BTreeMap::new();
        let mut ordinal = 0;
        while ordinal < 200_000 && signatures.push(next(ordinal)) {
            firsts.entry(next(ordinal)).or_insert(ordinal as u32);
            ordinal += 1;
        }
        assert_eq!(sorted(&mut signatures), firsts.into_iter().collect::<Vec<_>>());
        assert!(signatures.len_bytes() <= memory_bytes.max(100), "{} bytes", signatures.len_bytes());
        ordinal as usize
    }

    fn spread(n: u64) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes())
    }

    #[test]
    fn in_order_once_and_with_the_first_offer() {
        for memory_bytes in [0, 100, 10_000, 1_000_000] {
            check(memory_bytes, spread);
            check(memory_bytes, |n| spread(n / 3));
            check(memory_bytes, |n| spread(n % 1000));
        }
    }

    #[test]
    fn buckets_are_full_nearly_at_once() {
        let memory_bytes = 1 << 21;
        let filled = check(memory_bytes, spread) * size_of::<Entry>();
        assert!(filled > memory_bytes * 3 / 4, "{filled}");
    }

    #[test]
    fn chosen_signatures_cost_no_more_than_a_sort() {
        check(1_000_000, |n| 1 << 63 | (100_000 - n));
        check(1_000_000, |n| n % 2);
        check(1_000_000, |_| u64::MAX);
    }
}
