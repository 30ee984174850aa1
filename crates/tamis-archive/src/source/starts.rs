//! Where records begin in an archive, for readers of its ranges that cannot find out by themselves.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::Source;
use crate::{Mode, Result, Standing};

/// Answers are kept this many stored bytes apart, at least.
const STEP: u64 = 64 << 10;

/// Where records begin in an archive, found by following them from its start.
///
/// Ranges are asked for in any order and by several threads. The archive is followed once, as far as the last range that was
/// asked for; a question about what lies before costs at most [`STEP`] bytes. Memory: some 50 bytes for each [`STEP`] of the
/// archive. No file stays open.
#[derive(Default)]
pub(super) struct Starts(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// Where the first record at or after an offset begins.
    first: BTreeMap<u64, Standing>,
}

impl Starts {
    /// Where the first record at or after an offset begins; the end of the archive if there is none.
    pub(super) fn first_at(&self, from: u64, source: &Source) -> Result<Standing> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = known.first.range(..=from).next_back();
        let (asked, before) = before.map_or((0, Standing::default()), |(&asked, &before)| (asked, before));
        if before.offset() >= from {
            return Ok(before);
        }
        let mut reader = source.open(Mode::Lenient)?;
        if before.offset() == 0 {
            reader.enter_range(0..from)?;
        } else {
            reader.enter_range_at(before, from)?;
        }
        while reader.next()?.is_some() {
            // Faults belong to the readers of the ranges.
            reader.take_faults();
        }
        let found = reader.standing();
        if found.offset() >= asked.saturating_add(STEP) {
            known.first.insert(from, found);
        }
        Ok(found)
    }
}
