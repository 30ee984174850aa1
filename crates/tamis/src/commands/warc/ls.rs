//! `tamis warc ls`: a line for each record.

use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Seek, Write};
use std::num::NonZeroU64;

use clap::ValueEnum;
use serde::Serialize;
use tamis_archive::http::HttpHead;
use tamis_archive::{Error, Part, Record, Source, Timestamp};
use tempfile::SpooledTempFile;

use super::filter::RecordFilter;
use super::printable::{cut, printable};
use crate::archives::{ArchiveArgs, Enough, Tally};
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::outcome::Outcome;
use crate::output::{Content as Kind, Output, OutputArgs};
use crate::palette::paint;
use crate::progress::Work;
use crate::session::Session;
use crate::summary::Summary;
use tamis_archive::Content;

/// Lines of a piece that wait for their turn are kept in memory up to this size, and behind it on the disk. A real piece
/// has less; one made of tiny records, compressed a thousandfold, may have gigabytes.
const WAITING_BYTES: usize = 4 << 20;
/// A line is written in some twenty steps, each of which would be a call to the system once the lines are on the disk.
const BUFFER_BYTES: usize = 64 << 10;

/// The arguments of `tamis warc ls`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Columns: offset of the record in the file, stored length, type, date, \
HTTP status, media type of the payload, block size, URL. tsv and jsonl add the file \
name, jsonl also the record ID. A record that shares its compressed member with others has no stored \
length.

Exit code 1 if no record was listed.")]
pub(super) struct Args {
    #[command(flatten)]
    archives: ArchiveArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Stop after N records
    #[arg(long, value_name = "N")]
    limit: Option<NonZeroU64>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    filter: RecordFilter,
}

/// A form to print records in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Aligned columns
    Text,
    /// Tab-separated values with a header line
    Tsv,
    /// One JSON object per line
    Jsonl,
}

/// One record of the list.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    offset: u64,
    length: Option<u64>,
    #[serde(rename = "type")]
    record_type: &'a str,
    date: Option<String>,
    status: Option<u16>,
    mime: Option<&'a str>,
    size: u64,
    url: Option<&'a str>,
    id: Option<&'a str>,
}

/// The lines of one piece.
struct Lines {
    text: BufWriter<SpooledTempFile>,
    count: u64,
}

/// Prints the lines of the pieces, in order.
struct Printed<'a, 'p> {
    args: &'a Args,
    output: Output<'p>,
    /// Whether each file is headed by its name.
    names_files: bool,
    file: Option<Source>,
    count: u64,
}

/// Lists records.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let archives = args.archives.open(session)?;
    let output = args.output.open(&session.printer, Kind::Text)?;
    let work = Work {
        verb: "listing",
        item: "record",
        total_bytes: archives.total_bytes(),
        data_on_stdout: output.is_stdout(),
    };
    let names_files = args.format == Format::Text && archives.sources.len() > 1;
    let mut printed = Printed { args, output, names_files, file: None, count: 0 };
    printed.header(session)?;
    let tally = archives.read(
        session,
        work,
        |mut part, lines| args.list(&mut part, lines),
        |source, lines| printed.take(source, lines),
    )?;
    printed.finish(session, &tally)
}

impl Default for Lines {
    fn default() -> Self {
        let text = BufWriter::with_capacity(BUFFER_BYTES, SpooledTempFile::new(WAITING_BYTES));
        Self { text, count: 0 }
    }
}

impl Args {
    fn list(&self, part: &mut Part<'_>, lines: &mut Lines) -> tamis_archive::Result<()> {
        let mut http = HttpHead::default();
        let file = part.source.name().to_string_lossy().into_owned();
        while let Some(mut record) = part.reader.next()? {
            let Some(content) = self.filter.take(&mut record, &mut http)? else { continue };
            self.line(&file, record, &content, lines)?;
            if self.limit.is_some_and(|limit| lines.count == limit.get()) {
                break;
            }
        }
        Ok(())
    }

    fn line(
        &self,
        file: &str,
        record: Record<'_>,
        content: &Content,
        lines: &mut Lines,
    ) -> tamis_archive::Result<()> {
        let (head, offset) = (record.head, record.offset());
        let end = record.finish()?;
        let (url, id) = (head.target_uri(), head.record_id());
        let date = match head.date() {
            Some(date) if self.format == Format::Text => Some(in_seconds(date)),
            Some(date) => Some(date.to_string()),
            None => None,
        };
        let row = Row {
            file,
            offset,
            length: end.stored_len,
            record_type: head.record_type().name(),
            date,
            status: content.status,
            mime: content.mime.as_deref(),
            size: end.block_len,
            url: url.as_deref(),
            id: id.as_deref(),
        };
        lines.count += 1;
        row.write(self.format, &mut lines.text).map_err(Error::io(std::env::temp_dir()))
    }
}

