//! The runs of a sort: written, and merged by levels so that few are left.

use std::fs::File;
use std::io::Seek;
use std::path::{Path, PathBuf};

use super::chunk::Chunk;
use super::merge::{SortedLines, Source};
use super::run::RunWriter;
use super::sorting;
use crate::{Error, Result};

/// Lines that are merged between two calls of [`RunStore::step`].
const LINES_PER_STEP: u64 = 1 << 14;

/// Stores runs, and decides which of them count after a kill.
pub trait RunStore {
    /// Identifies a run.
    type Run;
    /// What stops the work.
    type Error: From<Error>;

    /// Begins a run.
    fn create(&mut self) -> Result<(Self::Run, File), Self::Error>;

    /// Opens a run at its start.
    fn open(&mut self, run: &Self::Run) -> Result<File, Self::Error>;

    /// These are all runs from now on. Those they were merged from are not needed any more.
    fn commit(&mut self, runs: &[LevelRun<Self::Run>]) -> Result<(), Self::Error>;

    /// Called from time to time while lines are merged, with their number since the last call. An error ends the work.
    fn step(&mut self, lines: u64) -> Result<(), Self::Error>;
}

/// A run, and how often its lines were merged. Only runs of one level are merged while lines come in, so that a line is
/// copied a logarithmic number of times.
#[derive(Debug, Clone)]
pub struct LevelRun<R> {
    /// Identifies the run.
    pub run: R,
    /// How often its lines were merged.
    pub level: u32,
    /// The number of its lines.
    pub lines: u64,
}

/// The sorted runs of a sort, the most often merged first.
#[derive(Debug)]
pub struct Runs<S: RunStore> {
    /// Stores the runs.
    pub store: S,
    /// The runs, in the order in which they were written.
    pub list: Vec<LevelRun<S::Run>>,
    /// The most runs that are merged at once.
    pub fan_in: usize,
    /// Whether equal lines are written once.
    pub unique: bool,
    /// The folder of the runs, named in errors.
    pub folder: PathBuf,
}

impl<S: RunStore> Runs<S> {
    /// Brings the lines of a chunk to a run and empties it, then merges runs while there are many of one level.
    pub fn add(&mut self, chunk: &mut Chunk) -> Result<(), S::Error> {
        chunk.sort();
        let (run, file) = self.store.create()?;
        let unique = self.unique;
        let lines = self.write(file, |out, _, folder| {
            let write = |at| out.push(chunk.line(at), unique);
            Ok((0..chunk.len()).try_for_each(write).map_err(sorting(folder))?)
        })?;
        self.list.push(LevelRun { run, level: 0, lines });
        chunk.clear();
        self.store.commit(&self.list)?;
        self.merge_full_levels()
    }

    /// Merges while there are many runs of one level.
    pub fn merge_full_levels(&mut self) -> Result<(), S::Error> {
        while self.last_level_is_full() {
            self.merge_last(self.fan_in)?;
        }
        Ok(())
    }

    /// Merges until one merge can read all runs.
    pub fn reduce(&mut self) -> Result<(), S::Error> {
        while self.list.len() > self.fan_in {
            // The last ones are the smallest, and no more of them than needed.
            self.merge_last(self.fan_in.min(self.list.len() - self.fan_in + 1))?;
        }
        Ok(())
    }

    /// All runs, opened, for a last merge.
    pub fn open_all(&mut self) -> Result<Vec<Source>, S::Error> {
        let count = self.list.len();
        self.open_last(count)
    }

    fn open_last(&mut self, count: usize) -> Result<Vec<Source>, S::Error> {
        let Self { store, list, folder, .. } = self;
        let first = list.len() - count;
        let open = |run: &LevelRun<S::Run>| Ok(Source::file(store.open(&run.run)?, folder)?);
        list[first..].iter().map(open).collect()
    }

    fn last_level_is_full(&self) -> bool {
        let level = self.list.last().map(|run| run.level);
        self.list.iter().rev().take_while(|run| Some(run.level) == level).count() >= self.fan_in
    }

    /// Merges the last `count` runs into one.
    fn merge_last(&mut self, count: usize) -> Result<(), S::Error> {
        let mut lines = SortedLines::merge(self.open_last(count)?, self.unique, &self.folder)?;
        let (run, file) = self.store.create()?;
        let unique = self.unique;
        let written = self.write(file, |out, store, folder| {
            let mut since = 0;
            while let Some(line) = lines.next_line()? {
                out.push(line, unique).map_err(sorting(folder))?;
                since += 1;
                if since == LINES_PER_STEP {
                    store.step(std::mem::take(&mut since))?;
                }
            }
            store.step(since)
        })?;
        let merged = self.list.split_off(self.list.len() - count);
        let level = merged.iter().map(|run| run.level + 1).max().unwrap_or_default();
        self.list.push(LevelRun { run, level, lines: written });
        self.store.commit(&self.list)
    }

    /// Fills a run's file and gives the number of its lines.
    fn write(
        &mut self,
        file: File,
        put: impl FnOnce(&mut RunWriter, &mut S, &Path) -> Result<(), S::Error>,
    ) -> Result<u64, S::Error> {
        let mut out = RunWriter::new(file).map_err(sorting(&self.folder))?;
        put(&mut out, &mut self.store, &self.folder)?;
        let (_, lines) = out.finish().map_err(sorting(&self.folder))?;
        Ok(lines)
    }
}

/// Runs in files without names, which vanish with the process.
#[derive(Debug)]
pub(super) struct Unnamed {
    pub(super) folder: PathBuf,
}

impl RunStore for Unnamed {
    type Run = File;
    type Error = Error;

    fn create(&mut self) -> Result<(File, File)> {
        let file = tempfile::tempfile_in(&self.folder).map_err(sorting(&self.folder))?;
        let same = file.try_clone().map_err(sorting(&self.folder))?;
        Ok((file, same))
    }

    fn open(&mut self, run: &File) -> Result<File> {
        let mut file = run.try_clone().map_err(sorting(&self.folder))?;
        file.rewind().map_err(sorting(&self.folder))?;
        Ok(file)
    }

    fn commit(&mut self, _: &[LevelRun<File>]) -> Result<()> {
        Ok(())
    }

    fn step(&mut self, _: u64) -> Result<()> {
        Ok(())
    }
}

/// How many runs may be merged at once within this much memory.
pub fn fan_in(memory_bytes: usize) -> usize {
    // The most files that are merged at once: each has a decoder of half a mebibyte.
    const MAX: usize = 64;
    (memory_bytes / (512 << 10)).clamp(2, MAX)
}
