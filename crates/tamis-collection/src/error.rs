//! What can go wrong with a file of a collection.

use std::io;
use std::path::{Path, PathBuf};

/// The result of reading or writing a file of a collection.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong with a file of a collection.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The file is not what it should be.
    #[error("{}: at byte {offset}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where.
        offset: u64,
        /// What is wrong.
        what: &'static str,
    },
    /// A newer version of tamis wrote the file.
    #[error("{}: made by a newer version of tamis (format {found}; this one reads up to {known})", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version it states.
        found: u8,
        /// The newest version that this program reads.
        known: u8,
    },
    /// A name that tamis owns is a link, or a file of a kind that tamis does not make.
    #[error("{} is {what}", path.display())]
    Link {
        /// The name.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
}

impl Error {
    /// Adds the path to an error of the operating system.
    pub fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}
