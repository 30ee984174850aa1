//! What a job knows: where it stands, and what it was begun with.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use super::BadIndexLine;
use super::lines::Place;
use crate::{Error, Result};

const FORMAT: &str = "tamis info work 1";

/// All that a job knows and cannot find out again cheaply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    format: String,
    inputs: Vec<InputFile>,
    /// The input that is read, and where in it.
    pub(super) input: usize,
    pub(super) place: Place,
    pub(super) counts: Counts,
    pub(super) bad_lines: Vec<BadIndexLine>,
    /// The runs that count.
    pub(super) runs: Vec<StoredRun>,
    pub(super) next_run: u64,
    /// The length of the file of archives.
    pub(super) archive_bytes: u64,
}

/// What was met so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counts {
    pub(super) lines: u64,
    pub(super) rows: u64,
    pub(super) bad_lines: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredRun {
    pub(super) id: u64,
    pub(super) level: u32,
    pub(super) lines: u64,
}

/// What an input is known by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct InputFile {
    path: PathBuf,
    len: u64,
    modified_s: u64,
    modified_ns: u32,
}

impl State {
    pub(super) fn new(inputs: Vec<InputFile>) -> Self {
        Self {
            format: FORMAT.into(),
            inputs,
            input: 0,
            place: Place::default(),
            counts: Counts::default(),
            bad_lines: Vec::new(),
            runs: Vec::new(),
            next_run: 0,
            archive_bytes: 0,
        }
    }

    /// The state that these bytes tell, if they are of this version.
    pub(super) fn from_json(json: &[u8]) -> Option<Self> {
        serde_json::from_slice(json).ok().filter(|state: &Self| state.format == FORMAT)
    }

    pub(super) fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("no map has odd keys")
    }

    /// The length of all inputs.
    pub(super) fn input_bytes(&self) -> u64 {
        self.inputs.iter().map(|input| input.len).sum()
    }

    /// The length of the inputs before one.
    pub(super) fn bytes_before(&self, input: usize) -> u64 {
        self.inputs.iter().take(input).map(|input| input.len).sum()
    }

    /// The input that is read, none behind the last.
    pub(super) fn input_path(&self) -> Option<&Path> {
        self.inputs.get(self.input).map(|input| input.path.as_path())
    }

    /// The state, if it is that of a job with these inputs.
    pub(super) fn checked(self, inputs: &[InputFile], folder: &Path) -> Result<Self> {
        let differs = self.inputs.iter().zip(inputs).find(|(before, now)| before != now);
        let why = match differs {
            Some((before, now)) if before.path == now.path => {
                format!("{} has changed since this output was started", now.path.display())
            }
            Some((before, now)) => {
                format!(
                    "this output was started with {}, not with {}",
                    before.path.display(),
                    now.path.display()
                )
            }
            None if self.inputs.len() != inputs.len() => {
                format!(
                    "this output was started with {} inputs, not with {}",
                    self.inputs.len(),
                    inputs.len()
                )
            }
            None => return Ok(self),
        };
        let hint = "give the same inputs to resume, or another output to start over";
        Err(Error::Folder { path: folder.into(), why, hint })
    }
}

impl InputFile {
    pub(super) fn of(path: &Path) -> Result<Self> {
        let meta = fs::metadata(path).map_err(Error::io(path))?;
        if !meta.is_file() {
            return Err(Error::Value {
                what: "index",
                value: path.display().to_string(),
                why: "is not a regular file, so an interrupted run could not resume".into(),
            });
        }
        let modified = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.unwrap_or_default();
        let path = std::path::absolute(path).map_err(Error::io(path))?;
        Ok(Self {
            path,
            len: meta.len(),
            modified_s: modified.as_secs(),
            modified_ns: modified.subsec_nanos(),
        })
    }
}
