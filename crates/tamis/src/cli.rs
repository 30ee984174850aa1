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

/// Crawl, archive, clean and query the web, from seeds to a searchable collection.
#[derive(Debug, Parser)]
#[command(name = "tamis", version, after_long_help = AFTER_HELP, styles = palette::for_clap())]
#[command(
    disable_help_subcommand = false,
    subcommand_value_name = "COMMAND",
    subcommand_help_heading = "Commands"
)]
pub struct Cli {
    /// Options of all commands.
    #[command(flatten)]
    pub globals: Globals,
    /// The command. `tamis` alone prints an overview.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// All commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Create a collection: a folder for archives and computed columns
    New(new::Args),
    /// Crawl the web into a collection, politely
    Crawl(Box<crawl::Args>),
    /// Show the event model of a focused crawl, and its relevant pages
    Focus(focus::Args),
    /// Fetch URL lists and the pages that tweets link to
    Fetch(Box<fetch::Args>),
    /// Add archives, HTML files, URL lists and tweets to a collection
    Import(import::Args),
    /// List, verify, relocate and remove the archives of a collection
    Archives(archives::Args),
    /// Show what a collection contains, what it cost and what is missing
    Status(status::Args),
    /// Read, check, index, convert and repair web archives
    Warc(Box<warc::Args>),
    /// Extract clean text, metadata, links and quotes from pages
    Clean(Box<clean::Args>),
    /// Detect the languages of pages and compare them with expected ones
    Lang(Box<lang::Args>),
    /// Find exact and near-duplicate pages
    Dedup(Box<dedup::Args>),
    /// Compress an archive by page similarity, far smaller than gzip
    Pack(Box<pack::Args>),
    /// Restore the archive of a pack, byte for byte
    Unpack(unpack::Args),
    /// Query archives with SQL, one row per capture
    Query(Box<query::Args>),
    /// Create a one-page report on a collection, with figures and charts
    Report(report::Args),
    /// Serve collections and archives: replay in the browser, CDX and Memento APIs
    Serve(serve::Args),
    /// Build a collection from a plan: import, crawl, clean, report
    Build(build::Args),
    /// Show what tamis does, with built-in pages and without a network
    Demo(demo::Args),
    /// Show the settings and where each one comes from
    Config(config::Args),
    /// Print the licences of the program, its data and its dependencies
    Licenses(licenses::Args),
    /// Print shell completions
    Completions(completions::Args),
    /// Print the man page, or write the man pages of all commands
    Man(man::Args),
}

/// The options of all commands.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Global options")]
pub struct Globals {
    /// Use colours: auto, always or never [default: auto]
    #[arg(long, global = true, value_enum, hide_possible_values = true, value_name = "WHEN")]
    pub color: Option<When>,
    /// Show progress on stderr: auto, always or never [default: auto]
    #[arg(long, global = true, value_enum, hide_possible_values = true, value_name = "WHEN")]
    pub progress: Option<When>,
    /// Print only errors on stderr
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Explain decisions on stderr
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// Read settings from FILE [default: ~/.config/tamis/config.toml]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Exit codes:
  0    success, also if the reader of the output has closed it
  1    a negative result: nothing found, or damage found
  2    an error, or skipped inputs
  130  interrupted; the command that resumes is printed

Environment:
  NO_COLOR        disables colours, unless --color is given
  CLICOLOR_FORCE  uses colours even without a terminal
  RUST_LOG        diagnostics on stderr, such as tamis_crawl=debug
  TAMIS_CONFIG    path of the config file
  TAMIS_…         any setting, such as TAMIS_JOBS or TAMIS_WARC_ROLLOVER; see `tamis config`

Data is written to stdout, everything else to stderr.";

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
    fn fetch_hides_the_options_of_crawls() {
        let cli = Cli::command();
        let shown = |command: &str| -> Vec<&str> {
            let command = cli.find_subcommand(command).expect("a command");
            command
                .get_arguments()
                .filter(|arg| !arg.is_hide_set())
                .map(|arg| arg.get_id().as_str())
                .collect()
        };
        let (crawl, fetch) = (shown("crawl"), shown("fetch"));
        for option in crate::commands::crawl::CRAWL_ONLY {
            assert!(crawl.contains(&option) && !fetch.contains(&option), "{option}");
        }
        assert!(fetch.contains(&"delay"));
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
