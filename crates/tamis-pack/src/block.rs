//! Blocks of an open pack, whole or as far as they are needed, and the dictionaries they need.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use zstd::zstd_safe::DDict;

use super::chunk::{ChunkKind, Frame, Packing};
use super::codec::{decode, decode_chunk, decode_start};
use super::damage::Part;
use super::open::{Pack, cached};
use super::pages::BlockEntry;
use super::profile::MAX_BLOCK;
use super::root::DictionaryPlace;
use super::write::PIECES;
use super::{Error, Result};

/// Kept blocks, by the memory they take together, and never fewer than one.
const BLOCKS_KEPT_BYTES: usize = 64 << 20;
/// What a small block counts for, so that they are not too many to look through.
const LEAST_KEPT_BYTES: usize = 64 << 10;

/// What a small dictionary counts for; most are as large.
const LEAST_DICTIONARY_BYTES: usize = 8 << 20;
/// So many bytes of dictionaries are kept for those who go over a pack.
const DICTIONARIES_KEPT_BYTES: usize = 32 << 20;
/// And so many for single pages, which lie anywhere: all of a pack of 16 GB of content. To unpack one takes longer than three pages.
const DICTIONARIES_FOR_PAGES_BYTES: usize = 512 << 20;

/// So many of the blocks that pages were read of are remembered by their numbers.
const REMEMBERED: usize = 16;

/// The block that a page was read of last, as far as that was needed, and the numbers of those before.
#[derive(Default)]
pub(super) struct Started {
    last: Option<(u64, Arc<Vec<u8>>)>,
    before: VecDeque<u64>,
}

impl Started {
    fn start_of(&self, number: u64) -> Option<&Arc<Vec<u8>>> {
        self.last.as_ref().filter(|(last, _)| *last == number).map(|(_, start)| start)
    }

    /// Whether a block follows the last one.
    fn is_behind(&self, number: u64) -> bool {
        self.last.as_ref().is_some_and(|(last, _)| last.checked_add(1) == Some(number))
    }

    fn remember(&mut self, number: u64, start: &Arc<Vec<u8>>) {
        self.before.truncate(REMEMBERED - 1);
        self.before.push_front(number);
        self.last = Some((number, Arc::clone(start)));
    }

    /// The memory of the last, if nobody uses it.
    fn take_room(&mut self) -> Vec<u8> {
        self.last.take().and_then(|(_, start)| Arc::try_unwrap(start).ok()).unwrap_or_default()
    }
}

impl Pack {
    /// A block, of which at least the first `len` bytes are there.
    ///
    /// To unpack no more than that spares a page, on average, half of its block; and to unpack it to where the page before was is faster than to memory that
    /// was not used for long. Whoever comes back to a block, or comes from the one before, goes over all of the pack: the whole block is unpacked and kept.
    pub(super) fn block(&self, number: u64, entry: &BlockEntry, len: usize) -> Result<Arc<Vec<u8>>> {
        let lock = || self.caches.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let lock_started = || self.caches.started.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = lock().get(number).filter(|found| found.len() >= len) {
            return Ok(found);
        }
        let is_in_order = number.checked_sub(1).is_some_and(|before| lock().get(before).is_some());
        let room = {
            let mut started = lock_started();
            if let Some(start) = started.start_of(number).filter(|start| start.len() >= len) {
                return Ok(Arc::clone(start));
            }
            let is_going_over = is_in_order || started.is_behind(number) || started.before.contains(&number);
            (!is_going_over).then(|| started.take_room())
        };
        let Some(room) = room else { return self.whole_block(number, entry) };
        let start = Arc::new(self.read_start(number, entry, len, room)?);
        lock_started().remember(number, &start);
        Ok(start)
    }

    /// All of a block, which is kept.
    pub(super) fn whole_block(&self, number: u64, entry: &BlockEntry) -> Result<Arc<Vec<u8>>> {
        let lock = || self.caches.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = lock().get(number).filter(|found| found.len() as u64 == entry.raw_len) {
            return Ok(found);
        }
        let block = Arc::new(self.read_block(number, entry)?);
        lock().put(number, Arc::clone(&block), block.len().max(LEAST_KEPT_BYTES), BLOCKS_KEPT_BYTES);
        Ok(block)
    }

    /// The bytes of a block, which are not kept.
    pub(super) fn read_block(&self, number: u64, entry: &BlockEntry) -> Result<Vec<u8>> {
        let dictionary = self.dictionary(entry.segment, DICTIONARIES_KEPT_BYTES)?;
        let place = entry.place();
        let number = self.block_number(number);
        let bytes = self.chunk_by((ChunkKind::Block, number), place, |frame, payload| {
            decode_chunk(frame, payload, dictionary.as_deref())
        })?;
        if bytes.len() as u64 == entry.raw_len {
            Ok(bytes)
        } else {
            Err(self.damaged(Part::Chunk(ChunkKind::Block, number), place))
        }
    }

