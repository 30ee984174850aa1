//! The blocks of a pack found without their table: by going from chunk to chunk.

use super::Result;
use super::chunk::{ChunkKind, Frame, HEADER, MAX_FRAME_LEN, Packing};
use super::open::Pack;
use super::pages::{BlockEntry, PAGE};
use super::root::Place;

impl Pack {
    /// The entries of a page of the block table, as the frames of the chunks tell them. None if the way to them is damaged.
    pub(super) fn walk_blocks(&self, page: usize) -> Result<Option<Vec<BlockEntry>>> {
        let count = self.root.blocks[page].count;
        let first = page as u64 * PAGE as u64;
        let mut entries = Vec::new();
        let mut offset = HEADER.len() as u64;
        while (entries.len() as u64) < count {
            let len = (self.len.saturating_sub(offset)).min(MAX_FRAME_LEN as u64);
            let head = self.chunk_bytes(Place { offset, len })?;
            let Some((frame, head_len)) = head.as_deref().and_then(Frame::parse) else { return Ok(None) };
            let Some(chunk_len) = frame.stored_len.checked_add(head_len as u64) else { return Ok(None) };
            match frame.kind {
                ChunkKind::Dictionary => {}
                ChunkKind::Block if frame.number < first => {}
                ChunkKind::Block if frame.number == first + entries.len() as u64 => {
                    let segment = self.segment_before(offset, frame.packing);
                    entries.push(BlockEntry { offset, chunk_len, raw_len: frame.raw_len, segment });
                }
                _ => return Ok(None),
            }
            let Some(next) = offset.checked_add(chunk_len) else { return Ok(None) };
            offset = next;
        }
        Ok(Some(entries))
    }

    /// The last segment whose dictionary stands before an offset; blocks without a dictionary need none.
    fn segment_before(&self, offset: u64, packing: Packing) -> u64 {
        let is_before = |segment: &super::root::DictionaryPlace| {
            segment.pieces.first().is_some_and(|piece| piece.offset < offset)
        };
        let found =
            self.root.segments.iter().rposition(is_before).filter(|_| packing == Packing::ZstdDictionary);
        found.map_or(u64::MAX, |segment| segment as u64)
    }
}
