//! The inputs as the table `pages`: archives, and collections with what is materialised of them.

use std::ffi::OsString;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

use tamis_table::{Collection, Context, Cut, Member, Members, Pages};

use crate::archives::Archives;
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
                members.extend(of_collection(Path::new(&run[0]), context, session)?);
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

fn of_collection(path: &Path, context: &Context, session: &Session) -> anyhow::Result<Vec<Member>> {
    let collection = Collection::open(path)?;
    let Members { list, lost_parts } = tamis_table::members(&collection, context)?;
    for part in lost_parts {
        session.printer.warn(format_args!("{} is lost; its archive is read instead", part.display()));
    }
    Ok(list)
}
