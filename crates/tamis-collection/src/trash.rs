//! `trash/`: what was taken out of a collection, until somebody empties it.
//!
//! The order makes it safe to be killed at any moment. An archive is removed by a line in the list. Before that line a
//! folder in the trash states what will be moved there; after it the files are moved, and the statement is renamed. The
//! next writer moves what is left to move, or drops a statement without its line. Until then no reader sees the files.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::archive::{Archive, Kept, ListLine};
use tamis_files::whole;

use super::manifest::check_name;
use super::{Collection, Error, Result, Writer};

/// States what is being moved into the folder it is in.
const MOVING: &str = "removal.json";
/// The same once all is moved.
const MOVED: &str = "removed.json";

/// An archive that is removed, or would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// The archive.
    pub archive: Archive,
    /// How many files go into the trash: the archive unless it is a reference, its index, its kept parts.
    pub files: u64,
    /// Their size.
    pub bytes: u64,
}

/// What is in the trash.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Trash {
    /// Files.
    pub files: u64,
    /// Their size.
    pub bytes: u64,
}

/// What `removal.json` states.
#[derive(Debug, Serialize, Deserialize)]
struct Removal {
    archive: Archive,
    /// The files of its kept parts in `pages/`.
    parts: Vec<String>,
}

impl Removal {
    /// Refuses names that lead out of the collection: what they name would be moved.
    fn check(&self, path: &Path) -> Result<()> {
        if !self.archive.has_plain_name() {
            let why = format!("{:?} is not an archive name", self.archive.name);
            return Err(Error::damaged(path, why));
        }
        let mut names = self.parts.iter().map(String::as_str);
        names.try_for_each(check_name).map_err(|why| Error::damaged(path, why))
    }
}

impl Collection {
    /// The folder of what was taken out.
    pub fn trash_folder(&self) -> PathBuf {
        self.root().join("trash")
    }

    /// What is in the trash.
    pub fn trash(&self) -> Result<Trash> {
        let mut trash = Trash::default();
        count(&self.trash_folder(), &mut trash)?;
        Ok(trash)
    }

    /// What the removal of an archive would move.
    pub fn removal_of(&self, name: &str) -> Result<Removed> {
        let archive = self.archive(name)?;
        let removal = self.removal(archive)?;
        Ok(self.removed(removal))
    }

    /// The archive of a name.
    pub fn archive(&self, name: &str) -> Result<Archive> {
        self.archives()?.remove(name).ok_or_else(|| self.no_archive(name))
    }

    pub(super) fn no_archive(&self, name: &str) -> Error {
        Error::NoArchive { path: self.root().to_owned(), name: name.to_owned() }
    }

    /// The own files of archives that are being removed, or were when somebody was killed.
    pub(super) fn leaving(&self) -> Result<BTreeSet<String>> {
        let moving = self.removals()?.into_iter().map(|(_, removal)| removal.archive);
        Ok(moving.filter(|archive| archive.kept == Kept::Copy).map(|archive| archive.name).collect())
    }

    fn removal(&self, archive: Archive) -> Result<Removal> {
        let parts = self.manifest()?.parts.into_iter().filter(|part| archive.owns(&part.archive));
        Ok(Removal { parts: parts.map(|part| part.file).collect(), archive })
    }

    fn removed(&self, removal: Removal) -> Removed {
        let sizes: Vec<u64> =
            self.files_of(&removal).iter().filter_map(|path| Some(fs::metadata(path).ok()?.len())).collect();
        Removed { archive: removal.archive, files: sizes.len() as u64, bytes: sizes.iter().sum() }
    }

    /// The files that a removal moves, as far as they are the collection's own.
    fn files_of(&self, removal: &Removal) -> Vec<PathBuf> {
        let parts = removal.parts.iter().map(|file| self.pages_folder().join(file));
        let archive = (removal.archive.kept == Kept::Copy).then(|| removal.archive.path(self));
        parts.chain([removal.archive.index_path(self)]).chain(archive).collect()
    }

    /// The removals that are not finished, each with its folder in the trash.
    fn removals(&self) -> Result<Vec<(PathBuf, Removal)>> {
        let mut found = Vec::new();
        for place in folders(&self.trash_folder())? {
            let path = place.join(MOVING);
            match fs::read(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                bytes => {
                    let bytes = bytes.map_err(Error::read(&path))?;
                    let removal: Removal =
                        serde_json::from_slice(&bytes).map_err(|why| Error::damaged(&path, why))?;
                    removal.check(&path)?;
                    found.push((place, removal));
                }
            }
        }
        Ok(found)
    }
}

