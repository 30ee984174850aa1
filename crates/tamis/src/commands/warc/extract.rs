//! `tamis warc extract`: payloads as files in a folder.
//!
//! Threads read pieces of the archives and write each payload under a passing name while they decode it; names are given
//! here, in the order of the records, so that they are the same for any number of threads. Memory: that of the readers, and
//! some 200 bytes a payload of the pieces at hand.

mod extension;
mod folder;
mod names;
mod place;

use std::io::{self, Read, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tamis_archive::http::{BodyEnd, DecodeLimits, HttpHead};
use tamis_archive::{Error, Part, Record, RecordType, Source};
use tempfile::TempPath;

use super::filter::RecordFilter;
use super::transfer::{by_side, copy};
use crate::archives::{ArchiveArgs, Enough, Tally};
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::interrupt;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::progress::Work;
use crate::session::Session;
use crate::summary::Summary;
use folder::Folder;
use names::Names;
use place::Place;
use tamis_archive::{Content, Payload};

const MANIFEST: &str = "extracted.jsonl";

/// The arguments of `tamis warc extract`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Payloads are the decoded bodies of responses, and the blocks of resource and \
conversion records; --type selects others. A payload is written to HOST/PATH, with an extension for its media type if the URL \
has none, and its query after an `@`. Characters that some file systems do not allow are written as %XX. A second \
capture of a URL gets its time in its name.

extracted.jsonl in the folder has one line per file: url, date, file, status, mime, bytes, end, source, offset. \
`end` is `complete`, `truncated` or `corrupt` if the body cannot be decoded to its end, or `damaged` if \
the record has lost bytes; such payloads are written up to the damage. \
A payload that decodes to more than --max-size, or to a thousand times its stored size, is skipped and reported, and \
the exit code is 2. Exit code 1 if nothing was extracted.

After an interruption, run the same command again: it replaces the content of the folder.")]
pub(super) struct Args {
    #[command(flatten)]
    archives: ArchiveArgs,
    /// Output folder, which must be new or empty
    #[arg(short, long, value_name = "DIR", required_unless_present = "dry_run")]
    output: Option<PathBuf>,
    /// Write no files; print the lines of extracted.jsonl instead
    #[arg(long)]
    dry_run: bool,
    /// Write to a folder that is not empty, replacing existing files
    #[arg(long)]
    force: bool,
    /// Maximum payload size; larger payloads are skipped
    #[arg(long, value_name = "SIZE", default_value = "1GiB")]
    max_size: HumanSize,
    /// Stop after N payloads
    #[arg(long, value_name = "N")]
    limit: Option<NonZeroU64>,
    #[command(flatten)]
    filter: RecordFilter,
}

/// A line of the manifest.
#[derive(Debug, Serialize)]
struct Row {
    url: String,
    date: Option<String>,
    file: String,
    status: Option<u16>,
    mime: Option<String>,
    bytes: u64,
    end: &'static str,
    source: String,
    offset: u64,
}

/// A payload that waits for its name.
struct Waiting {
    row: Row,
    /// The time of the capture in digits.
    digits: String,
    /// Its bytes, unless nothing is to be written.
    file: Option<TempPath>,
}

/// What became of a record that was to be taken.
enum Extracted {
    Payload(Waiting),
    Left(&'static str),
    TooLarge(String),
}

/// What became of some records.
#[derive(Default)]
struct Extraction {
    list: Vec<Extracted>,
    /// Why no more could be written.
    failure: Option<anyhow::Error>,
}

/// The payloads as they get their names.
struct Collected<'a, 'p> {
    args: &'a Args,
    session: &'p Session,
    folder: Option<&'a Folder>,
    manifest: Output<'p>,
    names: Names,
    summary: Summary,
    files: u64,
    bytes: u64,
    /// Payloads that could not be taken or written.
    lost: u64,
}

/// Writes payloads into a folder.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let archives = args.archives.open(session)?;
    if archives.sources.is_empty() {
        return Ok(Outcome::Skipped);
    }
    let folder = match &args.output {
        Some(root) if !args.dry_run => {
            if folder::is_begun(root) {
                let root = root.display();
                session
                    .printer
                    .say(format_args!("{root} has the output of an unfinished run; extracting again"));
            }
            Some(Folder::open(root, args.force)?)
        }
        _ => None,
    };
    let manifest = match &folder {
        Some(folder) => Output::create(&folder.join(MANIFEST), args.force || folder.is_ours())?,
        None => Output::stdout(&session.printer),
    };
    let data_on_stdout = folder.is_none();
    let work =
        Work { verb: "extracting", item: "record", total_bytes: archives.total_bytes(), data_on_stdout };
    let mut collected = Collected {
        args,
        session,
        folder: folder.as_ref(),
        manifest,
        names: Names::with(MANIFEST),
        summary: Summary::default(),
        files: 0,
        bytes: 0,
        lost: 0,
    };
    let read = |mut part: Part<'_>, piece: &mut Extraction| {
        piece.failure = by_side(args.extract(&mut part, folder.as_ref(), &mut piece.list))?.err();
        Ok(())
    };
    let tally = archives.read(session, work, read, |_: &Source, piece| {
        collected.take(piece.list)?;
        piece.failure.map_or(Ok(()), Err)
    });
    // What was extracted until an error has its lines, too.
    collected.finish(tally)
}

