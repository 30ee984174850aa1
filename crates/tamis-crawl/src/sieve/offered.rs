//! The file A: URLs that were offered and are not decided yet, in the order in which they were offered.

use std::ops::Range;
use std::path::Path;

use super::SieveKind;
use super::error::{Error, Result};
use super::record;
use super::record_file::{Magic, RecordFile, Room};
use super::seen::Seen;
use super::url_log::UrlLog;
use super::window::Window;

const NAME: &str = "offered";
const MAGIC: Magic = *b"tamisoff";

/// Opens the file, and empties it if all of it was decided just before a kill.
pub(super) fn open(folder: &Path, kind: SieveKind, seen: &Seen, block_bytes: usize) -> Result<RecordFile> {
    let generation = seen.commit().generation;
    let mut file = RecordFile::open(folder.join(NAME), (MAGIC, Room::Reused), kind, generation, block_bytes)?;
    if file.generation() > generation {
        return Err(Error::damaged(file.path(), 16, "it is newer than the signatures next to it"));
    }
    if file.generation() < generation {
        file.reset(generation)?;
    }
    if file.end() < seen.commit().offered_done {
        return Err(Error::damaged(file.path(), file.end(), "it ends before its last decided URL"));
    }
    Ok(file)
}

/// Which of the offers are new.
pub(super) trait Choice {
    /// Whether this one is; asked for each offer, in their order.
    fn is_chosen(&mut self, ordinal: u64) -> Result<bool>;
}

/// A bit for each offer.
#[derive(Debug)]
pub(super) struct Chosen(Vec<u64>);

impl Chosen {
    pub(super) fn new(offers: u32) -> Self {
        Self(vec![0; offers.div_ceil(64) as usize])
    }

    #[inline]
    pub(super) fn insert(&mut self, ordinal: u32) {
        self.0[ordinal as usize / 64] |= 1 << (ordinal % 64);
    }
}

impl Choice for &Chosen {
    #[inline]
    fn is_chosen(&mut self, ordinal: u64) -> Result<bool> {
        Ok(self.0.get(ordinal as usize / 64).is_some_and(|bits| bits >> (ordinal % 64) & 1 == 1))
    }
}

/// Copies the chosen records of a range to the url log.
pub(super) fn copy(
    offered: &RecordFile,
    range: Range<u64>,
    block_bytes: usize,
    mut choice: impl Choice,
    log: &mut UrlLog,
) -> Result<()> {
    let mut window = Window::new(block_bytes, range.start);
    let mut ordinal = 0;
    while window.offset() < range.end {
        let bytes = window.bytes(offered.disk(), range.end)?;
        let record = record::len_bytes(bytes).and_then(|len| bytes.get(..len));
        let Some(record) = record else {
            return Err(Error::damaged(
                offered.path(),
                window.offset(),
                "the record differs from the one written",
            ));
        };
        if choice.is_chosen(ordinal)? {
            log.file.push_encoded(record)?;
        }
        let len_bytes = record.len();
        window.advance(len_bytes);
        ordinal += 1;
    }
    Ok(())
}
