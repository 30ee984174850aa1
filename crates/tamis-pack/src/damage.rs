//! What is wrong with a pack, and where.

use std::fmt;
use std::ops::Range;

use super::ChunkKind;

/// A part of a pack that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// What it is.
    pub part: Part,
    /// Where it is in the pack.
    pub offset: u64,
    /// How many bytes it has.
    pub len: u64,
    /// The records that it holds, by their places in the pack, where that is known.
    pub records: Option<Range<u64>>,
    /// Whether everything can be read in spite of it: a second copy, or other pieces, have the same.
    pub is_mended: bool,
}

/// A part of a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The magic and the version.
    Header,
    /// What says where the root is.
    Footer,
    /// A chunk, by its kind and number.
    Chunk(ChunkKind, u64),
    /// Bytes that belong to no chunk.
    Between,
    /// Bytes that were inserted somewhere before the offset.
    Inserted,
    /// Bytes that are missing somewhere before the offset.
    Missing,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            Part::Header => write!(f, "header")?,
            Part::Footer => write!(f, "footer")?,
            Part::Chunk(kind, number) => write!(f, "{} {number}", kind.name())?,
            Part::Between => write!(f, "bytes outside any chunk")?,
            Part::Inserted => return write!(f, "{} bytes inserted before offset {}", self.len, self.offset),
            Part::Missing => return write!(f, "{} bytes missing before offset {}", self.len, self.offset),
        }
        write!(f, " at offset {}: damaged", self.offset)?;
        match &self.records {
            Some(records) if records.end > records.start + 1 => {
                write!(f, " (records {} to {} of the pack)", records.start, records.end - 1)?;
            }
            Some(records) if records.end > records.start => {
                write!(f, " (record {} of the pack)", records.start)?;
            }
            _ => {}
        }
        if self.is_mended {
            write!(f, ", but nothing is lost")?;
        }
        Ok(())
    }
}
