//! Checksums of the blocks of a file, taken when the file was known to be sound, and a reader that compares them.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::input::positioned_read;
use crate::{Bytes, Hole};

/// The CRC-32 of each block of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockSums {
    block_bytes: u32,
    crcs: Vec<u32>,
}

impl BlockSums {
    /// The largest block: a reader holds one in memory.
    pub const MAX_BLOCK_BYTES: u32 = 64 << 20;

    /// Checksums of blocks of this size; the last block may be shorter. None if the size is 0 or too large.
    pub fn new(block_bytes: u32, crcs: Vec<u32>) -> Option<Self> {
        (1..=Self::MAX_BLOCK_BYTES).contains(&block_bytes).then_some(Self { block_bytes, crcs })
    }

    /// The size of all blocks but the last.
    pub fn block_bytes(&self) -> u32 {
        self.block_bytes
    }

    /// The checksum of each block.
    pub fn crcs(&self) -> &[u32] {
        &self.crcs
    }
}

/// Takes the checksums of bytes as they go by.
#[derive(Debug)]
pub struct BlockSummer {
    sums: BlockSums,
    hash: crc32fast::Hasher,
    /// Bytes of the block that is not complete.
    filled: usize,
}

impl BlockSummer {
    /// For a file of this length: 16 KiB blocks for small files, larger ones where there would be many. Damage costs a
    /// reader a whole block, and each block is 8 digits in a list.
    pub fn for_len(len: u64) -> Self {
        let few = (len / (4 << 10)).next_power_of_two().clamp(16 << 10, 256 << 10);
        let bounded =
            (len / (128 << 10)).next_power_of_two().clamp(few, u64::from(BlockSums::MAX_BLOCK_BYTES));
        let block_bytes = u32::try_from(bounded).unwrap_or(BlockSums::MAX_BLOCK_BYTES);
        let sums = BlockSums { block_bytes, crcs: Vec::new() };
        Self { sums, hash: crc32fast::Hasher::new(), filled: 0 }
    }

    /// Adds bytes.
    pub fn update(&mut self, mut bytes: &[u8]) {
        let block = self.sums.block_bytes as usize;
        while !bytes.is_empty() {
            let (now, rest) = bytes.split_at(bytes.len().min(block - self.filled));
            self.hash.update(now);
            self.filled += now.len();
            bytes = rest;
            if self.filled == block {
                self.end_block();
            }
        }
    }

    /// The checksums of all bytes.
    pub fn finish(mut self) -> BlockSums {
        if self.filled > 0 {
            self.end_block();
        }
        self.sums
    }

    fn end_block(&mut self) {
        self.sums.crcs.push(std::mem::take(&mut self.hash).finalize());
        self.filled = 0;
    }
}

/// What a file is compared with, and what a reader says of a block that differs.
#[derive(Debug)]
pub struct Expected {
    /// The checksums of the whole file.
    pub sums: BlockSums,
    /// The command that tells more.
    pub hint: String,
}

/// A file, or a range of one, of which every block is compared before it is used. One that differs is a [`Hole`].
pub(crate) struct Checked {
    file: File,
    file_len: u64,
    range: Range<u64>,
    expected: Arc<Expected>,
}

impl Checked {
    /// Opens a file, or a range of it.
    pub(crate) fn open(path: &Path, range: Option<Range<u64>>, expected: &Arc<Expected>) -> io::Result<Self> {
        let file = File::open(path)?;
        let file_len = file.metadata()?.len();
        Ok(Self { file, file_len, range: range.unwrap_or(0..file_len), expected: expected.clone() })
    }

    fn block_bytes(&self) -> u64 {
        u64::from(self.expected.sums.block_bytes)
    }

    /// Where in the file a block is.
    fn block(&self, number: u64) -> Range<u64> {
        let start = number.saturating_mul(self.block_bytes());
        start..start.saturating_add(self.block_bytes()).min(self.file_len)
    }

