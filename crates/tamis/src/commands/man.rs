//! `tamis man`: the manual, made of the same definition as the help.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap_mangen::Man;

use crate::cli;
use crate::human_count::HumanCount;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::session::Session;
use crate::summary::Summary;
use crate::when::When;

/// The arguments of `tamis man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "To view it: tamis man | man -l -")]
pub struct Args {
    /// Write the man pages of all commands to DIR instead, replacing those of an older version
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Prints the main page, or writes all.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let mut definition = cli::definition(When::Never).disable_help_subcommand(true);
    definition.build();
    let Some(folder) = &args.folder else {
        session.printer.out().write_all(&page(definition)?)?;
        return Ok(Outcome::Done);
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let count = write_pages(folder, definition)?;
    let mut summary = Summary::default();
    summary.wrote(HumanCount::of(count, "page")).went_to(folder.display());
    summary.next(format_args!("man -l {}", folder.join("tamis.1").display()));
    session.printer.summary(&summary);
    Ok(Outcome::Done)
}

/// Writes the page of a command and those of the commands below it.
fn write_pages(folder: &Path, command: clap::Command) -> anyhow::Result<u64> {
    let mut count = 1;
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        count += write_pages(folder, inner.clone())?;
    }
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let mut output = Output::create(&folder.join(format!("{name}.1")), true)?;
    output.write_all(&page(command)?)?;
    output.finish()?;
    Ok(count)
}

fn page(command: clap::Command) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).manual("tamis").render(&mut page)?;
    Ok(page)
}
