//! The captures of inputs, for commands that look up URLs: archives, collections with their indexes, indexes that were named.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use tamis_archive::captures::{CaptureOptions, Captures, Event, Watch};
use tamis_archive::cdx::Index;
use tamis_archive::{Error, ScanOptions, Severity, Source};
use tamis_collection::{Collection, Condition};

use crate::archives::{Archives, Told};
use crate::command_line;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::inputs::{self, Wanted};
use crate::interrupt::{self, Interrupted};
use crate::outcome::Outcome;
use crate::progress::{Progress, Work};
use crate::session::Session;

use super::open_collection::{explain as explain_collection, open as open_collection};
use super::query::table::{Treatment, warn_of_unfinished};

/// The captures of inputs.
pub(super) struct LookUp<'s> {
    captures: Captures,
    session: &'s Session,
    /// Whether all inputs were there, and sound as far as it is known.
    found: Outcome,
}

impl<'s> LookUp<'s> {
    /// Finds archives and collections. Says on stderr what is not there. Indexes that are named cover all of them; without
    /// any, collections use their own.
    pub(super) fn open(
        arguments: &[OsString],
        indexes: &[PathBuf],
        options: ScanOptions,
        session: &'s Session,
    ) -> anyhow::Result<Self> {
        let options = CaptureOptions { scan: options, sort_folder: std::env::temp_dir() };
        let captures = Captures::new(options.clone());
        let mut look_up = Self { captures, session, found: Outcome::Done };
        let mut named = Vec::new();
        let is_collection = |argument: &OsString| Collection::is_one(Path::new(argument));
        for run in arguments.chunk_by(|a, b| !is_collection(a) && !is_collection(b)) {
            if !is_collection(&run[0]) {
                named.extend(look_up.find(run, options.scan)?);
            } else if indexes.is_empty() {
                look_up.captures_of(&mut named);
                look_up.add_collection(Path::new(&run[0]))?;
            } else {
                let collection = open_collection(Path::new(&run[0]), session)?;
                let sources = collection.named_sources().map_err(explain_collection)?;
                named.extend(sources.into_iter().map(|named| (named.name, named.source)));
            }
        }
        if indexes.is_empty() {
            look_up.captures_of(&mut named);
        } else {
            look_up.captures.add_indexed(open_index(indexes)?, named);
        }
        Ok(look_up)
    }

    /// Adds archives that no index covers.
    fn captures_of(&mut self, named: &mut Vec<(String, Source)>) {
        named.drain(..).for_each(|(name, source)| self.captures.add(name, source));
    }

    fn find(&mut self, run: &[OsString], options: ScanOptions) -> anyhow::Result<Vec<(String, Source)>> {
        let (inputs, problems) = inputs::expand(run, Wanted::Archives)?;
        for problem in &problems {
            self.session.printer.error(problem);
        }
        let archives = Archives::open(inputs, options, self.session);
        self.found = self.found.and(archives.skipped());
        Ok(archives.sources.into_iter().map(|source| (source.file_name(), source)).collect())
    }

    fn add_collection(&mut self, path: &Path) -> anyhow::Result<()> {
        let collection = open_collection(path, self.session)?;
        let known = collection.add_to(&mut self.captures).map_err(explain_collection)?;
        let said = known.changed.len() + known.damaged.len() + known.unusable.len() + known.unfinished.len();
        self.found = self.found.and(Outcome::of_skipped(said as u64));
        self.report(&collection, &known);
        Ok(())
    }

    /// Says what a look-up in a collection may miss.
    fn report(&self, collection: &Collection, known: &tamis_collection::LookUp) {
        let printer = &self.session.printer;
        let archives_command = |verb: &str, name: Option<&str>| {
            let words = ["tamis", "archives", verb].map(Path::new).into_iter();
            command_line::join(words.chain([collection.root()]).chain(name.map(Path::new)))
        };
        for (archive, condition) in &known.changed {
            let what = match condition {
                Condition::Missing => "is missing",
                _ => "has changed since it was imported: the file is read instead of its index",
            };
            printer.warn(format_args!(
                "{} {what}; `{}` shows how to repair it",
                archive.path(collection).display(),
                archives_command("verify", Some(&archive.name))
            ));
        }
        for archive in &known.damaged {
            let path = archive.path(collection);
            printer.warn(format_args!(
                "{}: {} found on import; `{}` lists them",
                path.display(),
                HumanCount::of(archive.faults, "fault"),
                command_line::join([Path::new("tamis"), Path::new("warc"), Path::new("check"), &path])
            ));
        }
        for (path, why) in &known.unusable {
            printer.warn(format_args!(
                "the index {} cannot be used ({why}), so its archive is read; `{}` rebuilds it",
                path.display(),
                archives_command("repair", None)
            ));
        }
        warn_of_unfinished(collection, &known.unfinished, Treatment::Read, self.session);
    }

    /// Whether all inputs were there, and sound as far as it is known.
    pub(super) fn found(&self) -> Outcome {
        self.found
    }

    /// The captures themselves.
    pub(super) fn captures(&self) -> &Captures {
        &self.captures
    }

    /// Asks something, and says what is met on the way. Gives the answer, and whether it may be incomplete.
    pub(super) fn ask<T>(
        &self,
        ask: impl FnOnce(&Captures, &mut Watch<'_>) -> tamis_archive::Result<T>,
    ) -> anyhow::Result<(T, Outcome)> {
        let total_bytes = self.captures.unindexed_bytes();
        let work = Work { verb: "searching", item: "record", total_bytes, data_on_stdout: false };
        let progress = Progress::start(&self.session.printer, work);
        let (mut told, mut skipped) = (Told::default(), 0);
        let answer = ask(&self.captures, &mut |event| {
            match event {
                Event::Read { bytes, records } => progress.add(bytes, records),
                Event::Faults { source, faults, is_last } => {
                    skipped += faults.counts().of_severity(Severity::Damage);
                    told.tell(&self.session.printer, source, faults);
                    if is_last {
                        std::mem::take(&mut told).tell_rest(&self.session.printer, source);
                    }
                }
                Event::Unreadable { error } => {
                    skipped += 1;
                    self.session.printer.error(&anyhow!("{error}"));
                }
                Event::BadLines { first, count } => {
                    skipped += count;
                    let lines = HumanCount::of(count, "bad line");
                    self.session.printer.warn(format_args!("{}: {lines} skipped", first.why));
                    self.session.printer.hint("`tamis warc index` creates a new index");
                }
            }
            if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        drop(progress);
        Ok((answer.map_err(|error| explain(error.into()))?, Outcome::of_skipped(skipped)))
    }
}

/// An error of a look-up, with what can be done about it.
pub(super) fn explain(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref::<Error>() {
        Some(Error::Interrupted) => Interrupted::default().into(),
        Some(own) => match own.hint().map(str::to_owned) {
            Some(hint) => error.hint(hint),
            None => error,
        },
        None => error,
    }
}

fn open_index(paths: &[PathBuf]) -> anyhow::Result<Index> {
    let opened = Index::open(paths);
    if matches!(opened, Err(Error::Format { .. })) {
        return opened
            .hint("`--index` takes an index written by `tamis warc index`; give archives without an option");
    }
    Ok(opened?)
}
