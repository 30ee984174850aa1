//! What stops a call on a collection.

use std::io;
use std::path::{Path, PathBuf};

use crate::tweets;

/// What stops a call on a collection, by what the caller can do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to read or write.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried: `read`, `write`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// There is already something where a collection shall be made.
    #[error("{} already exists", path.display())]
    Exists {
        /// The place.
        path: PathBuf,
    },
    /// The folder is not there, or is no collection.
    #[error("{} is not a collection: {why}", path.display())]
    NotACollection {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
    /// A file of the collection is of a format that this version does not know.
    #[error("{}: made by a newer tamis (format {found}; this one reads up to {known})", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version it states.
        found: u64,
        /// The newest version that is known here.
        known: u64,
    },
    /// Somebody else writes to the collection.
    #[error("{} is locked by {holder}", path.display())]
    Locked {
        /// The collection.
        path: PathBuf,
        /// Who, as far as it is known: the process and its command.
        holder: String,
    },
    /// A file of the collection is not what it should be.
    #[error("{}: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and on which line.
        why: String,
    },
    /// A file to import is not an archive, or has no record.
    #[error("{}: not an archive: {why}", path.display())]
    NotAnArchive {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A file has not the content that it should have.
    #[error("{}: not the same content: {why}", path.display())]
    OtherContent {
        /// The file.
        path: PathBuf,
        /// How it differs.
        why: String,
    },
    /// The collection has no archive of this name.
    #[error("{}: no archive named {name:?}", path.display())]
    NoArchive {
        /// The collection.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// A value given by the caller is not usable.
    #[error("{what} {value:?}: {why}")]
    Value {
        /// What kind of value it is: `id`, `name of a part`.
        what: &'static str,
        /// The value as given.
        value: String,
        /// Why it cannot be used.
        why: &'static str,
    },
    /// An archive cannot be read.
    #[error(transparent)]
    Archive(#[from] tamis_archive::Error),
    /// A name that tamis owns is a link, or a file of a kind that tamis does not make.
    #[error("{} is {what}", path.display())]
    Link {
        /// The name.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// Tweets cannot be read.
    #[error(transparent)]
    Tweets(#[from] tweets::Error),
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

/// The result of calls on a collection.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<tamis_files::Error> for Error {
    fn from(error: tamis_files::Error) -> Self {
        let tamis_files::Error { action, path, source } = error;
        Self::Io { action, path, source }
    }
}

impl Error {
    /// An error of reading a file.
    pub fn read(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action: "read", path: path.as_ref().into(), source }
    }

    /// An error of writing a file.
    pub fn write(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action: "write", path: path.as_ref().into(), source }
    }

    /// A file that is not what it should be.
    pub fn damaged(path: impl Into<PathBuf>, why: impl std::fmt::Display) -> Self {
        Self::Damaged { path: path.into(), why: why.to_string() }
    }
}
