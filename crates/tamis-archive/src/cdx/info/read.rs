//! Index lines to sorted runs.

use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::archives::Archives;
use super::lines::{IndexLines, Next};
use super::row::Row;
use super::state::StoredRun;
use super::work::Work;
use super::{BadIndexLine, InfoOptions, Progress};
use crate::{Error, Result};
use tamis_files::sort::{Chunk, LevelRun, RunStore, Runs, fan_in};

/// How many bad lines are kept with their reason. The rest is only counted.
const MAX_KEPT_BAD_LINES: usize = 1000;
/// The least memory for rows and names.
const MIN_MEMORY_BYTES: usize = 64 << 10;
/// So many lines are read between two words of progress.
const LINES_PER_STEP: u64 = 1 << 14;

/// A job on its way.
pub(super) struct Job<'p> {
    pub(super) runs: Runs<WorkRuns<'p>>,
    pub(super) archives: Archives,
    /// How many of the archives are in the work folder.
    stored_archives: u32,
    memory_bytes: usize,
    chunk: Chunk,
}

/// Runs in the work folder, with a state that tells which of them count.
pub(super) struct WorkRuns<'p> {
    pub(super) work: Work,
    progress: &'p mut dyn FnMut(Progress) -> ControlFlow<()>,
    merged: u64,
}

impl<'p> Job<'p> {
    pub(super) fn open(
        inputs: &[PathBuf],
        output: &Path,
        options: &InfoOptions,
        progress: &'p mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Self> {
        let (work, archives) = Work::open(output, inputs)?;
        let memory_bytes = options.memory_bytes.max(MIN_MEMORY_BYTES);
        let stored = work.state.runs.iter();
        let list = stored.map(|&StoredRun { id, level, lines }| LevelRun { run: id, level, lines }).collect();
        let folder = work.folder().to_path_buf();
        let store = WorkRuns { work, progress, merged: 0 };
        let runs = Runs { store, list, fan_in: fan_in(memory_bytes), unique: true, folder };
        let stored_archives = archives.len();
        Ok(Self { runs, archives, stored_archives, memory_bytes, chunk: Chunk::default() })
    }

    /// Reads what is left of the inputs.
    pub(super) fn read(&mut self) -> Result<()> {
        // A merge that was not finished is first, so that runs are the same as those of an undisturbed job.
        self.runs.merge_full_levels()?;
        let mut row = Vec::new();
        while let Some(path) = self.work().state.input_path().map(Path::to_path_buf) {
            let lines = IndexLines::open(&path, self.work().state.place)?;
            self.read_file(&path, lines, &mut row)?;
        }
        Ok(())
    }

    /// Merges until one merge can read all runs. The memory for rows is free from here on.
    pub(super) fn reduce(&mut self) -> Result<()> {
        self.chunk = Chunk::default();
        self.runs.reduce()
    }

    pub(super) fn work(&mut self) -> &mut Work {
        &mut self.runs.store.work
    }

    /// Reads a file from its place on. Its last rows are brought to a run with the last file of all.
    fn read_file(&mut self, path: &Path, mut lines: IndexLines, row: &mut Vec<u8>) -> Result<()> {
        let state = &self.runs.store.work.state;
        let (before, of) = (state.bytes_before(state.input), state.input_bytes());
        let mut until_step = LINES_PER_STEP;
        loop {
            let place = lines.place();
            let next = match lines.next_line().map_err(Error::io(path))? {
                Next::End => break,
                Next::TooLong => Err("longer than 1 MiB"),
                Next::Line(line) => Row::of_line(line),
            };
            match next {
                Ok(Some(found)) => {
                    self.put_row(&found, row);
                    if !self.chunk.has_room(row, self.room()?) && !self.chunk.is_empty() {
                        self.work().state.place = place;
                        self.spill()?;
                    }
                    self.chunk.push(row);
                    self.work().state.counts.rows += 1;
                }
                Ok(None) => {}
                Err(why) => self.bad_line(path, place.lines + 1, why.into()),
            }
            self.work().state.counts.lines += 1;
            // Behind the line that they were met with: a job that goes on before that line meets them again.
            self.report_faults(path, &mut lines);
            until_step -= 1;
            if until_step == 0 {
                until_step = LINES_PER_STEP;
                self.runs.store.tell(Progress::Reading { bytes: before + lines.bytes_read(), of })?;
            }
        }
        self.report_faults(path, &mut lines);
        self.next_file()
    }

