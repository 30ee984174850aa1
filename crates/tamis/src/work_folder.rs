//! A folder for what is not finished yet, which one run holds at a time and a later run takes over.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use crate::hint::WithHint;

/// The file in the folder that is locked as long as a run holds it.
const LOCK: &str = "lock";

/// A folder for what is not finished yet. It goes away in the end.
#[derive(Debug)]
pub struct WorkFolder {
    path: PathBuf,
    /// Held until the folder goes away.
    lock: Option<File>,
}

impl WorkFolder {
    /// Makes the folder, or takes over one that a killed run left: its files are removed. Refuses one that another run
    /// holds. Where the file system has no locks, it is taken over in any case.
    pub fn open(path: PathBuf) -> anyhow::Result<Self> {
        let cannot = || format!("cannot write into {}", path.display());
        make_folder(&path).with_context(cannot)?;
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(path.join(LOCK));
        let lock = lock.with_context(cannot)?;
        if let Err(fs::TryLockError::WouldBlock) = lock.try_lock() {
            return Err(anyhow!("{} is locked by another run", path.display()))
                .hint("wait for it to finish, or give another output");
        }
        let folder = Self { path, lock: Some(lock) };
        folder.clear().with_context(|| format!("cannot write into {}", folder.path.display()))?;
        Ok(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn clear(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                fs::remove_dir_all(entry.path())?;
            } else if entry.file_name() != LOCK {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // What cannot be removed now is by the next run. The lock goes last: some systems do not remove a file that is open.
        let _ = self.clear();
        drop(self.lock.take());
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A link would lead elsewhere, and what is there is not ours to remove.
fn make_folder(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => {
            let lock = fs::symlink_metadata(path.join(LOCK));
            if lock.is_ok_and(|lock| !lock.is_file()) {
                return Err(io::Error::new(ErrorKind::InvalidInput, "its lock is not a file"));
            }
            Ok(())
        }
        Ok(_) => Err(ErrorKind::NotADirectory.into()),
        Err(_) => fs::create_dir(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hint::hints;

    #[test]
    fn one_run_holds_a_folder_and_a_later_one_takes_it_over() {
        let parent = tempfile::tempdir().expect("a folder");
        let path = parent.path().join(".work");
        fs::create_dir_all(path.join("left/over")).expect("can be made");
        fs::write(path.join("left.txt"), "left").expect("writable");
        let held = WorkFolder::open(path.clone()).expect("nobody holds it");
        let files = fs::read_dir(&path).expect("there").count();
        assert_eq!(files, 1, "the lock alone");
        let refused = WorkFolder::open(path.clone()).expect_err("it is held");
        assert!(hints(&refused)[0].starts_with("wait"), "{refused}");
        drop(held);
        assert!(!path.exists());
        drop(WorkFolder::open(path.clone()).expect("nobody holds it"));
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_followed() {
        let parent = tempfile::tempdir().expect("a folder");
        let (path, other) = (parent.path().join(".work"), parent.path().join("other"));
        fs::create_dir(&other).expect("can be made");
        fs::write(other.join("mine"), "mine").expect("writable");
        std::os::unix::fs::symlink(&other, &path).expect("can be made");
        assert!(WorkFolder::open(path).is_err());
        assert!(other.join("mine").exists());
    }
}
