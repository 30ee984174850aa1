//! `tamis focus`: the model of an event, and what a crawl by it found.

mod judge;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Subcommand;
use tamis_collection::relevance::{Torn, write_ranked};
use tamis_crawl::crawl::Folders;
use tamis_crawl::focus::Model;

pub(super) use judge::{How, judge, judge_edited, judge_new, mark_crawled};

use super::lang::tables;
use crate::command_line;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::outcome::Outcome;
use crate::output::OutputArgs;
use crate::session::Session;

/// The model, in a collection.
pub(super) const FILE: &str = "focus.toml";

/// The arguments of `tamis focus`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
`tamis crawl NAME SEED… --focus model.txt` learns an event from the pages listed in model.txt, stores the model in NAME/focus.toml, and crawls \
pages about the event first. The model is a text file that you can edit; the crawl then continues with the edited model. Pages already in the collection are \
scored when it gets a model, and pages added by `tamis fetch` and `tamis import` as they arrive. After you edit the model, `tamis focus judge` \
scores all pages again, and so does the next crawl.

Examples:
  tamis crawl flood @seeds.txt --focus model.txt --contact me@example.org
  tamis focus show flood
  tamis focus ranked flood
  tamis focus judge flood")]
pub struct Args {
    #[command(subcommand)]
    command: FocusCommand,
}

#[derive(Debug, Subcommand)]
enum FocusCommand {
    /// Show a model: terms, names and days with their weights
    Show(ShowArgs),
    /// List the relevant pages, most relevant first, as `rank : score , 1 , url`
    Ranked(RankedArgs),
    /// Score the pages that the current model has not scored yet
    Judge(judge::Args),
}

#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// A collection, or a model file
    #[arg(value_name = "COLLECTION|MODEL")]
    model: PathBuf,
    /// Number of terms, names and days to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
}

#[derive(Debug, clap::Args)]
struct RankedArgs {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
}

/// Shows a model, or what was found by it.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    match &args.command {
        FocusCommand::Show(args) => show(args, session),
        FocusCommand::Ranked(args) => ranked(args, session),
        FocusCommand::Judge(args) => judge::run(args, session),
    }
}

/// The model of a collection, or in a file.
pub(super) fn read(path: &Path) -> anyhow::Result<Model> {
    let file = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
    if !file.exists() {
        return Err(anyhow!("{}: no model", file.display()))
            .hint("`tamis crawl NAME SEED… --focus model.txt` learns a model");
    }
    Ok(Model::read(&file)?)
}

fn show(args: &ShowArgs, session: &Session) -> anyhow::Result<Outcome> {
    let model = read(&args.model)?;
    let mut out = session.printer.out();
    let weight = |weight: f64| format!("{weight:.3}");
    let terms: Vec<_> =
        model.terms.iter().take(args.top).map(|term| vec![term.term.clone(), weight(term.weight)]).collect();
    tables::write(&mut out, &["term", "weight"], &terms)?;
    let names: Vec<_> = model
        .names
        .iter()
        .take(args.top)
        .map(|name| vec![name.name.clone(), name.kind.name().to_owned(), weight(name.weight)])
        .collect();
    writeln!(out)?;
    tables::write(&mut out, &["name", "kind", "weight"], &names)?;
    let dates: Vec<_> = model
        .dates
        .iter()
        .take(args.top)
        .map(|date| vec![date.day.to_string(), format!("± {} days", date.spread_days), weight(date.weight)])
        .collect();
    writeln!(out)?;
    tables::write(&mut out, &["day", "spread", "weight"], &dates)?;
    let parts = &model.parts;
    let [terms, names, days] = [parts.terms, parts.places, parts.dates].map(weight);
    writeln!(out, "\nweights: terms {terms}, names {names}, days {days}")?;
    writeln!(out, "a page is relevant at {:.3} or more", model.threshold)?;
    Ok(Outcome::Done)
}

fn ranked(args: &RankedArgs, session: &Session) -> anyhow::Result<Outcome> {
    let log = Folders::of(&args.collection).relevance();
    if !log.exists() {
        return Err(anyhow!("{}: no page has been scored", args.collection.display()))
            .hint("`tamis crawl NAME SEED… --focus model.txt` scores new pages, `tamis focus judge NAME` existing ones");
    }
    let mut output = args.output.open(&session.printer, crate::output::Content::Text)?;
    let mut list = Vec::new();
    let torn = write_ranked(&log, &mut list).with_context(|| format!("cannot read {}", log.display()))?;
    output.write_all(&list)?;
    output.finish()?;
    if list.is_empty() {
        session.printer.say("no page is relevant enough");
        session.printer.hint(
            "to see all scores: `tamis query` with select url, relevance from pages order by relevance desc",
        );
        return Ok(Outcome::Negative);
    }
    let Some(torn) = torn else { return Ok(Outcome::Done) };
    warn_of_torn(&args.collection, torn, session);
    Ok(Outcome::Skipped)
}

/// Reports a line of `relevance.jsonl` that was cut off; the caller judges its page again.
pub(in crate::commands) fn warn_of_cut(collection: &Path, torn: Torn, session: &Session) {
    session.printer.warn(format_args!(
        "{}: removed {} of an incomplete last line; its page is scored again",
        Folders::of(collection).relevance().display(),
        HumanCount::of(torn.len_bytes, "byte")
    ));
}

/// Reports a line of `relevance.jsonl` that was skipped.
pub(in crate::commands) fn warn_of_torn(collection: &Path, torn: Torn, session: &Session) {
    let judge = [Path::new("tamis"), Path::new("focus"), Path::new("judge"), collection];
    session.printer.warn(format_args!(
        "{}: the last line, at byte {}, is incomplete, because a crawl is writing it or was killed; its page counts as not scored until `{}`",
        Folders::of(collection).relevance().display(),
        torn.offset,
        command_line::join(judge)
    ));
}