impl Writer {
    /// Removes an archive: its own file, its index and its kept parts go to the trash. The file of a reference stays where
    /// it is.
    pub fn remove_archive(&self, name: &str) -> Result<Removed> {
        let archive = self.archives_now().get(name).cloned().ok_or_else(|| self.no_archive(name))?;
        let removal = self.removal(archive)?;
        let place = self.trash_place(name)?;
        let path = place.join(MOVING);
        let text = serde_json::to_vec_pretty(&removal).map_err(|why| Error::damaged(&path, why))?;
        whole::replace_with(&path, &text)?;
        self.add_line(&ListLine::Removed { removed: name.to_owned() })?;
        self.archives_now().remove(name);
        let removed = Collection::removed(
            self,
            Removal { archive: removal.archive.clone(), parts: removal.parts.clone() },
        );
        self.finish_removal(&place, &removal)?;
        Ok(removed)
    }

    /// Finishes the removals of writers that were killed.
    pub(super) fn finish_removals(&self) -> Result<()> {
        for (place, removal) in self.removals()? {
            let name = &removal.archive.name;
            let is_listed = self.archives_now().get(name).is_some_and(|archive| *archive == removal.archive);
            if is_listed {
                // It was killed before the line in the list, and so before anything was moved.
                fs::remove_dir_all(&place).map_err(Error::write(&place))?;
            } else {
                self.finish_removal(&place, &removal)?;
            }
        }
        Ok(())
    }

    fn finish_removal(&self, place: &Path, removal: &Removal) -> Result<()> {
        self.retire(&removal.parts)?;
        for path in self.files_of(removal) {
            let target = place.join(path.file_name().unwrap_or_default());
            match fs::rename(&path, &target) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                moved => moved.map_err(Error::write(&target))?,
            }
        }
        let moved = place.join(MOVED);
        fs::rename(place.join(MOVING), &moved).map_err(Error::write(&moved))?;
        Ok(whole::sync_folder_of(&moved)?)
    }

    /// Moves a file of the collection into a folder of its own in the trash. Gives where it is now.
    pub fn discard(&self, path: &Path) -> Result<PathBuf> {
        discard(self, path)
    }

    /// Deletes what is in the trash. Gives what was in it.
    pub fn empty_trash(&self) -> Result<Trash> {
        let trash = self.trash()?;
        let folder = self.trash_folder();
        match fs::remove_dir_all(&folder) {
            Err(source) if source.kind() != ErrorKind::NotFound => {
                Err(Error::Io { action: "remove", path: folder, source })
            }
            _ => Ok(trash),
        }
    }

    fn trash_place(&self, name: &str) -> Result<PathBuf> {
        trash_place(self, name)
    }
}

/// Moves a file into a folder of its own in the trash. The caller holds the lock.
pub(super) fn discard(collection: &Collection, path: &Path) -> Result<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let target = trash_place(collection, &name)?.join(&*name);
    fs::rename(path, &target).map_err(Error::write(&target))?;
    whole::sync_folder_of(&target)?;
    whole::sync_folder_of(path)?;
    Ok(target)
}

/// A new folder in the trash: `NAME`, or `NAME.2` if that is there.
fn trash_place(collection: &Collection, name: &str) -> Result<PathBuf> {
    let trash = collection.trash_folder();
    fs::create_dir_all(&trash).map_err(Error::write(&trash))?;
    for number in 1_u32.. {
        let suffix = if number == 1 { String::new() } else { format!(".{number}") };
        let place = trash.join(format!("{name}{suffix}"));
        match fs::create_dir(&place) {
            Ok(()) => return Ok(place),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::write(&place)(error)),
        }
    }
    Err(Error::Exists { path: trash })
}

fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(Error::read(folder))?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(Error::read(folder))?.path();
        found.extend(path.is_dir().then_some(path));
    }
    found.sort();
    Ok(found)
}

fn count(folder: &Path, trash: &mut Trash) -> Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(Error::read(folder))?,
    };
    for entry in entries {
        let entry = entry.map_err(Error::read(folder))?;
        let meta = entry.metadata().map_err(Error::read(entry.path()))?;
        if meta.is_dir() {
            count(&entry.path(), trash)?;
        } else {
            trash.files += 1;
            trash.bytes += meta.len();
        }
    }
    Ok(())
}
