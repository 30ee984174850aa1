//! `tamis warc cat`: records as they stand, or parts of them.

use std::num::NonZeroU64;

use anyhow::anyhow;
use tamis_archive::http::HttpHead;
use tamis_archive::{FaultKind, Record, Severity};

use super::filter::RecordFilter;
use super::part::{Part, PartWriter};
use crate::archives::{ArchiveArgs, Archives, Enough};
use crate::hint::WithHint;
use crate::outcome::Outcome;
use crate::output::OutputArgs;
use crate::progress::Work;
use crate::session::Session;

/// The arguments of `tamis warc cat`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Records are written uncompressed: header, block and the line ends that close them. If a body cannot be decoded to its end, the decoded \
beginning is written, the problem is reported, and the exit code is 2. On a terminal, control \
characters are shown as dots. Records are streamed by one thread, whatever their size; -j has no effect.

Exit code 1 if no record was written.")]
pub(super) struct Args {
    #[command(flatten)]
    archives: ArchiveArgs,
    /// Write the record at this offset of a single file; `tamis warc ls` and indexes list offsets
    #[arg(long, value_name = "BYTES")]
    offset: Option<u64>,
    /// Part of each record to write
    #[arg(long, value_enum, default_value_t = Part::Record)]
    part: Part,
    /// Stop after N records [default with --offset: 1]
    #[arg(long, value_name = "N")]
    limit: Option<NonZeroU64>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    filter: RecordFilter,
}

/// What is written so far.
struct Writer<'a> {
    args: &'a Args,
    session: &'a Session,
    target: PartWriter<'a>,
    http: HttpHead,
    records: u64,
    limit: u64,
    /// Bodies that did not decode to their end.
    cut: u64,
}

/// Writes out records.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let archives = args.archives.open(session)?;
    let target = PartWriter::open(args.part, &args.output, session)?;
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
        let single =
            archives.sources.first().filter(|source| archives.sources.len() == 1 && !source.is_stdin());
        let Some(source) = single else {
            return Err(anyhow!("--offset requires a single file"))
                .hint("give one file; a stream has no random access");
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
        let faults = reader.take_faults().list;
        let damage: Vec<_> = faults.iter().filter(|f| f.kind.severity() == Severity::Damage).collect();
        // Where a pack is damaged, a record may begin that cannot be read.
        let is_lost = damage.iter().any(|fault| matches!(fault.kind, FaultKind::HeldDamaged { .. }));
        if !is_found && !is_lost {
            return Err(anyhow!("{name}: no record begins at offset {offset}"))
                .hint(format!("`tamis warc ls {name}` lists the offsets"));
        }
        for fault in &damage {
            self.session.printer.warn(format_args!("{name}: {fault}"));
        }
        Ok(Outcome::of_skipped(damage.len() as u64))
    }

    /// Writes what is wanted of a record. [`Enough`] at the limit.
    fn take(&mut self, mut record: Record<'_>) -> anyhow::Result<()> {
        let Some(content) = self.args.filter.take(&mut record, &mut self.http)? else { return Ok(()) };
        let (name, offset) = (record.body.path().display().to_string(), record.offset());
        if let Some(why) = self.target.write(record, &content, &mut self.http)? {
            self.cut += 1;
            self.session.printer.warn(format_args!("{name}: offset {offset}: {why}"));
        }
        self.records += 1;
        if self.records >= self.limit { Err(Enough.into()) } else { Ok(()) }
    }
}
