//! What an import would do.

use std::io::Write;
use std::ops::ControlFlow;

use anyhow::Context;
use tamis_collection::Collection;
use tamis_collection::SeedMerge;

use super::super::open_collection::explain;
use super::arrival::{Arrival, Arrivals};
use super::kind::{self, Kind};
use super::{Args, Counts};
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::interrupt;
use crate::outcome::Outcome;
use crate::session::Session;
use crate::summary::Summary;

/// Says for each input what it is and what would be done with it.
pub(super) fn run(
    args: &Args,
    collection: &Collection,
    arrivals: &Arrivals,
    session: &Session,
) -> anyhow::Result<Outcome> {
    let mut counts = Counts { skipped: arrivals.skipped, ..Counts::default() };
    let mut merge = collection.merge_seeds().map_err(explain)?;
    for arrival in &arrivals.list {
        match of_one(args, collection, arrival, &mut merge) {
            Ok(line) => writeln!(session.printer.out(), "{}: {line}", arrival.name)?,
            Err(error) => {
                counts.skipped += 1;
                session.printer.error(&error);
            }
        }
    }
    session.printer.flush()?;
    let (before, after) = merge.count().map_err(explain)?;
    let new = HumanCount::of(after.urls.saturating_sub(before.urls), "new URL");
    let mut summary = Summary::default();
    let inputs = HumanCount::of(arrivals.list.len() as u64, "input");
    summary
        .read(format_args!("{inputs}, {}", HumanSize(arrivals.bytes())))
        .wrote(format_args!("nothing (dry run); {new}"))
        .next(args.command());
    session.printer.summary(&summary);
    Ok(Outcome::of_skipped(counts.skipped))
}

fn of_one(
    args: &Args,
    collection: &Collection,
    arrival: &Arrival,
    merge: &mut SeedMerge,
) -> anyhow::Result<String> {
    let name = || arrival.name.clone();
    Ok(match arrival.kind {
        Kind::Archive | Kind::Page => {
            let mut watch = |_: tamis_collection::Event<'_>| {
                if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            match collection.find(&arrival.path, &mut watch).map_err(explain)? {
                Some(archive) => format!("an archive, already imported as {}", archive.name),
                None if args.reference => "an archive, would be referenced and indexed".to_owned(),
                None => "an archive, would be copied and indexed".to_owned(),
            }
        }
        Kind::Urls => {
            let report =
                merge.add_urls(kind::unpacked(&arrival.path).with_context(name)?).with_context(name)?;
            let bad = match report.bad {
                0 => String::new(),
                bad => format!(", {} without", HumanCount::of(bad, "line")),
            };
            format!("a list with {}{bad}", HumanCount::of(report.urls, "URL"))
        }
        Kind::Tweets => {
            let report =
                merge.add_tweets(kind::unpacked(&arrival.path).with_context(name)?).with_context(name)?;
            report.to_string()
        }
    })
}
