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
    /// List records, a line each
    Ls(ls::Args),
    /// Write out records, or parts of them
    Cat(cat::Args),
    /// Get the capture of a URL
    Get(get::Args),
    /// Tell whether archives are sound, and what is wrong where
    Check(check::Args),
    /// Count records by type, status, media type, host, month …
    Stats(stats::Args),
    /// Write CDXJ, CDX or ZipNum indexes
    Index(index::Args),
    /// Write pages and other payloads as files into a folder
    Extract(extract::Args),
    /// Write archives in another compression, version or format
    Convert(convert::Args),
    /// Write a sound archive of what is whole in damaged ones
    Repair(repair::Args),
    /// Write the text of pages with its languages as WET, and an index of it
    Wet(wet::Args),
    /// Make, check and list WACZ packages
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
