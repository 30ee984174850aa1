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
pub(super) use settings::Settings;

/// The arguments of `tamis crawl`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Seeds are addresses, files with one a line (@seeds.txt), or what the collection has in seeds.tsv (`tamis import`). The collection is \
made if it is not there. Every exchange is kept as WARC in its folder archive/; the state of the crawl is in frontier/. \
A crawl that was stopped (Ctrl-C), killed or has reached its limit goes on when the command is given again, without seeds \
and settings: it remembers them. Settings given again take the place of those before; the sieve stays. With a wider scope \
(--max-depth, --scope, --include, --requisites, …) the stored pages are looked at once more for links that were refused before.

Who crawls must be reachable: --contact takes an address of mail or of a page about the crawl, and it is in every request.

robots.txt is obeyed always, on every host, unless --robots-off names a host as one's own. Addresses of private networks are \
refused unless --allow-private is given.

With --again a finished crawl fetches the pages again that are due, beside what is new: a page that was seen once after --min-age, others when \
they are as likely as not to have changed, judged by the changes that earlier visits found, between --min-age and --max-age. Requests \
have the conditions If-None-Match and If-Modified-Since of the stored response; what has not changed is kept as a revisit record (304: \
server-not-modified, the same payload: identical-payload-digest), also where an imported archive of the collection has the payload. \
`--min-age 0s --max-age 0s` fetches all pages again. `tamis crawl status COLLECTION --changes` lists visits, changes and when each page is due.

A file of --host-settings has a table for each host, such as [\"example.org\"], [\"*.example.org\"] or [\"*\"], with delay (seconds), max-pages, \
max-depth, ignore (true or false), include and exclude (lists of rules), headers (a table) and auth (user, password, and without-tls = true if they \
may be sent over plain HTTP). It is read again when it changes; with an error in it the settings of before stay in force. `tamis crawl pause`, `resume`, `stop` and `set` \
steer a running crawl. docs/guide/crawl-operations.md has examples.

Rules of --include and --exclude: host:example.org, domain:example.org, prefix:https://example.org/a/, regex:\\.pdf$; \
each with depth:N behind it if it is to hold so many links from a seed. A file of --rules has a line each: `include RULE`, \
`exclude RULE`, `max-depth N`, `outlinks yes|no`, `sessions drop|refuse|keep`, `trap NAME N|off`. Of traps: \
trap max-calendar-pages 366 is how many days and months of a calendar are taken, trap max-stale-pages 200 how many pages whose \
addresses differ in numbers and tokens alone, if fewer than one in twenty has new text.

With --focus, links that promise pages about an event are followed first, and those that promise too little not at all; the event is learnt from the pages that the file names, and kept as focus.toml in the collection, where it can be read (`tamis focus show`) and edited. What was found of each page is in the columns relevance, relevant and those of its parts.

The TLS certificate of each server is checked. What a server with an invalid one serves is archived all the same, with the outcome in \
the WARC field Tamis-TLS-Certificate and in the figures of the crawl, and no cookies are sent to it or taken from it; with --tls strict its URLs \
fail (kind certificate in crawl status --failed). Ports of other protocols (22, 25, 6667 …) are never connected to (kind port-refused).

An archive that is being written (.open) is in no query until the run ends. A crawl that ends without a single page has exit code 1.

Examples:
  tamis crawl eclipse https://eclipse.example.org/ --contact me@example.org
  tamis crawl eclipse @seeds.txt --contact https://example.org/crawl --scope host --max-depth 3 --max-pages 10000
  tamis crawl eclipse
  tamis crawl eclipse --again --min-age 12h --max-age 7d
  tamis crawl status eclipse"
)]
pub struct Args {
    #[command(subcommand)]
    command: Option<CrawlCommand>,
    /// The collection, which is made if it is not there
    #[arg(value_name = "COLLECTION", required = true)]
    collection: Option<PathBuf>,
    /// Addresses to begin with, or files with one a line (@seeds.txt)
    #[arg(value_name = "SEED")]
    seeds: Vec<String>,
    #[command(flatten)]
    settings: Settings,
    /// Serve figures for Prometheus at this address, such as 127.0.0.1:9464
    #[arg(long, value_name = "ADDRESS:PORT")]
    metrics: Option<SocketAddr>,
    /// Say what would be crawled, and fetch nothing
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
    /// Say how far a crawl is, running or not
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
