//! Files as the sieves change them: every write, cut and rename goes through here, so that tests can stop one anywhere.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use tamis_collection::links::no_follow;

use super::error::{Error, Result};

/// A file that is read and written by position. Nothing is buffered: what `write_at` took survives the process.
#[derive(Debug)]
pub(super) struct DiskFile {
    file: File,
    path: PathBuf,
}

impl DiskFile {
    /// Opens the file, which need not be there yet.
    pub(super) fn open(path: PathBuf) -> Result<Self> {
        let file =
            no_follow(OpenOptions::new().read(true).write(true).create(true).truncate(false)).open(&path);
        Ok(Self { file: file.map_err(Error::io(&path))?, path })
    }

    /// A new file, in place of what may have had that name.
    pub(super) fn create(path: PathBuf) -> Result<Self> {
        step(&path)?;
        let file =
            no_follow(OpenOptions::new().read(true).write(true).create(true).truncate(true)).open(&path);
        Ok(Self { file: file.map_err(Error::io(&path))?, path })
    }

    pub(super) fn open_to_read(path: PathBuf) -> Result<Self> {
        Ok(Self { file: File::open(&path).map_err(Error::io(&path))?, path })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn len(&self) -> Result<u64> {
        Ok(self.file.metadata().map_err(Error::io(&self.path))?.len())
    }

    /// Reads as much as there is, up to the length of `bytes`.
    pub(super) fn read_at(&self, bytes: &mut [u8], offset: u64) -> Result<usize> {
        let mut filled = 0;
        while filled < bytes.len() {
            match positioned_read(&self.file, &mut bytes[filled..], offset + filled as u64) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io(&self.path)(error)),
            }
        }
        Ok(filled)
    }

    /// Writes all bytes; a kill in the midst leaves some of the first ones.
    pub(super) fn write_at(&self, bytes: &[u8], offset: u64) -> Result<()> {
        let allowed = allowance(bytes.len());
        self.put(&bytes[..allowed], offset)?;
        if allowed < bytes.len() { Err(stopped(&self.path)) } else { Ok(()) }
    }

    /// Writes a few bytes that stand in one page, which a kill cannot divide.
    pub(super) fn write_whole_at(&self, bytes: &[u8], offset: u64) -> Result<()> {
        step(&self.path)?;
        self.put(bytes, offset)
    }

    pub(super) fn truncate(&self, len: u64) -> Result<()> {
        step(&self.path)?;
        self.file.set_len(len).map_err(Error::io(&self.path))
    }

    /// Brings the bytes to the disk.
    pub(super) fn sync(&self) -> Result<()> {
        self.file.sync_data().map_err(Error::io(&self.path))
    }

    /// Gives the file another name, in place of what may have had it.
    pub(super) fn rename(self, name: &Path) -> Result<()> {
        rename(&self.path, name)
    }

    fn put(&self, bytes: &[u8], offset: u64) -> Result<()> {
        let mut written = 0;
        while written < bytes.len() {
            match positioned_write(&self.file, &bytes[written..], offset + written as u64) {
                Ok(0) => return Err(Error::io(&self.path)(io::ErrorKind::WriteZero.into())),
                Ok(n) => written += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io(&self.path)(error)),
            }
        }
        Ok(())
    }
}

/// Gives a file another name, in place of what may have had it.
pub(super) fn rename(path: &Path, name: &Path) -> Result<()> {
    step(path)?;
    fs::rename(path, name).map_err(Error::io(path))
}

/// Brings the names in a folder to the disk.
pub(super) fn sync_folder(folder: &Path) -> Result<()> {
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::io(folder))?;
    }
    Ok(())
}

/// How much the files of a folder take; what is gone or closed to us takes nothing.
pub(super) fn folder_bytes(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.metadata().ok())
        .filter(fs::Metadata::is_file)
        .map(|data| data.len())
        .sum()
}

/// Removes a file that may be gone already.
pub(super) fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io(path)(error)),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn positioned_read(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, offset)
}

#[cfg(windows)]
fn positioned_read(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, offset)
}

#[cfg(unix)]
fn positioned_write(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::write_at(file, bytes, offset)
}

#[cfg(windows)]
fn positioned_write(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_write(file, bytes, offset)
}

fn stopped(path: &Path) -> Error {
    Error::io(path)(io::Error::other("stopped"))
}

fn step(path: &Path) -> Result<()> {
    if allowance(1) == 1 { Ok(()) } else { Err(stopped(path)) }
}

/// How many of so many bytes may still be written: all of them, but in a test that stops the process.
#[cfg(not(test))]
fn allowance(bytes: usize) -> usize {
    bytes
}

#[cfg(test)]
fn allowance(bytes: usize) -> usize {
    stop::take(bytes)
}

/// A process that is killed after so many bytes, each cut, renaming and header counting as one.
#[cfg(test)]
pub(super) mod stop {
    use std::cell::Cell;

    thread_local! {
        static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
    }

    /// From now on this thread may write so many bytes more.
    pub(in super::super) fn after(bytes: usize) {
        LEFT.set(Some(bytes));
    }

    /// How many bytes are left.
    pub(in super::super) fn left() -> usize {
        LEFT.take().unwrap_or_default()
    }

    /// Writing goes on; says whether it had been stopped.
    pub(in super::super) fn never() -> bool {
        LEFT.take() == Some(0)
    }

    pub(super) fn take(bytes: usize) -> usize {
        let Some(left) = LEFT.get() else { return bytes };
        let allowed = left.min(bytes);
        LEFT.set(Some(left - allowed));
        allowed
    }
}
