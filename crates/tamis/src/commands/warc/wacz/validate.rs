//! `tamis warc wacz validate`: whether packages and the archives in them are sound.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use serde_json::json;
use tamis_archive::http::DecodeLimits;
use tamis_archive::wacz::{self, WaczProblem, WaczReport};
use tamis_archive::{Severity, Source};

use super::ls::package;
use crate::archives::Archives;
use crate::commands::warc::check::{self, Format, labelled, outcome_name, severity_name, verdict};
use crate::commands::warc::printable::printable;
use crate::human_count::HumanCount;
use crate::inputs::InputArgs;
use crate::jobs::JobsArgs;
use crate::outcome::Outcome;
use crate::packages;
use crate::printer::Verbosity;
use crate::session::Session;

/// The arguments of `tamis warc wacz validate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: 0 valid, 1 problems found, 2 an input could not be read.\n\n\
    Checks the required files, the digest of each file, the page list, and names that point outside the package, then each \
    archive in it like `tamis warc check`. Signatures are not checked (shown with -v).\n\n\
    jsonl prints one line per package, then one per archive in it, as `tamis warc check` does.")]
pub(super) struct Args {
    #[command(flatten)]
    inputs: InputArgs,
    #[command(flatten)]
    jobs: JobsArgs,
    /// Do not read the records of the archives
    #[arg(long)]
    quick: bool,
    /// Fail only on damage, not on violations of a standard
    #[arg(long)]
    damage_only: bool,
    /// Output format: text, or jsonl
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// Checks packages.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let inputs = args.inputs.expand(&session.printer)?;
    let mut outcome = Outcome::of_skipped(inputs.skipped);
    let (mut checked, mut refused) = (0_u64, 0_u64);
    for input in &inputs.list {
        let opened = package(input).and_then(|path| {
            let report = wacz::validate(path, DecodeLimits::default());
            Ok((path, report.map_err(|error| packages::explain(path, error))?))
        });
        let result = match opened {
            Ok((path, report)) => check_package(args, path, &report, session)?,
            Err(error) => {
                session.printer.error(&error);
                outcome = Outcome::Skipped;
                continue;
            }
        };
        checked += 1;
        refused += u64::from(result != Outcome::Done);
        outcome = outcome.and(result);
    }
    session.printer.say(format_args!(
        "{}: {} valid, {refused} with problems",
        HumanCount::of(checked, "package"),
        HumanCount(checked - refused),
    ));
    Ok(outcome)
}

/// Prints what is wrong with a package, and checks the archives in it.
fn check_package(
    args: &Args,
    path: &Path,
    report: &WaczReport,
    session: &Session,
) -> anyhow::Result<Outcome> {
    match args.format {
        Format::Text => print_text(path, report, session)?,
        Format::Jsonl => print_json(path, report, session)?,
    }
    let floor = if args.damage_only { Severity::Damage } else { Severity::Violation };
    let is_refused = worst(report).is_some_and(|worst| worst >= floor);
    let answer = if is_refused { Outcome::Negative } else { Outcome::Done };
    // Archives that share bytes are not read; the report has said so.
    let sources: Vec<Source> = if args.quick { Vec::new() } else { packages::contents(path).sources };
    if sources.is_empty() {
        return Ok(answer);
    }
    let archives = Archives::of(sources, args.jobs.count(&session.config));
    let checked = check::check(&archives, session, args.format, floor)?;
    Ok(answer.and(checked.outcome()))
}

fn worst(report: &WaczReport) -> Option<Severity> {
    report.problems.iter().map(WaczProblem::severity).max()
}

/// How many problems there are of each kind that matters.
fn counts(report: &WaczReport) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for problem in report.problems.iter().filter(|problem| problem.severity() > Severity::Note) {
        *counts.entry(problem.code()).or_default() += 1;
    }
    counts
}

fn print_text(path: &Path, report: &WaczReport, session: &Session) -> anyhow::Result<()> {
    let (path, palette) = (path.display(), session.printer.out_palette());
    let mut out = session.printer.out();
    for problem in &report.problems {
        let severity = problem.severity();
        if severity > Severity::Note || session.printer.verbosity() == Verbosity::Verbose {
            let problem = problem.to_string();
            writeln!(out, "{path}: {}: {}", labelled(severity, palette), printable(&problem))?;
        }
    }
    let counts: Vec<String> =
        counts(report).iter().map(|(code, count)| format!("{} {code}", HumanCount(*count))).collect();
    let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
    writeln!(
        out,
        "{path}: {}, {}, {}{counts}",
        verdict(worst(report), palette),
        HumanCount::of(report.entries as u64, "file"),
        HumanCount::of(report.verified as u64, "digest"),
    )?;
    Ok(())
}

fn print_json(path: &Path, report: &WaczReport, session: &Session) -> anyhow::Result<()> {
    let detail = |problem: &WaczProblem| {
        json!({
            "severity": severity_name(problem.severity()),
            "code": problem.code(),
            "message": problem.to_string(),
        })
    };
    let line = json!({
        "package": path.to_string_lossy(),
        "outcome": outcome_name(worst(report)),
        "files": report.entries,
        "digests": report.verified,
        "problems": counts(report),
        "details": report.problems.iter().map(detail).collect::<Vec<_>>(),
    });
    writeln!(session.printer.out(), "{line}")?;
    Ok(())
}
