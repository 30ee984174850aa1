//! Records of a pack found: by number, by offset in the original file, by URL.

use std::io::Write;
use std::ops::Range;

use super::chunk::ChunkKind;
use super::coding::Coding;
use super::damage::Part;
use super::find_records::KEY_LIMIT;
use super::open::Pack;
use super::pages::{BlockEntry, PAGE};
use super::records::Kind;
use super::root::{Pages, Root};
use super::{Error, Result};

/// A record of a pack, or what lies between records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackedRecord {
    /// What it is.
    pub kind: Kind,
    /// Its place in the order of the original file, from 0. What lies between records counts, too.
    pub number: u64,
    /// Its place in the order of the pack, from 0.
    pub packed: u64,
    /// Where it was in the original file, as an index states it: the offset of its member, or its own in a plain file.
    pub offset: u64,
    /// How many bytes it has.
    pub len: u64,
    /// Where it begins in the packed content.
    pub(super) start: u64,
}

/// Records of a URL or of all that begin with it, in the order of their keys.
pub struct UrlMatches<'p>(Keys<'p>);

/// Keys in a range, in order, with the numbers of their records.
struct Keys<'p> {
    pack: &'p Pack,
    start: Vec<u8>,
    /// None if no key is too large.
    end: Option<Vec<u8>>,
    page: usize,
    at: usize,
}

/// The page that reaches to or over a place, by where pages begin.
fn page_at(pages: &Pages, first: impl Fn(usize) -> u64, place: u64) -> Option<usize> {
    let (mut low, mut high) = (0, pages.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        if first(middle) <= place { low = middle + 1 } else { high = middle }
    }
    low.checked_sub(1)
}

impl Pack {
    /// A record, by its place in the original file; none if there are not so many.
    pub fn record(&self, number: u64) -> Result<Option<PackedRecord>> {
        if number >= self.root.units {
            return Ok(None);
        }
        let (page, at) = ((number / PAGE as u64) as usize, (number % PAGE as u64) as usize);
        let entries = self.original_page(page)?;
        let before = sum(entries[..at].iter().map(|entry| entry.len));
        let content_start = self.root.originals[page].first.saturating_add(before);
        self.resolve(number, entries[at].packed, entries[at].len, content_start).map(Some)
    }

    fn resolve(&self, number: u64, packed: u64, len: u64, content_start: u64) -> Result<PackedRecord> {
        let (page, at) = ((packed / PAGE as u64) as usize, (packed % PAGE as u64) as usize);
        let damaged = || {
            let original = (number / PAGE as u64) as usize;
            let place = self.root.originals[original].place;
            self.damaged(Part::Chunk(ChunkKind::OriginalPage, original as u64), place)
        };
        if packed >= self.root.units {
            return Err(damaged());
        }
        let entries = self.record_page(page)?;
        let start =
            self.root.packed[page].first.saturating_add(sum(entries[..at].iter().map(|entry| entry.len)));
        if entries[at].len != len {
            return Err(damaged());
        }
        // Lengths that go past the content would be no bytes, and no error.
        if start.checked_add(len).is_none_or(|end| end > self.root.content_len) {
            let place = self.root.packed[page].place;
            return Err(self.damaged(Part::Chunk(ChunkKind::RecordPage, page as u64), place));
        }
        let offset = self.offset_of(content_start)?;
        Ok(PackedRecord { kind: entries[at].kind, number, packed, offset, len, start })
    }

    /// Where a place of the content was in the original file.
    fn offset_of(&self, place: u64) -> Result<u64> {
        let members = &self.root.members;
        let Some(page) = page_at(members, |page| members[page].first, place) else { return Ok(0) };
        let (mut content, mut file) = (members[page].first, members[page].first_offset);
        for member in self.member_page(page)?.iter() {
            let stretch = member.stretch;
            if place - content < stretch.content_len {
                let is_plain = self.coding(stretch.coding) == Some(&Coding::Plain);
                return Ok(file.saturating_add(if is_plain { place - content } else { 0 }));
            }
            content = content.saturating_add(stretch.content_len).min(place);
            file = file.saturating_add(stretch.file_len);
        }
        Ok(file)
    }

    pub(super) fn coding(&self, place: u32) -> Option<&Coding> {
        self.root.palette.get(place as usize)
    }

    /// The records at an offset of the original file: those of the member that begins there, or the one that begins there in
    /// a plain stretch. None if nothing begins there.
    pub fn by_offset(&self, offset: u64) -> Result<Vec<PackedRecord>> {
        let Some(content) = self.content_at(offset)? else { return Ok(Vec::new()) };
        let originals = &self.root.originals;
        let Some(mut page) = page_at(originals, |page| originals[page].first, content.start) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        let mut start = originals[page].first;
        while page < originals.len() && start < content.end {
            for (entry, at) in self.original_page(page)?.iter().zip(0..) {
                if start >= content.end {
                    break;
                }
                if start >= content.start {
                    found.push(self.resolve(
                        page as u64 * PAGE as u64 + at,
                        entry.packed,
                        entry.len,
                        start,
                    )?);
                }
                start = start.saturating_add(entry.len);
            }
            page += 1;
        }
        Ok(found)
    }

