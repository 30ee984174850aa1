//! How far a long command is: on stderr, from the second second on.
//!
//! On a terminal it is a bar that steps aside for warnings. With `--progress always` and no terminal it is a
//! line every ten seconds, for logs. In all other cases it is nothing, and costs nothing but a counter.

use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::style::ProgressTracker;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::human_count::HumanCount;
use crate::human_duration::HumanDuration;
use crate::human_size::HumanSize;
use crate::printer::{Printer, Verbosity};
use crate::when::When;

/// What is quick needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);
const BETWEEN_LINES: Duration = Duration::from_secs(10);
const DRAWS_PER_SECOND: u8 = 10;

/// What the command is about to do.
#[derive(Debug, Clone, Copy)]
pub struct Work {
    /// What it does: `reading`, `indexing`.
    pub verb: &'static str,
    /// What it counts, in the singular: `record`.
    pub item: &'static str,
    /// All bytes to go through, if known: with it come a bar and the time left.
    pub total_bytes: Option<u64>,
    /// Whether the data scroll over the same screen, which is progress enough.
    pub data_on_stdout: bool,
}

/// How far a command is. Threads share it by reference; it goes away when dropped.
pub struct Progress<'p> {
    printer: &'p Printer,
    work: Work,
    started: Instant,
    bytes: AtomicU64,
    items: Arc<AtomicU64>,
    display: Display,
}

enum Display {
    None,
    Bar {
        bar: ProgressBar,
        shown: AtomicBool,
    },
    /// When the next line is due, in milliseconds after the start.
    Lines {
        due_ms: AtomicU64,
    },
}

impl<'p> Progress<'p> {
    /// Begins to measure. Nothing shows in the first second.
    pub fn start(printer: &'p Printer, work: Work) -> Self {
        let items = Arc::new(AtomicU64::new(0));
        let display = match kind(printer, &work, io::stderr().is_terminal(), io::stdout().is_terminal()) {
            Kind::None => Display::None,
            Kind::Bar => Display::Bar { bar: bar(&work, &items), shown: AtomicBool::new(false) },
            Kind::Lines => Display::Lines { due_ms: AtomicU64::new(PATIENCE.as_millis() as u64) },
        };
        Self::with(printer, work, items, display)
    }

    fn with(printer: &'p Printer, work: Work, items: Arc<AtomicU64>, display: Display) -> Self {
        Self { printer, work, started: Instant::now(), bytes: AtomicU64::new(0), items, display }
    }

