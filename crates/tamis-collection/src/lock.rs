//! One writer at a time: a file that is locked as long as one writes.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use tamis_archive::Timestamp;

use crate::links::no_follow;

use super::{Error, Result};

/// The file that is locked. It stays when the lock goes.
pub(super) const FILE: &str = "lock";

/// Who only looks whether the lock is free holds it for an instant.
const ATTEMPTS: u32 = 5;
const BETWEEN: Duration = Duration::from_millis(20);

/// The lock of a collection. It goes with the process, however that ends.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    /// Takes the lock and writes down for whom.
    pub(super) fn take(root: &Path, command: &str) -> Result<Self> {
        let path = root.join(FILE);
        let mut options = OpenOptions::new();
        let file = no_follow(options.create(true).truncate(false).read(true).write(true)).open(&path);
        let mut file = file.map_err(Error::write(&path))?;
        for attempt in 1.. {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if attempt < ATTEMPTS => thread::sleep(BETWEEN),
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::Locked { path: root.into(), holder: holder(&mut file) });
                }
                // Without locks two writers could spoil each other's work unseen.
                Err(TryLockError::Error(source)) => return Err(Error::Io { action: "lock", path, source }),
            }
        }
        let text = format!("{} {command}\n", std::process::id());
        let written =
            file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(text.as_bytes()));
        written.map_err(Error::write(&path))?;
        tracing::debug!(collection = %root.display(), command, "locked");
        Ok(Self(file))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Whoever takes it next writes over what is left.
        let _ = self.0.set_len(0);
    }
}

/// Who holds the lock, if somebody does.
pub(super) fn held_by(root: &Path) -> Option<String> {
    let mut file = File::open(root.join(FILE)).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(holder(&mut file)),
        _ => None,
    }
}

/// Longer commands are cut in messages: an import may name thousands of files.
const SHOWN_CHARS: usize = 60;

/// `process 123 (tamis import …) since 2026-08-12T17:46:06Z`, as far as it can be read. The file is written when the
/// lock is taken.
fn holder(file: &mut File) -> String {
    let since = file.metadata().and_then(|meta| meta.modified()).ok().and_then(|time| {
        let seconds = time.duration_since(UNIX_EPOCH).ok()?.as_secs();
        Timestamp::from_unix(i64::try_from(seconds).ok()?, 0)
    });
    let since = since.map_or_else(String::new, |time| format!(" since {time}"));
    let mut text = String::new();
    let read = file.rewind().and_then(|()| file.take(4096).read_to_string(&mut text));
    match text.trim_end().split_once(' ') {
        Some((pid, command)) if read.is_ok() => {
            // A terminal must not obey what is in a file.
            let mut shown: String =
                command.replace(char::is_control, " ").chars().take(SHOWN_CHARS).collect();
            if shown.len() < command.len() {
                shown.push('…');
            }
            format!("process {pid} ({shown}){since}")
        }
        _ => format!("another process{since}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_writer_learns_who_is_first() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(held_by(folder.path()), None);
        let lock = Lock::take(folder.path(), "tamis import x a.warc").expect("free");
        let error = Lock::take(folder.path(), "tamis clean x").expect_err("taken").to_string();
        let expected = format!("process {} (tamis import x a.warc)", std::process::id());
        assert!(error.contains(&expected), "{error}");
        let held = held_by(folder.path()).expect("it is held");
        assert!(held.starts_with(&expected) && held.contains(" since 20"), "{held}");
        drop(lock);
        assert_eq!(held_by(folder.path()), None);
        Lock::take(folder.path(), "tamis clean x").expect("free again");
    }
}
