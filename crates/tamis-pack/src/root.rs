//! The root of a pack: what it holds, and where the pages of its tables are.

use super::chunk::{MIN_CHUNK_LEN, is_plausible_content};
use super::coding::{Coding, PALETTE_LIMIT};
use super::pages::PAGE;
use super::profile::{MAX_BLOCK, Profile};
use super::varint::{put, put_text, take, take_bytes, take_text};

/// Where a chunk is in the pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Place {
    pub(super) offset: u64,
    /// With its frame; 0 if there is none.
    pub(super) len: u64,
}

/// A page of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PagePlace {
    pub(super) place: Place,
    pub(super) count: u64,
    /// How far the entries before reach: in the packed content for blocks and records, in the original content for originals and
    /// members.
    pub(super) first: u64,
    /// The same in the original file, for members.
    pub(super) first_offset: u64,
    /// What is stored beside members.
    pub(super) side: Place,
}

/// The pages of one table.
pub(super) type Pages = Vec<PagePlace>;

/// The dictionary of a segment: its pieces, and one more from which a damaged piece is made again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct DictionaryPlace {
    pub(super) pieces: Vec<Place>,
    pub(super) stored_len: u64,
    pub(super) raw_len: u64,
    pub(super) is_compressed: bool,
}

/// The root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Root {
    pub(super) profile: Profile,
    pub(super) file_len: u64,
    pub(super) file_hash: u128,
    pub(super) content_len: u64,
    pub(super) units: u64,
    pub(super) records: u64,
    /// How much of the packed content readers of archives see: of a package its records, else all.
    pub(super) shown_len: u64,
    pub(super) palette: Vec<Coding>,
    pub(super) segments: Vec<DictionaryPlace>,
    pub(super) blocks: Pages,
    pub(super) packed: Pages,
    pub(super) originals: Pages,
    pub(super) members: Pages,
    pub(super) urls: Pages,
    /// The first key of each page of the URL index.
    pub(super) url_keys: Vec<Vec<u8>>,
}

impl Root {
    pub(super) fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for number in [
            self.profile.to_code(),
            self.file_len,
            self.content_len,
            self.units,
            self.records,
            self.shown_len,
        ] {
            put(&mut out, number);
        }
        out.extend_from_slice(&self.file_hash.to_le_bytes());
        put(&mut out, self.palette.len() as u64);
        self.palette.iter().for_each(|coding| coding.put(&mut out));
        put(&mut out, self.segments.len() as u64);
        self.segments.iter().for_each(|segment| segment.put(&mut out));
        for pages in [&self.blocks, &self.packed, &self.originals, &self.members, &self.urls] {
            put_pages(&mut out, pages);
        }
        self.url_keys.iter().for_each(|key| put_text(&mut out, key));
        out
    }

    /// Reads the root of a pack of `pack_len` bytes. No list of it is longer than the chunks that the pack can hold. Roots
    /// of versions 1 to 3 do not say how much readers see.
    pub(super) fn read(mut bytes: &[u8], pack_len: u64, has_shown_len: bool) -> Option<Self> {
        let bytes = &mut bytes;
        let most = pack_len / MIN_CHUNK_LEN;
        let profile = Profile::from_code(take(bytes)?)?;
        let (file_len, content_len, units, records) =
            (take(bytes)?, take(bytes)?, take(bytes)?, take(bytes)?);
        let shown_len = if has_shown_len { take(bytes)? } else { content_len };
        let file_hash = u128::from_le_bytes(*take_bytes(bytes, 16)?.first_chunk()?);
        let codings = take(bytes)?;
        // A few codings without headers may stand behind a full list.
        if codings > PALETTE_LIMIT as u64 + 200 {
            return None;
        }
        let palette = (0..codings).map(|_| Coding::take(bytes)).collect::<Option<_>>()?;
        let segments = take(bytes)?;
        let segments = take_list(segments, most, || DictionaryPlace::take(bytes, most))?;
        let blocks = take_pages(bytes, most)?;
        let (packed, originals) = (take_pages(bytes, most)?, take_pages(bytes, most)?);
        let (members, urls) = (take_pages(bytes, most)?, take_pages(bytes, most)?);
        let url_keys = take_list(urls.len() as u64, most, || take_text(bytes).map(<[u8]>::to_vec))?;
        let is_over = bytes.is_empty();
        let root = Self {
            profile,
            file_len,
            file_hash,
            content_len,
            units,
            records,
            shown_len,
            palette,
            segments,
            blocks,
            packed,
            originals,
            members,
            urls,
            url_keys,
        };
        (is_over && root.is_consistent(pack_len)).then_some(root)
    }

    /// Where the last chunk before the roots ends, if nothing was inserted and nothing is missing.
    pub(super) fn chunks_end(&self) -> u64 {
        let tables = [&self.blocks, &self.packed, &self.originals, &self.members, &self.urls];
        let pages = tables.into_iter().flatten().flat_map(|page| [page.place, page.side]);
        let pieces = self.segments.iter().flat_map(|segment| segment.pieces.iter().copied());
        pages.chain(pieces).map(|place| place.offset.saturating_add(place.len)).max().unwrap_or(0)
    }

    /// How much content the blocks of each page have, as the root tells it. None if that is more than blocks can have.
    pub(super) fn block_page_lens(&self) -> Option<Vec<u64>> {
        let ends = self.blocks.iter().skip(1).map(|page| page.first).chain([self.content_len]);
        let is_start = self.blocks.first().map_or(self.content_len, |page| page.first) == 0;
        let lens = self.blocks.iter().zip(ends).map(|(page, end)| {
            let len = end.checked_sub(page.first)?;
            (len <= page.count * MAX_BLOCK as u64).then_some(len)
        });
        is_start.then(|| lens.collect()).flatten()
    }

    /// Whether the tables have as many entries as they must, and the blocks no more content than a pack of this length can hold.
    fn is_consistent(&self, pack_len: u64) -> bool {
        let count = |pages: &Pages| pages.iter().try_fold(0_u64, |sum, page| sum.checked_add(page.count));
        let is_sorted = |pages: &Pages| pages.is_sorted_by_key(|page| (page.first, page.first_offset));
        let are_sorted =
            [&self.blocks, &self.packed, &self.originals, &self.members].into_iter().all(is_sorted);
        // So that the page of an entry follows from its number.
        let is_even = |pages: &Pages| pages.iter().rev().skip(1).all(|page| page.count == PAGE as u64);
        let are_even = is_even(&self.packed) && is_even(&self.originals) && is_even(&self.blocks);
        let are_blocks_there = count(&self.blocks).is_some_and(|count| count <= pack_len / MIN_CHUNK_LEN)
            && is_plausible_content(pack_len, self.content_len)
            && self.shown_len <= self.content_len
            && self.block_page_lens().is_some();
        are_sorted
            && are_even
            && are_blocks_there
            && count(&self.packed) == Some(self.units)
            && count(&self.originals) == Some(self.units)
    }
}

