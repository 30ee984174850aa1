//! The one who may change a collection.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write as _;
use std::ops::{ControlFlow, Deref};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::archive::{Archive, ListLine};
use super::lock::Lock;
use super::manifest::{Manifest, Part};
use super::sums::{self, Sums};
use tamis_files::whole;

use super::{Collection, Error, Result, Run, content};

/// The one who may change a collection, as long as it lives. It reads like a [`Collection`].
#[derive(Debug)]
pub struct Writer {
    collection: Collection,
    /// Held until the end.
    _lock: Lock,
    manifest: Mutex<Manifest>,
    archives: Mutex<BTreeMap<String, Archive>>,
    sums: Mutex<Sums>,
}

impl Collection {
    /// Takes the collection for writing. `command` is told to those who come while it is taken.
    ///
    /// What killed writers left is removed.
    pub fn lock(self, command: &str) -> Result<Writer> {
        let lock = Lock::take(self.root(), command)?;
        // All that can be refused is, before anything is touched.
        let manifest = self.manifest()?;
        let archives = self.archives()?;
        self.runs()?;
        sums::TABLES.iter().try_for_each(|name| self.check_list(name))?;
        self.archive_log().mend()?;
        self.run_log().mend()?;
        let sealed = self.sum_lists()?;
        if Sums::read(self.root())?.as_ref() != Some(&sealed) {
            sealed.write(self.root())?;
        }
        for folder in [self.archive_folder(), self.index_folder(), self.pages_folder()] {
            fs::create_dir_all(&folder).map_err(Error::write(&folder))?;
        }
        Manifest::begin(&self.pages_folder())?;
        let writer = Writer {
            collection: self,
            _lock: lock,
            manifest: Mutex::new(manifest),
            archives: Mutex::new(archives),
            sums: Mutex::new(sealed),
        };
        writer.renew_lists()?;
        writer.finish_removals()?;
        for left in writer.leftovers()? {
            whole::remove(&left)?;
        }
        Ok(writer)
    }
}

impl Writer {
    /// Makes Parquet files in [`Collection::pages_folder`] the materialised columns, and others none, at once: a reader sees
    /// all of it or nothing. The files must be there; they are brought to the disk first. Those that are none any more
    /// are removed.
    ///
    /// Costs the writing of the whole manifest, so many parts are better added together.
    pub fn commit(&self, add: Vec<Part>, remove: &[String]) -> Result<()> {
        let folder = self.pages_folder();
        let mut manifest = locked(&self.manifest);
        let new = manifest.with(add, remove)?;
        let (old, named) = (names(&manifest), names(&new));
        let removed: BTreeSet<&str> = remove.iter().map(String::as_str).collect();
        let is_new = |part: &&Part| !old.contains(&*part.file) || removed.contains(&*part.file);
        for part in new.parts.iter().filter(is_new) {
            bring_to_disk(&folder.join(&part.file), part)?;
        }
        whole::sync_folder(&folder)?;
        new.write(&folder)?;
        let gone: Vec<String> = removed.difference(&named).map(|&file| file.to_owned()).collect();
        *manifest = new;
        drop(manifest);
        gone.iter().try_for_each(|file| Ok(whole::remove(&folder.join(plain(file)?))?))
    }

    /// Adds to the list of what was run.
    pub fn record(&self, run: &Run) -> Result<()> {
        let added = self.run_log().append(run)?;
        self.seal_added(sums::RUNS, &added)
    }

    /// Writes lists of an earlier version again, as this one writes them.
    fn renew_lists(&self) -> Result<()> {
        for (name, text) in
            [(sums::ARCHIVES, self.archive_log().renewed()?), (sums::RUNS, self.run_log().renewed()?)]
        {
            if let Some(text) = text {
                let path = self.root().join(name);
                self.replace_list(name, |out| out.write_all(&text).map_err(Error::write(&path)))?;
            }
        }
        Ok(())
    }

    /// Makes some parts none of the materialised columns. Their files stay, for the caller to move.
    pub(super) fn retire(&self, files: &[String]) -> Result<()> {
        let mut manifest = locked(&self.manifest);
        let new = manifest.with(Vec::new(), files)?;
        if new != *manifest {
            new.write(&self.pages_folder())?;
            *manifest = new;
        }
        Ok(())
    }