    /// Goes to the next file. The state is kept in memory: what is in the chunk is not yet in a run.
    fn next_file(&mut self) -> Result<()> {
        let state = &mut self.runs.store.work.state;
        state.input += 1;
        state.place = super::lines::Place::default();
        let (bytes, of) = (state.bytes_before(state.input), state.input_bytes());
        if state.input_path().is_none() {
            self.spill()?;
        }
        self.runs.store.tell(Progress::Reading { bytes, of })
    }

    /// Makes a row that sorts by archive and URL: the archive's number and the line of its file.
    fn put_row(&mut self, found: &Row<'_>, row: &mut Vec<u8>) {
        row.clear();
        row.extend_from_slice(&self.archives.number(&found.archive).to_be_bytes());
        put_clean(row, &found.url);
        row.push(b'\t');
        put_clean(row, &found.languages);
        row.push(b'\t');
        put_clean(row, &found.charset);
    }

    /// The memory that is left for rows.
    fn room(&self) -> Result<usize> {
        let names = self.archives.memory_bytes();
        if names > self.memory_bytes / 2 {
            let count = self.archives.len();
            let why = format!(
                "the names of {count} archives take {names} bytes, more than half of the memory limit"
            );
            let hint = "raise the memory limit and run the command again; it resumes";
            return Err(Error::Folder { path: self.runs.folder.clone(), why, hint });
        }
        Ok(self.memory_bytes - names)
    }

    /// Brings the rows in memory to a run. The state says what comes behind them.
    fn spill(&mut self) -> Result<()> {
        let names = (self.stored_archives..self.archives.len()).map(|number| self.archives.name(number));
        self.runs.store.work.add_archives(names)?;
        self.stored_archives = self.archives.len();
        self.runs.add(&mut self.chunk)
    }

    fn report_faults(&mut self, path: &Path, lines: &mut IndexLines) {
        for why in lines.take_faults() {
            self.bad_line(path, lines.place().lines + 1, why);
        }
    }

    fn bad_line(&mut self, path: &Path, line: u64, why: String) {
        let state = &mut self.work().state;
        state.counts.bad_lines += 1;
        if state.bad_lines.len() < MAX_KEPT_BAD_LINES {
            state.bad_lines.push(BadIndexLine { path: path.into(), line, why });
        }
    }
}

impl WorkRuns<'_> {
    /// Tells how far the work is; an error if that is far enough.
    pub(super) fn tell(&mut self, progress: Progress) -> Result<()> {
        match (self.progress)(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Interrupted),
        }
    }
}

impl RunStore for WorkRuns<'_> {
    type Error = Error;
    type Run = u64;

    fn create(&mut self) -> Result<(u64, File)> {
        let id = self.work.state.next_run;
        self.work.state.next_run += 1;
        let path = self.work.run_path(id);
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path);
        Ok((id, file.map_err(Error::io(&path))?))
    }

    fn open(&mut self, run: &u64) -> Result<File> {
        let path = self.work.run_path(*run);
        File::open(&path).map_err(Error::io(&path))
    }

    fn commit(&mut self, runs: &[LevelRun<u64>]) -> Result<()> {
        if let Some(newest) = runs.last() {
            let path = self.work.run_path(newest.run);
            File::open(&path).and_then(|file| file.sync_all()).map_err(Error::io(&path))?;
        }
        let stored = runs.iter().map(|run| StoredRun { id: run.run, level: run.level, lines: run.lines });
        let before = std::mem::replace(&mut self.work.state.runs, stored.collect());
        self.work.save()?;
        for gone in before.iter().filter(|run| !self.work.state.runs.contains(run)) {
            let path = self.work.run_path(gone.id);
            fs::remove_file(&path).map_err(Error::io(&path))?;
        }
        self.tell(Progress::Merging { rows: self.merged })
    }

    fn step(&mut self, lines: u64) -> Result<()> {
        self.merged += lines;
        self.tell(Progress::Merging { rows: self.merged })
    }
}

/// Adds text without characters that would end a field or a line: those are percent-encoded, as a URL has them.
fn put_clean(row: &mut Vec<u8>, text: &str) {
    let is_control = |byte: u8| byte < b' ' || byte == 0x7f;
    if !text.bytes().any(is_control) {
        row.extend_from_slice(text.as_bytes());
        return;
    }
    for byte in text.bytes() {
        if is_control(byte) {
            row.extend_from_slice(percent_encoding::percent_encode_byte(byte).as_bytes());
        } else {
            row.push(byte);
        }
    }
}
