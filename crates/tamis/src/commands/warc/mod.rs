//! `tamis warc`: everything about archive files.

mod cat;
mod check;
mod convert;
mod extract;
mod filter;
mod get;
mod index;
mod ls;
mod part;
mod printable;
mod repair;
mod rewrite;
mod stats;
mod transfer;
mod wacz;
mod wet;

use clap::Subcommand;

use super::group_help;
use crate::outcome::Outcome;
use crate::session::Session;

/// The arguments of `tamis warc`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Option<WarcCommand>,
}

/// The commands over archive files.
#[derive(Debug, Subcommand)]
enum WarcCommand {
    /// List records, one per line
    Ls(ls::Args),
    /// Write records, or parts of them
    Cat(cat::Args),
    /// Write the capture of a URL
    Get(get::Args),
    /// Check archives, and list their faults
    Check(check::Args),
    /// Count records by type, status, media type, host, month …
    Stats(stats::Args),
    /// Create CDXJ, CDX or ZipNum indexes
    Index(index::Args),
    /// Write pages and other payloads to files in a folder
    Extract(extract::Args),
    /// Convert archives to another compression, version or format
    Convert(convert::Args),
    /// Write a valid archive with the intact records of damaged ones
    Repair(repair::Args),
    /// Convert archives to WET: the text of pages with their languages
    Wet(wet::Args),
    /// Create, validate and list WACZ packages
    Wacz(wacz::Args),
}

/// Runs a command over archive files.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    match &args.command {
        None => group_help::print("warc", session),
        Some(WarcCommand::Ls(args)) => ls::run(args, session),
        Some(WarcCommand::Cat(args)) => cat::run(args, session),
        Some(WarcCommand::Get(args)) => get::run(args, session),
        Some(WarcCommand::Check(args)) => check::run(args, session),
        Some(WarcCommand::Stats(args)) => stats::run(args, session),
        Some(WarcCommand::Index(args)) => index::run(args, session),
        Some(WarcCommand::Extract(args)) => extract::run(args, session),
        Some(WarcCommand::Convert(args)) => convert::run(args, session),
        Some(WarcCommand::Repair(args)) => repair::run(args, session),
        Some(WarcCommand::Wet(args)) => wet::run(args, session),
        Some(WarcCommand::Wacz(args)) => wacz::run(args, session),
    }
}
