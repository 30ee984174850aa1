//! The sieve of Mercator (Najork and Heydon, "High-performance web crawling", 2001): signatures of what was offered in
//! memory, their URLs in the file A, and the signatures of all URLs ever seen in the sorted file Z.
//!
//! A flush sorts the signatures in memory, merges them with Z into Z', and copies the URLs of those that were not in Z
//! from A to the url log: all of it reads and writes files from front to end.

use std::path::Path;

use super::disk;
use super::error::{Error, Result};
use super::offered::{self, Chosen};
use super::recent::Recent;
use super::record;
use super::record_file::{HEADER_BYTES, RecordFile};
use super::seen::Seen;
use super::signatures::Signatures;
use super::url_log::{UrlLog, UrlLogReader};
use super::window::Window;
use super::{Durability, Note, Sieve, SieveKind, SieveOptions, Stats, signature};

/// A grows to so many times the memory at most, also if all URLs are very long.
const OFFERED_PER_MEMORY: u64 = 16;

/// See the module. Memory: that of the options.
pub(super) struct Mercator {
    log: UrlLog,
    offered: RecordFile,
    offered_limit: u64,
    seen: Seen,
    signatures: Signatures,
    recent: Recent,
    options: SieveOptions,
    offers: u64,
    flushes: u64,
}

impl Mercator {
    pub(super) fn open(folder: &Path, options: SieveOptions) -> Result<Self> {
        let block_bytes = options.block_bytes();
        let mut log = UrlLog::open(folder, SieveKind::Mercator, block_bytes)?;
        let seen = Seen::open(folder, SieveKind::Mercator, block_bytes)?;
        log.resume(seen.commit().log_len)?;
        let offered = offered::open(folder, SieveKind::Mercator, &seen, block_bytes)?;
        let recent = Recent::new(options.memory_bytes);
        // While it is flushed: what is read and written of A, Z and the log, and a bit for each signature.
        let rest = options.memory_bytes.saturating_sub(6 * block_bytes + recent.len_bytes());
        let signatures = Signatures::new(rest / 100 * 97);
        let offered_limit = options.memory_bytes as u64 * OFFERED_PER_MEMORY;
        let mut sieve =
            Self { log, offered, offered_limit, seen, signatures, recent, options, offers: 0, flushes: 0 };
        sieve.replay()?;
        Ok(sieve)
    }

    /// Takes up what was offered and not decided. Where that was done with more memory it is decided in parts.
    fn replay(&mut self) -> Result<()> {
        let mut window = Window::new(self.options.block_bytes(), self.seen.commit().offered_done);
        loop {
            let begin = window.offset();
            let Some(signature) = self.offered.next_sound(&mut window)?.map(|record| record.signature) else {
                return Ok(());
            };
            if !self.signatures.push(signature) {
                self.decide(begin)?;
                self.push(signature)?;
            }
        }
    }

    fn push(&mut self, signature: u64) -> Result<()> {
        let pushed = self.signatures.push(signature);
        debug_assert!(pushed, "there is room for two in an empty bucket");
        if pushed {
            Ok(())
        } else {
            Err(Error::damaged(self.offered.path(), 0, "not enough memory for a single URL"))
        }
    }

    /// Decides what was offered, up to an offset of A.
    fn decide(&mut self, offered_end: u64) -> Result<()> {
        let Self { log, offered, seen, signatures, options, .. } = self;
        let from = seen.commit().offered_done;
        let mut merge = seen.merge()?;
        let mut chosen = Chosen::new(signatures.len());
        signatures.for_each_sorted(|signature, ordinal| {
            if merge.absorb(signature)? {
                chosen.insert(ordinal);
            }
            Ok(())
        })?;
        merge.finish()?;
        offered::copy(offered, from..offered_end, options.block_bytes(), &chosen, log)?;
        log.file.settle(options.durability)?;
        let all = offered_end == offered.end();
        let generation = seen.commit().generation + u64::from(all);
        let done = if all { HEADER_BYTES } else { offered_end };
        let commit = merge.commit(generation, log.file.end(), done, options.durability)?;
        seen.advance(commit);
        log.publish();
        signatures.clear();
        self.flushes += 1;
        if all { offered.reset(generation) } else { Ok(()) }
    }
}

impl Sieve for Mercator {
    fn offer(&mut self, url: &str, note: Note) -> Result<()> {
        record::check_len(url)?;
        let signature = signature(url);
        self.offers += 1;
        if !self.recent.is_first(signature) {
            return Ok(());
        }
        if self.offered.end() >= self.offered_limit || !self.signatures.push(signature) {
            self.flush()?;
            self.push(signature)?;
        }
        self.offered.push(url, note, signature)
    }

    fn flush(&mut self) -> Result<()> {
        if self.signatures.len() == 0 {
            return Ok(());
        }
        self.offered.write()?;
        self.decide(self.offered.end())
    }

    fn settle(&mut self, durability: Durability) -> Result<()> {
        self.offered.settle(durability)
    }

    fn pending(&self) -> u64 {
        self.signatures.len().into()
    }

    fn urls(&self) -> u64 {
        self.seen.commit().count
    }

    fn stats(&self) -> Stats {
        let blocks = 6 * self.options.block_bytes();
        Stats {
            memory_bytes: (self.signatures.len_bytes() + self.recent.len_bytes() + blocks) as u64,
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
