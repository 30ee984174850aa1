//! What a crawl leaves for the next run and for those who watch: its settings and its figures.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use tamis_archive::write::part_file;
use tamis_crawl::crawl::Snapshot;

use super::settings::Settings;

/// What a crawl was begun with.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Begun {
    /// The version of this file.
    pub version: u32,
    /// Where it began.
    pub seeds: Vec<String>,
    /// How.
    pub settings: Settings,
}

/// The state of a crawl that has fetched all there is.
pub(super) const FINISHED: &str = "finished";

/// How far a crawl is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Told {
    /// `running`, `stopped`, `limit`, [`FINISHED`], `failed`, or why a crawl for an event ended: `harvest floor`, `nothing promising left`.
    pub state: String,
    /// The process that runs it, or ran it last.
    pub process: u32,
    /// When this was written, in milliseconds since 1970.
    pub time_ms: u64,
    /// How long this run has taken.
    pub elapsed_ms: u64,
    /// Pages of this run.
    pub run_pages: u64,
    /// All figures, over all runs.
    pub figures: Snapshot,
}

const VERSION: u32 = 1;

fn begun_path(frontier: &Path) -> PathBuf {
    frontier.join("crawl.json")
}

/// The file with the figures.
fn told_path(frontier: &Path) -> PathBuf {
    frontier.join("status.json")
}

impl Begun {
    /// What a crawl was begun with; None if there is no crawl.
    pub(super) fn read(frontier: &Path) -> anyhow::Result<Option<Self>> {
        let path = begun_path(frontier);
        let Some(text) = read_if_there(&path)? else { return Ok(None) };
        let begun: Self =
            serde_json::from_str(&text).with_context(|| format!("{}: is damaged", path.display()))?;
        anyhow::ensure!(begun.version <= VERSION, "{}: made by a newer version of tamis", path.display());
        Ok(Some(begun))
    }

    /// Remembers it.
    pub(super) fn write(&self, frontier: &Path) -> anyhow::Result<()> {
        replace_json(&begun_path(frontier), &Self { version: VERSION, ..self.clone() })
    }
}

impl Told {
    /// The figures of the last run, as it last told them.
    pub(super) fn read(frontier: &Path) -> anyhow::Result<Option<Self>> {
        // What cannot be read is told anew.
        Ok(read_if_there(&told_path(frontier))?.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Tells them.
    pub(super) fn write(&self, frontier: &Path) -> anyhow::Result<()> {
        replace_json(&told_path(frontier), self)
    }
}

fn read_if_there(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn replace_json(path: &Path, value: &impl Serialize) -> anyhow::Result<()> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    replace(path, &text)
}

/// Readers see the file before or after, never half of it.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let write = || -> std::io::Result<()> {
        let mut file = part_file(path)?;
        file.write_all(bytes)?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}
