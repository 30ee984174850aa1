//! `tamis archives`: the archives of a collection, listed, verified, moved and removed.

mod change;
mod list;
mod repair;
mod verify;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};
use serde_json::{Map, Value};
use tamis_collection::{Event, Run, Writer};

use super::open_collection::{explain, lock, open};
use crate::command_line;
use crate::interrupt;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::session::Session;

/// The arguments of `tamis archives`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Without a subcommand, lists the archives, one per line: size, captures, records, faults, state, where the file is \
(own: in the collection, or referenced), number of columns stored for all its captures, and whether `tamis dedup` has compared it (dedup).

States: present; changed (size or modification time differ); missing; open (a crawl is writing it, or was killed).

Examples:
  tamis archives eclipse
  tamis archives verify eclipse
  tamis archives relocate eclipse a.warc.gz /mnt/new/a.warc.gz
  tamis archives remove eclipse a.warc.gz && tamis archives empty-trash eclipse"
)]
pub struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    /// The collection
    #[arg(value_name = "COLLECTION", required = true)]
    collection: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Verify everything: lists, archives, indexes, stored columns, duplicates
    Verify(verify::Args),
    /// Repair damaged or lost lists of a collection
    Repair(repair::Args),
    /// Use another file with the same content for an archive
    Relocate(change::RelocateArgs),
    /// Move archives, their indexes and stored columns to the trash
    Remove(change::RemoveArgs),
    /// Delete the trash
    EmptyTrash(change::EmptyTrashArgs),
    /// Rebuild the indexes of archives
    Reindex(change::ReindexArgs),
}

/// An output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table
    Text,
    /// One JSON object per line
    Jsonl,
}

/// Lists the archives of a collection, or does something with them.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    match (&args.action, &args.collection) {
        (Some(Action::Verify(args)), _) => verify::run(args, session),
        (Some(Action::Repair(args)), _) => repair::run(args, session),
        (Some(Action::Relocate(args)), _) => change::relocate(args, session),
        (Some(Action::Remove(args)), _) => change::remove(args, session),
        (Some(Action::EmptyTrash(args)), _) => change::empty_trash(args, session),
        (Some(Action::Reindex(args)), _) => change::reindex(args, session),
        (None, Some(collection)) => list::run(&open(collection, session)?, args.format, session),
        (None, None) => Ok(Outcome::Done),
    }
}

/// A command line of this command, as it can be typed.
fn command(verb: &str, collection: &Path, rest: &[&Path]) -> String {
    let words = [Path::new("tamis"), Path::new("archives"), Path::new(verb), collection];
    command_line::join(words.into_iter().chain(rest.iter().copied()))
}

/// Takes the collection for writing.
fn writer(collection: &Path, command: &str, session: &Session) -> anyhow::Result<Writer> {
    lock(open(collection, session)?, command)
}

/// Shows progress, and stops when it is asked to.
fn watch(progress: &Progress<'_>) -> impl FnMut(Event<'_>) -> ControlFlow<()> {
    |event| {
        match event {
            Event::Copied { bytes } => progress.add(bytes / 2, 0),
            Event::Indexed { bytes, records } => progress.add(bytes / 2, records),
            _ => {}
        }
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Notes a run in the collection.
fn record(writer: &Writer, command: String, result: &Value) -> anyhow::Result<()> {
    let run = Run {
        time: super::new::now().to_string(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command,
        settings: Map::new(),
        result: result.as_object().cloned().unwrap_or_default(),
    };
    writer.record(&run).map_err(explain)
}
