//! Where the files of an index are: in a folder, or inside a package.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::PathBuf;

/// Bytes that can be read from any place.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// Opens the files of an index by name, each time anew, so that queries do not disturb each other.
pub trait Files: Send + Sync {
    /// Opens a file. A name is relative to where the index is.
    fn open(&self, name: &str) -> io::Result<Box<dyn ReadSeek>>;
}

/// The files of a folder.
#[derive(Debug, Clone)]
pub struct Folder(pub PathBuf);

impl Files for Folder {
    fn open(&self, name: &str) -> io::Result<Box<dyn ReadSeek>> {
        Ok(Box::new(File::open(self.0.join(name))?))
    }
}
