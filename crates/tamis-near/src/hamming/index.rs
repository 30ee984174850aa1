//! A set of fingerprints that does not change.

use std::hint::black_box;

use super::{MOST, Match};

const BLOCKS: usize = 4;
const BLOCK_BITS: u32 = 16;
/// Bits of the next block by which the run of a block is sorted.
const NEXT_BITS: u32 = 4;
/// What of a run is scanned: where these bits are equal, and where one of them is not.
const SCANNED: [usize; 5] = [0, 1, 2, 4, 8];
const BUCKETS: usize = 1 << (BLOCK_BITS + NEXT_BITS);
/// Candidates that are looked at together.
const TOGETHER: usize = 32;

/// Finds near fingerprints in a set that does not change.
///
/// Cut into four blocks of 16 bits, two fingerprints that differ in three bits at most are equal in one block at least. For
/// each block there is a table of all fingerprints in the order of that block; the run of those that are equal in it is
/// `n / 65536` long where fingerprints are evenly spread. Of the blocks that are equal there is always one whose next
/// block (behind the last comes the first) differs in one bit at most: the other way round, each equal block would be followed by
/// two bits or more, and two equal blocks leave three bits for two others. So a run is sorted by the upper 4 bits of the next
/// block, and of its 16 parts only the 5 are scanned in which these differ in one bit at most.
///
/// What is scanned is not the fingerprint but 32 bits of it: of other fingerprints one in 800,000 is within three bits
/// there, and all of them are looked at whole.
///
/// Memory: 40 bytes for each fingerprint and 16 MiB. Up to 2^32 - 1 fingerprints; those beyond are not in the set.
#[derive(Clone, Debug)]
pub struct Index {
    fingerprints: Vec<u64>,
    tables: [Table; BLOCKS],
}

/// All fingerprints, in the order of one block.
#[derive(Clone, Debug)]
struct Table {
    /// Where the fingerprints of each bucket start; one more, where the last end.
    starts: Vec<u32>,
    /// The 32 bits behind the block.
    parts: Vec<u32>,
    ids: Vec<u32>,
}

impl Index {
    /// Takes some seconds for each 10 million fingerprints; ids are their places in the list.
    pub fn new(fingerprints: Vec<u64>) -> Self {
        let mut fingerprints = fingerprints;
        fingerprints.truncate(u32::MAX as usize);
        let tables = std::array::from_fn(|which| Table::new(&fingerprints, which));
        Self { fingerprints, tables }
    }

    /// How many fingerprints are in the set.
    pub fn len(&self) -> usize {
        self.fingerprints.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.fingerprints.is_empty()
    }

    /// All fingerprints within `k` bits (a `k` beyond [`MOST`] is taken for that), each once, in no order to rely on.
    pub fn matches(&self, fingerprint: u64, k: u32) -> impl Iterator<Item = Match> {
        let runs: [Runs; BLOCKS] =
            std::array::from_fn(|which| self.tables[which].runs(bucket(fingerprint, which)));
        self.fetch(&runs);
        let tables = self.tables.iter().zip(runs).enumerate();
        tables.flat_map(move |(which, (table, runs))| {
            table.candidates(runs, part(fingerprint, which)).filter_map(move |id| {
                let difference = self.fingerprints[id as usize] ^ fingerprint;
                let distance = difference.count_ones();
                let is_match = distance <= k.min(MOST) && counts_in(difference) == Some(which);
                is_match.then_some(Match { distance, id: u64::from(id) })
            })
        })
    }

    /// The nearest fingerprint within `k` bits (a `k` beyond [`MOST`] is taken for that), of several the first.
    pub fn nearest(&self, fingerprint: u64, k: u32) -> Option<Match> {
        self.matches(fingerprint, k).min()
    }

    /// Reads one of each 16 parts, a cache line, of all runs: waits for memory that nothing depends on pass at the same time.
    fn fetch(&self, runs: &[Runs; BLOCKS]) {
        let mut all = 0;
        for (table, runs) in self.tables.iter().zip(runs) {
            for &(start, end) in runs {
                all ^= table.parts[start as usize..end as usize]
                    .iter()
                    .step_by(16)
                    .fold(0, |all, part| all ^ part);
            }
        }
        black_box(all);
    }
}

/// Where what is scanned of one table starts and ends.
type Runs = [(u32, u32); SCANNED.len()];

impl Table {
    /// A counting sort: one pass to count, one to place.
    fn new(fingerprints: &[u64], which: usize) -> Self {
        let mut starts = vec![0_u32; BUCKETS + 1];
        for &fingerprint in fingerprints {
            starts[bucket(fingerprint, which) + 1] += 1;
        }
        for value in 0..BUCKETS {
            starts[value + 1] += starts[value];
        }
        let mut next = starts.clone();
        let (mut parts, mut ids) = (vec![0; fingerprints.len()], vec![0; fingerprints.len()]);
        for (id, &fingerprint) in (0_u32..).zip(fingerprints) {
            let place = &mut next[bucket(fingerprint, which)];
            parts[*place as usize] = part(fingerprint, which);
            ids[*place as usize] = id;
            *place += 1;
        }
        Self { starts, parts, ids }
    }

