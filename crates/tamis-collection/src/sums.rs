//! `checksums.json`: size and CRC-32 of each list, and what `collection.toml` says, so that a list that was changed, cut
//! or lost is noticed.
//!
//! A list that grows is sealed after each line: what follows the sealed bytes was written by a process that was killed.
//! A list that is replaced is sealed before and after: in between both states count, so that a process may be killed at
//! any moment. Readers, who lock nothing, read the checksums first, and again if a list does not match.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tamis_files::part_file;

use super::sealed::{self, Versions};
use tamis_files::whole;

use super::{About, Collection, Error, Result, Writer, fetched, log, seeds};

/// Its name in the collection.
pub(super) const FILE: &str = "checksums.json";
const VERSION: u64 = 1;
const VERSIONS: Versions = Versions { sealed: 1, newest: VERSION };

pub(super) const ARCHIVES: &str = "archives.jsonl";
pub(super) const RUNS: &str = "runs.jsonl";
/// The lists that grow.
pub(super) const LOGS: [&str; 2] = [ARCHIVES, RUNS];
/// The lists that are replaced.
pub(super) const TABLES: [&str; 2] = [seeds::FILE, fetched::FILE];

/// A writer may replace a list between two looks at it.
const ATTEMPTS: u32 = 5;
const BETWEEN: Duration = Duration::from_millis(20);

/// What the lists were when they were last written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sums {
    version: u64,
    /// What `collection.toml` said.
    pub(super) about: About,
    /// The states of a list that count, by its name.
    pub(super) files: BTreeMap<String, Vec<Sum>>,
}

/// Size and CRC-32 of a file. One that is not there has no bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sum {
    bytes: u64,
    crc: u32,
}

impl Sums {
    pub(super) fn new(about: About) -> Self {
        Self { version: VERSION, about, files: BTreeMap::new() }
    }

    /// Reads the file of a collection; none if it has no list that needs one.
    pub(super) fn read(root: &Path) -> Result<Option<Self>> {
        let path = root.join(FILE);
        let sums = sealed::read(&path, VERSIONS)?;
        if sums.is_none() && LOGS.iter().any(|name| log::is_sealed(&root.join(name))) {
            return Err(Error::damaged(path, "it is missing"));
        }
        Ok(sums)
    }

    pub(super) fn write(&self, root: &Path) -> Result<()> {
        sealed::write(&root.join(FILE), self)
    }

    /// Compares what `collection.toml` says with what it said.
    pub(super) fn check_about(&self, about: &About, path: &Path) -> Result<()> {
        let members = |about: &About| {
            let About { id, name, event, created } = about.clone();
            [("id", Some(id)), ("name", Some(name)), ("event", event), ("created", created)]
        };
        for ((key, was), (_, is)) in members(&self.about).into_iter().zip(members(about)) {
            if was != is {
                let text =
                    |value: Option<String>| value.map_or("missing".to_owned(), |text| format!("{text:?}"));
                return Err(Error::damaged(path, format!("`{key}` is {}, but was {}", text(is), text(was))));
            }
        }
        Ok(())
    }

    /// Compares a list with its checksum: all of one that is replaced, the sealed bytes of one that grows.
    pub(super) fn check(&self, root: &Path, name: &str) -> Result<()> {
        let Some(states) = self.files.get(name) else { return Ok(()) };
        let path = root.join(name);
        let is_log = LOGS.contains(&name);
        let mut why = String::new();
        for state in states {
            let (found, is_all) = Sum::of(&path, state.bytes)?;
            if found == *state && (is_log || is_all) {
                return Ok(());
            }
            why = match found.bytes {
                0 if state.bytes > 0 => "it is missing or empty".to_owned(),
                bytes if bytes < state.bytes => format!("only {bytes} of {} bytes left", state.bytes),
                _ => "wrong checksum".to_owned(),
            };
        }
        Err(Error::damaged(path, why))
    }
}

impl Sum {
    /// The sum of at most so many bytes of a file, and whether these are all.
    pub(super) fn of(path: &Path, most: u64) -> Result<(Self, bool)> {
        let file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok((Self::default(), true)),
            file => file.map_err(Error::read(path))?,
        };
        let mut input = BufReader::new(file);
        let (mut hash, mut buffer, mut bytes) = (crc32fast::Hasher::new(), vec![0; 1 << 16], 0);
        loop {
            let read = input.by_ref().take(most - bytes).read(&mut buffer).map_err(Error::read(path))?;
            if read == 0 {
                break;
            }
            hash.update(&buffer[..read]);
            bytes += read as u64;
        }
        let is_all = input.read(&mut [0]).map_err(Error::read(path))? == 0;
        Ok((Self { bytes, crc: hash.finalize() }, is_all))
    }

    fn and(self, text: &[u8]) -> Self {
        let mut hash = crc32fast::Hasher::new_with_initial_len(self.crc, self.bytes);
        hash.update(text);
        Self { bytes: self.bytes + text.len() as u64, crc: hash.finalize() }
    }
}

impl Collection {
    /// Compares a list with its checksum.
    pub(super) fn check_list(&self, name: &str) -> Result<()> {
        let mut attempt = 1;
        loop {
            let Some(sums) = Sums::read(self.root())? else { return Ok(()) };
            match sums.check(self.root(), name) {
                Err(Error::Damaged { .. }) if attempt < ATTEMPTS => thread::sleep(BETWEEN),
                checked => return checked,
            }
            attempt += 1;
        }
    }

    /// The sums of all lists as they are. The caller has checked them.
    pub(super) fn sum_lists(&self) -> Result<Sums> {
        let mut sums = Sums::new(self.about().clone());
        for name in LOGS.into_iter().chain(TABLES) {
            let path = self.root().join(name);
            if path.exists() {
                sums.files.insert(name.to_owned(), vec![Sum::of(&path, u64::MAX)?.0]);
            }
        }
        Ok(sums)
    }
}

impl Writer {
    /// Seals what was added to a list.
    pub(super) fn seal_added(&self, name: &str, text: &[u8]) -> Result<()> {
        let mut sums = self.sums_now();
        let before = sums.files.get(name).and_then(|states| states.last()).copied().unwrap_or_default();
        sums.files.insert(name.to_owned(), vec![before.and(text)]);
        sums.write(self.root())
    }

    /// Replaces a list, whole or not at all.
    pub(super) fn replace_list<T>(
        &self,
        name: &str,
        fill: impl FnOnce(&mut BufWriter<&mut File>) -> Result<T>,
    ) -> Result<T> {
        let path = self.root().join(name);
        let mut part = part_file(&path).map_err(Error::write(&path))?;
        let mut out = BufWriter::with_capacity(1 << 16, part.as_file_mut());
        let result = fill(&mut out)?;
        out.flush().map_err(Error::write(&path))?;
        drop(out);
        part.as_file().sync_all().map_err(Error::write(&path))?;
        let (new, _) = Sum::of(part.path(), u64::MAX)?;
        let mut sums = self.sums_now();
        let old = sums.files.get(name).and_then(|states| states.last()).copied().unwrap_or_default();
        sums.files.insert(name.to_owned(), vec![old, new]);
        sums.write(self.root())?;
        part.persist(&path).map_err(|error| Error::write(&path)(error.error))?;
        whole::sync_folder_of(&path)?;
        sums.files.insert(name.to_owned(), vec![new]);
        sums.write(self.root())?;
        Ok(result)
    }
}
