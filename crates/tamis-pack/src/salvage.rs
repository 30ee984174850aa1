//! A pack that was cut short: without a root the frames of its chunks say where blocks and dictionaries are.

use std::fs::File;
use std::path::Path;

use zstd::zstd_safe::get_frame_content_size;

use super::chunk::{ChunkKind, Frame, HEADER, MAX_FRAME_LEN};
use super::open::Pack;
use super::pages::PAGE;
use super::profile::Profile;
use super::root::{DictionaryPlace, PagePlace, Pages, Place, Root};
use super::{Error, Result};

/// How a zstd frame begins.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// What was found from the front of a pack up to the cut.
#[derive(Default)]
struct Found {
    segments: Vec<DictionaryPlace>,
    /// How much each block unpacks to.
    raw_lens: Vec<u64>,
    /// The length of the piece of a dictionary that the last chunk is, if it is one.
    last_piece: Option<u64>,
    /// Where the first chunk is that is not there whole.
    end: u64,
}

impl Pack {
    /// What is left of a pack without a root: its content up to the cut, without tables, and a word on where that is. None if not
    /// even a block is left.
    pub(super) fn salvage(path: &Path) -> Result<Option<(Self, String)>> {
        let file = File::open(path).map_err(Error::io(path))?;
        let len = file.metadata().map_err(Error::io(path))?.len();
        let mut pack = Self::with_root(path, file, len, Root::empty());
        let found = pack.find_chunks()?;
        if found.raw_lens.is_empty() {
            return Ok(None);
        }
        let what = format!(
            "the pack is cut short: behind block {} at offset {}",
            found.raw_lens.len() - 1,
            found.end
        );
        pack.root.content_len = found.raw_lens.iter().fold(0, |sum, len| sum.saturating_add(*len));
        pack.root.blocks = pages(&found.raw_lens);
        pack.root.segments = found.segments;
        for segment in 0..pack.root.segments.len() {
            pack.learn_dictionary(segment)?;
        }
        Ok(Some((pack, what)))
    }

    /// Goes from chunk to chunk as long as they are what must come next.
    fn find_chunks(&self) -> Result<Found> {
        let mut found = Found { end: HEADER.len() as u64, ..Found::default() };
        loop {
            let len = self.len.saturating_sub(found.end).min(MAX_FRAME_LEN as u64);
            let head = self.chunk_bytes(Place { offset: found.end, len })?;
            let Some((frame, head_len)) = head.as_deref().and_then(Frame::parse) else { return Ok(found) };
            let chunk_len = frame.stored_len.saturating_add(head_len as u64);
            if chunk_len > self.len.saturating_sub(found.end) || !found.take(&frame, chunk_len) {
                return Ok(found);
            }
            found.end += chunk_len;
        }
    }

    /// Completes what the root would have said of a dictionary.
    fn learn_dictionary(&mut self, segment: usize) -> Result<()> {
        let place = &self.root.segments[segment];
        let Some(stored) = self.stored_dictionary(place)? else { return Ok(()) };
        let is_compressed = stored.starts_with(&ZSTD_MAGIC);
        let raw_len = match get_frame_content_size(&stored) {
            Ok(Some(len)) if is_compressed => len,
            _ => stored.len() as u64,
        };
        let place = &mut self.root.segments[segment];
        (place.is_compressed, place.raw_len) = (is_compressed, raw_len);
        Ok(())
    }
}

impl Found {
    /// Notes a chunk; false if it is none that can come here.
    fn take(&mut self, frame: &Frame, chunk_len: u64) -> bool {
        let place = Place { offset: self.end, len: chunk_len };
        match frame.kind {
            ChunkKind::Block if frame.number == self.raw_lens.len() as u64 => {
                self.raw_lens.push(frame.raw_len);
                self.last_piece = None;
            }
            ChunkKind::Dictionary => {
                match (self.last_piece, self.segments.last_mut()) {
                    (Some(last_len), Some(segment)) => {
                        // The last piece is for mending, and is no part of it.
                        segment.stored_len = segment.stored_len.saturating_add(last_len);
                        segment.pieces.push(place);
                    }
                    // Blocks lie between two dictionaries.
                    _ => self
                        .segments
                        .push(DictionaryPlace { pieces: vec![place], ..DictionaryPlace::default() }),
                }
                self.last_piece = Some(frame.stored_len);
            }
            _ => return false,
        }
        true
    }
}

/// Pages of blocks that are nowhere in the file, so that the frames of the blocks are asked.
fn pages(raw_lens: &[u64]) -> Pages {
    let mut first = 0_u64;
    let page = |lens: &[u64]| {
        let (place, side) = (Place::default(), Place::default());
        let page = PagePlace { place, count: lens.len() as u64, first, first_offset: 0, side };
        first = lens.iter().fold(first, |sum, len| sum.saturating_add(*len));
        page
    };
    raw_lens.chunks(PAGE).map(page).collect()
}

impl Root {
    /// The root of nothing.
    fn empty() -> Self {
        Self {
            profile: Profile::Default,
            file_len: 0,
            file_hash: 0,
            content_len: 0,
            units: 0,
            records: 0,
            palette: Vec::new(),
            segments: Vec::new(),
            blocks: Pages::new(),
            packed: Pages::new(),
            originals: Pages::new(),
            members: Pages::new(),
            urls: Pages::new(),
            url_keys: Vec::new(),
        }
    }
}
