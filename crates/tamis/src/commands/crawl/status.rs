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
use crate::human_count::HumanCount;
use crate::outcome::Outcome;
use crate::session::Session;

/// The arguments of `tamis crawl status`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
For a collection that was fetched into and not crawled, the figures are those of `tamis fetch`. The figures of a crawl that was killed are read \
from its journal and its URL log.

--failed and --refused print one URL per line, separated by tabs: URL, reason, time, number of attempts (with --json, one object per line). The \
reason is the kind of failure (connection-refused, certificate, port-refused, not-http …), the last status (status-429, status-503), \
or for refused URLs `robots` or the limit (host-full, trap-stale, trap-many-queries …). --not-followed prints the link, the reason (nofollow, \
out-of-scope, too-deep, excluded, traps) and the first page that has it, for links that no other page led to. Such links are counted but not \
stored: the archived pages are read again, as they are when the scope is widened. `tamis crawl COLLECTION --retry-failed` retries failed URLs. \
URLs of hosts that were given up before their turn (0 attempts) are retried by every run.

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
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
    /// List the URLs that failed
    #[arg(long)]
    failed: bool,
    /// List the URLs that robots.txt forbids or that exceed a limit
    #[arg(long, conflicts_with = "failed")]
    refused: bool,
    /// List the links that were not followed, by reading the archived pages again
    #[arg(long, conflicts_with_all = ["failed", "refused"])]
    not_followed: bool,
    /// List all pages with visits, changes and when each is due
    #[arg(long, conflicts_with_all = ["failed", "refused", "not_followed"])]
    changes: bool,
}

/// Prints the figures of a crawl, or what it has not fetched.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let crawl = Folders::of(&args.collection);
    let is_begun = crawl.has_crawl() || Status::read(&crawl)?.is_some();
    let folders = if is_begun { crawl } else { Folders::of_fetch(&args.collection) };
    let Some(status) = Status::current(&folders)? else {
        return Err(anyhow!("{}: no crawl was started here", args.collection.display()))
            .hint("`tamis crawl COLLECTION SEED` starts one");
    };
    let mut out = session.printer.out();
    if args.not_followed {
        return not_followed(args, &folders, session, &mut out);
    }
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

/// Lists links that the settings of the crawl leave out.
fn not_followed(
    args: &Args,
    folders: &Folders,
    session: &Session,
    out: &mut impl Write,
) -> anyhow::Result<Outcome> {
    let begun = crawl::Begun::<Settings>::read(folders)?.filter(|_| folders.has_crawl());
    let Some(begun) = begun else { return Ok(Outcome::Done) };
    let options = plan::options(&begun.settings, &begun.seeds, &plan::name_of(&args.collection))?;
    let missing = crawl::unfollowed(folders, &options, |link| -> anyhow::Result<()> {
        if args.json {
            writeln!(out, "{}", json!({"url": link.url, "reason": link.reason, "page": link.page}))?;
        } else {
            writeln!(out, "{}\t{}\t{}", link.url, link.reason, link.page)?;
        }
        Ok(())
    })?;
    if missing > 0 {
        let pages = HumanCount::of(missing, "page");
        session
            .printer
            .warn(format_args!("{pages}: their archives are gone, so that their links are not listed"));
    }
    Ok(Outcome::of_skipped(missing))
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
