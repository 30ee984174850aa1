//! `tamis crawl`: pages from the web into a collection, politely.

mod dashboard;
mod focused;
mod metrics;
mod plan;
mod report;
mod rounds;
pub(super) mod settings;
mod status;
#[cfg(unix)]
mod steer;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::Subcommand;
#[cfg(unix)]
use tamis_crawl::crawl::Command;
use tamis_crawl::crawl::{End, Folders, Status};

use crate::outcome::Outcome;
use crate::session::Session;
pub(crate) use settings::CRAWL_ONLY;
pub(super) use settings::Settings;

/// The arguments of `tamis crawl`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Seeds are URLs, files with one URL per line (@seeds.txt), or the URLs imported into the collection (`tamis import`). Every request \
and response is archived as WARC under archive/; frontier/ holds the state of the crawl.

Resuming: a crawl that was stopped (Ctrl-C), killed or has reached a limit resumes when the command is run again, without seeds and \
settings: it remembers them. Settings given again replace the remembered ones, except the sieve. With a wider scope \
(--max-depth, --scope, --include, --requisites …) stored pages are searched again for links that were out of scope.

Politeness: robots.txt is always obeyed, except on hosts that --robots-off declares your own. --contact is required: a mail address or \
a page about the crawl, sent with every request. Private IP addresses are refused without --allow-private.

With --again, a finished crawl also fetches pages that are due again: a page seen once after --min-age, others when a change \
is as likely as not, estimated from the changes that earlier visits found, between --min-age and --max-age. Requests \
are conditional (If-None-Match and If-Modified-Since of the stored response). Unchanged pages are stored as revisit records (304: \
server-not-modified; same payload: identical-payload-digest), also if an imported archive of the collection has the payload. \
`--min-age 0s --max-age 0s` fetches all pages again. `tamis crawl status COLLECTION --changes` lists visits, changes and when each page is due.

A --host-settings file has a table for each host, such as [\"example.org\"], [\"*.example.org\"] or [\"*\"], with delay (seconds), max-pages, \
max-depth, ignore (true or false), include and exclude (lists of rules), headers (a table) and auth (user, password, and without-tls = true to \
send them over plain HTTP). It is read again when it changes; if it has an error, the previous settings stay in force. `tamis crawl pause`, `resume`, `stop` and `set` \
control a running crawl. docs/guide/crawl-operations.md has examples.

Rules for --include and --exclude: host:example.org, domain:example.org, prefix:https://example.org/a/, regex:\\.pdf$. \
Append depth:N to limit a rule to N links from a seed. A --rules file has one of these per line: `include RULE`, \
`exclude RULE`, `max-depth N`, `outlinks yes|no`, `sessions drop|refuse|keep`, `trap NAME N|off`. Traps limit pages whose URLs \
differ only in numbers, that have no new text and link only to more of them: `max-stale-pages 200` if their texts are equal, \
`max-calendar-pages 366` on a calendar, `max-similar-pages 5000` if the texts differ only in numbers; `max-numbered-pages 100000` limits \
such pages that link nowhere. `crawl status` counts what limits leave out; its options --refused and --not-followed list it.

Focused crawls: with --focus, links that promise pages about an event are followed first, and unpromising links not at all. \
The event is learned from the pages listed in FILE and stored as focus.toml in the collection, where you can view it \
(`tamis focus show`) and edit it. The columns relevance, relevant, relevance_terms, relevance_places and relevance_dates have the result for each page.

Certificates: the TLS certificate of each server is checked. A response from a server with an invalid certificate is archived with \
the outcome in the WARC field Tamis-TLS-Certificate, and no cookies are sent to that server or accepted from it. With --tls strict, \
its URLs fail (`certificate` in crawl status --failed). Ports of other protocols (22, 25, 6667 …) are never connected to (`port-refused`).

Queries read an archive that is still being written (.open) up to its last complete record. Exit code 1 if the crawl ends without \
a single page.

Examples:
  tamis crawl eclipse https://eclipse.example.org/ --contact me@example.org
  tamis crawl eclipse @seeds.txt --contact me@example.org --scope host --max-pages 10000
  tamis crawl eclipse
  tamis crawl eclipse --again --min-age 12h --max-age 7d
  tamis crawl status eclipse"
)]
pub struct Args {
    #[command(subcommand)]
    command: Option<CrawlCommand>,
    /// The collection; created if it does not exist
    #[arg(value_name = "COLLECTION", required = true)]
    collection: Option<PathBuf>,
    /// URLs to start from, or files with one URL per line (@seeds.txt)
    #[arg(value_name = "SEED")]
    seeds: Vec<String>,
    #[command(flatten)]
    settings: Settings,
    /// Serve Prometheus metrics on this address, such as 127.0.0.1:9464
    #[arg(long, value_name = "IP:PORT")]
    metrics: Option<SocketAddr>,
    /// Show what would be crawled, without fetching anything
    #[arg(long)]
    dry_run: bool,
}

