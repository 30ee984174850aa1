//! `tamis clean`: pages of archives and HTML files as text or rows.
//!
//! Threads read and clean, results come in the order of the inputs. Memory: for each thread one page of at most `--max-size`
//! with its tree (some ten times the page), and the rows of the pieces at hand.

mod files;
mod input;
mod row;

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::anyhow;
use clap::ValueEnum;
use tamis_archive::http::{BodyEnd, DecodeLimits, HttpHead};
use tamis_archive::surt;
use tamis_archive::{Error, Part, Record, RecordType};
use tamis_text::metadata::Date;
use tamis_text::page::{self, Capture, Options};
use tamis_text::status::Origin;
use url::Url;

use crate::archives::Archives;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::jobs::JobsArgs;
use crate::outcome::Outcome;
use crate::output::{Content as Kind, Output, OutputArgs};
use crate::progress::Work;
use crate::session::Session;
use crate::summary::Summary;
use input::Sorted;
use row::{Row, Wanted};
use tamis_archive::{Content, Payload};

/// The arguments of `tamis clean`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
An input is an archive (WARC, ARC, WACZ), an HTML file, gzipped or not, or a folder of them; what it is shows in its first \
bytes. A URL among the inputs takes only its captures out of the archives.

text is the main text of each page, with a line of its URL or file, its title and date before it. jsonl has a row a page: \
file, url, time, status_code, mime_type, charset and the rule that chose it, damage, title, author, publisher, date and the \
rule that found it, modified, site_name, organization, language, description, keywords, canonical_url, image, domain_name, \
domain_location, text. Every capture of an archive has its row: pages that are no HTML have code 1001 and no text, \
status codes other than 200 are 0XXX, HTML without text is 2000, sound pages of archives 3200 and of files 0200.

Positions of links and quotes are character indices into text, from 0.

Exit code 1 if there was no page.

Examples:
  tamis clean crawl.warc.gz --format jsonl -o pages.jsonl
  tamis clean https://example.org/ crawl.warc.gz
  tamis clean page.html --url https://example.org/page.html --format jsonl --links --quotes")]
pub struct Args {
    /// Archives, HTML files, folders, quoted globs, lists of paths (@list.txt), - for stdin; and URLs to take out of archives
    #[arg(value_name = "INPUT", required_unless_present = "list")]
    inputs: Vec<OsString>,
    /// Read the names of HTML files from FILE, a line each, a tab and the address behind them; `-` is stdin
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    #[command(flatten)]
    jobs: JobsArgs,
    /// How to print pages
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The address of an HTML file: its links and its metadata are read by it
    #[arg(long, value_name = "URL", conflicts_with = "list")]
    url: Option<Url>,
    /// Mend text that was read in a wrong charset by earlier software
    #[arg(long)]
    repair: bool,
    #[command(flatten)]
    wanted: Wanted,
    /// Leave out larger pages
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
    /// A JSON object a line
    Jsonl,
}

/// What some pages gave.
#[derive(Default)]
struct Cleaned {
    lines: Vec<u8>,
    pages: u64,
    /// Pages without text, which text has nothing to show of.
    without_text: u64,
    too_large: Vec<String>,
    /// Files that end early, and why.
    cut: Vec<String>,
}

/// Cleans pages.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let sorted = Sorted::of(args, session)?;
    args.refuse_misfits(&sorted)?;
    let mut printed = Printed {
        session,
        output: args.output.open(&session.printer, Kind::Text)?,
        summary: Summary::default(),
        pages: 0,
        lost: 0,
    };
    files::clean(args, &sorted.files, session, &mut printed)?;
    let mut outcome = Outcome::of_skipped(sorted.skipped);
    if !sorted.archives.is_empty() {
        outcome = outcome.and(clean_archives(args, sorted, session, &mut printed)?);
    }
    printed.finish().map(|own| own.and(outcome))
}

fn clean_archives(
    args: &Args,
    sorted: Sorted,
    session: &Session,
    printed: &mut Printed<'_>,
) -> anyhow::Result<Outcome> {
    let keys: Vec<String> = sorted.urls.iter().map(|url| surt(url.as_str())).collect();
    let archives = Archives::of(sorted.archives, args.jobs.count(&session.config));
    let work = Work {
        verb: "cleaning",
        item: "record",
        total_bytes: archives.total_bytes(),
        data_on_stdout: printed.output.is_stdout(),
    };
    let read = |mut part: Part<'_>, cleaned: &mut Cleaned| args.clean_part(&mut part, &keys, cleaned);
    let tally = archives.read(session, work, read, |_, cleaned| printed.take(&cleaned))?;
    if printed.pages == 0 && !sorted.urls.is_empty() {
        let urls: Vec<_> = sorted.urls.iter().map(Url::as_str).collect();
        session.printer.warn(format_args!("no page at {}", urls.join(", ")));
    }
    Ok(tally.outcome())
}

impl Args {
    /// What was asked for and cannot be.
    fn refuse_misfits(&self, sorted: &Sorted) -> anyhow::Result<()> {
        if !sorted.urls.is_empty() && sorted.archives.is_empty() {
            return Err(anyhow!("a URL, but no archive to look for it in"))
                .hint("name the archives behind it");
        }
        if self.url.is_some() && sorted.files.len() != 1 {
            return Err(anyhow!(
                "--url is the address of one HTML file, but there are {}",
                sorted.files.len()
            ))
            .hint("give each its address with --list");
        }
        if self.format == Format::Text && self.wanted.needs_rows() {
            return Err(anyhow!("text has no place for links and quotes")).hint("add --format jsonl");
        }
        Ok(())
    }

