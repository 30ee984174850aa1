//! Files of JSON lines that only grow: the list of archives, the list of runs.
//!
//! The first line names the format and its version. A line counts once its line end is there, so that what a killed
//! process left of one is no line; the next writer cuts it off.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use crate::links::no_follow;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use tamis_files::whole;

use super::{Error, Result};

/// The version that is written, and the newest that is read. From 2 on `checksums.json` has the checksum of the list.
const VERSION: u64 = 2;
/// No line of ours comes near it; a file of another kind may.
const MAX_LINE: u64 = 64 << 20;

/// A file of JSON lines that only grows.
#[derive(Debug, Clone)]
pub(crate) struct Log<T> {
    path: PathBuf,
    format: &'static str,
    lines: PhantomData<fn() -> T>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    version: u64,
}

impl<T: DeserializeOwned> Log<T> {
    pub(crate) fn new(path: PathBuf, format: &'static str) -> Self {
        Self { path, format, lines: PhantomData }
    }

    /// All lines, in order; none where there is no file.
    pub(super) fn read(&self) -> Result<Vec<T>> {
        let mut list = Vec::new();
        self.each(|line| list.push(line))?;
        Ok(list)
    }

    /// Gives each line to `take`, in order.
    pub(crate) fn each(&self, mut take: impl FnMut(T)) -> Result<()> {
        let file = match File::open(&self.path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            file => file.map_err(Error::read(&self.path))?,
        };
        let mut input = BufReader::new(file);
        let (mut text, mut number) = (Vec::new(), 0);
        loop {
            text.clear();
            let read = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut text);
            read.map_err(Error::read(&self.path))?;
            if !text.ends_with(b"\n") {
                return if number == 0 { Err(self.not_one("its first line is truncated")) } else { Ok(()) };
            }
            if number == 0 {
                self.check_header(&text)?;
            } else {
                let line = serde_json::from_slice(&text);
                take(line.map_err(|why| self.not_one(format!("line {}: {why}", number + 1)))?);
            }
            number += 1;
        }
    }

    /// The list as this version writes it, if an earlier one wrote it.
    pub(super) fn renewed(&self) -> Result<Option<Vec<u8>>> {
        let bytes = match fs::read(&self.path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(Error::read(&self.path))?,
        };
        let end = bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |at| at + 1);
        if version_of(&bytes[..end]) == Some(VERSION) {
            return Ok(None);
        }
        let mut text = self.header()?;
        text.extend_from_slice(&bytes[end..]);
        Ok(Some(text))
    }

    /// The lines that can be read, of a list that is damaged.
    pub(super) fn salvage(&self) -> Result<Vec<T>> {
        let bytes = match fs::read(&self.path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            bytes => bytes.map_err(Error::read(&self.path))?,
        };
        let lines = bytes.split(|&byte| byte == b'\n').skip(1);
        Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
    }

    /// Cuts off what a killed process left of a line.
    pub(super) fn mend(&self) -> Result<()> {
        let Ok(bytes) = fs::read(&self.path) else { return Ok(()) };
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if end == bytes.len() {
            return Ok(());
        }
        let file = no_follow(OpenOptions::new().write(true)).open(&self.path);
        let file = file.map_err(Error::write(&self.path))?;
        file.set_len(end as u64).and_then(|()| file.sync_all()).map_err(Error::write(&self.path))
    }

    fn check_header(&self, text: &[u8]) -> Result<()> {
        let header: Header = serde_json::from_slice(text).map_err(|why| self.not_one(why))?;
        if header.format != self.format {
            return Err(self.not_one(format!("unknown format {:?}", header.format)));
        }
        if header.version > VERSION {
            return Err(Error::Newer { path: self.path.clone(), found: header.version, known: VERSION });
        }
        Ok(())
    }

    fn not_one(&self, why: impl std::fmt::Display) -> Error {
        Error::damaged(&self.path, format!("not a valid {} file: {why}", self.format))
    }
}

impl<T> Log<T> {
    fn header(&self) -> Result<Vec<u8>> {
        as_line(&Header { format: self.format.into(), version: VERSION }, &self.path)
    }
}

impl<T: Serialize> Log<T> {
    /// Adds a line and brings it to the disk. Where that fails, the file stays as it was. Gives what was added.
    pub(super) fn append(&self, line: &T) -> Result<Vec<u8>> {
        let cannot = || Error::write(&self.path);
        let mut added = Vec::new();
        if !self.path.try_exists().map_err(cannot())? {
            added = self.header()?;
            whole::replace_with(&self.path, &added)?;
        }
        let text = as_line(line, &self.path)?;
        let mut file = no_follow(OpenOptions::new().write(true)).open(&self.path).map_err(cannot())?;
        let end = file.seek(SeekFrom::End(0)).map_err(cannot())?;
        let written = file.write_all(&text).and_then(|()| file.sync_data());
        if written.is_err() {
            // Should this fail as well, what is there of the line has no line end, and so is none.
            let _ = file.set_len(end);
        }
        written.map_err(cannot())?;
        added.extend_from_slice(&text);
        Ok(added)
    }

    /// The text of a list with these lines.
    pub(super) fn text(&self, lines: &[T]) -> Result<Vec<u8>> {
        let mut text = self.header()?;
        for line in lines {
            text.extend(as_line(line, &self.path)?);
        }
        Ok(text)
    }
}

/// Whether a list needs its checksum in `checksums.json`.
pub(super) fn is_sealed(path: &Path) -> bool {
    let mut line = Vec::new();
    let Ok(file) = File::open(path) else { return false };
    let read = BufReader::new(file).take(256).read_until(b'\n', &mut line);
    read.is_ok() && version_of(&line).is_some_and(|version| version >= VERSION)
}

fn version_of(line: &[u8]) -> Option<u64> {
    serde_json::from_slice::<Header>(line).ok().map(|header| header.version)
}

fn as_line(value: &impl Serialize, path: &Path) -> Result<Vec<u8>> {
    let mut text = serde_json::to_vec(value).map_err(|why| Error::damaged(path, why))?;
    text.push(b'\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(folder: &tempfile::TempDir) -> Log<u32> {
        Log::new(folder.path().join("a.jsonl"), "numbers")
    }

    #[test]
    fn lines_come_back_and_half_a_line_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = log(&folder);
        assert_eq!(log.read().expect("no file is no lines"), [0; 0]);
        log.append(&1).expect("writable");
        log.append(&2).expect("writable");
        let whole = fs::read(&log.path).expect("there");
        fs::write(&log.path, [&whole[..], b"3"].concat()).expect("writable");
        assert_eq!(log.read().expect("sound"), [1, 2]);
        log.mend().expect("writable");
        assert_eq!(fs::read(&log.path).expect("there"), whole);
        log.append(&4).expect("writable");
        assert_eq!(log.read().expect("sound"), [1, 2, 4]);
    }

    #[test]
    fn other_files_and_newer_ones_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = log(&folder);
        for (text, expected) in [
            ("", "its first line is truncated"),
            ("{\"format\":\"numbers\",\"version\":1", "its first line is truncated"),
            ("{\"format\":\"words\",\"version\":1}\n", "unknown format \"words\""),
            (
                "{\"format\":\"numbers\",\"version\":3}\n",
                "made by a newer tamis (format 3; this one reads up to 2)",
            ),
            ("{\"format\":\"numbers\",\"version\":1}\nx\n", "line 2: "),
        ] {
            fs::write(&log.path, text).expect("writable");
            let error = log.read().expect_err("it is not sound").to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
