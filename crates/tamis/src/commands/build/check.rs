//! What is wrong with steps and can be told before the first one runs.

use anyhow::{Context as _, anyhow};

use super::parse;
use super::step::Step;
use crate::cli::Command;
use crate::hint::WithHint;
use crate::inputs;

/// Whether a step can be run as far as the plan goes: its options, its files, the columns and queries in it.
pub(super) fn check(step: &Step) -> anyhow::Result<()> {
    let cli = parse(step)?;
    for file in &step.files {
        if !file.exists() && !inputs::is_glob(file) {
            return Err(anyhow!("{}: {} does not exist", step.place, file.display()))
                .hint("paths are relative to the plan's folder");
        }
    }
    let checked = match &cli.command {
        Some(Command::Query(args)) => args.check(),
        Some(Command::Clean(args)) => args.check(),
        Some(Command::Crawl(args)) => args.check(),
        Some(Command::Fetch(args)) => args.check(),
        Some(Command::Dedup(args)) => args.check(),
        Some(Command::Report(args)) => args.check(),
        _ => Ok(()),
    };
    checked.with_context(|| format!("{}: step `{}` is invalid", step.place, step.name))
}
