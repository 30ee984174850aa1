//! What stops a sieve.

use std::io;
use std::path::{Path, PathBuf};

use super::SieveKind;

/// What stops a sieve, by what the caller can do about it. The sieve is then to be dropped and opened again: whatever
/// was settled is still there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to read or write.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The store of the sieve `lsm` refused to read or write.
    #[error("{}: {source}", path.display())]
    Store {
        /// The folder of the store.
        path: PathBuf,
        /// What the store said.
        source: Box<fjall::Error>,
    },
    /// A file is not what was written.
    #[error("{}: offset {offset}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Byte offset of the damage.
        offset: u64,
        /// What is wrong there.
        what: &'static str,
    },
    /// A newer program wrote the file.
    #[error("{}: format version {found}; this tamis reads up to {known}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version it has.
        found: u8,
        /// The newest version that is known here.
        known: u8,
    },
    /// The folder belongs to another kind of sieve.
    #[error("{}: the sieve is of kind {found}, not {asked}", path.display())]
    Kind {
        /// The url log.
        path: PathBuf,
        /// The kind that made the folder.
        found: SieveKind,
        /// The kind that was asked for.
        asked: SieveKind,
    },
    /// No committed record begins at that place of the url log.
    #[error("{}: offset {offset}: no URL at this offset", path.display())]
    NotThere {
        /// The url log.
        path: PathBuf,
        /// The offset that was asked for.
        offset: u64,
    },
    /// A URL is longer than a record can be.
    #[error("a URL of {len_bytes} bytes, more than the maximum of {longest_bytes}")]
    TooLong {
        /// Its length.
        len_bytes: usize,
        /// What fits.
        longest_bytes: usize,
    },
}

/// The result of a sieve's calls.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// What the user can do about it, where that is known.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Kind { .. } => {
                Some("use the sieve that the crawl was started with, or start a new collection")
            }
            Self::Version { .. } => Some("use the newer tamis that wrote it"),
            _ => None,
        }
    }

    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.into(), source }
    }

    pub(super) fn damaged(path: &Path, offset: u64, what: &'static str) -> Self {
        Self::Damaged { path: path.into(), offset, what }
    }
}
