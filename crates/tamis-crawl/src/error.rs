//! What can go wrong with the files of a crawl.

use std::io;
use std::path::{Path, PathBuf};

/// The result of what touches the files of a crawl.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What stops a crawl. What a server does wrong is no error here; it is counted.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: at byte {offset}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where.
        offset: u64,
        /// What is wrong.
        what: &'static str,
    },
    /// A newer version of the program made it.
    #[error("{}: made by a newer version of tamis (format {version})", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u8,
    },
    /// What a crawl has written for its next run cannot be read.
    #[error("{}: damaged: {source}", path.display())]
    BadState {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The file of an event's model is not one.
    #[error("{}: {source}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: crate::focus::BadModel,
    },
    /// The sieve could not go on.
    #[error(transparent)]
    Sieve(#[from] crate::sieve::Error),
    /// The file of the queues of hosts could not be read or written.
    #[error("host queues: {0}")]
    Queues(#[from] io::Error),
    /// A fault of this program ended a visit.
    #[error("a fetch task panicked; the pages archived before it are intact")]
    Panicked,
    /// The file of settings per host cannot be used.
    #[error(transparent)]
    HostSettings(#[from] crate::crawl::HostSettingsError),
    /// Requests cannot be made so.
    #[error(transparent)]
    Fetch(#[from] crate::fetch::ConfigError),
    /// A file of the collection could not be read or written.
    #[error(transparent)]
    Collection(#[from] tamis_collection::Error),
    /// The archive could not be written or read.
    #[error(transparent)]
    Archive(#[from] tamis_archive::Error),
}

impl From<tamis_files::Error> for Error {
    fn from(error: tamis_files::Error) -> Self {
        Self::Io { path: error.path, source: error.source }
    }
}

impl Error {
    /// Says of which file the system spoke.
    pub fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}
