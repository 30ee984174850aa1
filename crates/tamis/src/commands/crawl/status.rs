//! `tamis crawl status`: how far a crawl is, running or not.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use serde_json::json;
use tamis_archive::Timestamp;
use tamis_crawl::crawl::{self, Folders, Left, LeftUrl};

use super::report;
use super::state::Told;
use crate::hint::WithHint;
use crate::outcome::Outcome;
use crate::session::Session;

/// The arguments of `tamis crawl status`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Of a collection that was fetched into and not crawled the figures are those of `tamis fetch`. The figures of a crawl that was killed are read from its journal and its log of addresses.

--failed and --refused print a line each: the address, why, when, and how often it was tried, with tabs between (with --json an object a \
line). Why is the kind of failure (connection-refused, first-byte-timeout, not-http, …) or the last status (status-429, status-503), \
or for what was refused `robots` or `limit`. Links outside the scope are counted, not kept: when the scope is widened, \
they are found again in the archives. `tamis crawl COLLECTION --retry-failed` tries again what failed; \
addresses of hosts that were given up before their turn came (tried 0 times) are tried again by every run.

Examples:
  tamis crawl status eclipse
  tamis crawl status eclipse --failed | cut -f2 | sort | uniq -c")]
pub(super) struct Args {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// Print the figures as they are, in JSON
    #[arg(long)]
    json: bool,
    /// List the addresses that gave no answer
    #[arg(long)]
    failed: bool,
    /// List the addresses that robots.txt forbids or that are over a limit
    #[arg(long, conflicts_with = "failed")]
    refused: bool,
}

/// Prints the figures of a crawl, or what it has not fetched.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let crawl = Folders::of(&args.collection);
    let is_begun = crawl.has_crawl() || Told::read(&crawl.frontier)?.is_some();
    let folders = if is_begun { crawl } else { Folders::of_fetch(&args.collection) };
    let told = Told::read(&folders.frontier)?;
    if told.is_none() && !folders.has_crawl() {
        return Err(anyhow!("{}: no crawl was begun here", args.collection.display()))
            .hint("`tamis crawl COLLECTION SEED` begins one");
    }
    let mut out = session.printer.out();
    if args.failed || args.refused {
        let which = if args.failed { Left::Failed } else { Left::Refused };
        // A crawl that has just begun has not written anything.
        if folders.has_crawl() {
            crawl::left(&folders, which, |url| write(&url, args.json, &mut out))?;
        }
        return Ok(Outcome::Done);
    }
    let told = now(told.unwrap_or_default(), &folders)?;
    if args.json {
        serde_json::to_writer_pretty(&mut out, &told)?;
        writeln!(out)?;
    } else {
        let elapsed = Duration::from_millis(told.elapsed_ms);
        out.write_all(report::text(&told.state, elapsed, told.run_pages, &told.figures).as_bytes())?;
    }
    Ok(Outcome::Done)
}

/// What was told, unless its crawl was killed since: then the journal knows better.
fn now(told: Told, folders: &Folders) -> anyhow::Result<Told> {
    let is_over = !matches!(told.state.as_str(), "running" | "");
    if is_over || is_alive(told.process) {
        return Ok(told);
    }
    let before = told.figures.sums.pages.saturating_sub(told.run_pages);
    let figures =
        if folders.has_crawl() { crawl::figures(folders, &told.figures)? } else { told.figures.clone() };
    let run_pages = figures.sums.pages.saturating_sub(before);
    Ok(Told { state: "killed".to_owned(), run_pages, figures, ..told })
}

fn write(url: &LeftUrl, is_json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let seconds = i64::try_from(url.time_ms / 1000).unwrap_or(0);
    let time = Timestamp::from_unix(seconds, 0).map(|time| time.to_seconds().to_string()).unwrap_or_default();
    if is_json {
        let row = json!({"url": url.url, "kind": url.kind, "time": time, "tries": url.tries});
        writeln!(out, "{row}")?;
    } else {
        writeln!(out, "{}\t{}\t{time}\t{}", url.url, url.kind, url.tries)?;
    }
    Ok(())
}

/// Whether a process is there; where that cannot be told, it is.
fn is_alive(process: u32) -> bool {
    !std::path::Path::new("/proc/self").exists() || std::path::Path::new(&format!("/proc/{process}")).exists()
}
