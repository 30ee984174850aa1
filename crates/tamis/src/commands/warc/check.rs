//! `tamis warc check`: whether archives are sound, and what is wrong where.

use std::collections::BTreeMap;
use std::io::Write;

use clap::ValueEnum;
use serde_json::json;
use tamis_archive::{Fault, FaultKind, FileRules, HeadFacts, Reader, Severity, Source, Verifier, check_head};

use crate::archives::{ArchiveArgs, Archives};
use crate::human_count::HumanCount;
use crate::outcome::Outcome;
use crate::palette::{Palette, paint};
use crate::printer::Verbosity;
use crate::progress::Work;
use crate::session::Session;

/// So many faults of a kind are listed for a file, unless all are asked for.
const LISTED: u64 = 10;

/// So many faults of a file are kept for its line of JSON.
const DETAILED: usize = 1000;

/// The arguments of `tamis warc check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: 0 all sound, 1 faults found, 2 an input could not be read.\n\n\
    Damage means bytes that are missing, changed or in doubt; a violation breaks the standard and loses nothing; \
    a note breaks no rule and is shown with -v only. `tamis warc repair` writes a sound archive of what is whole.")]
pub(super) struct Args {
    #[command(flatten)]
    archives: ArchiveArgs,
    /// Refuse damage only, not what merely breaks the standard
    #[arg(long)]
    damage_only: bool,
    /// How to print: text, or jsonl with a line a file
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(super) enum Format {
    #[default]
    Text,
    Jsonl,
}

/// How many archives were checked, and what came of it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Checked {
    pub(super) records: u64,
    pub(super) files: u64,
    /// Files with a fault that is grave enough.
    pub(super) refused: u64,
    /// Inputs that could not be read.
    pub(super) skipped: u64,
}

/// What a piece of an archive gave.
#[derive(Default)]
struct Piece {
    records: u64,
    digests: u64,
    faults: Vec<Fault>,
    facts: Vec<(u64, HeadFacts)>,
}

/// What is known of the archive that is being checked.
#[derive(Default)]
struct Report {
    records: u64,
    digests: u64,
    counts: BTreeMap<&'static str, (Severity, u64)>,
    details: Vec<Fault>,
    rules: FileRules,
    is_unreadable: bool,
}

/// Checks archives.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let archives = args.archives.open(session)?;
    let floor = if args.damage_only { Severity::Damage } else { Severity::Violation };
    let checked = check(&archives, session, args.format, floor)?;
    let Checked { records, files, refused, .. } = checked;
    session.printer.say(format_args!(
        "{} of {}: {}, {refused} refused",
        HumanCount::of(records, "record"),
        HumanCount::of(files, "file"),
        HumanCount::of(files - refused.min(files), "sound file"),
    ));
    Ok(checked.outcome())
}

/// Checks archives, prints what is wrong with each, and refuses those with a fault of this severity or a graver one.
pub(super) fn check(
    archives: &Archives,
    session: &Session,
    format: Format,
    floor: Severity,
) -> anyhow::Result<Checked> {
    let work =
        Work { verb: "checking", item: "record", total_bytes: archives.total_bytes(), data_on_stdout: true };
    let (mut report, mut checked) = (Report::default(), Checked::default());
    let tally = archives.read_with_faults(
        session,
        work,
        |part| check_piece(part.reader),
        |source, piece, faults, is_last| {
            report.is_unreadable |= piece.is_none();
            for fault in report.take(piece.unwrap_or_default(), faults) {
                report.count(&fault);
                if matches!(format, Format::Text) {
                    report.print(source, &fault, session)?;
                }
                if report.details.len() < DETAILED {
                    report.details.push(fault);
                }
            }
            if is_last {
                let report = std::mem::take(&mut report);
                checked.files += 1;
                checked.records += report.records;
                checked.refused += u64::from(report.worst().is_some_and(|worst| worst >= floor));
                match format {
                    Format::Text => report.print_verdict(source, session)?,
                    Format::Jsonl => report.print_json(source, session)?,
                }
            }
            Ok(())
        },
    )?;
    Ok(Checked { skipped: tally.skipped, ..checked })
}

impl Checked {
    /// Exit code 1 where a file was refused, 2 where one could not be read.
    pub(super) fn outcome(&self) -> Outcome {
        let answer = if self.refused == 0 { Outcome::Done } else { Outcome::Negative };
        answer.and(Outcome::of_skipped(self.skipped))
    }
}

