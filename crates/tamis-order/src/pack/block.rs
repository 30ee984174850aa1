//! Blocks of an open pack, whole or as far as they are needed, and the dictionaries they need.

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

/// So many dictionaries are kept, of 8 MiB each.
const DICTIONARIES_KEPT: usize = 4;

impl Pack {
    /// A block, of which at least the first `len` bytes are there.
    ///
    /// To unpack no more than that spares a page, on average, half of its block. Whoever comes back for more, or comes from the block before, goes over all of
    /// the pack, and gets the whole block.
    pub(super) fn block(&self, number: u64, entry: &BlockEntry, len: usize) -> Result<Arc<Vec<u8>>> {
        let lock = || self.caches.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let found = lock().get(number);
        if let Some(found) = found.as_ref().filter(|found| found.len() >= len) {
            return Ok(Arc::clone(found));
        }
        let is_in_order = number.checked_sub(1).is_some_and(|before| lock().get(before).is_some());
        let block = if found.is_some() || is_in_order || len as u64 > entry.raw_len / 4 * 3 {
            self.read_block(number, entry)?
        } else {
            self.read_start(number, entry, len)?
        };
        let block = Arc::new(block);
        lock().put(number, Arc::clone(&block), block.len().max(LEAST_KEPT_BYTES), BLOCKS_KEPT_BYTES);
        Ok(block)
    }

    /// The bytes of a block, which are not kept.
    pub(super) fn read_block(&self, number: u64, entry: &BlockEntry) -> Result<Vec<u8>> {
        let dictionary = self.dictionary(entry.segment)?;
        let place = entry.place();
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
    fn read_start(&self, number: u64, entry: &BlockEntry, len: usize) -> Result<Vec<u8>> {
        let dictionary = self.dictionary(entry.segment)?;
        self.chunk_by((ChunkKind::Block, number), entry.place(), |frame, payload| {
            let is_right = frame.raw_len == entry.raw_len;
            is_right.then(|| decode_start(frame, payload, dictionary.as_deref(), len)).flatten()
        })
    }

    /// The dictionary of a segment, if it has one.
    fn dictionary(&self, segment: u64) -> Result<Option<Arc<DDict<'static>>>> {
        let found = usize::try_from(segment).ok().and_then(|segment| self.root.segments.get(segment));
        if found.is_none_or(|place| place.pieces.is_empty()) {
            return Ok(None);
        }
        cached(&self.caches.dictionaries, segment, DICTIONARIES_KEPT, || {
            self.read_dictionary(segment as usize)
        })
        .map(Some)
    }

    fn read_dictionary(&self, segment: usize) -> Result<DDict<'static>> {
        let place = &self.root.segments[segment];
        let first_piece = place.pieces.first().copied().unwrap_or_default();
        let damaged = || self.damaged(Part::Chunk(ChunkKind::Dictionary, segment as u64), first_piece);
        let stored = self.stored_dictionary(place)?.ok_or_else(damaged)?;
        let packing = if place.is_compressed { Packing::Zstd } else { Packing::Stored };
        let raw = decode(packing, &stored, place.raw_len, None).ok_or_else(damaged)?;
        DDict::try_create(&raw).ok_or(Error::Codec("zstd has no memory for a dictionary"))
    }

    /// A dictionary as it is stored; none if more than one piece of it is damaged.
    pub(super) fn stored_dictionary(&self, place: &DictionaryPlace) -> Result<Option<Vec<u8>>> {
        let pieces_len = place.pieces.iter().fold(0_u64, |sum, piece| sum.saturating_add(piece.len));
        if place.pieces.len() > PIECES + 1 || pieces_len > 2 * MAX_BLOCK as u64 {
            return Ok(None);
        }
        let pieces = place.pieces.iter().map(|&piece| {
            let bytes = self.chunk_bytes(piece)?;
            let found = bytes.as_deref().and_then(Frame::check);
            Ok(found
                .filter(|(frame, _)| frame.kind == ChunkKind::Dictionary)
                .map(|(_, payload)| payload.to_vec()))
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
