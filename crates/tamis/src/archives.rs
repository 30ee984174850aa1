//! The archives that a command reads: found, read with several threads, their faults told.

use std::ffi::OsString;
use std::fmt;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;

use tamis_archive::{Error, FaultCounts, Faults, Mode, Part, Record, ScanOptions, Severity, Source};

use crate::human_count::HumanCount;
use crate::inputs::{self, Input, InputArgs, Inputs, Wanted};
use crate::interrupt;
use crate::jobs::JobsArgs;
use crate::outcome::Outcome;
use crate::printer::Printer;
use crate::progress::{Progress, Work};
use crate::session::Session;
use crate::{packages, page_files};

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
    /// All faults, by their code.
    pub faults: FaultCounts,
}

/// What some records of an archive gave.
#[derive(Default)]
struct Read<T> {
    result: T,
    faults: Faults,
    stored: u64,
}

/// The faults of an archive as they are told: the first few in full, then how many more there are.
#[derive(Default)]
pub(crate) struct Told {
    damage: u64,
}

impl ArchiveArgs {
    /// Finds all archives. Says on stderr which inputs are not there.
    pub fn open(&self, session: &Session) -> anyhow::Result<Archives> {
        let inputs = self.inputs.expand(&session.printer)?;
        Ok(Archives::open(inputs, self.options(session), session))
    }

    /// How archives are read.
    pub fn options(&self, session: &Session) -> ScanOptions {
        let mode = if self.strict { Mode::Strict } else { Mode::Lenient };
        ScanOptions { mode, jobs: self.jobs.count(&session.config), ..ScanOptions::default() }
    }

    /// The arguments that name archives.
    pub fn inputs(&self) -> &[OsString] {
        self.inputs.arguments()
    }
}

impl Archives {
    /// Archives that are known already, read leniently.
    pub fn of(sources: Vec<Source>, jobs: NonZero<usize>) -> Self {
        Self { sources, options: ScanOptions { jobs, ..ScanOptions::default() }, skipped: 0 }
    }

    /// The archives and HTML files of arguments, read leniently. Says on stderr which are not there.
    pub fn find(arguments: &[OsString], jobs: NonZero<usize>, session: &Session) -> anyhow::Result<Self> {
        let (inputs, problems) = inputs::expand(arguments, Wanted::ArchivesOrPages)?;
        for problem in &problems {
            session.printer.error(problem);
        }
        let options = ScanOptions { jobs, ..ScanOptions::default() };
        let mut archives = Self { sources: Vec::new(), options, skipped: inputs.skipped };
        for input in inputs.list {
            match input {
                Input::File(path) if page_files::is_page_file(&path) => {
                    archives.sources.push(page_files::source(&path, None));
                }
                input => archives.add(input, session),
            }
        }
        Ok(archives)
    }

    /// The archives of inputs. Says on stderr which cannot be opened.
    pub fn open(inputs: Inputs, options: ScanOptions, session: &Session) -> Self {
        let mut archives = Self { sources: Vec::new(), options, skipped: inputs.skipped };
        inputs.list.into_iter().for_each(|input| archives.add(input, session));
        archives
    }

