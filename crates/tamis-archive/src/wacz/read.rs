//! Packages being read.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::package::DataPackage;
use super::pages::PageLines;
use super::{DATAPACKAGE, is_index, is_page_list, is_warc};
use crate::{Error, Result};

/// A package, open for reading. Memory: the directory of the zip file.
pub struct Wacz<R> {
    path: PathBuf,
    pub(super) zip: ZipArchive<R>,
    entries: Vec<WaczEntry>,
    /// Where in `entries` a name is first: a package can have a million files.
    by_name: HashMap<String, usize>,
    len: u64,
}

/// A file in a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaczEntry {
    /// Its path: `archive/data.warc.gz`.
    pub name: String,
    /// Its length in bytes, as the directory states it.
    pub len_bytes: u64,
    /// The length of what is stored in the zip file.
    pub stored_bytes: u64,
    /// Whether its bytes lie in the zip file as they are.
    pub is_stored: bool,
    index: usize,
}

/// `datapackage.json` lists some hundred bytes a file.
pub(super) const MAX_JSON_BYTES: u64 = 64 << 20;

impl Wacz<BufReader<File>> {
    /// Opens a package.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(Error::io(path))?;
        Self::new(path, BufReader::new(file))
    }
}

impl<R: Read + Seek> Wacz<R> {
    /// Opens a package from anything that can be read at random. The path names it in messages.
    pub fn new(path: &Path, mut reader: R) -> Result<Self> {
        let len = reader.seek(SeekFrom::End(0)).map_err(Error::io(path))?;
        let is_zip = begins_as_zip(&mut reader).map_err(Error::io(path))?;
        let zip = ZipArchive::new(reader).map_err(|error| match error {
            ZipError::Io(source) => Error::io(path)(source),
            _ if !is_zip => broken(path, "not a zip file"),
            _ => broken(path, "a zip file without the file list at its end"),
        })?;
        let mut wacz = Self { path: path.into(), zip, entries: Vec::new(), by_name: HashMap::new(), len };
        wacz.entries = (0..wacz.zip.len()).filter_map(|index| wacz.describe(index)).collect();
        for (at, entry) in wacz.entries.iter().enumerate() {
            wacz.by_name.entry(entry.name.clone()).or_insert(at);
        }
        Ok(wacz)
    }

    /// The files, in the order of the directory.
    pub fn entries(&self) -> &[WaczEntry] {
        &self.entries
    }

    /// The file of this name.
    pub fn entry(&self, name: &str) -> Option<&WaczEntry> {
        self.by_name.get(name).map(|&at| &self.entries[at])
    }

    /// The WARC files.
    pub fn warcs(&self) -> impl Iterator<Item = &WaczEntry> {
        self.entries.iter().filter(|entry| is_warc(&entry.name))
    }

    /// The index files: CDXJ, plain or compressed, and the index of a compressed one.
    pub fn indexes(&self) -> impl Iterator<Item = &WaczEntry> {
        self.entries.iter().filter(|entry| is_index(&entry.name))
    }

    /// The lists of pages.
    pub fn page_lists(&self) -> impl Iterator<Item = &WaczEntry> {
        self.entries.iter().filter(|entry| is_page_list(&entry.name))
    }

