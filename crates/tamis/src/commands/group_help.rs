//! The help of a group of commands that is named alone, such as `tamis warc`.
//!
//! As with `tamis` alone, who names it asks what is in it: the help goes to stdout, and the exit code is 0.

use std::io::Write;

use anyhow::Context;

use crate::cli;
use crate::outcome::Outcome;
use crate::session::Session;
use crate::when::When;

/// Prints the help of a group, or of a group in a group: `warc wacz`.
pub(super) fn print(group: &str, session: &Session) -> anyhow::Result<Outcome> {
    let mut definition = cli::definition(When::Auto);
    // Names and global options reach the commands below only when the whole tree is built.
    definition.build();
    let mut command = &mut definition;
    for name in group.split(' ') {
        command = command.find_subcommand_mut(name).with_context(|| format!("no group `{group}`"))?;
    }
    let help = command.render_help();
    let text =
        if session.printer.out_palette().is_plain() { help.to_string() } else { help.ansi().to_string() };
    session.printer.out().write_all(text.as_bytes())?;
    Ok(Outcome::Done)
}
