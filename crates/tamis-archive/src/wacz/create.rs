//! Packages being written.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::NamedTempFile;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::package::{DataPackage, PackageDigest, WrittenPackage, WrittenResource};
use super::pages::PageList;
use super::read::zip_error;
use super::target::Target;
use super::{DATAPACKAGE, DATAPACKAGE_DIGEST, WACZ_VERSION, has_extension, is_warc};
use crate::{Algorithm, Error, Hasher, Result, Source, Timestamp};
use tamis_files::part_file;

/// What goes into a package, and what it says of itself.
pub struct WaczContents<'a> {
    /// The WARC files, also those in other packages. Each goes to `archive/` under its own name, as it is.
    pub warcs: &'a [Source],
    /// The index files: a CDXJ, or a compressed one and the index of it.
    pub indexes: &'a [IndexFile<'a>],
    /// The lists of pages. Without one of the id `pages`, an empty one is written, as a package must have it.
    pub page_lists: Vec<PageList<'a>>,
    /// When the package was made. All files in it carry this date, so that the same contents give the same bytes.
    pub created: Timestamp,
    /// A title for people.
    pub title: Option<&'a str>,
    /// What it is about.
    pub description: Option<&'a str>,
    /// The program that makes it: `tamis 0.1.0`.
    pub software: Option<&'a str>,
    /// The page to begin with, and when it was fetched.
    pub main_page: Option<(&'a str, Option<Timestamp>)>,
}

/// An index file to be put into a package.
#[derive(Debug, Clone, Copy)]
pub struct IndexFile<'a> {
    /// Its name in `indexes/`: `index.cdx.gz`.
    pub name: &'a str,
    /// Where it lies now.
    pub path: &'a Path,
}

/// What to do about a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overwrite {
    /// Leave it, and fail.
    Refuse,
    /// Put the new one in its place, once that is written.
    Replace,
}

/// Files from here on get 64-bit lengths in their local header. Half of what 32 bits hold, so that a file that grows
/// while it is copied does not overflow.
const LARGE_FILE_BYTES: u64 = 1 << 31;

/// Told how many bytes more were copied, each time some were. Its error stops the writing.
pub type Watch<'a> = &'a mut dyn FnMut(u64) -> io::Result<()>;

/// Writes a package. The file appears under its name when it is whole; until then it is a [`part_file`].
///
/// Memory: a buffer, and the names and digests of the files.
pub fn create(
    path: &Path,
    contents: WaczContents<'_>,
    overwrite: Overwrite,
    watch: Watch<'_>,
) -> Result<DataPackage> {
    check_names(&contents)?;
    let file = part_file(path).map_err(Error::io(path))?;
    let mut writer = Writer::new(path, file, contents.created, watch);
    let package = writer.write(contents)?;
    let file = writer.finish()?;
    let persisted = match overwrite {
        Overwrite::Refuse => file.persist_noclobber(path),
        Overwrite::Replace => file.persist(path),
    };
    persisted.map_err(|error| Error::io(path)(error.error))?;
    DataPackage::parse(&package).map_err(|why| Error::Value { what: "package", value: String::new(), why })
}

struct Writer<'a> {
    path: &'a Path,
    zip: ZipWriter<Target<BufWriter<NamedTempFile>>>,
    options: SimpleFileOptions,
    resources: Vec<WrittenResource>,
    watch: Watch<'a>,
}

impl<'a> Writer<'a> {
    fn new(path: &'a Path, file: NamedTempFile, created: Timestamp, watch: Watch<'a>) -> Self {
        let options = SimpleFileOptions::default().last_modified_time(dos_time(created));
        Self {
            path,
            zip: ZipWriter::new(Target::new(BufWriter::new(file))),
            options,
            resources: Vec::new(),
            watch,
        }
    }

