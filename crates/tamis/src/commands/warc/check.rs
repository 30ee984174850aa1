//! `tamis warc check`: whether archives are sound, and what is wrong where.

use std::collections::BTreeMap;
use std::io::Write;

use clap::ValueEnum;
use serde_json::json;
use tamis_archive::{
    Fault, FaultCounts, FaultKind, Faults, FileRules, HeadFacts, Reader, Severity, Source, Verifier,
    check_head,
};
use tamis_pack::{Damage, Pack};

use crate::archives::{ArchiveArgs, Archives};
use crate::human_count::HumanCount;
use crate::outcome::Outcome;
use crate::palette::{Palette, paint};
use crate::printer::Verbosity;
use crate::progress::Work;
use crate::session::Session;

/// So many faults of a code are listed for a file.
const LISTED: u64 = 10;

/// So many are if more are asked for: as many as a reader is sure to keep.
const LISTED_VERBOSE: u64 = 10_000;

/// So many faults of a file are kept for its line of JSON.
const DETAILED: usize = 1000;

/// The arguments of `tamis warc check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: 0 no faults, 1 faults found, 2 an input could not be read.\n\n\
Damage means bytes that are missing, changed or in doubt. A violation breaks the standard and loses nothing. \
A note breaks no rule and is shown only with -v. All faults are counted; the first 10 of each kind are listed per file, \
10,000 with -v, and 1,000 of all kinds in jsonl. `tamis warc repair` writes a valid archive with all intact records.")]
pub(super) struct Args {
    #[command(flatten)]
    archives: ArchiveArgs,
    /// Fail only on damage, not on violations of the standard
    #[arg(long)]
    damage_only: bool,
    /// Output format: text, or jsonl with one object per file
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
    /// Files read to their end without such a fault.
    pub(super) sound: u64,
    /// Files with a fault that is grave enough.
    pub(super) refused: u64,
    /// Inputs that could not be read.
    pub(super) skipped: u64,
}

/// What some records of an archive gave.
#[derive(Default)]
struct Piece {
    records: u64,
    digests: u64,
    findings: Vec<Finding>,
    /// Faults that are in none of the findings.
    left_out: FaultCounts,
}

/// What was found, in the order of the file.
enum Finding {
    Fault(Fault),
    /// The facts of the record at this offset, to be compared with those before.
    Facts(u64, HeadFacts),
}

/// What is known of the archive that is being checked.
#[derive(Default)]
struct Report {
    records: u64,
    digests: u64,
    counts: FaultCounts,
    details: Vec<Fault>,
    rules: FileRules,
    is_unreadable: bool,
}

/// Checks archives.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let archives = args.archives.open(session)?;
    let floor = if args.damage_only { Severity::Damage } else { Severity::Violation };
    let checked = check(&archives, session, args.format, floor)?;
    let Checked { records, files, sound, refused, .. } = checked;
    session.printer.say(format_args!(
        "{} in {}: {} valid, {refused} with faults",
        HumanCount::of(records, "record"),
        HumanCount::of(files, "file"),
        HumanCount(sound),
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
        |part, piece| check_piece(part.reader, piece),
        |source, piece, faults, is_last| {
            let mut show = |fault: &Fault, rank| match format {
                Format::Text => print(source, fault, rank, session),
                Format::Jsonl => Ok(()),
            };
            report.is_unreadable |= piece.is_none();
            report.take(piece.unwrap_or_default(), faults, &mut show)?;
            if is_last {
                let mut report = std::mem::take(&mut report);
                for fault in unmet_damage(source, &report.details) {
                    report.take_fault(fault, &mut show)?;
                }
                checked.files += 1;
                checked.records += report.records;
                let is_refused = report.counts.worst().is_some_and(|worst| worst >= floor);
                checked.refused += u64::from(is_refused);
                checked.sound += u64::from(!is_refused && !report.is_unreadable);
                match format {
                    Format::Text => {
                        report.print_left_out(source, session)?;
                        report.print_verdict(source, session)?;
                    }
                    Format::Jsonl => report.print_json(source, session)?,
                }
            }
            Ok(())
        },
    )?;
    Ok(Checked { skipped: tally.skipped, ..checked })
}

/// Damage of a pack that reading its records did not meet: in what they are found by, and in what the archive is made again of.
fn unmet_damage(source: &Source, met: &[Fault]) -> Vec<Fault> {
    let Some(path) = source.own_path() else { return Vec::new() };
    // A file that is no pack, or cannot be read as one, is what it was found to be by reading it.
    let Some(damage) = Pack::open(path).and_then(|pack| pack.check()).ok() else { return Vec::new() };
    let met: Vec<String> = met.iter().map(|fault| fault.kind.to_string()).collect();
    let is_unmet = |damage: &Damage| !met.iter().any(|told| told.contains(&damage.to_string()));
    let fault = |damage: Damage| Fault {
        offset: damage.offset,
        kind: FaultKind::HeldDamaged { len: 0, what: damage.to_string() },
    };
    damage.into_iter().filter(is_unmet).map(fault).collect()
}

