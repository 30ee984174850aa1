//! A file of records behind a header, to which records are appended: the url log, and the file of what was offered.
//!
//! Header, 48 bytes: magic (8), version, kind of the sieve, six zeros, generation, where the records end that are known
//! to be on the disk, where those end that are known to be written, XXH3 of these 40 bytes. Numbers are little-endian.

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::disk::DiskFile;
use super::error::{Error, Result};
use super::record::{self, Front, Record};
use super::window::Window;
use super::{Durability, Note, SieveKind};

/// Length of the header: where the first record begins.
pub(super) const HEADER_BYTES: u64 = 48;
const CHECKED_BYTES: usize = 40;
const VERSION: u8 = 1;

/// Which of the files it is.
pub(super) type Magic = [u8; 8];

/// What becomes of the room of records that are no longer wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// It is given back: the file ends where its records do.
    Freed,
    /// It is written again: the header says where the records end. Pages that the operating system has in memory
    /// already take a fifth of the time of new ones or less.
    Reused,
}

/// A file of records that grows at its end. Records are handed to the operating system in blocks.
#[derive(Debug)]
pub(super) struct RecordFile {
    disk: DiskFile,
    magic: Magic,
    room: Room,
    header: Header,
    buffer: Vec<u8>,
    block_bytes: usize,
    written: u64,
    cut_bytes: u64,
}

#[derive(Debug, Clone, Copy)]
struct Header {
    kind: SieveKind,
    generation: u64,
    synced: u64,
    settled: u64,
}

impl RecordFile {
    /// Opens or begins the file; one that is new has the given generation.
    pub(super) fn open(
        path: PathBuf,
        (magic, room): (Magic, Room),
        kind: SieveKind,
        generation: u64,
        block_bytes: usize,
    ) -> Result<Self> {
        let disk = DiskFile::open(path)?;
        let header = Header { kind, generation, synced: HEADER_BYTES, settled: HEADER_BYTES };
        let (buffer, written) = (Vec::with_capacity(block_bytes + record::LONGEST), disk.len()?);
        let mut file = Self { disk, magic, room, header, buffer, block_bytes, written, cut_bytes: 0 };
        // Shorter than its header is what a kill leaves that comes before the first record.
        if written < HEADER_BYTES {
            file.reset(generation)?;
        } else {
            file.read_header(kind)?;
        }
        Ok(file)
    }

    pub(super) fn path(&self) -> &Path {
        self.disk.path()
    }

    pub(super) fn disk(&self) -> &DiskFile {
        &self.disk
    }

    pub(super) fn generation(&self) -> u64 {
        self.header.generation
    }

