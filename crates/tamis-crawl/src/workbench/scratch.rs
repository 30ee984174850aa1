//! Entries on disk: lists of chunks in one file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tamis_collection::links::no_follow;

use super::Entry;

/// Bytes of a chunk.
const CHUNK: usize = 512;
/// Bytes of an entry: its number and its score.
const ENTRY: usize = 12;
/// Entries in a chunk; behind them stands the number of the next chunk.
pub(super) const CHUNK_ENTRIES: usize = (CHUNK - 4) / ENTRY;
const NEXT: usize = CHUNK - 4;
/// New chunks are written together, so many bytes at a time.
const BUFFER: usize = 256 * 1024;

/// The file, its free chunks, and the chunks at its end that are not written yet.
///
/// In memory: the buffer, and 4 bytes for each free chunk.
#[derive(Debug)]
pub(super) struct Scratch {
    file: File,
    /// Chunks from here on are in the buffer.
    written: u32,
    buffer: Vec<u8>,
    free: Vec<u32>,
    /// Lists nobody wants any more; their chunks are free, but only reading them tells which they are.
    dropped: Vec<Chain>,
    live: u64,
}

/// A list of entries on disk. All its chunks are full, except the first in front and the last behind.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Chain {
    first: u32,
    last: u32,
    /// Of the first chunk.
    begin: u16,
    /// Of the last chunk.
    end: u16,
    len: u64,
}

impl Chain {
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn chunks(&self) -> u64 {
        if self.len == 0 { 0 } else { (u64::from(self.begin) + self.len).div_ceil(CHUNK_ENTRIES as u64) }
    }

    fn end_of_first(&self) -> usize {
        if self.first == self.last { self.end.into() } else { CHUNK_ENTRIES }
    }
}

