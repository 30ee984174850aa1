//! Sieves that decide at once, because all they know is in memory: what is new goes straight to the url log, and the
//! log is all they keep on disk.

use std::path::Path;

use super::error::Result;
use super::record_file::HEADER_BYTES;
use super::url_log::{UrlLog, UrlLogReader};
use super::{Durability, Note, Sieve, SieveKind, SieveOptions, Stats, signature};

/// A set of signatures.
pub(super) trait Filter: Send {
    /// Adds a signature; says whether it is new.
    fn insert(&mut self, signature: u64) -> bool;

    fn len_bytes(&self) -> usize;

    fn false_positive_rate(&self) -> f64;

    /// How many filters it is made of: one, unless more URLs came than were expected.
    fn parts(&self) -> u32 {
        1
    }
}

/// A filter in front of the log. Memory: that of the filter and one block.
pub(super) struct Immediate<F> {
    log: UrlLog,
    filter: F,
    options: SieveOptions,
    stats: Stats,
}

impl<F: Filter> Immediate<F> {
    /// Reads the log into the filter.
    pub(super) fn open(folder: &Path, kind: SieveKind, options: SieveOptions, mut filter: F) -> Result<Self> {
        let mut log = UrlLog::open(folder, kind, options.block_bytes())?;
        let mut urls = 0;
        log.file.recover(HEADER_BYTES, |record| {
            filter.insert(record.signature);
            urls += 1;
            Ok(())
        })?;
        log.publish();
        let stats = Stats { urls, cut_bytes: log.file.cut_bytes(), ..Stats::default() };
        Ok(Self { log, filter, options, stats })
    }

    fn commit(&mut self, durability: Durability) -> Result<()> {
        self.log.file.settle(durability)?;
        self.log.publish();
        self.stats.urls += std::mem::take(&mut self.stats.pending);
        Ok(())
    }
}

impl<F: Filter> Sieve for Immediate<F> {
    fn offer(&mut self, url: &str, note: Note) -> Result<()> {
        let signature = signature(url);
        self.stats.offered += 1;
        if self.filter.insert(signature) {
            self.log.file.push(url, note, signature)?;
            self.stats.pending += 1;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.stats.flushes += u64::from(self.stats.pending > 0);
        self.commit(self.options.durability)
    }

    fn settle(&mut self, durability: Durability) -> Result<()> {
        self.commit(durability)
    }

    fn pending(&self) -> u64 {
        self.stats.pending
    }

    fn urls(&self) -> u64 {
        self.stats.urls
    }

    fn stats(&self) -> Stats {
        Stats {
            memory_bytes: (self.filter.len_bytes() + self.options.block_bytes()) as u64,
            disk_bytes: self.log.file.end(),
            false_positive_rate: self.filter.false_positive_rate(),
            filters: self.filter.parts(),
            ..self.stats
        }
    }

    fn log(&self) -> UrlLogReader {
        self.log.reader()
    }
}
