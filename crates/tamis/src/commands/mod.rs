//! The commands: a file each, and a line each in the dispatcher.

pub mod archives;
mod ask;
pub mod build;
pub mod clean;
pub mod completions;
pub mod config;
pub mod crawl;
pub mod dedup;
pub mod demo;
pub mod fetch;
pub mod focus;
mod group_help;
pub mod import;
pub mod lang;
pub mod licenses;
mod look_up;
pub mod man;
pub mod new;
mod open_collection;
pub mod pack;
mod payload;
pub mod query;
pub mod report;
pub mod serve;
pub mod status;
pub mod unpack;
pub mod warc;
pub mod welcome;

use crate::cli::{Cli, Command};
use crate::outcome::Outcome;
use crate::session::Session;

/// Runs the command of a command line.
pub fn run(cli: &Cli, session: &Session) -> anyhow::Result<Outcome> {
    match &cli.command {
        None => welcome::run(session),
        Some(Command::New(args)) => new::run(args, session),
        Some(Command::Crawl(args)) => crawl::run(args, session),
        Some(Command::Fetch(args)) => fetch::run(args, session),
        Some(Command::Focus(args)) => focus::run(args, session),
        Some(Command::Import(args)) => import::run(args, session),
        Some(Command::Archives(args)) => archives::run(args, session),
        Some(Command::Status(args)) => status::run(args, session),
        Some(Command::Warc(args)) => warc::run(args, session),
        Some(Command::Clean(args)) => clean::run(args, session),
        Some(Command::Lang(args)) => lang::run(args, session),
        Some(Command::Dedup(args)) => dedup::run(args, session),
        Some(Command::Pack(args)) => pack::run(args, session),
        Some(Command::Unpack(args)) => unpack::run(args, session),
        Some(Command::Query(args)) => query::run(args, session),
        Some(Command::Report(args)) => report::run(args, session),
        Some(Command::Serve(args)) => serve::run(args, session),
        Some(Command::Build(args)) => build::run(args, session),
        Some(Command::Demo(args)) => demo::run(args, session),
        Some(Command::Config(args)) => config::run(args, session),
        Some(Command::Licenses(args)) => licenses::run(args, session),
        Some(Command::Completions(args)) => completions::run(args, session),
        Some(Command::Man(args)) => man::run(args, session),
    }
}
