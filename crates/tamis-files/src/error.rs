//! An error of the operating system, with the path it happened on.

use std::io;
use std::path::{Path, PathBuf};

/// The operating system refused to read or write a file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct Error {
    /// What was tried: `read`, `write`, `remove`.
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// What the operating system said.
    pub source: io::Error,
}

/// The result of a call on a file.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        Self::new(error.source.kind(), error)
    }
}

impl Error {
    /// Adds the action and the path to an error of the operating system.
    pub fn of(action: &'static str, path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self { action, path: path.as_ref().into(), source }
    }

    /// An error of reading.
    pub fn read(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        Self::of("read", path)
    }

    /// An error of writing.
    pub fn write(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        Self::of("write", path)
    }
}
