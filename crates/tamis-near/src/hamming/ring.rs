//! The newest fingerprints of a stream.

use super::{MOST, Match};

/// Pairs of blocks: 5 over 2.
const PAIRS: usize = 10;
/// The bits of each pair. Blocks have 13 bits, the last one 12.
const MASKS: [u64; PAIRS] = masks();
/// The largest ring: places and steps in it fit 31 bits.
const LARGEST: usize = 1 << 31;
/// Bits of a hash at first (few in tests, whose rings are small), and at most.
const FIRST_BITS: u32 = if cfg!(test) { 2 } else { 10 };
const MOST_BITS: u32 = 26;

/// Keeps the newest fingerprints, up to a capacity, and finds near ones among them.
///
/// Cut into five blocks, two fingerprints that differ in three bits at most are equal in two blocks at least. For each of
/// the ten pairs of blocks there are chains of fingerprints that share it, and since a pair has some 26 bits, few are looked
/// at in vain.
///
/// Memory: 48 bytes for each that is kept, and 40 to 80 more, but no less than 40 KiB. Searching looks at ten to twenty fingerprints
/// where they are evenly spread. Inserting takes constant time on average, and so does forgetting the oldest: each
/// fingerprint knows how far back the one before it in its chain is, and a chain ends where it leads behind the oldest.
#[derive(Clone, Debug)]
pub struct Ring {
    slots: Vec<Slot>,
    capacity: usize,
    inserted: u64,
    /// For each pair and hash of its bits, the lower half of one more than the id of the newest fingerprint with it.
    ///
    /// Where there was none this names one all the same, but one that is no longer kept; or, after 2^32 inserts, one that
    /// is looked at in vain.
    newest: Vec<u32>,
    /// Bits of a hash.
    hash_bits: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    fingerprint: u64,
    /// How many inserts ago the one before in each chain was; more than the capacity if there is none.
    back: [u32; PAIRS],
}

impl Ring {
    /// A ring of so many fingerprints, at least one and at most 2^31. It takes memory as it is filled.
    pub fn new(capacity: usize) -> Self {
        let capacity = capacity.clamp(1, LARGEST);
        let newest = vec![0; PAIRS << FIRST_BITS];
        Self { slots: Vec::new(), capacity, inserted: 0, newest, hash_bits: FIRST_BITS }
    }

    /// How many fingerprints are kept.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Bytes of memory in use.
    pub fn memory_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>() + self.newest.len() * size_of::<u32>()
    }

    /// Adds a fingerprint, in the place of the oldest if the ring is full. Its id is the number of those before it.
    pub fn insert(&mut self, fingerprint: u64) -> u64 {
        let id = self.inserted;
        if self.slots.len() == 1 << self.hash_bits
            && self.hash_bits < MOST_BITS
            && self.slots.len() < self.capacity
        {
            self.spread();
        }
        let slot = self.linked(fingerprint, id);
        if self.slots.len() < self.capacity {
            if self.slots.len() == self.slots.capacity() {
                // Doubling, but never beyond the capacity, as pushing would.
                let more = self.slots.len().max(1024).min(self.capacity - self.slots.len());
                self.slots.reserve_exact(more);
            }
            self.slots.push(slot);
        } else {
            let place = (id % self.capacity as u64) as usize;
            self.slots[place] = slot;
        }
        self.inserted += 1;
        id
    }

    /// The newest in the chains of a fingerprint.
    fn linked(&mut self, fingerprint: u64, id: u64) -> Slot {
        let back = std::array::from_fn(|pair| {
            let at = self.chain(fingerprint, pair);
            let before = std::mem::replace(&mut self.newest[at], (id + 1) as u32);
            (id as u32).wrapping_sub(before).saturating_add(1)
        });
        Slot { fingerprint, back }
    }

    /// Twice as many chains. The ring is not full yet: ids are places.
    fn spread(&mut self) {
        self.hash_bits += 1;
        self.newest = vec![0; PAIRS << self.hash_bits];
        for id in 0..self.slots.len() {
            self.slots[id] = self.linked(self.slots[id].fingerprint, id as u64);
        }
    }

    /// The nearest fingerprint within `k` bits (a `k` beyond [`MOST`] is taken for that), of several the newest.
    pub fn nearest(&self, fingerprint: u64, k: u32) -> Option<Match> {
        self.matches(fingerprint, k).min_by_key(|found| (found.distance, std::cmp::Reverse(found.id)))
    }

    /// All fingerprints within `k` bits (a `k` beyond [`MOST`] is taken for that), each once, in no order to rely on.
    pub fn matches(&self, fingerprint: u64, k: u32) -> impl Iterator<Item = Match> {
        let oldest = self.inserted - self.slots.len() as u64;
        Chains::new(self, fingerprint).filter_map(move |seen| {
            let difference = seen.fingerprint ^ fingerprint;
            let distance = difference.count_ones();
            let is_match = distance <= k.min(MOST) && first_equal_pair(difference) == Some(seen.pair);
            is_match.then(|| Match { distance, id: oldest + u64::from(seen.rank) })
        })
    }

    /// Where the newest of a fingerprint's chain stands in [`Ring::newest`].
    fn chain(&self, fingerprint: u64, pair: usize) -> usize {
        let hash = (fingerprint & MASKS[pair]).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.hash_bits);
        pair << self.hash_bits | hash as usize
    }
}

/// The fingerprints that share a chain with one, a step in each of the ten chains by turns, so that the waits for
/// memory overlap.
struct Chains<'r> {
    ring: &'r Ring,
    /// The next of each chain that goes on.
    next: [Link; PAIRS],
    open: usize,
    turn: usize,
}

