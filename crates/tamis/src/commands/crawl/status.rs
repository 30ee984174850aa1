//! `tamis crawl status`: how far a crawl is, running or not.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use tamis_crawl::crawl::Folders;

use super::report;
use super::state::{Told, told_path};
use crate::hint::WithHint;
use crate::outcome::Outcome;
use crate::session::Session;

/// The arguments of `tamis crawl status`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// Print the figures as they are, in JSON
    #[arg(long)]
    json: bool,
}

/// Prints the figures that a crawl told last.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let frontier = Folders::of(&args.collection).frontier;
    let Some(told) = Told::read(&frontier)? else {
        return Err(anyhow!("{}: no crawl was begun here", args.collection.display()))
            .hint("`tamis crawl COLLECTION SEED` begins one");
    };
    if args.json {
        let text = std::fs::read_to_string(told_path(&frontier))?;
        session.printer.out().write_all(text.as_bytes())?;
        return Ok(Outcome::Done);
    }
    let is_running = told.state == "running" && is_alive(told.process);
    let state = if told.state == "running" && !is_running { "killed" } else { &told.state };
    let text = report::text(state, Duration::from_millis(told.elapsed_ms), told.run_pages, &told.figures);
    session.printer.out().write_all(text.as_bytes())?;
    Ok(Outcome::Done)
}

/// Whether a process is there; where that cannot be told, it is.
fn is_alive(process: u32) -> bool {
    !std::path::Path::new("/proc/self").exists() || std::path::Path::new(&format!("/proc/{process}")).exists()
}
