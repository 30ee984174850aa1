//! The queues of all hosts: a head in memory, the rest on disk.
//!
//! A queue is its head, the next entries to come, and what overflowed: for each band of scores a chain of
//! chunks on disk, and behind it a tail in memory of what has not made a chunk yet. Whatever is in the head
//! comes before whatever overflowed; so once a band has overflowed, new entries of it and of lower bands go
//! behind it, and the head is filled again only when it is empty.

use std::io;
use std::path::Path;

use super::blocks::{BLOCK_ENTRIES, Blocks, Run};
use super::lists::{Lists, Wealth};
use super::scratch::{CHUNK_ENTRIES, Chain, Scratch};
use super::{Entry, Order, Place};

/// Bands of scores in which a scored queue overflows.
const BANDS: usize = 8;

/// A queue that has not overflowed.
const NONE: u32 = u32::MAX;

/// What a queue takes beside its entries: itself, and its links.
#[cfg(test)]
pub(super) const QUEUE_BYTES: usize = size_of::<Queue>() + 8;

/// All queues, numbered as their hosts.
#[derive(Debug)]
pub(super) struct Queues {
    order: Order,
    head_entries: usize,
    blocks: Blocks,
    scratch: Scratch,
    all: Vec<Queue>,
    /// The bands of the queues that overflowed, as many in a row as the order has.
    bands: Vec<Band>,
    free_bands: Vec<u32>,
    /// The queues that have something in memory, by [`Wealth`].
    lists: Lists,
    entries: u64,
    on_disk: u64,
    buffer: Vec<Entry>,
}

#[derive(Debug)]
struct Queue {
    head: Run,
    /// Where its bands begin.
    bands: u32,
    wealth: Wealth,
    len: u64,
}

#[derive(Debug, Default)]
struct Band {
    chain: Chain,
    tail: Run,
}

impl Band {
    fn is_empty(&self) -> bool {
        self.chain.is_empty() && self.tail.is_empty()
    }
}

impl Queues {
    pub(super) fn create(
        path: &Path,
        order: Order,
        head_entries: usize,
        memory_bytes: usize,
    ) -> io::Result<Self> {
        Ok(Self {
            order,
            head_entries: head_entries.max(1),
            blocks: Blocks::new(memory_bytes),
            scratch: Scratch::create(path)?,
            all: Vec::new(),
            bands: Vec::new(),
            free_bands: Vec::new(),
            lists: Lists::default(),
            entries: 0,
            on_disk: 0,
            buffer: Vec::new(),
        })
    }

    /// Adds the queue of the next host.
    pub(super) fn add_queue(&mut self) {
        self.all.push(Queue { head: Run::default(), bands: NONE, wealth: Wealth::Nothing, len: 0 });
        self.lists.add_queue();
    }

    pub(super) fn len(&self, queue: u32) -> u64 {
        self.all[queue as usize].len
    }

    pub(super) fn entries(&self) -> u64 {
        self.entries
    }

    pub(super) fn on_disk(&self) -> u64 {
        self.on_disk
    }

    pub(super) fn disk_bytes(&self) -> u64 {
        self.scratch.len_bytes()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.blocks.used_bytes()
            + self.all.capacity() * size_of::<Queue>()
            + self.bands.capacity() * size_of::<Band>()
    }

    /// The score of the next entry; if it is on disk, the best that its band may have.
    pub(super) fn best(&self, queue: u32) -> Option<f32> {
        let first = self.blocks.first(&self.all[queue as usize].head).map(|entry| entry.score);
        first.or_else(|| Some((self.best_band(queue)? + 1) as f32 / BANDS as f32))
    }

    /// Puts an entry into a queue. After an error the entry is not in it, and all others still are.
    pub(super) fn push(&mut self, queue: u32, entry: Entry, place: Place) -> io::Result<()> {
        self.make_room(2)?;
        // What is no number would stand in no order.
        let entry = if entry.score.is_nan() { Entry { score: 0.0, ..entry } } else { entry };
        let band = self.band_of(entry);
        self.push_placed(queue, band, entry, place)?;
        self.all[queue as usize].len += 1;
        self.entries += 1;
        self.settle(queue);
        Ok(())
    }

    /// Takes the next entry out of a queue. After an error nothing is lost.
    pub(super) fn pop(&mut self, queue: u32) -> io::Result<Option<Entry>> {
        if self.all[queue as usize].len == 0 {
            return Ok(None);
        }
        if self.all[queue as usize].head.is_empty() {
            self.refill(queue)?;
        }
        let popped = self.blocks.pop_front(&mut self.all[queue as usize].head);
        if popped.is_some() {
            self.all[queue as usize].len -= 1;
            self.entries -= 1;
        }
        self.settle(queue);
        Ok(popped)
    }

