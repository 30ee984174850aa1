//! The file Z: the signatures of all URLs ever seen, sorted, and what is committed with them.
//!
//! It is never changed: a merge writes Z' aside and renames it, which is the instant at which all that was decided
//! becomes so. The header (72 bytes, little-endian) has magic (8), version, kind of the sieve, six zeros, generation,
//! number of signatures, length of the url log, how far the file of what was offered is decided, XXH3 of the
//! signatures, a number kept at zero, and XXH3 of these 64 bytes.

use std::fs;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::disk::{self, DiskFile};
use super::error::{Error, Result};
use super::record_file::{HEADER_BYTES as RECORDS_START, Magic, check_magic, number};
use super::{Durability, SieveKind};

const NAME: &str = "seen";
const PART: &str = "seen.part";
const OLD: &str = "seen.old";
const MAGIC: Magic = *b"tamissee";
const VERSION: u8 = 1;
const HEADER_BYTES: usize = 72;
const WIDTH: usize = size_of::<u64>();

/// What a file Z says of itself and of the files beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Commit {
    /// The file of what was offered belongs to it if it has the same number.
    pub(super) generation: u64,
    /// How many signatures there are.
    pub(super) count: u64,
    /// So much of the url log is committed.
    pub(super) log_len: u64,
    /// So much of the file of what was offered is decided.
    pub(super) offered_done: u64,
    check: u64,
}

/// The committed file. Memory: none; a merge takes two blocks.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    folder: PathBuf,
    kind: SieveKind,
    block_bytes: usize,
    commit: Commit,
}

/// The old file on its way to the new one.
pub(super) struct Merge<'s> {
    seen: &'s Seen,
    old: Reader,
    new: Writer,
}

struct Reader {
    disk: DiskFile,
    buffer: Vec<u8>,
    at: usize,
    filled: usize,
    offset: u64,
    end: u64,
    digest: Xxh3,
}

struct Writer {
    disk: DiskFile,
    buffer: Vec<u8>,
    block_bytes: usize,
    offset: u64,
    digest: Xxh3,
}

impl Seen {
    /// Opens the file of a folder, or begins an empty one if nothing was committed there.
    pub(super) fn open(folder: &Path, kind: SieveKind, block_bytes: usize) -> Result<Self> {
        let block_bytes = block_bytes.next_multiple_of(WIDTH);
        let check = Xxh3::new().digest();
        let empty =
            Commit { generation: 1, count: 0, log_len: RECORDS_START, offered_done: RECORDS_START, check };
        let mut seen = Self { folder: folder.into(), kind, block_bytes, commit: empty };
        let path = folder.join(NAME);
        if !path.try_exists().map_err(Error::io(&path))? {
            refuse_orphans(folder, &path)?;
            seen.begin()?;
        }
        seen.commit = seen.read_header(&DiskFile::open_to_read(path)?)?;
        Ok(seen)
    }

    pub(super) fn commit(&self) -> Commit {
        self.commit
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn len_bytes(&self) -> u64 {
        HEADER_BYTES as u64 + self.commit.count * WIDTH as u64
    }

    /// Begins to write the next file.
    pub(super) fn merge(&self) -> Result<Merge<'_>> {
        let disk = DiskFile::open_to_read(self.folder.join(NAME))?;
        let old = Reader {
            disk,
            buffer: vec![0; self.block_bytes],
            at: 0,
            filled: 0,
            offset: HEADER_BYTES as u64,
            end: self.len_bytes(),
            digest: Xxh3::new(),
        };
        let new = Writer {
            disk: DiskFile::open(self.folder.join(PART))?,
            buffer: Vec::with_capacity(self.block_bytes + WIDTH),
            block_bytes: self.block_bytes,
            offset: HEADER_BYTES as u64,
            digest: Xxh3::new(),
        };
        Ok(Merge { seen: self, old, new })
    }

    /// Takes over what a merge committed.
    pub(super) fn advance(&mut self, commit: Commit) {
        self.commit = commit;
    }

    fn begin(&self) -> Result<()> {
        let part = DiskFile::create(self.folder.join(PART))?;
        part.write_at(&self.commit.encode(self.kind), 0)?;
        part.rename(&self.folder.join(NAME))
    }

    /// The old file stays under another name, to be overwritten by the next merge: its pages are in memory already.
    /// Where a file can have one name only there is none.
    fn replace(&self, part: DiskFile) -> Result<()> {
        let [name, old] = [NAME, OLD].map(|name| self.folder.join(name));
        disk::remove(&old)?;
        let kept = fs::hard_link(&name, &old).is_ok();
        part.rename(&name)?;
        if kept { disk::rename(&old, &self.folder.join(PART)) } else { Ok(()) }
    }

