//! Files that appear whole or not at all, and survive a power failure.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::{Error, Result, part_file};

/// Writes a file under a temporary name, brings it to the disk, and renames it.
pub fn replace<T, E: From<Error>>(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<&mut File>) -> Result<T, E>,
) -> Result<T, E> {
    let mut part = part_file(path).map_err(Error::write(path))?;
    let mut out = BufWriter::with_capacity(1 << 16, part.as_file_mut());
    let result = fill(&mut out)?;
    out.flush().map_err(Error::write(path))?;
    drop(out);
    persist(part, path)?;
    Ok(result)
}

/// Like [`replace`], with bytes at hand.
pub fn replace_with(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, |out| out.write_all(bytes).map_err(Error::write(path)))
}

/// Brings a complete temporary file to the disk and gives it its name, in place of an older file.
pub fn persist(part: NamedTempFile, path: &Path) -> Result<()> {
    part.as_file().sync_all().map_err(Error::write(path))?;
    part.persist(path).map_err(|error| Error::write(path)(error.error))?;
    sync_folder_of(path)
}

/// Brings the names in the folder of a file to the disk.
pub fn sync_folder_of(path: &Path) -> Result<()> {
    sync_folder(path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
}

/// Brings the names in a folder to the disk.
pub fn sync_folder(folder: &Path) -> Result<()> {
    // Other systems cannot open a folder, and a renamed file is safe there without it.
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::write(folder))?;
    }
    Ok(())
}

/// Removes a file, if there is one.
pub fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::of("remove", path)(error)),
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
            Err::<(), _>(Error::write("a")(io::ErrorKind::Other.into()))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).expect("there"), b"old");
        assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 1);
    }
}
