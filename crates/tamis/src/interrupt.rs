//! Ctrl-C, for commands that have something to bring in order before they end.
//!
//! Without [`watch`] a command dies of the signal at once, as every program does. A command that writes calls it
//! (creating an [`Output`](crate::output::Output) does), asks [`check`] between two records, and so leaves no half
//! file behind. A second Ctrl-C ends the program on the spot.

use std::fmt;
use std::process;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::outcome;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static WATCHING: Once = Once::new();

/// The error of a command that was asked to stop, and did.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Interrupted {
    /// The command that goes on where this one stopped. None: the same command again.
    pub resume: Option<String>,
}

/// From now on the first Ctrl-C (or SIGTERM) only raises a flag.
pub fn watch() {
    WATCHING.call_once(|| {
        // Where no handler can be set, Ctrl-C ends the program at once: less tidy, and nothing to tell the user.
        let _ = ctrlc::set_handler(|| {
            if REQUESTED.swap(true, Ordering::Relaxed) {
                process::exit(i32::from(outcome::INTERRUPTED));
            }
            eprintln!("\nstopping; press Ctrl-C again to end at once");
        });
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
