//! The one error type of the crate: what stops a call. What merely mars the data is a [`Fault`](crate::Fault).

use std::io;
use std::path::{Path, PathBuf};

use crate::Fault;

/// What stops a call, by what the caller can do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to read or write.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file, or `-` for a stream without a name.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The first fault of an input that is read strictly.
    #[error("{}: {fault}", path.display())]
    Strict {
        /// The file, or `-` for a stream without a name.
        path: PathBuf,
        /// The fault that strict reading does not pass over.
        fault: Fault,
    },
    /// The bytes are none of the formats that the call can read.
    #[error("{}: offset {offset}: not {expected}", path.display())]
    Format {
        /// The file, or `-` for a stream without a name.
        path: PathBuf,
        /// Byte offset at which the format was expected.
        offset: u64,
        /// The format that was expected, with an article: `a zstd dictionary`.
        expected: &'static str,
    },
    /// A value given by the caller is not usable.
    #[error("{what}: {value:?}: {why}")]
    Value {
        /// What kind of value it is: `timestamp`, `digest`, …
        what: &'static str,
        /// The value as given.
        value: String,
        /// Why it cannot be used.
        why: String,
    },
    /// Work in a folder cannot begin or go on there as it stands.
    #[error("{}: {why}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What stands in the way.
        why: String,
        /// What the user can do about it.
        hint: &'static str,
    },
    /// An index names a file that is not among the archives it may name.
    #[error("the index refers to {name}, which is not among the given archives")]
    NotGiven {
        /// The file, as the index names it.
        name: String,
    },
    /// The record that an index describes is not where it says.
    #[error("{}: no capture of {url} at {timestamp} at offset {offset}", path.display())]
    Stale {
        /// The archive.
        path: PathBuf,
        /// The URL of the capture, or its key.
        url: String,
        /// When it was captured, in digits.
        timestamp: String,
        /// The offset that the index states.
        offset: u64,
    },
    /// The record of a capture cannot be read, since its archive is damaged.
    #[error("{}: the capture of {url} is lost: {fault}", path.display())]
    Lost {
        /// The archive.
        path: PathBuf,
        /// The URL of the capture, or its key.
        url: String,
        /// The damage.
        fault: Fault,
    },
    /// The caller asked for an end. What lasts of the work so far is said by the call.
    #[error("interrupted")]
    Interrupted,
}

/// The result of this crate's calls.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<tamis_files::Error> for Error {
    fn from(error: tamis_files::Error) -> Self {
        Self::Io { path: error.path, source: error.source }
    }
}

impl Error {
    /// What the user can do about it, where that is known.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Folder { hint, .. } => Some(hint),
            Self::NotGiven { .. } => Some("add the archive, or its folder, to the inputs"),
            Self::Stale { .. } => {
                Some("the index does not belong to this file; `tamis warc index` creates a new one")
            }
            _ => None,
        }
    }

    /// Ties an error of the operating system to the file it happened on. Costs nothing where none happens.
    pub fn io(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.as_ref().into(), source }
    }
}
