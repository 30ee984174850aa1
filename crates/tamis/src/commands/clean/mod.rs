//! `tamis clean`: selects pages of archives and HTML files from the table `pages`, as text or rows.
//!
//! Memory: that of a query; for each thread one page of at most `--max-size` with its tree (about ten times the page).

mod address;
mod article;
mod collection;
mod input;
mod select;
mod wanted;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::ValueEnum;
use tamis_collection::Collection;
use tamis_table::sink::PageCounts;
use tamis_table::{Context, Limits};
use url::Url;

use crate::hint::WithHint;
use crate::human_size::HumanSize;
use crate::jobs::JobsArgs;
use crate::outcome::Outcome;
use crate::output::OutputArgs;
use crate::session::Session;
use crate::summary::Summary;
use input::Sorted;
use wanted::Wanted;

/// The arguments of `tamis clean`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
An input is an archive (WARC, WET, ARC, WACZ), an HTML file, gzipped or not, or a folder of them; the type is detected from the \
first bytes. A URL among the inputs, with or without https://, selects its captures from the archives.

Formats: text prints the main text of each page, after a line with its URL or file, its title and its date. jsonl prints one object per page: \
file, url, time, status_code, mime_type, charset and the rule that chose it, damage, title, author, publisher, date and the \
rule that found it, modified, site_name, organization, language, description, keywords, canonical_url, image, domain_name, \
domain_location, text. Every capture of an archive has a row. Its status_code is 3200 for a page with text (0200 for a file), 2000 \
for HTML without text, 1001 if it is not HTML, or 0XXX for any HTTP status other than 200. Texts of WET files are rows, too, without title and links.

damage describes damage by earlier software: kind A was decoded with a wrong charset and lower-cased, B was decoded with a wrong \
charset (--repair fixes both); C and D lost letters to question marks, which cannot be restored. null means no damage.

date_rule names the source of the date. Reliable: url, opengraph, json-ld, microdata, rdfa, meta, dublin-core, citation, parsely, \
sailthru, http-equiv, time, class, byline. Guesses: text, image, copyright. Dates after the capture are ignored; the capture date of \
a file is its modification time.

Kinds of links: anchor (to be followed by readers), text (a URL in the text), image, media, script, style, frame, form, \
relation (<link>, with its rel), refresh. Links are absolute; relative links of a file without --url, --list or <base> are left out. \
Positions of links and quotes are character indices into text, starting at 0.

For a collection, columns are computed once and stored, only those that are missing: --columns selects them (`tamis query --columns` \
lists them). After a kill, run it again to resume. The formats tsv and parquet are for archives and collections.

Exit code 1 if no page has text.

Examples:
  tamis clean crawl.warc.gz --format jsonl -o pages.jsonl
  tamis clean https://example.org/ crawl.warc.gz
  tamis clean page.html --url https://example.org/page.html --format jsonl --links --quotes
  tamis clean eclipse --columns light,html
  tamis clean <(curl -s https://example.org/) --url https://example.org/")]
pub struct Args {
    /// Archives, HTML files, folders, quoted globs, lists of paths (@list.txt), - for stdin; and URLs to select
    #[arg(value_name = "INPUT", required_unless_present = "list")]
    inputs: Vec<OsString>,
    /// Read the paths of HTML files from FILE, one per line, each followed by a tab and its URL; `-` is stdin
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    #[command(flatten)]
    jobs: JobsArgs,
    /// Output format [default: text; for a collection, columns are computed and stored instead]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Columns to store in a collection: comma-separated names, or light, words, all [default: light]
    #[arg(long, value_name = "LIST")]
    columns: Option<String>,
    /// Show what would be computed for a collection, without computing anything
    #[arg(long)]
    dry_run: bool,
    /// URL of the HTML file, used to resolve links and to interpret metadata
    #[arg(long, value_name = "URL", conflicts_with = "list")]
    url: Option<Url>,
    /// Repair text that earlier software decoded with a wrong charset
    #[arg(long)]
    repair: bool,
    #[command(flatten)]
    wanted: Wanted,
    /// Maximum page size; larger pages are cut, marked and reported
    #[arg(long, value_name = "SIZE", default_value = "64MiB")]
    max_size: HumanSize,
    #[command(flatten)]
    output: OutputArgs,
}

/// A form to print pages in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The main text, human-readable
    Text,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values with the columns of jsonl
    Csv,
    /// Tab-separated, with the columns of the Collection Management Webpages report in its order
    Tsv,
    /// A Parquet file
    Parquet,
    /// Article lines (Spinn3r format): tokenized text with the positions of links and quotes
    Article,
}

