//! The sieve `offline`: the files Z, A and the log, decided by an external sort of A, for machines with much disk and
//! little memory.
//!
//! Of A the signatures are sorted with the numbers of their offers, and merged with Z; the numbers of those that are
//! new are sorted again, which restores the order of discovery, and A is read along with them.

use std::path::Path;

use super::disk;
use super::error::Result;
use super::external_sort::{ExternalSort, Sorted};
use super::offered::{self, Choice};
use super::recent::Recent;
use super::record;
use super::record_file::{HEADER_BYTES, RecordFile};
use super::seen::{Merge, Seen};
use super::url_log::{UrlLog, UrlLogReader};
use super::{Durability, Note, Sieve, SieveKind, SieveOptions, Stats, signature};

/// A is decided when it is so many times as large as the memory.
const OFFERED_PER_MEMORY: u64 = 64;

/// See the module. Memory: that of the options.
pub(super) struct Offline {
    log: UrlLog,
    offered: RecordFile,
    seen: Seen,
    sort: ExternalSort,
    recent: Recent,
    options: SieveOptions,
    offers: u64,
    flushes: u64,
}

impl Offline {
    pub(super) fn open(folder: &Path, options: SieveOptions) -> Result<Self> {
        let block_bytes = options.block_bytes();
        let mut log = UrlLog::open(folder, SieveKind::Offline, block_bytes)?;
        let seen = Seen::open(folder, SieveKind::Offline, block_bytes)?;
        log.resume(seen.commit().log_len)?;
        let mut offered = offered::open(folder, SieveKind::Offline, &seen, block_bytes)?;
        let recent = Recent::new(options.memory_bytes);
        let mut sort = ExternalSort::new(folder.join("signatures"), sort_bytes(&options) / 4 * 3);
        offered.recover(HEADER_BYTES, |record| sort.push((record.signature, sort.len())))?;
        Ok(Self { log, offered, seen, sort, recent, options, offers: 0, flushes: 0 })
    }

    /// Merges the sorted offers with Z; the numbers of those that are new, in the order of discovery.
    fn choose(&mut self, merge: &mut Merge<'_>) -> Result<Ascending> {
        let mut sorted = self.sort.sorted()?;
        let mut new = ExternalSort::new(self.seen.folder().join("numbers"), sort_bytes(&self.options) / 4);
        let mut before = None;
        while let Some((signature, ordinal)) = sorted.next()? {
            if before.replace(signature) != Some(signature) && merge.absorb(signature)? {
                new.push((ordinal, 0))?;
            }
        }
        merge.finish()?;
        let mut numbers = new.sorted()?;
        Ok(Ascending { next: numbers.next()?.map(|(ordinal, _)| ordinal), numbers })
    }
}

/// Numbers of offers in ascending order.
struct Ascending {
    numbers: Sorted,
    next: Option<u64>,
}

impl Choice for Ascending {
    fn is_chosen(&mut self, ordinal: u64) -> Result<bool> {
        let chosen = self.next == Some(ordinal);
        if chosen {
            self.next = self.numbers.next()?.map(|(ordinal, _)| ordinal);
        }
        Ok(chosen)
    }
}

impl Sieve for Offline {
    fn offer(&mut self, url: &str, note: Note) -> Result<()> {
        record::check_len(url)?;
        let signature = signature(url);
        self.offers += 1;
        if !self.recent.is_first(signature) {
            return Ok(());
        }
        if self.offered.end() >= self.options.memory_bytes as u64 * OFFERED_PER_MEMORY {
            self.flush()?;
        }
        self.sort.push((signature, self.sort.len()))?;
        self.offered.push(url, note, signature)
    }

    fn flush(&mut self) -> Result<()> {
        if self.sort.len() == 0 {
            return Ok(());
        }
        self.offered.write()?;
        let seen = self.seen.clone();
        let mut merge = seen.merge()?;
        let choice = self.choose(&mut merge)?;
        let range = HEADER_BYTES..self.offered.end();
        offered::copy(&self.offered, range, self.options.block_bytes(), choice, &mut self.log)?;
        self.log.file.settle(self.options.durability)?;
        let generation = seen.commit().generation + 1;
        let commit = merge.commit(generation, self.log.file.end(), HEADER_BYTES, self.options.durability)?;
        self.seen.advance(commit);
        self.log.publish();
        self.flushes += 1;
        self.offered.reset(generation)
    }

    fn settle(&mut self, durability: Durability) -> Result<()> {
        self.offered.settle(durability)
    }

    fn pending(&self) -> u64 {
        self.sort.len()
    }

    fn urls(&self) -> u64 {
        self.seen.commit().count
    }

    fn stats(&self) -> Stats {
        Stats {
            memory_bytes: self.options.memory_bytes as u64,
            disk_bytes: disk::folder_bytes(self.seen.folder()),
            offered: self.offers,
            pending: self.pending(),
            urls: self.urls(),
            flushes: self.flushes,
            cut_bytes: self.offered.cut_bytes(),
            false_positive_rate: 0.0,
            filters: 0,
        }
    }

    fn log(&self) -> UrlLogReader {
        self.log.reader()
    }
}

/// What is left for sorting beside the blocks of the files and the recent signatures.
fn sort_bytes(options: &SieveOptions) -> usize {
    options.memory_bytes.saturating_sub(6 * options.block_bytes()) / 8 * 7
}
