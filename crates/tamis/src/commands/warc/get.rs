//! `tamis warc get`: the capture of a URL, by an index or by reading the archives.

use std::io::Write;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::ValueEnum;
use tamis_archive::captures::{Capture, Payload};
use tamis_archive::cdx::{MatchType, Query};
use tamis_archive::http::HttpHead;
use tamis_archive::{Content, Error, Record, Severity, Timestamp};

use super::part::{Part, PartWriter};
use crate::archives::ArchiveArgs;
use crate::commands::look_up::{LookUp, explain};
use crate::hint::WithHint;
use crate::interrupt;
use crate::outcome::Outcome;
use crate::output::OutputArgs;
use crate::session::Session;

/// The arguments of `tamis warc get`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "With --index, only the matching record is read. Packs and collections have their own indexes; \
other archives are read from start to end. An index finds records only in the archives given. \
URLs are compared by their keys: http and https, www. and letter case make no difference. For a revisit, the payload \
of the original record is written.\n\n--list prints CDXJ lines in index order, or with --at the nearest \
first; sorting takes 64 MiB of memory for any number of lines.\n\nExit code 1 if there is no such capture.\n\nExamples:\n  \
    tamis warc get http://example.com/ crawl.warc.gz --at 2014\n  \
    tamis warc get 'example.com/a*' --index crawl.cdxj crawl/ --list"
)]
pub(super) struct Args {
    /// URL to find; `*.example.com` matches a domain, `example.com/a*` a prefix
    #[arg(value_name = "URL")]
    url: String,
    #[command(flatten)]
    archives: ArchiveArgs,
    /// Search this CDX, CDXJ or ZipNum index (.idx)
    #[arg(long, value_name = "FILE")]
    index: Vec<PathBuf>,
    /// Capture nearest to this time [default: the newest]
    #[arg(long, value_name = "TIME")]
    at: Option<Timestamp>,
    /// Exclude captures before this time
    #[arg(long, value_name = "TIME")]
    since: Option<Timestamp>,
    /// Exclude captures after this time
    #[arg(long, value_name = "TIME")]
    until: Option<Timestamp>,
    /// How URLs are matched
    #[arg(long = "match", value_enum, value_name = "HOW")]
    match_type: Option<Match>,
    /// List the captures as CDXJ
    #[arg(long)]
    list: bool,
    /// Maximum number of captures to list
    #[arg(long, value_name = "N", requires = "list")]
    limit: Option<usize>,
    /// Part of the record to write
    #[arg(long, value_enum, default_value_t = Part::Decoded)]
    part: Part,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Match {
    Exact,
    Prefix,
    Host,
    Domain,
}

/// Gets a capture.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let options = args.archives.options(session);
    let look_up = LookUp::open(args.archives.inputs(), &args.index, options, session)?;
    if args.list {
        return list(&look_up, args, session);
    }
    let query = args.query();
    let (nearest, outcome) = look_up.ask(|captures, watch| captures.nearest(&query, watch))?;
    let outcome = outcome.and(look_up.found());
    let Some(capture) = nearest.capture else { return Ok(none(args, session).and(outcome)) };
    let others = nearest.count - 1;
    let timestamp = &capture.entry.timestamp;
    session.printer.note(format_args!("captured {timestamp} ({others} more; --list lists them)"));
    let (capture, resolved) = match args.part {
        Part::Body | Part::Decoded => with_payload(capture, &look_up, session)?,
        _ => (capture, Outcome::Done),
    };
    Ok(write(&capture, &look_up, args, session)?.and(resolved).and(outcome))
}

fn none(args: &Args, session: &Session) -> Outcome {
    session.printer.warn(format_args!("no capture of {}", args.url));
    Outcome::Negative
}

impl Args {
    fn query(&self) -> Query {
        let pattern = Query::pattern(&self.url);
        let match_type = match self.match_type {
            None => pattern.match_type,
            Some(Match::Exact) => MatchType::Exact,
            Some(Match::Prefix) => MatchType::Prefix,
            Some(Match::Host) => MatchType::Host,
            Some(Match::Domain) => MatchType::Domain,
        };
        Query { match_type, from: self.since, to: self.until, limit: self.limit, closest: self.at, ..pattern }
    }
}

fn list(look_up: &LookUp<'_>, args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let (mut listing, outcome) = look_up.ask(|captures, watch| captures.list(&args.query(), watch))?;
    let outcome = outcome.and(look_up.found());
    let mut next = listing.next_capture().map_err(|error| explain(error.into()))?;
    let listed = if next.is_none() {
        none(args, session)
    } else {
        let mut output = args.output.open(&session.printer, crate::output::Content::Text)?;
        while let Some(capture) = next {
            writeln!(output, "{}", capture.entry.to_cdxj())?;
            interrupt::check()?;
            next = listing.next_capture().map_err(|error| explain(error.into()))?;
        }
        output.finish()?;
        Outcome::Done
    };
    let ((), reported) = look_up.ask(|_, watch| listing.report(watch))?;
    Ok(listed.and(reported).and(outcome))
}

/// The capture whose record holds the payload of another.
fn with_payload(
    capture: Capture,
    look_up: &LookUp<'_>,
    session: &Session,
) -> anyhow::Result<(Capture, Outcome)> {
    let (payload, outcome) = look_up.ask(|captures, watch| captures.payload(&capture, watch))?;
    match payload {
        Payload::Own => Ok((capture, outcome)),
        Payload::Of(original) => {
            let timestamp = &original.entry.timestamp;
            session.printer.note(format_args!("a revisit: the payload is that of {timestamp}"));
            Ok((*original, outcome))
        }
        Payload::Missing(reference) => Err(anyhow!(
            "the capture of {} is a revisit of {}, which is not in the archives given",
            capture.entry.timestamp,
            reference.url
        ))
        .hint("add the archive with the original capture, or use `--part record`"),
    }
}

fn write(capture: &Capture, look_up: &LookUp<'_>, args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let write = |mut record: Record<'_>| {
        let mut http = HttpHead::default();
        let path = record.body.path().to_owned();
        let content = Content::of(record.head, &mut record.body, &mut http).map_err(Error::io(path))?;
        let mut writer = PartWriter::open(args.part, &args.output, session)?;
        let cut = writer.write(record, &content, &mut http)?;
        writer.finish()?;
        anyhow::Ok(cut)
    };
    let taken = look_up.captures().read(capture, write).map_err(explain)?;
    let name = taken.source.name().display().to_string();
    if let Some(why) = taken.value {
        session.printer.warn(format_args!("{name}: offset {}: {why}", taken.offset));
    }
    let faults = taken.faults.list;
    let damage: Vec<_> = faults.iter().filter(|f| f.kind.severity() == Severity::Damage).collect();
    for fault in &damage {
        session.printer.warn(format_args!("{name}: {fault}"));
    }
    Ok(Outcome::of_skipped(damage.len() as u64 + u64::from(taken.value.is_some())))
}
