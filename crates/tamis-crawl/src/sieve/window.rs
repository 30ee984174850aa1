//! A piece of a file of records in memory, which moves on as they are read.

use super::disk::DiskFile;
use super::error::Result;
use super::record;

/// Bytes of a file from some offset on. Holds one block and never less than the longest record.
#[derive(Debug)]
pub(super) struct Window {
    buffer: Vec<u8>,
    start: usize,
    filled: usize,
    offset: u64,
}

impl Window {
    pub(super) fn new(block_bytes: usize, offset: u64) -> Self {
        Self { buffer: vec![0; block_bytes.max(2 * record::LONGEST)], start: 0, filled: 0, offset }
    }

    /// Where in the file the next record begins.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The bytes from here on: the longest record, or what there is before `end`. Empty at the end only.
    #[inline]
    pub(super) fn bytes(&mut self, disk: &DiskFile, end: u64) -> Result<&[u8]> {
        if self.filled - self.start < record::LONGEST {
            self.refill(disk, end)?;
        }
        Ok(&self.buffer[self.start..self.filled])
    }

    /// Goes on behind a record.
    #[inline]
    pub(super) fn advance(&mut self, bytes: usize) {
        self.start += bytes;
        self.offset += bytes as u64;
    }

    /// The bytes that were just passed.
    #[inline]
    pub(super) fn passed(&self, bytes: usize) -> &[u8] {
        &self.buffer[self.start - bytes..self.start]
    }

    fn refill(&mut self, disk: &DiskFile, end: u64) -> Result<()> {
        let read_to = self.offset + (self.filled - self.start) as u64;
        if read_to >= end {
            return Ok(());
        }
        self.buffer.copy_within(self.start..self.filled, 0);
        self.filled -= self.start;
        self.start = 0;
        let room = (self.buffer.len() - self.filled).min((end - read_to) as usize);
        self.filled += disk.read_at(&mut self.buffer[self.filled..self.filled + room], read_to)?;
        Ok(())
    }
}
