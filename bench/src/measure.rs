//! CPU seconds, wall seconds and peak memory of a run, and the line of JSON that reports them.

use std::fs;
use std::time::Instant;

use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use serde::{Deserialize, Serialize};

use crate::touch::Touched;

/// One run of one tool: the line every bench program prints.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// Name of the tool.
    pub tool: String,
    /// What it had to do, such as `read-gzip`.
    pub task: String,
    /// Name of the file it read.
    pub file: String,
    /// Records read, or lines written by an indexer.
    pub records: u64,
    /// Payload bytes read, or bytes written by an indexer.
    pub bytes: u64,
    /// Proof of reading (see [`Touched`]); absent where tools of one task do not see the same pieces.
    pub digest: Option<String>,
    /// User and system time of the process.
    pub cpu_seconds: f64,
    /// Time on the clock.
    pub wall_seconds: f64,
    /// Largest resident set of the process.
    pub peak_rss_kb: u64,
}

/// A run that has begun.
pub struct Stopwatch {
    began: Instant,
}

impl Stopwatch {
    /// Starts the clock. The CPU time counts from the start of the process.
    #[expect(clippy::new_without_default, reason = "a stopwatch starts when it is asked to, not by default")]
    pub fn new() -> Self {
        Self { began: Instant::now() }
    }

    /// Stops the clock and prints the run.
    pub fn report(
        self,
        tool: &str,
        task: &str,
        file: &str,
        touched: Touched,
        compare: Compare,
    ) -> Result<()> {
        let wall_seconds = self.began.elapsed().as_secs_f64();
        let run = Run {
            tool: tool.to_owned(),
            task: task.to_owned(),
            file: file_name(file),
            records: touched.records,
            bytes: touched.bytes,
            digest: (compare == Compare::Payloads).then(|| touched.digest()),
            cpu_seconds: cpu_seconds(UsageWho::RUSAGE_SELF)?,
            wall_seconds,
            peak_rss_kb: peak_rss_kb()?,
        };
        println!("{}", serde_json::to_string(&run)?);
        Ok(())
    }
}

/// Whether what a tool read can be held against what the other tools of the task read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Payloads without their HTTP heads: the digest must be the same for all.
    Payloads,
    /// Members or bytes of the file: a floor knows no records.
    Nothing,
}

/// User and system time.
pub fn cpu_seconds(who: UsageWho) -> Result<f64> {
    let usage = getrusage(who).context("getrusage")?;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

/// The last part of a path.
pub fn file_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

fn seconds(time: TimeVal) -> f64 {
    time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6
}

/// `VmHWM`, not `ru_maxrss`: the latter is handed on through `exec`, so that a small program shows its parent's size.
pub fn peak_rss_kb() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status").context("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM line")?;
    line.trim().trim_end_matches(" kB").parse().context("VmHWM is not a number")
}
