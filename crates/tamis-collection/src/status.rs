//! What is in a collection, what it cost, and what is missing.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::archive::{Archive, Condition, Kept};
use super::{Collection, Error, Manifest, Result, SeedCounts};

/// What is in a collection, what it cost, and what is missing.
#[derive(Debug, Clone, Default)]
pub struct Status {
    /// The archives, by name, and whether they are what they were.
    pub archives: Vec<(Archive, Condition)>,
    /// The size of all archives.
    pub bytes: u64,
    /// Records of all kinds.
    pub records: u64,
    /// Captures.
    pub captures: u64,
    /// The seeds.
    pub seeds: SeedCounts,
    /// What is materialised, by column.
    pub columns: Vec<ColumnStatus>,
    /// Parquet files.
    pub parts: u64,
    /// Their size.
    pub part_bytes: u64,
    /// The processor time they cost.
    pub cpu_ms: u64,
    /// Archives of which no column is materialised for all captures.
    pub uncleaned: Vec<String>,
    /// What is missing or changed.
    pub problems: Vec<Problem>,
    /// Who writes just now.
    pub holder: Option<String>,
    /// How many commands were run on it.
    pub runs: u64,
}

/// A column that is materialised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnStatus {
    /// Its name.
    pub name: String,
    /// For how many captures.
    pub captures: u64,
}

/// What is missing or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The file of an archive is not there, or was changed.
    Archive {
        /// The archive.
        name: String,
        /// Where its file should be.
        path: PathBuf,
        /// What is the matter.
        condition: Condition,
        /// Whether the collection only refers to it.
        kept: Kept,
    },
    /// A file among the archives is in no list: it was put there by hand, or its import was killed.
    Unlisted(PathBuf),
    /// What a kill or a damaged disk left behind the last whole record of an archive that was crawled. It was fetched again.
    Torn(PathBuf),
    /// An archive that a crawl writes, or wrote when it was killed; the next run closes it.
    Open(PathBuf),
    /// The index of an archive is not there.
    NoIndex {
        /// Where it should be.
        index: PathBuf,
        /// Where the archive is.
        archive: PathBuf,
    },
    /// A file that the manifest names is not there, or has another size.
    Part(PathBuf),
    /// Something that a killed command left, which the next that writes removes.
    Leftover(PathBuf),
}

impl Collection {
    /// What is in the collection, what it cost, and what is missing. Looks at each file's size, and into none but the lists.
    pub fn status(&self) -> Result<Status> {
        let (archives, manifest) = (self.archives()?, self.manifest()?);
        let mut status = Status {
            seeds: self.count_seeds()?,
            holder: self.holder(),
            runs: self.runs()?.len() as u64,
            ..Status::default()
        };
        status.problems = self.problems(&archives, &manifest)?;
        if status.holder.is_none() {
            status.problems.extend(self.leftovers()?.into_iter().map(Problem::Leftover));
        }
        status.add_parts(&manifest);
        let covered = covered(&manifest);
        for archive in archives.into_values() {
            status.add_archive(archive, self, &covered);
        }
        Ok(status)
    }

    fn problems(&self, archives: &BTreeMap<String, Archive>, manifest: &Manifest) -> Result<Vec<Problem>> {
        let mut problems = Vec::new();
        for archive in archives.values() {
            let (condition, path) = (archive.condition(self), archive.path(self));
            if condition != Condition::Present {
                let (name, kept) = (archive.name.clone(), archive.kept);
                problems.push(Problem::Archive { name, path: path.clone(), condition, kept });
            }
            let index = archive.index_path(self);
            if !index.exists() {
                problems.push(Problem::NoIndex { index, archive: path });
            }
        }
        problems.extend(self.unlisted(archives)?.into_iter().map(Problem::of_unlisted));
        let sizes = manifest.parts.iter().map(|part| (self.pages_folder().join(&part.file), part.bytes));
        let is_lost = |path: &PathBuf, bytes| fs::metadata(path).map(|meta| meta.len()).ok() != Some(bytes);
        let lost = sizes.filter(|(path, bytes)| is_lost(path, *bytes));
        problems.extend(lost.map(|(path, _)| Problem::Part(path)));
        Ok(problems)
    }

    /// The files among the archives that are in no list.
    pub(super) fn unlisted(&self, archives: &BTreeMap<String, Archive>) -> Result<Vec<PathBuf>> {
        let folder = self.archive_folder();
        let leaving = self.leaving()?;
        let mut found = Vec::new();
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let entry = entry.map_err(Error::read(&folder))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_listed = archives.get(&name).is_some_and(|archive| archive.kept == Kept::Copy)
                || leaving.contains(&name);
            if entry.path().is_file() && !is_listed && !tamis_files::is_part_name(&name) {
                found.push(entry.path());
            }
        }
        found.sort();
        Ok(found)
    }
}

impl Problem {
    pub(super) fn of_unlisted(path: PathBuf) -> Self {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("torn") => Self::Torn(path),
            Some("open") => Self::Open(path),
            _ => Self::Unlisted(path),
        }
    }
}

impl Status {
    /// Whether something is missing or changed that no command mends by itself.
    pub fn is_sound(&self) -> bool {
        let is_harmless =
            |problem: &Problem| matches!(problem, Problem::Leftover(_) | Problem::Torn(_) | Problem::Open(_));
        self.problems.iter().all(is_harmless)
    }

    fn add_parts(&mut self, manifest: &Manifest) {
        let mut columns: BTreeMap<&str, u64> = BTreeMap::new();
        for part in &manifest.parts {
            self.parts += 1;
            self.part_bytes += part.bytes;
            self.cpu_ms += part.cpu_ms;
            for column in &part.columns {
                *columns.entry(column).or_default() += part.captures;
            }
        }
        let status = |(name, captures): (&str, u64)| ColumnStatus { name: name.to_owned(), captures };
        self.columns = columns.into_iter().map(status).collect();
    }

    fn add_archive(&mut self, archive: Archive, collection: &Collection, covered: &Covered<'_>) {
        self.bytes += archive.bytes;
        self.records += archive.records;
        self.captures += archive.captures;
        let of_archive = covered.get(&*archive.name);
        let most = of_archive.and_then(|columns| columns.values().max()).copied().unwrap_or_default();
        if most < archive.captures {
            self.uncleaned.push(archive.name.clone());
        }
        let condition = archive.condition(collection);
        self.archives.push((archive, condition));
    }
}

/// For each archive how many captures a column is there for.
type Covered<'m> = BTreeMap<&'m str, BTreeMap<&'m str, u64>>;

fn covered(manifest: &Manifest) -> Covered<'_> {
    let mut covered = Covered::new();
    for part in &manifest.parts {
        // Names of archives have no `#`; behind it is an entry of a package.
        let archive = part.archive.split('#').next().unwrap_or_default();
        for column in &part.columns {
            *covered.entry(archive).or_default().entry(column).or_default() += part.captures;
        }
    }
    covered
}
