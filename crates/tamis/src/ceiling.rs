//! The ceiling of a query's memory: a thread that ends the program when the process takes far more than its limit.
//!
//! Sorts, groups and joins are counted and go to disk, and functions that grow have limits of their own. What one batch of rows takes
//! beside that is known to nobody before it is there, so the size of the process itself is watched.

use std::fs;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::human_size::HumanSize;
use crate::outcome;
use crate::scrap;

/// Memory is filled with some gigabytes a second at most.
const STEP: Duration = Duration::from_millis(10);
/// What allocators hold back and libraries need, whatever the limit.
const ALLOWANCE_BYTES: u64 = 256 << 20;

/// Watches the memory of the process as long as it lives.
#[derive(Debug)]
pub(crate) struct Ceiling {
    is_over: Arc<AtomicBool>,
}

impl Ceiling {
    /// Ends the program with an error once it takes half as much again as `limit_bytes`, and 256 MiB more. Does nothing where the system
    /// does not say how much that is.
    pub(crate) fn over(limit_bytes: u64) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let most_bytes = limit_bytes.saturating_add(limit_bytes / 2).saturating_add(ALLOWANCE_BYTES);
        if resident_bytes().is_some() {
            let is_over = is_over.clone();
            thread::spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    if resident_bytes().is_some_and(|bytes| bytes > most_bytes) {
                        end(limit_bytes);
                    }
                    thread::sleep(STEP);
                }
            });
        }
        Self { is_over }
    }
}

impl Drop for Ceiling {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

fn end(limit_bytes: u64) -> ! {
    scrap::remove_all();
    let limit = HumanSize(limit_bytes);
    eprintln!("error: the query was stopped: it uses far more memory than the limit of {limit}");
    eprintln!("hint: raise --memory, or compute smaller values");
    process::exit(i32::from(outcome::ERROR));
}

/// The memory that the process has now, if the system tells: `VmRSS:   123456 kB`.
fn resident_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_the_process_is_known() {
        let before = resident_bytes().expect("Linux tells");
        let more = vec![1_u8; 64 << 20];
        let after = resident_bytes().expect("Linux tells");
        assert!(after >= before + (more.len() as u64) / 2, "{before}, then {after}");
    }
}
