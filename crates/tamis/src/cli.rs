//! The one definition of the command line: the parser, the help, the man pages and the completions come from it.
//!
//! The arguments of a command stand in its own file under `commands/`; here are the list of commands, in the order
//! of the data's way, and the options that all of them have.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ColorChoice, CommandFactory, Parser, Subcommand};

use crate::commands::{
    archives, build, clean, completions, config, crawl, dedup, demo, fetch, focus, import, lang, licenses,
    man, new, pack, query, report, serve, status, unpack, warc,
};
use crate::config::Flags;
use crate::palette;
use crate::printer::Verbosity;
use crate::when::When;

/// Crawl, archive, clean and query the web: one program from seeds to a searchable collection.
#[derive(Debug, Parser)]
#[command(name = "tamis", version, after_long_help = AFTER_HELP, styles = palette::for_clap())]
#[command(
    disable_help_subcommand = false,
    subcommand_value_name = "COMMAND",
    subcommand_help_heading = "Commands"
)]
pub struct Cli {
    /// The options of all commands.
    #[command(flatten)]
    pub globals: Globals,
    /// The command. Without one, `tamis` says what it is.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// All commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make a collection: a folder for archives and all that is made of them
    New(new::Args),
    /// Crawl the web into a collection, politely
    Crawl(Box<crawl::Args>),
    /// Show the model of an event, and what a crawl by it found
    Focus(focus::Args),
    /// Fetch lists of URLs and the pages that tweets name into a collection
    Fetch(Box<fetch::Args>),
    /// Take archives, lists of URLs and tweets into a collection
    Import(import::Args),
    /// List, verify, relocate and remove the archives of a collection
    Archives(archives::Args),
    /// Say what is in a collection, what it cost and what is missing
    Status(status::Args),
    /// Read, check, index, convert and repair web archives
    Warc(Box<warc::Args>),
    /// Turn pages into clean text with metadata, links and quotes
    Clean(Box<clean::Args>),
    /// Find the languages of pages, beside those that were expected
    Lang(Box<lang::Args>),
    /// Find pages that are there more than once, exactly or nearly
    Dedup(Box<dedup::Args>),
    /// Pack an archive by similarity, far smaller than gzip
    Pack(Box<pack::Args>),
    /// Get the archive of a pack back, every byte of it
    Unpack(unpack::Args),
    /// Ask archives in SQL: they are a table, a row a page
    Query(Box<query::Args>),
    /// Show a collection on one page, in figures and charts
    Report(report::Args),
    /// Serve collections and archives: replay in the browser, CDX and Memento APIs
    Serve(serve::Args),
    /// Build a collection by a plan: sources, crawl, columns, outputs, report
    Build(build::Args),
    /// Show what tamis does, on pages it carries with it
    Demo(demo::Args),
    /// Show the settings, and where each comes from
    Config(config::Args),
    /// Print the licences of the program, its data and its crates
    Licenses(licenses::Args),
    /// Print the completions for a shell
    Completions(completions::Args),
    /// Print the man page, or write those of all commands
    Man(man::Args),
}

/// The options of all commands.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Global options")]
pub struct Globals {
    /// Print in colours: auto, always or never [default: auto]
    #[arg(long, global = true, value_enum, hide_possible_values = true, value_name = "WHEN")]
    pub color: Option<When>,
    /// Show progress on stderr: auto, always or never [default: auto]
    #[arg(long, global = true, value_enum, hide_possible_values = true, value_name = "WHEN")]
    pub progress: Option<When>,
    /// Say nothing on stderr but errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say on stderr what was decided, and why
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// Read settings from FILE [default: ~/.config/tamis/config.toml]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Exit codes:
  0    done; also when the reader of the output has gone away
  1    done, and the answer is no: nothing found, damage met
  2    an error, or inputs that were passed over
  130  interrupted; the command that goes on is printed

Environment:
  NO_COLOR        no colours, unless --color says otherwise
  CLICOLOR_FORCE  colours also where there is no terminal
  TAMIS_CONFIG    the config file
  TAMIS_…         each setting, by its name: TAMIS_JOBS, TAMIS_WARC_ROLLOVER; see `tamis config`

Data go to stdout, everything else to stderr.";

impl Globals {
    /// How much to say on stderr.
    pub fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }

    /// What they say about settings.
    pub fn flags(&self) -> Flags {
        Flags { config: self.config.clone(), color: self.color, progress: self.progress }
    }
}

/// The definition as a tree of commands, with colours or without.
pub fn definition(color: When) -> clap::Command {
    Cli::command().color(match color {
        When::Auto => ColorChoice::Auto,
        When::Always => ColorChoice::Always,
        When::Never => ColorChoice::Never,
    })
}

/// The `--color` of a command line that is not parsed yet: its help and its errors are coloured, too.
pub fn color_ahead(words: &[OsString]) -> Option<When> {
    let mut words = words.iter().map(|word| word.to_string_lossy()).take_while(|word| word != "--");
    let mut found = None;
    while let Some(word) = words.next() {
        if word == "--color" {
            found = words.next().and_then(|value| value.parse().ok());
        } else if let Some(value) = word.strip_prefix("--color=") {
            found = value.parse().ok();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_color_is_known_before_the_rest() {
        for (line, expected) in [
            ("tamis --help", None),
            ("tamis --color never --help", Some(When::Never)),
            ("tamis config --color=always", Some(When::Always)),
            ("tamis --color blue", None),
            ("tamis --color", None),
            ("tamis ls -- --color=always", None),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(color_ahead(&words), expected, "{line}");
        }
    }
}
