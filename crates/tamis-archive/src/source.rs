//! Where archives are.

use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::{Mode, Reader, Result, held};

/// Where an archive is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// A stretch of a file: an entry stored in a WACZ, by its name.
    Part {
        /// The file that holds it.
        path: PathBuf,
        /// Its own name.
        name: String,
        /// Its bytes.
        range: Range<u64>,
    },
    /// Standard input.
    Stdin,
}

impl Source {
    /// What messages and indexes call it.
    pub fn name(&self) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Part { path, name, .. } => PathBuf::from(format!("{}#{name}", path.display())),
            Self::Stdin => PathBuf::from("-"),
        }
    }

    /// The file that holds it.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) | Self::Part { path, .. } => Some(path),
            Self::Stdin => None,
        }
    }

    /// The file's own name without its folder, as an index states it.
    pub fn file_name(&self) -> String {
        let base = |path: &Path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        match self {
            Self::File(path) => base(path),
            Self::Part { name, .. } => base(Path::new(name)),
            Self::Stdin => "-".into(),
        }
    }

    /// How many stored bytes it has, where that can be known; of an archive held in another form, how many are lent.
    pub fn len(&self) -> Option<u64> {
        match self {
            Self::File(path) => {
                let file = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
                let held = held::open(path).ok().flatten();
                Some(held.map_or(file.len(), |held| held.len()))
            }
            Self::Part { range, .. } => Some(range.end - range.start),
            Self::Stdin => None,
        }
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// A reader at its start.
    pub fn open(&self, mode: Mode) -> Result<Reader> {
        match self {
            Self::File(path) => Reader::open(path, mode),
            Self::Part { path, range, .. } => Reader::open_part(path, range.clone(), mode),
            Self::Stdin => Ok(Reader::from_stream("-", std::io::stdin().take(u64::MAX), mode)),
        }
    }
}
