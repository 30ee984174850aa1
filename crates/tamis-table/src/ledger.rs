//! The books of a scan: what was read of each file, so that no row is lost or doubled unseen.
//!
//! A file is read in ranges, on any thread and in any order. Each range's reader looks for its first record by itself, and
//! may be deceived by a page that holds an archive. So each enters where it began and where it ended; once all are
//! through, every range must begin where the one before ended, and all ranges together must be the file.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tamis_archive::{FaultCounts, Faults, Standing};

use crate::scan::kept::LostPart;

/// What was read of one range of a file.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// Where the range ends; `u64::MAX` for the last.
    pub end: u64,
    /// Where its first record was found.
    pub start_at: Standing,
    /// Where its reader stood at the end.
    pub end_at: Standing,
    /// Records of all kinds.
    pub records: u64,
    /// Records that are captures, before any filter.
    pub captures: u64,
    /// Rows that were handed on.
    pub rows: u64,
    /// Pages that were larger than the limit, and so are cut.
    pub oversized: u64,
    /// What was wrong with it.
    pub faults: Faults,
    /// Whether its captures are those of a kept part, which was made of exactly this range.
    pub is_kept: bool,
    /// How often the range was read.
    pub times: u64,
}

/// What was read of one file.
#[derive(Debug, Clone, Default)]
pub struct FileTally {
    /// Records of all kinds.
    pub records: u64,
    /// Records that are captures, before any filter.
    pub captures: u64,
    /// Rows that were handed on.
    pub rows: u64,
    /// What was wrong with the file, by kind.
    pub faults: FaultCounts,
}

/// What can be wrong with the books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Discrepancy {
    /// A range was not read.
    Missing {
        /// The file's place in the list.
        file: usize,
        /// Where the hole is.
        range: Range<u64>,
    },
    /// A range was read more than once.
    Doubled {
        /// The file's place in the list.
        file: usize,
        /// The range's start.
        start: u64,
    },
    /// A range did not begin where the one before ended.
    Parted {
        /// The file's place in the list.
        file: usize,
        /// The range's start.
        start: u64,
    },
}

impl Discrepancy {
    /// The same, of a file by another number.
    pub(crate) fn with_file(self, number: impl Fn(usize) -> usize) -> Self {
        match self {
            Discrepancy::Missing { file, range } => Discrepancy::Missing { file: number(file), range },
            Discrepancy::Doubled { file, start } => Discrepancy::Doubled { file: number(file), start },
            Discrepancy::Parted { file, start } => Discrepancy::Parted { file: number(file), start },
        }
    }
}

/// What an answer did not see of a range.
#[derive(Debug, Clone, Default)]
struct Unseen {
    /// Faults, each with the rows that were handed on before it was met.
    faults: Vec<(u64, Faults)>,
    /// Why it could not be read on, and the rows that were handed on before.
    error: Option<(u64, String)>,
    /// Captures that `dedup` has not compared, where a query uses what it found.
    uncompared: u64,
    /// Captures that the model of an event has not judged, where a query uses relevance.
    unscored: u64,
    /// Pages larger than the limit, which were cut.
    oversized: u64,
}

#[derive(Debug, Default)]
struct Books {
    ranges: BTreeMap<(usize, u64), Entry>,
    /// What the answer did not see of each range, also of those that nobody read to their end.
    unseen: BTreeMap<(usize, u64), Unseen>,
    /// The range with the last row of the answer and how many rows of it are in the answer, where it ends before the table does.
    last: Option<((usize, u64), u64)>,
    exact: BTreeMap<(usize, u64), Standing>,
    starts: BTreeMap<(usize, u64), (Standing, u64)>,
    expected: BTreeSet<usize>,
    in_turn: Vec<(usize, u64)>,
    /// Kept parts that could not be read, by file.
    lost: BTreeMap<usize, Vec<LostPart>>,
    /// Whether somebody had enough before the end.
    left_early: bool,
}

/// The books of a scan, shared by all who read.
#[derive(Debug, Default)]
pub struct Ledger {
    books: Mutex<Books>,
    bytes_read: AtomicU64,
    is_stopped: AtomicBool,
}

impl Ledger {
    /// Enters where the first record of a range was found.
    pub fn enter_start(&self, file: usize, range: Range<u64>, start_at: Standing) {
        self.books().starts.insert((file, range.start), (start_at, range.end));
    }

