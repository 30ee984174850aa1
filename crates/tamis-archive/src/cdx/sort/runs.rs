//! The runs of a sort: written, and merged by levels so that few are left.

use std::fs::File;
use std::io::Seek;
use std::path::{Path, PathBuf};

use super::chunk::Chunk;
use super::merge::{SortedLines, Source};
use super::run::RunWriter;
use crate::{Error, Result};

/// So many lines are merged between two words to the store.
const LINES_PER_STEP: u64 = 1 << 14;

/// Where runs lie, and what lasts of them.
pub(in crate::cdx) trait RunStore {
    /// What a run is found by.
    type Run;

    /// Begins a run.
    fn create(&mut self) -> Result<(Self::Run, File)>;

    /// Opens a run at its start.
    fn open(&mut self, run: &Self::Run) -> Result<File>;

    /// These are all runs from now on. Those they were merged from are not needed any more.
    fn commit(&mut self, runs: &[LevelRun<Self::Run>]) -> Result<()>;

    /// Told from time to time while lines are merged, how many since the last time. An error ends the work.
    fn step(&mut self, lines: u64) -> Result<()>;
}

/// A run, and how often its lines were merged. Only runs of one level are merged while lines come in, so that a line is
/// copied a logarithmic number of times.
#[derive(Debug, Clone)]
pub(in crate::cdx) struct LevelRun<R> {
    pub(in crate::cdx) run: R,
    pub(in crate::cdx) level: u32,
    pub(in crate::cdx) lines: u64,
}

/// The sorted runs of a sort, the most often merged first.
#[derive(Debug)]
pub(in crate::cdx) struct Runs<S: RunStore> {
    pub(in crate::cdx) store: S,
    pub(in crate::cdx) list: Vec<LevelRun<S::Run>>,
    pub(in crate::cdx) fan_in: usize,
    pub(in crate::cdx) unique: bool,
    pub(in crate::cdx) folder: PathBuf,
}

impl<S: RunStore> Runs<S> {
    /// Brings the lines of a chunk to a run and empties it, then merges runs while there are many of one level.
    pub(in crate::cdx) fn add(&mut self, chunk: &mut Chunk) -> Result<()> {
        chunk.sort();
        let (run, file) = self.store.create()?;
        let unique = self.unique;
        let lines = self.write(file, |out, _, folder| {
            (0..chunk.len()).try_for_each(|at| out.push(chunk.line(at), unique)).map_err(Error::io(folder))
        })?;
        self.list.push(LevelRun { run, level: 0, lines });
        chunk.clear();
        self.store.commit(&self.list)?;
        self.merge_full_levels()
    }

    /// Merges while there are many runs of one level.
    pub(in crate::cdx) fn merge_full_levels(&mut self) -> Result<()> {
        while self.last_level_is_full() {
            self.merge_last(self.fan_in)?;
        }
        Ok(())
    }

    /// Merges until one merge can read all runs.
    pub(in crate::cdx) fn reduce(&mut self) -> Result<()> {
        while self.list.len() > self.fan_in {
            // The last ones are the smallest, and no more of them than needed.
            self.merge_last(self.fan_in.min(self.list.len() - self.fan_in + 1))?;
        }
        Ok(())
    }

    /// All runs, opened, for a last merge.
    pub(in crate::cdx) fn open_all(&mut self) -> Result<Vec<Source>> {
        let count = self.list.len();
        self.open_last(count)
    }

    fn open_last(&mut self, count: usize) -> Result<Vec<Source>> {
        let Self { store, list, folder, .. } = self;
        let first = list.len() - count;
        list[first..].iter().map(|run| Source::file(store.open(&run.run)?, folder)).collect()
    }

    fn last_level_is_full(&self) -> bool {
        let level = self.list.last().map(|run| run.level);
        self.list.iter().rev().take_while(|run| Some(run.level) == level).count() >= self.fan_in
    }

    /// Merges the last `count` runs into one.
    fn merge_last(&mut self, count: usize) -> Result<()> {
        let mut lines = SortedLines::merge(self.open_last(count)?, self.unique, &self.folder)?;
        let (run, file) = self.store.create()?;
        let unique = self.unique;
        let written = self.write(file, |out, store, folder| {
            let mut since = 0;
            while let Some(line) = lines.next_line()? {
                out.push(line, unique).map_err(Error::io(folder))?;
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
        put: impl FnOnce(&mut RunWriter, &mut S, &Path) -> Result<()>,
    ) -> Result<u64> {
        let mut out = RunWriter::new(file).map_err(Error::io(&self.folder))?;
        put(&mut out, &mut self.store, &self.folder)?;
        let (_, lines) = out.finish().map_err(Error::io(&self.folder))?;
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

    fn create(&mut self) -> Result<(File, File)> {
        let file = tempfile::tempfile_in(&self.folder).map_err(Error::io(&self.folder))?;
        let same = file.try_clone().map_err(Error::io(&self.folder))?;
        Ok((file, same))
    }

    fn open(&mut self, run: &File) -> Result<File> {
        let mut file = run.try_clone().map_err(Error::io(&self.folder))?;
        file.rewind().map_err(Error::io(&self.folder))?;
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
pub(in crate::cdx) fn fan_in(memory_bytes: usize) -> usize {
    // The most files that are merged at once: each has a decoder of half a mebibyte.
    const MAX: usize = 64;
    (memory_bytes / (512 << 10)).clamp(2, MAX)
}
