//! The tables of a pack, written page by page, and the root that finds them.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

use super::chunk::ChunkKind;
use super::chunk_writer::ChunkWriter;
use super::codec::{encode_at, encode_small};
use super::coding::Coding;
use super::pages::{BlockEntry, Entry, MemberEntry, OriginalEntry, PAGE, RecordEntry, UrlEntry, write_urls};
use super::plan::Plan;
use super::profile::Profile;
use super::records::{Stretch, Unit};
use super::root::{DictionaryPlace, PagePlace, Pages, Place, Root};
use super::{Error, Result, Survey};

/// What is stored beside the members of a page is no more than this, but for the last of them.
const SIDES_BYTES: u64 = 16 << 20;

/// Writes all tables and the root, twice; gives where the second root is.
pub(super) fn write_tables<W: Write>(
    survey: &Survey,
    plan: &Plan,
    profile: Profile,
    segments: Vec<DictionaryPlace>,
    blocks: &[BlockEntry],
    out: &mut ChunkWriter<W>,
) -> Result<Place> {
    let mut tables = Tables { out, survey };
    let (urls, url_keys) = tables.urls()?;
    let root = Root {
        profile,
        file_len: survey.file_len,
        file_hash: survey.file_hash,
        content_len: survey.content_len(),
        units: survey.units.len() as u64,
        records: survey.record_count() as u64,
        shown_len: survey.shown_len(),
        palette: survey.palette.0.clone(),
        segments,
        blocks: tables.pages(ChunkKind::BlockPage, blocks.chunks(PAGE), |block| (block.raw_len, 0))?,
        packed: tables.packed(plan)?,
        originals: tables.originals(plan)?,
        members: tables.members()?,
        urls,
        url_keys,
    };
    let bytes = root.write();
    tables.put(ChunkKind::Root, 0, &bytes)?;
    tables.put(ChunkKind::Root, 1, &bytes)
}

struct Tables<'a, W> {
    out: &'a mut ChunkWriter<W>,
    survey: &'a Survey,
}