    /// The first bytes of a block, or all where no less can be had.
    fn read_start(&self, number: u64, entry: &BlockEntry, len: usize, room: Vec<u8>) -> Result<Vec<u8>> {
        let dictionary = self.dictionary(entry.segment, DICTIONARIES_FOR_PAGES_BYTES)?;
        let number = self.block_number(number);
        self.chunk_by((ChunkKind::Block, number), entry.place(), |frame, payload| {
            let is_right = frame.raw_len == entry.raw_len;
            is_right.then(|| decode_start(frame, payload, dictionary.as_deref(), len, room)).flatten()
        })
    }

    /// The dictionary of a segment, if it has one, and so many bytes of those that were used before are kept.
    fn dictionary(&self, segment: u64, kept_bytes: usize) -> Result<Option<Arc<DDict<'static>>>> {
        let found = usize::try_from(segment).ok().and_then(|segment| self.root.segments.get(segment));
        let Some(place) = found.filter(|place| !place.pieces.is_empty()) else { return Ok(None) };
        let size = usize::try_from(place.raw_len).unwrap_or(usize::MAX).max(LEAST_DICTIONARY_BYTES);
        let read = || self.read_dictionary(segment as usize);
        cached(&self.caches.dictionaries, segment, size, kept_bytes, read).map(Some)
    }

    fn read_dictionary(&self, segment: usize) -> Result<DDict<'static>> {
        let place = &self.root.segments[segment];
        let first_piece = place.pieces.first().copied().unwrap_or_default();
        let damaged = || self.damaged(Part::Chunk(ChunkKind::Dictionary, segment as u64), first_piece);
        let stored = self.stored_dictionary(segment as u64, place)?.ok_or_else(damaged)?;
        let packing = if place.is_compressed { Packing::Zstd } else { Packing::Stored };
        let raw = decode(packing, &stored, place.raw_len, None).ok_or_else(damaged)?;
        DDict::try_create(&raw).ok_or(Error::Codec("zstd has no memory for a dictionary"))
    }

    /// A dictionary as it is stored; none if more than one piece of it is damaged.
    pub(super) fn stored_dictionary(&self, segment: u64, place: &DictionaryPlace) -> Result<Option<Vec<u8>>> {
        let pieces_len = place.pieces.iter().fold(0_u64, |sum, piece| sum.saturating_add(piece.len));
        if place.pieces.len() > PIECES + 1 || pieces_len > 2 * MAX_BLOCK as u64 {
            return Ok(None);
        }
        let first = segment.saturating_mul(PIECES as u64 + 1);
        let pieces = place.pieces.iter().zip(first..).map(|(&piece, number)| {
            // Pieces of versions 1 and 2 have other numbers.
            let is_piece = |frame: &Frame| {
                frame.kind == ChunkKind::Dictionary && (frame.number == number || frame.extra.is_none())
            };
            let bytes = self.find_chunk((ChunkKind::Dictionary, number), piece, is_piece)?;
            let found = bytes.as_deref().and_then(Frame::parse);
            Ok(found.and_then(|(_, head_len)| bytes.as_deref()?.get(head_len..)).map(<[u8]>::to_vec))
        });
        Ok(join_pieces(pieces.collect::<Result<_>>()?, place.stored_len))
    }
}

/// The pieces of a dictionary as one. The last piece is all others by exclusive or, so that one may be missing.
fn join_pieces(mut pieces: Vec<Option<Vec<u8>>>, len: u64) -> Option<Vec<u8>> {
    let len = usize::try_from(len).ok().filter(|&len| len <= MAX_BLOCK)?;
    let piece_len = len.div_ceil(pieces.len().checked_sub(1).filter(|&count| count > 0)?);
    let missing: Vec<usize> =
        pieces.iter().enumerate().filter(|(_, piece)| piece.is_none()).map(|(at, _)| at).collect();
    match missing[..] {
        [] => {}
        [at] => {
            let mut sum = vec![0; piece_len];
            for piece in pieces.iter().flatten() {
                sum.iter_mut().zip(piece).for_each(|(sum, byte)| *sum ^= byte);
            }
            pieces[at] = Some(sum);
        }
        _ => return None,
    }
    pieces.pop();
    let mut stored: Vec<u8> = pieces.into_iter().flatten().flatten().collect();
    (stored.len() >= len).then(|| {
        stored.truncate(len);
        stored
    })
}
