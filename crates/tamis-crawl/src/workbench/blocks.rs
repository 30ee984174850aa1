//! Entries in memory: lists of small blocks out of one pool.

use super::Entry;

/// Entries in a block, so that it fills two lines of cache.
pub(super) const BLOCK_ENTRIES: usize = 10;

/// "No block" in links.
const NONE: u32 = u32::MAX;

/// All blocks there will ever be; the hard bound of the entries in memory.
#[derive(Debug)]
pub(super) struct Blocks {
    all: Vec<Block>,
    /// The first of the free blocks that were in use before.
    free: u32,
    used: usize,
    limit: usize,
}

#[derive(Debug, Clone)]
struct Block {
    ids: [u64; BLOCK_ENTRIES],
    scores: [f32; BLOCK_ENTRIES],
    next: u32,
    begin: u8,
    end: u8,
}

/// A list of entries in blocks. It must be given back with [`Blocks::clear`].
#[derive(Debug, Clone)]
pub(super) struct Run {
    first: u32,
    last: u32,
    blocks: u32,
    len: u32,
}

impl Default for Run {
    fn default() -> Self {
        Self { first: NONE, last: NONE, blocks: 0, len: 0 }
    }
}

impl Run {
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn blocks(&self) -> usize {
        self.blocks as usize
    }
}

impl Blocks {
    /// As many blocks as fit; the memory is taken only as it is used.
    pub(super) fn new(memory_bytes: usize) -> Self {
        // With fewer, queues would push each other out at every step.
        let limit = (memory_bytes / size_of::<Block>()).clamp(4, NONE as usize);
        Self { all: Vec::new(), free: NONE, used: 0, limit }
    }

    /// How many more blocks there are.
    pub(super) fn left(&self) -> usize {
        self.limit - self.used
    }

    pub(super) fn used_bytes(&self) -> usize {
        self.all.capacity() * size_of::<Block>()
    }

    pub(super) fn push_back(&mut self, run: &mut Run, entry: Entry) {
        if run.blocks == 0 || self.at(run.last).end as usize == BLOCK_ENTRIES {
            self.grow_back(run);
        }
        self.at(run.last).push_back(entry);
        run.len += 1;
    }

    pub(super) fn push_front(&mut self, run: &mut Run, entry: Entry) {
        if run.blocks == 0 || self.at(run.first).begin == 0 {
            self.grow_front(run);
        }
        let block = self.at(run.first);
        block.begin -= 1;
        block.set(block.begin.into(), entry);
        run.len += 1;
    }

    pub(super) fn pop_front(&mut self, run: &mut Run) -> Option<Entry> {
        if run.is_empty() {
            return None;
        }
        let block = self.at(run.first);
        let entry = block.get(block.begin.into());
        block.begin += 1;
        let (next, emptied) = (block.next, block.begin == block.end);
        run.len -= 1;
        if emptied {
            self.release(run.first);
            run.blocks -= 1;
            run.first = next;
            if run.blocks == 0 {
                *run = Run::default();
            }
        }
        Some(entry)
    }

    /// Puts an entry where scores fall: behind those as good as itself, or before them.
    pub(super) fn insert(&mut self, run: &mut Run, entry: Entry, before_equals: bool) {
        let precedes = |other: f32| if before_equals { other > entry.score } else { other >= entry.score };
        let mut block = run.first;
        // The last block whose first entry precedes the new one.
        while block != NONE && block != run.last {
            let next = self.at(block).next;
            let head = self.at(next);
            if !precedes(head.scores[head.begin as usize]) {
                break;
            }
            block = next;
        }
        if block == NONE {
            return self.push_back(run, entry);
        }
        let block = self.room_in(run, block, &precedes);
        self.at(block).insert(entry, &precedes);
        run.len += 1;
    }

    /// The first entry, without removing it.
    pub(super) fn first(&self, run: &Run) -> Option<Entry> {
        let block = self.all.get(run.first as usize).filter(|_| run.len > 0)?;
        Some(block.get(block.begin.into()))
    }

    /// The last entry, without removing it.
    pub(super) fn last(&self, run: &Run) -> Option<Entry> {
        let block = self.all.get(run.last as usize)?;
        Some(block.get(usize::from(block.end) - 1))
    }

