//! `tamis warc convert`: archives in another compression, version or format.

use std::collections::BTreeMap;

use clap::ValueEnum;
use tamis_archive::Reader;
use tamis_archive::convert::{Converted, Converter};
use tamis_archive::write::{Spool, WarcVersion, Writer};

use super::rewrite::{How, RewriteArgs};
use crate::archives::ArchiveArgs;
use crate::human_count::HumanCount;
use crate::outcome::Outcome;
use crate::session::Session;

/// The arguments of `tamis warc convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Every byte of a record's header and block is preserved; each record is closed by CRLF CRLF and gets its own member \
or frame. An archive converted from gz to zst to plain and back has the same bytes. Digests are not \
verified: use `tamis warc check`.

--warc-version changes the version line. WARC 1.0 dates have whole seconds, so fractions are cut; nothing else \
changes. ARC is converted to WARC 1.1 (or 1.0), with the original header line in the field Tamis-Original-Head. WARC 0.9 is kept \
unless a version is given.

Damaged records are reported, counted and left out, and the exit code is 2: `tamis warc repair` recovers what it \
can of them. For an input without any record, nothing is written.

Examples:
  tamis warc convert crawl.warc.gz -o crawl.warc.zst --dictionary train
  tamis warc convert old/*.arc.gz -o new/ --to gz
  tamis warc convert a.warc.gz b.warc.gz -o both.warc.gz")]
pub(super) struct Args {
    #[command(flatten)]
    archives: ArchiveArgs,
    #[command(flatten)]
    rewrite: RewriteArgs,
    /// WARC version to write: 1.0, 1.1, or keep
    #[arg(long, value_enum, default_value_t, hide_possible_values = true, value_name = "VERSION")]
    warc_version: VersionChoice,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum VersionChoice {
    #[default]
    Keep,
    #[value(name = "1.0")]
    V1_0,
    #[value(name = "1.1")]
    V1_1,
}

/// What became of the records.
#[derive(Default)]
struct Counts {
    read: u64,
    written: u64,
    relabelled: u64,
    dates: u64,
    mapped: u64,
    left_out: BTreeMap<&'static str, u64>,
}

/// Converts archives.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let archives = args.archives.open(session)?;
    let version = args.warc_version.version();
    let mut counts = Counts::default();
    let rewritten = args.rewrite.rewrite(
        archives,
        session,
        &How { verb: "converting", version: version.unwrap_or_default(), ending: "" },
        |reader, writer, counts| convert_piece(reader, writer, version, counts),
        |_, piece, _| {
            counts.add(piece);
            Ok(())
        },
    )?;
    let mut summary = rewritten.summary(counts.read, counts.written);
    for (reason, count) in &counts.left_out {
        summary.dropped(reason, *count);
    }
    counts.say(session);
    let left_out: u64 = counts.left_out.values().sum();
    if counts.left_out.contains_key("damaged") {
        session.printer.say("hint: `tamis warc repair` recovers what it can of damaged records");
    }
    session.printer.summary(&summary);
    Ok(rewritten.tally.outcome().and(Outcome::of_skipped(left_out)))
}

fn convert_piece(
    reader: &mut Reader,
    writer: &mut Writer<Spool>,
    version: Option<WarcVersion>,
    counts: &mut Counts,
) -> tamis_archive::Result<()> {
    let mut converter = Converter::new(version);
    while let Some(record) = reader.next()? {
        let fate = converter.convert(record, writer)?;
        counts.count(fate);
    }
    Ok(())
}

impl Counts {
    fn count(&mut self, converted: Converted) {
        self.read += 1;
        match converted {
            Converted::Copied => self.written += 1,
            Converted::Relabelled { dates } => {
                self.written += 1;
                self.relabelled += 1;
                self.dates += u64::from(dates);
            }
            Converted::Mapped { records } => {
                self.written += records;
                self.mapped += 1;
            }
            Converted::LeftOut(why) => *self.left_out.entry(why).or_default() += 1,
        }
    }

    fn add(&mut self, other: Self) {
        self.read += other.read;
        self.written += other.written;
        self.relabelled += other.relabelled;
        self.dates += other.dates;
        self.mapped += other.mapped;
        for (why, count) in other.left_out {
            *self.left_out.entry(why).or_default() += count;
        }
    }

    /// What was changed, beside compression.
    fn say(&self, session: &Session) {
        let say = |count, noun, what| {
            if count > 0 {
                session.printer.say(format_args!("{} {what}", HumanCount::of(count, noun)));
            }
        };
        say(self.relabelled, "record", "with another version line");
        say(self.dates, "date", "written with whole seconds, as WARC 1.0 has them");
        say(self.mapped, "record", "converted from ARC header lines to named fields");
    }
}

impl VersionChoice {
    fn version(self) -> Option<WarcVersion> {
        match self {
            Self::Keep => None,
            Self::V1_0 => Some(WarcVersion::V1_0),
            Self::V1_1 => Some(WarcVersion::V1_1),
        }
    }
}
