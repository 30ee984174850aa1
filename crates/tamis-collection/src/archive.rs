//! The archives of a collection, as `archives.jsonl` lists them.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use tamis_archive::{Door, Source};

use super::{Blocks, Collection, Error, Result, names};

/// An archive of a collection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Archive {
    /// Its name in the collection.
    pub name: String,
    /// Where its bytes are.
    pub kept: Kept,
    /// Where it came from, and where it is if it is kept by reference.
    pub origin: Origin,
    /// Its size.
    pub bytes: u64,
    /// The SHA-256 of all its bytes, in hexadecimal digits.
    pub sha256: String,
    /// The checksums of its blocks, if its format has none of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Blocks>,
    /// Records of all kinds.
    pub records: u64,
    /// Records that are captures: responses, resources, revisits, conversions.
    pub captures: u64,
    /// Faults by which something is lost.
    pub faults: u64,
    /// The WARC files in it, if it is a package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<Entry>>,
}

/// A line of the list of archives. Of several about one archive the last holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum ListLine {
    /// An archive was removed.
    Removed {
        /// Its name.
        removed: String,
    },
    /// An archive was entered, or is another now.
    Entered(Box<Archive>),
}

impl ListLine {
    /// The name of the archive, if it is not plain: joined to a folder of the collection it could lead out of it.
    pub(super) fn bad_name(&self) -> Option<&str> {
        match self {
            Self::Removed { .. } => None,
            Self::Entered(archive) => Some(&*archive.name).filter(|_| !archive.has_plain_name()),
        }
    }
}

/// Where the bytes of an archive are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// In the collection.
    Copy,
    /// Where they were.
    Reference,
}

/// Where an archive came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The absolute path of the file.
    pub path: String,
    /// When it was last changed: nanoseconds since 1970.
    pub modified_ns: Option<i64>,
}

/// A WARC file that lies in a package as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its name in the package.
    pub name: String,
    /// Where its bytes begin.
    pub start: u64,
    /// Where they end.
    pub end: u64,
}

/// Whether an archive is still what it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Condition {
    /// It is.
    Present,
    /// The file is not there.
    Missing,
    /// The file was changed.
    Changed,
}

/// An archive to read, and what it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSource {
    /// The archive's name in the collection; for a WARC file in a package `NAME#ENTRY`.
    pub name: String,
    /// Where it is.
    pub source: Source,
}

impl Origin {
    /// Where a file is, and when it was last changed.
    pub(super) fn of(path: &Path, meta: &Metadata) -> Result<Self> {
        let path = fs::canonicalize(path).map_err(Error::read(path))?;
        Ok(Self { path: path.to_string_lossy().into_owned(), modified_ns: modified_ns(meta) })
    }
}

impl Archive {
    /// Whether its name is that of a file in a folder, and of none elsewhere.
    pub(super) fn has_plain_name(&self) -> bool {
        names::plain(&self.name) == self.name
    }

    /// Where its file is.
    pub fn path(&self, collection: &Collection) -> PathBuf {
        match self.kept {
            Kept::Copy => collection.archive_folder().join(&self.name),
            Kept::Reference => PathBuf::from(&self.origin.path),
        }
    }

    /// The file of its index.
    pub fn index_path(&self, collection: &Collection) -> PathBuf {
        collection.index_folder().join(index_name(&self.name))
    }

    /// Whether its file is still what it was: by size, and if it is kept by reference by its time of change, too. (A
    /// collection may be copied, and then its files are younger.)
    pub fn condition(&self, collection: &Collection) -> Condition {
        let Ok(meta) = fs::metadata(self.path(collection)) else { return Condition::Missing };
        let is_later = self.kept == Kept::Reference && modified_ns(&meta) != self.origin.modified_ns;
        if is_later || meta.len() != self.bytes { Condition::Changed } else { Condition::Present }
    }

    /// What there is to read in it. What its blocks should be is compared where the list states it.
    pub fn sources(&self, collection: &Collection) -> Vec<NamedSource> {
        let all = sources(&self.name, &self.path(collection), self.entries.as_deref(), collection.door());
        let Some(blocks) = &self.blocks else { return all };
        let expected = blocks.expected(collection.root());
        all.into_iter()
            .map(|named| NamedSource { source: named.source.checked_by(&expected), ..named })
            .collect()
    }

    /// Whether a source of this name is of this archive. Names of archives have no `#`; after it is an entry of a package.
    pub fn owns(&self, source_name: &str) -> bool {
        source_name.split('#').next() == Some(&*self.name)
    }
}

/// What there is to read in a file.
pub(super) fn sources(name: &str, path: &Path, entries: Option<&[Entry]>, door: &Door) -> Vec<NamedSource> {
    let Some(entries) = entries else {
        return vec![NamedSource { name: name.to_owned(), source: door.source(path) }];
    };
    let part = |entry: &Entry| Source::part(path, entry.name.clone(), entry.start..entry.end);
    entries
        .iter()
        .map(|entry| NamedSource { name: format!("{name}#{}", entry.name), source: part(entry) })
        .collect()
}

/// The name of the index of an archive.
pub(super) fn index_name(archive: &str) -> String {
    format!("{archive}.cdxj")
}

fn modified_ns(meta: &Metadata) -> Option<i64> {
    let since = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_nanos()).ok()
}