    /// Writes all files, and gives `datapackage.json`.
    fn write(&mut self, contents: WaczContents<'_>) -> Result<Vec<u8>> {
        for index in contents.indexes {
            self.add_file(format!("indexes/{}", index.name), index.path, 0, None)?;
        }
        for warc in contents.warcs {
            let name = format!("archive/{}", warc.file_name());
            match warc.file_range() {
                Some((path, None)) => self.add_file(name, path, 0, None)?,
                Some((path, Some(range))) => {
                    self.add_file(name, path, range.start, Some(range.end - range.start))?;
                }
                None => return Err(not_a_file(warc)),
            }
        }
        let mut page_lists = contents.page_lists;
        if page_lists.iter().all(|list| list.id != "pages") {
            let none = Box::new(std::iter::empty());
            page_lists.push(PageList { id: "pages", title: "All Pages", pages: none });
        }
        for list in page_lists {
            self.add_pages(list)?;
        }
        let package = WrittenPackage {
            profile: "data-package",
            wacz_version: WACZ_VERSION,
            title: contents.title,
            description: contents.description,
            created: contents.created.to_seconds().to_string(),
            software: contents.software,
            main_page_url: contents.main_page.map(|(url, _)| url),
            main_page_date: contents.main_page.and_then(|(_, date)| date).map(|date| date.to_string()),
            resources: std::mem::take(&mut self.resources),
        };
        self.add_package(&package)
    }

    /// Copies a file, or a part of one. What is compressed already is stored, so that it can be read at random.
    fn add_file(&mut self, name: String, source: &Path, start: u64, len: Option<u64>) -> Result<()> {
        let mut file = File::open(source).map_err(Error::io(source))?;
        file.seek(SeekFrom::Start(start)).map_err(Error::io(source))?;
        let len = match len {
            Some(len) => len,
            None => file.metadata().map_err(Error::io(source))?.len(),
        };
        let method = if has_extension(&name, &["idx", "cdx", "cdxj"]) {
            CompressionMethod::Deflated
        } else {
            CompressionMethod::Stored
        };
        self.start(&name, method, len)?;
        let (hash, bytes) = self.copy(&mut file.take(len), source)?;
        self.list(name, hash, bytes);
        Ok(())
    }

    /// Copies all bytes into the entry that was begun, and gives their digest and number.
    fn copy(&mut self, from: &mut impl Read, source: &Path) -> Result<(String, u64)> {
        let target = self.path;
        let mut buffer = vec![0; 64 << 10];
        let mut hashing = Hashing::new(&mut self.zip);
        loop {
            let len = match from.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read.map_err(Error::io(source))?,
            };
            if len == 0 {
                return Ok(hashing.finish());
            }
            hashing.write_all(&buffer[..len]).map_err(Error::io(target))?;
            (self.watch)(len as u64).map_err(Error::io(target))?;
        }
    }

    fn add_pages(&mut self, list: PageList<'_>) -> Result<()> {
        let name = format!("pages/{}.jsonl", list.id);
        // How long it gets is known at its end only.
        self.start(&name, CompressionMethod::Deflated, LARGE_FILE_BYTES)?;
        let target = self.path;
        let mut hashing = Hashing::new(&mut self.zip);
        let mut buffered = BufWriter::new(&mut hashing);
        list.write(&mut buffered).and_then(|()| buffered.flush()).map_err(Error::io(target))?;
        drop(buffered);
        let (hash, bytes) = hashing.finish();
        self.list(name, hash, bytes);
        Ok(())
    }

    fn add_package(&mut self, package: &WrittenPackage<'_>) -> Result<Vec<u8>> {
        let json = serde_json::to_vec_pretty(package).map_err(|error| Error::io(self.path)(error.into()))?;
        let hash = self.add_bytes(DATAPACKAGE, &json)?;
        let digest = PackageDigest { path: DATAPACKAGE.into(), hash, signed_data: None };
        let digest =
            serde_json::to_vec_pretty(&digest).map_err(|error| Error::io(self.path)(error.into()))?;
        self.add_bytes(DATAPACKAGE_DIGEST, &digest)?;
        Ok(json)
    }

    fn add_bytes(&mut self, name: &str, bytes: &[u8]) -> Result<String> {
        self.start(name, CompressionMethod::Deflated, bytes.len() as u64)?;
        let target = self.path;
        let mut hashing = Hashing::new(&mut self.zip);
        hashing.write_all(bytes).map_err(Error::io(target))?;
        Ok(hashing.finish().0)
    }

    fn start(&mut self, name: &str, method: CompressionMethod, len: u64) -> Result<()> {
        let options = self.options.compression_method(method).large_file(len >= LARGE_FILE_BYTES);
        self.zip.start_file(name, options).map_err(|error| zip_error(self.path, error))
    }

    fn list(&mut self, path: String, hash: String, bytes: u64) {
        let mut name = resource_name(&path);
        while self.resources.iter().any(|other| other.name == name) {
            name.push_str("-2");
        }
        self.resources.push(WrittenResource { name, path, hash, bytes });
    }

    /// Writes the directory, and sees to it that all bytes are on the disk.
    fn finish(self) -> Result<NamedTempFile> {
        let target = self.zip.finish().map_err(|error| zip_error(self.path, error))?;
        let file = target.inner.into_inner().map_err(|error| Error::io(self.path)(error.into_error()))?;
        file.as_file().sync_all().map_err(Error::io(self.path))?;
        Ok(file)
    }
}

