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
An input is an archive (WARC, WET, ARC, WACZ), an HTML file, gzipped or not, or a folder of them; what it is shows in its \
first bytes. A URL among the inputs, with https:// or without, takes only its captures out of the archives.

text is the main text of each page, with a line of its URL or file, its title and date before it. jsonl has a row a page: \
file, url, time, status_code, mime_type, charset and the rule that chose it, damage, title, author, publisher, date and the \
rule that found it, modified, site_name, organization, language, description, keywords, canonical_url, image, domain_name, \
domain_location, text. Every capture of an archive has its row: pages that are no HTML have code 1001 and no text, \
status codes other than 200 are 0XXX, HTML without text is 2000, sound pages of archives 3200 and of files 0200. The texts \
of WET files are rows as well, without title and links.

damage is what earlier software did to the text: kind A read it in a wrong charset and lower-cased it, B read it in a wrong \
charset (--repair mends both); C and D lost letters to question marks, which nothing brings back. null is sound.

date_rule says what the date stood in. Firm: url, opengraph, json-ld, microdata, rdfa, meta, dublin-core, citation, parsely, \
sailthru, http-equiv, time, class, byline. Weak: text, image, copyright. A date after the capture is none; a file was \
captured when it was last changed.

Kinds of links: anchor (for a reader to follow), text (an address in the text), image, media, script, style, frame, form, \
relation (<link> and its rel), refresh. Links are absolute; a file without --url, --list or <base> has no relative ones. \
Positions of links and quotes are character indices into text, from 0.

A collection alone has its columns computed once and kept, only what is missing: --columns says which (`tamis query --columns` \
lists them). Run again after a kill, it goes on. tsv (the columns of the reference) and parquet are for archives and collections.

Exit code 1 if no page has text.

Examples:
  tamis clean crawl.warc.gz --format jsonl -o pages.jsonl
  tamis clean https://example.org/ crawl.warc.gz
  tamis clean page.html --url https://example.org/page.html --format jsonl --links --quotes
  tamis clean eclipse --columns light,html
  tamis clean <(curl -s https://example.org/) --url https://example.org/")]
pub struct Args {
    /// Archives, HTML files, folders, quoted globs, lists of paths (@list.txt), - for stdin; and URLs to take out of archives
    #[arg(value_name = "INPUT", required_unless_present = "list")]
    inputs: Vec<OsString>,
    /// Read the names of HTML files from FILE, a line each, a tab and the address behind them; `-` is stdin
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    #[command(flatten)]
    jobs: JobsArgs,
    /// How to print pages [default: text; of a collection nothing is printed, and columns are computed and kept]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The columns to keep in a collection: names with commas between them, light, words or all [default: light]
    #[arg(long, value_name = "LIST")]
    columns: Option<String>,
    /// Say what would be computed for a collection, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// The address of an HTML file: its links and its metadata are read by it
    #[arg(long, value_name = "URL", conflicts_with = "list")]
    url: Option<Url>,
    /// Mend text that was read in a wrong charset by earlier software
    #[arg(long)]
    repair: bool,
    #[command(flatten)]
    wanted: Wanted,
    /// Read at most SIZE of each page; larger pages are cut, marked and reported
    #[arg(long, value_name = "SIZE", default_value = "64MiB")]
    max_size: HumanSize,
    #[command(flatten)]
    output: OutputArgs,
}

/// A form to print pages in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The main text, for people
    Text,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values with the columns of jsonl
    Csv,
    /// Tab-separated, with the columns of the reference in its order
    Tsv,
    /// A Parquet file
    Parquet,
    /// Article lines: text in tokens, with the places of links and quotes
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
            _ => Err(anyhow!("columns are computed for one collection at a time")).hint("name it alone"),
        }
    }

    /// What was asked for and cannot be.
    fn refuse_misfits(&self, sorted: &Sorted) -> anyhow::Result<()> {
        let has_archives = sorted.members.len() > sorted.page_files;
        if !has_archives && let Some(bare) = sorted.bare.first() {
            return Err(anyhow!(
                "{bare} is no file, and there is no archive to look for it in as an address"
            ))
            .hint("name the archives behind it");
        }
        if !sorted.urls.is_empty() && !has_archives {
            return Err(anyhow!("a URL, but no archive to look for it in"))
                .hint("name the archives behind it");
        }
        if self.url.is_some() && sorted.page_files != 1 {
            return Err(anyhow!("--url is the URL of one HTML file, but there are {}", sorted.page_files))
                .hint("give each its address with --list");
        }
        if self.format() == Format::Text && self.wanted.needs_rows() {
            return Err(anyhow!("text has no place for links and quotes")).hint("add --format jsonl");
        }
        if !sorted.articles.is_empty() && matches!(self.format(), Format::Csv | Format::Tsv | Format::Parquet)
        {
            return Err(anyhow!("article lines have no columns")).hint("use --format jsonl, text or article");
        }
        Ok(())
    }

    /// How pages are read.
    fn context(&self) -> Context {
        Context { repair: self.repair, limits: Limits { page_bytes: self.max_size.0 }, ..Context::default() }
    }
}
