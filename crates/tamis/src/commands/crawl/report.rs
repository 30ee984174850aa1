//! What a crawl came to.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use tamis_crawl::crawl::{CrawlOptions, End, InForce, SieveCounts, Snapshot};
use tamis_crawl::scope::Scope;

use super::dashboard::{counted, harvested};
use super::status;
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
    if sums.noted > 0 {
        line("not kept", format!("{} of them were only noted", HumanCount(sums.noted)));
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
    if !figures.capped_delays.is_empty() {
        let asked = figures.capped_delays.iter().take(5);
        let asked: Vec<String> = asked.map(|(host, ms)| format!("{host} {} s", ms / 1000)).collect();
        let hosts = HumanCount::of(figures.capped_delays.len() as u64, "host");
        let most = figures.in_force.max_crawl_delay_ms / 1000;
        line(
            "crawl-delay",
            format!("{hosts} asked for more than the {most} s that are kept to: {}", asked.join(", ")),
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

/// What is in force, a line each; nothing for a crawl of which that is not known.
pub(super) fn in_force(force: &InForce) -> String {
    let mut text = String::new();
    let mut line = |label: &str, said: String| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{label:<16}{said}");
    };
    if force.in_flight == 0 {
        return text;
    }
    let seconds = |ms: u64| format!("{} s", ms as f64 / 1000.0);
    let paused = if force.paused { "paused; " } else { "" };
    let delay = force.delay_ms.map_or_else(|| "a share of the time".to_owned(), seconds);
    let server = seconds(force.server_delay_ms);
    line(
        "in force",
        format!("{paused}delay {delay}, per server {server}, {} hosts at once", force.in_flight),
    );
    let rate = force.rate_milli.map(|rate| format!("{} requests/s", rate as f64 / 1000.0));
    let bandwidth = force.bandwidth.map(|rate| format!("{}/s", HumanSize(rate)));
    let pages = force.pages_left.map(|left| format!("{} more", HumanCount::of(left, "page")));
    let limits: Vec<String> = [pages, rate, bandwidth].into_iter().flatten().collect();
    if !limits.is_empty() {
        line("limits", limits.join(", "));
    }
    let rules = [("include", &force.include), ("exclude", &force.exclude)];
    for (verb, rule) in rules.iter().flat_map(|(verb, rules)| rules.iter().map(move |rule| (verb, rule))) {
        line("added rule", format!("{verb} {rule}"));
    }
    if let Some(file) = &force.settings_file {
        let read = match force.settings_read_ms {
            0 => "as it was when the crawl began".to_owned(),
            ms => format!("read {}", status::time(ms)),
        };
        line("host settings", format!("{file}, {read}"));
    }
    if let Some(error) = &force.settings_error {
        line("", format!("not in force: {}", error.trim_end().replace('\n', " ")));
    }
    text
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
        session.printer.hint(
            "private IP addresses are refused; --allow-private-host HOST or --allow-private allows them",
        );
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
