//! The content of a file: its SHA-256, and the checksums of its blocks, from one pass over it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use tamis_archive::{Algorithm, BlockSummer, Hasher};

use super::import::Event;
use super::index::tell;
use super::{Blocks, Error, Result, Watch};

const BUFFER: usize = 1 << 20;

/// What identifies the content of a file, and what shows where it changed.
pub(super) struct Content {
    /// In hexadecimal digits.
    pub(super) sha256: String,
    pub(super) blocks: Blocks,
}

impl Content {
    /// Reads a whole file.
    pub(super) fn of(path: &Path, watch: &mut Watch<'_>) -> Result<Self> {
        read(path, |_| Ok(()), watch)
    }
}

/// Copies a file.
pub(super) fn copy(from: &Path, target: &Path, to: &mut File, watch: &mut Watch<'_>) -> Result<Content> {
    read(from, |bytes| to.write_all(bytes).map_err(Error::write(target)), watch)
}

/// The SHA-256 of a file, in hexadecimal digits.
pub(super) fn sha256_of(path: &Path, watch: &mut Watch<'_>) -> Result<String> {
    Ok(Content::of(path, watch)?.sha256)
}

fn read(path: &Path, mut each: impl FnMut(&[u8]) -> Result<()>, watch: &mut Watch<'_>) -> Result<Content> {
    let mut file = File::open(path).map_err(Error::read(path))?;
    let len = file.metadata().map_err(Error::read(path))?.len();
    let (mut buffer, mut hasher) = (vec![0; BUFFER], Hasher::new(Algorithm::Sha256));
    let mut blocks = BlockSummer::for_len(len);
    loop {
        let read = match file.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.map_err(Error::read(path))?,
        };
        if read == 0 {
            let digest = hasher.finish().to_hex();
            let sha256 = digest.rsplit(':').next().unwrap_or_default().to_owned();
            return Ok(Content { sha256, blocks: Blocks::new(blocks.finish()) });
        }
        hasher.update(&buffer[..read]);
        blocks.update(&buffer[..read]);
        each(&buffer[..read])?;
        tell(watch, Event::Copied { bytes: read as u64 })?;
    }
}
