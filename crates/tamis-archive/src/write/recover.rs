//! After a crash: `.open` files are cut to what is sound and closed, and nothing is lost.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::open_file::{close_file, final_path_of, rename_new, sync_folder, with_suffix};
use super::sound_length::{Sound, sound_length};
use crate::{Error, Result};

/// What became of one `.open` file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// The file as it was found.
    pub open_path: PathBuf,
    /// What was done.
    pub recovery: Recovery,
}

/// What [`recover_open`] did with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recovery {
    /// It was sound to its end, and now has its final name.
    Closed {
        /// The final name.
        path: PathBuf,
        /// Its records; its members, if it is compressed.
        records: u64,
    },
    /// It was cut to its sound beginning, which now has the final name.
    Cut {
        /// The final name.
        path: PathBuf,
        /// The records that are left; the members, if it is compressed.
        records: u64,
        /// What was cut off: the beginning of a record, or whatever stood behind the first damage.
        torn: PathBuf,
        /// How much was cut off.
        torn_bytes: u64,
    },
    /// It held no whole record, so there is no archive.
    NoRecords {
        /// What it held. None if it was empty and has been removed.
        torn: Option<PathBuf>,
    },
    /// It was closed already; a crash came between the new name and the removal of the old one.
    AlreadyClosed {
        /// The final name.
        path: PathBuf,
    },
    /// Another process is writing it. It was left alone.
    InUse,
    /// Another archive has its final name. Both were left alone.
    NameTaken {
        /// The final name.
        path: PathBuf,
    },
}

/// Closes the `.open` files that a crash left behind: this one, or all in this folder.
///
/// A file is cut behind its last sound record (gzip and zstd: behind the last member whose checksum is right, counted
/// from the beginning). What is cut off is kept beside it as `….torn`. It can be killed at any moment and run again,
/// any number of times.
pub fn recover_open(path: &Path) -> Result<Vec<Recovered>> {
    let open_paths = if path.is_dir() { open_files_in(path)? } else { vec![path.to_owned()] };
    let mut all = Vec::with_capacity(open_paths.len());
    for open_path in open_paths {
        let recovery = recover_file(&open_path)?;
        all.push(Recovered { open_path, recovery });
    }
    Ok(all)
}

fn open_files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::io(folder))? {
        let path = entry.map_err(Error::io(folder))?.path();
        if final_path_of(&path).is_some() && path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn recover_file(open_path: &Path) -> Result<Recovery> {
    let path = final_path_of(open_path).ok_or_else(|| Error::Value {
        what: "file to recover",
        value: open_path.display().to_string(),
        why: "its name does not end in .open".into(),
    })?;
    let of_open = || Error::io(open_path);
    let file = OpenOptions::new().read(true).write(true).open(open_path).map_err(of_open())?;
    // Where there are no locks, nothing can be told; the caller has asked for it.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Ok(Recovery::InUse);
    }
    if path.try_exists().map_err(Error::io(&path))? {
        return settle_two_names(&file, open_path, path);
    }
    let len = file.metadata().map_err(of_open())?.len();
    let Sound { len: sound_len, records } = sound_length(&file).map_err(of_open())?;
    if records == 0 {
        return set_aside(&file, open_path, &path, len);
    }
    if sound_len == len {
        close_file(&file, open_path, &path)?;
        return Ok(Recovery::Closed { path, records });
    }
    let torn = keep_tail(&file, sound_len, &path)?;
    file.set_len(sound_len).map_err(of_open())?;
    close_file(&file, open_path, &path)?;
    Ok(Recovery::Cut { path, records, torn, torn_bytes: len - sound_len })
}

fn settle_two_names(file: &File, open_path: &Path, path: PathBuf) -> Result<Recovery> {
    if !same_bytes(file, 0, &path).map_err(Error::io(&path))? {
        return Ok(Recovery::NameTaken { path });
    }
    fs::remove_file(open_path).map_err(Error::io(open_path))?;
    sync_folder(open_path)?;
    Ok(Recovery::AlreadyClosed { path })
}

/// A file without a whole record becomes `.torn` as it is; an empty one goes.
fn set_aside(file: &File, open_path: &Path, path: &Path, len: u64) -> Result<Recovery> {
    if len == 0 {
        fs::remove_file(open_path).map_err(Error::io(open_path))?;
        sync_folder(open_path)?;
        return Ok(Recovery::NoRecords { torn: None });
    }
    let torn = match torn_name(file, 0, path)? {
        TornName::Free(torn) => {
            rename_new(open_path, &torn).map_err(Error::io(&torn))?;
            torn
        }
        TornName::Kept(torn) => {
            fs::remove_file(open_path).map_err(Error::io(open_path))?;
            torn
        }
    };
    sync_folder(open_path)?;
    Ok(Recovery::NoRecords { torn: Some(torn) })
}

/// Copies what will be cut off. It has its name only when it is whole and lasting; the cut comes after that.
fn keep_tail(mut file: &File, from: u64, path: &Path) -> Result<PathBuf> {
    let torn = match torn_name(file, from, path)? {
        TornName::Kept(torn) => return Ok(torn),
        TornName::Free(torn) => torn,
    };
    let part = with_suffix(&torn, ".part");
    let mut copy = || {
        let mut out = File::create(&part)?;
        file.seek(SeekFrom::Start(from))?;
        io::copy(&mut file, &mut out)?;
        out.sync_all()?;
        rename_new(&part, &torn)
    };
    copy().map_err(Error::io(&torn))?;
    sync_folder(&torn)?;
    Ok(torn)
}

enum TornName {
    /// No file has it.
    Free(PathBuf),
    /// A recovery that was killed has put these very bytes there.
    Kept(PathBuf),
}

/// `….torn`, or `….torn.2` and so on if there is something else of that name.
fn torn_name(file: &File, from: u64, path: &Path) -> Result<TornName> {
    let mut torn = with_suffix(path, ".torn");
    for number in 2_u64.. {
        if !torn.try_exists().map_err(Error::io(&torn))? {
            break;
        }
        if same_bytes(file, from, &torn).map_err(Error::io(&torn))? {
            return Ok(TornName::Kept(torn));
        }
        torn = with_suffix(path, &format!(".torn.{number}"));
    }
    Ok(TornName::Free(torn))
}

/// Whether `other` holds what `file` holds from this offset on.
fn same_bytes(mut file: &File, from: u64, other: &Path) -> io::Result<bool> {
    let other = File::open(other)?;
    if file.metadata()?.len().saturating_sub(from) != other.metadata()?.len() {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(from))?;
    let (mut ours, mut theirs) = (BufReader::new(file), BufReader::new(other));
    let mut chunk = Vec::new();
    loop {
        let bytes = ours.fill_buf()?;
        if bytes.is_empty() {
            return Ok(true);
        }
        let len = bytes.len();
        chunk.resize(len, 0);
        theirs.read_exact(&mut chunk)?;
        if chunk != bytes {
            return Ok(false);
        }
        ours.consume(len);
    }
}
