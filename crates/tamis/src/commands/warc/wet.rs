//! `tamis warc wet`: the text of pages with its languages, as Common Crawl's WET files have it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use tamis_archive::cdx::{CdxEntry, SortOptions, Sorter};
use tamis_archive::convert::WetWriter;
use tamis_archive::http::HttpHead;
use tamis_archive::write::{Spool, WarcVersion, Writer};
use tamis_archive::{Content, Error, Fields, Reader, Record, RecordType, Timestamp};
use tamis_page::page::{self, Capture, Options};
use tamis_page::status::{Origin, Status};
use tamis_words::language::{Detect, Language};
use url::Url;

use super::rewrite::{At, How, RewriteArgs};
use crate::archives::ArchiveArgs;
use crate::commands::lang::{DetectorArgs, DetectorName};
use crate::commands::payload::{self, Payloaded};
use crate::human_size::HumanSize;
use crate::outcome::Outcome;
use crate::output::{self, Output};
use crate::session::Session;

/// A warcinfo record has some hundred bytes.
const MOST_INFO: u64 = 1 << 20;

/// The arguments of `tamis warc wet`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each HTML page with status 200 becomes a conversion record with all its visible text in UTF-8, and the detected languages \
in WARC-Identified-Content-Language. Record IDs are derived from those of the sources: the same input gives the same \
bytes. Each output file gets an index, NAME.cdxj, with the languages of each page.

Examples:
  tamis warc wet crawl.warc.gz -o crawl.warc.wet.gz
  tamis warc wet crawl/ -o wet/ --detector cld2")]
pub(super) struct Args {
    #[command(flatten)]
    archives: ArchiveArgs,
    #[command(flatten)]
    rewrite: RewriteArgs,
    /// Language detector [default: tamis]
    #[arg(long, value_enum)]
    detector: Option<DetectorName>,
    /// Do not write an index
    #[arg(long)]
    no_index: bool,
    /// Maximum page size; larger pages are skipped
    #[arg(long, value_name = "SIZE", default_value = "64 MB")]
    max_size: HumanSize,
}

/// What became of some records.
#[derive(Default)]
struct Made {
    read: u64,
    pages: Vec<CdxEntry>,
    records: u64,
    left_out: BTreeMap<&'static str, u64>,
}

/// Writes WET files.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let archives = args.archives.open(session)?;
    let detector = DetectorArgs::named(args.detector).choose()?.detector;
    let how = How { verb: "converting", version: WarcVersion::V1_0, ending: ".wet" };
    let mut all = Made::default();
    let mut index = Index::new(args.no_index || args.rewrite.is_dry_run(), args.rewrite.forces());
    let rewritten = args.rewrite.rewrite(
        archives,
        session,
        &how,
        |reader, writer, made| {
            Maker { detector: &*detector, most: args.max_size.0, made }.take_all(reader, writer)
        },
        |_, made, at| {
            all.read += made.read;
            all.records += made.records;
            for (why, count) in made.left_out {
                *all.left_out.entry(why).or_default() += count;
            }
            at.map_or(Ok(()), |at| index.add(made.pages, &at))
        },
    )?;
    let indexes = index.finish()?;
    let mut summary = rewritten.summary(all.read, all.records);
    for (why, count) in &all.left_out {
        summary.dropped(why, *count);
    }
    if let [one] = &*indexes {
        session.printer.say(format_args!("index: {}", one.display()));
    }
    session.printer.summary(&summary);
    Ok(rewritten.tally.outcome())
}

/// Makes records of records.
struct Maker<'a> {
    detector: &'a dyn Detect,
    most: u64,
    made: &'a mut Made,
}

