//! What a person sees while a crawl runs.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tamis_crawl::crawl::Snapshot;
use tamis_crawl::focus::Harvest;
use terminal_size::{Height, Width, terminal_size_of};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::human_count::HumanCount;
use crate::human_duration::HumanDuration;
use crate::human_size::HumanSize;
use crate::printer::{Printer, Verbosity};
use crate::terminal::{Colors, safe};
use crate::when::When;

/// Where there is no terminal, a line so often.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// How far what does not fit a line is set in on the next: behind the labels.
const INDENT: usize = 11;

/// Shows figures: on a terminal a few lines that change, elsewhere a line now and then.
pub(super) struct Dashboard<'p> {
    printer: &'p Printer,
    started: Instant,
    bar: Option<ProgressBar>,
    has_lines: bool,
    next_line: Instant,
    last: Option<(Instant, Snapshot)>,
    rates: Rates,
}

/// What changes, by the second.
#[derive(Debug, Clone, Copy, Default)]
struct Rates {
    pages: f64,
    bytes: f64,
}

impl<'p> Dashboard<'p> {
    /// Begins to show, if anybody looks.
    pub(super) fn start(printer: &'p Printer, started: Instant) -> Self {
        let is_quiet = printer.verbosity() == Verbosity::Quiet || printer.progress() == When::Never;
        let is_terminal = io::stderr().is_terminal();
        let bar = (!is_quiet && is_terminal).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(4));
            bar.set_style(
                ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()),
            );
            printer.set_bar(Some(bar.clone()));
            bar
        });
        let has_lines = !is_quiet && !is_terminal;
        Self {
            printer,
            started,
            bar,
            has_lines,
            next_line: started + BETWEEN_LINES,
            last: None,
            rates: Rates::default(),
        }
    }

    /// Shows the figures of this moment.
    pub(super) fn show(&mut self, snapshot: &Snapshot, archive: &Path) {
        let now = Instant::now();
        if let Some((then, before)) = &self.last {
            self.rates.follow(&Rates::between(before, snapshot, now - *then));
        }
        self.last = Some((now, snapshot.clone()));
        if let Some(bar) = &self.bar {
            bar.set_message(safe(&self.screen(snapshot, archive), Colors::Pass).into_owned());
            bar.tick();
        } else if self.has_lines && now >= self.next_line {
            self.next_line = now + BETWEEN_LINES;
            self.printer.say(line(snapshot, &self.rates, self.started.elapsed()));
        }
    }

    fn screen(&self, snapshot: &Snapshot, archive: &Path) -> String {
        let (sums, bench) = (&snapshot.sums, &snapshot.bench);
        let mut lines = vec![
            line(snapshot, &self.rates, self.started.elapsed()),
            format!(
                "  hosts    {} ready, {} waiting, {} in flight, {} unresolved, {} given up",
                HumanCount(bench.ready),
                HumanCount(bench.waiting),
                HumanCount(bench.in_flight),
                HumanCount(bench.unresolved),
                HumanCount(bench.closed)
            ),
            format!(
                "  queue    {} URLs ({} on disk), {} discovered, {} links seen",
                HumanCount(bench.queued_in_memory + bench.queued_on_disk),
                HumanCount(bench.queued_on_disk),
                HumanCount(sums.discovered),
                HumanCount(sums.links)
            ),
            format!(
                "  kept     {} received, {} stored, {} revisits, {} near-duplicates{}",
                HumanSize(sums.received_bytes),
                HumanSize(sums.stored_bytes),
                HumanCount(sums.revisits),
                HumanCount(sums.near_duplicates),
                free_space(archive)
            ),
            format!("  statuses {}", counted(&snapshot.outcomes, 6)),
            format!("  failed   {}", counted(&snapshot.failures, 5)),
        ];
        let slow = |slow: &tamis_crawl::crawl::SlowHost| {
            format!(
                "{} ({} left, {:.1} s each)",
                slow.host,
                HumanCount(slow.queued),
                slow.delay_ms as f64 / 1000.0
            )
        };
        if let Some(harvest) = &snapshot.harvest {
            lines.push(format!("  harvest  {}", harvested(harvest)));
        }
        let slowest: Vec<String> = snapshot.slowest.iter().take(3).map(slow).collect();
        if !slowest.is_empty() {
            lines.push(format!("  slowest  {}", slowest.join(", ")));
        }
        let (width, height) = terminal_size_of(io::stderr())
            .map_or((80, 24), |(Width(width), Height(height))| (width.into(), height.into()));
        fitted(&lines, width, height)
    }
}

impl Drop for Dashboard<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            self.printer.set_bar(None);
            bar.finish_and_clear();
        }
    }
}

impl Rates {
    fn between(before: &Snapshot, after: &Snapshot, time: Duration) -> Self {
        let rate =
            |before: u64, after: u64| after.saturating_sub(before) as f64 / time.as_secs_f64().max(1e-3);
        Self {
            pages: rate(before.sums.pages, after.sums.pages),
            bytes: rate(before.sums.received_bytes, after.sums.received_bytes),
        }
    }

    /// Goes a part of the way, so that figures can be read.
    fn follow(&mut self, now: &Self) {
        self.pages += (now.pages - self.pages) * 0.3;
        self.bytes += (now.bytes - self.bytes) * 0.3;
    }
}