    /// So many bytes and items more are done.
    pub fn add(&self, bytes: u64, items: u64) {
        self.items.fetch_add(items, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        match &self.display {
            Display::None => {}
            Display::Bar { bar, shown } => {
                bar.inc(bytes);
                if !shown.load(Ordering::Relaxed) && self.started.elapsed() >= PATIENCE {
                    self.show(bar, shown);
                }
            }
            Display::Lines { due_ms } => self.line_if_due(due_ms),
        }
    }

    /// The bytes done so far.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The items done so far.
    pub fn items(&self) -> u64 {
        self.items.load(Ordering::Relaxed)
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn show(&self, bar: &ProgressBar, shown: &AtomicBool) {
        if !shown.swap(true, Ordering::Relaxed) {
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(DRAWS_PER_SECOND));
            self.printer.set_bar(Some(bar.clone()));
        }
    }

    fn line_if_due(&self, due_ms: &AtomicU64) {
        let now = self.started.elapsed();
        let (now_ms, due) = (now.as_millis() as u64, due_ms.load(Ordering::Relaxed));
        let next = now_ms + BETWEEN_LINES.as_millis() as u64;
        // Of several threads that see it due, the one that moves the mark prints.
        let is_ours = || due_ms.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if now_ms >= due && is_ours() {
            self.printer.say(line(&self.work, self.bytes(), self.items(), now));
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if let Display::Bar { bar, .. } = &self.display {
            self.printer.set_bar(None);
            bar.finish_and_clear();
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    None,
    Bar,
    Lines,
}

fn kind(printer: &Printer, work: &Work, stderr_is_terminal: bool, stdout_is_terminal: bool) -> Kind {
    let scrolls = work.data_on_stdout && stdout_is_terminal;
    match printer.progress() {
        _ if printer.verbosity() == Verbosity::Quiet || scrolls => Kind::None,
        When::Auto | When::Always if stderr_is_terminal => Kind::Bar,
        When::Always => Kind::Lines,
        When::Auto | When::Never => Kind::None,
    }
}

fn bar(work: &Work, items: &Arc<AtomicU64>) -> ProgressBar {
    let template = if work.total_bytes.is_some() {
        "{verb} {wide_bar} {done} of {total} · {items} · {rate}/s · {left} left"
    } else {
        "{verb} {spinner} {done} · {items} · {rate}/s"
    };
    let Work { verb, item, .. } = *work;
    let items = Arc::clone(items);
    let style = ProgressStyle::with_template(template)
        .expect("the templates are sound")
        .with_key("verb", Shown(move |_: &ProgressState| verb.to_owned()))
        .with_key("done", Shown(|state: &ProgressState| HumanSize(state.pos()).to_string()))
        .with_key(
            "total",
            Shown(|state: &ProgressState| HumanSize(state.len().unwrap_or_default()).to_string()),
        )
        .with_key(
            "items",
            Shown(move |_: &ProgressState| HumanCount::of(items.load(Ordering::Relaxed), item)),
        )
        .with_key("rate", Shown(|state: &ProgressState| HumanSize(state.per_sec() as u64).to_string()))
        .with_key("left", Shown(|state: &ProgressState| time_left(state.eta()).to_string()));
    ProgressBar::with_draw_target(work.total_bytes, ProgressDrawTarget::hidden()).with_style(style)
}

/// Whole seconds, and never none: the estimate is no better.
fn time_left(eta: Duration) -> HumanDuration {
    HumanDuration(Duration::from_secs(eta.as_secs().max(1)))
}

/// A part of the bar that is made of its state.
#[derive(Clone)]
struct Shown<F>(F);

impl<F: Fn(&ProgressState) -> String + Clone + Send + Sync + 'static> ProgressTracker for Shown<F> {
    fn clone_box(&self) -> Box<dyn ProgressTracker> {
        Box::new(self.clone())
    }

    fn tick(&mut self, _: &ProgressState, _: Instant) {}

    fn reset(&mut self, _: &ProgressState, _: Instant) {}

    fn write(&self, state: &ProgressState, text: &mut dyn fmt::Write) {
        // Writing to the text of a line cannot fail.
        let _ = text.write_str(&(self.0)(state));
    }
}

/// `reading: 1.2 GB of 3 GB, 12,345 records, 120 MB/s`
fn line(work: &Work, bytes: u64, items: u64, elapsed: Duration) -> String {
    let total = work.total_bytes.map(|total| format!(" of {}", HumanSize(total))).unwrap_or_default();
    let rate = bytes as f64 / elapsed.as_secs_f64().max(0.001);
    let items = HumanCount::of(items, work.item);
    format!("{}: {}{total}, {items}, {}/s", work.verb, HumanSize(bytes), HumanSize(rate as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::printer::tests::captured;

    const WORK: Work =
        Work { verb: "reading", item: "record", total_bytes: Some(3_000_000_000), data_on_stdout: true };

    #[test]
    fn a_bar_is_for_terminals_that_no_data_scroll_over() {
        for (verbosity, progress, stderr, stdout, expected) in [
            (Verbosity::Normal, When::Auto, true, false, Kind::Bar),
            (Verbosity::Normal, When::Auto, true, true, Kind::None),
            (Verbosity::Normal, When::Auto, false, false, Kind::None),
            (Verbosity::Normal, When::Always, false, false, Kind::Lines),
            (Verbosity::Normal, When::Never, true, false, Kind::None),
            (Verbosity::Quiet, When::Always, true, false, Kind::None),
        ] {
            let printer = Printer::new(verbosity, When::Never, progress);
            assert_eq!(
                kind(&printer, &WORK, stderr, stdout),
                expected,
                "{verbosity:?} {progress} {stderr} {stdout}"
            );
        }
    }

    #[test]
    fn a_line_tells_how_far_it_is() {
        let text = line(&WORK, 1_200_000_000, 12_345, Duration::from_secs(10));
        assert_eq!(text, "reading: 1.2 GB of 3 GB, 12,345 records, 120 MB/s");
    }

    #[test]
    fn lines_come_when_they_are_due() {
        let (printer, err) = captured(Verbosity::Normal);
        let display = Display::Lines { due_ms: AtomicU64::new(0) };
        let progress = Progress::with(&printer, WORK, Arc::default(), display);
        progress.add(10, 1);
        progress.add(10, 1);
        assert_eq!(err.text().lines().count(), 1, "{}", err.text());
        assert_eq!((progress.bytes(), progress.items()), (20, 2));
    }

    #[test]
    fn the_bar_can_be_drawn_with_and_without_a_total() {
        for total_bytes in [Some(10), None] {
            let bar = bar(&Work { total_bytes, ..WORK }, &Arc::default());
            bar.inc(5);
            bar.force_draw();
            assert_eq!(bar.position(), 5);
        }
    }
}
