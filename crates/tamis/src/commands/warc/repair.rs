//! `tamis warc repair`: a sound archive of what is whole in damaged ones.

use std::collections::BTreeMap;
use std::path::PathBuf;

use tamis_archive::repair::{Damaged, Fate, Repaired, Repairer};
use tamis_archive::write::{Spool, WarcVersion, Writer};
use tamis_archive::{MemberState, Reader, Severity, Source};

use super::rewrite::{How, RewriteArgs};
use crate::archives::{ArchiveArgs, Tally};
use crate::human_count::HumanCount;
use crate::outcome::Outcome;
use crate::printer::Verbosity;
use crate::session::Session;

/// The arguments of `tamis warc repair`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A record is intact if its member is not corrupt and its digest matches, or, if it has no digest, its length \
is right. Intact records are kept. Errors in their headers are fixed where nothing has to be invented: a wrong length, \
if the end of the block is known; LF instead of CRLF; missing ids; blanks in URLs; empty, repeated, \
misplaced or meaningless fields; wrong digests, if the checksum of a compressed member proves the bytes right. Values that were \
removed or rewritten (dates, URLs, ids, text, versions) are kept in fields named Tamis-Original-….

A record with missing or doubtful bytes is left out, and so are bytes between records. --keep-damaged keeps \
the remaining bytes of such a record, with correct length and block digest and WARC-Truncated: unspecified. ARC and WARC 0.9 \
are converted to WARC 1.1. The .open file of a crashed crawl can be repaired like any other.

Exit codes: 0 every record is in the output, 2 records or other bytes were left out, or an input could not be read.

Examples:
  tamis warc repair broken.warc.gz -o repaired.warc.gz
  tamis warc repair crawl/ -o repaired/ --keep-damaged
  tamis warc repair broken.warc.gz --dry-run -v")]
pub(super) struct Args {
    #[command(flatten)]
    archives: ArchiveArgs,
    #[command(flatten)]
    rewrite: RewriteArgs,
    /// Keep truncated and doubtful records, marked as such
    #[arg(long)]
    keep_damaged: bool,
}

/// What became of the records.
#[derive(Default)]
struct Counts {
    read: u64,
    written: u64,
    mended: u64,
    kept: u64,
    by_kind: BTreeMap<&'static str, u64>,
    left_out: BTreeMap<&'static str, u64>,
    remaining: BTreeMap<&'static str, u64>,
    /// Damaged members that gave a record.
    damaged_members: u64,
    /// The last of them: records that share a member share its offset.
    last_damaged: Option<(PathBuf, u64)>,
}

/// So many records of an archive that are left out are told one by one, unless all are asked for.
const TOLD: u64 = 10;

/// Repairs archives.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let archives = args.archives.open(session)?;
    let damaged = if args.keep_damaged { Damaged::Keep } else { Damaged::LeaveOut };
    let mut counts = Counts::default();
    let rewritten = args.rewrite.rewrite(
        archives,
        session,
        &How { verb: "repairing", version: WarcVersion::default(), ending: "" },
        |reader, writer, fates| repair_piece(reader, writer, damaged, fates),
        |source, piece, _| {
            for repaired in &piece {
                counts.count(source, repaired);
                counts.tell(source, repaired, session);
            }
            Ok(())
        },
    )?;
    let mut summary = rewritten.summary(counts.read, counts.written);
    for (reason, count) in &counts.left_out {
        summary.dropped(reason, *count);
    }
    counts.say(session);
    session.printer.summary(&summary);
    let lost = counts.lost_stretches(&rewritten.tally);
    let left_out: u64 = counts.left_out.values().sum();
    if left_out + lost > 0 {
        let records = (left_out > 0).then(|| format!("{} left out", HumanCount::of(left_out, "record")));
        let gaps = HumanCount::of(lost, "gap");
        let gaps = (lost > 0).then(|| format!("{gaps} without a readable record"));
        let lost: Vec<String> = records.into_iter().chain(gaps).collect();
        session.printer.warn(format_args!("not everything could be repaired: {}", lost.join(", ")));
    }
    Ok(Outcome::of_skipped(rewritten.tally.skipped + left_out + lost))
}

/// Repairs some records, and notes what became of each.
fn repair_piece(
    reader: &mut Reader,
    writer: &mut Writer<Spool>,
    damaged: Damaged,
    fates: &mut Vec<Repaired>,
) -> tamis_archive::Result<()> {
    let mut repairer = Repairer::new(damaged);
    while let Some(record) = reader.next()? {
        fates.push(repairer.repair(record, writer)?);
    }
    Ok(())
}

impl Counts {
    /// Damage to bytes of which no record came. What is wrong with a record, or with the member that holds it, is counted with
    /// the record.
    fn lost_stretches(&self, tally: &Tally) -> u64 {
        const OF_RECORDS: [&str; 3] = ["block-truncated", "block-overlong", "bad-content-length"];
        let of_records: u64 = OF_RECORDS.iter().map(|code| tally.faults.of_code(code)).sum();
        let damage = tally.faults.of_severity(Severity::Damage);
        damage.saturating_sub(of_records + self.damaged_members)
    }

    fn count(&mut self, source: &Source, repaired: &Repaired) {
        self.read += 1;
        if matches!(repaired.member, MemberState::Truncated | MemberState::Corrupt) {
            let member = Some((source.name(), repaired.offset));
            self.damaged_members += u64::from(self.last_damaged != member);
            self.last_damaged = member;
        }
        for kind in &repaired.remaining {
            *self.remaining.entry(kind.code()).or_default() += 1;
        }
        match &repaired.fate {
            Fate::LeftOut(why) => *self.left_out.entry(why).or_default() += 1,
            Fate::Copied => {}
            Fate::Mended(kinds) => {
                self.mended += 1;
                for kind in kinds {
                    *self.by_kind.entry(kind).or_default() += 1;
                }
            }
            Fate::Kept(_) => self.kept += 1,
        }
        self.written += repaired.records;
    }

    /// Says what was left out or kept with a mark, and with `-v` also what was mended.
    fn tell(&self, source: &Source, repaired: &Repaired, session: &Session) {
        let (name, offset) = (source.name(), repaired.offset);
        let say = |what: String| {
            session.printer.warn(format_args!("{}: offset {offset}: record {what}", name.display()));
        };
        let is_verbose = session.printer.verbosity() == Verbosity::Verbose;
        match &repaired.fate {
            Fate::LeftOut(why) if is_verbose || self.left_out.values().sum::<u64>() <= TOLD => {
                say(format!("left out: {why}"));
            }
            Fate::Kept(why) if is_verbose || self.kept <= TOLD => say(format!("kept, marked: {why}")),
            Fate::Mended(kinds) if is_verbose => say(format!("fixed: {}", kinds.join(", "))),
            _ => {}
        }
    }

    fn say(&self, session: &Session) {
        let list = |counts: &BTreeMap<&'static str, u64>| {
            let parts: Vec<String> =
                counts.iter().map(|(what, count)| format!("{} {what}", HumanCount(*count))).collect();
            parts.join(", ")
        };
        if self.mended > 0 {
            let records = HumanCount::of(self.mended, "record");
            session.printer.say(format_args!("{records} fixed: {}", list(&self.by_kind)));
        }
        if self.kept > 0 {
            let records = HumanCount::of(self.kept, "record");
            session.printer.say(format_args!("{records} kept and marked with WARC-Truncated: unspecified"));
        }
        if !self.remaining.is_empty() {
            let list = list(&self.remaining);
            session.printer.warn(format_args!(
                "the output still violates the standard where a fix would need invented values: {list}"
            ));
        }
    }
}
