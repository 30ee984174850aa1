//! The files that a crawl leaves for its next run and for those who watch it: `crawl.json` and `status.json`.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tamis_files::part_file;

use super::{Folders, Snapshot, figures};
use crate::{Error, Result};

const BEGUN_FILE: &str = "crawl.json";
const STATUS_FILE: &str = "status.json";
const VERSION: u32 = 1;

pub(super) const RUNNING: &str = "running";
pub(super) const FAILED: &str = "failed";
const KILLED: &str = "killed";

/// What a crawl was begun with; `S` is how the caller writes down its settings.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Begun<S> {
    version: u32,
    /// The seeds.
    pub seeds: Vec<String>,
    /// The settings.
    pub settings: S,
}

/// How far a crawl is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Status {
    /// `running`, `failed`, `killed`, or the [name](super::End::name) of how the last run ended.
    pub state: String,
    /// The process that runs it, or ran it last.
    pub process: u32,
    /// When this was written, in milliseconds since 1970.
    pub time_ms: u64,
    /// How long the run has taken.
    pub elapsed_ms: u64,
    /// Pages of the run.
    pub run_pages: u64,
    /// The figures of all runs together.
    pub figures: Snapshot,
}

impl<S: Clone + Serialize + DeserializeOwned> Begun<S> {
    /// The seeds and settings of a crawl.
    pub fn new(seeds: Vec<String>, settings: S) -> Self {
        Self { version: VERSION, seeds, settings }
    }

    /// What the crawl in these folders was begun with; none if there is no crawl.
    pub fn read(folders: &Folders) -> Result<Option<Self>> {
        let path = folders.frontier.join(BEGUN_FILE);
        let Some(text) = read_if_there(&path)? else { return Ok(None) };
        let begun: Self = serde_json::from_str(&text)
            .map_err(|error| Error::BadState { path: path.clone(), source: error })?;
        if begun.version > VERSION {
            return Err(Error::Newer { path, version: u8::try_from(begun.version).unwrap_or(u8::MAX) });
        }
        Ok(Some(begun))
    }

    /// Writes it for the next run.
    pub fn write(&self, folders: &Folders) -> Result<()> {
        let begun = Self { version: VERSION, ..self.clone() };
        replace_json(&folders.frontier.join(BEGUN_FILE), &begun)
    }
}

impl Status {
    /// The status of the crawl in these folders; none if no run has written one. A damaged file counts as none: the next run counts from
    /// its journal.
    pub fn read(folders: &Folders) -> Result<Option<Self>> {
        let text = read_if_there(&folders.frontier.join(STATUS_FILE))?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// The status by now: of a run that was killed, with the figures that its journal has. None if no crawl was begun.
    pub fn current(folders: &Folders) -> Result<Option<Self>> {
        let status = match Self::read(folders)? {
            Some(status) => status,
            None if folders.has_crawl() => Self::default(),
            None => return Ok(None),
        };
        let is_over = !matches!(status.state.as_str(), RUNNING | "");
        if is_over || is_alive(status.process) {
            return Ok(Some(status));
        }
        let before = status.figures.sums.pages.saturating_sub(status.run_pages);
        let figures = if folders.has_crawl() { figures(folders, &status.figures)? } else { status.figures };
        let run_pages = figures.sums.pages.saturating_sub(before);
        Ok(Some(Self { state: KILLED.to_owned(), run_pages, figures, ..status }))
    }

    /// Replaces the file.
    pub(super) fn write(&self, folders: &Folders) -> Result<()> {
        replace_json(&folders.frontier.join(STATUS_FILE), self)
    }
}

/// Whether a process runs; where that cannot be known, it does.
fn is_alive(process: u32) -> bool {
    !Path::new("/proc/self").exists() || Path::new(&format!("/proc/{process}")).exists()
}

fn read_if_there(path: &Path) -> Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(Error::io(path, error)),
    }
}

fn replace_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_vec_pretty(value)
        .map_err(|error| Error::BadState { path: path.into(), source: error })?;
    text.push(b'\n');
    replace(path, &text)
}

/// Replaces a file at once: readers see it before or after, never half of it.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let mut file = part_file(path)?;
        file.write_all(bytes)?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|source| Error::io(path, source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_crawl_was_begun_with_comes_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let folders = Folders::of(folder.path());
        assert!(Begun::<String>::read(&folders).expect("no file is no crawl").is_none());
        fs::create_dir_all(&folders.frontier).expect("a folder");
        Begun::new(vec!["a".to_owned()], "b".to_owned()).write(&folders).expect("writes");
        let read = Begun::<String>::read(&folders).expect("sound").expect("written");
        assert_eq!((&*read.seeds, &*read.settings), (&["a".to_owned()][..], "b"));
        let path = folders.frontier.join(BEGUN_FILE);
        for (text, expected) in
            [("{", "damaged"), (r#"{"version":2,"seeds":[],"settings":""}"#, "newer version")]
        {
            fs::write(&path, text).expect("writes");
            let error = Begun::<String>::read(&folders).expect_err("wrong").to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_damaged_status_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let folders = Folders::of(folder.path());
        fs::create_dir_all(&folders.frontier).expect("a folder");
        Status { run_pages: 7, ..Status::default() }.write(&folders).expect("writes");
        assert_eq!(Status::read(&folders).expect("sound").map(|status| status.run_pages), Some(7));
        fs::write(folders.frontier.join(STATUS_FILE), "{").expect("writes");
        assert!(Status::read(&folders).expect("reads").is_none());
    }
}
