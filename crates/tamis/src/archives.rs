//! The archives that a command reads: found, read with several threads, their faults told.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZero;
use std::ops::ControlFlow;

use tamis_archive::{Fault, Mode, Part, Record, ScanOptions, Severity, Source};

use crate::human_count::HumanCount;
use crate::inputs::{Input, InputArgs};
use crate::interrupt;
use crate::jobs::JobsArgs;
use crate::outcome::Outcome;
use crate::packages;
use crate::printer::Printer;
use crate::progress::{Progress, Work};
use crate::session::Session;

/// So many faults of a file are told; then how many more there are.
const TOLD: u64 = 10;

/// The arguments of a command that reads archives.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ArchiveArgs {
    #[command(flatten)]
    inputs: InputArgs,
    #[command(flatten)]
    jobs: JobsArgs,
    /// Stop reading a file at its first fault
    #[arg(long)]
    strict: bool,
}

/// What a command reads.
pub struct Archives {
    /// All archives, in order.
    pub sources: Vec<Source>,
    options: ScanOptions,
    skipped: u64,
}

/// What a sink returns where it has all it wants: reading ends there, and ends well.
#[derive(Debug)]
pub struct Enough;

/// How reading went.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Archives that were read, if only in part.
    pub files: u64,
    /// Inputs that could not be read.
    pub skipped: u64,
    /// Stored bytes that were read.
    pub bytes: u64,
    /// Faults by their code.
    pub faults: BTreeMap<&'static str, u64>,
    /// How many of them are damage.
    pub damage: u64,
}

impl ArchiveArgs {
    /// Finds all archives. Says on stderr which inputs are not there.
    pub fn open(&self, session: &Session) -> anyhow::Result<Archives> {
        let inputs = self.inputs.expand(&session.printer)?;
        let mode = if self.strict { Mode::Strict } else { Mode::Lenient };
        let options = ScanOptions { mode, jobs: self.jobs.count(&session.config), ..ScanOptions::default() };
        let mut archives = Archives { sources: Vec::new(), options, skipped: inputs.skipped };
        for input in inputs.list {
            archives.add(input, &session.printer);
        }
        Ok(archives)
    }
}

impl Archives {
    /// Archives that are known already, read leniently.
    pub fn of(sources: Vec<Source>, jobs: NonZero<usize>) -> Self {
        Self { sources, options: ScanOptions { jobs, ..ScanOptions::default() }, skipped: 0 }
    }

    /// Adds an input, or the archives of a package. Says which of them cannot be read.
    fn add(&mut self, input: Input, printer: &Printer) {
        match input {
            Input::Stdin => self.sources.push(Source::Stdin),
            Input::File(path) if packages::is_package(&path) => {
                let contents = packages::contents(&path);
                self.skipped += contents.problems.len() as u64;
                contents.problems.iter().for_each(|problem| printer.error(problem));
                self.sources.extend(contents.sources);
            }
            Input::File(path) => self.sources.push(Source::File(path)),
        }
    }

    /// How faults are met.
    pub fn mode(&self) -> Mode {
        self.options.mode
    }

    /// Whether all inputs were there.
    pub fn skipped(&self) -> Outcome {
        Outcome::of_skipped(self.skipped)
    }

    /// The same archives, read by one thread from end to end.
    #[must_use]
    pub fn one_thread(&self) -> Self {
        let options = ScanOptions { jobs: NonZero::<usize>::MIN, ..self.options };
        Self { sources: self.sources.clone(), options, skipped: self.skipped }
    }

    /// The same archives, read in pieces of so many stored bytes: for results that take as much memory as the piece.
    #[must_use]
    pub fn in_pieces_of(mut self, bytes: NonZero<u64>) -> Self {
        self.options.range_bytes = bytes;
        self
    }

    /// All stored bytes, if known.
    pub fn total_bytes(&self) -> Option<u64> {
        self.sources.iter().map(Source::len).sum()
    }