impl Checked {
    /// Exit code 1 where a file was refused, 2 where one could not be read.
    pub(super) fn outcome(&self) -> Outcome {
        let answer = if self.refused == 0 { Outcome::Done } else { Outcome::Negative };
        answer.and(Outcome::of_skipped(self.skipped))
    }
}

fn check_piece(reader: &mut Reader, piece: &mut Piece) -> tamis_archive::Result<()> {
    let mut verifier = Verifier::default();
    let mut kinds = Vec::new();
    while let Some(record) = reader.next()? {
        let offset = record.offset();
        check_head(record.head, &mut |kind| kinds.push(kind));
        let facts = HeadFacts::of(record.head);
        verifier.verify(record, &mut |kind| kinds.push(kind))?;
        // What the reader met on its way to the record's end goes before what is wrong with the record itself.
        piece.take(reader.take_faults());
        piece.findings.extend(kinds.drain(..).map(|kind| Finding::Fault(Fault { offset, kind })));
        if facts != HeadFacts::default() {
            piece.findings.push(Finding::Facts(offset, facts));
        }
        piece.records += 1;
        piece.digests = verifier.checked();
    }
    Ok(())
}

impl Piece {
    fn take(&mut self, faults: Faults) {
        self.findings.extend(faults.list.into_iter().map(Finding::Fault));
        self.left_out.merge(&faults.left_out);
    }
}

impl Report {
    /// Counts what a piece gave, and shows each fault with its rank among those of its code.
    fn take(
        &mut self,
        mut piece: Piece,
        rest: Faults,
        mut show: impl FnMut(&Fault, u64) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        piece.take(rest);
        self.records += piece.records;
        self.digests += piece.digests;
        let mut of_facts = Vec::new();
        for finding in piece.findings {
            match finding {
                Finding::Fault(fault) => self.take_fault(fault, &mut show)?,
                Finding::Facts(offset, facts) => {
                    self.rules.check(&facts, &mut |kind| of_facts.push(Fault { offset, kind }));
                    of_facts.drain(..).try_for_each(|fault| self.take_fault(fault, &mut show))?;
                }
            }
        }
        self.counts.merge(&piece.left_out);
        Ok(())
    }

    fn take_fault(
        &mut self,
        fault: Fault,
        show: &mut impl FnMut(&Fault, u64) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.counts.add(&fault.kind);
        show(&fault, self.counts.of_code(fault.kind.code()))?;
        if self.details.len() < DETAILED {
            self.details.push(fault);
        }
        Ok(())
    }

    fn print_left_out(&self, source: &Source, session: &Session) -> anyhow::Result<()> {
        for (code, severity, count) in self.counts.iter() {
            let listed = listed(severity, session);
            if listed > 0 && count > listed {
                let (name, more) = (source.name(), HumanCount(count - listed));
                writeln!(session.printer.out(), "{}: … and {more} more: {code}", name.display())?;
            }
        }
        Ok(())
    }

    fn print_verdict(&self, source: &Source, session: &Session) -> anyhow::Result<()> {
        let palette = session.printer.out_palette();
        let verdict = if self.is_unreadable {
            paint(palette.error, "not read to the end").to_string()
        } else {
            verdict(self.counts.worst(), palette)
        };
        let counts: Vec<String> = self
            .counts
            .iter()
            .filter(|(_, severity, _)| *severity > Severity::Note)
            .map(|(code, _, count)| format!("{} {code}", HumanCount(count)))
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
        let outcome = if self.is_unreadable { "unreadable" } else { outcome_name(self.counts.worst()) };
        let faults: BTreeMap<_, _> = self.counts.iter().map(|(code, _, count)| (code, count)).collect();
        let left_out = faults.values().sum::<u64>() - self.details.len() as u64;
        let details: Vec<_> = self.details.iter().map(detail).collect();
        let line = json!({
            "file": source.name().to_string_lossy(),
            "outcome": outcome,
            "records": self.records,
            "digests": self.digests,
            "faults": faults,
            "details": details,
            "details_left_out": left_out,
        });
        writeln!(session.printer.out(), "{line}")?;
        Ok(())
    }
}

/// So many faults of a code are listed if they are of this severity.
fn listed(severity: Severity, session: &Session) -> u64 {
    match (session.printer.verbosity(), severity) {
        (Verbosity::Verbose, _) => LISTED_VERBOSE,
        (_, Severity::Note) => 0,
        _ => LISTED,
    }
}

fn print(source: &Source, fault: &Fault, rank: u64, session: &Session) -> anyhow::Result<()> {
    let severity = fault.kind.severity();
    if rank <= listed(severity, session) {
        let (name, offset, kind) = (source.name(), fault.offset, &fault.kind);
        let label = labelled(severity, session.printer.out_palette());
        writeln!(session.printer.out(), "{}: offset {offset}: {label}: {kind}", name.display())?;
    }
    Ok(())
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
        Some(Severity::Violation) => (palette.warning, "violates the standard"),
        Some(Severity::Note) | None => (palette.name, "valid"),
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
