//! `tamis completions`: what a shell needs to complete our command lines.

use std::io::Write;

use clap_complete::Shell;

use crate::cli;
use crate::outcome::Outcome;
use crate::session::Session;
use crate::when::When;

/// The arguments of `tamis completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Installation:
  bash  tamis completions bash > ~/.local/share/bash-completion/completions/tamis
  zsh   tamis completions zsh > \"${fpath[1]}/_tamis\"
  fish  tamis completions fish > ~/.config/fish/completions/tamis.fish")]
pub struct Args {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Prints the completions for a shell.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli::definition(When::Never), "tamis", &mut script);
    session.printer.out().write_all(&script)?;
    Ok(Outcome::Done)
}
