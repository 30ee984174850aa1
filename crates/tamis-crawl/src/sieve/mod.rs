//! Every address leaves it once and only once, in the order of discovery.
//!
//! A [`Sieve`] takes the URLs that pages link to, as often as they come, and appends each to the url log once, where it
//! was seen first. Five of them do so in five ways ([`SieveKind`]); what they write is the same. URLs are told apart by
//! their [`signature`], 64 bits: of 10^11 URLs fewer than one in 10^8 is taken for another.
//!
//! The url log is read through [`UrlLogReader`], also by other threads and while the sieve writes. A process may be
//! killed at any instant: [`open`] goes on with all that was settled, and with nothing twice. The files are described in
//! `docs/formats/frontier.md`.

mod bloom;
mod disk;
mod error;
mod external_sort;
mod immediate;
mod lsm;
mod memory;
mod mercator;
mod offered;
mod offline;
mod recent;
mod record;
mod record_file;
mod seen;
mod signatures;
#[cfg(test)]
mod tests;
mod url_log;
mod window;

use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use xxhash_rust::xxh3::xxh3_64;

pub use error::{Error, Result};
pub use url_log::{LoggedUrl, UrlId, UrlLogCursor, UrlLogReader};

/// What a URL is known by: XXH3, 64 bits, without a seed. It stands in files, so it never changes.
#[inline]
pub fn signature(url: &str) -> u64 {
    xxh3_64(url.as_bytes())
}

/// What is known of a URL when it is found, kept with its first occurrence.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Note {
    /// How many links lie between it and a seed. Above [`Note::DEEPEST_BEHIND_HOPS`] it may be kept as that where there are hops.
    pub depth: u16,
    /// How many steps that are no links lie between it and the last link: redirects, what pages load, entries of lists. At most
    /// [`Note::MOST_HOPS`].
    pub hops: u8,
    /// How much a focused crawl hopes for; 0 where nothing is hoped for, which takes no room on disk.
    pub score: f32,
}

impl Note {
    /// The most hops that a record has room for.
    pub const MOST_HOPS: u8 = record::MOST_HOPS;
    /// The greatest depth that a record has room for beside hops.
    pub const DEEPEST_BEHIND_HOPS: u16 = record::DEEPEST_BEHIND_HOPS;
}

/// What must not lose what was settled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Durability {
    /// The end of the process, at any instant: the operating system has the bytes.
    #[default]
    Kill,
    /// The end of the machine too: the disk has them.
    Power,
}

/// Which sieve.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SieveKind {
    /// A set of signatures in memory, which grows: about 16 bytes a URL.
    Memory = 1,
    /// Blocked Bloom filters: one in a million new URLs at most is taken for an old one, and then lost. Memory is by the URLs that
    /// are expected, five bytes each.
    Bloom = 2,
    /// Signatures in an LSM-tree.
    Lsm = 3,
    /// Signatures and URLs on disk, decided by an external sort.
    Offline = 4,
    /// New signatures in memory, all others on disk, merged when memory is full.
    #[default]
    Mercator = 5,
}

/// How much a sieve may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SieveOptions {
    /// Memory for all it does. `memory` and `bloom` go by the number of URLs instead.
    pub memory_bytes: usize,
    /// How many URLs the crawl is expected to find: what a Bloom filter is laid out for.
    pub expected_urls: u64,
    /// What the commit at the end of a flush survives.
    pub durability: Durability,
}

/// Figures of a sieve.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Stats {
    /// Memory it takes or will take.
    pub memory_bytes: u64,
    /// Length of its files.
    pub disk_bytes: u64,
    /// Offers since it was opened.
    pub offered: u64,
    /// Offers that are not decided, or decided and not shown to readers of the log yet.
    pub pending: u64,
    /// URLs in the log.
    pub urls: u64,
    /// Flushes since it was opened.
    pub flushes: u64,
    /// Bytes at the ends of files that were no whole record when it was opened.
    pub cut_bytes: u64,
    /// Which share of new URLs is now taken for old ones.
    pub false_positive_rate: f64,
    /// Bloom filters in use: more than one once there are more URLs than were expected.
    pub filters: u32,
}

/// Lets each URL pass once. After an error it is to be dropped and opened again.
pub trait Sieve: Send {
    /// Takes the text of an [`Address`](crate::Address). May flush.
    fn offer(&mut self, url: &str, note: Note) -> Result<()>;

    /// Decides all that was offered, and shows what is new to the readers of the log.
    fn flush(&mut self) -> Result<()>;

    /// Makes all that was offered survive, decided or not.
    fn settle(&mut self, durability: Durability) -> Result<()>;

    /// How many offers wait for a flush. Offers of what was just offered are not counted.
    fn pending(&self) -> u64;

    /// How many URLs are in the log.
    fn urls(&self) -> u64;

    /// Figures; they cost a millisecond at most.
    fn stats(&self) -> Stats;

    /// A reader of the log.
    fn log(&self) -> UrlLogReader;
}

/// Opens the sieve of a folder, or begins one. One process at a time may have it open.
pub fn open(kind: SieveKind, folder: &Path, options: SieveOptions) -> Result<Box<dyn Sieve>> {
    fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let sieve: Box<dyn Sieve> = match kind {
        SieveKind::Memory => Box::new(memory::open(folder, options)?),
        SieveKind::Bloom => Box::new(bloom::open(folder, options)?),
        SieveKind::Lsm => Box::new(lsm::Lsm::open(folder, options)?),
        SieveKind::Offline => Box::new(offline::Offline::open(folder, options)?),
        SieveKind::Mercator => Box::new(mercator::Mercator::open(folder, options)?),
    };
    if options.durability == Durability::Power {
        disk::sync_folder(folder)?;
    }
    Ok(sieve)
}

impl SieveKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Memory, Self::Bloom, Self::Lsm, Self::Offline, Self::Mercator];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Bloom => "bloom",
            Self::Lsm => "lsm",
            Self::Offline => "offline",
            Self::Mercator => "mercator",
        }
    }

    fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&kind| kind as u8 == byte)
    }
}

impl fmt::Display for SieveKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SieveKind {
    type Err = UnknownSieve;

    fn from_str(name: &str) -> Result<Self, UnknownSieve> {
        let known = Self::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| UnknownSieve(name.to_owned()))
    }
}

/// No sieve has that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no sieve {0:?}: memory, bloom, lsm, offline or mercator")]
pub struct UnknownSieve(String);

impl Default for SieveOptions {
    fn default() -> Self {
        Self { memory_bytes: 256 << 20, expected_urls: 10_000_000, durability: Durability::default() }
    }
}

impl SieveOptions {
    /// What is read or written at once: a megabyte where memory is plenty.
    fn block_bytes(&self) -> usize {
        (self.memory_bytes / 64).clamp(512, 1 << 18).next_power_of_two()
    }
}
