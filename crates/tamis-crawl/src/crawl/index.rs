//! The index of the archive that is being written, made on the way: to read the archive again would cost a tenth of the crawl.

use std::fs;
use std::path::{Path, PathBuf};

use tamis_archive::cdx::{CdxEntry, SortOptions, Sorter};
use tamis_files::part_file;

use crate::{Error, Result};

/// Memory for the lines of an archive before they go to a temporary file.
const MEMORY_BYTES: usize = 16 << 20;

/// An archive of this run that is closed, and its index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexed {
    /// The archive's name.
    pub name: String,
    /// The sorted index.
    pub index: PathBuf,
    /// The archive's records.
    pub records: u64,
    /// Those of them that are captures: each has a line.
    pub captures: u64,
}

/// Makes the indexes of the archives of a run.
pub(super) struct ArchiveIndex {
    folder: PathBuf,
    open: Option<OpenIndex>,
    closed: Vec<Indexed>,
}

struct OpenIndex {
    name: String,
    sorter: Sorter,
    captures: u64,
    records: u64,
}

impl ArchiveIndex {
    /// Makes indexes in a folder. What an earlier run left there is of archives that it did not hand over.
    pub(super) fn new(folder: &Path) -> Result<Self> {
        let failed = |source| Error::io(folder, source);
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(failed)?;
        }
        fs::create_dir_all(folder).map_err(failed)?;
        Ok(Self { folder: folder.to_owned(), open: None, closed: Vec::new() })
    }

    /// Goes on with the index of another archive, which is new.
    pub(super) fn turn_to(&mut self, name: &str) -> Result<()> {
        self.close()?;
        let options = SortOptions { memory_bytes: MEMORY_BYTES, ..SortOptions::new(&self.folder) };
        self.open =
            Some(OpenIndex { name: name.to_owned(), sorter: Sorter::new(options), captures: 0, records: 1 });
        Ok(())
    }

    /// Adds the entry of a capture whose records begin at an offset: an exchange has two, an answer of a name server one.
    pub(super) fn add(&mut self, entry: &mut CdxEntry, offset: u64, records: u64) -> Result<()> {
        let Some(open) = &mut self.open else { return Ok(()) };
        entry.offset = offset;
        entry.filename.clone_from(&open.name);
        open.captures += 1;
        open.records += records;
        Ok(open.sorter.push(entry.to_cdxj().as_bytes())?)
    }

    /// Ends the last index. Gives all.
    pub(super) fn finish(mut self) -> Result<Vec<Indexed>> {
        self.close()?;
        Ok(self.closed)
    }

    fn close(&mut self) -> Result<()> {
        let Some(OpenIndex { name, sorter, captures, records }) = self.open.take() else { return Ok(()) };
        let index = self.folder.join(format!("{name}.cdxj"));
        let failed = |source| Error::io(&index, source);
        let mut part = part_file(&index).map_err(failed)?;
        sorter.finish(std::io::BufWriter::new(part.as_file_mut()))?;
        part.persist(&index).map_err(|error| failed(error.error))?;
        self.closed.push(Indexed { name, index, records, captures });
        Ok(())
    }
}
