//! Runs the commands of a list alternately and holds them against each other:
//! `compare COMMANDS ROUNDS RESULT [FACT=VALUE…]` writes RESULT.json (every run) and RESULT.md (the table), and prints
//! the table. Exit code 1 when tools of one task did not read the same.

#[path = "compare/table.rs"]
mod table;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use tamis_bench::measure::Run;

/// What a shell answers when the command is not there.
const NOT_FOUND: i32 = 127;

/// All that one comparison found.
#[derive(Serialize)]
struct Comparison {
    facts: Vec<(String, String)>,
    load_before: String,
    load_after: String,
    rounds: u32,
    left_out: BTreeSet<String>,
    runs: Vec<Run>,
}

fn main() -> Result<ExitCode> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [commands, rounds, result, facts @ ..] = &args[..] else {
        bail!("usage: compare COMMANDS ROUNDS RESULT [FACT=VALUE…]");
    };
    let commands = commands_of(&fs::read_to_string(commands).with_context(|| commands.clone())?);
    let found = run_all(&commands, rounds.parse().context("ROUNDS is not a number")?, facts)?;
    let report = table::markdown(&found);
    if let Some(folder) = Path::new(result).parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(format!("{result}.json"), serde_json::to_string_pretty(&found)? + "\n")?;
    fs::write(format!("{result}.md"), &report)?;
    print!("{report}");
    Ok(ExitCode::from(u8::from(!table::disagreeing(&found.runs).is_empty())))
}

/// Tasks and commands, without comments and empty lines.
fn commands_of(list: &str) -> Vec<String> {
    let lines = list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(char::is_whitespace))
        .map(|(_, rest)| rest.trim().to_owned())
        .collect()
}

/// Round by round, so that a slow minute of the machine falls on every tool.
fn run_all(commands: &[String], rounds: u32, facts: &[String]) -> Result<Comparison> {
    let mut found = Comparison {
        facts: facts
            .iter()
            .filter_map(|fact| fact.split_once('='))
            .map(|(k, v)| (k.into(), v.into()))
            .collect(),
        load_before: load(),
        load_after: String::new(),
        rounds,
        left_out: BTreeSet::new(),
        runs: Vec::new(),
    };
    for round in 1..=rounds {
        for command in commands {
            eprintln!("round {round}/{rounds}: {command}");
            match run(command)? {
                Some(run) => found.runs.push(run),
                None => _ = found.left_out.insert(command.clone()),
            }
        }
    }
    found.load_after = load();
    Ok(found)
}

/// One run; nothing if the command is not there.
fn run(command: &str) -> Result<Option<Run>> {
    let output = Command::new("bash").args(["-c", &format!("exec {command}")]).output()?;
    if output.status.code() == Some(NOT_FOUND) {
        return Ok(None);
    }
    if !output.status.success() {
        bail!("{command}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    let run =
        serde_json::from_slice(&output.stdout).with_context(|| format!("{command}: no line of JSON"))?;
    Ok(Some(run))
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}
