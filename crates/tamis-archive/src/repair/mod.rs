//! A sound archive out of a damaged one.
//!
//! Every record that is whole is kept, byte by byte if nothing is wrong with its head. What is wrong with a head is
//! mended where that invents nothing, and what is taken out stays beside it in fields that begin with
//! `Tamis-Original-`; a value that is only written in another form is replaced. A record whose bytes are missing or in doubt is left out, unless it is to be kept with a mark.
//! `docs/formats/warc.md` has the tables.

mod head;
mod judge;

use std::io::Write;

use crate::convert::{LineRecord, MEMORY_LIMIT, write_line_record};
use crate::write::{RecordId, Spool, Writer};
use crate::{Error, FaultKind, MemberState, Record, Result, Verifier, Version};

use head::{Needs, mend_head};
use judge::{Judgement, judge};

/// What to do with records whose bytes are missing or in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Damaged {
    /// Leave them out.
    #[default]
    LeaveOut,
    /// Keep what is there of them, with `WARC-Truncated: unspecified` and digests of what is there.
    Keep,
}

/// Copies records to a writer, mended where they need it.
///
/// Memory: 16 MiB of a block beside the writer's own; what is longer goes through a temporary file.
pub struct Repairer {
    damaged: Damaged,
    verifier: Verifier,
    block: Spool,
}

/// What became of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// Where the record begins in the file that is repaired.
    pub offset: u64,
    /// What was done.
    pub fate: Fate,
    /// How many records came of it: none, one, or two of the head of an ARC file.
    pub records: u64,
    /// Rules that its head still breaks, because mending them would mean inventing something.
    pub remaining: Vec<FaultKind>,
    /// Whether the compressed members that held it are sound.
    pub member: MemberState,
}

/// What was done with a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It was copied byte by byte.
    Copied,
    /// All its bytes are there; its head, or what closes it, was mended in these respects.
    Mended(Vec<&'static str>),
    /// Bytes are missing or in doubt, for this reason; it was kept and marked.
    Kept(&'static str),
    /// Bytes are missing or in doubt, for this reason; it was left out.
    LeftOut(&'static str),
}

impl Repairer {
    /// A repairer that does this with what cannot be mended.
    pub fn new(damaged: Damaged) -> Self {
        Self { damaged, verifier: Verifier::default(), block: Spool::new(MEMORY_LIMIT, None) }
    }

    /// Reads a record to its end and writes it, if it is to be kept.
    ///
    /// The writer's `link_warcinfo` should be off: the record before may be written by another writer.
    pub fn repair<W: Write>(&mut self, mut record: Record<'_>, writer: &mut Writer<W>) -> Result<Repaired> {
        self.block.clear();
        let digests = self.verifier.copy(&mut record, &mut self.block)?;
        let member = digests.end.member;
        let judgement =
            judge(record.head, digests, &mut self.block).map_err(Error::io(record.body.path()))?;
        if let (Some(why), Damaged::LeaveOut) = (judgement.damage, self.damaged) {
            let offset = record.offset();
            let fate = Fate::LeftOut(why);
            return Ok(Repaired { offset, fate, records: 0, remaining: Vec::new(), member });
        }
        let repaired = match record.head.version() {
            Version::Arc1 | Version::Arc2 | Version::Warc(0, 9) => self.map(&record, &judgement, writer),
            Version::Warc(..) | Version::Unknown => self.mend(&record, judgement, writer),
        };
        Ok(Repaired { member, ..repaired? })
    }

    fn mend<W: Write>(
        &mut self,
        record: &Record<'_>,
        judgement: Judgement,
        writer: &mut Writer<W>,
    ) -> Result<Repaired> {
        let offset = record.offset();
        let Judgement { damage, kinds: others, digests } = judgement;
        let first = self.block.first(256).map_err(Error::io("-"))?;
        let needs = Needs {
            block_len: self.block.len(),
            digests: &digests,
            is_truncated: damage.is_some(),
            id: RecordId::from_facts([&offset.to_le_bytes(), record.head.raw(), &first]),
        };
        let mended = mend_head(record.head, &needs, &first);
        writer.write_raw_spooled(&mended.raw, &mut self.block)?;
        let mut kinds = mended.kinds;
        kinds.extend(others);
        let fate = match damage {
            Some(why) => Fate::Kept(why),
            None if kinds.is_empty() => Fate::Copied,
            None => Fate::Mended(kinds),
        };
        Ok(Repaired { offset, fate, records: 1, remaining: mended.remaining, member: MemberState::Sound })
    }

    fn map<W: Write>(
        &mut self,
        record: &Record<'_>,
        judgement: &Judgement,
        writer: &mut Writer<W>,
    ) -> Result<Repaired> {
        let offset = record.offset();
        let mapped = LineRecord::of(record.head, offset, &mut self.block)?;
        let written = match mapped {
            Ok(mapped) => {
                let mapped = if judgement.damage.is_some() { mapped.truncated() } else { mapped };
                write_line_record(writer, &mapped, &mut self.block)?
            }
            Err(why) => Err(why),
        };
        let records = written.unwrap_or(0);
        let fate = match (written, judgement.damage) {
            (Err(why), _) => Fate::LeftOut(why),
            (Ok(_), Some(why)) => Fate::Kept(why),
            (Ok(_), None) => Fate::Mended(vec!["line-head"]),
        };
        Ok(Repaired { offset, fate, records, remaining: Vec::new(), member: MemberState::Sound })
    }
}

#[cfg(test)]
mod tests;