    /// Adds an input, or the archives of a package. Says which of them cannot be read.
    fn add(&mut self, input: Input, session: &Session) {
        match input {
            Input::Stdin => self.sources.push(Source::stdin()),
            Input::File(path) if packages::is_package(&path) => {
                let contents = packages::contents(&path);
                self.skipped += contents.problems.len() as u64;
                contents.problems.iter().for_each(|problem| session.printer.error(problem));
                self.sources.extend(contents.sources);
            }
            Input::File(path) => self.sources.push(session.door.source(path)),
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

    /// The same archives, read in pieces of so many stored bytes, with results of so many decoded ones: for results that
    /// take as much memory as what they are made of.
    #[must_use]
    pub fn in_pieces_of(mut self, stored: NonZero<u64>, decoded: NonZero<u64>) -> Self {
        self.options.range_bytes = stored;
        self.options.batch_bytes = decoded;
        self
    }

    /// All stored bytes, if known.
    pub fn total_bytes(&self) -> Option<u64> {
        self.sources.iter().map(Source::len).sum()
    }

    /// Reads all archives: `read` adds what it makes of some records to a result, on several threads, `sink` gets the
    /// results in order. They are bounded as [`tamis_archive::scan`] says.
    ///
    /// Damage is told as it is met and ends in exit code 2; an archive that cannot be read on is told and passed over.
    pub fn read<T: Default + Send>(
        &self,
        session: &Session,
        work: Work,
        read: impl Fn(Part<'_>, &mut T) -> tamis_archive::Result<()> + Sync,
        mut sink: impl FnMut(&Source, T) -> anyhow::Result<()>,
    ) -> anyhow::Result<Tally> {
        self.read_pieces(session, work, read, |source, result, _| {
            result.map_or(Ok(()), |result| sink(source, result))
        })
    }

    /// Like [`Archives::read`], but `sink` also gets to know where an archive cannot be read on (then there is no result),
    /// and which result is its last.
    pub fn read_pieces<T: Default + Send>(
        &self,
        session: &Session,
        work: Work,
        read: impl Fn(Part<'_>, &mut T) -> tamis_archive::Result<()> + Sync,
        mut sink: impl FnMut(&Source, Option<T>, bool) -> anyhow::Result<()>,
    ) -> anyhow::Result<Tally> {
        let mut told = Told::default();
        self.read_with_faults(session, work, read, |source, result, faults, is_last| {
            told.tell(&session.printer, source, &faults);
            if is_last {
                std::mem::take(&mut told).tell_rest(&session.printer, source);
            }
            sink(source, result, is_last)
        })
    }

    /// Like [`Archives::read`], but leaves it to `sink` to tell the faults.
    pub fn read_with_faults<T: Default + Send>(
        &self,
        session: &Session,
        work: Work,
        read: impl Fn(Part<'_>, &mut T) -> tamis_archive::Result<()> + Sync,
        mut sink: impl FnMut(&Source, Option<T>, Faults, bool) -> anyhow::Result<()>,
    ) -> anyhow::Result<Tally> {
        let mut tally = Tally { skipped: self.skipped, ..Tally::default() };
        let mut failure = None;
        let progress = Progress::start(&session.printer, work);
        let read = |part: Part<'_>, into: &mut Read<T>| {
            let Part { index, source, reader } = part;
            let (bytes, records) = (reader.position(), reader.records());
            let read = read(Part { index, source, reader: &mut *reader }, &mut into.result);
            into.stored = reader.position().saturating_sub(bytes);
            progress.add(into.stored, reader.records() - records);
            into.faults = faults_told(reader.take_faults(), &read);
            read
        };
        // Stored bytes of the archive at hand.
        let mut position = 0;
        tamis_archive::scan(&self.sources, self.options, read, |piece| {
            let (result, faults) = match piece.result {
                Ok(Read { result, faults, stored }) => {
                    position += stored;
                    tally.files += u64::from(piece.is_last);
                    (Some(result), faults)
                }
                Err(error) => {
                    position = bytes_before(&error).unwrap_or(position);
                    tally.skipped += 1;
                    session.printer.error(&error.into());
                    (None, Faults::default())
                }
            };
            if piece.is_last {
                tally.bytes += std::mem::take(&mut position);
            }
            tally.faults.merge(&faults.counts());
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
        tally.bytes += position;
        failure.map_or(Ok(tally), Err)
    }
}

/// The faults that are to be told beside the error that ended reading, which tells the last of a strict reader itself.
fn faults_told(mut faults: Faults, read: &tamis_archive::Result<()>) -> Faults {
    if matches!(read, Err(Error::Strict { .. })) {
        faults.retain_up_to(Severity::Note);
    }
    faults
}

/// How many bytes of an archive are read for sure before an error: how far a reader goes to find a fault is its own affair.
fn bytes_before(error: &Error) -> Option<u64> {
    match error {
        Error::Strict { fault, .. } => Some(fault.offset),
        _ => None,
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
        let (mut told, mut position) = (Told::default(), 0);
        loop {
            let taken = reader.next()?.map(&mut *take);
            let stored = reader.position().saturating_sub(position);
            position += stored;
            tally.bytes += stored;
            progress.add(stored, u64::from(taken.is_some()));
            let mut faults = reader.take_faults();
            if self.options.mode == Mode::Strict && matches!(taken, Some(Ok(()))) {
                // The next call refuses what is graver.
                faults.retain_up_to(Severity::Note);
            }
            told.tell(&session.printer, source, &faults);
            tally.faults.merge(&faults.counts());
            match taken {
                Some(taken) => taken?,
                None => break,
            }
            interrupt::check()?;
        }
        told.tell_rest(&session.printer, source);
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
    /// Exit code 2 where anything was damaged or passed over.
    pub fn outcome(&self) -> Outcome {
        Outcome::of_skipped(self.skipped + self.faults.of_severity(Severity::Damage))
    }
}

impl Told {
    pub(crate) fn tell(&mut self, printer: &Printer, source: &Source, faults: &Faults) {
        let damage = faults.list.iter().filter(|fault| fault.kind.severity() == Severity::Damage);
        for fault in damage {
            self.damage += 1;
            if self.damage <= TOLD {
                printer.warn(format_args!("{}: {fault}", source.name().display()));
            }
        }
        self.damage += faults.left_out.of_severity(Severity::Damage);
    }

    /// Whether nothing was damaged.
    pub(crate) fn is_empty(&self) -> bool {
        self.damage == 0
    }

    pub(crate) fn tell_rest(&self, printer: &Printer, source: &Source) {
        let more = self.damage.saturating_sub(TOLD);
        if more > 0 {
            let input = source.path().map_or_else(|| source.name(), Path::to_path_buf);
            printer.warn(format_args!(
                "{}: … and {}; `tamis warc check {}` lists them",
                source.name().display(),
                HumanCount::of(more, "more fault"),
                input.display(),
            ));
        }
    }
}