impl Args {
    fn extract(
        &self,
        part: &mut Part<'_>,
        folder: Option<&Folder>,
        extracted: &mut Vec<Extracted>,
    ) -> anyhow::Result<()> {
        let mut payloads = 0;
        let mut http = HttpHead::default();
        let source = part.source.name().to_string_lossy().into_owned();
        while let Some(mut record) = part.reader.next()? {
            if self.filter.takes_all_types() && !record.head.record_type().is_capture() {
                continue;
            }
            let Some(content) = self.filter.take(&mut record, &mut http)? else { continue };
            let one = self.payload(&source, record, &content, &mut http, folder)?;
            payloads += u64::from(matches!(one, Extracted::Payload(_)));
            extracted.push(one);
            if self.limit.is_some_and(|limit| payloads == limit.get()) {
                break;
            }
            interrupt::check()?;
        }
        Ok(())
    }

    fn payload(
        &self,
        source: &str,
        mut record: Record<'_>,
        content: &Content,
        http: &mut HttpHead,
        folder: Option<&Folder>,
    ) -> anyhow::Result<Extracted> {
        let (head, offset) = (record.head, record.offset());
        let Some(url) = head.target_uri() else { return Ok(Extracted::Left("without a URL")) };
        if head.record_type() == RecordType::Revisit {
            return Ok(Extracted::Left("revisit"));
        }
        let path = record.body.path().to_owned();
        let limits = DecodeLimits { max_output_bytes: self.max_size.0, ..DecodeLimits::default() };
        let payload = Payload::of(content, &mut record.body, http, limits).map_err(Error::io(&path))?;
        // A block needs no decoding, but is held to the same size.
        let mut payload = payload.take(self.max_size.0.saturating_add(1));
        let (file, bytes) = write(&mut payload, &path, folder)?;
        let end = payload.get_ref().outcome().map_or(BodyEnd::Complete, |outcome| outcome.end);
        if end == BodyEnd::Limit || bytes > self.max_size.0 {
            return Ok(Extracted::TooLarge(format!("{source}: offset {offset}")));
        }
        if bytes == 0 {
            return Ok(Extracted::Left("empty"));
        }
        let end = match end {
            BodyEnd::Corrupt => "corrupt",
            BodyEnd::Truncated => "truncated",
            _ if record.finish()?.is_damaged => "damaged",
            _ => "complete",
        };
        let date = head.date();
        let row = Row {
            url: url.into_owned(),
            date: date.map(|date| date.to_string()),
            file: String::new(),
            status: content.status,
            mime: content.mime.clone(),
            bytes,
            end,
            source: source.to_owned(),
            offset,
        };
        let digits = date.map_or_else(|| "undated".into(), |date| date.digits());
        Ok(Extracted::Payload(Waiting { row, digits, file }))
    }
}

impl Collected<'_, '_> {
    fn take(&mut self, piece: Vec<Extracted>) -> anyhow::Result<()> {
        for extracted in piece {
            match extracted {
                Extracted::Payload(waiting) => self.keep(waiting)?,
                Extracted::Left(why) => drop(self.summary.dropped(why, 1)),
                Extracted::TooLarge(place) => {
                    self.lost += 1;
                    self.summary.dropped("too large", 1);
                    self.session.printer.warn(format_args!("{place}: the payload is too large; skipped"));
                }
            }
            if self.args.limit.is_some_and(|limit| self.files == limit.get()) {
                return Err(Enough.into());
            }
        }
        Ok(())
    }

    /// Gives a payload its name and its line.
    fn keep(&mut self, waiting: Waiting) -> anyhow::Result<()> {
        let Waiting { mut row, digits, file } = waiting;
        let path = self.names.take(&Place::of(&row.url, row.mime.as_deref()), &digits);
        if let (Some(folder), Some(file)) = (self.folder, file)
            && let Err(error) = folder.keep(file, &path)
        {
            self.lost += 1;
            self.summary.dropped("not writable", 1);
            self.session.printer.error(&error);
            return Ok(());
        }
        row.file = path;
        self.files += 1;
        self.bytes += row.bytes;
        serde_json::to_writer(&mut self.manifest, &row).map_err(io::Error::from)?;
        Ok(self.manifest.write_all(b"\n")?)
    }

    fn finish(mut self, tally: anyhow::Result<Tally>) -> anyhow::Result<Outcome> {
        self.manifest.finish()?;
        let tally = tally?;
        let files = HumanCount::of(tally.files, "archive");
        self.summary.read(format_args!("{files}, {}", HumanSize(tally.bytes)));
        self.summary.wrote(format_args!("{}, {}", HumanCount::of(self.files, "file"), HumanSize(self.bytes)));
        if let Some(folder) = self.folder {
            folder.finish()?;
            self.summary.went_to(folder.join("").display());
        }
        self.session.printer.summary(&self.summary);
        let found = if self.files == 0 { Outcome::Negative } else { Outcome::Done };
        Ok(found.and(Outcome::of_skipped(self.lost)).and(tally.outcome()))
    }
}

/// Writes a payload under a passing name, or counts its bytes alone.
fn write(
    payload: &mut impl Read,
    path: &Path,
    folder: Option<&Folder>,
) -> anyhow::Result<(Option<TempPath>, u64)> {
    let Some(folder) = folder else { return Ok((None, copy(payload, path, &mut io::sink())?)) };
    let mut file = folder.file()?;
    let bytes = copy(payload, path, &mut file)?;
    Ok((Some(file.into_temp_path()), bytes))
}
