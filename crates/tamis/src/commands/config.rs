//! `tamis config`: the settings in force, and where each comes from.

use std::io::Write;

use anyhow::anyhow;
use clap::{Subcommand, ValueEnum};

use crate::config::{self, Value};
use crate::hint::WithHint;
use crate::outcome::Outcome;
use crate::palette::{Palette, paint};
use crate::session::Session;

/// The arguments of `tamis config`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Precedence: option, environment variable, config file, default.
The text output is TOML and can be pasted into the config file.")]
pub struct Args {
    /// What to show instead of the settings
    #[command(subcommand)]
    pub command: Option<ConfigCommand>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What else there is to show.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print the path of the config file, even if it does not exist
    Path,
}

/// A form to print settings in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// TOML lines, with the origin of each as a comment
    Text,
    /// One JSON object per line
    Jsonl,
}

/// Prints the settings, or the path of their file.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    match (&args.command, args.format) {
        (Some(ConfigCommand::Path), _) => path(session),
        (None, Format::Text) => text(session),
        (None, Format::Jsonl) => jsonl(session),
    }
}

fn path(session: &Session) -> anyhow::Result<Outcome> {
    let path = config::path(&session.flags, &crate::environment)
        .ok_or_else(|| anyhow!("no default config file: HOME is not set"))
        .hint("give one with `--config`")?;
    writeln!(session.printer.out(), "{}", path.display())?;
    Ok(Outcome::Done)
}

fn text(session: &Session) -> anyhow::Result<Outcome> {
    let values = session.config.values();
    let setting = |value: &Value| format!("{} = {}", value.entry.key, serde_json::json!(value.text));
    let width = values.iter().map(|value| setting(value).chars().count()).max().unwrap_or_default();
    let palette: &Palette = session.printer.out_palette();
    let mut out = session.printer.out();
    for value in values {
        let comment = format!("# {} ({})", value.origin, value.entry.about);
        writeln!(out, "{:<width$}  {}", setting(value), paint(palette.dim, comment))?;
    }
    Ok(Outcome::Done)
}

fn jsonl(session: &Session) -> anyhow::Result<Outcome> {
    let mut out = session.printer.out();
    for Value { entry, text, origin } in session.config.values() {
        let row = serde_json::json!({
            "key": entry.key,
            "value": text,
            "origin": origin.to_string(),
            "about": entry.about,
            "default": entry.default,
            "variable": entry.variable(),
        });
        writeln!(out, "{row}")?;
    }
    Ok(Outcome::Done)
}
