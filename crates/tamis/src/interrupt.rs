//! Ctrl-C: the end of most commands, and a word to those that have something to bring in order before they end.
//!
//! Without [`watch`] a command ends at once, with a line on stderr and exit code 130. A command that writes calls it
//! (creating a file with [`Output`](crate::output::Output) does), asks [`check`] between two records, and so leaves no
//! half file behind. A second Ctrl-C ends the program on the spot.
//!
//! A file made to deceive can keep a command from asking for minutes: one record of terabytes, one page of a gigabyte. So the program ends
//! some seconds after the first Ctrl-C in any case; sooner if [`end_within`] says so, and never before the command itself ends if it called
//! [`watch_to_the_end`]. What a command has not finished by then is as after a kill: nothing of it is there, or the next run goes on with it.

use std::fmt;
use std::io::{self, IsTerminal};
use std::process;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::terminal::{Colors, safe};
use crate::{command_line, outcome, scrap};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static WATCHING: Once = Once::new();
/// Whether the first Ctrl-C only raises a flag.
static IS_TIDY: AtomicBool = AtomicBool::new(false);
static HAS_HANDLER: AtomicBool = AtomicBool::new(false);
/// How long a command may take to end, in milliseconds; 0 is as long as it needs.
static GRACE_MS: AtomicU64 = AtomicU64::new(0);

/// Enough to bring to the disk what is finished.
const GRACE: Duration = Duration::from_secs(3);
/// Enough for a command that has nothing to keep.
pub const SHORT_GRACE: Duration = Duration::from_millis(800);

/// The error of a command that was asked to stop, and did.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Interrupted {
    /// The command that goes on where this one stopped. None: the same command again.
    pub resume: Option<String>,
}

/// From now on Ctrl-C (or SIGTERM) ends the program with a word. Where the signal is ignored, as under `nohup`, it stays so.
pub fn end_with_a_word() {
    HAS_HANDLER.store(ctrlc::try_set_handler(handle).is_ok(), Ordering::Relaxed);
}

fn handle() {
    let line_before = if io::stderr().is_terminal() { "\n" } else { "" };
    if !IS_TIDY.load(Ordering::Relaxed) {
        eprintln!("{line_before}interrupted");
        process::exit(i32::from(outcome::INTERRUPTED));
    }
    if REQUESTED.swap(true, Ordering::Relaxed) {
        process::exit(i32::from(outcome::INTERRUPTED));
    }
    let grace_ms = GRACE_MS.load(Ordering::Relaxed);
    if !(1..=SHORT_GRACE.as_millis() as u64).contains(&grace_ms) {
        eprintln!("{line_before}stopping; press Ctrl-C again to stop at once");
    }
    if grace_ms > 0 {
        thread::spawn(move || end_after(Duration::from_millis(grace_ms)));
    }
}

/// Ends the program after a time, if it is there still, without files that are not finished.
fn end_after(grace: Duration) {
    thread::sleep(grace);
    scrap::remove_all();
    let again = command_line::join(std::env::args_os());
    eprintln!("interrupted; to resume: {}", safe(&again, Colors::Escaped));
    process::exit(i32::from(outcome::INTERRUPTED));
}

/// From now on the program ends so long after the first Ctrl-C (or SIGTERM) at the latest. For commands that leave nothing half
/// done behind but what is listed as `scrap`.
pub fn end_within(grace: Duration) {
    raise_a_flag();
    GRACE_MS.store(u64::try_from(grace.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

/// From now on the first Ctrl-C (or SIGTERM) only raises a flag, and ends the program a few seconds later if the command has not ended.
pub fn watch() {
    end_within(GRACE);
}

/// From now on the first Ctrl-C (or SIGTERM) only raises a flag, however long the command takes to end. For those that wait for
/// others: servers, programs that they started.
pub fn watch_to_the_end() {
    raise_a_flag();
    GRACE_MS.store(0, Ordering::Relaxed);
}

fn raise_a_flag() {
    WATCHING.call_once(|| {
        IS_TIDY.store(true, Ordering::Relaxed);
        if !HAS_HANDLER.load(Ordering::Relaxed) {
            // Where no handler can be set, Ctrl-C ends the program at once: less tidy, and nothing to tell the user.
            let _ = ctrlc::set_handler(handle);
        }
    });
}

/// Whether the user asked to stop.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// An error if the user asked to stop. It ends the command with exit code 130 and the line that resumes it.
pub fn check() -> Result<(), Interrupted> {
    if requested() { Err(Interrupted::default()) } else { Ok(()) }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}
