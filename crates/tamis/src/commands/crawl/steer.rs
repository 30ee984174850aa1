//! `tamis crawl pause`, `resume`, `stop` and `set`: commands for a crawl that runs.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::builder::RangedU64ValueParser;
use tamis_crawl::crawl::{Change, Command, ControlError, InForce, control};

use super::{plan, report};
use crate::command_line;
use crate::hint::WithHint;
use crate::outcome::Outcome;
use crate::session::Session;

/// The arguments of `tamis crawl pause`, `resume` and `stop`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    pub collection: PathBuf,
}

/// The arguments of `tamis crawl set`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Changes hold until the run ends; options of `tamis crawl` hold for all runs. What a rule of --exclude leaves out is fetched by the next run, \
unless it is excluded there, too. Without options the command prints what is in force.

Examples:
  tamis crawl set eclipse --delay 10 --bandwidth 500k
  tamis crawl set eclipse --exclude 'regex:/calendar/' --max-pages 5000")]
pub(super) struct SetArgs {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// Stop after this many more pages
    #[arg(long, value_name = "N")]
    max_pages: Option<u64>,
    /// Hosts at once, 1 to 65535
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u64>::new().range(1..=65_535))]
    in_flight: Option<u64>,
    /// Seconds after each request to a host
    #[arg(long, value_name = "SECONDS")]
    delay: Option<f64>,
    /// Seconds after each request to a server
    #[arg(long, value_name = "SECONDS")]
    server_delay: Option<f64>,
    /// Requests per second, or `off`
    #[arg(long, value_name = "N")]
    rate: Option<String>,
    /// Bytes per second, or `off`
    #[arg(long, value_name = "SIZE")]
    bandwidth: Option<String>,
    /// Take these URLs, too
    #[arg(long, value_name = "RULE")]
    include: Vec<String>,
    /// Leave these URLs out
    #[arg(long, value_name = "RULE")]
    exclude: Vec<String>,
}

/// Tells a crawl something.
pub(super) fn run(collection: &Path, command: &Command, session: &Session) -> anyhow::Result<Outcome> {
    let in_force = told(collection, command)?;
    session.printer.out().write_all(report::in_force(&in_force).as_bytes())?;
    Ok(Outcome::Done)
}

/// Changes what is in force.
pub(super) fn set(args: &SetArgs, session: &Session) -> anyhow::Result<Outcome> {
    let change = change(args)?;
    let is_question = change == Change::default();
    run(&args.collection, &if is_question { Command::Show } else { Command::Set(change) }, session)
}

fn change(args: &SetArgs) -> anyhow::Result<Change> {
    let seconds = |seconds: Option<f64>, flag: &str| {
        seconds.map(|seconds| plan::millis(Some(seconds), flag, 0.0)).transpose()
    };
    for word in args.include.iter().chain(&args.exclude) {
        plan::rule(word)?;
    }
    let rate = match args.rate.as_deref() {
        None => None,
        Some("off") => Some(0),
        Some(word) => {
            let rate = word.parse().map_err(|_| anyhow!("--rate {word}: is neither a number nor `off`"))?;
            Some(plan::rate_milli(rate)?)
        }
    };
    let bandwidth = match args.bandwidth.as_deref() {
        Some("off") => Some(0),
        word => plan::bandwidth(word)?,
    };
    Ok(Change {
        max_pages: args.max_pages,
        in_flight: args.in_flight,
        delay_ms: seconds(args.delay, "--delay")?,
        server_delay_ms: seconds(args.server_delay, "--server-delay")?,
        rate_milli: rate,
        bandwidth,
        include: args.include.clone(),
        exclude: args.exclude.clone(),
    })
}

fn told(collection: &Path, command: &Command) -> anyhow::Result<InForce> {
    control(collection, command).map_err(|error| match error {
        ControlError::NotRunning(_) => {
            let words = [Path::new("tamis"), Path::new("crawl"), collection];
            anyhow!("{error}").hint(format!("`{}` begins or continues one", command_line::join(words)))
        }
        error => error.into(),
    })
}
