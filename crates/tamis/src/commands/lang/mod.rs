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
Each page gets a line, sorted by address:

  URL Response:eng,deu | Expected:eng + eng:61.20%;deu:30.11%;Other_Langs:0.00%;Not_Found:8.69%

✓ the same languages, ✗ none in common, − some of those expected and no other, + all of them and others, ÷ some of them and others. \
What is expected comes from info files (`tamis lang info` makes them), else from what the archive states in \
WARC-Identified-Content-Language; a page of which nothing is expected counts as ✓, and the report says how many there are.

Lines go to one file a partition, by the hash of their address: the same lines for any number of partitions and threads. \
report.json beside them has all figures; `tamis lang report` prints them again and draws time against files.

Detectors: tamis, our own; words, which counts the most frequent words of each language; cld2, which Common Crawl's \
answers come from.

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
    /// An info file, a folder of them or a quoted glob: what is expected of pages; may be given again
    #[arg(long, value_name = "PATH")]
    info: Vec<OsString>,
    #[command(flatten)]
    detector: DetectorArgs,
    /// Write so many files of lines
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=900))]
    partitions: u16,
    /// Write to this folder, or `-` for lines on stdout [default: a folder named after date and time]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Replace the folder
    #[arg(long)]
    force: bool,
    /// How to write lines
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Draw how answers agree, too (.svg or .png)
    #[arg(long, value_name = "FILE")]
    plot: Vec<PathBuf>,
    #[command(flatten)]
    jobs: JobsArgs,
    /// Use no more memory: 2G, 50% of what there is, or `auto` for half
    #[arg(long, value_name = "LIMIT", default_value_t = Memory::Auto)]
    memory: Memory,
}

/// What else there is about languages.
#[derive(Debug, Subcommand)]
enum LangCommand {
    /// Make info files from a URL index: what is expected of each page, a file an archive
    Info(info::Args),
    /// Print reports of runs again, and draw time against files
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