    /// Empties a queue and says how many entries it had.
    pub(super) fn clear(&mut self, queue: u32) -> u64 {
        let Queue { head, bands, len, .. } = &mut self.all[queue as usize];
        self.blocks.clear(head);
        let (had, bands) = (std::mem::take(len), *bands);
        if bands != NONE {
            for band in &mut self.bands[bands as usize..][..self.order.bands()] {
                self.on_disk -= band.chain.len();
                self.scratch.clear(&mut band.chain);
                self.blocks.clear(&mut band.tail);
            }
        }
        self.entries -= had;
        self.settle(queue);
        had
    }

    fn band_of(&self, entry: Entry) -> usize {
        match self.order {
            Order::Fifo => 0,
            Order::Scored => band(entry.score),
        }
    }

    /// The highest band with entries beyond the head.
    fn best_band(&self, queue: u32) -> Option<usize> {
        let bands = self.all[queue as usize].bands;
        if bands == NONE {
            return None;
        }
        (0..self.order.bands()).rev().find(|band| !self.bands[bands as usize + band].is_empty())
    }

    /// The place of a band, which comes to be with the first overflow of its queue.
    fn band_place(&mut self, queue: u32, band: usize) -> usize {
        let bands = &mut self.all[queue as usize].bands;
        if *bands == NONE {
            *bands = self.free_bands.pop().unwrap_or_else(|| {
                let new = self.bands.len();
                self.bands.resize_with(new + self.order.bands(), Band::default);
                new as u32
            });
        }
        *bands as usize + band
    }

    /// Into the head, unless it belongs behind something that overflowed.
    fn push_placed(&mut self, queue: u32, band: usize, entry: Entry, place: Place) -> io::Result<()> {
        match (self.best_band(queue), place) {
            (Some(best), Place::Back) if best >= band => self.push_tail(queue, band, entry),
            (Some(best), Place::Front) if best > band => self.spill_front(queue, band, &[entry]),
            _ => self.push_head(queue, band, entry, place),
        }
    }

    /// Behind everything of its band.
    fn push_tail(&mut self, queue: u32, band: usize, entry: Entry) -> io::Result<()> {
        let place = self.band_place(queue, band);
        // The tail goes to disk before the entry comes, so that an error leaves everything as it was.
        if self.bands[place].tail.len() >= CHUNK_ENTRIES {
            self.spill_tail(place)?;
        }
        self.blocks.push_back(&mut self.bands[place].tail, entry);
        Ok(())
    }

    /// Into the head, which gives up its last block if that is too much.
    fn push_head(&mut self, queue: u32, band: usize, entry: Entry, place: Place) -> io::Result<()> {
        let head = &self.all[queue as usize].head;
        if head.len() >= self.head_entries {
            if place == Place::Back && !self.overtakes_last(queue, entry) {
                return self.push_tail(queue, band, entry);
            }
            if head.blocks() > 1 {
                let keep = head.blocks() - 1;
                self.spill_head(queue, keep)?;
                // The entry may belong behind what has just overflowed.
                return self.push_placed(queue, band, entry, place);
            }
        }
        self.insert(queue, entry, place);
        Ok(())
    }

    fn insert(&mut self, queue: u32, entry: Entry, place: Place) {
        let head = &mut self.all[queue as usize].head;
        match (self.order, place) {
            (Order::Fifo, Place::Back) => self.blocks.push_back(head, entry),
            (Order::Fifo, Place::Front) => self.blocks.push_front(head, entry),
            (Order::Scored, _) => self.blocks.insert(head, entry, place == Place::Front),
        }
    }

    fn overtakes_last(&self, queue: u32, entry: Entry) -> bool {
        let last = self.blocks.last(&self.all[queue as usize].head);
        self.order == Order::Scored && last.is_some_and(|last| entry.score > last.score)
    }

    /// Fills an empty head with the first entries of the best band.
    fn refill(&mut self, queue: u32) -> io::Result<()> {
        self.make_room(1)?;
        let Some(best) = self.best_band(queue) else { return Ok(()) };
        let place = self.band_place(queue, best);
        let mut loaded = std::mem::take(&mut self.buffer);
        let Band { chain, tail } = &mut self.bands[place];
        let read = if chain.is_empty() {
            self.blocks.copy_tail(tail, 0, &mut loaded);
            self.blocks.clear(tail);
            Ok(())
        } else {
            let read = self.scratch.pop_front(chain, BLOCK_ENTRIES, &mut loaded);
            self.on_disk -= loaded.len() as u64;
            read
        };
        if self.order == Order::Scored {
            // Stable: of equal scores the older stays first.
            loaded.sort_by(|one, other| other.score.total_cmp(&one.score));
        }
        for entry in loaded.drain(..) {
            self.blocks.push_back(&mut self.all[queue as usize].head, entry);
        }
        self.buffer = loaded;
        read
    }

