//! Measures any command: `timed TOOL TASK FILE OUTPUT COMMAND…` runs it with its stdout in the file OUTPUT and reports
//! it like the other bench programs. `records` are then lines written and `bytes` bytes written.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use nix::sys::resource::{UsageWho, getrusage};
use tamis_bench::measure::{Run, cpu_seconds, file_name};

/// What a shell answers when the command is not there.
const NOT_FOUND: u8 = 127;

fn main() -> Result<ExitCode> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [tool, task, file, output, program, rest @ ..] = &args[..] else {
        bail!("usage: timed TOOL TASK FILE OUTPUT COMMAND…");
    };
    let began = Instant::now();
    let mut child = match Command::new(program).args(rest).stdout(File::create(output)?).spawn() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(ExitCode::from(NOT_FOUND)),
        other => other.with_context(|| program.clone())?,
    };
    let status = child.wait()?;
    let wall_seconds = began.elapsed().as_secs_f64();
    if !status.success() {
        bail!("{program} ended with {status}");
    }
    let written = fs::read(output)?;
    let run = Run {
        tool: tool.clone(),
        task: task.clone(),
        file: file_name(file),
        records: memchr::memchr_iter(b'\n', &written).count() as u64,
        bytes: written.len() as u64,
        digest: None,
        cpu_seconds: cpu_seconds(UsageWho::RUSAGE_CHILDREN)?,
        wall_seconds,
        peak_rss_kb: u64::try_from(getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss())?,
    };
    println!("{}", serde_json::to_string(&run)?);
    Ok(ExitCode::SUCCESS)
}
