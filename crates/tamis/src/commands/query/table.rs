//! The inputs as the table `pages`: archives, and collections with what is materialised of them.

use std::ffi::OsString;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

use tamis_collection::{Archive, Collection, Condition, Unfinished};
use tamis_table::{Context, Cut, Member, Members, Pages};

use crate::archives::Archives;
use crate::command_line;
use crate::commands::focus;
use crate::commands::open_collection::{explain, open};
use crate::human_count::HumanCount;
use crate::outcome::Outcome;
use crate::session::Session;

/// The table of some inputs.
pub(in crate::commands) struct Table {
    pub(in crate::commands) pages: Arc<Pages>,
    /// Whether all inputs were there.
    pub(in crate::commands) found: Outcome,
}

impl Table {
    /// Finds archives and opens collections. Says on stderr what is not there.
    pub(in crate::commands) fn open(
        inputs: &[OsString],
        jobs: NonZero<usize>,
        context: &Context,
        session: &Session,
    ) -> anyhow::Result<Self> {
        let mut members = Vec::new();
        let mut found = Outcome::Done;
        let alone = Arc::new(context.clone());
        for run in inputs.chunk_by(|a, b| !is_collection(a) && !is_collection(b)) {
            if is_collection(&run[0]) {
                let (list, changed) = of_collection(Path::new(&run[0]), context, session)?;
                members.extend(list);
                found = found.and(Outcome::of_skipped(changed));
                continue;
            }
            let archives = Archives::find(run, jobs, session)?;
            found = found.and(archives.skipped());
            members.extend(archives.sources.into_iter().map(|source| Member::alone(source, alone.clone())));
        }
        Ok(Self { pages: Arc::new(Pages::new(members, Cut::Even)), found })
    }
}

fn is_collection(input: &OsString) -> bool {
    Collection::is_one(Path::new(input))
}

/// What is to be read of a collection, and how many of its archives are not what its list says.
pub(in crate::commands) fn of_collection(
    path: &Path,
    context: &Context,
    session: &Session,
) -> anyhow::Result<(Vec<Member>, u64)> {
    let collection = open(path, session)?;
    let mut changed = 0;
    for archive in collection.archives().map_err(explain)?.values() {
        let what = match archive.condition(&collection) {
            Condition::Present => continue,
            Condition::Changed => {
                "has changed since it was imported: its stored columns may differ from its content"
            }
            Condition::Missing => "is missing: only its stored columns can be read",
        };
        changed += 1;
        warn_of_archive(&collection, archive, what, session);
    }
    let mut context = context.clone();
    if path.join(focus::FILE).exists() {
        match focus::read(path) {
            Ok(model) => context.model = Some(model.fingerprint().into()),
            Err(error) => {
                changed += 1;
                session.printer.error(&error);
            }
        }
    }
    let Members { list, lost_parts, unfinished, torn_relevance, lost_captures } =
        tamis_table::members(&collection, &context).map_err(explain)?;
    for part in lost_parts {
        changed += 1;
        let clean = command_line::join([Path::new("tamis"), Path::new("clean"), path]);
        session.printer.warn(format_args!(
            "{} is missing, incomplete, or of an earlier version; its archive is read instead; `{clean}` computes it again",
            part.display()
        ));
    }
    let archives = collection.archives().map_err(explain)?;
    for (name, lost) in lost_captures {
        let Some(archive) = archives.get(&name) else { continue };
        let lost = HumanCount::of(lost, "capture");
        let what = format!("was damaged when its columns were computed: {lost} are missing from the answer");
        changed += 1;
        warn_of_archive(&collection, archive, &what, session);
    }
    if let Some(torn) = torn_relevance {
        changed += 1;
        focus::warn_of_torn(path, torn, session);
    }
    changed += warn_of_unfinished(&collection, &unfinished, Treatment::Read, session);
    Ok((list, changed))
}

/// Says what is wrong with the file of an archive, and the command that says how to repair it.
pub(in crate::commands) fn warn_of_archive(
    collection: &Collection,
    archive: &Archive,
    what: &str,
    session: &Session,
) {
    let verify = ["tamis", "archives", "verify"].map(Path::new).into_iter();
    session.printer.warn(format_args!(
        "{} {what}; `{}` shows how to repair it",
        archive.path(collection).display(),
        command_line::join(verify.chain([collection.root(), Path::new(&archive.name)]))
    ));
}

/// What a command does with archives that are not in the collection's list yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum Treatment {
    /// It reads their whole records.
    Read,
    /// It skips them. It holds the collection's lock, so nobody is writing them.
    Skip,
}

/// Says which archives are not in the collection's list yet. Gives how many.
pub(in crate::commands) fn warn_of_unfinished(
    collection: &Collection,
    unfinished: &[Unfinished],
    treatment: Treatment,
    session: &Session,
) -> u64 {
    let (open, closed): (Vec<_>, Vec<_>) = unfinished.iter().partition(|archive| archive.is_open);
    for archive in open {
        let holder = if treatment == Treatment::Read { collection.holder() } else { None };
        let why = if let Some(holder) = holder {
            format!("is being written by {holder}")
        } else {
            let crawl = [Path::new("tamis"), Path::new("crawl"), collection.root()];
            format!("was not closed; `{}` resumes the crawl", command_line::join(crawl))
        };
        let what = match treatment {
            Treatment::Read => "its complete records are read",
            Treatment::Skip => "skipped",
        };
        session.printer.warn(format_args!("{} {why}; {what}", archive.path.display()));
    }
    if let Some(first) = closed.first() {
        let import =
            [Path::new("tamis"), Path::new("import"), collection.root(), &collection.archive_folder()];
        session.printer.warn(format_args!(
            "{} not in the collection's list yet, such as {}; `{}` adds them",
            HumanCount::of(closed.len() as u64, "archive"),
            first.path.display(),
            command_line::join(import)
        ));
    }
    unfinished.len() as u64
}