    /// Enters that a range is read to its end.
    pub fn enter(&self, file: usize, start: u64, entry: Entry) {
        let mut books = self.books();
        let times = books.ranges.get(&(file, start)).map_or(0, |before| before.times);
        books.ranges.insert((file, start), Entry { times: times + 1, ..entry });
    }

    /// Enters that somebody had enough before the end of a range: what is missing is missed by nobody.
    pub fn enter_leaving(&self) {
        self.books().left_early = true;
    }

    /// Whether somebody had enough before the end.
    pub fn has_left(&self) -> bool {
        self.books().left_early
    }

    /// Takes back that somebody had enough.
    pub fn stay(&self) {
        self.books().left_early = false;
    }

    /// Enters that so many stored bytes more were read, for those who watch.
    pub fn enter_progress(&self, bytes: u64) {
        self.bytes_read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// The stored bytes that were read so far.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// The captures of all ranges that were read.
    pub fn captures(&self) -> u64 {
        self.books().ranges.values().map(|entry| entry.captures).sum()
    }

    /// Has all who read leave off.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether all who read are to leave off.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Enters that a range could not be read on, after so many rows were handed on.
    pub fn enter_error(&self, file: usize, start: u64, rows: u64, error: String) {
        self.books().unseen(file, start).error.get_or_insert((rows, error));
    }

    /// Enters faults of a range that were met after so many rows were handed on.
    pub fn enter_faults(&self, file: usize, start: u64, rows: u64, faults: Faults) {
        if !faults.counts().is_empty() {
            self.books().unseen(file, start).faults.push((rows, faults));
        }
    }

    /// Enters that an answer ends after so many rows of a range: what was met after them is no part of it.
    pub(crate) fn enter_last(&self, file: usize, start: u64, rows: u64) {
        self.books().last = Some(((file, start), rows));
    }

    /// Enters that a kept part could not be read, and its archive was in its place.
    pub fn enter_lost(&self, file: usize, lost: LostPart) {
        let mut books = self.books();
        let known = books.lost.entry(file).or_default();
        if !known.contains(&lost) {
            known.push(lost);
        }
    }

    /// The kept parts of a file that could not be read.
    pub fn lost(&self, file: usize) -> Vec<LostPart> {
        self.books().lost.get(&file).cloned().unwrap_or_default()
    }

    /// Enters how many captures of a range `dedup` has not compared, where a query uses what it found.
    pub fn enter_uncompared(&self, file: usize, start: u64, captures: u64) {
        self.books().unseen(file, start).uncompared = captures;
    }

    /// How many captures of a file `dedup` has not compared, where a query uses what it found.
    pub fn uncompared(&self, file: usize) -> u64 {
        self.books().unseen_of(file).map(|(unseen, _)| unseen.uncompared).sum()
    }

    /// Enters how many captures of a range the model of an event has not judged, where a query uses relevance.
    pub fn enter_unscored(&self, file: usize, start: u64, captures: u64) {
        self.books().unseen(file, start).unscored = captures;
    }

    /// How many captures of a file the model of an event has not judged, where a query uses relevance.
    pub fn unscored(&self, file: usize) -> u64 {
        self.books().unseen_of(file).map(|(unseen, _)| unseen.unscored).sum()
    }

    /// Enters how many pages of a range were larger than the limit, and so are cut.
    pub fn enter_oversized(&self, file: usize, start: u64, pages: u64) {
        self.books().unseen(file, start).oversized = pages;
    }

    /// How many pages of a file were larger than the limit.
    pub fn oversized(&self, file: usize) -> u64 {
        self.books().unseen_of(file).map(|(unseen, _)| unseen.oversized).sum()
    }

    /// Where the reader of a range is to begin, where that is known better than by looking for a record.
    pub fn exact_start(&self, file: usize, start: u64) -> Option<Standing> {
        self.books().exact.get(&(file, start)).copied()
    }

    /// Tells where a range has to begin.
    pub(crate) fn set_exact(&self, file: usize, start: u64, exact: Standing) {
        self.books().read_again(file, start, exact);
    }

    /// Tells where the range that begins at `start` has to begin, if it did begin elsewhere: it is to be read again, and
    /// what it gave is void.
    pub fn correct(&self, file: usize, start: u64) -> bool {
        let mut books = self.books();
        let mut earlier = books.ranges.range((file, 0)..(file, start)).rev();
        let before = earlier.find(|(_, entry)| entry.has_start()).map(|(_, entry)| entry.clone());
        let begun = books.starts.get(&(file, start)).copied();
        let (Some(before), Some((start_at, end))) = (before, begun) else { return false };
        // A scan after a kept part has compared its start with where the part ended.
        if before.is_kept || follows(before.end_at, start_at, start..end) {
            return false;
        }
        let due = before.end_at.not_before(start);
        books.read_again(file, start, due);
        true
    }

    /// Enters that a file is to be read from end to end.
    pub fn expect(&self, file: usize) {
        self.books().expected.insert(file);
    }

    /// Enters which ranges are the partitions of a scan, by file and start.
    pub(crate) fn expect_in_turn(&self, ranges: impl Iterator<Item = (usize, u64)>) {
        self.books().in_turn = ranges.collect();
    }

    /// Which ranges are the partitions of the last scan, by file and start.
    pub(crate) fn expected_in_turn(&self) -> Vec<(usize, u64)> {
        self.books().in_turn.clone()
    }

    /// What is wrong with the books of a scan, which has these numbers for its files: each that was to be read must have
    /// been, from end to end. A scan that nobody asked for a row is not missed.
    pub fn audit(&self, files: Range<usize>) -> Vec<Discrepancy> {
        let books = self.books();
        if books.starts.range((files.start, 0)..(files.end, 0)).next().is_none() && !books.is_first(&files) {
            return Vec::new();
        }
        let is_told = |file: &&usize| books.error(**file).is_none();
        let counts = |found: &Discrepancy| !books.left_early || matches!(found, Discrepancy::Doubled { .. });
        let expected = books.expected.range(files).filter(is_told);
        expected.flat_map(|&file| books.audit(file)).filter(counts).collect()
    }

    /// What was read of a range that is read to its end.
    pub fn entry(&self, file: usize, start: u64) -> Option<Entry> {
        self.books().ranges.get(&(file, start)).cloned()
    }

    /// What was read of a file.
    pub fn tally(&self, file: usize) -> FileTally {
        let books = self.books();
        let mut tally = FileTally::default();
        for (_, entry) in books.ranges.range((file, 0)..=(file, u64::MAX)) {
            tally.records += entry.records;
            tally.captures += entry.captures;
            tally.rows += entry.rows;
            tally.faults.merge(&entry.faults.counts());
        }
        tally
    }

    /// What was wrong with a file, in the order of its bytes.
    pub fn faults(&self, file: usize) -> Vec<Faults> {
        let books = self.books();
        let faults = books.unseen_of(file).flat_map(|(unseen, most)| {
            unseen.faults.iter().filter(move |(rows, _)| *rows < most).map(|(_, faults)| faults.clone())
        });
        faults.collect()
    }

    /// Why a file could not be read on, if so.
    pub fn error(&self, file: usize) -> Option<String> {
        self.books().error(file)
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        // What a thread that panicked had entered stands.
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a range begins that lies within one record as a whole: nothing of it says where the next begins.
const NOWHERE: u64 = u64::MAX;

impl Entry {
    fn has_start(&self) -> bool {
        self.start_at.offset() != NOWHERE
    }

    /// Whether the range from `start` on follows the last one with a record: it begins where that ended, or lies within its last
    /// record up to where somebody looked for another.
    fn is_next_to(&self, before: &Entry, start: u64) -> bool {
        let is_all_within = !self.has_start() && before.end_at.offset() >= self.end_at.offset();
        is_all_within || follows(before.end_at, self.start_at, start..self.end)
    }
}

/// Whether a range began where the last one with a record ended.
pub(crate) fn follows(due: Standing, start_at: Standing, range: Range<u64>) -> bool {
    let is_inside_a_record = start_at.offset() == NOWHERE && due.offset() >= range.end;
    let is_exact = start_at == due.not_before(range.start);
    is_inside_a_record || is_exact || due.is_met_by(start_at)
}

impl Books {
    fn unseen(&mut self, file: usize, start: u64) -> &mut Unseen {
        self.unseen.entry((file, start)).or_default()
    }

    /// What the answer did not see of the ranges of a file, with the number of rows from which on it has none of each.
    fn unseen_of(&self, file: usize) -> impl Iterator<Item = (&Unseen, u64)> {
        let (last, rows) = self.last.unwrap_or(((usize::MAX, u64::MAX), u64::MAX));
        let ranges = self.unseen.range((file, 0)..=(file, u64::MAX));
        let ranges = ranges.take_while(move |(range, _)| **range <= last);
        ranges.map(move |(range, unseen)| (unseen, if *range == last { rows } else { u64::MAX }))
    }

    fn error(&self, file: usize) -> Option<String> {
        let mut errors = self.unseen_of(file).filter_map(|(unseen, most)| {
            unseen.error.as_ref().filter(|(rows, _)| *rows < most).map(|(_, error)| error.clone())
        });
        errors.next()
    }

    /// Has a range be read again from where it has to begin; what it gave is void.
    fn read_again(&mut self, file: usize, start: u64, exact: Standing) {
        self.ranges.remove(&(file, start));
        self.unseen.remove(&(file, start));
        self.exact.insert((file, start), exact);
    }

    /// Whether it is the only scan, which somebody must have asked.
    fn is_first(&self, files: &Range<usize>) -> bool {
        files.start == 0 && self.expected.iter().all(|file| files.contains(file))
    }

    fn audit(&self, file: usize) -> Vec<Discrepancy> {
        let mut found = Vec::new();
        let mut at = 0;
        let mut before: Option<&Entry> = None;
        let ranges = || self.ranges.range((file, 0)..=(file, u64::MAX));
        // Where no range has a record, none can have been missed between two of them.
        let has_records = ranges().any(|(_, entry)| entry.records > 0);
        for (&(_, start), entry) in ranges() {
            if start > at {
                found.push(Discrepancy::Missing { file, range: at..start });
            } else if start < at || entry.times > 1 {
                found.push(Discrepancy::Doubled { file, start });
            } else if has_records
                && !entry.is_kept
                && before.is_some_and(|before| !entry.is_next_to(before, start))
            {
                found.push(Discrepancy::Parted { file, start });
            }
            at = entry.end;
            if entry.has_start() {
                before = Some(entry).filter(|entry| !entry.is_kept);
            }
        }
        if at < u64::MAX {
            found.push(Discrepancy::Missing { file, range: at..u64::MAX });
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(end: u64) -> Entry {
        Entry { end, ..Entry::default() }
    }

    #[test]
    fn holes_and_doubled_ranges_are_seen() {
        let ledger = Ledger::default();
        ledger.expect(0);
        ledger.enter(0, 0, entry(10));
        assert_eq!(ledger.audit(0..2), [Discrepancy::Missing { file: 0, range: 10..u64::MAX }]);
        ledger.enter(0, 10, entry(u64::MAX));
        assert_eq!(ledger.audit(0..2), []);
        ledger.enter(0, 10, entry(u64::MAX));
        assert_eq!(ledger.audit(0..2), [Discrepancy::Doubled { file: 0, start: 10 }]);
        ledger.expect(1);
        assert_eq!(ledger.audit(0..2).len(), 2, "the second file was not read at all");
    }

    #[test]
    fn a_file_that_could_not_be_read_is_told_by_its_error() {
        let ledger = Ledger::default();
        ledger.expect(0);
        ledger.enter_error(0, 0, 0, "no such file".to_owned());
        assert_eq!(ledger.audit(0..2), []);
        assert_eq!(ledger.error(0).as_deref(), Some("no such file"));
    }

    #[test]
    fn what_was_met_after_the_last_row_of_an_answer_is_no_part_of_it() {
        let ledger = Ledger::default();
        let fault = |offset| Faults {
            list: vec![tamis_archive::Fault { offset, kind: tamis_archive::FaultKind::NoRecords }],
            ..Faults::default()
        };
        for (start, rows) in [(0, 0), (10, 2), (10, 5), (20, 0)] {
            ledger.enter_faults(0, start, rows, fault(start));
        }
        ledger.enter_error(1, 0, 0, "no such file".to_owned());
        assert_eq!((ledger.faults(0).len(), ledger.error(1).is_some()), (4, true));
        ledger.enter_last(0, 10, 5);
        assert_eq!((ledger.faults(0).len(), ledger.error(1).is_some()), (2, false));
    }
}
