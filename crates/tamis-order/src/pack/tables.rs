//! The tables of a pack, written page by page, and the root that finds them.

use std::io::Write;

use super::chunk::ChunkKind;
use super::chunk_writer::ChunkWriter;
use super::codec::encode_small;
use super::pages::{BlockEntry, Entry, MemberEntry, OriginalEntry, PAGE, RecordEntry, UrlEntry, write_urls};
use super::plan::Plan;
use super::profile::Profile;
use super::root::{DictionaryPlace, PagePlace, Pages, Place, Root};
use super::{Error, Result, Survey};

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
        palette: survey.palette.0.clone(),
        segments,
        blocks: tables.pages(ChunkKind::BlockPage, blocks, |block| (block.raw_len, 0))?,
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
    fn pages<E: Entry>(
        &mut self,
        kind: ChunkKind,
        entries: &[E],
        step: impl Fn(&E) -> (u64, u64),
    ) -> Result<Pages> {
        let mut pages = Pages::new();
        let (mut first, mut first_offset) = (0, 0);
        for (chunk, number) in entries.chunks(PAGE).zip(0..) {
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
        let entry =
            |&unit: &u32| RecordEntry { kind: units[unit as usize].kind, len: units[unit as usize].len };
        let entries: Vec<RecordEntry> = plan.sequence.iter().map(entry).collect();
        self.pages(ChunkKind::RecordPage, &entries, |entry| (entry.len, 0))
    }

    fn originals(&mut self, plan: &Plan) -> Result<Pages> {
        let mut packed = vec![0; self.survey.units.len()];
        plan.sequence.iter().zip(0..).for_each(|(&unit, place)| packed[unit as usize] = place);
        let entry = |(unit, packed): (&super::records::Unit, u64)| OriginalEntry { len: unit.len, packed };
        let entries: Vec<_> = self.survey.units.iter().zip(packed).map(entry).collect();
        self.pages(ChunkKind::OriginalPage, &entries, |entry| (entry.len, 0))
    }

    fn members(&mut self) -> Result<Pages> {
        let survey = self.survey;
        let entry = |(at, stretch): (usize, &super::records::Stretch)| MemberEntry {
            stretch: *stretch,
            side_len: survey.side(at).len() as u64,
        };
        let entries: Vec<MemberEntry> = survey.stretches.iter().enumerate().map(entry).collect();
        let step = |entry: &MemberEntry| (entry.stretch.content_len, entry.stretch.file_len);
        let mut pages = self.pages(ChunkKind::MemberPage, &entries, step)?;
        for (at, page) in pages.iter_mut().enumerate() {
            let sides: Vec<u8> = (at * PAGE..at * PAGE + page.count as usize)
                .flat_map(|member| survey.side(member))
                .copied()
                .collect();
            if !sides.is_empty() {
                page.side = self.put(ChunkKind::SidePage, at as u64, &sides)?;
            }
        }
        Ok(pages)
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
