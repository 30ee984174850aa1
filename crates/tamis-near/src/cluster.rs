//! Clusters of pages that are the same or nearly the same.
//!
//! A cluster is a star: one page that is kept, and pages that are each similar to it. (Connecting all that is similar to
//! something similar makes clusters whose ends have nothing in common.) Pages are taken in the order in which they are
//! worth keeping, [`Keep`]; a page that resembles none that is kept is kept.
//!
//! What is kept goes into an index on disk, so that the pages of another day are compared with it and nothing that
//! was judged is judged again. The index knows kept pages only: a page with a thousand copies is in it once.
//!
//! ```
//! use tamis_near::cluster::{Clusterer, Document, Keep, Near, Relation, Settings, Text};
//! use tamis_files::Space;
//!
//! # let folder = tempfile::tempdir()?;
//! let settings = Settings { near: Near::MinHash { jaccard: 0.8 }, keep: Keep::Longest };
//! let space = Space { folder: std::env::temp_dir(), memory_bytes: 64 << 20 };
//! let mut clusterer = Clusterer::open(folder.path(), settings, &space)?;
//! for (id, text) in ["a text", "another text"].into_iter().enumerate() {
//!     let text = Text::of(text.as_bytes());
//!     clusterer.add(&Document { id: id as u64, digest: id as u128, len_bytes: 12, date: 0, text: Some(text) })?;
//! }
//! let mut kept = 0;
//! clusterer.finish(None, &mut |member| {
//!     kept += u32::from(member.relation == Relation::Kept);
//!     Ok(())
//! })?;
//! assert_eq!(kept, 2);
//! # Ok::<(), std::io::Error>(())
//! ```

mod batch;
mod document;
mod index;
mod near;
mod run;

use std::io;
use std::path::Path;

pub use document::{Document, Text};
pub use near::Near;

use batch::Batch;
use index::Index;
use tamis_files::Space;
use tamis_files::sort::KeyedSorter;

/// Memory of a page of a batch: itself, its keys, and its place in the table of keys.
const BYTES_A_PAGE: usize = 3072;

/// What a cluster is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// When pages are nearly the same. Pages with the same digest are the same in any case.
    pub near: Near,
    /// Which page of a cluster is kept.
    pub keep: Keep,
}

/// Which page of a cluster is kept. A page that was kept in an earlier run stays kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The one with the least id.
    First,
    /// The one with the earliest date, of several the first.
    Oldest,
    /// The one with the most bytes, of several the first.
    Longest,
}

/// Why a page is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It was kept in an earlier run.
    Before,
    /// It is the one that [`Keep`] asks for.
    Asked(Keep),
}

/// How a page belongs to its cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It is the one that is kept.
    Kept,
    /// Its bytes are the same as those of the kept page.
    Exact,
    /// Its text is nearly the same.
    Near,
}

/// A page in its cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// The page.
    pub id: u64,
    /// The page that is kept, which names the cluster.
    pub kept: u64,
    /// The similarity of the two: 1 for the same bytes, otherwise as [`Near`] measures it.
    pub similarity: f64,
    /// How it belongs to the cluster.
    pub relation: Relation,
    /// Why the kept page is kept.
    pub reason: Reason,
}

/// Tells the exact similarity of two pages by their ids, where an estimate is not enough; [`crate::sketch::jaccard`] of their
/// texts, for example. It is asked for pairs whose estimate is at most 0.1 below the threshold.
pub type Exact<'a> = dyn FnMut(u64, u64) -> io::Result<f64> + 'a;

/// Finds the clusters of pages that come in any order.
///
/// Memory: that of the space. Pages are sorted by [`Keep`] first, on disk if need be, so what memory there is makes no
/// difference to the clusters.
pub struct Clusterer {
    index: Index,
    settings: Settings,
    pages: KeyedSorter,
    batch_pages: usize,
}

impl Clusterer {
    /// Opens the index in a folder, or begins one. One that was made with another [`Near`] is an error.
    pub fn open(folder: &Path, settings: Settings, space: &Space) -> io::Result<Self> {
        Ok(Self {
            index: Index::open(folder, settings.near)?,
            settings,
            pages: KeyedSorter::new(&space.folder, space.memory_bytes / 2),
            batch_pages: (space.memory_bytes / 2 / BYTES_A_PAGE).clamp(1, 1 << 24),
        })
    }

    /// How many pages are kept so far, in this run and before.
    pub fn kept(&self) -> u64 {
        self.index.kept()
    }

    /// Adds a page. Nothing is judged before all are there.
    pub fn add(&mut self, page: &Document) -> io::Result<()> {
        let worth = match self.settings.keep {
            Keep::First => 0,
            Keep::Oldest => page.date as u64 ^ 1 << 63,
            Keep::Longest => !page.len_bytes,
        };
        let key = [worth.to_be_bytes(), page.id.to_be_bytes()];
        Ok(self.pages.push(key.as_flattened(), &page.to_bytes())?)
    }

    /// Gives every page once, those worth keeping first; then makes what is kept part of the index. If this fails or the
    /// process dies, the index is what it was.
    pub fn finish(
        self,
        mut exact: Option<&mut Exact<'_>>,
        found: &mut dyn FnMut(Member) -> io::Result<()>,
    ) -> io::Result<()> {
        let Self { mut index, settings, pages, batch_pages } = self;
        let mut pages = pages.finish()?;
        loop {
            let mut documents = Vec::new();
            while documents.len() < batch_pages
                && let Some((_, page)) = pages.next_entry()?
            {
                documents.push(Document::from_bytes(page).ok_or(io::ErrorKind::InvalidData)?);
            }
            if documents.is_empty() {
                return index.commit();
            }
            Batch::new(documents, settings).judge(&mut index, exact.as_deref_mut(), found)?;
        }
    }
}

#[cfg(test)]
mod tests;