impl Args {
    /// Whether it can be begun, as far as its settings go.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        self.collection.as_deref().map_or(Ok(()), |path| check(path, &self.settings, Purpose::Crawl))
    }
}

/// Whether seeds can be fetched, as far as the settings go.
pub(super) fn check_fetch(collection: &Path, settings: &Settings) -> anyhow::Result<()> {
    check(collection, settings, Purpose::Fetch)
}

fn check(collection: &Path, settings: &Settings, purpose: Purpose) -> anyhow::Result<()> {
    let before = rounds::begun_before(collection, purpose)?;
    let settings = settings.clone().over(before.settings);
    plan::options(&settings, &[], "check")?;
    focused::check(&settings)
}

/// What else there is about crawls.
#[derive(Debug, Subcommand)]
enum CrawlCommand {
    /// Show the progress of a crawl, running or not
    Status(status::Args),
    /// Let a running crawl begin nothing new
    #[cfg(unix)]
    Pause(steer::Args),
    /// Let a paused crawl go on
    #[cfg(unix)]
    Resume(steer::Args),
    /// End a running crawl; it can go on later
    #[cfg(unix)]
    Stop(steer::Args),
    /// Change limits, delays and rules of a running crawl
    #[cfg(unix)]
    Set(steer::SetArgs),
}

/// What a crawl is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Pages and where they lead.
    Crawl,
    /// The seeds of the collection, to the end of their redirects. The scope of the crawl stays what it was.
    Fetch,
}

impl Purpose {
    fn folders(self, collection: &Path) -> Folders {
        match self {
            Self::Crawl => Folders::of(collection),
            Self::Fetch => Folders::of_fetch(collection),
        }
    }
}

/// Fetches the seeds of a collection and follows redirects, but no links.
pub(super) fn fetch_seeds(
    collection: &Path,
    settings: &Settings,
    session: &Session,
) -> anyhow::Result<Outcome> {
    let args = Args {
        command: None,
        collection: Some(collection.to_owned()),
        seeds: Vec::new(),
        settings: settings.clone(),
        metrics: None,
        dry_run: false,
    };
    rounds::run(&args, collection, Purpose::Fetch, session)
}

/// Whether fetching the seeds of a collection came to its end.
pub(super) fn is_fetched(collection: &Path) -> anyhow::Result<bool> {
    let status = Status::read(&Folders::of_fetch(collection))?;
    Ok(status.is_none_or(|status| status.state == End::Finished.name()))
}

/// Crawls.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    match (&args.command, &args.collection) {
        (Some(CrawlCommand::Status(args)), _) => status::run(args, session),
        #[cfg(unix)]
        (Some(CrawlCommand::Pause(args)), _) => steer::run(&args.collection, &Command::Pause, session),
        #[cfg(unix)]
        (Some(CrawlCommand::Resume(args)), _) => steer::run(&args.collection, &Command::Resume, session),
        #[cfg(unix)]
        (Some(CrawlCommand::Stop(args)), _) => steer::run(&args.collection, &Command::Stop, session),
        #[cfg(unix)]
        (Some(CrawlCommand::Set(args)), _) => steer::set(args, session),
        (None, Some(collection)) => rounds::run(args, collection, Purpose::Crawl, session),
        (None, None) => unreachable!("clap asks for the collection"),
    }
}
