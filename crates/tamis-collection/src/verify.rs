//! What can be checked of a collection: its lists, its archives, their indexes, its kept parts.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use tamis_archive::{Algorithm, Hasher};

use super::archive::{Archive, Condition, Kept};
use super::content::sha256_of;
use super::{Collection, Error, Part, Problem, Result, Watch, fetched, index, seeds, sums};

/// The parts' checksums are of blocks of this size.
const BLOCK_BYTES: usize = 256 << 10;

/// Something that is wrong with a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub what: String,
    /// What mends it.
    pub remedy: Remedy,
}

/// What mends a flaw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// The lists are made sound again.
    Repair,
    /// A file with the content of the archive, where it lies or elsewhere.
    Relocate {
        /// The archive.
        name: String,
        /// Where the content is, if that is known.
        from: Option<PathBuf>,
    },
    /// The index of the archive is made again.
    Reindex {
        /// The archive.
        name: String,
    },
    /// The archive is imported.
    Import {
        /// Its file.
        path: PathBuf,
    },
    /// Duplicates are found again.
    Dedup,
    /// The model of the event judges pages again.
    Judge,
    /// A newer version of the program.
    Upgrade,
}

/// How to verify.
#[derive(Debug, Clone, Copy)]
pub struct VerifyOptions<'p> {
    /// Threads that read an archive.
    pub jobs: NonZero<usize>,
    /// A folder for indexes to compare with.
    pub scratch: &'p Path,
}

impl Flaw {
    /// What an error of a list means.
    pub fn of(error: Error) -> Result<Self> {
        match error {
            Error::Damaged { path, why } => Ok(Self { path, what: why, remedy: Remedy::Repair }),
            Error::Newer { path, found, known } => {
                let what = format!("made by a newer tamis (format {found}; this one reads up to {known})");
                Ok(Self { path, what, remedy: Remedy::Upgrade })
            }
            other => Err(other),
        }
    }
}

impl Collection {
    /// Checks the lists and the manifest, and that all archives are listed.
    pub fn verify_lists(&self) -> Result<Vec<Flaw>> {
        let mut flaws = Vec::new();
        let checked = [
            self.archives().map(drop),
            self.runs().map(drop),
            self.count_seeds().map(drop),
            self.fetched().map(drop),
            self.manifest().map(drop),
        ];
        for error in checked.into_iter().filter_map(Result::err) {
            flaws.push(Flaw::of(error)?);
        }
        if !flaws.is_empty() {
            return Ok(flaws);
        }
        let archives = self.archives()?;
        for path in self.unlisted(&archives)? {
            if let Problem::Unlisted(path) = Problem::of_unlisted(path) {
                let what = "not in the list of archives".to_owned();
                flaws.push(Flaw { remedy: Remedy::Import { path: path.clone() }, path, what });
            }
        }
        let manifest = self.manifest()?;
        let folder = self.pages_folder();
        for part in &manifest.parts {
            if !archives.values().any(|archive| archive.owns(&part.archive)) {
                let what = format!("its archive {} is not in the list", part.archive);
                flaws.push(Flaw { path: folder.join(&part.file), what, remedy: Remedy::Repair });
            }
        }
        Ok(flaws)
    }

