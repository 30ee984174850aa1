//! Pages of the tables of a pack, as bytes: numbers in columns, one column after the other, since like compresses best with like.

use super::chunk::is_plausible;
use super::find_records::KEY_LIMIT;
use super::records::{Kind, Stretch};
use super::root::Place;
use super::varint::{put, put_text, take, take_text};

/// So many entries are on a page of a table.
pub(super) const PAGE: usize = 1024;

/// A block: where it is, and what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockEntry {
    /// Where its chunk is in the pack, and how long.
    pub(super) offset: u64,
    pub(super) chunk_len: u64,
    pub(super) raw_len: u64,
    pub(super) segment: u64,
}

impl BlockEntry {
    /// Where its chunk is.
    pub(super) fn place(&self) -> Place {
        Place { offset: self.offset, len: self.chunk_len }
    }
}

/// A record in the order of the pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RecordEntry {
    pub(super) kind: Kind,
    pub(super) len: u64,
    /// Whether it is a record that the end of its compressed member cuts short.
    pub(super) is_cut: bool,
}

/// What is added to the kind of a record that is cut short.
const CUT: u64 = 16;

/// A record in the order of the original file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OriginalEntry {
    pub(super) len: u64,
    /// Its place in the pack.
    pub(super) packed: u64,
}

/// A stretch of the original file, and how much is stored beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MemberEntry {
    pub(super) stretch: Stretch,
    pub(super) side_len: u64,
}

/// A key and the number of the record in the original file.
pub(super) type UrlEntry<'a> = (&'a [u8], u64);

/// What is put on pages.
pub(super) trait Entry: Sized {
    /// A page of some entries.
    fn write(entries: &[Self]) -> Vec<u8>;
    /// The entries of a page; none if it is not well formed.
    fn read(page: &[u8], count: usize) -> Option<Vec<Self>>;
}

fn zigzag(from: u64, to: u64) -> u64 {
    let difference = to.wrapping_sub(from).cast_signed();
    (difference << 1 ^ difference >> 63).cast_unsigned()
}

fn unzigzag(from: u64, code: u64) -> u64 {
    from.wrapping_add(code >> 1 ^ (code & 1).wrapping_neg())
}

/// Adds a column.
fn put_column<T>(out: &mut Vec<u8>, entries: &[T], number: impl FnMut(&T) -> u64) {
    entries.iter().map(number).for_each(|number| put(out, number));
}

/// Takes a column. A page has at most [`PAGE`] entries, so that no length of a hostile file is memory.
fn take_column(page: &mut &[u8], count: usize) -> Option<Vec<u64>> {
    if count > PAGE {
        return None;
    }
    (0..count).map(|_| take(page)).collect()
}

impl Entry for BlockEntry {
    fn write(entries: &[Self]) -> Vec<u8> {
        let mut out = Vec::new();
        let (mut end, mut segment) = (0, 0);
        put_column(&mut out, entries, |block| {
            let gap = block.offset - end;
            end = block.offset + block.chunk_len;
            gap
        });
        put_column(&mut out, entries, |block| block.chunk_len);
        put_column(&mut out, entries, |block| block.raw_len);
        put_column(&mut out, entries, |block| block.segment - std::mem::replace(&mut segment, block.segment));
        out
    }

    fn read(mut page: &[u8], count: usize) -> Option<Vec<Self>> {
        let [gaps, lens, raw_lens, segments] = columns(&mut page, count)?;
        let (mut end, mut segment) = (0_u64, 0_u64);
        let block = |at: usize| {
            let offset = end.checked_add(gaps[at])?;
            end = offset.checked_add(lens[at])?;
            segment = segment.checked_add(segments[at])?;
            if !is_plausible(lens[at], raw_lens[at]) {
                return None;
            }
            Some(Self { offset, chunk_len: lens[at], raw_len: raw_lens[at], segment })
        };
        (0..count).map(block).collect()
    }
}

impl Entry for RecordEntry {
    fn write(entries: &[Self]) -> Vec<u8> {
        let mut out = Vec::new();
        put_column(&mut out, entries, |record| record.kind.to_code() | if record.is_cut { CUT } else { 0 });
        put_column(&mut out, entries, |record| record.len);
        out
    }

    fn read(mut page: &[u8], count: usize) -> Option<Vec<Self>> {
        let [kinds, lens] = columns(&mut page, count)?;
        let record = |(code, len): (u64, u64)| {
            Some(Self { kind: Kind::from_code(code & !CUT)?, len, is_cut: code & CUT != 0 })
        };
        kinds.into_iter().zip(lens).map(record).collect()
    }
}

impl Entry for OriginalEntry {
    fn write(entries: &[Self]) -> Vec<u8> {
        let mut out = Vec::new();
        put_column(&mut out, entries, |record| record.len);
        let mut last = 0;
        put_column(&mut out, entries, |record| {
            zigzag(std::mem::replace(&mut last, record.packed), record.packed)
        });
        out
    }

    fn read(mut page: &[u8], count: usize) -> Option<Vec<Self>> {
        let [lens, places] = columns(&mut page, count)?;
        let mut last = 0;
        let record = |(len, code): (u64, u64)| {
            last = unzigzag(last, code);
            Self { len, packed: last }
        };
        Some(lens.into_iter().zip(places).map(record).collect())
    }
}

impl Entry for MemberEntry {
    fn write(entries: &[Self]) -> Vec<u8> {
        let mut out = Vec::new();
        put_column(&mut out, entries, |member| u64::from(member.stretch.coding));
        put_column(&mut out, entries, |member| member.stretch.file_len);
        put_column(&mut out, entries, |member| member.stretch.content_len);
        put_column(&mut out, entries, |member| member.side_len);
        out
    }