    /// Reads all archives: `work` reads pieces of them on several threads, `sink` gets what it made of them in order.
    ///
    /// Damage is told as it is met and ends in exit code 2; an archive that cannot be read is told and passed over.
    pub fn read<T: Send>(
        &self,
        session: &Session,
        work: Work,
        read: impl Fn(Part<'_>) -> tamis_archive::Result<T> + Sync,
        mut sink: impl FnMut(&Source, T) -> anyhow::Result<()>,
    ) -> anyhow::Result<Tally> {
        self.read_pieces(session, work, read, |source, result, _| {
            result.map_or(Ok(()), |result| sink(source, result))
        })
    }

    /// Like [`Archives::read`], but `sink` also gets to know where an archive cannot be read on (then there is no result),
    /// and which piece is its last.
    pub fn read_pieces<T: Send>(
        &self,
        session: &Session,
        work: Work,
        read: impl Fn(Part<'_>) -> tamis_archive::Result<T> + Sync,
        mut sink: impl FnMut(&Source, Option<T>, bool) -> anyhow::Result<()>,
    ) -> anyhow::Result<Tally> {
        let mut told = 0;
        self.read_with_faults(session, work, read, |source, result, faults, is_last| {
            tell(&session.printer, source, &faults, &mut told);
            if is_last {
                tell_rest(&session.printer, source, told.saturating_sub(TOLD));
                told = 0;
            }
            sink(source, result, is_last)
        })
    }

    /// Like [`Archives::read`], but leaves it to `sink` to tell the faults.
    pub fn read_with_faults<T: Send>(
        &self,
        session: &Session,
        work: Work,
        read: impl Fn(Part<'_>) -> tamis_archive::Result<T> + Sync,
        mut sink: impl FnMut(&Source, Option<T>, Vec<Fault>, bool) -> anyhow::Result<()>,
    ) -> anyhow::Result<Tally> {
        let mut tally = Tally { skipped: self.skipped, ..Tally::default() };
        let mut failure = None;
        let progress = Progress::start(&session.printer, work);
        let read = |part: Part<'_>| {
            let Part { index, source, reader } = part;
            let (bytes, records) = (reader.position(), reader.records());
            let result = read(Part { index, source, reader: &mut *reader });
            let stored = reader.position().saturating_sub(bytes);
            progress.add(stored, reader.records() - records);
            result.map(|result| (result, reader.take_faults(), stored))
        };
        tamis_archive::scan(&self.sources, self.options, read, |piece| {
            let (result, faults) = match piece.result {
                Ok((result, faults, stored)) => {
                    tally.bytes += stored;
                    tally.files += u64::from(piece.is_last);
                    (Some(result), faults)
                }
                Err(error) => {
                    tally.skipped += 1;
                    session.printer.error(&error.into());
                    (None, Vec::new())
                }
            };
            tally.count(&faults);
            let outcome = sink(piece.source, result, faults, piece.is_last);
            match outcome.and_then(|()| Ok(interrupt::check()?)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) if error.is::<Enough>() => ControlFlow::Break(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        failure.map_or(Ok(tally), Err)
    }
}

impl Archives {
    /// Reads all archives on this thread, one record after another: for what is written while it is read, whatever its size.
    ///
    /// Faults are met as in [`Archives::read`]. An error of this crate's own readers that `take` returns is that of the
    /// archive, which is passed over; any other ends the command.
    pub fn read_in_turn(
        &self,
        session: &Session,
        work: Work,
        mut take: impl FnMut(Record<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Tally> {
        let mut tally = Tally { skipped: self.skipped, ..Tally::default() };
        let progress = Progress::start(&session.printer, work);
        for source in &self.sources {
            match self.read_source(source, session, &progress, &mut tally, &mut take) {
                Ok(()) => tally.files += 1,
                Err(error) if error.is::<Enough>() => break,
                Err(error) if error.is::<tamis_archive::Error>() => {
                    tally.skipped += 1;
                    session.printer.error(&error);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(tally)
    }

    fn read_source(
        &self,
        source: &Source,
        session: &Session,
        progress: &Progress<'_>,
        tally: &mut Tally,
        take: &mut impl FnMut(Record<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut reader = source.open(self.options.mode)?;
        let (mut told, mut position) = (0, 0);
        loop {
            let taken = reader.next()?.map(&mut *take);
            let stored = reader.position().saturating_sub(position);
            position += stored;
            tally.bytes += stored;
            progress.add(stored, u64::from(taken.is_some()));
            // A strict reader looks for its first fault in this list.
            if self.options.mode == Mode::Lenient || taken.is_none() {
                let faults = reader.take_faults();
                tell(&session.printer, source, &faults, &mut told);
                tally.count(&faults);
            }
            match taken {
                Some(taken) => taken?,
                None => break,
            }
            interrupt::check()?;
        }
        tell_rest(&session.printer, source, told.saturating_sub(TOLD));
        Ok(())
    }
}

impl fmt::Display for Enough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("enough was read")
    }
}

impl std::error::Error for Enough {}

impl Tally {
    fn count(&mut self, faults: &[Fault]) {
        for fault in faults {
            *self.faults.entry(fault.kind.code()).or_default() += 1;
            self.damage += u64::from(fault.kind.severity() == Severity::Damage);
        }
    }

    /// Exit code 2 where anything was damaged or passed over.
    pub fn outcome(&self) -> Outcome {
        Outcome::of_skipped(self.skipped + self.damage)
    }
}

fn tell(printer: &Printer, source: &Source, faults: &[Fault], told: &mut u64) {
    for fault in faults.iter().filter(|fault| fault.kind.severity() == Severity::Damage) {
        *told += 1;
        if *told <= TOLD {
            printer.warn(format_args!("{}: {fault}", source.name().display()));
        }
    }
}

fn tell_rest(printer: &Printer, source: &Source, more: u64) {
    if more > 0 {
        let input = match source {
            Source::Part { path, .. } => path.clone(),
            other => other.name(),
        };
        printer.warn(format_args!(
            "{}: {} more; `tamis warc check {}` lists them",
            source.name().display(),
            HumanCount::of(more, "fault"),
            input.display(),
        ));
    }
}
