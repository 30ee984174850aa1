//! The inputs as the table `pages`: archives, and collections with what is materialised of them.

use std::ffi::OsString;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

use tamis_table::collection::Condition;
use tamis_table::{Collection, Context, Cut, Member, Members, Pages};

use crate::archives::Archives;
use crate::commands::open_collection::{explain, open};
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

/// What is to be read of a collection, and how many of its archives are not what they were when they were imported.
fn of_collection(path: &Path, context: &Context, session: &Session) -> anyhow::Result<(Vec<Member>, u64)> {
    let collection = open(path)?;
    let mut changed = 0;
    for archive in collection.archives()?.values() {
        if archive.condition(&collection) == Condition::Changed {
            changed += 1;
            let place = archive.path(&collection);
            session.printer.warn(format_args!(
                "{} has changed since it was imported: what is kept of it is not what it says now; import it again",
                place.display()
            ));
        }
    }
    let Members { list, lost_parts } = tamis_table::members(&collection, context).map_err(explain)?;
    for part in lost_parts {
        session.printer.warn(format_args!("{} is lost; its archive is read instead", part.display()));
    }
    Ok((list, changed))
}