    fn read(mut page: &[u8], count: usize) -> Option<Vec<Self>> {
        let [codings, file_lens, content_lens, side_lens] = columns(&mut page, count)?;
        let member = |at: usize| {
            let coding = u32::try_from(codings[at]).ok()?;
            let stretch = Stretch { coding, file_len: file_lens[at], content_len: content_lens[at] };
            Some(Self { stretch, side_len: side_lens[at] })
        };
        (0..count).map(member).collect()
    }
}

/// All columns of a page.
fn columns<const N: usize>(page: &mut &[u8], count: usize) -> Option<[Vec<u64>; N]> {
    let mut all = [const { Vec::new() }; N];
    for column in &mut all {
        *column = take_column(page, count)?;
    }
    page.is_empty().then_some(all)
}

/// A page of the URL index: of each key, how much it shares with the one before and what differs.
pub(super) fn write_urls(entries: &[UrlEntry<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut last: &[u8] = b"";
    let mut rests = Vec::new();
    put_column(&mut out, entries, |(key, _)| {
        let shared = key.iter().zip(last).take_while(|(a, b)| a == b).count();
        rests.push(&key[shared..]);
        last = key;
        shared as u64
    });
    let mut number = 0;
    put_column(&mut out, entries, |(_, next)| zigzag(std::mem::replace(&mut number, *next), *next));
    for rest in rests {
        put_text(&mut out, rest);
    }
    out
}

/// The entries of a page of the URL index. Keys are at most [`KEY_LIMIT`] long, so a page is at most 4 MiB of memory.
pub(super) fn read_urls(mut page: &[u8], count: usize) -> Option<Vec<(Vec<u8>, u64)>> {
    let shared = take_column(&mut page, count)?;
    let numbers = take_column(&mut page, count)?;
    let mut entries: Vec<(Vec<u8>, u64)> = Vec::with_capacity(count);
    let mut number = 0;
    for (shared, code) in shared.into_iter().zip(numbers) {
        number = unzigzag(number, code);
        let last = entries.last().map(|(key, _)| &key[..]).unwrap_or_default();
        let shared = last.get(..usize::try_from(shared).ok()?)?;
        let rest = take_text(&mut page)?;
        if shared.len() + rest.len() > KEY_LIMIT {
            return None;
        }
        let key = [shared, rest].concat();
        entries.push((key, number));
    }
    page.is_empty().then_some(entries)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pages_survive_and_hostile_ones_are_none(
            rows in prop::collection::vec((any::<u32>(), any::<u32>(), 0_u64..11), 0..60), hostile in prop::collection::vec(any::<u8>(), 0..200), count in 0_usize..3000,
        ) {
            let records: Vec<_> = rows.iter().map(|&(len, _, code)| RecordEntry { kind: Kind::from_code(code).unwrap(), len: len.into(), is_cut: len % 2 == 0 }).collect();
            prop_assert_eq!(RecordEntry::read(&RecordEntry::write(&records), records.len()), Some(records));
            let originals: Vec<_> = rows.iter().map(|&(len, packed, _)| OriginalEntry { len: len.into(), packed: packed.into() }).collect();
            prop_assert_eq!(OriginalEntry::read(&OriginalEntry::write(&originals), originals.len()), Some(originals));
            let mut offset = 0;
            let blocks: Vec<_> = rows.iter().map(|&(len, gap, segment)| {
                offset += u64::from(gap);
                let block = BlockEntry { offset, chunk_len: len.into(), raw_len: u64::from(gap).min(u64::from(len) << 16).min(1 << 27), segment: segment + offset };
                offset += u64::from(len);
                block
            }).collect();
            prop_assert_eq!(BlockEntry::read(&BlockEntry::write(&blocks), blocks.len()), Some(blocks));
            let members: Vec<_> = rows.iter().map(|&(a, b, c)| MemberEntry { stretch: Stretch { coding: a, file_len: b.into(), content_len: c }, side_len: c }).collect();
            prop_assert_eq!(MemberEntry::read(&MemberEntry::write(&members), members.len()), Some(members));
            let mut keys: Vec<(Vec<u8>, u64)> = rows.iter().map(|&(a, b, _)| (a.to_string().into_bytes(), u64::from(b))).collect();
            keys.sort();
            let borrowed: Vec<UrlEntry<'_>> = keys.iter().map(|(key, number)| (&key[..], *number)).collect();
            prop_assert_eq!(read_urls(&write_urls(&borrowed), keys.len()), Some(keys));
            // Nothing panics or takes memory for what is not there.
            let _ = (BlockEntry::read(&hostile, count), RecordEntry::read(&hostile, count), read_urls(&hostile, count));
            let _ = (OriginalEntry::read(&hostile, count), MemberEntry::read(&hostile, count));
        }
    }

    #[test]
    fn keys_longer_than_any_that_is_written_are_refused() {
        let longest = vec![b'a'; KEY_LIMIT];
        assert!(read_urls(&write_urls(&[(&longest, 1), (&longest, 2)]), 2).is_some());
        let longer = vec![b'a'; KEY_LIMIT + 1];
        assert_eq!(read_urls(&write_urls(&[(&longer, 1)]), 1), None);
        // Each key is the one before and some bytes: a page of 2.6 KB would be 4 GiB of keys.
        let mut page = Vec::new();
        (0..PAGE as u64).for_each(|at| put(&mut page, at * (4 << 10)));
        (0..PAGE).for_each(|_| put(&mut page, 2));
        (0..PAGE).for_each(|_| put_text(&mut page, &longest));
        assert_eq!(read_urls(&page, PAGE), None);
    }
}
