//! What stops packing and reading a pack.

use std::io;
use std::path::{Path, PathBuf};

use super::Damage;

/// What stops a call, by what the caller can do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to read or write.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// An archive could not be read.
    #[error(transparent)]
    Archive(#[from] tamis_archive::Error),
    /// The file is no pack, or one of a later version.
    #[error("{}: {why}", path.display())]
    NotAPack {
        /// The file.
        path: PathBuf,
        /// What it lacks.
        why: &'static str,
    },
    /// A part of the pack is damaged. What does not need it can still be read.
    #[error("{}: {damage}", path.display())]
    Damaged {
        /// The pack.
        path: PathBuf,
        /// Which part, and what it holds.
        damage: Damage,
    },
    /// Nothing in the file can be packed as a record.
    #[error("{}: {}", path.display(), why.message())]
    NoRecords {
        /// The file.
        path: PathBuf,
        /// Why there is none.
        why: NoRecords,
    },
    /// The order does not name each record of the archive once.
    #[error("the order has {given} numbers for {records} records: {why}")]
    Order {
        /// How many numbers were given.
        given: usize,
        /// How many records the archive has.
        records: usize,
        /// What is wrong with them.
        why: &'static str,
    },
    /// The input was written to while it was packed.
    #[error("{}: changed while it was packed", path.display())]
    InputChanged {
        /// The input.
        path: PathBuf,
    },
    /// The pack does not give back the archive.
    #[error("{}: offset {offset}: the restored archive differs from the original", path.display())]
    NotRestored {
        /// The input.
        path: PathBuf,
        /// Where it differs first, in the archive, or its length if that is not known.
        offset: u64,
    },
    /// The pack has members that only another build makes again.
    #[error("{}: this build cannot restore some of its gzip members", path.display())]
    NeedsPreflate {
        /// The pack.
        path: PathBuf,
    },
    /// A compressor refused to work.
    #[error("{0}")]
    Codec(&'static str),
}

/// Why nothing in a file can be packed as a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoRecords {
    /// It is no archive.
    NotAnArchive,
    /// It is compressed in a way that cannot be made again: one member or frame of more than 64 MiB, or by an encoder that is not known.
    Compressed,
}

impl NoRecords {
    fn message(self) -> &'static str {
        match self {
            Self::NotAnArchive => "not an archive: no record found",
            Self::Compressed => {
                "no record can be packed: the file is compressed as a whole, in a way that cannot be restored byte for byte"
            }
        }
    }
}

/// The result of calls about packs.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Ties an error of the operating system to the file it happened on.
    pub(super) fn io(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.as_ref().into(), source }
    }

    /// What the user can do about it, where that is known.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Damaged { .. } => {
                Some("records in other blocks can still be read; restore from a copy if you have one")
            }
            Self::NoRecords { why: NoRecords::Compressed, .. } => Some("decompress the file and pack that"),
            Self::NeedsPreflate { .. } => Some(
                "its records can be read; to restore the file, build tamis with --features tamis-pack/preflate",
            ),
            Self::InputChanged { .. } => Some("pack it again when no process is writing to it"),
            _ => None,
        }
    }
}
