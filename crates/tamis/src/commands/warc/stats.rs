//! `tamis warc stats`: what archives hold, in numbers.

mod counts;
mod gather;
mod report;

use std::io;

use clap::ValueEnum;
use tamis_archive::http::{BodyEnd, DecodeLimits, HttpHead, HttpQuirks};
use tamis_archive::{Error, Part, Record};

use super::filter::RecordFilter;
use crate::archives::ArchiveArgs;
use crate::outcome::Outcome;
use crate::output::{Content as Kind, OutputArgs};
use crate::palette::Palette;
use crate::progress::Work;
use crate::session::Session;
use counts::Count;
use gather::Stats;
use report::Report;
use tamis_archive::{Content, Payload};

/// The arguments of `tamis warc stats`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Statuses, media types, hosts and encodings are counted over response, revisit, resource and conversion records. \
`stored` is the size of records in the file, unless they share compressed members; for packs it is the unpacked size, \
since records share blocks. `unpacked` is the size of headers and blocks. Counts are exact, but \
only the first 100,000 hosts and the first 1,000 media types and other values are counted separately; the rest is counted as `others`.

Exit code 1 if no record was found.")]
pub(super) struct Args {
    #[command(flatten)]
    archives: ArchiveArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Show the N most frequent media types, hosts …; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Also decode bodies and count results, sizes and anomalies; slower
    #[arg(long)]
    decode: bool,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    filter: RecordFilter,
}

/// A form to print numbers in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Human-readable tables
    Text,
    /// One JSON object per line
    Jsonl,
}

/// Counts records.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let archives = args.archives.open(session)?;
    let work = Work {
        verb: "counting",
        item: "record",
        total_bytes: archives.total_bytes(),
        // All of it comes in the end.
        data_on_stdout: false,
    };
    let mut stats = Stats::bounded();
    let read = |mut part: Part<'_>, stats: &mut Stats| args.count(&mut part, stats);
    let tally = archives.read(session, work, read, |_, piece| {
        stats.merge(piece);
        Ok(())
    })?;
    let records = stats.total.records;
    let stored = if args.filter.is_empty() { tally.bytes } else { stats.total.stored };
    let top = if args.top == 0 { usize::MAX } else { args.top };
    if tally.files > 0 {
        let report = Report::new(stats, &tally, stored, top);
        let mut output = args.output.open(&session.printer, Kind::Text)?;
        let palette = if output.is_stdout() { *session.printer.out_palette() } else { Palette::default() };
        match args.format {
            Format::Text => report.write_text(&mut output, &palette)?,
            Format::Jsonl => report.write_jsonl(&mut output)?,
        }
        output.finish()?;
    }
    let found = if records == 0 { Outcome::Negative } else { Outcome::Done };
    Ok(found.and(tally.outcome()))
}

impl Args {
    fn count(&self, part: &mut Part<'_>, stats: &mut Stats) -> tamis_archive::Result<()> {
        let mut http = HttpHead::default();
        while let Some(mut record) = part.reader.next()? {
            let Some(content) = self.filter.take(&mut record, &mut http)? else { continue };
            let (head, codec) = (record.head, record.codec());
            let mut quirks = http.quirks();
            if self.decode && content.is_http {
                quirks = quirks.union(decode(&mut record, &content, &mut http, stats)?);
            }
            let end = record.finish()?;
            let count = Count {
                records: 1,
                stored: end.stored_len.unwrap_or(0),
                unpacked: head.raw().len() as u64 + end.block_len,
            };
            stats.shared += u64::from(end.stored_len.is_none());
            stats.damaged += u64::from(end.is_damaged);
            stats.add_quirks(quirks, count);
            stats.add(head, &content, &http, count);
            stats.codecs.add(codec.name(), count);
        }
        Ok(())
    }
}

/// Decodes a body and counts how it ends.
fn decode(
    record: &mut Record<'_>,
    content: &Content,
    http: &mut HttpHead,
    stats: &mut Stats,
) -> tamis_archive::Result<HttpQuirks> {
    let path = record.body.path().to_owned();
    let payload = Payload::of(content, &mut record.body, http, DecodeLimits::default());
    let mut payload = payload.map_err(Error::io(&path))?;
    io::copy(&mut payload, &mut io::sink()).map_err(Error::io(&path))?;
    let Some(outcome) = payload.outcome() else { return Ok(HttpQuirks::default()) };
    let end = match outcome.end {
        BodyEnd::Open | BodyEnd::Complete => "complete",
        BodyEnd::Truncated => "truncated",
        BodyEnd::Corrupt => "corrupt",
        BodyEnd::Limit => "over the limit",
    };
    stats.bodies.add(end, Count { records: 1, stored: outcome.raw_bytes, unpacked: outcome.output_bytes });
    Ok(outcome.quirks)
}
