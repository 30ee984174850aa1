//! All chunks of a pack found without its tables: by going from frame to frame, and after damage to the next one.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use memchr::memmem;

use super::Result;
use super::chunk::{
    ChunkKind, FOOTER_LEN, Frame, HEADER, MAX_FRAME_LEN, Packing, SYNC, is_header, parse_footer,
};
use super::open::Pack;
use super::pages::{BlockEntry, PAGE};
use super::root::Place;

/// What is searched at once for the start of a chunk.
const WINDOW: u64 = 1 << 20;

/// So many bytes are summed up in vain while chunks are searched for, and so many for each byte of the file: so a file full of
/// frames that are none costs linear time.
const VAIN: u64 = 64 << 20;
const VAIN_RATIO: u64 = 4;

/// The chunks of a pack as their frames tell them, in the order of the file.
///
/// Memory: some 130 bytes for each chunk.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pub(super) chunks: Vec<(Frame, Place)>,
    /// The first chunk of each kind and number.
    places: BTreeMap<(ChunkKind, u64), Place>,
}

impl Walk {
    pub(super) fn place_of(&self, part: (ChunkKind, u64)) -> Option<Place> {
        self.places.get(&part).copied()
    }
}

impl Pack {
    /// The chunks that the frames tell. The walk is made once.
    pub(super) fn walk(&self) -> Result<Arc<Walk>> {
        let mut walked = self.caches.walked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = &*walked {
            return Ok(Arc::clone(found));
        }
        let found =
            Arc::new(Walker { pack: self, vain_left: VAIN.saturating_add(self.len * VAIN_RATIO) }.walk()?);
        *walked = Some(Arc::clone(&found));
        Ok(found)
    }

    /// The entries of a page of the block table, as the frames of the chunks tell them. None if more is missing of them than one
    /// run, whose length follows from that of the page.
    pub(super) fn walked_page(&self, page: usize) -> Result<Option<Vec<BlockEntry>>> {
        let place = &self.root.blocks[page];
        let first = page as u64 * PAGE as u64;
        let end = self.root.blocks.get(page + 1).map_or(self.root.content_len, |next| next.first);
        let walk = self.walk()?;
        let segments = self.segment_starts();
        let mut found: Vec<Option<BlockEntry>> = vec![None; place.count as usize];
        for (frame, place) in &walk.chunks {
            let at = frame.number.checked_sub(first).and_then(|at| usize::try_from(at).ok());
            let entry = at.and_then(|at| found.get_mut(at)).filter(|_| frame.kind == ChunkKind::Block);
            if let Some(entry @ None) = entry {
                let segment = match frame.extra {
                    Some(segment) => segment,
                    None if frame.packing == Packing::ZstdDictionary => {
                        segment_before(&segments, place.offset)
                    }
                    None => u64::MAX,
                };
                let Place { offset, len } = *place;
                *entry = Some(BlockEntry { offset, chunk_len: len, raw_len: frame.raw_len, segment });
            }
        }
        let known = found.iter().flatten().fold(0_u64, |sum, entry| sum.saturating_add(entry.raw_len));
        let missing = end.saturating_sub(place.first).checked_sub(known);
        Ok(missing.and_then(|missing| fill_run(&found, missing)))
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

/// The last segment whose dictionary stands before an offset: in packs of versions 1 to 3 that of the blocks after it.
fn segment_before(starts: &[(u64, u64)], offset: u64) -> u64 {
    let before = starts.partition_point(|&(start, _)| start < offset).checked_sub(1);
    before.map_or(u64::MAX, |at| starts[at].1)
}

/// Entries of which one run may be missing, as a whole of known length; none if more is.
fn fill_run(found: &[Option<BlockEntry>], missing: u64) -> Option<Vec<BlockEntry>> {
    let start = found.iter().position(Option::is_none).unwrap_or(found.len());
    let len = found[start..].iter().take_while(|entry| entry.is_none()).count();
    if (len == 0) != (missing == 0) || found[start + len..].iter().any(Option::is_none) {
        return None;
    }
    let mut raw_len = missing;
    // No chunk has this place, so each of them is damaged.
    let mut lost = || {
        let raw_len = std::mem::take(&mut raw_len);
        Some(BlockEntry { offset: 0, chunk_len: 0, raw_len, segment: u64::MAX })
    };
    found.iter().map(|entry| entry.or_else(&mut lost)).collect()
}

struct Walker<'p> {
    pack: &'p Pack,
    vain_left: u64,
}

impl Walker<'_> {
    fn walk(&mut self) -> Result<Walk> {
        let mut walk = Walk::default();
        let header_len = HEADER.len() as u64;
        let header = self.pack.chunk_bytes(Place { offset: 0, len: header_len })?;
        let mut next = match header {
            Some(header) if is_header(&header) || self.frame_at(header_len)?.is_some() => Some(header_len),
            _ => self.search(0)?,
        };
        while let Some(at) = next {
            let Some((frame, place)) = self.chunk_at(at)? else {
                next = self.search(at + 1)?;
                continue;
            };
            walk.places.entry((frame.kind, frame.number)).or_insert(place);
            walk.chunks.push((frame, place));
            next = Some(at + place.len).filter(|&end| end < self.pack.len);
            if self.is_footer(at + place.len)? {
                next = None;
            }
        }
        Ok(walk)
    }