    /// Everything behind the first `keep` blocks, in order, appended to `into`; removed only by
    /// [`cut`](Self::cut), when it is safe elsewhere.
    pub(super) fn copy_tail(&self, run: &Run, keep: usize, into: &mut Vec<Entry>) {
        for block in self.blocks_of(run).skip(keep) {
            let block = &self.all[block as usize];
            into.extend((block.begin..block.end).map(|place| block.get(place.into())));
        }
    }

    /// Removes the last `count` entries, all of which stand behind the first `keep` blocks.
    pub(super) fn cut(&mut self, run: &mut Run, keep: usize, count: usize) {
        if count == run.len() {
            return self.clear(run);
        }
        let behind: Vec<u32> = self.blocks_of(run).skip(keep.saturating_sub(1)).collect();
        let mut left = count;
        for (place, block) in behind.iter().enumerate().rev() {
            let held = self.at(*block).len();
            if held > left {
                self.at(*block).end -= left as u8;
                run.last = *block;
                break;
            }
            left -= held;
            self.release(*block);
            run.blocks -= 1;
            if left == 0 {
                run.last = behind[place.saturating_sub(1)];
                break;
            }
        }
        run.len -= count as u32;
    }

    /// Removes everything.
    pub(super) fn clear(&mut self, run: &mut Run) {
        let mut block = run.first;
        while block != NONE {
            let next = if block == run.last { NONE } else { self.at(block).next };
            self.release(block);
            block = next;
        }
        *run = Run::default();
    }

    /// The block itself if it has room; otherwise it gives its better half to itself and the rest to a new
    /// block behind it, and the one of the two is returned where the entry belongs.
    fn room_in(&mut self, run: &mut Run, block: u32, precedes: &impl Fn(f32) -> bool) -> u32 {
        if self.at(block).len() < BLOCK_ENTRIES {
            return block;
        }
        let new = self.take();
        let half = BLOCK_ENTRIES / 2;
        let old = self.at(block);
        let mut rest = Block { next: old.next, ..Block::EMPTY };
        for place in half..BLOCK_ENTRIES {
            rest.push_back(old.get(place));
        }
        old.end = half as u8;
        old.next = new;
        let goes_to_new = precedes(rest.scores[0]);
        *self.at(new) = rest;
        run.blocks += 1;
        if run.last == block {
            run.last = new;
        }
        if goes_to_new { new } else { block }
    }

    fn blocks_of(&self, run: &Run) -> impl Iterator<Item = u32> {
        let count = run.blocks as usize;
        let links = std::iter::successors(Some(run.first), |block| Some(self.all[*block as usize].next));
        links.take_while(|block| *block != NONE).take(count)
    }

    fn grow_back(&mut self, run: &mut Run) {
        let new = self.take();
        if run.blocks == 0 {
            run.first = new;
        } else {
            self.at(run.last).next = new;
        }
        run.last = new;
        run.blocks += 1;
    }

    fn grow_front(&mut self, run: &mut Run) {
        let new = self.take();
        let full = BLOCK_ENTRIES as u8;
        *self.at(new) = Block { next: run.first, begin: full, end: full, ..Block::EMPTY };
        if run.blocks == 0 {
            run.last = new;
        }
        run.first = new;
        run.blocks += 1;
    }

    /// An empty block. The caller has seen to it that one is [`left`](Self::left).
    fn take(&mut self) -> u32 {
        debug_assert!(self.left() > 0, "a block is taken beyond the bound");
        self.used += 1;
        if self.free == NONE {
            self.reserve();
            self.all.push(Block::EMPTY);
            return self.all.len() as u32 - 1;
        }
        let block = self.free;
        self.free = self.at(block).next;
        *self.at(block) = Block::EMPTY;
        block
    }

    /// Grows by halves and never beyond the bound: a vector's own doubling would take twice of it.
    fn reserve(&mut self) {
        if self.all.len() == self.all.capacity() {
            let more = (self.all.len() / 2).max(64).min(self.limit.saturating_sub(self.all.len()));
            self.all.reserve_exact(more.max(1));
        }
    }

    fn release(&mut self, block: u32) {
        self.at(block).next = self.free;
        self.free = block;
        self.used -= 1;
    }

    fn at(&mut self, block: u32) -> &mut Block {
        &mut self.all[block as usize]
    }
}

impl Block {
    const EMPTY: Self =
        Self { ids: [0; BLOCK_ENTRIES], scores: [0.0; BLOCK_ENTRIES], next: NONE, begin: 0, end: 0 };

    fn len(&self) -> usize {
        usize::from(self.end - self.begin)
    }

