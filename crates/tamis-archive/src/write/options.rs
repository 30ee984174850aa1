//! What can be chosen about writing.

use std::path::PathBuf;

use super::{Compression, DigestAlgorithm, WarcVersion};

/// How a writer writes.
#[derive(Debug, Clone)]
pub struct WriterOptions {
    /// The version of new records.
    pub version: WarcVersion,
    /// How records are stored.
    pub compression: Compression,
    /// The algorithm of the digests that the writer computes.
    pub digest: DigestAlgorithm,
    /// What record ids are made from, with the count of records and the record itself. Two runs that capture the same
    /// things at the same moments need different seeds to give different ids.
    pub id_seed: Vec<u8>,
    /// Whether records name the warcinfo record before them in `WARC-Warcinfo-ID`.
    pub link_warcinfo: bool,
    /// The longest block that is kept in memory, in bytes. Longer ones go through a temporary file.
    pub memory_limit: usize,
    /// Where temporary files go. None means where the system has them.
    pub spool_folder: Option<PathBuf>,
}

impl Default for WriterOptions {
    fn default() -> Self {
        Self {
            version: WarcVersion::default(),
            compression: Compression::default(),
            digest: DigestAlgorithm::default(),
            id_seed: Vec::new(),
            link_warcinfo: true,
            memory_limit: 16 << 20,
            spool_folder: None,
        }
    }
}
