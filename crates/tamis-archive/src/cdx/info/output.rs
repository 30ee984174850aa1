//! Sorted runs to a file for each archive.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use super::names::Names;
use super::read::Job;
use super::work::Work;
use super::{InfoReport, Progress};
use crate::{Error, Result};
use tamis_files::sort::SortedLines;

/// So many rows are written between two words of progress.
const ROWS_PER_STEP: u64 = 1 << 16;

/// Merges the runs and writes the files that are not there yet.
pub(super) fn write_outputs(mut job: Job<'_>, output: &Path) -> Result<InfoReport> {
    let sources = job.runs.open_all()?;
    let mut lines = SortedLines::merge(sources, true, &job.runs.folder)?;
    lines.skip_below(&job.work().written.files.to_be_bytes())?;
    let names = Names::of(&job.archives);
    let mut outputs = Outputs { job, names, folder: output };
    outputs.write_all(&mut lines)?;
    drop(lines);
    let report = outputs.report();
    outputs.job.runs.store.work.finish(output)?;
    Ok(report)
}

struct Outputs<'j, 'p> {
    job: Job<'p>,
    names: Names,
    folder: &'j Path,
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
        let file = out.into_inner().map_err(|error| Error::io(&from)(error.into_error()))?;
        let bytes = file.metadata().map_err(Error::io(&from))?.len();
        fs::rename(&from, &path).map_err(Error::io(&path))?;
        let Job { archives, runs, .. } = &mut self.job;
        runs.store.work.list(&name, archives.name(archive), rows, bytes)?;
        self.tell()
    }

    fn tell(&mut self) -> Result<()> {
        let (files, of) = (self.job.work().written.files, self.job.archives.len());
        self.job.runs.store.tell(Progress::Writing { files, of })
    }

    fn report(&mut self) -> InfoReport {
        let files = self.job.archives.len();
        let Work { state, written, .. } = self.job.work();
        InfoReport {
            lines: state.counts.lines,
            rows: state.counts.rows,
            rows_written: written.rows,
            files,
            bad_lines: state.counts.bad_lines,
            kept_bad_lines: state.bad_lines.clone(),
        }
    }
}