#[derive(Clone, Copy, Default)]
struct Link {
    pair: usize,
    /// How many older ones are kept.
    rank: u32,
    place: usize,
}

struct Seen {
    pair: usize,
    rank: u32,
    fingerprint: u64,
}

impl<'r> Chains<'r> {
    fn new(ring: &'r Ring, fingerprint: u64) -> Self {
        let mut chains = Chains { ring, next: [Link::default(); PAIRS], open: 0, turn: 0 };
        let end = (ring.inserted % ring.capacity as u64) as usize;
        for pair in 0..PAIRS {
            let newest = ring.newest[ring.chain(fingerprint, pair)];
            let back = (ring.inserted as u32).wrapping_sub(newest).saturating_add(1);
            let link = Link { pair, rank: ring.slots.len() as u32, place: end };
            if let Some(link) = chains.before(link, back) {
                chains.next[chains.open] = link;
                chains.open += 1;
            }
        }
        chains
    }

    fn before(&self, link: Link, back: u32) -> Option<Link> {
        let rank = link.rank.checked_sub(back)?;
        let back = back as usize;
        let place = link.place.checked_sub(back).unwrap_or(link.place + self.ring.capacity - back);
        Some(Link { rank, place, ..link })
    }
}

impl Iterator for Chains<'_> {
    type Item = Seen;

    fn next(&mut self) -> Option<Seen> {
        if self.turn >= self.open {
            self.turn = 0;
        }
        let link = *self.next[..self.open].get(self.turn)?;
        let slot = &self.ring.slots[link.place];
        if let Some(before) = self.before(link, slot.back[link.pair]) {
            self.next[self.turn] = before;
            self.turn += 1;
        } else {
            self.open -= 1;
            self.next[self.turn] = self.next[self.open];
        }
        Some(Seen { pair: link.pair, rank: link.rank, fingerprint: slot.fingerprint })
    }
}

/// The one of the pairs that are equal in which a match counts; it may be met in others, too.
fn first_equal_pair(difference: u64) -> Option<usize> {
    MASKS.iter().position(|mask| difference & mask == 0)
}

const fn masks() -> [u64; PAIRS] {
    let mut masks = [0; PAIRS];
    let (mut pair, mut high) = (0, 1);
    while high < 5 {
        let mut low = 0;
        while low < high {
            masks[pair] = 0x1FFF << (13 * high) | 0x1FFF << (13 * low);
            (pair, low) = (pair + 1, low + 1);
        }
        high += 1;
    }
    masks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn near_ones_are_found_and_far_ones_are_not() {
        let mut ring = Ring::new(100);
        ring.insert(0);
        for (fingerprint, k, distance) in [
            (0, 0, Some(0)),
            (1, 0, None),
            (1, 1, Some(1)),
            (1 << 63 | 1, 2, Some(2)),
            (1 << 63 | 1 << 32 | 1, 3, Some(3)),
            (1 << 63 | 1 << 32 | 1 << 16 | 1, 3, None),
            (1 << 63 | 1 << 32 | 1 << 16 | 1, 9, None),
        ] {
            let found = ring.nearest(fingerprint, k).map(|found| found.distance);
            assert_eq!(found, distance, "{fingerprint:x} {k}");
        }
    }

    #[test]
    fn the_oldest_is_forgotten() {
        let mut ring = Ring::new(3);
        for fingerprint in [10, 20, 30, 40] {
            ring.insert(fingerprint << 40);
        }
        assert_eq!(ring.len(), 3);
        assert_eq!(ring.nearest(10 << 40, 0), None);
        assert_eq!(ring.nearest(20 << 40, 0), Some(Match { distance: 0, id: 1 }));
    }

    #[test]
    fn of_equals_the_newest_is_named() {
        let mut ring = Ring::new(10);
        ring.insert(8);
        ring.insert(8);
        assert_eq!(ring.nearest(8, 3), Some(Match { distance: 0, id: 1 }));
        assert_eq!(ring.nearest(9, 3), Some(Match { distance: 1, id: 1 }));
        assert_eq!(ring.matches(8, 3).count(), 2);
    }

    /// Fingerprints around a few centres, so that many are near each other.
    fn fingerprints() -> impl Strategy<Value = Vec<u64>> {
        let near = (0..4_u64, prop::collection::vec(0..64_u32, 0..5)).prop_map(|(centre, bits)| {
            bits.iter().fold(centre.wrapping_mul(0x0123_4567_89AB_CDEF), |all, bit| all ^ (1 << bit))
        });
        prop::collection::vec(near, 1..300)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn finds_what_comparing_with_all_finds(stream in fingerprints(), capacity in 1..200_usize, k in 0..=MOST) {
            let mut ring = Ring::new(capacity);
            for (at, &fingerprint) in stream.iter().enumerate() {
                let kept = stream[..at].iter().enumerate().skip(at.saturating_sub(capacity));
                let near = kept.map(|(id, other)| Match { distance: (other ^ fingerprint).count_ones(), id: id as u64 });
                let mut expected: Vec<Match> = near.filter(|found| found.distance <= k).collect();
                let mut found: Vec<Match> = ring.matches(fingerprint, k).collect();
                expected.sort();
                found.sort();
                prop_assert_eq!(&found, &expected);
                let nearest = expected.iter().min_by_key(|found| (found.distance, std::cmp::Reverse(found.id)));
                prop_assert_eq!(ring.nearest(fingerprint, k), nearest.copied());
                ring.insert(fingerprint);
            }
        }
    }
}