    fn read_header(&self, disk: &DiskFile) -> Result<Commit> {
        let mut bytes = [0; HEADER_BYTES];
        let filled = disk.read_at(&mut bytes, 0)?;
        check_magic(&bytes[..filled], MAGIC, VERSION, disk.path())?;
        if filled < HEADER_BYTES || number(&bytes, 64) != xxh3_64(&bytes[..64]) {
            return Err(Error::damaged(disk.path(), 0, "the header differs from the one written"));
        }
        if bytes[9] != self.kind as u8 {
            return Err(Error::damaged(disk.path(), 9, "the file is of another kind of sieve"));
        }
        let commit = Commit {
            generation: number(&bytes, 16),
            count: number(&bytes, 24),
            log_len: number(&bytes, 32),
            offered_done: number(&bytes, 40),
            check: number(&bytes, 48),
        };
        let len_bytes = disk.len()?;
        if commit.count.checked_mul(WIDTH as u64).map(|body| body + HEADER_BYTES as u64) != Some(len_bytes) {
            return Err(Error::damaged(disk.path(), len_bytes, "the file has an unexpected length"));
        }
        Ok(commit)
    }
}

impl Merge<'_> {
    /// Adds a signature, which is greater than all that were added before; says whether it is new.
    #[inline]
    pub(super) fn absorb(&mut self, signature: u64) -> Result<bool> {
        while let Some(old) = self.old.peek()? {
            if old > signature {
                break;
            }
            self.old.at += WIDTH;
            self.new.push(old)?;
            if old == signature {
                return Ok(false);
            }
        }
        self.new.push(signature)?;
        Ok(true)
    }

    /// Writes the rest; a file that was damaged is found before it is replaced.
    pub(super) fn finish(&mut self) -> Result<()> {
        while let Some(old) = self.old.peek()? {
            self.old.at += WIDTH;
            self.new.push(old)?;
        }
        if self.old.digest.digest() != self.seen.commit.check {
            let path = self.old.disk.path();
            return Err(Error::damaged(
                path,
                HEADER_BYTES as u64,
                "the signatures differ from those written",
            ));
        }
        self.new.write()
    }

    /// Puts the new file in the place of the old.
    pub(super) fn commit(
        self,
        generation: u64,
        log_len: u64,
        offered_done: u64,
        durability: Durability,
    ) -> Result<Commit> {
        let Self { seen, new, .. } = self;
        let count = (new.offset - HEADER_BYTES as u64) / WIDTH as u64;
        let commit = Commit { generation, count, log_len, offered_done, check: new.digest.digest() };
        new.disk.write_whole_at(&commit.encode(seen.kind), 0)?;
        if new.disk.len()? > new.offset {
            new.disk.truncate(new.offset)?;
        }
        if durability == Durability::Power {
            new.disk.sync()?;
        }
        seen.replace(new.disk)?;
        if durability == Durability::Power {
            disk::sync_folder(&seen.folder)?;
        }
        Ok(commit)
    }
}

impl Reader {
    #[inline]
    fn peek(&mut self) -> Result<Option<u64>> {
        if self.at == self.filled && !self.refill()? {
            return Ok(None);
        }
        Ok(self.buffer[self.at..].first_chunk().copied().map(u64::from_le_bytes))
    }

    #[cold]
    fn refill(&mut self) -> Result<bool> {
        let room = self.buffer.len().min((self.end - self.offset) as usize);
        self.filled = self.disk.read_at(&mut self.buffer[..room], self.offset)?;
        self.at = 0;
        if self.filled < room {
            return Err(Error::damaged(self.disk.path(), self.offset, "the file became shorter"));
        }
        self.digest.update(&self.buffer[..room]);
        self.offset += room as u64;
        Ok(room > 0)
    }
}

impl Writer {
    #[inline]
    fn push(&mut self, signature: u64) -> Result<()> {
        self.buffer.extend_from_slice(&signature.to_le_bytes());
        if self.buffer.len() >= self.block_bytes { self.write() } else { Ok(()) }
    }

    #[cold]
    fn write(&mut self) -> Result<()> {
        self.digest.update(&self.buffer);
        self.disk.write_at(&self.buffer, self.offset)?;
        self.offset += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

impl Commit {
    fn encode(self, kind: SieveKind) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&[VERSION, kind as u8]);
        let numbers = [self.generation, self.count, self.log_len, self.offered_done, self.check];
        for (place, number) in bytes[16..].chunks_exact_mut(WIDTH).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let check = xxh3_64(&bytes[..64]);
        bytes[64..].copy_from_slice(&check.to_le_bytes());
        bytes
    }
}

/// A log without its signatures would be cut to nothing: that is not for a program to decide.
fn refuse_orphans(folder: &Path, missing: &Path) -> Result<()> {
    let log = folder.join(super::url_log::NAME);
    match fs::metadata(log) {
        Ok(data) if data.len() > RECORDS_START => {
            Err(Error::damaged(missing, 0, "the file is missing, but URLs were committed"))
        }
        _ => Ok(()),
    }
}