    /// Enters an archive into the list, in the place of one of the same name. What was made of that one goes.
    pub(super) fn enter_archive(&self, archive: Archive) -> Result<()> {
        let before = self.archives_now().get(&archive.name).cloned();
        if before.is_none_or(|before| before.sha256 != archive.sha256) {
            let manifest = self.manifest()?;
            let stale = manifest.parts.iter().filter(|part| archive.owns(&part.archive));
            let stale: Vec<String> = stale.map(|part| part.file.clone()).collect();
            if !stale.is_empty() {
                self.commit(Vec::new(), &stale)?;
            }
        }
        self.add_line(&ListLine::Entered(Box::new(archive.clone())))?;
        self.archives_now().insert(archive.name.clone(), archive);
        Ok(())
    }

    /// Adds a line to the list of archives.
    pub(super) fn add_line(&self, line: &ListLine) -> Result<()> {
        let added = self.archive_log().append(line)?;
        self.seal_added(sums::ARCHIVES, &added)
    }

    /// The checksums of the lists as they are now.
    pub(super) fn sums_now(&self) -> MutexGuard<'_, Sums> {
        locked(&self.sums)
    }

    /// The list of archives as it is now.
    pub(super) fn archives_now(&self) -> MutexGuard<'_, BTreeMap<String, Archive>> {
        locked(&self.archives)
    }
}

impl Deref for Writer {
    type Target = Collection;

    fn deref(&self) -> &Collection {
        &self.collection
    }
}

impl Collection {
    /// What killed writers left, and the next one removes: unfinished files, Parquet files that are in no manifest, indexes
    /// of no archive. While somebody writes, what that one has begun is among them.
    pub fn leftovers(&self) -> Result<Vec<PathBuf>> {
        let (manifest, archives) = (self.manifest()?, self.archives()?);
        let mut left = Vec::new();
        let named = names(&manifest);
        list(self.root(), &mut left, tamis_files::is_part_name)?;
        list(&self.archive_folder(), &mut left, tamis_files::is_part_name)?;
        list(&self.pages_folder(), &mut left, |name| {
            tamis_files::is_part_name(name) || (name.ends_with(".parquet") && !named.contains(name))
        })?;
        list(&self.index_folder(), &mut left, |name| {
            let of_none = |archive: &str| !archives.contains_key(archive);
            tamis_files::is_part_name(name) || name.strip_suffix(".cdxj").is_some_and(of_none)
        })?;
        left.sort();
        Ok(left)
    }
}

/// The files that a manifest names.
fn names(manifest: &Manifest) -> BTreeSet<&str> {
    manifest.parts.iter().map(|part| &*part.file).collect()
}

/// The files of a folder whose names are of a kind.
fn list(folder: &Path, found: &mut Vec<PathBuf>, is_one: impl Fn(&str) -> bool) -> Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(Error::read(folder))?,
    };
    for entry in entries {
        let entry = entry.map_err(Error::read(folder))?;
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_one(&entry.file_name().to_string_lossy()) {
            found.push(entry.path());
        }
    }
    Ok(())
}

/// Brings a new part to the disk, after a look whether it is what it is said to be.
fn bring_to_disk(path: &Path, part: &Part) -> Result<()> {
    let file = File::open(path).map_err(Error::read(path))?;
    let len = file.metadata().map_err(Error::read(path))?.len();
    if len != part.bytes {
        return Err(Error::damaged(path, format!("{len} bytes, but {} were written", part.bytes)));
    }
    file.sync_all().map_err(Error::write(path))
}

/// A name to remove leads nowhere else.
fn plain(name: &str) -> Result<&str> {
    let is_plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
    let why = "not a plain file name";
    if is_plain { Ok(name) } else { Err(Error::Value { what: "name of a part", value: name.into(), why }) }
}

/// The SHA-256 of a file, in hexadecimal digits, as manifests state it.
pub fn sha256(path: &Path) -> Result<String> {
    content::sha256_of(path, &mut |_| ControlFlow::Continue(()))
}

/// Nobody panics while the list is half changed.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
