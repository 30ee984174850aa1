//! The blocks of a pack found without their table: by going from chunk to chunk.

use std::sync::{Arc, PoisonError};

use super::Result;
use super::chunk::{ChunkKind, Frame, HEADER, MAX_FRAME_LEN, Packing};
use super::open::Pack;
use super::pages::{BlockEntry, PAGE};
use super::root::Place;

impl Pack {
    /// The entries of a page of the block table, as the frames of the chunks tell them. None if the way to them is damaged.
    pub(super) fn walked_page(&self, page: usize) -> Result<Option<Vec<BlockEntry>>> {
        let count = usize::try_from(self.root.blocks[page].count).unwrap_or(usize::MAX);
        let blocks = self.walked_blocks()?;
        let first = page.saturating_mul(PAGE);
        Ok(blocks.get(first..first.saturating_add(count)).map(<[_]>::to_vec))
    }

    /// All blocks up to the first chunk that is not what must come next. The walk is made once.
    fn walked_blocks(&self) -> Result<Arc<Vec<BlockEntry>>> {
        let mut walked = self.caches.walked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = &*walked {
            return Ok(Arc::clone(found));
        }
        let found = Arc::new(self.walk_blocks()?);
        *walked = Some(Arc::clone(&found));
        Ok(found)
    }

    fn walk_blocks(&self) -> Result<Vec<BlockEntry>> {
        let mut entries: Vec<BlockEntry> = Vec::new();
        let mut segments = self.segment_starts().into_iter().peekable();
        let mut segment_here = u64::MAX;
        let mut offset = HEADER.len() as u64;
        loop {
            let len = (self.len.saturating_sub(offset)).min(MAX_FRAME_LEN as u64);
            let head = self.chunk_bytes(Place { offset, len })?;
            let Some((frame, head_len)) = head.as_deref().and_then(Frame::parse) else { return Ok(entries) };
            let Some(chunk_len) = frame.stored_len.checked_add(head_len as u64) else { return Ok(entries) };
            while let Some((_, segment)) = segments.next_if(|&(start, _)| start < offset) {
                segment_here = segment;
            }
            match frame.kind {
                ChunkKind::Dictionary => {}
                ChunkKind::Block if frame.number == entries.len() as u64 => {
                    let needs_dictionary = frame.packing == Packing::ZstdDictionary;
                    let segment = if needs_dictionary { segment_here } else { u64::MAX };
                    entries.push(BlockEntry { offset, chunk_len, raw_len: frame.raw_len, segment });
                }
                _ => return Ok(entries),
            }
            let Some(next) = offset.checked_add(chunk_len) else { return Ok(entries) };
            offset = next;
        }
    }

    /// Where the dictionaries of segments begin, in the order of the file.
    fn segment_starts(&self) -> Vec<(u64, u64)> {
        let segments = self.root.segments.iter().zip(0..);
        let mut starts: Vec<_> =
            segments.filter_map(|(segment, number)| Some((segment.pieces.first()?.offset, number))).collect();
        starts.sort_unstable();
        starts
    }
}
