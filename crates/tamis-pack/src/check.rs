//! All of a pack looked over: every chunk, and that nothing lies between them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::Result;
use super::chunk::{ChunkKind, FOOTER_LEN, Frame, HEADER};
use super::damage::{Damage, Part};
use super::open::Pack;
use super::pages::PAGE;
use super::root::Place;
use super::write::PIECES;

/// So many pieces, and one more, the dictionaries of packs of versions 1 and 2 had at most.
const OLD_PIECES: u64 = 16;

/// What should be at an offset.
#[derive(Debug, Clone, Copy)]
struct Expected {
    kind: ChunkKind,
    number: u64,
    len: u64,
}

impl Expected {
    /// The number of a piece of a dictionary in packs of versions 1 and 2.
    fn old_number(&self) -> Option<u64> {
        let (segment, piece) = (self.number / (PIECES as u64 + 1), self.number % (PIECES as u64 + 1));
        (self.kind == ChunkKind::Dictionary).then_some(segment * (OLD_PIECES + 1) + piece)
    }
}

impl Pack {
    /// Reads all of the pack and tells what is damaged: which block or page, where, and which records it holds. An empty list is
    /// a sound pack.
    pub fn check(&self) -> Result<Vec<Damage>> {
        let mut damage = self.damage.clone();
        let known: HashSet<(u64, Part)> = damage.iter().map(|known| (known.offset, known.part)).collect();
        let expected = self.expected();
        // Offsets are those that the tables give.
        let (mut offset, end) = (HEADER.len() as u64, self.len.saturating_sub(FOOTER_LEN as u64));
        let end = end.saturating_add_signed(self.shift.saturating_neg());
        while offset < end {
            let next = expected.range(offset + 1..).next().map_or(end, |(&next, _)| next.min(end));
            let here = expected.get(&offset);
            let len = here.map_or(next - offset, |chunk| chunk.len.min(end - offset));
            let part = here.map_or(Part::Between, |chunk| Part::Chunk(chunk.kind, chunk.number));
            let is_known = known.contains(&(offset, part));
            // Where chunks lie elsewhere, what is between them was told as what was inserted or is missing.
            let is_told = is_known || (here.is_none() && self.shift != 0);
            if !is_told && !self.is_sound(here, Place { offset, len })? {
                let records = here.and_then(|chunk| self.records_of(chunk));
                let is_mended = here.is_some_and(|chunk| self.is_mended(chunk));
                damage.push(Damage { part, offset, len, records, is_mended });
            }
            offset += len.max(1);
        }
        judge_dictionaries(&mut damage);
        damage.sort_by_key(|damage| damage.offset);
        Ok(damage)
    }

    /// Whether something else says what a damaged chunk said.
    fn is_mended(&self, chunk: &Expected) -> bool {
        match chunk.kind {
            ChunkKind::Dictionary | ChunkKind::Root => true,
            ChunkKind::BlockPage => self.block_page(chunk.number as usize).is_ok(),
            _ => false,
        }
    }

    fn is_sound(&self, here: Option<&Expected>, place: Place) -> Result<bool> {
        let Some(expected) = here else { return Ok(false) };
        let is_it = |frame: &Frame| {
            frame.kind == expected.kind
                && (frame.number == expected.number || expected.old_number() == Some(frame.number))
        };
        Ok(self.find_chunk((expected.kind, expected.number), place, is_it)?.is_some())
    }