    /// Where the first record at or after a place of the packed content begins, by the tables; the length of the content if
    /// there is none. None if not all of the content is records, or if a table is damaged: then only reading tells.
    pub(super) fn first_record(&self, place: u64) -> Option<u64> {
        let (packed, facts) = (&self.root.packed, self.facts());
        // Of a package readers see the records only.
        let shown_len = self.root.shown_len;
        if facts.records != facts.parts && shown_len == facts.content_len {
            return None;
        }
        let first = page_at(packed, |page| packed[page].first, place)?;
        for (number, page) in packed.iter().enumerate().skip(first) {
            let mut start = page.first;
            for entry in self.record_page(number).ok()?.iter() {
                if start >= place {
                    return Some(start.min(shown_len));
                }
                start = start.saturating_add(entry.len);
            }
        }
        Some(shown_len)
    }

    /// Where the record that begins at a place of the packed content ends, if the end of its compressed member cuts it short.
    pub(super) fn cut_end(&self, place: u64) -> Option<u64> {
        let packed = &self.root.packed;
        let page = page_at(packed, |page| packed[page].first, place)?;
        let mut start = packed[page].first;
        for entry in self.record_page(page).ok()?.iter() {
            if start >= place {
                return (start == place && entry.is_cut).then(|| start.saturating_add(entry.len));
            }
            start = start.saturating_add(entry.len);
        }
        None
    }

    /// The content that begins at an offset of the original file: that of a member, or one place of a plain stretch.
    fn content_at(&self, offset: u64) -> Result<Option<Range<u64>>> {
        let members = &self.root.members;
        let Some(page) = page_at(members, |page| members[page].first_offset, offset) else { return Ok(None) };
        let (mut content, mut file) = (members[page].first, members[page].first_offset);
        for member in self.member_page(page)?.iter() {
            let stretch = member.stretch;
            if offset - file < stretch.file_len {
                let inside = offset - file;
                let is_plain = self.coding(stretch.coding) == Some(&Coding::Plain);
                return Ok(match inside {
                    _ if is_plain => {
                        let place = content.saturating_add(inside);
                        Some(place..place.saturating_add(1))
                    }
                    0 => Some(content..content.saturating_add(stretch.content_len)),
                    _ => None,
                });
            }
            content = content.saturating_add(stretch.content_len);
            file = file.saturating_add(stretch.file_len).min(offset);
        }
        Ok(None)
    }

