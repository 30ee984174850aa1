//! A collection is a folder: archives, their indexes, what was made of them, and the seeds they came from.
//!
//! [`Collection::open`] reads and locks nothing; [`Collection::lock`] gives the one [`Writer`]. Every file appears whole or
//! not at all, and is on the disk before anything names it, so a writer may be killed at any moment: readers see the state
//! before or after, and the next writer removes what is left. The files are described in `docs/formats/collection.md`.

mod about;
mod archive;
mod blocks;
mod captures;
mod content;
mod error;
mod fetched;
mod import;
mod index;
pub mod links;
mod lock;
mod log;
mod manifest;
mod names;
pub mod relevance;
mod relocate;
mod repair;
mod run;
pub mod sealed;
mod seeds;
mod status;
mod sums;
mod trash;
pub mod tweets;
mod unfinished;
mod url_list;
mod verify;
mod writer;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tamis_archive::{Door, Source};
use tamis_files::whole;

pub use about::{About, FORMAT, New};
pub use archive::{Archive, Condition, Entry, Kept, NamedSource, Origin};
pub use blocks::Blocks;
pub use captures::{Covered, LookUp};
pub use error::{Error, Result};
pub use fetched::{End, Fetched};
pub use import::{Event, ImportOptions, Imported, ReadyIndex, Watch};
pub use manifest::{Manifest, Part};
pub use repair::{Lost, Repair, Repaired};
pub use run::Run;
pub use seeds::{SeedCounts, SeedMerge, SeedTweets, Seeds};
pub use status::{ColumnStatus, Problem, Status};
pub use trash::{Removed, Trash};
pub use unfinished::Unfinished;
pub use url_list::{UrlReport, parse as parse_url};
pub use verify::{Flaw, Remedy, VerifyOptions};
pub use writer::{Writer, sha256};

use archive::ListLine;
use log::Log;
use sums::Sums;

/// A collection, for reading.
#[derive(Debug, Clone)]
pub struct Collection {
    root: PathBuf,
    about: About,
    door: Door,
}

impl Collection {
    /// Makes a collection in a folder that does not exist yet.
    pub fn create(path: &Path, new: &New) -> Result<Self> {
        let text = new.to_toml()?;
        if path.symlink_metadata().is_ok() {
            return Err(Error::Exists { path: path.into() });
        }
        // Made under another name, so that a folder of this name is whole.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let part = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let made = Self::fill(&part, &text)
            .and_then(|()| fs::rename(&part, path).map_err(Error::write(path)))
            .and_then(|()| Ok(whole::sync_folder_of(path)?));
        if made.is_err() {
            // It is of no use to anybody, and in nobody's way.
            let _ = fs::remove_dir_all(&part);
        }
        made?;
        Self::open(path)
    }

    fn fill(folder: &Path, text: &str) -> Result<()> {
        for folder in [folder, &folder.join("archive"), &folder.join("index"), &folder.join("pages")] {
            fs::create_dir(folder).map_err(Error::write(folder))?;
        }
        Ok(whole::replace_with(&folder.join(about::FILE), text.as_bytes())?)
    }

    /// Opens a collection for reading. Refuses what a newer version made.
    pub fn open(path: &Path) -> Result<Self> {
        links::check(path)?;
        let about = About::read(path)?;
        if let Some(sums) = Sums::read(path)? {
            sums.check_about(&about, &path.join(about::FILE))?;
        }
        Ok(Self { about, root: path.to_owned(), door: Door::default() })
    }

    /// Opens its archives through a door: without one, a pack among them is not read as an archive.
    #[must_use]
    pub fn with_door(self, door: &Door) -> Self {
        Self { door: door.clone(), ..self }
    }

    /// Opens its archives.
    pub fn door(&self) -> &Door {
        &self.door
    }

    /// Whether a folder is a collection, of whatever version and even if `collection.toml` was lost.
    pub fn is_one(path: &Path) -> bool {
        path.join(about::FILE).is_file() || path.join(sums::FILE).is_file()
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What the collection is.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Where the archives are that it holds itself.
    pub fn archive_folder(&self) -> PathBuf {
        self.root.join("archive")
    }

    /// Where the indexes are.
    pub fn index_folder(&self) -> PathBuf {
        self.root.join("index")
    }

    /// Where the materialised columns are.
    pub fn pages_folder(&self) -> PathBuf {
        self.root.join("pages")
    }

    /// The archives, by name.
    pub fn archives(&self) -> Result<BTreeMap<String, Archive>> {
        self.check_list(sums::ARCHIVES)?;
        let lines = self.archive_log().read()?;
        if let Some(name) = lines.iter().find_map(ListLine::bad_name) {
            let why = format!("{name:?} is not an archive name");
            return Err(Error::damaged(self.root.join(sums::ARCHIVES), why));
        }
        Ok(listed(lines))
    }

    /// All there is to read, in the order of the names.
    pub fn named_sources(&self) -> Result<Vec<NamedSource>> {
        Ok(self.archives()?.values().flat_map(|archive| archive.sources(self)).collect())
    }

    /// All there is to read, in the order of the names. What is not there any more is among it, so that whoever reads
    /// gets to know.
    pub fn sources(&self) -> Result<Vec<Source>> {
        Ok(self.named_sources()?.into_iter().map(|named| named.source).collect())
    }

    /// The materialised columns. Files that a later manifest does not name may go at any time.
    pub fn manifest(&self) -> Result<Manifest> {
        Manifest::read(&self.pages_folder())
    }

    /// What was run, the first first.
    pub fn runs(&self) -> Result<Vec<Run>> {
        self.check_list(sums::RUNS)?;
        self.run_log().read()
    }

    /// Who writes to the collection just now.
    pub fn holder(&self) -> Option<String> {
        lock::held_by(&self.root)
    }

    fn archive_log(&self) -> Log<ListLine> {
        Log::new(self.root.join(sums::ARCHIVES), "tamis-archives")
    }

    fn run_log(&self) -> Log<Run> {
        Log::new(self.root.join(sums::RUNS), "tamis-runs")
    }
}

/// The archives that are left after all lines.
fn listed(lines: Vec<ListLine>) -> BTreeMap<String, Archive> {
    let mut archives = BTreeMap::new();
    for line in lines {
        match line {
            ListLine::Removed { removed } => drop(archives.remove(&removed)),
            ListLine::Entered(archive) => drop(archives.insert(archive.name.clone(), *archive)),
        }
    }
    archives
}

#[cfg(test)]
mod tests;