    /// All chunks that the root and the block pages know of, by offset.
    fn expected(&self) -> BTreeMap<u64, Expected> {
        let mut all = BTreeMap::new();
        let mut add = |place: Place, kind, number| {
            if place.len > 0 {
                all.insert(place.offset, Expected { kind, number, len: place.len });
            }
        };
        for (segment, first) in self.root.segments.iter().zip((0..).step_by(PIECES + 1)) {
            segment
                .pieces
                .iter()
                .zip(first..)
                .for_each(|(&piece, number)| add(piece, ChunkKind::Dictionary, number));
        }
        for (pages, kind) in [
            (&self.root.blocks, ChunkKind::BlockPage),
            (&self.root.packed, ChunkKind::RecordPage),
            (&self.root.originals, ChunkKind::OriginalPage),
            (&self.root.members, ChunkKind::MemberPage),
            (&self.root.urls, ChunkKind::UrlPage),
        ] {
            for (page, number) in pages.iter().zip(0..) {
                add(page.place, kind, number);
                add(page.side, ChunkKind::SidePage, number);
            }
        }
        for page in 0..self.root.blocks.len() {
            let Ok(blocks) = self.block_page(page) else { continue };
            for (block, number) in blocks.iter().zip(page as u64 * PAGE as u64..) {
                add(Place { offset: block.offset, len: block.chunk_len }, ChunkKind::Block, number);
            }
        }
        for (place, number) in self.roots().into_iter().zip(0..) {
            let offset = place.offset.saturating_add_signed(self.shift.saturating_neg());
            add(Place { offset, ..place }, ChunkKind::Root, number);
        }
        all
    }

    /// Where the two copies of the root are.
    fn roots(&self) -> [Place; 2] {
        let Place { offset, len } = self.root_place;
        let is_second = offset + len + FOOTER_LEN as u64 == self.len;
        let (first, second) =
            if is_second { (offset.saturating_sub(len), offset) } else { (offset, offset + len) };
        [Place { offset: first, len }, Place { offset: second, len }]
    }

    /// Damage to what stands around blocks and tables: header, footer, a copy of the root, bytes behind the end. All can be read in
    /// spite of it, so that whoever reads would not meet it.
    pub(super) fn outer_damage(&self) -> Result<Vec<Damage>> {
        let mut damage = self.damage.clone();
        for (place, number) in self.roots().into_iter().zip(0..) {
            let Place { offset, len } = place;
            let part = Part::Chunk(ChunkKind::Root, number);
            let is_known = damage.iter().any(|known| known.part == part);
            if !is_known && !self.is_sound(Some(&Expected { kind: ChunkKind::Root, number, len }), place)? {
                damage.push(Damage { part, offset, len, records: None, is_mended: true });
            }
        }
        Ok(damage)
    }

    /// The records that a block holds, by their places in the pack.
    fn records_of(&self, chunk: &Expected) -> Option<Range<u64>> {
        let page = usize::try_from(chunk.number).ok()? / PAGE;
        if chunk.kind != ChunkKind::Block {
            return None;
        }
        let blocks = self.block_page(page).ok()?;
        let at = (chunk.number % PAGE as u64) as usize;
        let start = blocks[..at]
            .iter()
            .fold(self.root.blocks[page].first, |sum, block| sum.saturating_add(block.raw_len));
        let end = start.saturating_add(blocks.get(at)?.raw_len);
        Some(self.packed_at(start)?..self.packed_at(end.saturating_sub(1))? + 1)
    }

    /// The place in the pack of the record that holds a place of the packed content.
    fn packed_at(&self, place: u64) -> Option<u64> {
        let page = self.root.packed.partition_point(|page| page.first <= place).checked_sub(1)?;
        let mut end = self.root.packed[page].first;
        let entries = self.record_page(page).ok()?;
        let at = entries.iter().position(|entry| {
            end = end.saturating_add(entry.len);
            place < end
        })?;
        Some((page * PAGE + at) as u64)
    }
}

/// A dictionary with two damaged pieces is lost.
fn judge_dictionaries(damage: &mut [Damage]) {
    let segment_of = |damage: &Damage| match damage.part {
        // Pieces have the numbers that `expected` gave them.
        Part::Chunk(ChunkKind::Dictionary, number) => Some(number / (PIECES as u64 + 1)),
        _ => None,
    };
    let mut counts: HashMap<u64, usize> = HashMap::new();
    damage.iter().filter_map(segment_of).for_each(|segment| *counts.entry(segment).or_default() += 1);
    for damage in damage {
        if segment_of(damage).and_then(|segment| counts.get(&segment)).is_some_and(|&count| count > 1) {
            damage.is_mended = false;
        }
    }
}