    /// Checks the file of an archive, its records and its index. Reads all of it twice.
    pub fn verify_archive(
        &self,
        archive: &Archive,
        options: VerifyOptions<'_>,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Flaw>> {
        let path = archive.path(self);
        let flaw = |what: String, from: Option<PathBuf>| {
            let remedy = Remedy::Relocate { name: archive.name.clone(), from };
            Ok(vec![Flaw { path: path.clone(), what, remedy }])
        };
        let bytes = match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return flaw("it is missing".to_owned(), self.other_copy(archive));
            }
            meta => meta.map_err(Error::read(&path))?.len(),
        };
        if bytes != archive.bytes {
            let what = format!("it has {bytes} bytes, but the list says {}", archive.bytes);
            return flaw(what, self.other_copy(archive));
        }
        if sha256_of(&path, watch)? != archive.sha256 {
            return flaw("its SHA-256 differs from the list".to_owned(), self.other_copy(archive));
        }
        let mut flaws = if archive.condition(self) == Condition::Changed {
            flaw("its content is the same, but it was rewritten".to_owned(), Some(path.clone()))?
        } else {
            Vec::new()
        };
        flaws.extend(self.verify_index(archive, options, watch)?);
        Ok(flaws)
    }

    /// Where the archive came from, if a file of its size is there still.
    fn other_copy(&self, archive: &Archive) -> Option<PathBuf> {
        let path = PathBuf::from(&archive.origin.path);
        let is_there = fs::metadata(&path).is_ok_and(|meta| meta.len() == archive.bytes);
        let is_own = fs::canonicalize(archive.path(self)).is_ok_and(|own| own == path);
        (archive.kept == Kept::Copy && is_there && !is_own).then_some(path)
    }

    /// Makes the index again, elsewhere, and compares.
    fn verify_index(
        &self,
        archive: &Archive,
        options: VerifyOptions<'_>,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Flaw>> {
        let again = options.scratch.join("again.cdxj");
        let counts = index::write(&archive.sources(self), &again, options.jobs, watch)?;
        let path = archive.index_path(self);
        let flaw = |path: PathBuf, what: &str| {
            let remedy = Remedy::Reindex { name: archive.name.clone() };
            Ok(Some(Flaw { path, what: what.to_owned(), remedy }))
        };
        if (counts.records, counts.captures) != (archive.records, archive.captures) {
            let what = format!(
                "{} records and {} captures, but the list says {} and {}",
                counts.records, counts.captures, archive.records, archive.captures
            );
            return flaw(archive.path(self), &what);
        }
        if !path.exists() {
            return flaw(path, "the index is missing");
        }
        if same_bytes(&path, &again)? {
            return Ok(None);
        }
        flaw(path, "the index does not match the archive")
    }

    /// Checks the kept parts of these archives, or of all: sizes, SHA-256 and the checksums of blocks.
    pub fn verify_parts(&self, of: &BTreeSet<String>) -> Result<Vec<Flaw>> {
        let mut flaws = Vec::new();
        let is_asked = |part: &&Part| {
            of.is_empty() || part.archive.split('#').next().is_some_and(|name| of.contains(name))
        };
        for part in self.manifest()?.parts.iter().filter(is_asked) {
            let path = self.pages_folder().join(&part.file);
            if let Some(what) = part.flaw(&path)? {
                flaws.push(Flaw { path, what, remedy: Remedy::Repair });
            }
        }
        Ok(flaws)
    }

    /// The lists, by name, for those who tell which files a collection has.
    pub fn list_names() -> impl Iterator<Item = &'static str> {
        [sums::ARCHIVES, sums::RUNS, seeds::FILE, fetched::FILE, sums::FILE].into_iter()
    }
}

impl Part {
    /// What is wrong with its file.
    pub(super) fn flaw(&self, path: &Path) -> Result<Option<String>> {
        let mut file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Some("it is missing".to_owned()));
            }
            file => file.map_err(Error::read(path))?,
        };
        let len = file.metadata().map_err(Error::read(path))?.len();
        if len != self.bytes {
            return Ok(Some(format!("it has {len} bytes, but the manifest says {}", self.bytes)));
        }
        let Some(expected) = self.blocks() else {
            return Ok(Some("written by an earlier version, without checksums".to_owned()));
        };
        let (mut hasher, mut blocks) = (Hasher::new(Algorithm::Sha256), Vec::new());
        let mut block = Vec::with_capacity(BLOCK_BYTES);
        loop {
            block.clear();
            file.by_ref().take(BLOCK_BYTES as u64).read_to_end(&mut block).map_err(Error::read(path))?;
            if block.is_empty() {
                break;
            }
            hasher.update(&block);
            blocks.push(crc32fast::hash(&block));
        }
        let digest = hasher.finish().to_hex();
        let is_same = digest.rsplit(':').next() == Some(&*self.sha256) && blocks == expected;
        Ok((!is_same).then(|| "wrong checksum".to_owned()))
    }
}

fn same_bytes(one: &Path, other: &Path) -> Result<bool> {
    let open = |path: &Path| File::open(path).map_err(Error::read(path));
    let (mut first, mut second) = (open(one)?, open(other)?);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    loop {
        left.clear();
        right.clear();
        first.by_ref().take(1 << 16).read_to_end(&mut left).map_err(Error::read(one))?;
        second.by_ref().take(1 << 16).read_to_end(&mut right).map_err(Error::read(other))?;
        if left != right {
            return Ok(false);
        }
        if left.is_empty() {
            return Ok(true);
        }
    }
}
