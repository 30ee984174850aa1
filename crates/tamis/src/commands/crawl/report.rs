//! What a crawl came to.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use tamis_crawl::crawl::{CrawlOptions, End, SieveCounts, Snapshot};
use tamis_crawl::scope::Scope;

use super::dashboard::{counted, harvested};
use crate::command_line;
use crate::human_count::HumanCount;
use crate::human_duration::HumanDuration;
use crate::human_size::HumanSize;
use crate::outcome::Outcome;
use crate::session::Session;
use crate::summary::Summary;

/// The figures of a crawl, a line each.
pub(super) fn text(state: &str, elapsed: Duration, run_pages: u64, figures: &Snapshot) -> String {
    let (sums, bench) = (&figures.sums, &figures.bench);
    let queued = bench.queued_in_memory + bench.queued_on_disk;
    let seconds = elapsed.as_secs_f64().max(1e-3);
    let mut text = String::new();
    let mut line = |label: &str, said: String| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{label:<16}{said}");
    };
    line("state", format!("{state}, {} in this run", HumanDuration(elapsed)));
    line(
        "pages",
        format!(
            "{} ({} in this run, {:.1}/s), of {}",
            HumanCount(sums.pages),
            HumanCount(run_pages),
            run_pages as f64 / seconds,
            HumanCount::of(sums.responses, "response")
        ),
    );
    if sums.taken_over > 0 {
        line("reused", format!("{} of them were already in the collection", HumanCount(sums.taken_over)));
    }
    if let Some(harvest) = &figures.harvest {
        line("harvest", harvested(harvest));
    }
    line("received", format!("{}", HumanSize(sums.received_bytes)));
    line("stored", format!("{}", HumanSize(sums.stored_bytes)));
    line(
        "URLs",
        format!(
            "{} discovered, {} done, {} queued",
            HumanCount(sums.discovered),
            HumanCount(sums.done),
            HumanCount(queued)
        ),
    );
    line(
        "hosts",
        format!(
            "{} known, {} waiting, {} given up",
            HumanCount(bench.hosts),
            HumanCount(bench.waiting + bench.ready),
            HumanCount(bench.closed)
        ),
    );
    line("responses", counted(&figures.outcomes, 12));
    line("failures", counted(&figures.failures, 12));
    let unverified: u64 = figures.unverified.values().sum();
    if unverified > 0 {
        let responses = HumanCount::of(unverified, "response");
        let counted = counted(&figures.unverified, 12);
        line(
            "certificates",
            format!("{responses} from servers whose certificate failed the check: {counted}"),
        );
    }
    line("links", format!("{} seen, {} followed", HumanCount(sums.links), HumanCount(sums.offered)));
    line("not followed", counted(&figures.refused, 12));
    if !figures.left_out.is_empty() {
        line("left out", format!("by limits: {}", counted(&figures.left_out, 12)));
    }
    if !figures.cut.is_empty() {
        line("read in part", counted(&figures.cut, 12));
    }
    if figures.sieve.lost_one_in > 0 {
        line("sieve", lossy(&figures.sieve));
    }
    line(
        "duplicates",
        format!("{} by payload, {} by text", HumanCount(sums.revisits), HumanCount(sums.near_duplicates)),
    );
    line(
        "requests",
        format!(
            "{} for robots.txt, {}, {}",
            HumanCount(sums.robots),
            HumanCount::of(sums.retries, "retry"),
            HumanCount::of(sums.connections, "connection")
        ),
    );
    text
}

/// What a sieve loses.
fn lossy(sieve: &SieveCounts) -> String {
    let said = format!(
        "{}: one of {} new URLs is taken for a known one; {} of memory",
        sieve.kind,
        HumanCount(sieve.lost_one_in),
        HumanSize(sieve.memory_bytes)
    );
    if sieve.filters < 2 { said } else { format!("{said} in {} filters", sieve.filters) }
}

/// Whether a crawl is over and no page came of its addresses.
pub(super) fn is_vain(state: &str, figures: &Snapshot) -> bool {
    state == End::Finished.name() && figures.sums.pages == 0 && figures.sums.discovered > 0
}

/// The last lines of a run.
pub(super) fn finished(
    session: &Session,
    path: &Path,
    resume: &str,
    state: &str,
    elapsed: Duration,
    before: &Snapshot,
    after: &Snapshot,
) {
    let pages = after.sums.pages.saturating_sub(before.sums.pages);
    session.printer.say(text(state, elapsed, pages, after).trim_end());
    let next = if is_vain(state, after) {
        let words = ["tamis", "crawl", "status", "--failed"].map(Path::new);
        command_line::join(words.into_iter().chain([path]))
    } else if state == End::Finished.name() {
        let query = "select status, count(*) from pages group by status";
        command_line::join([Path::new("tamis"), Path::new("query"), path, Path::new(query)])
    } else {
        resume.to_owned()
    };
    if state != End::NotPermitted.name() && after.failures.contains_key("address-refused") {
        session.printer.hint("private IP addresses are refused; --allow-private allows them");
    }
    if after.sieve.filters > 1 {
        session.printer.warn(format_args!(
            "the sieve has more URLs than were expected: it grew to {} filters with {}, and a higher --expected would take less",
            after.sieve.filters,
            HumanSize(after.sieve.memory_bytes)
        ));
    }
    let mut summary = Summary::default();
    let written = after.sums.fetched().saturating_sub(before.sums.fetched());
    summary.wrote(HumanCount::of(written, "response")).went_to(path.join("archive").display()).next(next);
    session.printer.summary(&summary);
}

/// Says what would be crawled.
pub(super) fn dry_run(options: &CrawlOptions, session: &Session) -> anyhow::Result<Outcome> {
    let day = tamis_page::date::Date::new(2026, 1, 1).expect("a day");
    let scope = Scope::new(options.scope.clone(), &options.seeds, day);
    let mut hosts: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in &options.seeds {
        *hosts.entry(seed.host()).or_default() += 1;
        session
            .printer
            .out()
            .write_all(format!("{}\t{}\n", seed, scope.explain(seed, 0, None)).as_bytes())?;
    }
    session.printer.say(format_args!(
        "{} on {}; nothing was fetched",
        HumanCount::of(options.seeds.len() as u64, "seed"),
        HumanCount::of(hosts.len() as u64, "host")
    ));
    Ok(Outcome::Done)
}
