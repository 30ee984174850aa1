//! What went wrong, told.

use std::path::Path;

use tamis_archive::Severity;
use tamis_table::Pages;
use tamis_table::ledger::Discrepancy;
use tamis_table::query::QueryError;
use tamis_table::sink::SinkError;

use crate::archives::Told;
use crate::hint::WithHint;
use crate::outcome::Outcome;
use crate::printer::Printer;

/// A query's error, with its hint.
pub(in crate::commands) fn query_error(error: QueryError) -> anyhow::Error {
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
        if let Some(error) = pages.error(file) {
            bad += 1;
            printer.error(&anyhow::Error::msg(error));
        }
    }
    bad
}

/// Tells where what was read does not add up.
pub(in crate::commands) fn discrepancies(found: &[Discrepancy], pages: &Pages, printer: &Printer) -> Outcome {
    for discrepancy in found {
        let (file, what) = match discrepancy {
            Discrepancy::Missing { file, range } if range.end == u64::MAX => {
                (*file, format!("what follows offset {} was not read: rows may be missing", range.start))
            }
            Discrepancy::Missing { file, range } => (
                *file,
                format!("offsets {} to {} were not read: rows may be missing", range.start, range.end),
            ),
            Discrepancy::Doubled { file, start } => {
                (*file, format!("what follows offset {start} was read twice: rows may be doubled"))
            }
            Discrepancy::Parted { file, start } => (
                *file,
                format!(
                    "records around offset {start} were not found in order: rows may be missing or doubled"
                ),
            ),
        };
        let name = pages.members().get(file).map(|member| member.source.name()).unwrap_or_default();
        printer.error(&anyhow::anyhow!("{}: {what}", name.display()));
    }
    Outcome::of_skipped(found.len() as u64)
}