impl Row<'_> {
    fn write(&self, format: Format, out: &mut impl Write) -> io::Result<()> {
        match format {
            Format::Text => self.write_text(out),
            Format::Tsv => self.write_tsv(out),
            Format::Jsonl => {
                serde_json::to_writer(&mut *out, self)?;
                out.write_all(b"\n")
            }
        }
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let size = |bytes: u64| HumanSize(bytes).to_string();
        writeln!(
            out,
            "{:>10} {:>7} {:<8} {:<20} {:>3} {:<18} {:>7} {}",
            self.offset,
            self.length.map_or_else(|| "-".into(), size),
            self.record_type,
            self.date.as_deref().unwrap_or("-"),
            self.status.map_or_else(|| "-".into(), |status| format!("{status:03}")),
            cut(&printable(self.mime.unwrap_or("-")), 18),
            size(self.size),
            printable(self.url.unwrap_or("-")),
        )
    }

    fn write_tsv(&self, out: &mut impl Write) -> io::Result<()> {
        let number = |number: Option<u64>| number.map(|n| n.to_string()).unwrap_or_default();
        let values = [
            printable(self.file),
            self.offset.to_string().into(),
            number(self.length).into(),
            self.record_type.into(),
            self.date.as_deref().unwrap_or_default().into(),
            number(self.status.map(u64::from)).into(),
            printable(self.mime.unwrap_or_default()),
            self.size.to_string().into(),
            printable(self.url.unwrap_or_default()),
        ];
        writeln!(out, "{}", values.join("\t"))
    }
}

impl Printed<'_, '_> {
    fn header(&mut self, session: &Session) -> io::Result<()> {
        let is_seen = self.output.is_stdout() && io::stdout().is_terminal();
        match self.args.format {
            Format::Text if is_seen => {
                let names = format!(
                    "{:>10} {:>7} {:<8} {:<20} {:>3} {:<18} {:>7} {}",
                    "OFFSET", "STORED", "TYPE", "DATE", "ST", "MIME", "BLOCK", "URL"
                );
                writeln!(self.output, "{}", paint(session.printer.out_palette().heading, names))
            }
            Format::Tsv => {
                self.output.write_all(b"file\toffset\tlength\ttype\tdate\tstatus\tmime\tsize\turl\n")
            }
            Format::Text | Format::Jsonl => Ok(()),
        }
    }

    /// Prints the lines of a piece, as far as the limit lets it.
    fn take(&mut self, source: &Source, lines: Lines) -> anyhow::Result<()> {
        let left = self.args.limit.map_or(u64::MAX, |limit| limit.get() - self.count);
        if lines.count > 0 && self.names_files && self.file.as_ref() != Some(source) {
            let line_between = if self.file.is_some() { "\n" } else { "" };
            writeln!(self.output, "{line_between}{}:", printable(&source.name().to_string_lossy()))?;
            self.file = Some(source.clone());
        }
        let mut text = lines.text.into_inner().map_err(io::IntoInnerError::into_error)?;
        text.rewind()?;
        let mut text = BufReader::with_capacity(BUFFER_BYTES, text);
        if lines.count <= left {
            io::copy(&mut text, &mut self.output)?;
        } else {
            for line in text.split(b'\n').take(left as usize) {
                self.output.write_all(&line?)?;
                self.output.write_all(b"\n")?;
            }
        }
        self.count += lines.count.min(left);
        if lines.count >= left { Err(Enough.into()) } else { Ok(()) }
    }

    fn finish(self, session: &Session, tally: &Tally) -> anyhow::Result<Outcome> {
        let (to_file, place) = (!self.output.is_stdout(), self.output.to_string());
        self.output.finish()?;
        if to_file {
            let mut summary = Summary::default();
            summary.wrote(HumanCount::of(self.count, "record")).went_to(place);
            session.printer.summary(&summary);
        }
        let found = if self.count == 0 { Outcome::Negative } else { Outcome::Done };
        Ok(found.and(tally.outcome()))
    }
}

/// A date in a column: to the second, unless it is written shorter.
fn in_seconds(date: Timestamp) -> String {
    if date.nanos() == 0 { date.to_string() } else { date.to_seconds().to_string() }
}
