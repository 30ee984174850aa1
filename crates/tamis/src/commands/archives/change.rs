//! Changes to the archives of a collection.

use std::path::{Path, PathBuf};

use serde_json::json;
use tamis_collection::{Kept, Removed, Trash};

use super::super::open_collection::{explain, open};
use super::{command, record, watch, writer};
use crate::command_line;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::interrupt;
use crate::jobs::JobsArgs;
use crate::outcome::Outcome;
use crate::progress::{Progress, Work};
use crate::session::Session;
use crate::summary::Summary;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
The file must have the size and SHA-256 of the archive. A referenced archive is read from the new path from then on. \
An archive inside the collection is copied again from the new path, and its damaged file goes to the trash.

Examples:
  tamis archives relocate eclipse a.warc.gz /mnt/new/a.warc.gz")]
pub(super) struct RelocateArgs {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// The archive
    #[arg(value_name = "NAME")]
    name: String,
    /// A file with the same content
    #[arg(value_name = "NEW_PATH")]
    path: PathBuf,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
The archive, its index and its stored columns are moved to trash/ in the collection; `tamis archives empty-trash` deletes them. For a \
referenced archive, only its entry in the list is removed: the file is not touched.

If `tamis dedup` has compared the archive, its results become stale: queries that use duplicates fail until `tamis dedup \
COLLECTION --redo` is run.

Examples:
  tamis archives remove eclipse a.warc.gz b.warc.gz --dry-run")]
pub(super) struct RemoveArgs {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// Archives to remove
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Show what would be moved, without changing anything
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct EmptyTrashArgs {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// Show what would be deleted, without changing anything
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct ReindexArgs {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// Archives to index [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    jobs: JobsArgs,
}

/// Uses another file for an archive.
pub(super) fn relocate(args: &RelocateArgs, session: &Session) -> anyhow::Result<Outcome> {
    interrupt::watch();
    let line = command("relocate", &args.collection, &[Path::new(&args.name), &args.path]);
    let writer = writer(&args.collection, &line, session)?;
    let work = Work { verb: "comparing", item: "record", total_bytes: None, data_on_stdout: false };
    let progress = Progress::start(&session.printer, work);
    let archive = writer.relocate(&args.name, &args.path, &mut watch(&progress)).map_err(explain)?;
    drop(progress);
    record(&writer, line, &json!({"archives_relocated": 1}))?;
    let place = archive.path(&writer);
    let what = if archive.kept == Kept::Copy { "copied to" } else { "now read from" };
    session.printer.say(format_args!("{}: {what} {}", archive.name, place.display()));
    Ok(Outcome::Done)
}

/// Moves archives into the trash.
pub(super) fn remove(args: &RemoveArgs, session: &Session) -> anyhow::Result<Outcome> {
    let names: Vec<&Path> = args.names.iter().map(Path::new).collect();
    let line = command("remove", &args.collection, &names);
    let collection = open(&args.collection, session)?;
    // All names are looked up before anything is moved.
    let planned: Result<Vec<Removed>, _> =
        args.names.iter().map(|name| collection.removal_of(name)).collect();
    let planned = planned.map_err(explain)?;
    let mut summary = Summary::default();
    if args.dry_run {
        summary.wrote(format_args!("nothing (dry run); {}", words(&planned)));
        summary.next(line);
        session.printer.summary(&summary);
        return Ok(Outcome::Done);
    }
    let writer = writer(&args.collection, &line, session)?;
    for name in &args.names {
        writer.remove_archive(name).map_err(explain)?;
    }
    record(&writer, line, &json!({"archives_removed": planned.len()}))?;
    summary.wrote(words(&planned));
    summary.went_to(writer.trash_folder().display());
    summary.next(command("empty-trash", &args.collection, &[]));
    session.printer.summary(&summary);
    if is_stale(&writer)? {
        let redo = [Path::new("tamis"), Path::new("dedup"), &args.collection, Path::new("--redo")];
        session.printer.warn(format_args!(
            "the duplicates found earlier are stale; `{}` finds them again",
            command_line::join(redo)
        ));
    }
    Ok(Outcome::Done)
}

/// Deletes what is in the trash.
pub(super) fn empty_trash(args: &EmptyTrashArgs, session: &Session) -> anyhow::Result<Outcome> {
    let line = command("empty-trash", &args.collection, &[]);
    let mut summary = Summary::default();
    let size = |trash: Trash| format!("{}, {}", HumanCount::of(trash.files, "file"), HumanSize(trash.bytes));
    if args.dry_run {
        let trash = open(&args.collection, session)?.trash().map_err(explain)?;
        summary.wrote(format_args!("nothing (dry run); {} would be deleted", size(trash)));
        summary.next(line);
    } else {
        let trash = writer(&args.collection, &line, session)?.empty_trash().map_err(explain)?;
        summary.wrote(format_args!("{} deleted", size(trash)));
    }
    session.printer.summary(&summary);
    Ok(Outcome::Done)
}

/// Makes indexes again.
pub(super) fn reindex(args: &ReindexArgs, session: &Session) -> anyhow::Result<Outcome> {
    interrupt::watch();
    let names: Vec<&Path> = args.names.iter().map(Path::new).collect();
    let line = command("reindex", &args.collection, &names);
    let writer = writer(&args.collection, &line, session)?;
    let names = match args.names.as_slice() {
        [] => writer.archives().map_err(explain)?.into_keys().collect(),
        names => names.to_vec(),
    };
    let work = Work { verb: "indexing", item: "record", total_bytes: None, data_on_stdout: false };
    let progress = Progress::start(&session.printer, work);
    let (mut records, mut captures) = (0, 0);
    for name in &names {
        let jobs = args.jobs.count(&session.config);
        let archive = writer.reindex(name, jobs, &mut watch(&progress)).map_err(explain)?;
        records += archive.records;
        captures += archive.captures;
    }
    drop(progress);
    record(&writer, line, &json!({"archives_indexed": names.len()}))?;
    let mut summary = Summary::default();
    summary.read(format_args!(
        "{}, {}",
        HumanCount::of(names.len() as u64, "archive"),
        HumanCount::of(records, "record")
    ));
    summary.wrote(HumanCount::of(captures, "capture"));
    summary.went_to(writer.index_folder().display());
    session.printer.summary(&summary);
    Ok(Outcome::Done)
}

/// Whether duplicates have to be found again.
fn is_stale(collection: &tamis_collection::Collection) -> anyhow::Result<bool> {
    let store = tamis_table::dedup::Store::read(collection).map_err(explain)?;
    Ok(!store.stale(collection).map_err(explain)?.is_empty())
}

/// `2 archives; 5 files, 1.2 MB to the trash`.
fn words(removed: &[Removed]) -> String {
    let files = removed.iter().map(|removed| removed.files).sum();
    let bytes = removed.iter().map(|removed| removed.bytes).sum();
    format!(
        "{} removed; {}, {} moved to the trash",
        HumanCount::of(removed.len() as u64, "archive"),
        HumanCount::of(files, "file"),
        HumanSize(bytes)
    )
}
