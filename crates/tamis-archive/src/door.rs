//! The one door for bytes: which formats hold archives, and how a path becomes a [`Source`].

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Bytes, Source};

/// Opens the archive that a file of some format holds; none if the file has another format.
pub type Opener = fn(&Path) -> std::io::Result<Option<Arc<dyn Bytes>>>;

/// Turns paths into sources. A program makes one at its start and passes it to whatever opens archives.
///
/// Without openers every path is read as it is. Cheap to clone.
#[derive(Clone, Default)]
pub struct Door {
    openers: Arc<[Opener]>,
}

impl Door {
    /// A door that tries these openers, in this order, on each file.
    pub fn new(openers: impl IntoIterator<Item = Opener>) -> Self {
        Self { openers: openers.into_iter().collect() }
    }

    /// The archive at a path. Nothing is opened yet: whether the file exists shows when it is read.
    pub fn source(&self, path: impl Into<PathBuf>) -> Source {
        Source::through(self.clone(), path.into())
    }

    /// The archive that a file holds in another format, by the first opener that knows it.
    pub(crate) fn open(&self, path: &Path) -> std::io::Result<Option<Arc<dyn Bytes>>> {
        for opener in self.openers.iter() {
            if let Some(bytes) = opener(path)? {
                tracing::debug!(path = %path.display(), "opened in a format of its own");
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }

    /// Whether no file can hold an archive in another format.
    pub(crate) fn is_plain(&self) -> bool {
        self.openers.is_empty()
    }
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Door").field("openers", &self.openers.len()).finish()
    }
}