    /// All records whose key (SURT) begins with `prefix`, in the order of the keys. A damaged page of the index is an error in
    /// their midst, and the next pages follow.
    pub fn by_url(&self, prefix: impl AsRef<[u8]>) -> UrlMatches<'_> {
        let prefix = prefix.as_ref();
        UrlMatches(self.keys(prefix.to_vec(), after_prefix(prefix)))
    }

    fn keys(&self, start: Vec<u8>, end: Option<Vec<u8>>) -> Keys<'_> {
        // Records of one key may begin on the page before the one that begins with it.
        let page = self.root.url_keys.partition_point(|key| key[..] < start[..]).saturating_sub(1);
        Keys { pack: self, start, end, page, at: 0 }
    }

    /// Where the records of a range of keys begin in the packed content. None if the pack has lost its tables.
    ///
    /// Long keys are cut in the table, so a few records of other keys may be among them.
    pub(super) fn starts_of<'p>(
        &'p self,
        keys: Range<&[u8]>,
    ) -> Option<impl Iterator<Item = Result<u64>> + use<'p>> {
        if self.root.packed.is_empty() && self.root.content_len > 0 {
            return None;
        }
        let start = keys.start[..keys.start.len().min(KEY_LIMIT)].to_vec();
        let found = self.keys(start, Some(keys.end.to_vec()));
        Some(found.map(|found| self.start_of(found?.1)))
    }

    /// Where a record begins in the packed content, by its place in the original file.
    fn start_of(&self, number: u64) -> Result<u64> {
        let (page, at) = ((number / PAGE as u64) as usize, (number % PAGE as u64) as usize);
        let Some(original) = self.root.originals.get(page) else {
            let why = "its URL table refers to a missing record";
            return Err(Error::NotAPack { path: self.path().into(), why });
        };
        let damaged = || self.damaged(Part::Chunk(ChunkKind::OriginalPage, page as u64), original.place);
        let packed = self.original_page(page)?.get(at).ok_or_else(damaged)?.packed;
        if packed >= self.root.units {
            return Err(damaged());
        }
        self.start_of_packed(packed)
    }

    /// Where a record begins in the packed content, by its place in the pack.
    fn start_of_packed(&self, packed: u64) -> Result<u64> {
        let (page, at) = ((packed / PAGE as u64) as usize, (packed % PAGE as u64) as usize);
        let entries = self.record_page(page)?;
        Ok(self.root.packed[page].first.saturating_add(sum(entries[..at].iter().map(|entry| entry.len))))
    }

    /// The packed content after the last record: what is no record.
    pub(super) fn after_records(&self) -> Result<Range<u64>> {
        let Root { records, units, content_len, .. } = self.root;
        let start = if records < units { self.start_of_packed(records)? } else { content_len };
        Ok(start..content_len)
    }

    /// All records in the order of the original file, and what lies between them.
    pub fn in_original_order(&self) -> impl Iterator<Item = Result<PackedRecord>> {
        (0..self.root.units).map_while(|number| self.record(number).transpose())
    }

    /// All records in the order of the pack, and what lies between them: the order in which reading them is fastest.
    ///
    /// Memory: 16 bytes a record.
    pub fn in_pack_order(&self) -> Result<impl Iterator<Item = Result<PackedRecord>>> {
        let mut order = Vec::new();
        for page in 0..self.root.originals.len() {
            let numbers = page as u64 * PAGE as u64..;
            order.extend(
                self.original_page(page)?.iter().zip(numbers).map(|(entry, number)| (entry.packed, number)),
            );
        }
        order.sort_unstable();
        Ok(order.into_iter().map_while(|(_, number)| self.record(number).transpose()))
    }

    /// Adds the bytes of a record to `out`: head, block and line ends, decompressed.
    pub fn read(&self, record: &PackedRecord, out: &mut Vec<u8>) -> Result<()> {
        self.each_piece(record.start, record.len, |bytes| {
            out.extend_from_slice(bytes);
            Ok(())
        })
    }

    /// Writes the bytes of a record, however large it is.
    pub fn copy(&self, record: &PackedRecord, out: &mut dyn Write) -> Result<()> {
        self.each_piece(record.start, record.len, |bytes| out.write_all(bytes).map_err(Error::io("-")))
    }

    /// Goes over a part of the packed content, block by block.
    fn each_piece(&self, mut start: u64, len: u64, mut give: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let end = start.saturating_add(len);
        while start < end {
            let (number, entry, block_start) = self.block_at(start)?;
            let from = (start - block_start) as usize;
            let to = entry.raw_len.min(end - block_start) as usize;
            let block = self.block(number, &entry, to)?;
            give(&block[from..to])?;
            start = block_start + to as u64;
        }
        Ok(())
    }

    /// The block that holds a place of the packed content: its number, its entry, and where it begins.
    pub(super) fn block_at(&self, place: u64) -> Result<(u64, BlockEntry, u64)> {
        let blocks = &self.root.blocks;
        let not_there =
            || Error::NotAPack { path: self.path().into(), why: "a record lies after the last block" };
        let page = page_at(blocks, |page| blocks[page].first, place).ok_or_else(not_there)?;
        let mut start = blocks[page].first;
        for (entry, number) in self.block_page(page)?.iter().zip(page as u64 * PAGE as u64..) {
            if place - start < entry.raw_len {
                return Ok((number, *entry, start));
            }
            start = start.saturating_add(entry.raw_len).min(place);
        }
        Err(not_there())
    }
}

fn sum(lens: impl Iterator<Item = u64>) -> u64 {
    lens.fold(0, u64::saturating_add)
}

/// The least key that is greater than all that begin with a prefix.
fn after_prefix(prefix: &[u8]) -> Option<Vec<u8>> {
    let len = prefix.iter().rposition(|&byte| byte < u8::MAX)?;
    let mut end = prefix[..=len].to_vec();
    end[len] += 1;
    Some(end)
}

impl Iterator for UrlMatches<'_> {
    type Item = Result<(Vec<u8>, PackedRecord)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (key, number) = match self.0.next()? {
                Ok(found) => found,
                Err(error) => return Some(Err(error)),
            };
            match self.0.pack.record(number) {
                Ok(Some(record)) => return Some(Ok((key, record))),
                Ok(None) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Iterator for Keys<'_> {
    type Item = Result<(Vec<u8>, u64)>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.page < self.pack.root.urls.len() {
            let entries = match self.pack.url_page(self.page) {
                Ok(entries) => entries,
                Err(error) => {
                    self.page += 1;
                    return Some(Err(error));
                }
            };
            while let Some((key, number)) = entries.get(self.at) {
                self.at += 1;
                if self.end.as_ref().is_some_and(|end| key >= end) {
                    self.page = self.pack.root.urls.len();
                    return None;
                }
                if *key >= self.start {
                    return Some(Ok((key.clone(), *number)));
                }
            }
            (self.page, self.at) = (self.page + 1, 0);
        }
        None
    }
}
