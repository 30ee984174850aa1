//! What went wrong, told.

use std::path::Path;

use tamis_archive::Severity;
use tamis_table::Pages;
use tamis_table::ledger::Discrepancy;
use tamis_table::query::QueryError;
use tamis_table::sink::SinkError;

use crate::archives::Told;
use crate::command_line;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::outcome::Outcome;
use crate::printer::Printer;

/// A query's error, with its hint.
pub(in crate::commands) fn query_error(error: QueryError) -> anyhow::Error {
    if let QueryError::Duplicates(unreadable) = &error {
        let collection = unreadable.path.ancestors().nth(2).unwrap_or(Path::new("COLLECTION"));
        let redo = [Path::new("tamis"), Path::new("dedup"), collection, Path::new("--redo")];
        return anyhow::Error::from(unreadable.clone())
            .hint(format!("`{}` finds duplicates again", command_line::join(redo)));
    }
    let hint = error.hint().map(str::to_owned);
    let error = anyhow::Error::from(error);
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

/// The error of rows on their way to a file or to stdout. That of a stream is passed on as it is, for a closed stdout is
/// known by it.
pub(in crate::commands) fn sink_error(to: Option<&Path>) -> impl Fn(SinkError) -> anyhow::Error {
    move |error| match (error, to) {
        (SinkError::Io(error), Some(path)) => {
            anyhow::Error::from(error).context(format!("cannot write {}", path.display()))
        }
        (SinkError::Io(error), None) => anyhow::Error::from(error).context("cannot write the rows"),
        (error, _) => error.into(),
    }
}

/// Reports everything that an answer did not see: faults, captures without a verdict, cut pages, ranges that do not join.
pub(in crate::commands) fn incomplete(audit: &[Discrepancy], pages: &Pages, printer: &Printer) -> Outcome {
    seen(audit, pages, printer).and(uncompared(pages, printer)).and(unscored(pages, printer))
}

/// The same for answers that make verdicts: without captures that lack one.
pub(in crate::commands) fn seen(audit: &[Discrepancy], pages: &Pages, printer: &Printer) -> Outcome {
    faults(pages, printer).and(discrepancies(audit, pages, printer))
}

/// Tells what was wrong with the archives.
pub(in crate::commands) fn faults(pages: &Pages, printer: &Printer) -> Outcome {
    Outcome::of_skipped(count_faults(pages, printer))
}

/// Tells the faults of archives, and gives how many there are.
pub(in crate::commands) fn count_faults(pages: &Pages, printer: &Printer) -> u64 {
    let mut bad = 0;
    for (file, member) in pages.members().iter().enumerate() {
        let source = &member.source;
        let mut told = Told::default();
        for faults in pages.faults(file) {
            bad += faults.counts().of_severity(Severity::Damage);
            told.tell(printer, source, &faults);
        }
        told.tell_rest(printer, source);
        if told.is_empty() && member.known_faults > 0 {
            bad += member.known_faults;
            printer.warn(format_args!(
                "{}: {} found on import; `{}` lists them",
                source.name().display(),
                HumanCount::of(member.known_faults, "fault"),
                command_line::join([
                    Path::new("tamis"),
                    Path::new("warc"),
                    Path::new("check"),
                    &source.name()
                ]),
            ));
        }
        for lost in pages.lost_parts(file) {
            bad += 1;
            printer.warn(format_args!(
                "{}: {}; its archive was read instead; `{}` removes it, and `tamis clean` computes it again",
                lost.path.display(),
                lost.reason,
                command_line::join([
                    Path::new("tamis"),
                    Path::new("archives"),
                    Path::new("repair"),
                    lost.path.ancestors().nth(2).unwrap_or(Path::new("COLLECTION")),
                ]),
            ));
        }
        let oversized = pages.oversized(file);
        if oversized > 0 {
            bad += oversized;
            let limit = member.context.limits.page_bytes;
            warn_of_oversized(&source.name().to_string_lossy(), oversized, limit, printer);
        }
        if let Some(error) = pages.error(file) {
            bad += 1;
            printer.error(&anyhow::Error::msg(error));
        }
    }
    bad
}

/// Reports how many pages of an archive are larger than the limit.
pub(in crate::commands) fn warn_of_oversized(archive: &str, pages: u64, limit: u64, printer: &Printer) {
    let (pages, limit) = (HumanCount::of(pages, "page"), HumanSize(limit));
    printer.warn(format_args!("{archive}: {pages} larger than {limit}; only the beginning was read"));
}

/// Reports how many captures the answer saw that `dedup` has not compared, if it uses what `dedup` found.
pub(in crate::commands) fn uncompared(pages: &Pages, printer: &Printer) -> Outcome {
    let counts: Vec<u64> = (0..pages.members().len()).map(|file| pages.uncompared(file)).collect();
    let captures: u64 = counts.iter().sum();
    if captures > 0 {
        let archives = counts.iter().filter(|&&count| count > 0).count() as u64;
        printer.warn(format_args!(
            "{} of {} not compared yet, so their duplicates are unknown; `tamis dedup COLLECTION` compares them",
            HumanCount::of(captures, "capture"),
            HumanCount::of(archives, "archive"),
        ));
    }
    Outcome::of_skipped(captures)
}

/// Reports how many captures the answer saw that the model of the event has not judged, if it uses relevance.
fn unscored(pages: &Pages, printer: &Printer) -> Outcome {
    let counts: Vec<u64> = (0..pages.members().len()).map(|file| pages.unscored(file)).collect();
    let captures: u64 = counts.iter().sum();
    if captures > 0 {
        let archives = counts.iter().filter(|&&count| count > 0).count() as u64;
        printer.warn(format_args!(
            "{} of {} not judged by the present model of the event, as relevance.jsonl says, so which of them are relevant is not known; `tamis focus judge COLLECTION` judges them",
            HumanCount::of(captures, "capture"),
            HumanCount::of(archives, "archive"),
        ));
    }
    Outcome::of_skipped(captures)
}

/// Tells where what was read does not add up.
pub(in crate::commands) fn discrepancies(found: &[Discrepancy], pages: &Pages, printer: &Printer) -> Outcome {
    for discrepancy in found {
        let (file, what) = match discrepancy {
            Discrepancy::Missing { file, range } if range.end == u64::MAX => {
                (*file, format!("nothing after offset {} was read: rows may be missing", range.start))
            }
            Discrepancy::Missing { file, range } => (
                *file,
                format!("offsets {} to {} were not read: rows may be missing", range.start, range.end),
            ),
            Discrepancy::Doubled { file, start } => {
                (*file, format!("records after offset {start} were read twice: rows may be duplicated"))
            }
            Discrepancy::Parted { file, start } => (
                *file,
                format!("records around offset {start} are out of order: rows may be missing or duplicated"),
            ),
        };
        let name = pages.members().get(file).map(|member| member.source.name()).unwrap_or_default();
        printer.error(&anyhow::anyhow!("{}: {what}", name.display()));
    }
    Outcome::of_skipped(found.len() as u64)
}
