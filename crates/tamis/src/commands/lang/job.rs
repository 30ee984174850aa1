//! The job: pages read, languages found, expectations joined, lines written.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use tamis_archive::Timestamp;
use tamis_table::language::{self, Expected};
use tamis_table::query::Engine;
use tamis_table::sink::SinkError;
use tamis_table::{Context, Pages};
use tamis_words::language::{Language, Tally};

use super::Args;
use super::parts::Parts;
use super::report::{FILE, Report};
use crate::commands::import::unpacked;
use crate::commands::query::{self, Table, Watch, told};
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::inputs::{self, Input, Wanted};
use crate::interrupt;
use crate::outcome::Outcome;
use crate::picture;
use crate::progress::{Progress, Work};
use crate::session::Session;
use crate::summary::Summary;

/// So many lines of info files that could not be read are told.
const MOST_TOLD: usize = 10;

/// Finds the languages of pages.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    picture::check(&args.plot, args.force)?;
    let chosen = args.detector.choose()?;
    let expected = args.expected()?;
    let jobs = args.jobs.count(&session.config);
    let context = Context { detector: chosen.detector, ..Context::default() };
    let Table { pages, found } = Table::open(&args.inputs, jobs, &context, session)?;
    if pages.members().is_empty() {
        return Ok(found);
    }
    let spill = query::spill_folder()?;
    let settings = query::settings(args.memory, jobs, spill.path(), session)?;
    let engine = Engine::new(settings).map_err(told::query_error)?;
    let prepared = language::prepare(&engine, &pages, expected.clone()).map_err(told::query_error)?;
    let folder = args.folder();
    let mut parts = match &folder {
        Some(folder) => Parts::create(folder, args.force, args.format, args.partitions)?,
        None => Parts::stdout(session.printer.out(), args.format)?,
    };
    let started = Instant::now();
    let mut counted = Counted::default();
    counted.read(&engine, &prepared, &pages, &mut parts, session)?;
    counted.damage = told::count_faults(&pages, &session.printer);
    let discrepancies = told::discrepancies(&prepared.audit(), &pages, &session.printer);
    counted.bad_info_lines = tell_info_faults(expected.as_deref(), session);
    let files = pages.members().len() as u64;
    let report = Report::new(
        &chosen.name,
        files,
        &counted,
        started.elapsed(),
        crate::commands::new::now().to_string(),
    );
    parts.finish(&[(FILE, report.to_json()?)])?;
    for path in &args.plot {
        picture::write(path, args.force, &report.bars().svg())?;
    }
    tell(&report, folder.as_deref(), session)?;
    Ok(found.and(discrepancies).and(Outcome::of_skipped(counted.damage + counted.bad_info_lines)))
}

/// What the job sums up.
#[derive(Default)]
pub(super) struct Counted {
    pub(super) tally: Tally,
    /// On how many pages each language was found.
    pub(super) found: BTreeMap<Language, u64>,
    /// Pages that no language was found on.
    pub(super) without_language: u64,
    pub(super) text_bytes: u64,
    /// Faults of archives, which may have cost pages.
    pub(super) damage: u64,
    pub(super) bad_info_lines: u64,
}

impl Counted {
    fn read(
        &mut self,
        engine: &Engine,
        prepared: &tamis_table::query::Prepared,
        pages: &Pages,
        parts: &mut Parts<'_>,
        session: &Session,
    ) -> anyhow::Result<()> {
        let total_bytes = pages.members().iter().map(|member| member.source.len()).sum();
        let work = Work { verb: "reading", item: "page", total_bytes, data_on_stdout: false };
        let watch = Watch::new(Progress::start(&session.printer, work), pages, engine.stop());
        let mut failure: Result<(), SinkError> = Ok(());
        let ran = watch.over(|_| {
            engine.run(prepared, &mut |batch| {
                failure = language::lines(&batch).iter().try_for_each(|line| {
                    self.tally.add(&line.answer.languages, &line.expected);
                    self.without_language += u64::from(line.answer.languages.is_empty());
                    for language in &line.answer.languages {
                        *self.found.entry(*language).or_default() += 1;
                    }
                    self.text_bytes += line.bytes;
                    parts.write(line)
                });
                if failure.is_err() || interrupt::requested() {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            })
        });
        drop(watch);
        interrupt::check()?;
        failure.map_err(told::sink_error(None))?;
        ran.map_err(told::query_error)
    }
}

impl Args {
    /// Where lines go: a folder, or stdout.
    fn folder(&self) -> Option<PathBuf> {
        match &self.output {
            Some(path) if path == Path::new("-") => None,
            Some(path) => Some(path.clone()),
            None => Some(PathBuf::from(named_after(crate::commands::new::now()))),
        }
    }

    /// The info files, if any are given.
    fn expected(&self) -> anyhow::Result<Option<Arc<Expected>>> {
        if self.info.is_empty() {
            return Ok(None);
        }
        let (found, problems) = inputs::expand(&self.info, Wanted::Infos)?;
        // Without what it is compared with, a report would say that all is well.
        if let Some(problem) = problems.into_iter().next() {
            return Err(problem);
        }
        let files = found.list.into_iter().map(|input| match input {
            Input::File(path) => Ok(path),
            Input::Stdin => anyhow::bail!("info files cannot be read from stdin"),
        });
        Ok(Some(Arc::new(Expected::new(files.collect::<Result<_, _>>()?, unpacked))))
    }
}

/// Prints the report, and what was done.
fn tell(report: &Report, folder: Option<&Path>, session: &Session) -> anyhow::Result<()> {
    let Some(folder) = folder else {
        let mut text = Vec::new();
        report.print(&mut text, session.printer.err_palette())?;
        session.printer.say(String::from_utf8_lossy(&text).trim_end());
        return Ok(());
    };
    let mut out = session.printer.out();
    report.print(&mut out, session.printer.out_palette()).context("cannot write the report")?;
    out.flush()?;
    let mut summary = Summary::default();
    summary.read(
        HumanCount::of(report.files, "archive") + &format!(", {}", HumanSize(report.text_bytes)) + " of text",
    );
    summary
        .wrote(HumanCount::of(report.pages, "line"))
        .dropped("bad lines of info files", report.bad_info_lines);
    session.printer.summary(summary.went_to(folder.display()));
    Ok(())
}

/// `yyyyMMdd_HHmmss`, as the reference names its folders.
fn named_after(now: Timestamp) -> String {
    let digits: String = now.to_string().chars().filter(char::is_ascii_digit).take(14).collect();
    format!("{}_{}", &digits[..8], &digits[8..])
}

/// Tells the lines of info files that could not be read. Gives how many there were.
fn tell_info_faults(expected: Option<&Expected>, session: &Session) -> u64 {
    let Some(expected) = expected else { return 0 };
    let (faults, count) = expected.faults();
    for fault in faults.iter().take(MOST_TOLD) {
        session.printer.error(&anyhow::Error::msg(fault.to_string()));
    }
    if count > MOST_TOLD as u64 {
        session.printer.warn(format_args!("{} more bad lines in info files", count - MOST_TOLD as u64));
    }
    count
}
