//! `tamis warc cat`: records as they stand, or parts of them.

use std::io::{self, IsTerminal, Read, Write};
use std::num::NonZeroU64;

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use tamis_archive::http::{BodyEnd, DecodeLimits, HttpHead};
use tamis_archive::{Error, Record, Severity, Source, Version};

use super::content::{Content, Payload};
use super::filter::RecordFilter;
use super::printable::Tamed;
use super::transfer::copy;
use crate::archives::{ArchiveArgs, Archives, Enough};
use crate::hint::WithHint;
use crate::outcome::Outcome;
use crate::output::{Content as Kind, Output, OutputArgs};
use crate::progress::Work;
use crate::session::Session;

/// The arguments of `tamis warc cat`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A record is written uncompressed: its head as it stands, its block, and the line ends that close it. A body that \
does not decode to its end is written as far as it does; that is told, and the exit code is 2. On a terminal, control \
characters are shown as dots. Records stream through one thread whatever their size; -j changes nothing.

Exit code 1 if no record was written.")]
pub(super) struct Args {
    #[command(flatten)]
    archives: ArchiveArgs,
    /// Write the record at this offset of a single file, as `tamis warc ls` and indexes state it
    #[arg(long, value_name = "BYTES")]
    offset: Option<u64>,
    /// What to write of each record
    #[arg(long, value_enum, default_value_t = Part::Record)]
    part: Part,
    /// End behind N records [default with --offset: 1]
    #[arg(long, value_name = "N")]
    limit: Option<NonZeroU64>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    filter: RecordFilter,
}

/// A part of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// All of it
    Record,
    /// Its own head, with the empty line that ends it
    Head,
    /// What follows the head
    Block,
    /// The head of the HTTP message in the block; nothing where there is none
    HttpHead,
    /// The body of the message as it was sent, or a block that holds no message
    Body,
    /// The same with chunks joined and content codings undone
    Decoded,
}

/// Where the bytes go.
enum Target<'p> {
    Stream(Output<'p>),
    Terminal(Tamed<Output<'p>>),
}

/// What is written so far.
struct Writer<'a> {
    args: &'a Args,
    session: &'a Session,
    target: Target<'a>,
    http: HttpHead,
    records: u64,
    limit: u64,
    /// Bodies that did not decode to their end.
    cut: u64,
}

/// Writes out records.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let archives = args.archives.open(session)?;
    let output = args.output.open(&session.printer, Kind::Text)?;
    let is_terminal = output.is_stdout() && io::stdout().is_terminal();
    let target = if is_terminal { Target::Terminal(Tamed::new(output)) } else { Target::Stream(output) };
    let default_limit = if args.offset.is_some() { 1 } else { u64::MAX };
    let limit = args.limit.map_or(default_limit, NonZeroU64::get);
    let mut writer = Writer { args, session, target, http: HttpHead::default(), records: 0, limit, cut: 0 };
    let outcome = match args.offset {
        Some(offset) => writer.write_at(offset, &archives)?,
        None => writer.write_all(&archives)?,
    };
    let found = if writer.records == 0 { Outcome::Negative } else { Outcome::Done };
    let cut = Outcome::of_skipped(writer.cut);
    writer.target.finish()?;
    Ok(found.and(cut).and(outcome))
}

