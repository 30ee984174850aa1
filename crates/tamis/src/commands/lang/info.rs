//! `tamis lang info`: what is expected of each page, from a URL index.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::anyhow;
use tamis_archive::Error;
use tamis_archive::cdx;
use tamis_archive::cdx::info::{InfoOptions, InfoReport};

use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::inputs::{self, Input, Wanted};
use crate::interrupt;
use crate::memory::Memory;
use crate::outcome::Outcome;
use crate::progress::{Progress, Work};
use crate::session::Session;
use crate::summary::Summary;

/// Bad lines reported.
const MOST_TOLD: usize = 10;
/// The sort uses no less.
const MIN_MEMORY: HumanSize = HumanSize(64 << 10);

/// The arguments of `tamis lang info`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
An index has lines of the form `surt timestamp {json}`, as published by Common Crawl (cdx-00000.gz …): plain, gzip or zstd. Each page \
becomes a line `url<TAB>languages<TAB>charset` in the info file of its archive, sorted by URL; archives.tsv \
in the folder lists the info file of each archive.

Memory does not grow with the index, nor do open files with the number of archives. After an interruption or a crash, the same \
command resumes.

Examples:
  tamis lang info cdx-00000.gz cdx-00001.gz -o info
  tamis lang info 'indexes/cdx-*.gz' -o info --memory 1G")]
pub(super) struct Args {
    /// Index files (CDXJ), folders of them, quoted globs, lists of paths (@list.txt)
    #[arg(value_name = "INDEX", required = true)]
    indexes: Vec<OsString>,
    /// Folder to write info files to
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Memory limit for the index: 192M, 2G, 10% of the machine [default: 192M]
    #[arg(long, value_name = "LIMIT")]
    memory: Option<Memory>,
}

pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let (found, problems) = inputs::expand(&args.indexes, Wanted::Indexes)?;
    for problem in &problems {
        session.printer.error(problem);
    }
    let total_bytes = found.total_bytes();
    let outcome = found.outcome();
    let files = found.list.into_iter().map(|input| match input {
        Input::File(path) => Ok(path),
        Input::Stdin => {
            Err(anyhow!("an index cannot be read from stdin, because it may be read more than once"))
                .hint("save it to a file")
        }
    });
    let files: Vec<PathBuf> = files.collect::<anyhow::Result<_>>()?;
    if files.is_empty() {
        return Ok(outcome);
    }
    let mut options = InfoOptions::default();
    if let Some(memory) = args.memory {
        options.memory_bytes = memory.at_least(MIN_MEMORY, "the sort")? as usize;
    }
    interrupt::watch();
    let report = {
        let work = Work { verb: "reading", item: "line", total_bytes, data_on_stdout: false };
        let progress = Progress::start(&session.printer, work);
        let mut read = 0;
        cdx::info::write_info_files(&files, &args.output, &options, |now| {
            if let cdx::info::Progress::Reading { bytes, .. } = now {
                progress.add(bytes.saturating_sub(read), 0);
                read = read.max(bytes);
            }
            if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    };
    let report = match report {
        Err(Error::Interrupted) => {
            interrupt::check()?;
            return Err(Error::Interrupted.into());
        }
        report => report?,
    };
    tell(args, &report, total_bytes, session);
    Ok(outcome.and(Outcome::of_skipped(report.bad_lines)))
}

fn tell(args: &Args, report: &InfoReport, bytes: Option<u64>, session: &Session) {
    for bad in report.kept_bad_lines.iter().take(MOST_TOLD) {
        session.printer.warn(bad);
    }
    let bytes = bytes.map(|bytes| format!(", {}", HumanSize(bytes))).unwrap_or_default();
    let mut summary = Summary::default();
    summary.read(HumanCount::of(report.lines, "line") + &bytes);
    summary.wrote(format_args!(
        "{} in {}",
        HumanCount::of(report.rows_written, "line"),
        HumanCount::of(u64::from(report.files), "file"),
    ));
    summary.dropped("bad lines", report.bad_lines);
    summary.dropped("repeated lines", report.rows.saturating_sub(report.rows_written));
    session.printer.summary(summary.went_to(args.output.display()));
}
