//! Files that appear whole or not at all, and are there after the power failed.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tamis_archive::write::part_file;

use super::{Error, Result};

/// Writes a file under a passing name, brings it to the disk, and gives it its name.
pub(super) fn replace<T>(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<&mut File>) -> Result<T>,
) -> Result<T> {
    let mut part = part_file(path).map_err(Error::write(path))?;
    let mut out = BufWriter::with_capacity(1 << 16, part.as_file_mut());
    let result = fill(&mut out)?;
    out.flush().map_err(Error::write(path))?;
    drop(out);
    part.as_file().sync_all().map_err(Error::write(path))?;
    part.persist(path).map_err(|error| Error::write(path)(error.error))?;
    sync_folder_of(path)?;
    Ok(result)
}

/// Like [`replace`], with bytes that are at hand.
pub(crate) fn replace_with(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, |out| out.write_all(bytes).map_err(Error::write(path)))
}

/// Brings to the disk which files the folder of a file has.
pub(super) fn sync_folder_of(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    sync_folder(folder).map_err(Error::write(folder))
}

/// Brings to the disk which files a folder has.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    // Elsewhere a folder cannot be opened, and a renamed file is safe without.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Removes a file if it is there.
pub(super) fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::Io { action: "remove", path: path.into(), source: error })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_filled_leaves_the_old_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        replace_with(&path, b"old").expect("writable");
        let failed = replace(&path, |out| {
            out.write_all(b"half").map_err(Error::write("a"))?;
            Err::<(), _>(Error::Stopped)
        });
        assert!(matches!(failed, Err(Error::Stopped)));
        assert_eq!(fs::read(&path).expect("there"), b"old");
        assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 1);
    }
}