/// The entry that is being written, and the digest of it.
struct Hashing<'a> {
    zip: &'a mut ZipWriter<Target<BufWriter<NamedTempFile>>>,
    hasher: Hasher,
    bytes: u64,
}

impl<'a> Hashing<'a> {
    fn new(zip: &'a mut ZipWriter<Target<BufWriter<NamedTempFile>>>) -> Self {
        Self { zip, hasher: Hasher::new(Algorithm::Sha256), bytes: 0 }
    }

    fn finish(self) -> (String, u64) {
        (self.hasher.finish().to_hex(), self.bytes)
    }
}

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.zip.write(bytes)?;
        self.hasher.update(&bytes[..len]);
        self.bytes += len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.zip.flush()
    }
}

/// The name of a file in the list, with none but the letters that the Data Package standard allows there.
fn resource_name(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or_default();
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-' | '_');
    file.chars().map(|c| c.to_ascii_lowercase()).map(|c| if allowed(c) { c } else { '-' }).collect()
}

/// Names must be told apart, and must not lead outside of their folder.
fn check_names(contents: &WaczContents<'_>) -> Result<()> {
    let mut names = HashSet::new();
    let mut check = |kind: &str, name: &str| {
        let why = if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\', '\0']) {
            "not a plain file name"
        } else if !names.insert(format!("{kind}/{name}")) {
            "two files of this name"
        } else {
            return Ok(());
        };
        Err(Error::Value { what: "file name for a package", value: name.to_owned(), why: why.to_owned() })
    };
    for warc in contents.warcs {
        check("archive", &warc.file_name())?;
        if !is_warc(&format!("archive/{}", warc.file_name())) {
            return Err(not_a_file(warc));
        }
    }
    contents.indexes.iter().try_for_each(|index| check("indexes", index.name))?;
    contents.page_lists.iter().try_for_each(|list| check("pages", list.id))
}

fn not_a_file(warc: &Source) -> Error {
    Error::Value {
        what: "file for a package",
        value: warc.name().display().to_string(),
        why: "not a file whose name ends in .warc or .warc.gz".into(),
    }
}

/// The date as zip files have it, from 1980 on.
fn dos_time(moment: Timestamp) -> DateTime {
    let digits = moment.digits();
    let part = |range| digits.get(range).and_then(|part: &str| part.parse::<u16>().ok()).unwrap_or_default();
    let small = |range| part(range) as u8;
    DateTime::from_date_and_time(
        part(0..4),
        small(4..6),
        small(6..8),
        small(8..10),
        small(10..12),
        small(12..14),
    )
    .unwrap_or(DateTime::DEFAULT)
}
