//! `tamis crawl status`: how far a crawl is, running or not.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use serde_json::json;
use tamis_archive::Timestamp;
use tamis_crawl::crawl::{self, AgainOptions, ChangedUrl, Folders, Left, LeftUrl, Status};

use super::{Settings, plan, report};
use crate::hint::WithHint;
use crate::outcome::Outcome;
use crate::session::Session;

/// The arguments of `tamis crawl status`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Of a collection that was fetched into and not crawled the figures are those of `tamis fetch`. The figures of a crawl that was killed are read from its journal and its log of addresses.

--failed and --refused print a line each: the address, why, when, and how often it was tried, with tabs between (with --json an object a \
line). Why is the kind of failure (connection-refused, certificate, port-refused, not-http, …) or the last status (status-429, status-503), \
or for what was refused `robots` or `limit`. Links outside the scope are counted, not kept: when the scope is widened, \
they are found again in the archives. `tamis crawl COLLECTION --retry-failed` tries again what failed; \
addresses of hosts that were given up before their turn came (tried 0 times) are tried again by every run.

--changes prints a line for each page that was answered: the address, visits, changes found, estimated changes a day, the last visit, and \
when it is due for `tamis crawl COLLECTION --again`. The estimate is that of Cho and Garcia-Molina (2003).

Examples:
  tamis crawl status eclipse
  tamis crawl status eclipse --failed | cut -f2 | sort | uniq -c")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
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
    /// List the pages with their visits, changes and when they are due
    #[arg(long, conflicts_with_all = ["failed", "refused"])]
    changes: bool,
}

/// Prints the figures of a crawl, or what it has not fetched.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let crawl = Folders::of(&args.collection);
    let is_begun = crawl.has_crawl() || Status::read(&crawl)?.is_some();
    let folders = if is_begun { crawl } else { Folders::of_fetch(&args.collection) };
    let Some(status) = Status::current(&folders)? else {
        return Err(anyhow!("{}: no crawl was begun here", args.collection.display()))
            .hint("`tamis crawl COLLECTION SEED` begins one");
    };
    let mut out = session.printer.out();
    if args.failed || args.refused {
        let which = if args.failed { Left::Failed } else { Left::Refused };
        // A crawl that has just begun has not written anything.
        if folders.has_crawl() {
            crawl::left(&folders, which, |url| write(&url, args.json, &mut out))?;
        }
        return Ok(Outcome::Done);
    }
    if args.changes {
        let begun = crawl::Begun::<Settings>::read(&folders)?.unwrap_or_default();
        let ages = plan::ages(&begun.settings)?;
        if folders.has_crawl() {
            crawl::changes(&folders, |url| write_changes(&url, &ages, args.json, &mut out))?;
        }
        return Ok(Outcome::Done);
    }
    if args.json {
        serde_json::to_writer_pretty(&mut out, &status)?;
        writeln!(out)?;
    } else {
        let elapsed = Duration::from_millis(status.elapsed_ms);
        out.write_all(report::text(&status.state, elapsed, status.run_pages, &status.figures).as_bytes())?;
        // Of a crawl that is over nothing is in force.
        if status.state == "running" {
            out.write_all(report::in_force(&status.figures.in_force).as_bytes())?;
        }
    }
    Ok(Outcome::Done)
}

fn write_changes(
    url: &ChangedUrl,
    ages: &AgainOptions,
    is_json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let ChangedUrl { url, changes } = url;
    let (last, due) = (time(changes.last_ms), time(changes.due_ms(ages)));
    let visits = u64::from(changes.compared) + 1;
    if is_json {
        let row = json!({"url": url, "visits": visits, "changes": changes.changed, "per_day": changes.per_day(), "last": last, "due": due});
        writeln!(out, "{row}")?;
    } else {
        let rate = changes.per_day().map(|rate| format!("{rate:.3}")).unwrap_or_default();
        writeln!(out, "{url}\t{visits}\t{}\t{rate}\t{last}\t{due}", changes.changed)?;
    }
    Ok(())
}

/// A moment in milliseconds since 1970, to the second.
pub(super) fn time(ms: u64) -> String {
    let seconds = i64::try_from(ms / 1000).unwrap_or(0);
    Timestamp::from_unix(seconds, 0).map(|time| time.to_seconds().to_string()).unwrap_or_default()
}

fn write(url: &LeftUrl, is_json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let time = time(url.time_ms);
    if is_json {
        let row = json!({"url": url.url, "kind": url.kind, "time": time, "tries": url.tries});
        writeln!(out, "{row}")?;
    } else {
        writeln!(out, "{}\t{}\t{time}\t{}", url.url, url.kind, url.tries)?;
    }
    Ok(())
}