    /// The frame at an offset, if all of its chunk is in the file.
    fn frame_at(&self, offset: u64) -> Result<Option<(Frame, Place)>> {
        let len = self.pack.len.saturating_sub(offset).min(MAX_FRAME_LEN as u64);
        let head = self.pack.chunk_bytes(Place { offset, len })?;
        let Some((frame, head_len)) = head.as_deref().and_then(Frame::parse) else { return Ok(None) };
        let len = frame.stored_len.saturating_add(head_len as u64);
        let is_inside = offset.checked_add(len).is_some_and(|end| end <= self.pack.len);
        Ok(is_inside.then_some((frame, Place { offset, len })))
    }

    /// The chunk at an offset: what follows it is one, too, or else its checksum is right.
    fn chunk_at(&mut self, offset: u64) -> Result<Option<(Frame, Place)>> {
        let Some((frame, place)) = self.frame_at(offset)? else { return Ok(None) };
        let end = offset + place.len;
        let is_followed = end == self.pack.len
            || self.is_footer(end)?
            || self.frame_at(end)?.is_some_and(|(next, _)| next.extra.is_some() == frame.extra.is_some());
        Ok((is_followed || self.is_right(place)?).then_some((frame, place)))
    }

    fn is_right(&mut self, place: Place) -> Result<bool> {
        if place.len > self.vain_left {
            return Ok(false);
        }
        self.vain_left -= place.len;
        let bytes = self.pack.chunk_bytes(place)?;
        Ok(bytes.as_deref().and_then(Frame::check).is_some())
    }

    fn is_footer(&self, offset: u64) -> Result<bool> {
        let len = FOOTER_LEN as u64;
        let is_last = offset.checked_add(len) == Some(self.pack.len);
        Ok(is_last
            && self.pack.chunk_bytes(Place { offset, len })?.as_deref().and_then(parse_footer).is_some())
    }

    /// Where the next chunk begins whose checksum is right, from an offset on. Chunks of versions 1 to 3 are not found.
    fn search(&mut self, mut from: u64) -> Result<Option<u64>> {
        loop {
            let len = self.pack.len.saturating_sub(from).min(WINDOW);
            let Some(bytes) = self.pack.chunk_bytes(Place { offset: from, len })? else { return Ok(None) };
            for at in memmem::find_iter(&bytes, &SYNC) {
                let offset = from + at as u64;
                if let Some((_, place)) = self.frame_at(offset)?
                    && self.is_right(place)?
                {
                    return Ok(Some(offset));
                }
            }
            if len < WINDOW {
                return Ok(None);
            }
            // One that is cut by the end of the window is seen whole in the next.
            from += len - (SYNC.len() as u64 - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_run_of_missing_blocks_has_the_length_that_is_left() {
        let there = |offset| Some(BlockEntry { offset, chunk_len: 9, raw_len: 10, segment: 0 });
        let lens = |found: &[Option<BlockEntry>], missing| {
            fill_run(found, missing).map(|all| all.iter().map(|entry| entry.raw_len).collect::<Vec<_>>())
        };
        assert_eq!(lens(&[there(1), there(2)], 0), Some(vec![10, 10]));
        assert_eq!(lens(&[there(1), None, None, there(2)], 25), Some(vec![10, 25, 0, 10]));
        assert_eq!(lens(&[None, there(1)], 5), Some(vec![5, 10]));
        assert_eq!(lens(&[None, there(1), None], 5), None);
        assert_eq!(lens(&[there(1)], 5), None);
        assert_eq!(lens(&[None], 0), None);
    }
}