    /// Where the next record will begin.
    pub(super) fn end(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    /// How many bytes at the end were no whole record when it was opened.
    pub(super) fn cut_bytes(&self) -> u64 {
        self.cut_bytes
    }

    /// Appends a record.
    #[inline]
    pub(super) fn push(&mut self, url: &str, note: Note, signature: u64) -> Result<()> {
        record::append(&mut self.buffer, url, note, signature)?;
        self.write_blocks()
    }

    /// Appends a record that is encoded already.
    #[inline]
    pub(super) fn push_encoded(&mut self, record: &[u8]) -> Result<()> {
        self.buffer.extend_from_slice(record);
        self.write_blocks()
    }

    /// Gives all to the operating system.
    pub(super) fn write(&mut self) -> Result<()> {
        if !self.buffer.is_empty() {
            self.disk.write_at(&self.buffer, self.written)?;
            self.written = self.end();
            self.buffer.clear();
        }
        Ok(())
    }

    /// Makes all survive what is named.
    pub(super) fn settle(&mut self, durability: Durability) -> Result<()> {
        self.write()?;
        if durability == Durability::Power && self.header.synced != self.written {
            self.disk.sync()?;
            self.header.synced = self.written;
            self.mark_settled()?;
            // Without its header a file that is reused is worth nothing.
            return if self.room == Room::Reused { self.disk.sync() } else { Ok(()) };
        }
        if self.room == Room::Reused && self.header.settled != self.written {
            self.mark_settled()
        } else {
            Ok(())
        }
    }

    /// Begins anew, empty.
    pub(super) fn reset(&mut self, generation: u64) -> Result<()> {
        self.header.generation = generation;
        self.keep(HEADER_BYTES)
    }

    /// Drops what is behind an offset.
    pub(super) fn cut(&mut self, offset: u64) -> Result<()> {
        self.cut_bytes += self.written.saturating_sub(offset);
        self.keep(offset)
    }

    fn keep(&mut self, end: u64) -> Result<()> {
        self.buffer.clear();
        self.written = end;
        self.header.synced = self.header.synced.min(end);
        self.mark_settled()?;
        if self.room == Room::Freed && self.disk.len()? > end { self.disk.truncate(end) } else { Ok(()) }
    }

    /// The next record of a file that was just opened, and goes on behind it. Where whole records end, the file is cut:
    /// a kill leaves a part of one there, a failing machine whatever it likes behind what was brought to the disk.
    pub(super) fn next_sound<'w>(&mut self, window: &'w mut Window) -> Result<Option<Record<'w>>> {
        let offset = window.offset();
        if offset >= self.written {
            return Ok(None);
        }
        let bytes = window.bytes(&self.disk, self.written)?;
        let len_bytes = record::len_bytes(bytes).filter(|&len| len <= bytes.len()).unwrap_or(0);
        window.advance(len_bytes);
        match record::front(window.passed(len_bytes)) {
            Front::Record(record) => Ok(Some(record)),
            _ if offset < self.header.synced => {
                Err(Error::damaged(self.path(), offset, "the record differs from the one written"))
            }
            _ => self.cut(offset).map(|()| None),
        }
    }

    /// Goes over the sound records from an offset on, and cuts the file behind them.
    pub(super) fn recover(
        &mut self,
        from: u64,
        mut each: impl FnMut(Record<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut window = Window::new(self.block_bytes, from);
        loop {
            let Some(record) = self.next_sound(&mut window)? else { return Ok(()) };
            each(record)?;
        }
    }

    fn write_blocks(&mut self) -> Result<()> {
        if self.buffer.len() >= self.block_bytes { self.write() } else { Ok(()) }
    }

    fn mark_settled(&mut self) -> Result<()> {
        self.header.settled = self.written;
        self.disk.write_whole_at(&self.header.encode(self.magic), 0)
    }

    fn read_header(&mut self, asked: SieveKind) -> Result<()> {
        let mut bytes = [0; HEADER_BYTES as usize];
        self.disk.read_at(&mut bytes, 0)?;
        let header = Header::decode(&bytes, self.magic, self.path())?;
        if header.kind != asked {
            return Err(Error::Kind { path: self.path().into(), found: header.kind, asked });
        }
        if header.synced.max(header.settled) > self.written {
            return Err(Error::damaged(self.path(), self.written, "the file ends before its records do"));
        }
        self.header = header;
        if self.room == Room::Reused {
            self.written = header.settled;
        }
        Ok(())
    }
}

impl Header {
    fn encode(self, magic: Magic) -> [u8; HEADER_BYTES as usize] {
        let mut bytes = [0; HEADER_BYTES as usize];
        bytes[..8].copy_from_slice(&magic);
        bytes[8..10].copy_from_slice(&[VERSION, self.kind as u8]);
        bytes[16..24].copy_from_slice(&self.generation.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.synced.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.settled.to_le_bytes());
        let check = xxh3_64(&bytes[..CHECKED_BYTES]);
        bytes[CHECKED_BYTES..].copy_from_slice(&check.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8; HEADER_BYTES as usize], magic: Magic, path: &Path) -> Result<Self> {
        check_magic(bytes, magic, VERSION, path)?;
        if number(bytes, CHECKED_BYTES) != xxh3_64(&bytes[..CHECKED_BYTES]) {
            return Err(Error::damaged(path, 0, "the header differs from the one written"));
        }
        let kind =
            SieveKind::from_byte(bytes[9]).ok_or_else(|| Error::damaged(path, 9, "unknown kind of sieve"))?;
        Ok(Self {
            kind,
            generation: number(bytes, 16),
            synced: number(bytes, 24),
            settled: number(bytes, 32),
        })
    }
}

/// Whether a file begins with the magic and a version that is known.
pub(super) fn check_magic(bytes: &[u8], magic: Magic, known: u8, path: &Path) -> Result<()> {
    if !bytes.starts_with(&magic) {
        return Err(Error::damaged(path, 0, "the file does not start with its magic bytes"));
    }
    match bytes.get(magic.len()) {
        Some(&found) if found > known => Err(Error::Version { path: path.into(), found, known }),
        Some(&found) if found > 0 => Ok(()),
        _ => Err(Error::damaged(path, magic.len() as u64, "unknown version")),
    }
}

/// The little-endian number at an offset, 0 behind the end.
pub(super) fn number(bytes: &[u8], offset: usize) -> u64 {
    bytes.get(offset..).and_then(<[u8]>::first_chunk).copied().map_or(0, u64::from_le_bytes)
}