    fn get(&self, place: usize) -> Entry {
        Entry { id: self.ids[place], score: self.scores[place] }
    }

    fn set(&mut self, place: usize, entry: Entry) {
        self.ids[place] = entry.id;
        self.scores[place] = entry.score;
    }

    fn push_back(&mut self, entry: Entry) {
        self.set(self.end.into(), entry);
        self.end += 1;
    }

    /// Into a block with room, which may be at either end.
    fn insert(&mut self, entry: Entry, precedes: &impl Fn(f32) -> bool) {
        let (begin, end) = (usize::from(self.begin), usize::from(self.end));
        let place = (begin..end).find(|place| !precedes(self.scores[*place])).unwrap_or(end);
        if end < BLOCK_ENTRIES {
            self.ids.copy_within(place..end, place + 1);
            self.scores.copy_within(place..end, place + 1);
            self.set(place, entry);
            self.end += 1;
        } else {
            self.ids.copy_within(begin..place, begin - 1);
            self.scores.copy_within(begin..place, begin - 1);
            self.set(place - 1, entry);
            self.begin -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(blocks: &Blocks, run: &Run) -> Vec<(u64, f32)> {
        let mut entries = Vec::new();
        blocks.copy_tail(run, 0, &mut entries);
        entries.iter().map(|entry| (entry.id, entry.score)).collect()
    }

    #[test]
    fn a_block_fills_two_lines_of_cache() {
        assert_eq!(size_of::<Block>(), 128);
    }

    proptest! {
        #[test]
        fn a_run_is_a_list(steps in prop::collection::vec((0..5_u8, 0..6_u8), 0..400)) {
            let mut blocks = Blocks::new(1 << 20);
            let (mut run, mut oracle) = (Run::default(), Vec::new());
            for (id, (step, score)) in (0..).zip(steps) {
                let entry = Entry { id, score: f32::from(score) };
                match step {
                    0 | 1 => {
                        blocks.push_back(&mut run, entry);
                        oracle.push((id, entry.score));
                    }
                    2 => {
                        blocks.push_front(&mut run, entry);
                        oracle.insert(0, (id, entry.score));
                    }
                    3 => {
                        let popped = blocks.pop_front(&mut run).map(|entry| entry.id);
                        let expected = (!oracle.is_empty()).then(|| oracle.remove(0).0);
                        prop_assert_eq!(popped, expected);
                    }
                    _ => {
                        let keep = usize::from(score).min(run.blocks());
                        let mut tail = Vec::new();
                        blocks.copy_tail(&run, keep, &mut tail);
                        let count = tail.len() - tail.len() * usize::from(score) / 8;
                        blocks.cut(&mut run, keep, count);
                        oracle.truncate(oracle.len() - count);
                    }
                }
                prop_assert_eq!(run.len(), oracle.len());
                prop_assert_eq!(blocks.used, run.blocks());
                prop_assert_eq!(all(&blocks, &run), oracle.clone());
                prop_assert_eq!(blocks.first(&run).map(|entry| entry.id), oracle.first().map(|(id, _)| *id));
                prop_assert_eq!(blocks.last(&run).map(|entry| entry.id), oracle.last().map(|(id, _)| *id));
            }
            blocks.clear(&mut run);
            prop_assert_eq!(blocks.used, 0);
        }

        #[test]
        fn inserted_entries_stand_by_score_and_arrival(
            steps in prop::collection::vec((0..4_u8, 0..6_u8), 0..400)
        ) {
            let mut blocks = Blocks::new(1 << 20);
            let (mut run, mut oracle) = (Run::default(), Vec::<(u64, f32)>::new());
            for (id, (step, score)) in (0..).zip(steps) {
                let entry = Entry { id, score: f32::from(score) };
                if step == 3 {
                    prop_assert_eq!(blocks.pop_front(&mut run).is_some(), !oracle.is_empty());
                    oracle.drain(..1.min(oracle.len()));
                } else {
                    let front = step == 2;
                    blocks.insert(&mut run, entry, front);
                    let precedes = |other: &(u64, f32)| if front { other.1 > entry.score } else { other.1 >= entry.score };
                    let place = oracle.iter().position(|other| !precedes(other)).unwrap_or(oracle.len());
                    oracle.insert(place, (id, entry.score));
                }
                prop_assert_eq!(all(&blocks, &run), oracle.clone());
                prop_assert_eq!((run.len(), blocks.used), (oracle.len(), run.blocks()));
            }
        }
    }
}