    fn runs(&self, bucket: usize) -> Runs {
        SCANNED.map(|flipped| (self.starts[bucket ^ flipped], self.starts[(bucket ^ flipped) + 1]))
    }

    /// Those of the runs that are near in the 32 bits behind the block.
    fn candidates(&self, runs: Runs, wanted: u32) -> impl Iterator<Item = u32> {
        runs.into_iter().flat_map(move |(start, end)| {
            let run = start as usize..end as usize;
            let chunks = self.parts[run.clone()].chunks(TOGETHER).zip(self.ids[run].chunks(TOGETHER));
            let near = chunks.filter(move |(parts, _)| has_near(parts, wanted));
            near.flat_map(move |(parts, ids)| {
                parts.iter().zip(ids).filter(move |(part, _)| is_near(**part, wanted)).map(|(_, id)| *id)
            })
        })
    }
}

/// Without a branch for each, so that the compiler looks at several in one step.
fn has_near(parts: &[u32], wanted: u32) -> bool {
    parts.iter().fold(false, |any, &part| any | is_near(part, wanted))
}

/// Whether at most three bits differ: nothing is left when the lowest one that differs is taken off three times.
#[inline]
fn is_near(part: u32, wanted: u32) -> bool {
    let take_lowest = |bits: u32| bits & bits.wrapping_sub(1);
    take_lowest(take_lowest(take_lowest(part ^ wanted))) == 0
}

#[inline]
fn block(fingerprint: u64, which: usize) -> usize {
    usize::from((fingerprint >> (BLOCK_BITS as usize * which)) as u16)
}

#[inline]
fn part(fingerprint: u64, which: usize) -> u32 {
    fingerprint.rotate_right(BLOCK_BITS * (which as u32 + 1)) as u32
}

/// The block, then the upper bits of the next.
#[inline]
fn bucket(fingerprint: u64, which: usize) -> usize {
    block(fingerprint, which) << NEXT_BITS
        | (block(fingerprint, (which + 1) % BLOCKS) >> (BLOCK_BITS - NEXT_BITS))
}

/// The one of the tables in which a match counts; it can be met in others, too.
fn counts_in(difference: u64) -> Option<usize> {
    let follows = |which: usize| block(difference, (which + 1) % BLOCKS).count_ones();
    (0..BLOCKS).find(|&which| block(difference, which) == 0 && follows(which) <= 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_empty_set_has_nothing_near() {
        let index = Index::new(Vec::new());
        assert!(index.is_empty());
        assert_eq!(index.nearest(0, 3), None);
    }

    #[test]
    fn the_nearest_is_named() {
        let index = Index::new(vec![0b111, 0b11, u64::MAX, 0b11]);
        assert_eq!(index.len(), 4);
        assert_eq!(index.nearest(0, 3), Some(Match { distance: 2, id: 1 }));
        assert_eq!(index.nearest(0, 1), None);
        assert_eq!(index.nearest(u64::MAX >> 3, 3), Some(Match { distance: 3, id: 2 }));
        assert_eq!(index.nearest(u64::MAX >> 4, 9), None);
    }

    /// All 43,745 ways to differ in three bits at most.
    #[test]
    fn every_difference_is_met_in_a_table() {
        let bits = || (0..64).map(|bit| 1_u64 << bit).chain([0]);
        for difference in
            bits().flat_map(|one| bits().flat_map(move |two| bits().map(move |three| one | two | three)))
        {
            let which = counts_in(difference).expect("it counts in one");
            let own = bucket(difference, which);
            assert!(SCANNED.contains(&own), "{difference:b}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn finds_what_comparing_with_all_finds(
            set in prop::collection::vec((0..3_u64, prop::collection::vec(0..64_u32, 0..5)), 0..300),
            bits in prop::collection::vec(0..64_u32, 0..3),
            k in 0..=MOST,
        ) {
            let flip = |from: u64, bits: &[u32]| bits.iter().fold(from, |all, bit| all ^ 1 << bit);
            let set: Vec<u64> = set.iter().map(|(centre, bits)| flip(centre * 0x0123_4567_89AB_CDEF, bits)).collect();
            let wanted = flip(0x0123_4567_89AB_CDEF, &bits);
            let near = (0..).zip(&set).map(|(id, other)| Match { distance: (other ^ wanted).count_ones(), id });
            let expected: Vec<Match> = near.filter(|found| found.distance <= k).collect();
            let mut found: Vec<Match> = Index::new(set.clone()).matches(wanted, k).collect();
            found.sort_by_key(|found| found.id);
            prop_assert_eq!(found, expected);
        }
    }
}
