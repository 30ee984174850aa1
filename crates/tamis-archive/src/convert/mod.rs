//! Records from one archive to another: as they are, under another version, or out of ARC and WARC 0.9; and pages as WET.
//!
//! What is sound is copied byte by byte, head and block; the record's end is always CRLF CRLF. What is damaged is left
//! out, for [`repair`](crate::repair) to look at. Digests are not verified: the bytes that a record has are those it
//! keeps.

mod decode;
mod escape;
mod line_head;
mod version;
mod wet;

use std::io::Write;

use crate::write::{Spool, WarcVersion, Writer};
use crate::{Error, Head, Record, Result, Version};

use decode::Decoded;
pub use decode::{Decode, Payloads};
pub(crate) use escape::{escaped_bytes, escaped_uri, printable};
pub use line_head::ORIGINAL_HEAD;
pub(crate) use line_head::{LineRecord, write_line_record};
pub use wet::WetWriter;

/// Blocks up to this size stay in memory, longer ones go through a temporary file.
pub(crate) const MEMORY_LIMIT: usize = 16 << 20;

/// Copies records to a writer, one after another.
///
/// Memory: 16 MiB of a block beside the writer's own; what is longer goes through a temporary file.
pub struct Converter {
    version: Option<WarcVersion>,
    decode: Option<Decode>,
    block: Spool,
    /// What became of codings that were to be undone.
    codings: Codings,
}

/// Records by what became of their codings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Codings {
    /// They were undone.
    pub undone: u64,
    /// The body does not decode to its end: the record is as it was.
    pub undecodable: u64,
    /// Revisits whose payload was not among the archives: they are as they were.
    pub orphans: u64,
}

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Converted {
    /// It was copied byte by byte.
    Copied,
    /// It has another version line.
    Relabelled {
        /// How many of its dates had to be written with whole seconds.
        dates: u32,
    },
    /// It was a line of words and is a head of named fields now.
    Mapped {
        /// How many records came of it: two of the head of an ARC file, one of any other.
        records: u64,
    },
    /// It is not in the output, for this reason.
    LeftOut(&'static str),
}

impl Converter {
    /// Writes all records as of this version; without one each keeps its own, and ARC becomes WARC 1.1.
    pub fn new(version: Option<WarcVersion>) -> Self {
        Self { version, decode: None, block: Spool::new(MEMORY_LIMIT, None), codings: Codings::default() }
    }

    /// Also undoes codings of bodies.
    #[must_use]
    pub fn decoding(self, decode: Decode) -> Self {
        Self { decode: Some(decode), ..self }
    }

    /// What became of codings so far.
    pub fn codings(&self) -> Codings {
        self.codings
    }

    /// Reads a record to its end and writes it.
    ///
    /// The writer's version should be that of the converter, and its `link_warcinfo` off: the record before may be
    /// written by another writer.
    pub fn convert<W: Write>(&mut self, record: Record<'_>, writer: &mut Writer<W>) -> Result<Converted> {
        let (offset, head) = (record.offset(), record.head);
        let mut record = record;
        let filled = self.block.fill(&mut record.body, |_| ());
        filled.map_err(Error::io(record.body.path()))?;
        if record.finish()?.is_damaged {
            return Ok(Converted::LeftOut("damaged"));
        }
        if needs_mapping(head, self.version) {
            let mapped = match LineRecord::of(head, offset, &mut self.block)? {
                Ok(mapped) => write_line_record(writer, &mapped, &mut self.block)?,
                Err(why) => Err(why),
            };
            return Ok(match mapped {
                Ok(records) => Converted::Mapped { records },
                Err(why) => Converted::LeftOut(why),
            });
        }
        let decoded = match &self.decode {
            Some(decode) => decode.decode(head, &mut self.block).map_err(Error::io(std::env::temp_dir()))?,
            None => Decoded::AsItIs,
        };
        let changed = match decoded {
            Decoded::Changed { head: raw, block } => {
                self.codings.undone += 1;
                self.block = block;
                let mut changed = Head { raw, ..Head::default() };
                changed.parse_warc(&mut |_| ());
                Some(changed)
            }
            Decoded::AsItIs => None,
            Decoded::Undecodable => {
                self.codings.undecodable += 1;
                None
            }
            Decoded::Orphan => {
                self.codings.orphans += 1;
                None
            }
        };
        let head = changed.as_ref().unwrap_or(head);
        let relabelled = self.version.and_then(|version| version::relabelled(head, version));
        let raw = relabelled.as_ref().map_or(head.raw(), |(changed, _)| changed);
        writer.write_raw_spooled(raw, &mut self.block)?;
        Ok(relabelled.map_or(Converted::Copied, |(_, dates)| Converted::Relabelled { dates }))
    }
}

/// ARC has no place in a WARC file; a head of WARC 0.9 may stay as it is.
fn needs_mapping(head: &Head, version: Option<WarcVersion>) -> bool {
    match head.version() {
        Version::Arc1 | Version::Arc2 => true,
        Version::Warc(0, 9) => version.is_some(),
        Version::Warc(..) | Version::Unknown => false,
    }
}

#[cfg(test)]
mod tests;
