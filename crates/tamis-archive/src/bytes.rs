//! Stores of bytes that are not plain files: packs, and whatever else can be read by range.

use std::ops::Range;
use std::sync::Arc;
use std::{error, fmt, io};

/// The first bytes of a pack. Its format is known above this crate; a stream of one is refused here.
pub const PACK_MAGIC: [u8; 14] = *b"\x93tamis\rpack\n\x1a\0";

/// The bytes of an archive, readable at any offset.
pub trait Bytes: Send + Sync {
    /// How many there are.
    fn len(&self) -> u64;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads some bytes from an offset on; none at the end. Where bytes are damaged the error is a [`Hole`]
    /// ([`Hole::into_error`]): the bytes after it can still be read.
    fn read_at(&self, offset: u64, room: &mut [u8]) -> io::Result<usize>;

    /// A handle for one reader, if the store keeps state for each of them.
    fn for_reader(self: Arc<Self>) -> Arc<dyn Bytes>;

    /// Damage that no hole shows: nothing is lost by it, or bytes are missing at the end. A reader of the whole archive reports
    /// it once, as a fault.
    fn damage(&self) -> Option<&str> {
        None
    }

    /// Where the record that begins at an offset ends, if the store knows that the end of a compressed member cuts it short: the
    /// line ends before that place belong to its block.
    fn cut_end(&self, _record: u64) -> Option<u64> {
        None
    }

    /// Where the first record at or after an offset begins, if the store knows without reading: the length of the archive if
    /// there is none.
    fn first_record(&self, _from: u64) -> Option<u64> {
        None
    }

    /// The records whose URL keys ([`surt`](crate::surt())) are in a range, if the store has an index of them. It may name a few
    /// others, so the caller compares the key of each record.
    fn records_of(&self, _keys: Range<&[u8]>) -> Option<KeyedRecords<'_>> {
        None
    }

    /// Where the records begin that were at an offset of the file that the store was made of, as an index of that file states
    /// it. None if the store was not made of a file, or does not know.
    fn records_at_original(&self, _offset: u64) -> Option<io::Result<Vec<u64>>> {
        None
    }
}

/// What a store knows about the records of a range of keys.
pub struct KeyedRecords<'s> {
    /// Where each record begins, in the order of the keys. After an error the next records follow, but some are missing.
    pub offsets: Box<dyn Iterator<Item = io::Result<u64>> + 's>,
    /// The bytes that the index does not cover. Only reading them shows whether they hold records.
    pub unindexed: Range<u64>,
}

/// Bytes of an archive that cannot be read, since the part of the store that holds them is damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hole {
    /// Where the archive goes on.
    pub end: u64,
    /// Which part of the file it is, where, and what is wrong with it.
    pub what: String,
}

impl Hole {
    /// The hole as an error of [`Bytes::read_at`].
    pub fn into_error(self) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, self)
    }

    /// The hole that an error carries.
    pub(crate) fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for Hole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl error::Error for Hole {}

/// Refuses a stream of a format that needs random access.
pub(crate) fn refuse_stream(start: &[u8]) -> io::Result<()> {
    if start.starts_with(&PACK_MAGIC) {
        return Err(io::Error::new(io::ErrorKind::Unsupported, "a pack must be a regular file"));
    }
    Ok(())
}
