//! `tamis warc wacz`: packages of archives, their index and their pages.

mod create;
mod ls;
mod pages;
mod validate;

use clap::Subcommand;

use crate::commands::group_help;
use crate::outcome::Outcome;
use crate::session::Session;

/// The arguments of `tamis warc wacz`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "All commands that read archives also read packages: `tamis warc check a.wacz` checks the archives in it."
)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<WaczCommand>,
}

/// The commands over packages.
#[derive(Debug, Subcommand)]
enum WaczCommand {
    /// Create a package from archives, with an index and a page list
    Create(create::Args),
    /// Validate packages and the archives in them
    Validate(validate::Args),
    /// List the files in packages
    Ls(ls::Args),
}

/// Runs a command over packages.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    match &args.command {
        None => group_help::print("warc wacz", session),
        Some(WaczCommand::Create(args)) => create::run(args, session),
        Some(WaczCommand::Validate(args)) => validate::run(args, session),
        Some(WaczCommand::Ls(args)) => ls::run(args, session),
    }
}
