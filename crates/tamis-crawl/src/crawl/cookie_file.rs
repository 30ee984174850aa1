//! The file that keeps cookies between runs. Whoever can read it can act as the crawler, so only its owner can.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use tamis_files::private_part_file;

use crate::{Error, Result};

/// The file in the folder of a crawl.
pub(super) fn path(frontier: &Path) -> PathBuf {
    frontier.join("cookies")
}

/// The text of the file, empty if there is none. A file that others can read is replaced by a private one.
pub(super) fn read(path: &Path) -> Result<String> {
    let failed = |source| Error::io(path, source);
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(String::new()),
        Err(error) => return Err(failed(error)),
    };
    if is_open_to_others(path).map_err(failed)? {
        replace(path, &bytes)?;
    }
    // Damaged lines are skipped; servers set those cookies again.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Replaces the file at once.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let mut file = private_part_file(path)?;
        file.write_all(bytes)?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|source| Error::io(path, source))
}

#[cfg(unix)]
fn is_open_to_others(path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::metadata(path)?.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_: &Path) -> std::io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_file_is_private_whatever_it_was() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().expect("a folder");
        let path = path(folder.path());
        let mode = || fs::metadata(&path).expect("there").permissions().mode() & 0o777;
        assert_eq!(read(&path).expect("no file is no cookies"), "");
        replace(&path, b"new").expect("writes");
        assert_eq!(mode(), 0o600, "new");
        for open in [0o644, 0o666, 0o604, 0o640] {
            fs::set_permissions(&path, fs::Permissions::from_mode(open)).expect("ours");
            assert_eq!(read(&path).expect("reads"), "new");
            assert_eq!(mode(), 0o600, "{open:o} read");
            fs::set_permissions(&path, fs::Permissions::from_mode(open)).expect("ours");
            replace(&path, b"new").expect("writes");
            assert_eq!(mode(), 0o600, "{open:o} written");
        }
    }
}