/// Takes entries one by one, at most so many; each takes bytes, so no number is memory before they are there.
fn take_list<T>(count: u64, most: u64, mut take_one: impl FnMut() -> Option<T>) -> Option<Vec<T>> {
    if count > most {
        return None;
    }
    let mut list = Vec::new();
    for _ in 0..count {
        list.push(take_one()?);
    }
    Some(list)
}

impl Place {
    fn put(self, out: &mut Vec<u8>) {
        put(out, self.offset);
        put(out, self.len);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some(Self { offset: take(bytes)?, len: take(bytes)? })
    }
}

impl DictionaryPlace {
    fn put(&self, out: &mut Vec<u8>) {
        put(out, self.pieces.len() as u64);
        self.pieces.iter().for_each(|piece| piece.put(out));
        put(out, self.stored_len);
        put(out, self.raw_len);
        out.push(u8::from(self.is_compressed));
    }

    fn take(bytes: &mut &[u8], most: u64) -> Option<Self> {
        let count = take(bytes)?;
        let pieces = take_list(count, most, || Place::take(bytes))?;
        let (stored_len, raw_len) = (take(bytes)?, take(bytes)?);
        let is_compressed = *take_bytes(bytes, 1)?.first()? == 1;
        Some(Self { pieces, stored_len, raw_len, is_compressed })
    }
}

fn put_pages(out: &mut Vec<u8>, pages: &Pages) {
    put(out, pages.len() as u64);
    for page in pages {
        page.place.put(out);
        put(out, page.count);
        put(out, page.first);
        put(out, page.first_offset);
        page.side.put(out);
    }
}

fn take_pages(bytes: &mut &[u8], most: u64) -> Option<Pages> {
    let count = take(bytes)?;
    take_list(count, most, || {
        let (place, count) = (Place::take(bytes)?, take(bytes)?);
        let (first, first_offset) = (take(bytes)?, take(bytes)?);
        let side = Place::take(bytes)?;
        (1..=PAGE as u64).contains(&count).then_some(PagePlace { place, count, first, first_offset, side })
    })
}
