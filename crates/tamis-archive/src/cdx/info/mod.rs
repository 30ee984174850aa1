//! A URL index turned round: for each archive that its lines name, a file of the pages in it with their languages.
//!
//! [`write_info_files`] is an external sort by archive and URL. The lines are read once, in their order; what matters of
//! them is sorted in memory, budget by budget, to runs on disk; runs are merged until one merge reads them all and writes
//! one archive's file after the other. So few files are open however many archives there are, and all reading and
//! writing goes forward. `docs/formats/info.md` describes the files.

mod archives;
mod lines;
mod names;
mod output;
mod read;
mod row;
mod state;
#[cfg(test)]
mod tests;
mod work;

use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Result;
use output::write_outputs;
use read::Job;

/// The list of all files, in the output folder.
pub const LISTING: &str = "archives.tsv";

/// How info files are made.
#[derive(Debug, Clone)]
pub struct InfoOptions {
    /// The memory for lines and for the names of archives. At least 64 KiB are used.
    pub memory_bytes: usize,
}

impl Default for InfoOptions {
    /// 192 MiB.
    fn default() -> Self {
        Self { memory_bytes: 192 << 20 }
    }
}

/// How far the work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Index files are read.
    Reading {
        /// Stored bytes read so far.
        bytes: u64,
        /// Stored bytes of all index files.
        of: u64,
    },
    /// Runs are merged to fewer runs.
    Merging {
        /// Rows merged since this began.
        rows: u64,
    },
    /// Files are written.
    Writing {
        /// Files that are there.
        files: u32,
        /// Archives that the index names.
        of: u32,
    },
}

/// A line that says nothing of a page, and why. Reading goes on behind it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadIndexLine {
    /// The index file.
    pub path: PathBuf,
    /// The number of the line in it, from 1, of those that could be read.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for BadIndexLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}: {}", self.path.display(), self.line, self.why)
    }
}

/// What came of an index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InfoReport {
    /// Lines read, whatever they are.
    pub lines: u64,
    /// Lines that tell of a page.
    pub rows: u64,
    /// Rows written: those that are the same in all fields are one.
    pub rows_written: u64,
    /// Files written, one for each archive.
    pub files: u32,
    /// How many lines are bad. Damage to a file counts as one.
    pub bad_lines: u64,
    /// The first 1000 of them.
    pub kept_bad_lines: Vec<BadIndexLine>,
}

/// Makes the info files of URL-index files (CDXJ; plain, gzip of any number of members, or zstd) in a folder.
///
/// What is done lasts: each run of sorted rows, each merge, each file. After an error, after
/// [`Interrupted`](crate::Error::Interrupted) and after the end of the process at whatever moment, the same call goes on
/// where it was, and the files have the same bytes as after one undisturbed call. `options` may differ then; other inputs, or
/// inputs that have changed in length or time, are refused. The folder must not have files of this kind otherwise.
///
/// `progress` is told some times a second how far the work is, and may break it off.
///
/// Memory: [`InfoOptions::memory_bytes`], about 16 MiB for reading, and while merging half a mebibyte for each of at most
/// 64 runs. The names of the archives are part of the budget; where they take up half of it, the call is refused. Open
/// files: at most 70. Disk: the rows, compressed, and once more while they are merged.
pub fn write_info_files(
    inputs: &[PathBuf],
    output: &Path,
    options: &InfoOptions,
    mut progress: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<InfoReport> {
    let mut job = Job::open(inputs, output, options, &mut progress)?;
    job.read()?;
    job.reduce()?;
    write_outputs(job, output)
}
