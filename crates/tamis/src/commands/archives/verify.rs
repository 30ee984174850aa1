//! `tamis archives verify`: everything that can be checked.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::json;
use tamis_collection::{Archive, Error, Flaw, Remedy, VerifyOptions};
use tamis_collection::{Collection, relevance};
use tamis_table::dedup::Store;

use super::super::focus;
use super::super::open_collection::explain;
use super::{Format, command, watch};
use crate::command_line;
use crate::human_count::HumanCount;
use crate::interrupt;
use crate::jobs::JobsArgs;
use crate::outcome::Outcome;
use crate::progress::{Progress, Work};
use crate::session::Session;
use crate::summary::Summary;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Checks the collection's lists, the size, SHA-256 and number of records of each archive, each index against its archive, \
the sizes and checksums of stored columns, the results of `tamis dedup`, and the relevance log. Reads every byte. With archive names, checks only these and \
their stored columns.

Prints one line per fault, with the command that repairs it. Exit code 0 if there are no faults, 2 otherwise.

Examples:
  tamis archives verify eclipse
  tamis archives verify eclipse a.warc.gz --format jsonl")]
pub(super) struct Args {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// Archives to check [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    jobs: JobsArgs,
}

/// Verifies a collection.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    interrupt::watch();
    let (checked, flaws) = match Collection::open(&args.collection) {
        Ok(collection) => find(args, &collection, session)?,
        Err(error @ (Error::Damaged { .. } | Error::Newer { .. })) => {
            (0, vec![Flaw::of(error).map_err(explain)?])
        }
        Err(error) => return Err(explain(error)),
    };
    let mut out = session.printer.out();
    for flaw in &flaws {
        let repair = repair_of(&flaw.remedy, &args.collection);
        let path = flaw.path.display();
        match args.format {
            Format::Text => writeln!(out, "{path}: {}; {repair}", flaw.what)?,
            Format::Jsonl => {
                let path = path.to_string();
                writeln!(out, "{}", json!({"path": path, "fault": flaw.what, "repair": repair}))?;
            }
        }
    }
    drop(out);
    session.printer.flush()?;
    let mut summary = Summary::default();
    summary.read(HumanCount::of(checked, "archive"));
    summary.wrote(HumanCount::of(flaws.len() as u64, "fault"));
    session.printer.summary(&summary);
    Ok(Outcome::of_skipped(flaws.len() as u64))
}

/// How many archives were checked, and what is wrong.
fn find(args: &Args, collection: &Collection, session: &Session) -> anyhow::Result<(u64, Vec<Flaw>)> {
    let mut flaws = collection.verify_lists().map_err(explain)?;
    let Ok(listed) = collection.archives() else { return Ok((0, flaws)) };
    let archives: Vec<Archive> = if args.names.is_empty() {
        listed.into_values().collect()
    } else {
        args.names.iter().map(|name| collection.archive(name).map_err(explain)).collect::<Result<_, _>>()?
    };
    let total_bytes = Some(archives.iter().map(|archive| archive.bytes).sum());
    let work = Work { verb: "verifying", item: "record", total_bytes, data_on_stdout: true };
    let progress = Progress::start(&session.printer, work);
    let scratch = tempfile::Builder::new().prefix("tamis-verify-").tempdir();
    let scratch = scratch.with_context(|| format!("cannot write into {}", std::env::temp_dir().display()))?;
    let options = VerifyOptions { jobs: args.jobs.count(&session.config), scratch: scratch.path() };
    for archive in &archives {
        let found = collection.verify_archive(archive, options, &mut watch(&progress));
        flaws.extend(found.map_err(explain)?);
    }
    drop(progress);
    if collection.manifest().is_ok() {
        let names: BTreeSet<String> = args.names.iter().cloned().collect();
        flaws.extend(collection.verify_parts(&names).map_err(explain)?);
    }
    if args.names.is_empty() {
        flaws.extend(of_dedup(collection)?);
        flaws.extend(of_relevance(collection.root())?);
    }
    Ok((archives.len() as u64, flaws))
}

fn of_dedup(collection: &Collection) -> anyhow::Result<Vec<Flaw>> {
    let flaw = |(path, what)| Flaw { path, what, remedy: Remedy::Dedup };
    match Store::read(collection) {
        Ok(store) => Ok(store.verify(collection).map_err(explain)?.into_iter().map(flaw).collect()),
        Err(Error::Damaged { path, why }) => Ok(vec![flaw((path, why))]),
        Err(error) => Err(explain(error)),
    }
}

/// What is wrong with the log of relevance.
fn of_relevance(root: &Path) -> anyhow::Result<Option<Flaw>> {
    let path = root.join(relevance::FILE);
    let judge = |what: String| Ok(Some(Flaw { path: path.clone(), what, remedy: Remedy::Judge }));
    if !path.exists() && root.join(focus::FILE).exists() {
        return judge("it is missing".to_owned());
    }
    match relevance::read(&path, |_| {}) {
        Ok(None) => Ok(None),
        Ok(Some(torn)) => judge(format!("the last line, at byte {}, is incomplete", torn.offset)),
        Err(error) => Ok(Some(Flaw::of(error).map_err(explain)?)),
    }
}

/// The command that repairs something, in words.
fn repair_of(remedy: &Remedy, collection: &Path) -> String {
    match remedy {
        Remedy::Repair => format!("`{}` repairs it", command("repair", collection, &[])),
        Remedy::Relocate { name, from: Some(from) } => {
            format!("`{}` repairs it", command("relocate", collection, &[Path::new(name), from]))
        }
        Remedy::Relocate { name, from: None } => {
            let relocate = command("relocate", collection, &[Path::new(name), Path::new("COPY")]);
            let remove = command("remove", collection, &[Path::new(name)]);
            format!("`{relocate}` repairs it from an intact copy, `{remove}` removes it")
        }
        Remedy::Reindex { name } => {
            format!("`{}` repairs it", command("reindex", collection, &[Path::new(name)]))
        }
        Remedy::Import { path } => {
            let import = [Path::new("tamis"), Path::new("import"), collection, path];
            format!("`{}` adds it", command_line::join(import))
        }
        Remedy::Dedup => {
            let dedup = [Path::new("tamis"), Path::new("dedup"), collection, Path::new("--redo")];
            format!("`{}` repairs it", command_line::join(dedup))
        }
        Remedy::Judge => {
            let judge = [Path::new("tamis"), Path::new("focus"), Path::new("judge"), collection];
            format!("`{}` repairs it", command_line::join(judge))
        }
        Remedy::Upgrade => "use a newer tamis".to_owned(),
    }
}