impl Scratch {
    /// Makes the file, or empties it: nothing in it outlives a crawl's process.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let file =
            no_follow(File::options().read(true).write(true).create(true).truncate(true)).open(path)?;
        Ok(Self { file, written: 0, buffer: Vec::new(), free: Vec::new(), dropped: Vec::new(), live: 0 })
    }

    /// The bytes the file has, or will have.
    pub(super) fn len_bytes(&self) -> u64 {
        u64::from(self.end()) * CHUNK as u64
    }

    /// Puts entries behind the others. After an error the list is as it was (chunks it had got may stay
    /// unused until the list is dropped).
    pub(super) fn push_back(&mut self, chain: &mut Chain, mut entries: &[Entry]) -> io::Result<()> {
        let mut grown = *chain;
        while !entries.is_empty() {
            if grown.is_empty() {
                let only = self.take()?;
                grown = Chain { first: only, last: only, ..Chain::default() };
            } else if usize::from(grown.end) == CHUNK_ENTRIES {
                let last = self.take()?;
                self.write(grown.last, NEXT, &last.to_le_bytes())?;
                (grown.last, grown.end) = (last, 0);
            }
            let (now, later) = entries.split_at(entries.len().min(CHUNK_ENTRIES - usize::from(grown.end)));
            self.write(grown.last, usize::from(grown.end) * ENTRY, &encode(now))?;
            grown.end += now.len() as u16;
            grown.len += now.len() as u64;
            entries = later;
        }
        self.commit(chain, grown);
        Ok(())
    }

    /// Puts entries before the others, in their order. After an error the list is as it was.
    pub(super) fn push_front(&mut self, chain: &mut Chain, mut entries: &[Entry]) -> io::Result<()> {
        if chain.is_empty() {
            return self.push_back(chain, entries);
        }
        let mut grown = *chain;
        while !entries.is_empty() {
            if grown.begin == 0 {
                let first = self.take()?;
                self.write(first, NEXT, &grown.first.to_le_bytes())?;
                (grown.first, grown.begin) = (first, CHUNK_ENTRIES as u16);
            }
            let (sooner, now) = entries.split_at(entries.len().saturating_sub(grown.begin.into()));
            grown.begin -= now.len() as u16;
            self.write(grown.first, usize::from(grown.begin) * ENTRY, &encode(now))?;
            grown.len += now.len() as u64;
            entries = sooner;
        }
        self.commit(chain, grown);
        Ok(())
    }

    /// Takes the first entries, at most `most`, of the first chunk only.
    pub(super) fn pop_front(
        &mut self,
        chain: &mut Chain,
        most: usize,
        into: &mut Vec<Entry>,
    ) -> io::Result<()> {
        if chain.is_empty() {
            return Ok(());
        }
        let begin = usize::from(chain.begin);
        let held = chain.end_of_first().saturating_sub(begin);
        if held == 0 || held as u64 > chain.len {
            return Err(damaged(&format!("a list ends {} entries early", chain.len)));
        }
        let end = begin + held.min(most);
        let chunk = self.read(chain.first)?;
        let mut left = Chain { begin: end as u16, len: chain.len - (end - begin) as u64, ..*chain };
        if left.len == 0 {
            left = Chain::default();
        } else if end == CHUNK_ENTRIES {
            (left.first, left.begin) = (self.next(&chunk)?, 0);
        }
        into.extend(chunk[begin * ENTRY..end * ENTRY].chunks_exact(ENTRY).map(decode));
        let emptied = chain.first;
        if chain.chunks() > left.chunks() {
            self.free.push(emptied);
        }
        self.commit(chain, left);
        Ok(())
    }

    /// Forgets a list. Its chunks are found again as they are needed: reading them all now could take seconds.
    pub(super) fn clear(&mut self, chain: &mut Chain) {
        if !chain.is_empty() {
            self.dropped.push(*chain);
        }
        self.commit(chain, Chain::default());
    }

    fn commit(&mut self, chain: &mut Chain, new: Chain) {
        self.live = self.live - chain.chunks() + new.chunks();
        *chain = new;
        if self.live == 0 {
            self.free.clear();
            self.dropped.clear();
            self.buffer.clear();
            self.written = 0;
        }
    }

    fn end(&self) -> u32 {
        self.written + (self.buffer.len() / CHUNK) as u32
    }

    /// A chunk that nobody uses.
    fn take(&mut self) -> io::Result<u32> {
        if let Some(chunk) = self.free.pop() {
            return Ok(chunk);
        }
        if let Some(chain) = self.dropped.last().copied() {
            return self.take_dropped(chain);
        }
        if self.buffer.len() >= BUFFER {
            self.flush()?;
        }
        let chunk = self.end();
        if chunk == u32::MAX {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "the queue overflow has reached 2 TB"));
        }
        self.buffer.resize(self.buffer.len() + CHUNK, 0);
        Ok(chunk)
    }

    fn take_dropped(&mut self, mut chain: Chain) -> io::Result<u32> {
        let first = chain.first;
        let held = (chain.end_of_first() - usize::from(chain.begin)) as u64;
        if held >= chain.len {
            self.dropped.pop();
            return Ok(first);
        }
        let chunk = self.read(first)?;
        (chain.first, chain.begin, chain.len) = (self.next(&chunk)?, 0, chain.len - held);
        self.dropped.pop();
        self.dropped.push(chain);
        Ok(first)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(u64::from(self.written) * CHUNK as u64))?;
        self.file.write_all(&self.buffer)?;
        self.written = self.end();
        self.buffer.clear();
        Ok(())
    }

    fn write(&mut self, chunk: u32, at: usize, bytes: &[u8]) -> io::Result<()> {
        if let Some(place) = chunk.checked_sub(self.written) {
            let at = place as usize * CHUNK + at;
            self.buffer[at..at + bytes.len()].copy_from_slice(bytes);
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(u64::from(chunk) * CHUNK as u64 + at as u64))?;
        self.file.write_all(bytes)
    }

    fn read(&mut self, chunk: u32) -> io::Result<[u8; CHUNK]> {
        let mut bytes = [0; CHUNK];
        if let Some(place) = chunk.checked_sub(self.written) {
            let at = place as usize * CHUNK;
            bytes.copy_from_slice(&self.buffer[at..at + CHUNK]);
            return Ok(bytes);
        }
        self.file.seek(SeekFrom::Start(u64::from(chunk) * CHUNK as u64))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// The chunk that follows: checked, for a file that somebody else wrote into must not end in a panic.
    fn next(&self, chunk: &[u8; CHUNK]) -> io::Result<u32> {
        let next = u32::from_le_bytes(chunk[NEXT..].try_into().expect("the last four bytes"));
        if next < self.end() {
            return Ok(next);
        }
        Err(damaged(&format!("no chunk {next} of {}", self.end())))
    }
}

fn damaged(how: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the queue overflow is damaged: {how}"))
}

fn encode(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(entries.len() * ENTRY);
    for entry in entries {
        bytes.extend_from_slice(&entry.id.to_le_bytes());
        bytes.extend_from_slice(&entry.score.to_le_bytes());
    }
    bytes
}

fn decode(bytes: &[u8]) -> Entry {
    let (id, score) = bytes.split_at(8);
    Entry {
        id: u64::from_le_bytes(id.try_into().expect("eight bytes")),
        score: f32::from_le_bytes(score.try_into().expect("four bytes")),
    }
}

#[cfg(test)]
mod tests;
