//! The url log: the text of every new URL, once, in the order of discovery.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::disk::DiskFile;
use super::error::{Error, Result};
use super::record::{self, Front, Record};
use super::record_file::{HEADER_BYTES, Magic, RecordFile, Room};
use super::window::Window;
use super::{Note, SieveKind};

/// Name of the file in the folder of a sieve.
pub(super) const NAME: &str = "urls";
const MAGIC: Magic = *b"tamisurl";
/// A read of one URL: nearly all fit.
const FIRST_READ: usize = 512;
const CURSOR_BLOCK: usize = 256 * 1024;

/// A URL's place in the url log: the byte offset of its record. Later URLs have greater ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UrlId(pub u64);

impl UrlId {
    /// Where the first URL of every log stands.
    pub const FIRST: Self = Self(HEADER_BYTES);
}

/// A URL that was read from the log.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoggedUrl<'a> {
    /// Where it stands.
    pub id: UrlId,
    /// Where the next one stands, or will.
    pub next: UrlId,
    /// Its text.
    pub url: &'a str,
    /// What was known of it when it was found.
    pub note: Note,
    /// Its [`signature`](super::signature).
    pub signature: u64,
}

/// The writing end of the log. Memory: one block.
#[derive(Debug)]
pub(super) struct UrlLog {
    pub(super) file: RecordFile,
    reader: UrlLogReader,
}

/// Reads committed URLs, also while the sieve appends others. Copies share one file handle and keep no position.
#[derive(Debug, Clone)]
pub struct UrlLogReader {
    disk: Arc<DiskFile>,
    committed: Arc<AtomicU64>,
}

/// Goes through the log in order, and on when more is committed. Memory: 256 KB.
#[derive(Debug)]
pub struct UrlLogCursor {
    reader: UrlLogReader,
    window: Window,
}

impl UrlLog {
    /// Opens the log; nothing counts as committed yet.
    pub(super) fn open(folder: &Path, kind: SieveKind, block_bytes: usize) -> Result<Self> {
        let path = folder.join(NAME);
        let file = RecordFile::open(path.clone(), (MAGIC, Room::Freed), kind, 0, block_bytes)?;
        let disk = Arc::new(DiskFile::open_to_read(path)?);
        let reader = UrlLogReader { disk, committed: Arc::new(AtomicU64::new(HEADER_BYTES)) };
        Ok(Self { file, reader })
    }

    pub(super) fn reader(&self) -> UrlLogReader {
        self.reader.clone()
    }

    /// Shows readers all that was written.
    pub(super) fn publish(&self) {
        self.reader.committed.store(self.file.end(), Ordering::Release);
    }

    /// Takes up a log of which so much is known to be committed, and drops the rest.
    pub(super) fn resume(&mut self, committed: u64) -> Result<()> {
        let end = self.file.end();
        if end < committed {
            return Err(Error::damaged(
                self.file.path(),
                end,
                "the log ends before its last committed entry",
            ));
        }
        if end > committed {
            self.file.cut(committed)?;
        }
        self.publish();
        Ok(())
    }
}

impl UrlLogReader {
    /// Opens the log of a folder to read it, also while a crawl writes there. What is written counts as committed.
    pub fn open(folder: &Path) -> Result<Self> {
        let disk = DiskFile::open_to_read(folder.join(NAME))?;
        let committed = AtomicU64::new(disk.len()?);
        Ok(Self { disk: Arc::new(disk), committed: Arc::new(committed) })
    }

    /// Where the committed URLs end: the id of the next one.
    pub fn end(&self) -> UrlId {
        UrlId(self.committed.load(Ordering::Acquire))
    }

    /// Reads one URL, into memory that the caller keeps for the next.
    pub fn read_at<'b>(&self, id: UrlId, buffer: &'b mut Vec<u8>) -> Result<LoggedUrl<'b>> {
        let end = self.end().0;
        if !(HEADER_BYTES..end).contains(&id.0) {
            return Err(Error::NotThere { path: self.disk.path().into(), offset: id.0 });
        }
        self.fill(buffer, id.0, FIRST_READ.min((end - id.0) as usize))?;
        if let Some(len_bytes) = record::len_bytes(buffer).filter(|&len| len > buffer.len()) {
            self.fill(buffer, id.0, len_bytes.min((end - id.0) as usize))?;
        }
        match record::front(buffer) {
            Front::Record(record) => Ok(logged(id.0, record)),
            _ => Err(self.damaged(id.0)),
        }
    }

    /// A cursor from a URL on.
    pub fn cursor(&self, from: UrlId) -> UrlLogCursor {
        let from = from.0.max(HEADER_BYTES);
        UrlLogCursor { reader: self.clone(), window: Window::new(CURSOR_BLOCK, from) }
    }

    fn fill(&self, buffer: &mut Vec<u8>, offset: u64, len_bytes: usize) -> Result<()> {
        buffer.resize(len_bytes, 0);
        let filled = self.disk.read_at(buffer, offset)?;
        buffer.truncate(filled);
        Ok(())
    }

    fn damaged(&self, offset: u64) -> Error {
        Error::damaged(self.disk.path(), offset, "no valid URL record at this offset")
    }
}

impl UrlLogCursor {
    /// The id of the URL that comes next.
    pub fn position(&self) -> UrlId {
        UrlId(self.window.offset())
    }

    /// The next URL; `None` where the committed ones end, for now.
    pub fn next_url(&mut self) -> Result<Option<LoggedUrl<'_>>> {
        let (offset, end) = (self.window.offset(), self.reader.end().0);
        if offset >= end {
            return Ok(None);
        }
        let bytes = self.window.bytes(&self.reader.disk, end)?;
        let len_bytes = record::len_bytes(bytes).filter(|&len| len <= bytes.len());
        let len_bytes = len_bytes.ok_or_else(|| self.reader.damaged(offset))?;
        self.window.advance(len_bytes);
        match record::front(self.window.passed(len_bytes)) {
            Front::Record(record) => Ok(Some(logged(offset, record))),
            _ => Err(self.reader.damaged(offset)),
        }
    }
}

fn logged(offset: u64, record: Record<'_>) -> LoggedUrl<'_> {
    LoggedUrl {
        id: UrlId(offset),
        next: UrlId(offset + record.len_bytes as u64),
        url: record.url,
        note: record.note,
        signature: record.signature,
    }
}
