//! The one error type of the crate: what keeps a server from starting, or a shelf from being read.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// What keeps a server from starting, or a shelf from being read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file that the server writes cannot be written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// An index could not be made, or not be opened again.
    #[error("{}: no index can be made: {why}", path.display())]
    Index {
        /// The file or the folder.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A collection cannot be read.
    #[error(transparent)]
    Collection(#[from] tamis_collection::Error),
}