impl Writer<'_> {
    fn write_all(&mut self, archives: &Archives) -> anyhow::Result<Outcome> {
        let data_on_stdout = self.args.output.path().is_none();
        let work =
            Work { verb: "writing", item: "record", total_bytes: archives.total_bytes(), data_on_stdout };
        let tally = archives.read_in_turn(self.session, work, |record| self.take(record))?;
        Ok(tally.outcome())
    }

    /// Goes to one place of the only file.
    fn write_at(&mut self, offset: u64, archives: &Archives) -> anyhow::Result<Outcome> {
        if archives.sources.is_empty() {
            // What is not there was told when it was looked for.
            return Ok(Outcome::Skipped);
        }
        let [source @ (Source::File(_) | Source::Part { .. })] = &archives.sources[..] else {
            return Err(anyhow!("--offset needs a single file"))
                .hint("name one file; a stream has no random access");
        };
        let name = source.name().display().to_string();
        let mut reader = source.open(archives.mode())?;
        reader.seek(offset)?;
        let mut is_found = false;
        while let Some(record) = reader.next()? {
            is_found |= record.offset() == offset;
            if !is_found {
                break;
            }
            match self.take(record) {
                Err(error) if error.is::<Enough>() => break,
                taken => taken?,
            }
        }
        if !is_found {
            return Err(anyhow!("{name}: no record begins at offset {offset}"))
                .hint(format!("`tamis warc ls {name}` lists the offsets"));
        }
        let faults = reader.take_faults();
        let damage: Vec<_> = faults.iter().filter(|f| f.kind.severity() == Severity::Damage).collect();
        for fault in &damage {
            self.session.printer.warn(format_args!("{name}: {fault}"));
        }
        Ok(Outcome::of_skipped(damage.len() as u64))
    }

    /// Writes what is wanted of a record. [`Enough`] at the limit.
    fn take(&mut self, mut record: Record<'_>) -> anyhow::Result<()> {
        let Some(content) = self.args.filter.take(&mut record, &mut self.http)? else { return Ok(()) };
        let (name, offset) = (record.body.path().display().to_string(), record.offset());
        if let Some(why) = self.write(record, &content)? {
            self.cut += 1;
            self.session.printer.warn(format_args!("{name}: offset {offset}: {why}"));
        }
        self.records += 1;
        if self.records >= self.limit { Err(Enough.into()) } else { Ok(()) }
    }

    /// Writes a part of a record. Says what keeps a body from being decoded to its end.
    fn write(&mut self, record: Record<'_>, content: &Content) -> anyhow::Result<Option<&'static str>> {
        let closed_by: &[u8] = match record.head.version() {
            Version::Arc1 | Version::Arc2 => b"\n",
            _ => b"\r\n\r\n",
        };
        let (head, mut body) = record.into_parts();
        let path = body.path().to_owned();
        let head_len = if content.is_http { self.http.len_bytes() as u64 } else { 0 };
        let out = &mut self.target;
        match self.args.part {
            Part::Head => out.write_all(head.raw())?,
            Part::Record => {
                out.write_all(head.raw())?;
                copy(&mut body, &path, out)?;
                out.write_all(closed_by)?;
            }
            Part::Block => drop(copy(&mut body, &path, out)?),
            Part::HttpHead => drop(copy(&mut body.take(head_len), &path, out)?),
            Part::Body => {
                copy(&mut (&mut body).take(head_len), &path, &mut io::sink())?;
                copy(&mut body, &path, out)?;
            }
            Part::Decoded => {
                let payload = Payload::of(content, &mut body, &mut self.http, DecodeLimits::default());
                let mut payload = payload.map_err(Error::io(&path))?;
                copy(&mut payload, &path, out)?;
                return Ok(payload.outcome().and_then(|outcome| why_cut(outcome.end)));
            }
        }
        Ok(None)
    }
}

fn why_cut(end: BodyEnd) -> Option<&'static str> {
    match end {
        BodyEnd::Open | BodyEnd::Complete => None,
        BodyEnd::Truncated => Some("the body ends before its content coding does"),
        BodyEnd::Corrupt => Some("the body does not decode to its end"),
        BodyEnd::Limit => {
            Some("the body decodes to more than 1 GiB, or to 1000 times its size; the rest is left out")
        }
    }
}

impl Target<'_> {
    fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Stream(output) => output.finish(),
            Self::Terminal(mut tamed) => tamed.flush().context("cannot write to the terminal"),
        }
    }
}

impl Write for Target<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stream(output) => output.write(bytes),
            Self::Terminal(tamed) => tamed.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stream(output) => output.flush(),
            Self::Terminal(tamed) => tamed.flush(),
        }
    }
}
