//! The sieve `lsm`: signatures as the keys of an LSM-tree (fjall).
//!
//! The log is written first, then the signatures, with the length of the log they stand for; what the log has more
//! when the sieve is opened is added to the tree.

use std::path::{Path, PathBuf};

use fjall::config::PartitioningPolicy;
use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode};

use super::error::{Error, Result};
use super::memory::SignatureSet;
use super::recent::Recent;
use super::record;
use super::record_file::HEADER_BYTES;
use super::url_log::{UrlLog, UrlLogReader};
use super::{Durability, Note, Sieve, SieveKind, SieveOptions, Stats, signature};

const FOLDER: &str = "signatures";
/// The key of the length of the log whose signatures are in the tree; no signature is that short.
const LOG_LEN: &[u8] = b"log";
/// The key of their number.
const COUNT: &[u8] = b"count";
/// Signatures that are put into the tree at once.
const MOST_FRESH: usize = 1 << 16;

/// See the module. Memory: that of the options, but for what fjall takes beside its caches.
pub(super) struct Lsm {
    log: UrlLog,
    path: PathBuf,
    database: Database,
    tree: Keyspace,
    recent: Recent,
    /// In the log, but not in the tree yet.
    fresh: SignatureSet,
    most_fresh: usize,
    options: SieveOptions,
    stats: Stats,
}

impl Lsm {
    pub(super) fn open(folder: &Path, options: SieveOptions) -> Result<Self> {
        let log = UrlLog::open(folder, SieveKind::Lsm, options.block_bytes())?;
        let path = folder.join(FOLDER);
        let (database, tree) = open_tree(&path, options.memory_bytes).map_err(store(&path))?;
        let recent = Recent::new(options.memory_bytes);
        let most_fresh = (options.memory_bytes / 1024).clamp(1, MOST_FRESH);
        let (fresh, stats) = (SignatureSet::default(), Stats::default());
        let mut sieve = Self { log, path, database, tree, recent, fresh, most_fresh, options, stats };
        sieve.repair()?;
        Ok(sieve)
    }

    /// Adds to the tree what only the log has.
    fn repair(&mut self) -> Result<()> {
        self.stats.urls = self.number(COUNT)?;
        let known = self.number(LOG_LEN)?.max(HEADER_BYTES);
        if known > self.log.file.end() {
            let (path, end) = (self.log.file.path(), self.log.file.end());
            return Err(Error::damaged(path, end, "the log is shorter than the tree expects"));
        }
        let Self { log, fresh, database, tree, path, most_fresh, stats, .. } = self;
        let mut offset = known;
        log.file.recover(known, |record| {
            fresh.insert(record.signature);
            stats.urls += 1;
            offset += record.len_bytes as u64;
            if fresh.len() < *most_fresh {
                return Ok(());
            }
            insert(database, tree, fresh, offset, stats.urls).map_err(store(path))
        })?;
        self.stats.cut_bytes = self.log.file.cut_bytes();
        self.log.publish();
        Ok(())
    }

    fn number(&self, key: &[u8]) -> Result<u64> {
        let value = self.tree.get(key).map_err(store(&self.path))?;
        Ok(value.and_then(|bytes| bytes.as_ref().try_into().ok()).map_or(0, u64::from_le_bytes))
    }

    fn knows(&self, signature: u64) -> Result<bool> {
        if self.fresh.contains(&signature) {
            return Ok(true);
        }
        self.tree.contains_key(signature.to_be_bytes()).map_err(store(&self.path))
    }

    /// Writes the log and shows it.
    fn commit(&mut self, durability: Durability) -> Result<()> {
        self.log.file.settle(durability)?;
        self.log.publish();
        self.stats.urls += std::mem::take(&mut self.stats.pending);
        Ok(())
    }

    fn insert_fresh(&mut self) -> Result<()> {
        // The tree brings its own files to the disk when it likes: the log must be there before.
        self.commit(self.options.durability)?;
        let Self { database, tree, fresh, log, stats, path, .. } = self;
        insert(database, tree, fresh, log.file.end(), stats.urls).map_err(store(path))
    }
}

impl Sieve for Lsm {
    fn offer(&mut self, url: &str, note: Note) -> Result<()> {
        record::check_len(url)?;
        let signature = signature(url);
        self.stats.offered += 1;
        if !self.recent.is_first(signature) || self.knows(signature)? {
            return Ok(());
        }
        self.log.file.push(url, note, signature)?;
        self.fresh.insert(signature);
        self.stats.pending += 1;
        if self.fresh.len() < self.most_fresh { Ok(()) } else { self.insert_fresh() }
    }

    fn flush(&mut self) -> Result<()> {
        if !self.fresh.is_empty() {
            self.stats.flushes += 1;
            self.insert_fresh()?;
        }
        if self.options.durability == Durability::Power {
            self.database.persist(PersistMode::SyncData).map_err(store(&self.path))?;
        }
        Ok(())
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
            memory_bytes: self.options.memory_bytes as u64,
            disk_bytes: self.log.file.end() + self.tree.disk_space(),
            ..self.stats
        }
    }

    fn log(&self) -> UrlLogReader {
        self.log.reader()
    }
}

/// Half of the memory for blocks that were read, an eighth for each memtable: the one that is filled, and some that
/// are on their way to the disk.
///
/// The filters and indexes of all levels are cut into blocks. fjall does so in the deepest levels alone; the filter of a table of
/// level 1 is then one block of megabytes, and once it is larger than a shard of the cache it is read from the file for every URL
/// that is new, which is from three million URLs on.
fn open_tree(path: &Path, memory_bytes: usize) -> fjall::Result<(Database, Keyspace)> {
    let memory_bytes = memory_bytes as u64;
    let database = Database::builder(path).cache_size(memory_bytes / 2).open()?;
    let memtable = (memory_bytes / 8).max(1 << 20);
    let options = || {
        KeyspaceCreateOptions::default()
            .max_memtable_size(memtable)
            .filter_block_partitioning_policy(PartitioningPolicy::all(true))
            .index_block_partitioning_policy(PartitioningPolicy::all(true))
    };
    Ok((database.clone(), database.keyspace(FOLDER, options)?))
}

fn insert(
    database: &Database,
    tree: &Keyspace,
    fresh: &mut SignatureSet,
    log_len: u64,
    count: u64,
) -> fjall::Result<()> {
    let mut batch = database.batch();
    for signature in fresh.iter() {
        batch.insert(tree, signature.to_be_bytes(), []);
    }
    batch.insert(tree, LOG_LEN, log_len.to_le_bytes());
    batch.insert(tree, COUNT, count.to_le_bytes());
    batch.commit()?;
    fresh.clear();
    Ok(())
}

fn store(path: &Path) -> impl FnOnce(fjall::Error) -> Error {
    move |source| Error::Store { path: path.into(), source: Box::new(source) }
}
