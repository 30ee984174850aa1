//! A pack without a root: the frames of its chunks say where blocks and dictionaries are.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use zstd::zstd_safe::get_frame_content_size;

use super::chunk::{ChunkKind, Frame, Packing};
use super::open::Pack;
use super::pages::{BlockEntry, PAGE};
use super::profile::{MAX_BLOCK, Profile};
use super::root::{DictionaryPlace, PagePlace, Pages, Place, Root};
use super::walk::Walk;
use super::write::{PIECES, piece_len};
use super::{Error, Result};

/// How a zstd frame begins.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// What the frames of a pack tell of its blocks.
#[derive(Default)]
struct Found {
    blocks: Vec<BlockEntry>,
    /// The numbers in the frames of the blocks. What is missing between two blocks is one block.
    numbers: Vec<u64>,
    /// Dictionaries by the number of their segment.
    segments: BTreeMap<u64, DictionaryPlace>,
    /// The length of the piece of a dictionary that the last chunk of an old pack is, if it is one.
    last_piece: Option<u64>,
    /// Whether tables or roots were met.
    has_tables: bool,
    /// Where the last chunk ends.
    end: u64,
}

impl Pack {
    /// What is left of a pack without a root: every sound block, without tables, and a word on what is wrong. None if not
    /// even a block is left.
    pub(super) fn salvage(path: &Path) -> Result<Option<(Self, String)>> {
        let file = File::open(path).map_err(Error::io(path))?;
        let len = file.metadata().map_err(Error::io(path))?.len();
        let mut pack = Self::with_root(path, file, len, Root::empty());
        let walk = pack.walk()?;
        let found = Found::of(&walk);
        drop(walk);
        let Some(&last) = found.numbers.last() else { return Ok(None) };
        let what = if found.has_tables {
            "the root is damaged: blocks are found by scanning".to_owned()
        } else {
            format!("the pack is truncated after block {last} at offset {}", found.end)
        };
        pack.root.content_len = found.blocks.iter().fold(0, |sum, block| sum.saturating_add(block.raw_len));
        pack.root.shown_len = pack.root.content_len;
        pack.root.blocks = pages(&found.blocks);
        let segment_places: BTreeMap<u64, u64> = found.segments.keys().copied().zip(0..).collect();
        pack.root.segments = found.segments.into_values().collect();
        for segment in 0..pack.root.segments.len() {
            pack.learn_dictionary(segment)?;
        }
        let mut blocks = found.blocks;
        for block in &mut blocks {
            block.segment = segment_places.get(&block.segment).copied().unwrap_or(u64::MAX);
        }
        pack.salvaged = Some(super::open::Salvaged { blocks, numbers: found.numbers });
        Ok(Some((pack, what)))
    }

    /// Completes what the root would have said of a dictionary.
    fn learn_dictionary(&mut self, segment: usize) -> Result<()> {
        let place = &self.root.segments[segment];
        let Some(stored) = self.stored_dictionary(segment as u64, place)? else { return Ok(()) };
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
    fn of(walk: &Walk) -> Self {
        let mut found = Self::default();
        for &(frame, place) in &walk.chunks {
            match frame.kind {
                ChunkKind::Block => found.take_block(&frame, place),
                ChunkKind::Dictionary => found.take_piece(&frame, place),
                _ => found.has_tables = true,
            }
            if !found.has_tables {
                found.end = place.offset + place.len;
            }
        }
        found
    }

    fn take_block(&mut self, frame: &Frame, place: Place) {
        self.last_piece = None;
        let due = self.numbers.last().map_or(0, |last| last.saturating_add(1));
        if frame.number < due {
            return;
        }
        if frame.number > due {
            // No chunk has this place: a hole in the content, of a length that nothing tells.
            let lost = BlockEntry { offset: self.end, chunk_len: 0, raw_len: 1, segment: u64::MAX };
            self.blocks.push(lost);
            self.numbers.push(frame.number - 1);
        }
        let segment = match frame.extra {
            Some(segment) => segment,
            None if frame.packing != Packing::ZstdDictionary => u64::MAX,
            None => self.segments.keys().next_back().copied().unwrap_or(u64::MAX),
        };
        let Place { offset, len } = place;
        self.blocks.push(BlockEntry { offset, chunk_len: len, raw_len: frame.raw_len, segment });
        self.numbers.push(frame.number);
    }

    fn take_piece(&mut self, frame: &Frame, place: Place) {
        let Some(stored_len) = frame.extra else { return self.take_old_piece(frame, place) };
        let each = PIECES as u64 + 1;
        let (segment, at) = (frame.number / each, (frame.number % each) as usize);
        let Some(len) = usize::try_from(stored_len).ok().filter(|len| (1..=MAX_BLOCK).contains(len)) else {
            return;
        };
        // One more than the dictionary has, to mend by.
        let count = len.div_ceil(piece_len(len)) + 1;
        let dictionary = self.segments.entry(segment).or_insert_with(|| DictionaryPlace {
            pieces: vec![Place::default(); count],
            stored_len,
            ..DictionaryPlace::default()
        });
        if dictionary.stored_len == stored_len
            && let Some(piece) = dictionary.pieces.get_mut(at)
        {
            *piece = place;
        }
    }

    /// Blocks lie between two dictionaries, and the last piece of each is for mending.
    fn take_old_piece(&mut self, frame: &Frame, place: Place) {
        let last = self.segments.keys().next_back().copied();
        let segment = last.and_then(|last| self.segments.get_mut(&last));
        if let (Some(last_len), Some(segment)) = (self.last_piece, segment) {
            segment.stored_len = segment.stored_len.saturating_add(last_len);
            segment.pieces.push(place);
        } else {
            let next = last.map_or(0, |last| last + 1);
            self.segments.insert(next, DictionaryPlace { pieces: vec![place], ..DictionaryPlace::default() });
        }
        self.last_piece = Some(frame.stored_len);
    }
}

/// Pages of blocks that are nowhere in the file.
fn pages(blocks: &[BlockEntry]) -> Pages {
    let mut first = 0_u64;
    let page = |blocks: &[BlockEntry]| {
        let (place, side) = (Place::default(), Place::default());
        let page = PagePlace { place, count: blocks.len() as u64, first, first_offset: 0, side };
        first = blocks.iter().fold(first, |sum, block| sum.saturating_add(block.raw_len));
        page
    };
    blocks.chunks(PAGE).map(page).collect()
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
            shown_len: 0,
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
