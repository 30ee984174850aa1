//! `tamis lang`: the languages of a crawl, beside those that were expected.
//!
//! Memory: as `tamis query`.

mod detector;
mod info;
mod job;
mod parts;
mod report;
mod runs;
pub(super) mod tables;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Subcommand;

use crate::jobs::JobsArgs;
use crate::memory::Memory;
use crate::outcome::Outcome;
use crate::session::Session;
pub(super) use detector::{DetectorArgs, Name as DetectorName};
use parts::Format;

/// The arguments of `tamis lang`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Prints one line per page, sorted by URL:

  URL Response:eng,deu | Expected:eng + eng:61.20%;deu:30.11%;Other_Langs:0.00%;Not_Found:8.69%

✓ same languages as expected, ✗ none in common, − only some of the expected ones, + all expected ones and others, ÷ some expected ones and others. \
Expected languages come from info files (`tamis lang info` creates them), or else from WARC-Identified-Content-Language in the archive. \
A page without expected languages counts as ✓, and the report shows the number of such pages.

Lines are partitioned into files by a hash of the URL, so partitions and threads do not change the lines. \
report.json has all figures; `tamis lang report` prints them again and plots time against files.

Detectors: tamis, our own; words, which counts the most frequent words of each language; cld2, the detector that \
Common Crawl uses.

Examples:
  tamis lang crawl.warc.wet.gz -o -
  tamis lang wet/ --info info/ --detector words --partitions 5 -o run5
  tamis lang info cdx-00000.gz cdx-00001.gz -o info
  tamis lang report run1 run2 run5 --plot time.svg"
)]
pub struct Args {
    #[command(subcommand)]
    command: Option<LangCommand>,
    /// Archives (WARC, WET …), collections, folders, quoted globs, lists of paths (@list.txt), - for stdin
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<OsString>,
    /// Info files with the expected languages: a file, a folder or a quoted glob; may be repeated
    #[arg(long, value_name = "PATH")]
    info: Vec<OsString>,
    #[command(flatten)]
    detector: DetectorArgs,
    /// Number of output files
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=900))]
    partitions: u16,
    /// Output folder, or `-` for lines on stdout [default: a folder named after date and time]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Replace the output folder if it exists
    #[arg(long)]
    force: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Also plot the agreement (.svg or .png)
    #[arg(long, value_name = "FILE")]
    plot: Vec<PathBuf>,
    #[command(flatten)]
    jobs: JobsArgs,
    /// Memory limit: 2G, 50% of the machine, or `auto` for half of it
    #[arg(long, value_name = "LIMIT", default_value_t = Memory::Auto)]
    memory: Memory,
}

/// What else there is about languages.
#[derive(Debug, Subcommand)]
enum LangCommand {
    /// Create info files with expected languages from a URL index, one per archive
    Info(info::Args),
    /// Print the reports of earlier runs, and plot time against files
    Report(runs::Args),
}

/// Finds languages.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    match &args.command {
        None => job::run(args, session),
        Some(LangCommand::Info(args)) => info::run(args, session),
        Some(LangCommand::Report(args)) => runs::run(args, session),
    }
}
