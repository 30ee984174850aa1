//! A file that carries `.open` until it is closed, and then a name that no other file had.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::{Error, Result};

const OPEN: &str = ".open";

/// A file in the making. While it is open its writer holds a lock on it, which ends with the process at the latest.
#[derive(Debug)]
pub(super) struct OpenFile {
    file: File,
    open_path: PathBuf,
    final_path: PathBuf,
}

impl OpenFile {
    /// Begins `final_path`. Refuses if a file has that name, or is about to.
    pub(super) fn create(final_path: PathBuf) -> Result<Self> {
        let open_path = with_suffix(&final_path, OPEN);
        if final_path.try_exists().map_err(Error::io(&final_path))? {
            return Err(Error::io(&final_path)(io::ErrorKind::AlreadyExists.into()));
        }
        let file = create_locked(&open_path).map_err(Error::io(&open_path))?;
        Ok(Self { file, open_path, final_path })
    }

    pub(super) fn final_path(&self) -> &Path {
        &self.final_path
    }

    /// Takes back what was written behind `len`.
    pub(super) fn cut(&mut self, len: u64) -> io::Result<()> {
        self.file.set_len(len)?;
        self.file.seek(SeekFrom::Start(len)).map(drop)
    }

    /// Makes the bytes last.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Makes the bytes last, then the name.
    pub(super) fn close(self) -> Result<PathBuf> {
        close_file(&self.file, &self.open_path, &self.final_path)?;
        Ok(self.final_path)
    }
}

impl Write for OpenFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The name without `.open`. None if it does not end so.
pub(super) fn final_path_of(open_path: &Path) -> Option<PathBuf> {
    let name = open_path.file_name()?.to_str()?.strip_suffix(OPEN)?;
    (!name.is_empty()).then(|| open_path.with_file_name(name))
}

/// `archive.warc.gz` and `.torn` make `archive.warc.gz.torn`.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Syncs the file, gives it its final name and syncs the folder: after each step a crash leaves a file to recover.
pub(super) fn close_file(file: &File, open_path: &Path, final_path: &Path) -> Result<()> {
    file.sync_all().map_err(Error::io(open_path))?;
    rename_new(open_path, final_path).map_err(Error::io(final_path))?;
    sync_folder(final_path)
}

/// Renames without ever replacing a file: `rename` alone would.
pub(super) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    let mut path = tempfile::TempPath::try_from_path(from)?;
    path.disable_cleanup(true);
    path.persist_noclobber(to).map_err(|refused| refused.error)
}

/// A new name lasts once its folder is synced.
pub(super) fn sync_folder(path: &Path) -> Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) {
        File::open(parent).and_then(|folder| folder.sync_all()).map_err(Error::io(parent))?;
    }
    Ok(())
}

/// A recovery that runs beside us may have taken the file, still empty, for one left behind: then we begin anew.
fn create_locked(open_path: &Path) -> io::Result<File> {
    loop {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(open_path)?;
        // Some network file systems have no locks; there nobody can be kept off.
        let _ = file.lock();
        if open_path.try_exists()? {
            return Ok(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gets_its_name_when_it_is_closed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.warc");
        let mut file = OpenFile::create(path.clone()).expect("is new");
        file.write_all(b"xyz").expect("writes");
        file.cut(2).expect("cuts");
        file.write_all(b"!").expect("writes");
        assert!(with_suffix(&path, OPEN).exists() && !path.exists());
        assert!(OpenFile::create(path.clone()).is_err(), "two writers of one file");
        assert_eq!(file.close().expect("closes"), path);
        assert_eq!(std::fs::read(&path).expect("is there"), b"xy!");
        assert!(!with_suffix(&path, OPEN).exists());
        assert!(OpenFile::create(path).is_err(), "a file that exists");
    }

    #[test]
    fn a_name_that_was_taken_meanwhile_is_not_taken_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.warc");
        let file = OpenFile::create(path.clone()).expect("is new");
        std::fs::write(&path, "other").expect("writes");
        assert!(file.close().is_err());
        assert_eq!(std::fs::read(&path).expect("is there"), b"other");
        assert!(with_suffix(&path, OPEN).exists(), "ours is kept");
    }

    #[test]
    fn names_lose_their_open() {
        for (open, expected) in
            [("d/a.warc.gz.open", Some("d/a.warc.gz")), ("a.warc", None), (".open", None), ("", None)]
        {
            assert_eq!(final_path_of(Path::new(open)), expected.map(PathBuf::from), "{open}");
        }
    }
}
