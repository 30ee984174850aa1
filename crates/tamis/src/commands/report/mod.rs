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
The report is one self-contained HTML page: charts are embedded, and it loads no scripts or other files. It shows the results of `tamis clean`, `tamis dedup` and \
`tamis crawl` so far; empty sections name the command that fills them. Figures come from stored columns; \
--compute also computes missing columns, which takes as long as `tamis clean` does.

An output file ending in .md is written as Markdown, with tables instead of charts.

Examples:
  tamis report eclipse
  tamis report eclipse -o eclipse.md
  tamis report eclipse --compute -o - > page.html")]
pub struct Args {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// Output file, .html or .md; `-` is stdout [default: report.html in the collection]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the output file if it exists; report.html in the collection is always replaced
    #[arg(long)]
    force: bool,
    /// Compute columns that are not stored in the collection
    #[arg(long)]
    compute: bool,
    #[command(flatten)]
    jobs: JobsArgs,
    /// Memory limit: 2G, 50% of the machine, or `auto` for half of it
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
            .hint("to get a PDF, print the HTML page in a browser")
    }
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}
