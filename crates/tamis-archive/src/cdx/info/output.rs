//! Sorted runs to a file for each archive.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::names::Names;
use super::read::Job;
use super::work::sync_folder;
use super::{InfoReport, Progress};
use crate::cdx::sort::SortedLines;
use crate::{Error, Result};

/// After so many files, and no later than after so many rows, what is written is made to last.
const FILES_PER_SAVE: usize = 256;
const ROWS_PER_SAVE: u64 = 4 << 20;
/// So many rows are written between two words of progress.
const ROWS_PER_STEP: u64 = 1 << 16;

/// Merges the runs and writes the files that are not there yet.
pub(super) fn write_outputs(mut job: Job<'_>, output: &Path) -> Result<InfoReport> {
    let sources = job.runs.open_all()?;
    let mut lines = SortedLines::merge(sources, true, &job.runs.folder)?;
    lines.skip_below(&job.work().state.outputs.to_be_bytes())?;
    let names = Names::of(&job.archives);
    let mut outputs = Outputs { job, names, folder: output, unsaved: Vec::new(), unsaved_rows: 0 };
    outputs.write_all(&mut lines)?;
    drop(lines);
    outputs.save()?;
    let report = outputs.report();
    outputs.job.runs.store.work.finish(output)?;
    Ok(report)
}

struct Outputs<'j, 'p> {
    job: Job<'p>,
    names: Names,
    folder: &'j Path,
    /// Files written since the state was.
    unsaved: Vec<PathBuf>,
    unsaved_rows: u64,
}

/// The file of an archive, under another name until it is whole.
struct Part {
    archive: u32,
    out: BufWriter<File>,
    rows: u64,
}

impl Outputs<'_, '_> {
    fn write_all(&mut self, lines: &mut SortedLines) -> Result<()> {
        let mut part: Option<Part> = None;
        while let Some(row) = lines.next_line()? {
            let Some((archive, line)) = row.split_first_chunk() else { continue };
            let archive = u32::from_be_bytes(*archive);
            if part.as_ref().is_none_or(|part| part.archive != archive) {
                self.close(part.take())?;
                part = Some(self.begin(archive)?);
            }
            if let Some(part) = &mut part {
                part.rows += 1;
                part.out
                    .write_all(line)
                    .and_then(|()| part.out.write_all(b"\n"))
                    .map_err(Error::io(self.folder))?;
                if part.rows.is_multiple_of(ROWS_PER_STEP) {
                    self.tell()?;
                }
            }
        }
        self.close(part)
    }

    fn begin(&mut self, archive: u32) -> Result<Part> {
        let path = self.job.work().part_path();
        let file = File::create(&path).map_err(Error::io(&path))?;
        Ok(Part { archive, out: BufWriter::with_capacity(256 << 10, file), rows: 0 })
    }

    /// Gives a file its name and puts it on the list.
    fn close(&mut self, part: Option<Part>) -> Result<()> {
        let Some(Part { archive, out, rows }) = part else { return Ok(()) };
        let name = self.names.path(&self.job.archives, archive);
        let (path, from) = (self.folder.join(&name), self.job.work().part_path());
        let folder = path.parent().unwrap_or(self.folder);
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        out.into_inner().map_err(|error| Error::io(&from)(error.into_error()))?;
        fs::rename(&from, &path).map_err(Error::io(&path))?;
        let listed = format!("{name}\t{}\t{rows}\n", one_line(self.job.archives.name(archive)));
        let work = self.job.work();
        work.list(&listed)?;
        work.state.outputs = archive + 1;
        work.state.rows_written += rows;
        self.unsaved.push(path);
        self.unsaved_rows += rows;
        if self.unsaved.len() >= FILES_PER_SAVE || self.unsaved_rows >= ROWS_PER_SAVE {
            self.save()?;
        }
        self.tell()
    }

    /// Makes the files last, then the state that says that they are there.
    fn save(&mut self) -> Result<()> {
        for path in &self.unsaved {
            File::open(path).and_then(|file| file.sync_all()).map_err(Error::io(path))?;
        }
        let folders: BTreeSet<&Path> = self.unsaved.iter().filter_map(|path| path.parent()).collect();
        folders.into_iter().try_for_each(sync_folder)?;
        self.unsaved.clear();
        self.unsaved_rows = 0;
        self.job.work().save()
    }

    fn tell(&mut self) -> Result<()> {
        let (files, of) = (self.job.work().state.outputs, self.job.archives.len());
        self.job.runs.store.tell(Progress::Writing { files, of })
    }

    fn report(&mut self) -> InfoReport {
        let files = self.job.archives.len();
        let state = &self.job.work().state;
        InfoReport {
            lines: state.counts.lines,
            rows: state.counts.rows,
            rows_written: state.rows_written,
            files,
            bad_lines: state.counts.bad_lines,
            kept_bad_lines: state.bad_lines.clone(),
        }
    }
}

/// A name as a field of the list: a tab or line end in it would end the field.
fn one_line(name: &str) -> String {
    name.replace(|c: char| c.is_control(), "\u{fffd}")
}