    fn options(&self) -> Options {
        Options { repair: self.repair, full_text: self.wanted.full_text }
    }

    fn clean_part(
        &self,
        part: &mut Part<'_>,
        keys: &[String],
        cleaned: &mut Cleaned,
    ) -> tamis_archive::Result<()> {
        let mut http = HttpHead::default();
        let file = part.source.name().to_string_lossy().into_owned();
        while let Some(record) = part.reader.next()? {
            let is_capture = matches!(record.head.record_type(), RecordType::Response | RecordType::Resource);
            let is_asked =
                || record.head.target_uri().is_some_and(|url| keys.contains(&surt(url.as_bytes())));
            if is_capture && (keys.is_empty() || is_asked()) {
                self.clean_record(&file, record, &mut http, cleaned)?;
            }
        }
        Ok(())
    }

    fn clean_record(
        &self,
        file: &str,
        mut record: Record<'_>,
        http: &mut HttpHead,
        cleaned: &mut Cleaned,
    ) -> tamis_archive::Result<()> {
        let (head, offset) = (record.head, record.offset());
        let path = record.body.path().to_owned();
        let content = Content::of(head, &mut record.body, http).map_err(Error::io(&path))?;
        let fields = if content.is_http { http.fields() } else { head.fields() };
        let content_type = fields.text("Content-Type");
        let content_type = content_type.map(std::borrow::Cow::into_owned);
        let mut bytes = Vec::new();
        let limits = DecodeLimits { max_output_bytes: self.max_size.0, ..DecodeLimits::default() };
        let payload = Payload::of(&content, &mut record.body, http, limits).map_err(Error::io(&path))?;
        let mut payload = payload.take(self.max_size.0.saturating_add(1));
        payload.read_to_end(&mut bytes).map_err(Error::io(&path))?;
        let is_cut = payload.get_ref().outcome().is_some_and(|outcome| outcome.end == BodyEnd::Limit);
        if is_cut || bytes.len() as u64 > self.max_size.0 {
            cleaned.too_large.push(format!("{file}: offset {offset}"));
            return Ok(());
        }
        let end = payload.get_ref().outcome().map_or(BodyEnd::Complete, |outcome| outcome.end);
        let is_cut = matches!(end, BodyEnd::Truncated | BodyEnd::Corrupt) || record.finish()?.is_damaged;
        let time = head.date();
        let url_text = head.target_uri();
        let url = url_text.as_deref().and_then(|url| Url::parse(url).ok());
        let capture = Capture {
            bytes: &bytes,
            content_type: content_type.as_deref(),
            http_status: content.status,
            url: url.as_ref(),
            fetched: time.and_then(|time| {
                Date::from_unix_days((time.unix_seconds().div_euclid(86_400)).try_into().ok()?)
            }),
            origin: Origin::Archived,
        };
        let page = page::read(&capture, self.options());
        let row = Row {
            file,
            offset: Some(offset),
            url: url_text.as_deref(),
            time: time.map(|time| time.to_string()),
            mime: content_type.as_deref(),
            is_cut,
            page: &page,
        };
        self.write(&row, cleaned);
        Ok(())
    }

    /// Adds a page's row or text.
    fn write(&self, row: &Row<'_>, cleaned: &mut Cleaned) {
        cleaned.pages += u64::from(self.format == Format::Jsonl || !row.page.content.main.text.is_empty());
        match self.format {
            Format::Jsonl => row.write_json(&self.wanted, &mut cleaned.lines),
            Format::Text if row.page.content.main.text.is_empty() => cleaned.without_text += 1,
            Format::Text => row.write_text(&self.wanted, &mut cleaned.lines),
        }
    }
}

/// The pages as they are printed, in order.
struct Printed<'p> {
    session: &'p Session,
    output: Output<'p>,
    summary: Summary,
    pages: u64,
    lost: u64,
}

impl Printed<'_> {
    fn take(&mut self, cleaned: &Cleaned) -> anyhow::Result<()> {
        self.output.write_all(&cleaned.lines)?;
        self.pages += cleaned.pages;
        self.lost += cleaned.too_large.len() as u64;
        self.summary.dropped("without text", cleaned.without_text);
        self.lost += cleaned.cut.len() as u64;
        for place in &cleaned.cut {
            self.session.printer.warn(format_args!("{place}; the page is taken as far as it goes"));
        }
        for place in &cleaned.too_large {
            self.summary.dropped("too large", 1);
            self.session.printer.warn(format_args!("{place}: the page is too large and left out"));
        }
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<Outcome> {
        self.output.finish()?;
        self.summary.wrote(HumanCount::of(self.pages, "page"));
        self.session.printer.summary(&self.summary);
        let outcome = if self.pages == 0 { Outcome::Negative } else { Outcome::Done };
        Ok(outcome.and(Outcome::of_skipped(self.lost)))
    }
}

/// A URL among the inputs.
fn as_url(argument: &str) -> Option<Url> {
    (argument.starts_with("http://") || argument.starts_with("https://"))
        .then(|| Url::from_str(argument).ok())
        .flatten()
}
