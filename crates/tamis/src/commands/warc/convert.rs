//! `tamis warc convert`: archives in another compression, version or format.

use std::collections::BTreeMap;
use std::sync::Arc;

use clap::ValueEnum;
use tamis_archive::convert::{Codings, Converted, Converter, Decode, Payloads};
use tamis_archive::http::Coding;
use tamis_archive::write::{Spool, WarcVersion, Writer};
use tamis_archive::{Mode, Reader, Source};

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

--decode (or --decode=zstd) stores response bodies without their content coding, for programs that cannot decode it: pywb and warcio do not know \
zstd. As at Common Crawl, Content-Encoding, Transfer-Encoding and the old Content-Length are kept as X-Crawl-… headers; Content-Length, \
WARC-Block-Digest and WARC-Payload-Digest describe what is stored. A revisit states the new payload digest if its payload is among the \
inputs, which are read twice for this. Other revisits, and bodies that cannot be decoded, are kept unchanged and counted (exit code 2).

Damaged records are reported, counted and left out, and the exit code is 2: `tamis warc repair` recovers what it \
can of them. For an input without any record, nothing is written.

Examples:
  tamis warc convert crawl.warc.gz -o crawl.warc.zst --dictionary train
  tamis warc convert old/*.arc.gz -o new/ --to gz
  tamis warc convert crawl/archive/*.warc.gz -o replay/ --decode=zstd
  tamis warc convert a.warc.gz b.warc.gz -o both.warc.gz")]
pub(super) struct Args {
    #[command(flatten)]
    archives: ArchiveArgs,
    #[command(flatten)]
    rewrite: RewriteArgs,
    /// WARC version to write: 1.0, 1.1, or keep
    #[arg(long, value_enum, default_value_t, hide_possible_values = true, value_name = "VERSION")]
    warc_version: VersionChoice,
    /// Store bodies without their codings: all, or those of responses with one of these (zstd, br, gzip, deflate, chunked)
    #[arg(long, value_name = "CODING,…", num_args = 0..=1, require_equals = true, default_missing_value = "all", value_delimiter = ',')]
    decode: Option<Vec<CodingChoice>>,
}

/// A coding on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CodingChoice {
    All,
    Zstd,
    Br,
    Gzip,
    Deflate,
    Chunked,
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
    codings: Codings,
}

/// Converts archives.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let archives = args.archives.open(session)?;
    let version = args.warc_version.version();
    let decode = args.decode.as_deref().map(|choice| decode(choice, &archives.sources));
    let mut counts = Counts::default();
    let rewritten = args.rewrite.rewrite(
        archives,
        session,
        &How { verb: "converting", version: version.unwrap_or_default(), ending: "" },
        |reader, writer, counts| convert_piece(reader, writer, version, decode.as_ref(), counts),
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
    let left_out =
        counts.left_out.values().sum::<u64>() + counts.codings.undecodable + counts.codings.orphans;
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
    decode: Option<&Decode>,
    counts: &mut Counts,
) -> tamis_archive::Result<()> {
    let mut converter = Converter::new(version);
    if let Some(decode) = decode {
        converter = converter.decoding(decode.clone());
    }
    while let Some(record) = reader.next()? {
        let fate = converter.convert(record, writer)?;
        counts.count(fate);
    }
    counts.codings = converter.codings();
    Ok(())
}

/// Which codings are undone. What revisits refer to is looked up in all archives first; standard input cannot be read twice.
fn decode(choice: &[CodingChoice], sources: &[Source]) -> Decode {
    let coding = |choice: &CodingChoice| match choice {
        CodingChoice::All => None,
        CodingChoice::Zstd => Some(Coding::Zstd),
        CodingChoice::Br => Some(Coding::Br),
        CodingChoice::Gzip => Some(Coding::Gzip),
        CodingChoice::Deflate => Some(Coding::Deflate),
        CodingChoice::Chunked => Some(Coding::Chunked),
    };
    let codings = choice.iter().map(coding).collect::<Option<Vec<_>>>().unwrap_or_default();
    let mut payloads = Payloads::default();
    let files = || sources.iter().filter(|source| !source.is_stdin());
    // What is wrong with an archive is told when it is converted.
    for source in files() {
        let _ = source.open(Mode::Lenient).and_then(|mut reader| payloads.want(&mut reader));
    }
    for source in files().filter(|_| !payloads.is_empty()).collect::<Vec<_>>() {
        let _ = source.open(Mode::Lenient).and_then(|mut reader| payloads.find(&mut reader, &codings));
    }
    Decode { codings, payloads: Arc::new(payloads) }
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
        self.codings.undone += other.codings.undone;
        self.codings.undecodable += other.codings.undecodable;
        self.codings.orphans += other.codings.orphans;
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
        say(self.codings.undone, "record", "without codings");
        say(self.codings.undecodable, "record", "left as they are, since their bodies do not decode");
        say(self.codings.orphans, "revisit", "left as they are, since their payloads are not in the inputs");
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