impl Maker<'_> {
    fn take_all(&mut self, reader: &mut Reader, writer: &mut Writer<Spool>) -> tamis_archive::Result<()> {
        let mut http = HttpHead::default();
        let mut is_first = reader.position() == 0;
        while let Some(mut record) = reader.next()? {
            self.made.read += 1;
            let mut wet = WetWriter::new(writer, "");
            let is_info = record.head.record_type() == RecordType::Warcinfo;
            if is_info || std::mem::take(&mut is_first) {
                is_first = false;
                let fields = is_info.then(|| info_fields(&mut record)).transpose()?;
                let date = record
                    .head
                    .date()
                    .unwrap_or_else(|| Timestamp::from_unix(0, 0).expect("1970 can be written"));
                wet.write_warcinfo(date, fields.as_ref())?;
                self.made.records += 1;
                if is_info {
                    continue;
                }
            }
            match self.page(record, &mut http, &mut wet)? {
                Ok(entry) => {
                    self.made.pages.push(entry);
                    self.made.records += 1;
                }
                Err(why) => *self.made.left_out.entry(why).or_default() += 1,
            }
        }
        Ok(())
    }

    /// Writes a page, or says why it is none.
    fn page(
        &self,
        mut record: Record<'_>,
        http: &mut HttpHead,
        wet: &mut WetWriter<'_, Spool>,
    ) -> tamis_archive::Result<Result<CdxEntry, &'static str>> {
        let head = record.head;
        match head.record_type() {
            RecordType::Response | RecordType::Resource => {}
            RecordType::Conversion => return Ok(Err("already text")),
            RecordType::Revisit => return Ok(Err("revisits")),
            _ => return Ok(Err("not captures")),
        }
        let path = record.body.path().to_owned();
        let content = Content::of(head, &mut record.body, http).map_err(Error::io(&path))?;
        let content_type = if content.is_http {
            http.fields().text("Content-Type")
        } else {
            head.fields().text("ARC-Content-Type").or_else(|| head.fields().text("Content-Type"))
        };
        let content_type = content_type.map(std::borrow::Cow::into_owned);
        // What its head says is no page is not read.
        let mime = content_type.as_deref().unwrap_or("text/html");
        if !Status::new(content.status, mime, true, Origin::Archived).is_sound() {
            return Ok(Err("not pages"));
        }
        let payload = payload::read(&content, &mut record.body, http, self.most).map_err(Error::io(&path))?;
        let Some(Payloaded { bytes, is_cut }) = payload else { return Ok(Err("too large")) };
        if record.finish()?.is_damaged || is_cut {
            return Ok(Err("damaged"));
        }
        let url = head.target_uri().and_then(|url| Url::parse(&url).ok());
        let capture = Capture {
            bytes: &bytes,
            content_type: content_type.as_deref(),
            http_status: content.status,
            url: url.as_ref(),
            fetched: None,
            origin: Origin::Archived,
        };
        let opened = page::open(&capture, Options { full_text: true, ..Options::default() });
        if !opened.is_page() {
            return Ok(Err("not pages"));
        }
        let mut text = opened.parse().content(true).full.text;
        if text.is_empty() {
            return Ok(Err("without text"));
        }
        let answer = self.detector.detect(&text);
        text.push('\n');
        let codes: Vec<&str> = answer.languages.iter().map(Language::code).collect();
        match wet.write_page(head, &text, &codes) {
            Ok(entry) => Ok(Ok(entry)),
            Err(Error::Value { .. }) => Ok(Err("without URL or date")),
            Err(error) => Err(error),
        }
    }
}

/// What a warcinfo record says.
fn info_fields(record: &mut Record<'_>) -> tamis_archive::Result<Fields> {
    let path = record.body.path().to_owned();
    let mut block = Vec::new();
    record.body.append_to(&mut block, MOST_INFO).map_err(Error::io(&path))?;
    let mut fields = Fields::default();
    fields.parse(&block);
    Ok(fields)
}

/// The indexes of the files, each beside its file.
struct Index {
    is_off: bool,
    force: bool,
    current: Option<(String, Sorter)>,
    written: Vec<PathBuf>,
}

impl Index {
    fn new(is_off: bool, force: bool) -> Self {
        Self { is_off, force, current: None, written: Vec::new() }
    }

    /// Takes the pages of a piece, whose offsets are those in the piece.
    fn add(&mut self, pages: Vec<CdxEntry>, at: &At) -> anyhow::Result<()> {
        if self.is_off || at.file == "stdout" {
            return Ok(());
        }
        if self.current.as_ref().is_none_or(|(file, _)| *file != at.file) {
            self.close()?;
            output::place(&index_path(Path::new(&at.file)), self.force)?;
            let folder = output::folder_of(Path::new(&at.file)).to_owned();
            self.current = Some((at.file.clone(), Sorter::new(SortOptions::new(folder))));
        }
        let Some((_, sorter)) = &mut self.current else { return Ok(()) };
        let name = Path::new(&at.file).file_name().unwrap_or_default().to_string_lossy();
        for mut page in pages {
            page.offset += at.offset;
            page.filename = name.clone().into_owned();
            sorter.push(page.to_cdxj().as_bytes())?;
        }
        Ok(())
    }

    fn close(&mut self) -> anyhow::Result<()> {
        let Some((file, sorter)) = self.current.take() else { return Ok(()) };
        // A file whose source could not be read to its end is not there.
        if !Path::new(&file).exists() {
            return Ok(());
        }
        let path = index_path(Path::new(&file));
        let mut output = Output::create(&path, self.force)?;
        sorter.finish(&mut output).with_context(|| format!("cannot write {}", path.display()))?;
        output.finish()?;
        self.written.push(path);
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<Vec<PathBuf>> {
        self.close()?;
        Ok(self.written)
    }
}

/// `a.warc.wet.gz` has `a.warc.wet.gz.cdxj`: beside it may be `a.warc.wet`.
fn index_path(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".cdxj");
    name.into()
}