    /// Reads a file. Its checksum is checked at its end.
    pub fn read(&mut self, name: &str) -> Result<impl Read + '_> {
        let Some(index) = self.entry(name).map(|entry| entry.index) else {
            return Err(Error::io(self.path.join(name))(io::ErrorKind::NotFound.into()));
        };
        self.zip.by_index(index).map_err(|error| zip_error(&self.path, error))
    }

    /// Where the bytes of a file lie in the package, if they lie there as they are. Records of a WARC are found in the
    /// package at their offset behind the beginning of this range.
    pub fn range(&mut self, name: &str) -> Result<Option<Range<u64>>> {
        match self.entry(name).cloned() {
            Some(entry) => self.range_of(&entry),
            None => Ok(None),
        }
    }

    /// The WARC files, and where the bytes of each lie in the package: nowhere, if the zip file compresses it once more.
    ///
    /// Fails if two of them share bytes: a small package could be read for ever.
    pub fn warc_ranges(&mut self) -> Result<Vec<(WaczEntry, Option<Range<u64>>)>> {
        let warcs: Vec<WaczEntry> = self.warcs().cloned().collect();
        let mut found = Vec::with_capacity(warcs.len());
        for warc in warcs {
            let range = self.range_of(&warc)?;
            found.push((warc, range));
        }
        let mut ranges: Vec<_> = found.iter().filter_map(|(_, range)| range.as_ref()).collect();
        ranges.sort_by_key(|range| range.start);
        if ranges.windows(2).any(|pair| pair[1].start < pair[0].end) {
            return Err(broken(&self.path, "two of its files share bytes"));
        }
        Ok(found)
    }

    fn range_of(&mut self, entry: &WaczEntry) -> Result<Option<Range<u64>>> {
        if !entry.is_stored {
            return Ok(None);
        }
        let file = self.zip.by_index_raw(entry.index).map_err(|error| zip_error(&self.path, error))?;
        let range = file.data_start().and_then(|start| Some(start..start.checked_add(entry.len_bytes)?));
        Ok(range.filter(|range| range.end <= self.len))
    }

    /// Reads `datapackage.json`.
    pub fn data_package(&mut self) -> Result<DataPackage> {
        let json = self.read_json(DATAPACKAGE)?;
        DataPackage::parse(&json).map_err(|why| Error::Value {
            what: "WACZ package",
            value: self.path.display().to_string(),
            why: format!("{DATAPACKAGE}: {why}"),
        })
    }

    /// The lines of a list of pages.
    pub fn pages(&mut self, name: &str) -> Result<PageLines<BufReader<impl Read + '_>>> {
        Ok(PageLines::new(BufReader::new(self.read(name)?)))
    }

    /// The package itself, to read stored files from by their ranges.
    pub fn into_inner(self) -> R {
        self.zip.into_inner()
    }

    /// The bytes of a small file.
    pub(super) fn read_json(&mut self, name: &str) -> Result<Vec<u8>> {
        let path = self.path.join(name);
        let mut json = Vec::new();
        self.read(name)?.take(MAX_JSON_BYTES).read_to_end(&mut json).map_err(Error::io(path))?;
        Ok(json)
    }

    fn describe(&self, index: usize) -> Option<WaczEntry> {
        let file = self.zip.by_index_data(index).ok()?;
        let name = file
            .name()
            .map_or_else(|_| crate::fields::bytes_to_text(file.name_raw()).into_owned(), Into::into);
        let is_stored = file.compression() == CompressionMethod::Stored && !file.encrypted();
        (!file.is_dir()).then(|| WaczEntry {
            name,
            len_bytes: file.size(),
            stored_bytes: file.compressed_size(),
            is_stored: is_stored && file.size() == file.compressed_size(),
            index,
        })
    }
}

/// Whether the first bytes are those of a zip file, be it an empty one.
fn begins_as_zip(reader: &mut (impl Read + Seek)) -> io::Result<bool> {
    let mut magic = Vec::new();
    reader.seek(SeekFrom::Start(0))?;
    reader.by_ref().take(4).read_to_end(&mut magic)?;
    Ok(magic == b"PK\x03\x04" || magic == b"PK\x05\x06")
}

fn broken(path: &Path, why: &'static str) -> Error {
    Error::io(path)(io::Error::new(io::ErrorKind::InvalidData, why))
}

/// An error of the zip file as ours: what the operating system said, or what is wrong with the file.
pub(super) fn zip_error(path: &Path, error: ZipError) -> Error {
    let source = match error {
        ZipError::Io(source) => source,
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    };
    Error::Io { path: path.into(), source }
}
