//! `tamis report`: a collection on one page, in figures and charts.
//!
//! Memory: that of `tamis query`; a figure holds its largest groups only.

mod figures;
mod html;
mod markdown;
mod section;
mod timeline;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use super::open_collection::open;
use crate::command_line;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::jobs::JobsArgs;
use crate::memory::Memory;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::session::Session;
use crate::summary::Summary;

use crate::commands::ask::Asker;
use crate::commands::query::bound;
use figures::Figures;

/// The page, in the collection's folder.
const FILE: &str = "report.html";

/// The arguments of `tamis report`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The page stands alone: charts are in it, it has no script and loads nothing. What `tamis clean`, `tamis dedup` and `tamis crawl` have found so far \
is shown; a section says which command would fill it if nothing is there. Figures come from the columns that the collection keeps; \
--compute has those computed that it does not keep, which takes as long as `tamis clean` does.

A name that ends in .md makes it Markdown, with tables instead of charts.

Examples:
  tamis report eclipse
  tamis report eclipse -o eclipse.md
  tamis report eclipse --compute -o - > page.html")]
pub struct Args {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// Write to FILE, .html or .md; `-` is stdout [default: report.html in the collection]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace FILE if it exists; the collection's own report.html always is
    #[arg(long)]
    force: bool,
    /// Compute columns that the collection does not keep
    #[arg(long)]
    compute: bool,
    #[command(flatten)]
    jobs: JobsArgs,
    /// Use no more memory: 2G, 50% of what there is, or `auto` for half
    #[arg(long, value_name = "LIMIT", default_value_t = Memory::Auto)]
    memory: Memory,
}

/// Writes the report of a collection.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    args.check()?;
    let collection = open(&args.collection, session)?;
    let jobs = args.jobs.count(&session.config);
    let _ceiling = bound(args.memory)?;
    let asker = Asker::open(&args.collection, jobs, args.memory, session)?;
    let figures = Figures::gather(&collection, &asker, args.compute)?;
    let path = args.output.clone().unwrap_or_else(|| collection.root().join(FILE));
    let page = if is_markdown(&path) { markdown::write(&figures) } else { html::write(&figures) };
    if path == Path::new("-") {
        session.printer.out().write_all(page.as_bytes())?;
        return Ok(asker.outcome(session));
    }
    let is_own = args.output.is_none();
    let mut output = Output::create(&path, args.force || is_own)?;
    output.write_all(page.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    output.finish()?;
    let mut summary = Summary::default();
    summary.read(HumanCount::of(figures.captures, "capture"));
    summary.wrote(HumanCount::of(figures.filled() as u64, "section")).went_to(path.display());
    if !is_markdown(&path) {
        let place = fs::canonicalize(&path).unwrap_or(path);
        summary.next(command_line::join([Path::new("xdg-open"), &place]));
    }
    session.printer.summary(&summary);
    Ok(asker.outcome(session))
}

impl Args {
    /// Refuses an output that is neither HTML nor Markdown.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let ending = self.output.as_deref().and_then(Path::extension).unwrap_or_default();
        if ["", "html", "htm", "md"].iter().any(|known| ending.eq_ignore_ascii_case(known)) {
            return Ok(());
        }
        Err(anyhow!("a report is .html or .md, not .{}", ending.display()))
            .hint("browsers print the page as PDF")
    }
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}
