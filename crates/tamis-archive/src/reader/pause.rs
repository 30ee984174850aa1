//! How far a reader goes at a stretch.
//!
//! What is made of records takes memory while it waits for its turn, so it is made in batches. Stored bytes do not
//! bound one: a few of them may inflate to millions of tiny records.

use super::{Core, Reader};

/// What a record counts beside its bytes: as much as is commonly made of it, however small it is.
const RECORD: u64 = 4 << 10;

/// So many faults end a batch. It may hold some more: those up to the next record.
const FAULTS: u64 = 10_000;

/// Where the reader gives no more records until it is told to read on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pause {
    /// When so much more is decoded.
    decoded_left: u64,
    /// When so many faults are met.
    fault_end: u64,
}

impl Pause {
    /// Reads to the end.
    pub(super) const NEVER: Self = Self { decoded_left: u64::MAX, fault_end: u64::MAX };

    /// Counts decoded bytes.
    pub(super) fn spend(&mut self, decoded: u64) {
        self.decoded_left = self.decoded_left.saturating_sub(decoded);
    }

    /// Counts a record and its head.
    pub(super) fn spend_record(&mut self, head_len: usize) {
        self.spend(RECORD + head_len as u64);
    }
}

impl Reader {
    /// Makes the reader pause: [`Reader::next`] gives none once so many more bytes are decoded, until this is called again.
    /// A record counts as 4 KiB more than it has.
    pub(crate) fn read_on(&mut self, decoded_bytes: u64) {
        let fault_end = self.fault_count().saturating_add(FAULTS);
        self.core.pause = Pause { decoded_left: decoded_bytes, fault_end };
    }
}

impl Core {
    pub(super) fn is_pause_due(&self) -> bool {
        self.pause.decoded_left == 0 || self.members.faults.count() >= self.pause.fault_end
    }
}
