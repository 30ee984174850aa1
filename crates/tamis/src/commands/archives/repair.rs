//! `tamis archives repair`: lists that are damaged or lost, made sound again.

use std::path::{Path, PathBuf};

use tamis_collection::{Lost, Repair};

use super::super::open_collection::explain;
use super::{command, watch};
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
Restores collection.toml to its last used state, rebuilds the list of archives, removes damaged stored columns (`tamis clean` computes them \
again) and rewrites the checksums. Damaged files go to the trash. Anything that cannot be restored is reported with the command \
that restores it (exit code 2).

If you have edited collection.toml, --keep-edits accepts your changes.

Examples:
  tamis archives repair eclipse
  tamis archives repair eclipse --keep-edits")]
pub(super) struct Args {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// Accept the current content of collection.toml
    #[arg(long)]
    keep_edits: bool,
    #[command(flatten)]
    jobs: JobsArgs,
}

/// Repairs a collection.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    interrupt::watch();
    let collection = &args.collection;
    if !tamis_collection::Collection::is_one(collection) {
        super::open(collection, session)?;
    }
    let command = command("repair", collection, &[]);
    let repair =
        Repair { command: &command, keep_edits: args.keep_edits, jobs: args.jobs.count(&session.config) };
    let work = Work { verb: "indexing", item: "record", total_bytes: None, data_on_stdout: false };
    let progress = Progress::start(&session.printer, work);
    let repaired = repair.run(collection, &mut watch(&progress)).map_err(explain)?;
    drop(progress);
    for line in &repaired.done {
        session.printer.say(line);
    }
    for lost in &repaired.lost {
        session.printer.warn(words(lost, collection));
    }
    let mut summary = Summary::default();
    summary.wrote(HumanCount::of(repaired.done.len() as u64, "repair"));
    summary.next(super::command("verify", collection, &[]));
    session.printer.summary(&summary);
    Ok(Outcome::of_skipped(repaired.lost.len() as u64))
}

fn words(lost: &Lost, collection: &Path) -> String {
    let tamis = |words: &[&Path]| command_line::join([&[Path::new("tamis")], words].concat());
    match lost {
        Lost::Seeds(commands) if commands.is_empty() => {
            "the seeds are lost; import the lists again".to_owned()
        }
        Lost::Seeds(commands) => {
            format!("the seeds are lost; `{}` imports them again", commands.join("`, `"))
        }
        Lost::Fetched => {
            format!("fetched.tsv is lost; `{}` writes it again", tamis(&[Path::new("fetch"), collection]))
        }
        Lost::Relevance => {
            let judge = tamis(&[Path::new("focus"), Path::new("judge"), collection]);
            format!("the relevance of pages is lost; `{judge}` judges them again")
        }
        Lost::Archive(path) => {
            let import = tamis(&[Path::new("import"), collection, Path::new(path), Path::new("--reference")]);
            format!("{path} is no longer listed; `{import}` adds it again")
        }
    }
}