    /// Sends queues' entries to disk until so many blocks are free. One is all that any operation needs; entries
    /// that come leave one more, so that those on disk can still go when the disk is full.
    fn make_room(&mut self, blocks: usize) -> io::Result<()> {
        while self.blocks.left() < blocks {
            let Some(victim) = self.lists.victim() else { return Ok(()) };
            self.spill(victim)?;
        }
        Ok(())
    }

    /// Sends to disk what a queue has in memory: a rich one keeps the first block of its head.
    fn spill(&mut self, queue: u32) -> io::Result<()> {
        let keep = usize::from(self.all[queue as usize].wealth == Wealth::Rich);
        self.spill_head(queue, keep)?;
        let bands = self.all[queue as usize].bands;
        if bands != NONE {
            for band in 0..self.order.bands() {
                self.spill_tail(bands as usize + band)?;
            }
        }
        self.settle(queue);
        Ok(())
    }

    fn spill_tail(&mut self, place: usize) -> io::Result<()> {
        let Band { chain, tail } = &mut self.bands[place];
        let mut spilt = std::mem::take(&mut self.buffer);
        self.blocks.copy_tail(tail, 0, &mut spilt);
        let written = self.scratch.push_back(chain, &spilt);
        if written.is_ok() {
            self.on_disk += spilt.len() as u64;
            self.blocks.clear(tail);
        }
        spilt.clear();
        self.buffer = spilt;
        written
    }

    /// Puts what stands behind the first `keep` blocks of the head before what overflowed: what is of one band
    /// at a time, so that after an error every entry is in one place.
    fn spill_head(&mut self, queue: u32, keep: usize) -> io::Result<()> {
        while self.all[queue as usize].head.blocks() > keep {
            let mut spilt = std::mem::take(&mut self.buffer);
            let from = match self.order {
                Order::Fifo => keep,
                Order::Scored => self.all[queue as usize].head.blocks() - 1,
            };
            self.blocks.copy_tail(&self.all[queue as usize].head, from, &mut spilt);
            let (band, count) = self.last_band(&spilt);
            let written = self.spill_front(queue, band, &spilt[spilt.len() - count..]);
            if written.is_ok() {
                self.blocks.cut(&mut self.all[queue as usize].head, from, count);
            }
            spilt.clear();
            self.buffer = spilt;
            written?;
        }
        Ok(())
    }

    /// The band of the last entry, and how many at the end are of it.
    fn last_band(&self, entries: &[Entry]) -> (usize, usize) {
        let mut bands = entries.iter().rev().map(|entry| self.band_of(*entry));
        let Some(last) = bands.next() else { return (0, 0) };
        (last, 1 + bands.take_while(|band| *band == last).count())
    }

    fn spill_front(&mut self, queue: u32, band: usize, entries: &[Entry]) -> io::Result<()> {
        let place = self.band_place(queue, band);
        self.scratch.push_front(&mut self.bands[place].chain, entries)?;
        self.on_disk += entries.len() as u64;
        Ok(())
    }

    /// Gives back bands that hold nothing, and sorts the queue by what it has in memory.
    fn settle(&mut self, number: u32) {
        let queue = &mut self.all[number as usize];
        let mut blocks = queue.head.blocks();
        if queue.bands != NONE {
            let bands = &self.bands[queue.bands as usize..][..self.order.bands()];
            blocks += bands.iter().map(|band| band.tail.blocks()).sum::<usize>();
            if bands.iter().all(Band::is_empty) {
                self.free_bands.push(queue.bands);
                queue.bands = NONE;
            }
        }
        let wealth = Wealth::of(blocks);
        let before = std::mem::replace(&mut queue.wealth, wealth);
        self.lists.change(number, before, wealth);
    }
}

/// The band of a score: eight of equal width from 0 to 1; what lies outside is in the first or the last.
fn band(score: f32) -> usize {
    // The cast saturates, and takes what is no number for 0.
    ((score * BANDS as f32) as usize).min(BANDS - 1)
}

impl Order {
    fn bands(self) -> usize {
        match self {
            Self::Fifo => 1,
            Self::Scored => BANDS,
        }
    }
}