    /// Reads a block into room of its length.
    fn read_block(&self, number: u64, room: &mut [u8]) -> io::Result<()> {
        let block = self.block(number);
        let mut filled = 0;
        while filled < room.len() {
            match positioned_read(&self.file, &mut room[filled..], block.start + filled as u64) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let known = usize::try_from(number).ok().and_then(|number| self.expected.sums.crcs.get(number));
        if filled == room.len() && known == Some(&crc32fast::hash(room)) {
            return Ok(());
        }
        let end = block.end.clamp(self.range.start, self.range.end) - self.range.start;
        let hint = &self.expected.hint;
        Err(Hole { end, what: format!("changed since the import ({hint})") }.into_error())
    }

    /// Reads from an offset on, as far as blocks are as expected. An error only if that is not far at all.
    fn read(&self, last: &mut Option<(u64, Vec<u8>)>, offset: u64, room: &mut [u8]) -> io::Result<usize> {
        let end = self.range.end.min(self.file_len);
        let mut filled = 0;
        while filled < room.len() {
            let at = self.range.start.saturating_add(offset).saturating_add(filled as u64);
            if at >= end {
                break;
            }
            match self.read_once(last, at, end, &mut room[filled..]) {
                Ok(n) => filled += n,
                Err(_) if filled > 0 => break,
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    /// Reads up to the end of a block.
    fn read_once(
        &self,
        last: &mut Option<(u64, Vec<u8>)>,
        at: u64,
        end: u64,
        room: &mut [u8],
    ) -> io::Result<usize> {
        let number = at / self.block_bytes();
        let block = self.block(number);
        let len = (block.end - block.start) as usize;
        if at == block.start && room.len() >= len && block.end <= end {
            self.read_block(number, &mut room[..len])?;
            return Ok(len);
        }
        if last.as_ref().is_none_or(|(known, _)| *known != number) {
            let mut bytes = last.take().map(|(_, bytes)| bytes).unwrap_or_default();
            bytes.resize(len, 0);
            self.read_block(number, &mut bytes)?;
            *last = Some((number, bytes));
        }
        let bytes = last.as_ref().map_or(&[][..], |(_, bytes)| bytes);
        let rest = &bytes[(at - block.start) as usize..(end.min(block.end) - block.start) as usize];
        let n = rest.len().min(room.len());
        room[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}

impl Bytes for Checked {
    fn len(&self) -> u64 {
        self.range.end.saturating_sub(self.range.start)
    }

    fn read_at(&self, offset: u64, room: &mut [u8]) -> io::Result<usize> {
        self.read(&mut None, offset, room)
    }

    fn for_reader(self: Arc<Self>) -> Arc<dyn Bytes> {
        Arc::new(Reading { checked: self, last: Mutex::new(None) })
    }
}

/// The file as one reader sees it, with the block that it read last.
struct Reading {
    checked: Arc<Checked>,
    last: Mutex<Option<(u64, Vec<u8>)>>,
}

impl Bytes for Reading {
    fn len(&self) -> u64 {
        self.checked.len()
    }

    fn read_at(&self, offset: u64, room: &mut [u8]) -> io::Result<usize> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        self.checked.read(&mut last, offset, room)
    }

    fn for_reader(self: Arc<Self>) -> Arc<dyn Bytes> {
        self.checked.clone().for_reader()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(len: usize) -> Vec<u8> {
        (0..len).map(|i| (i * 7 % 251) as u8).collect()
    }

    fn sums(bytes: &[u8], block_bytes: u32) -> BlockSums {
        let sums = BlockSums { block_bytes, crcs: Vec::new() };
        let mut summer = BlockSummer { sums, hash: crc32fast::Hasher::new(), filled: 0 };
        bytes.chunks(13).for_each(|piece| summer.update(piece));
        summer.finish()
    }

    /// What a reader gets, and which bytes it does not.
    fn read(
        file: &Path,
        range: Option<Range<u64>>,
        sums: BlockSums,
        step: usize,
    ) -> (Vec<u8>, Vec<(u64, u64)>) {
        let expected = Arc::new(Expected { sums, hint: "look".into() });
        let checked = Arc::new(Checked::open(file, range, &expected).expect("there"));
        let (reader, mut at) = (checked.for_reader(), 0);
        let (mut all, mut holes, mut room) = (Vec::new(), Vec::new(), vec![0; step]);
        loop {
            match reader.read_at(at, &mut room) {
                Ok(0) => return (all, holes),
                Ok(n) => {
                    all.extend_from_slice(&room[..n]);
                    at += n as u64;
                }
                Err(error) => {
                    let hole = Hole::of(&error).expect("a hole");
                    holes.push((at, hole.end));
                    at = hole.end;
                }
            }
        }
    }

    #[test]
    fn a_changed_byte_costs_its_block_and_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a");
        for len in [0, 1, 99, 100, 101, 1000, 1037] {
            let sound = numbers(len);
            for step in [1, 64, 100, 250, 5000] {
                std::fs::write(&file, &sound).expect("writable");
                assert_eq!(
                    read(&file, None, sums(&sound, 100), step),
                    (sound.clone(), vec![]),
                    "{len} {step}"
                );
                for at in [0, 50, 99, 100, 555, 999, 1036].into_iter().filter(|&at| at < len) {
                    let mut bytes = sound.clone();
                    bytes[at] ^= 4;
                    std::fs::write(&file, &bytes).expect("writable");
                    let (start, end) = (at / 100 * 100, (at / 100 * 100 + 100).min(len));
                    let left = [&sound[..start], &sound[end..]].concat();
                    let found = read(&file, None, sums(&sound, 100), step);
                    assert_eq!(found, (left, vec![(start as u64, end as u64)]), "{len} {step} {at}");
                }
            }
        }
    }

    #[test]
    fn a_range_of_a_file_is_checked_by_the_blocks_of_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a");
        let sound = numbers(1000);
        let mut bytes = sound.clone();
        bytes[420] ^= 1;
        std::fs::write(&file, &bytes).expect("writable");
        for step in [1, 30, 400] {
            let found = read(&file, Some(130..777), sums(&sound, 100), step);
            assert_eq!(found, ([&sound[130..400], &sound[500..777]].concat(), vec![(270, 370)]));
            // A byte before the range is in the same block as its start.
            assert_eq!(read(&file, Some(450..460), sums(&sound, 100), step), (vec![], vec![(0, 10)]));
            assert_eq!(read(&file, Some(500..510), sums(&sound, 100), step).0, sound[500..510]);
        }
    }

    #[test]
    fn bytes_without_a_checksum_are_not_read_and_missing_ones_are_a_hole() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a");
        let sound = numbers(250);
        std::fs::write(&file, numbers(400)).expect("writable");
        assert_eq!(
            read(&file, None, sums(&sound, 100), 64),
            (sound[..200].to_vec(), vec![(200, 300), (300, 400)])
        );
        std::fs::write(&file, &sound[..150]).expect("writable");
        assert_eq!(read(&file, None, sums(&sound, 100), 64), (sound[..100].to_vec(), vec![(100, 150)]));
    }

    #[test]
    fn blocks_grow_with_the_file() {
        let block = |len| BlockSummer::for_len(len).sums.block_bytes;
        assert_eq!(block(0), 16 << 10);
        assert_eq!(block(64 << 20), 16 << 10);
        assert_eq!(block(100 << 20), 32 << 10);
        assert_eq!(block(1 << 30), 256 << 10);
        assert_eq!(block(32 << 30), 256 << 10);
        assert_eq!(block(1 << 40), 8 << 20);
        assert_eq!(block(u64::MAX), 64 << 20);
    }
}