/// Cleans pages.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    if let Some(path) = args.collection()? {
        return collection::run(args, path, session);
    }
    let sorted = Sorted::of(args, session)?;
    args.refuse_misfits(&sorted)?;
    let mut output = args.output.open(&session.printer, args.format().content())?;
    let mut outcome = sorted.found;
    let mut counts = PageCounts::default();
    if !sorted.members.is_empty() {
        let (counted, seen) = select::run(args, &sorted, &mut output, session)?;
        (counts, outcome) = (counted, outcome.and(seen));
    }
    let articles = article::clean(args, &sorted.articles, session, &mut output)?;
    counts.with_text += articles.written;
    let mut summary = Summary::default();
    if !output.is_stdout() {
        summary.went_to(&output);
    }
    select::sum_up(&counts, args.format(), &mut summary);
    output.finish()?;
    session.printer.summary(&summary);
    if counts.with_text == 0 {
        outcome = outcome.and(Outcome::Negative);
    }
    Ok(outcome.and(Outcome::of_skipped(articles.skipped)))
}

impl Args {
    fn format(&self) -> Format {
        self.format.unwrap_or(Format::Text)
    }

    /// Whether there are the columns that are asked for.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        collection::columns(self.columns.as_deref()).map(drop)
    }

    /// The collection whose columns are to be computed, if that is what is asked for.
    fn collection(&self) -> anyhow::Result<Option<&Path>> {
        let is_printed = self.format.is_some() || self.output.path().is_some();
        let collections = self.inputs.iter().map(Path::new).filter(|path| Collection::is_one(path));
        match *collections.collect::<Vec<_>>() {
            [path] if !is_printed && self.inputs.len() == 1 => Ok(Some(path)),
            [..] if is_printed && self.columns.is_none() && !self.dry_run => Ok(None),
            [] if self.columns.is_some() || self.dry_run => {
                if let Some(missing) = self.inputs.iter().map(Path::new).find(|path| !path.exists()) {
                    return Err(anyhow!("{} does not exist", missing.display()));
                }
                Err(anyhow!("--columns and --dry-run are for collections")).hint("`tamis new NAME` makes one")
            }
            [] => Ok(None),
            _ => Err(anyhow!("columns can be stored for only one collection at a time"))
                .hint("give one collection and no other input"),
        }
    }

    /// What was asked for and cannot be.
    fn refuse_misfits(&self, sorted: &Sorted) -> anyhow::Result<()> {
        let has_archives = sorted.members.len() > sorted.page_files;
        if !has_archives && let Some(bare) = sorted.bare.first() {
            return Err(anyhow!("{bare} is not a file, and no archive is given to search for it as a URL"))
                .hint("give archives after it: tamis clean URL ARCHIVE");
        }
        if !sorted.urls.is_empty() && !has_archives {
            return Err(anyhow!("a URL, but no archive to search"))
                .hint("give archives after it: tamis clean URL ARCHIVE");
        }
        if self.url.is_some() && sorted.page_files != 1 {
            return Err(anyhow!("--url applies to one HTML file, but there are {}", sorted.page_files))
                .hint("give each file its URL with --list");
        }
        if self.format() == Format::Text && self.wanted.needs_rows() {
            return Err(anyhow!("the text format has no links and quotes")).hint("add --format jsonl");
        }
        if !sorted.articles.is_empty() && matches!(self.format(), Format::Csv | Format::Tsv | Format::Parquet)
        {
            return Err(anyhow!("the article format has no such columns"))
                .hint("use --format jsonl, text or article");
        }
        Ok(())
    }

    /// How pages are read.
    fn context(&self) -> Context {
        Context { repair: self.repair, limits: Limits { page_bytes: self.max_size.0 }, ..Context::default() }
    }
}