fn check_piece(reader: &mut Reader) -> tamis_archive::Result<Piece> {
    let mut piece = Piece::default();
    let mut verifier = Verifier::default();
    while let Some(record) = reader.next()? {
        let offset = record.offset();
        let mut report = |kind: FaultKind| piece.faults.push(Fault { offset, kind });
        check_head(record.head, &mut report);
        let facts = HeadFacts::of(record.head);
        verifier.verify(record, &mut report)?;
        if facts != HeadFacts::default() {
            piece.facts.push((offset, facts));
        }
        piece.records += 1;
    }
    piece.digests = verifier.checked();
    Ok(piece)
}

impl Report {
    /// The faults of a piece, those of its records and those between them, in the order of the file.
    fn take(&mut self, piece: Piece, mut faults: Vec<Fault>) -> Vec<Fault> {
        self.records += piece.records;
        self.digests += piece.digests;
        faults.extend(piece.faults);
        for (offset, facts) in piece.facts {
            self.rules.check(&facts, &mut |kind| faults.push(Fault { offset, kind }));
        }
        faults.sort_by_key(|fault| fault.offset);
        faults
    }

    fn count(&mut self, fault: &Fault) {
        self.counts.entry(fault.kind.code()).or_insert((fault.kind.severity(), 0)).1 += 1;
    }

    fn worst(&self) -> Option<Severity> {
        self.counts.values().map(|(severity, _)| *severity).max()
    }

    fn print(&self, source: &Source, fault: &Fault, session: &Session) -> anyhow::Result<()> {
        let is_verbose = session.printer.verbosity() == Verbosity::Verbose;
        let count = self.counts.get(fault.kind.code()).map_or(0, |(_, count)| *count);
        let is_listed = count <= LISTED && fault.kind.severity() > Severity::Note;
        if !is_verbose && !is_listed {
            return Ok(());
        }
        let name = source.name();
        let label = labelled(fault.kind.severity(), session.printer.out_palette());
        writeln!(
            session.printer.out(),
            "{}: offset {}: {label}: {}",
            name.display(),
            fault.offset,
            fault.kind
        )?;
        Ok(())
    }

    fn print_verdict(&self, source: &Source, session: &Session) -> anyhow::Result<()> {
        let palette = session.printer.out_palette();
        let verdict = if self.is_unreadable {
            paint(palette.error, "not read to its end").to_string()
        } else {
            verdict(self.worst(), palette)
        };
        let counts: Vec<String> = self
            .counts
            .iter()
            .filter(|(_, (severity, _))| *severity > Severity::Note)
            .map(|(code, (_, count))| format!("{} {code}", HumanCount(*count)))
            .collect();
        let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
        writeln!(
            session.printer.out(),
            "{}: {verdict}, {}, {}{counts}",
            source.name().display(),
            HumanCount::of(self.records, "record"),
            HumanCount::of(self.digests, "digest"),
        )?;
        Ok(())
    }

    fn print_json(&self, source: &Source, session: &Session) -> anyhow::Result<()> {
        let outcome = if self.is_unreadable { "unreadable" } else { outcome_name(self.worst()) };
        let faults: BTreeMap<_, _> = self.counts.iter().map(|(code, (_, count))| (*code, *count)).collect();
        let details: Vec<_> = self.details.iter().map(detail).collect();
        let line = json!({
            "file": source.name().to_string_lossy(),
            "outcome": outcome,
            "records": self.records,
            "digests": self.digests,
            "faults": faults,
            "details": details,
        });
        writeln!(session.printer.out(), "{line}")?;
        Ok(())
    }
}

fn detail(fault: &Fault) -> serde_json::Value {
    json!({
        "offset": fault.offset,
        "severity": severity_name(fault.kind.severity()),
        "code": fault.kind.code(),
        "message": fault.kind.to_string(),
    })
}

/// What the gravest finding makes of a file, in words.
pub(super) fn verdict(worst: Option<Severity>, palette: &Palette) -> String {
    let (style, words) = match worst {
        Some(Severity::Damage) => (palette.error, "damaged"),
        Some(Severity::Violation) => (palette.warning, "breaks the standard"),
        Some(Severity::Note) | None => (palette.name, "sound"),
    };
    paint(style, words).to_string()
}

/// What the gravest finding makes of a file, for programs.
pub(super) fn outcome_name(worst: Option<Severity>) -> &'static str {
    match worst {
        Some(Severity::Damage) => "damaged",
        Some(Severity::Violation) => "violations",
        Some(Severity::Note) | None => "ok",
    }
}

pub(super) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Damage => "damage",
        Severity::Violation => "violation",
        Severity::Note => "note",
    }
}

pub(super) fn labelled(severity: Severity, palette: &Palette) -> String {
    let style = match severity {
        Severity::Damage => palette.error,
        Severity::Violation => palette.warning,
        Severity::Note => palette.name,
    };
    paint(style, severity_name(severity)).to_string()
}