/// The lines broken at their commas, so that none is wider than the terminal, and no more than it has room for: what a terminal wraps by
/// itself is not cleared when the lines change.
fn fitted(lines: &[String], width: usize, height: usize) -> String {
    // A character in the last column makes some terminals begin a new line.
    let room = width.saturating_sub(1).max(INDENT + 10);
    let mut fitted = Vec::new();
    for line in lines {
        let mut now = String::new();
        for item in line.split_inclusive(", ") {
            if !now.is_empty() && now.width() + item.trim_end().width() > room {
                fitted.push(std::mem::replace(&mut now, " ".repeat(INDENT)));
            }
            now.push_str(item);
        }
        fitted.push(now);
    }
    fitted.truncate(height.saturating_sub(1).max(1));
    let cut: Vec<String> = fitted.iter().map(|line| cut(line.trim_end(), room)).collect();
    cut.join("\n")
}

/// As much of a line as there is room for.
fn cut(line: &str, room: usize) -> String {
    if line.width() <= room {
        return line.to_owned();
    }
    let mut left = String::new();
    for c in line.chars() {
        if left.width() + c.width().unwrap_or(0) + 1 > room {
            break;
        }
        left.push(c);
    }
    left + "…"
}

fn line(snapshot: &Snapshot, rates: &Rates, elapsed: Duration) -> String {
    format!(
        "crawling: {} pages, {:.1} pages/s, {}/s, {} queued, {} failed requests, {}",
        HumanCount(snapshot.sums.pages),
        rates.pages,
        HumanSize(rates.bytes as u64),
        HumanCount(snapshot.bench.queued_in_memory + snapshot.bench.queued_on_disk),
        HumanCount(snapshot.sums.failed_requests),
        HumanDuration(elapsed)
    ) + &waited_for(snapshot)
        + &snapshot
            .harvest
            .as_ref()
            .map(|harvest| format!(", harvest {}", harvested(harvest)))
            .unwrap_or_default()
}

/// Whom a crawl waits for that has nothing else to do.
fn waited_for(snapshot: &Snapshot) -> String {
    let bench = &snapshot.bench;
    match snapshot.slowest.first() {
        Some(slow) if bench.ready + bench.in_flight + bench.unresolved == 0 && bench.waiting > 0 => {
            let others = match bench.waiting - 1 {
                0 => String::new(),
                others => format!(" and {}", HumanCount::of(others, "other host")),
            };
            let pause = HumanDuration(Duration::from_millis(slow.delay_ms));
            format!(", waiting for {}{others}, {pause} between requests", slow.host)
        }
        _ => String::new(),
    }
}

/// `0.42 of 1,000 pages, 0.38 of the last 500`.
pub(super) fn harvested(harvest: &Harvest) -> String {
    let (all, last) = (HumanCount::of(harvest.pages, "page"), HumanCount(harvest.window_pages));
    format!("{:.2} of {all}, {:.2} of the last {last}", harvest.ratio(), harvest.window_ratio())
}

/// `12 2xx, 3 4xx`, the most frequent first.
pub(super) fn counted(counts: &std::collections::BTreeMap<String, u64>, most: usize) -> String {
    let mut sorted: Vec<(&String, &u64)> = counts.iter().collect();
    sorted.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), *name));
    let named: Vec<String> =
        sorted.iter().take(most).map(|(name, count)| format!("{} {name}", HumanCount(**count))).collect();
    if named.is_empty() { "none".to_owned() } else { named.join(", ") }
}

fn free_space(archive: &Path) -> String {
    match rustix::fs::statvfs(archive) {
        Ok(space) => format!(", {} free on disk", HumanSize(space.f_bavail.saturating_mul(space.f_frsize))),
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let lines = [
            "crawling: 12,345 pages, 12.3 pages/s, 1.2 MB/s, 9 queued, 0 failed requests, 2 s".to_owned(),
            "  hosts    1 ready, 2 waiting, 3 in flight, 4 unresolved, 5 given up".to_owned(),
            format!("  slowest  {}.example (3 left, 1.0 s each)", "long".repeat(20)),
        ];
        for (width, height, expected) in
            [(200, 24, 3), (100, 24, 4), (60, 24, 6), (60, 3, 2), (20, 50, 13), (0, 0, 1)]
        {
            let fitted = fitted(&lines, width, height);
            assert_eq!(fitted.lines().count(), expected, "{width}:\n{fitted}");
            let widest = fitted.lines().map(UnicodeWidthStr::width).max().unwrap_or(0);
            assert!(widest < width.max(INDENT + 11), "{width}: {widest}\n{fitted}");
        }
    }

    #[test]
    fn a_crawl_that_only_waits_says_for_whom() {
        let slow =
            tamis_crawl::crawl::SlowHost { host: "slow.example".to_owned(), queued: 3, delay_ms: 30_000 };
        let mut snapshot = Snapshot { slowest: vec![slow], ..Snapshot::default() };
        for (waiting, ready, expected) in [
            (1, 0, ", waiting for slow.example, 30 s between requests"),
            (3, 0, ", waiting for slow.example and 2 other hosts, 30 s between requests"),
            (3, 1, ""),
            (0, 0, ""),
        ] {
            (snapshot.bench.waiting, snapshot.bench.ready) = (waiting, ready);
            assert_eq!(waited_for(&snapshot), expected);
        }
    }
}
