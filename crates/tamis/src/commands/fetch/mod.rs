//! `tamis fetch`: lists of URLs and tweets into a collection, with the pages they name.
//!
//! The crawler fetches, with its politeness and its frontier; what is new here is what becomes of each URL.

mod ways;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Parser as _;
use tamis_collection::{End, Fetched};

use super::crawl::{self, Settings};
use super::focus;
use super::open_collection::{explain, lock, open};
use crate::cli::Cli;
use crate::command_line;
use crate::commands;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::outcome::Outcome;
use crate::session::Session;
use crate::summary::Summary;

use ways::Ways;

/// The arguments of `tamis fetch`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each URL is fetched once, however often lists and tweets name it, with the politeness of `tamis crawl`. URLs that a crawl of the collection \
has fetched are not fetched again, nor the other way round. Pages in imported archives are fetched again, because they may be old. Redirects \
are followed to their end, links are not.

fetched.tsv in the collection lists the outcome of each URL: status code of the last capture (0XXX an HTTP status, 1001 not HTML, \
2000 HTML without text, 2001 not fetched, 3200 a page with text), how it ended (answer, dead, waiting, refused, loop), number of redirects, last \
URL, and why it was not fetched (robots, settings, address-refused, port-refused, no-such-host, connection-refused …). A tweet \
that names a short URL is assigned to the page it redirects to (column tweet_ids).

A command that was stopped or killed resumes when it is run again without inputs.

Examples:
  tamis fetch eclipse urls.txt --contact me@example.org
  tamis fetch eclipse tweets.jsonl tweets.csv
  tamis query eclipse \"select url, tweet_ids from pages where cardinality(tweet_ids) > 1\"", mut_args = without_crawl_options)]
pub struct Args {
    /// The collection; created if it does not exist
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// URLs, URL lists, tweets (CSV, JSON Lines); files, folders, quoted globs, or - for stdin
    #[arg(value_name = "INPUT")]
    inputs: Vec<OsString>,
    #[command(flatten)]
    settings: Settings,
}

/// Hides the options that only crawls have from the help; [`Args::check`] rejects them.
fn without_crawl_options(option: clap::Arg) -> clap::Arg {
    let is_for_crawls = crawl::CRAWL_ONLY.contains(&option.get_id().as_str());
    option.hide(is_for_crawls)
}

impl Args {
    /// Whether it can be begun, as far as its settings go.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if let Some(option) = self.settings.of_crawls_alone() {
            return Err(anyhow!("{option} applies only to crawls: `tamis fetch` follows no links"))
                .hint("use `tamis crawl` to follow links; it works in the same collection");
        }
        crawl::check_fetch(&self.collection, &self.settings)
    }
}

/// Fetches what inputs name.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    args.check()?;
    let taken = take(args, session)?;
    let fetched = crawl::fetch_seeds(&args.collection, &args.settings, session)?;
    let ways = Ways::of(&args.collection, session)?;
    let collection = open(&args.collection, session)?;
    let all = ways.of_seeds(collection.seeds().map_err(explain)?)?;
    let command = command_line::join([Path::new("tamis"), Path::new("fetch"), &args.collection]);
    let writer = lock(collection, &command)?;
    writer.write_fetched(&all).map_err(explain)?;
    let judged = focus::judge_new(&args.collection, session)?;
    drop(writer);
    close(args, &all, session);
    Ok(taken.and(fetched).and(judged).and(ways.read()))
}

/// Imports the inputs into the collection, which is made if need be.
fn take(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let command = |verb: &str, inputs: &[OsString]| {
        let words = ["tamis".into(), verb.into(), args.collection.clone().into_os_string()];
        let cli = Cli::try_parse_from(words.into_iter().chain(inputs.iter().cloned()))?;
        commands::run(&cli, session)
    };
    if !args.collection.exists() {
        command("new", &[])?;
    }
    let (addresses, mut inputs): (Vec<OsString>, Vec<OsString>) =
        args.inputs.iter().cloned().partition(|input| input.to_string_lossy().contains("://"));
    // A list like any other, gone when it was read.
    let mut list = tempfile::NamedTempFile::with_prefix("addresses").context("cannot write the URL list")?;
    if !addresses.is_empty() {
        for address in addresses {
            writeln!(list, "{}", address.to_string_lossy()).context("cannot write the URL list")?;
        }
        inputs.push(list.path().as_os_str().to_owned());
    }
    if inputs.is_empty() { Ok(Outcome::Done) } else { command("import", &inputs) }
}

fn close(args: &Args, all: &[Fetched], session: &Session) {
    let count = |test: &dyn Fn(&Fetched) -> bool| all.iter().filter(|fetched| test(fetched)).count() as u64;
    let mut summary = Summary::default();
    summary.read(HumanCount::of(all.len() as u64, "URL"));
    summary.wrote(HumanCount::of(count(&|one| one.status_code == "3200"), "URL") + " with text");
    summary
        .dropped("dead", count(&|one| one.end == End::Dead))
        .dropped("waiting", count(&|one| one.end == End::Waiting))
        .dropped("refused", count(&|one| one.end == End::Refused))
        .dropped("in loops", count(&|one| one.end == End::Loop))
        .dropped("not HTML", count(&|one| one.status_code == "1001"))
        .dropped("without text", count(&|one| one.status_code == "2000"))
        .dropped(
            "with another status",
            count(&|one| one.end == End::Answer && one.status_code.starts_with('0')),
        );
    summary.went_to(args.collection.join("fetched.tsv").display());
    let query = "select url, title, tweet_ids from pages where status_code = '3200'";
    let words = [Path::new("tamis"), Path::new("query"), &args.collection, Path::new(query)];
    summary.next(command_line::join(words));
    session.printer.summary(&summary);
}