impl<W: Write> Tables<'_, W> {
    fn put(&mut self, kind: ChunkKind, number: u64, bytes: &[u8]) -> Result<Place> {
        let (packing, payload) = encode_small(bytes)?;
        let place = self.out.put(kind, number, (packing, &payload), bytes.len() as u64);
        place.map_err(Error::io(&self.survey.path))
    }

    /// Writes entries; `step` says how far each reaches.
    fn pages<'e, E: Entry + 'e>(
        &mut self,
        kind: ChunkKind,
        chunks: impl Iterator<Item = &'e [E]>,
        step: impl Fn(&E) -> (u64, u64),
    ) -> Result<Pages> {
        let mut pages = Pages::new();
        let (mut first, mut first_offset) = (0, 0);
        for (chunk, number) in chunks.zip(0..) {
            let place = self.put(kind, number, &E::write(chunk))?;
            let count = chunk.len() as u64;
            pages.push(PagePlace { place, count, first, first_offset, side: Place::default() });
            for (step, offset_step) in chunk.iter().map(&step) {
                first += step;
                first_offset += offset_step;
            }
        }
        Ok(pages)
    }

    fn packed(&mut self, plan: &Plan) -> Result<Pages> {
        let units = &self.survey.units;
        let entry = |&unit: &u32| {
            let Unit { kind, len, is_cut, .. } = units[unit as usize];
            RecordEntry { kind, len, is_cut }
        };
        let entries: Vec<RecordEntry> = plan.sequence.iter().map(entry).collect();
        self.pages(ChunkKind::RecordPage, entries.chunks(PAGE), |entry| (entry.len, 0))
    }

    fn originals(&mut self, plan: &Plan) -> Result<Pages> {
        let mut packed = vec![0; self.survey.units.len()];
        plan.sequence.iter().zip(0..).for_each(|(&unit, place)| packed[unit as usize] = place);
        let entry = |(unit, packed): (&Unit, u64)| OriginalEntry { len: unit.len, packed };
        let entries: Vec<_> = self.survey.units.iter().zip(packed).map(entry).collect();
        self.pages(ChunkKind::OriginalPage, entries.chunks(PAGE), |entry| (entry.len, 0))
    }

    fn members(&mut self) -> Result<Pages> {
        let survey = self.survey;
        let entry = |(at, stretch): (usize, &Stretch)| MemberEntry {
            stretch: *stretch,
            side_len: stretch.side_len(&survey.palette.0[stretch.coding as usize], survey.side(at)),
        };
        let entries: Vec<MemberEntry> = survey.stretches.iter().enumerate().map(entry).collect();
        let step = |entry: &MemberEntry| (entry.stretch.content_len, entry.stretch.file_len);
        let mut pages = self.pages(ChunkKind::MemberPage, member_pages(&entries), step)?;
        let mut sides = Sides { survey, file: None, member: 0, offset: 0 };
        for (page, number) in pages.iter_mut().zip(0..) {
            let bytes = sides.take(page.count as usize).map_err(Error::io(&survey.path))?;
            if !bytes.is_empty() {
                page.side = self.put_sides(number, &bytes)?;
            }
        }
        Ok(pages)
    }

    fn put_sides(&mut self, number: u64, bytes: &[u8]) -> Result<Place> {
        // Many bytes are members that are compressed already.
        let level = if bytes.len() as u64 > SIDES_BYTES / 16 { 3 } else { 19 };
        let (packing, payload) = encode_at(bytes, level)?;
        let place = self.out.put(ChunkKind::SidePage, number, (packing, &payload), bytes.len() as u64);
        place.map_err(Error::io(&self.survey.path))
    }

    /// Records that have a URL, by its key.
    fn urls(&mut self) -> Result<(Pages, Vec<Vec<u8>>)> {
        let survey = self.survey;
        let order = survey.url_order();
        let entries: Vec<UrlEntry<'_>> = order
            .iter()
            .map(|&record| {
                (survey.keys.get(record as usize), u64::from(survey.record_units[record as usize]))
            })
            .filter(|(key, _)| !key.is_empty())
            .collect();
        let (mut pages, mut keys) = (Pages::new(), Vec::new());
        for (chunk, number) in entries.chunks(PAGE).zip(0..) {
            let place = self.put(ChunkKind::UrlPage, number, &write_urls(chunk))?;
            let (count, side) = (chunk.len() as u64, Place::default());
            pages.push(PagePlace { place, count, first: 0, first_offset: 0, side });
            keys.extend(chunk.first().map(|(key, _)| key.to_vec()));
        }
        Ok((pages, keys))
    }
}

/// Members, so many to a page that what is stored beside them has a bound.
fn member_pages(entries: &[MemberEntry]) -> impl Iterator<Item = &[MemberEntry]> {
    let mut rest = entries;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let is_in = |entry: &&MemberEntry| {
            let is_in = bytes < SIDES_BYTES;
            bytes += entry.side_len;
            is_in
        };
        let (page, later) = rest.split_at(rest.iter().take(PAGE).take_while(is_in).count());
        rest = later;
        (!page.is_empty()).then_some(page)
    })
}

/// What is stored beside members, one after another.
struct Sides<'s> {
    survey: &'s Survey,
    /// The archive, from which members come that are kept; open if there are any.
    file: Option<BufReader<File>>,
    member: usize,
    offset: u64,
}

impl Sides<'_> {
    /// What is stored beside the next members.
    fn take(&mut self, count: usize) -> io::Result<Vec<u8>> {
        let mut sides = Vec::new();
        for _ in 0..count {
            let stretch = self.survey.stretches[self.member];
            if self.survey.palette.0[stretch.coding as usize] == Coding::Kept {
                self.read_kept(stretch.file_len, &mut sides)?;
            } else {
                sides.extend_from_slice(self.survey.side(self.member));
            }
            self.member += 1;
            self.offset += stretch.file_len;
        }
        Ok(sides)
    }

    fn read_kept(&mut self, len: u64, to: &mut Vec<u8>) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(BufReader::new(File::open(&self.survey.path)?));
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        file.seek(SeekFrom::Start(self.offset))?;
        let read = file.take(len).read_to_end(to)? as u64;
        if read == len { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}
