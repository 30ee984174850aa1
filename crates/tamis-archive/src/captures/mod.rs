//! Look-up of captures: which there are of a URL, which is nearest to a moment, and where its payload is.
//!
//! [`Captures`] is made once, of archives and the indexes that cover them, and then asked by any number of threads. An archive
//! that an index covers is not read for a look-up. A store that has an index of its own, such as a pack, is asked for the
//! records of the URL, and only those are read. All other archives are read from end to end.
//!
//! An index is not believed: [`Captures::read`] compares the record with what the index says about it. No file is opened
//! because an index names it; the name only chooses among the archives that were given.

mod archive;
mod gather;
mod listing;
mod names;
mod nearest;
mod places;
mod read;
mod resolve;

use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::cdx::{BadLine, CdxEntry, Index, Query};
use crate::{Error, Faults, Result, ScanOptions, Source};

pub use listing::Listing;
pub use nearest::Nearest;
pub use read::Taken;
pub use resolve::Payload;

use archive::Archive;
use names::Names;

/// Archives and their indexes, for look-ups from any number of threads.
///
/// Memory: the names of all archives, and the stores that were opened. A look-up needs one capture where one is asked for,
/// and 64 MiB where captures are listed, whatever their number; where archives are read, also what [`scan`](crate::scan())
/// needs.
pub struct Captures {
    archives: Vec<Archive>,
    indexes: Vec<Covering>,
    options: CaptureOptions,
}

/// How look-ups are done.
#[derive(Debug, Clone)]
pub struct CaptureOptions {
    /// How archives without an index are read, and what is done about faults.
    pub scan: ScanOptions,
    /// The folder of temporary files, for lists that do not fit into memory.
    pub sort_folder: PathBuf,
}

/// An index, and the archives that its lines may name.
struct Covering {
    index: Index,
    names: Names,
}

/// A capture that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Capture {
    /// What is known about it, and what its archive is called.
    pub entry: CdxEntry,
    origin: Origin,
}

/// Who says where a capture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The archive of this number was read.
    Archive(usize),
    /// The index of this number says so.
    Index(usize),
}

/// What a look-up meets on its way.
#[derive(Debug)]
pub enum Event<'a> {
    /// Archives were read.
    Read {
        /// Stored bytes.
        bytes: u64,
        /// Records of all kinds.
        records: u64,
    },
    /// What is wrong with an archive, as far as it was read.
    Faults {
        /// The archive.
        source: &'a Source,
        /// The faults since the last time.
        faults: &'a Faults,
        /// Whether no more come of this archive.
        is_last: bool,
    },
    /// An archive could not be read on, so captures in it may be missing.
    Unreadable {
        /// Why.
        error: &'a Error,
    },
    /// Lines of an index were skipped, so captures may be missing.
    BadLines {
        /// The first of them.
        first: &'a BadLine,
        /// How many there are.
        count: u64,
    },
}

/// Called with everything that a look-up meets. It may end the look-up.
pub type Watch<'w> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 'w;

impl Captures {
    /// No archives yet.
    pub fn new(options: CaptureOptions) -> Self {
        Self { archives: Vec::new(), indexes: Vec::new(), options }
    }

    /// Adds an archive that no index covers. `name` is what entries call it.
    pub fn add(&mut self, name: impl Into<String>, source: Source) {
        self.archives.push(Archive::new(name.into(), source, false));
    }

    /// Adds archives that an index covers, each with the name that the index may call it. They are never read for a look-up.
    pub fn add_indexed(&mut self, index: Index, archives: impl IntoIterator<Item = (String, Source)>) {
        let first = self.archives.len();
        self.archives.extend(archives.into_iter().map(|(name, source)| Archive::new(name, source, true)));
        let names = Names::of(first, &self.archives[first..]);
        self.indexes.push(Covering { index, names });
    }

    /// The stored bytes of the archives that a look-up reads from end to end, if known. Opens the stores among them.
    pub fn unindexed_bytes(&self) -> Option<u64> {
        let read = self.archives.iter().filter(|archive| !archive.is_covered && !archive.has_keys());
        read.map(|archive| archive.source.len()).sum()
    }

    /// Gives the entries of all indexes that answer a query, whatever its order and limit.
    fn each_indexed(
        &self,
        query: &Query,
        watch: &mut Watch<'_>,
        mut take: impl FnMut(Capture) -> Result<()>,
    ) -> Result<()> {
        let query = unordered(query);
        for (number, covering) in self.indexes.iter().enumerate() {
            let mut matches = covering.index.query(&query)?;
            for entry in &mut matches {
                take(Capture { entry: entry?, origin: Origin::Index(number) })?;
            }
            report_bad_lines(&matches, watch)?;
        }
        Ok(())
    }
}

/// The same query without its order and limit.
fn unordered(query: &Query) -> Query {
    Query { closest: None, reverse: false, limit: None, ..query.clone() }
}

fn report_bad_lines(matches: &crate::cdx::Matches, watch: &mut Watch<'_>) -> Result<()> {
    match matches.bad_lines() {
        [first, ..] => report(watch, Event::BadLines { first, count: matches.bad_line_count() }),
        [] => Ok(()),
    }
}

/// Reports an event, and ends the look-up if the caller says so.
fn report(watch: &mut Watch<'_>, event: Event<'_>) -> Result<()> {
    if watch(event).is_break() { Err(Error::Interrupted) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
