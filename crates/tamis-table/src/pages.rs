//! `pages`: archives as a table.

use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::datasource::TableType;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileScanConfigBuilder, FileSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::Result;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use tamis_archive::{Faults, Source};

use crate::column;
use crate::ledger::{Discrepancy, FileTally, Ledger};
use crate::scan::kept::{LostPart, PartFile};
use crate::scan::{Context, Split};
use crate::source::PagesSource;

/// The size of a range: large enough that starting costs nothing,
const LEAST_RANGE: u64 = 2 << 20;
/// small enough that what a thread holds of it is little,
const MOST_RANGE: u64 = 64 << 20;
/// and in between so many ranges in all that all threads end together.
const RANGES: u64 = 128;

/// How a table's files are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Each file at once.
    Whole,
    /// In ranges of a size that suits all files together.
    Even,
    /// In ranges of so many stored bytes.
    Ranges(NonZero<u64>),
}

impl Cut {
    /// The size of a range of files that have so many stored bytes in all, where one is cut.
    fn step(self, total: u64) -> Option<u64> {
        match self {
            Cut::Whole => None,
            Cut::Even => Some((total / RANGES).clamp(LEAST_RANGE, MOST_RANGE)),
            Cut::Ranges(step) => Some(step.get()),
        }
    }
}

/// Archives as a table. Columns that are kept are read from their parts; archives are read for the others only.
///
/// ```
/// use std::sync::Arc;
/// use tamis_archive::Door;
/// use tamis_table::query::{Engine, Settings};
/// use tamis_table::{Cut, Member, Pages};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.warc");
/// # std::fs::write(&path, "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://example.org/\r\nWARC-Date: 2026-08-12T18:27:00Z\r\n\
/// #     WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n")?;
/// let archive = Member::alone(Door::default().source(path), Arc::default());
/// let pages = Arc::new(Pages::new(vec![archive], Cut::Even));
/// let engine = Engine::new(Settings { jobs: 1.try_into()?, memory_bytes: 512 << 20, spill: std::env::temp_dir() })?;
/// let query = engine.prepare("select url from pages", &pages)?;
/// assert_eq!(engine.texts(&query)?, [["http://example.org/"]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Pages {
    members: Vec<Member>,
    cut: Cut,
    ledger: Arc<Ledger>,
    /// How many scans there were. Each has numbers of its own for the files in the ledger, since a query may read the
    /// table twice.
    scans: AtomicUsize,
    /// Whether each range is a partition, and how many rows of each are wanted at most.
    kept: Mutex<Option<InTurn>>,
}

/// That each range is to be a partition, and how many rows of each are wanted at most.
#[derive(Debug)]
struct InTurn {
    most: Option<usize>,
}

/// An archive of the table.
#[derive(Debug, Clone)]
pub struct Member {
    /// Where it is.
    pub source: Source,
    /// What rows call it.
    pub name: Arc<str>,
    /// What its rows share.
    pub context: Arc<Context>,
    /// The kept parts of it by their ranges, in order.
    pub parts: Vec<(Range<u64>, Arc<PartFile>)>,
    /// Faults that lose something, counted when it was taken into its collection.
    pub known_faults: u64,
    /// If set, only the captures at these offsets, which ascend, are read.
    pub only: Option<Arc<[u64]>>,
}

/// In which order rows come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Partition after partition, each range one: that of the files and their bytes.
    Kept,
    /// Whichever is read first.
    Any,
}

impl Member {
    /// An archive that is in no collection.
    pub fn alone(source: Source, context: Arc<Context>) -> Self {
        let name = source.name().to_string_lossy().into();
        Self { source, name, context, parts: Vec::new(), known_faults: 0, only: None }
    }
}

impl Pages {
    /// A table of archives. What is read of them is entered into its own ledger.
    pub fn new(members: Vec<Member>, cut: Cut) -> Self {
        Self { members, cut, ledger: Arc::default(), scans: AtomicUsize::new(0), kept: Mutex::default() }
    }

    /// Has the next scan give each range as a partition, in order, with at most so many rows.
    pub(crate) fn keep_order(&self, most: Option<usize>) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(InTurn { most });
    }

    /// What was read.
    pub fn ledger(&self) -> &Arc<Ledger> {
        &self.ledger
    }

    /// What was wrong with an archive, in the order of its bytes, by the first scan that read it.
    pub fn faults(&self, member: usize) -> Vec<Faults> {
        let scans = self.numbers(member).map(|file| self.ledger.faults(file));
        scans.into_iter().find(|faults| !faults.is_empty()).unwrap_or_default()
    }

    /// Why an archive could not be read on, if so.
    pub fn error(&self, member: usize) -> Option<String> {
        self.numbers(member).find_map(|file| self.ledger.error(file))
    }

    /// The kept parts of an archive that could not be read.
    pub fn lost_parts(&self, member: usize) -> Vec<LostPart> {
        let mut lost: Vec<LostPart> = self.numbers(member).flat_map(|file| self.ledger.lost(file)).collect();
        lost.dedup();
        lost
    }

    /// How many captures of an archive `dedup` has not compared, where a query uses what it found.
    pub fn uncompared(&self, member: usize) -> u64 {
        self.numbers(member).map(|file| self.ledger.uncompared(file)).max().unwrap_or_default()
    }

    /// How many captures of an archive the model of an event has not judged, where a query uses relevance.
    pub fn unscored(&self, member: usize) -> u64 {
        self.numbers(member).map(|file| self.ledger.unscored(file)).max().unwrap_or_default()
    }

    /// How many pages of an archive were larger than the limit, and so are cut.
    pub fn oversized(&self, member: usize) -> u64 {
        self.numbers(member).map(|file| self.ledger.oversized(file)).max().unwrap_or_default()
    }

    /// What was read of an archive, by the first scan that read it.
    pub fn tally(&self, member: usize) -> FileTally {
        let mut tallies = self.numbers(member).map(|file| self.ledger.tally(file));
        tallies.find(|tally| tally.records > 0).unwrap_or_default()
    }

    /// Where what was read does not add up: nowhere, unless rows were lost or doubled.
    pub fn audit(&self) -> Vec<Discrepancy> {
        let count = self.members.len();
        let scans = 0..self.scans.load(Ordering::Relaxed);
        let found = scans.flat_map(|scan| self.ledger.audit(scan * count..(scan + 1) * count));
        found.map(|found| found.with_file(|file| file % count)).collect()
    }

    /// The numbers that an archive has in the ledger, one for each scan.
    fn numbers(&self, member: usize) -> impl Iterator<Item = usize> {
        let count = self.members.len();
        (0..self.scans.load(Ordering::Relaxed)).map(move |scan| scan * count + member)
    }

    /// The archives.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// All ranges of all archives, in order.
    fn splits(&self) -> Vec<Split> {
        let mut splits = Vec::new();
        let first = self.scans.fetch_add(1, Ordering::Relaxed) * self.members.len();
        let step = self.cut.step(self.members.iter().filter_map(|member| member.source.len()).sum());
        for (file, member) in (first..).zip(&self.members) {
            self.ledger.expect(file);
            let mut first_record = Some(0);
            let step = step.filter(|_| member.only.is_none());
            for (range, part) in cover(member.source.len(), step, &member.parts) {
                let next_record = part.map(|part| part.next_record);
                splits.push(Split {
                    file,
                    source: member.source.clone(),
                    name: member.name.clone(),
                    context: member.context.clone(),
                    range,
                    part: part.cloned(),
                    first_record,
                    only: member.only.clone(),
                });
                first_record = next_record;
            }
        }
        splits
    }
}

/// What a scan of files is asked for.
struct ScanOptions {
    projection: Option<Vec<usize>>,
    limit: Option<usize>,
    order: Order,
    partitions: usize,
}

impl ScanOptions {
    fn plan(
        &self,
        source: Arc<dyn FileSource>,
        files: &[PartitionedFile],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let groups = match self.order {
            Order::Kept => files.len(),
            Order::Any => self.partitions.clamp(1, files.len()),
        };
        let per_group = files.len().div_ceil(groups).max(1);
        let groups = files.chunks(per_group).map(|files| files.iter().cloned().collect()).collect();
        let config = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), source)
            .with_file_groups(groups)
            .with_projection_indices(self.projection.clone())?
            .with_limit(limit)
            .with_preserve_order(self.order == Order::Kept)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}

/// The most ranges of one file. A file may claim any length, and every range is memory and a turn of its own.
const MOST_RANGES: u64 = 1 << 16;

/// The ranges of a file. What cannot be told the length of is read at once.
fn ranges(length: Option<u64>, step: Option<u64>) -> Vec<Range<u64>> {
    let (Some(length), Some(step)) = (length, step) else {
        return std::iter::once(0..u64::MAX).collect();
    };
    let step = step.max(length / MOST_RANGES);
    let count = (length.saturating_sub(step / 2) / step).max(1);
    (0..count).map(|at| at * step..if at + 1 == count { u64::MAX } else { (at + 1) * step }).collect()
}

/// All ranges of a file, in order: those of its parts with the part, and others for what lies between.
///
/// Parts come in order. One that overlaps another counts as none.
pub(crate) fn cover<P>(
    length: Option<u64>,
    step: Option<u64>,
    parts: &[(Range<u64>, P)],
) -> Vec<(Range<u64>, Option<&P>)> {
    let mut usual = ranges(length, step).into_iter().map(|range| range.end).peekable();
    let mut parts = parts.iter().peekable();
    let mut found = Vec::new();
    let mut at = 0;
    while at < u64::MAX {
        while parts.next_if(|(range, _)| range.start < at || range.is_empty()).is_some() {}
        let next = parts.peek().map_or(u64::MAX, |(range, _)| range.start);
        if next == at
            && let Some((range, part)) = parts.next()
        {
            found.push((range.clone(), Some(part)));
            at = range.end;
        } else {
            while usual.next_if(|&end| end <= at).is_some() {}
            let end = usual.peek().copied().unwrap_or(u64::MAX).min(next);
            found.push((at..end, None));
            at = end;
        }
    }
    found
}

fn partitioned(split: &Split) -> PartitionedFile {
    let length = split.source.len().unwrap_or(0);
    let end = split.range.end.min(length);
    let name = split.source.name().to_string_lossy().into_owned();
    let mut file = PartitionedFile::new_with_range(name, length, split.range.start as i64, end as i64);
    file.extensions.insert(split.clone());
    file
}

#[async_trait]
impl TableProvider for Pages {
    fn schema(&self) -> SchemaRef {
        column::schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        let scan = ScanOptions {
            projection: projection.cloned(),
            limit: kept.as_ref().and_then(|in_turn| in_turn.most).or(limit),
            order: if kept.is_some() { Order::Kept } else { Order::Any },
            partitions: state.config().target_partitions(),
        };
        let splits = self.splits();
        if splits.is_empty() {
            let schema = match projection {
                Some(columns) => Arc::new(column::schema().project(columns)?),
                None => column::schema(),
            };
            return Ok(Arc::new(EmptyExec::new(schema)));
        }
        for split in &splits {
            let kept = split.part.as_ref().map_or(0, |part| part.columns.len());
            tracing::debug!(file = %split.name, start = split.range.start, end = split.range.end, kept, "range to read");
        }
        self.ledger.expect_in_turn(splits.iter().map(|split| (split.file, split.range.start)));
        let kept = splits.iter().map(|split| split.part.as_ref().map(|part| part.columns.clone())).collect();
        let source = Arc::new(PagesSource::new(self.ledger.clone(), kept));
        let files: Vec<_> = splits.iter().map(partitioned).collect();
        scan.plan(source, &files, scan.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_cut_into_ranges_that_leave_nothing_out() {
        for (length, count) in [(0, 1), (4, 1), (14, 1), (15, 1), (25, 2), (100, 9), (1000, 99)] {
            let ranges = ranges(Some(length), Some(10));
            assert_eq!(ranges.len(), count, "{length}");
            assert_eq!((ranges[0].start, ranges[count - 1].end), (0, u64::MAX));
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
        assert_eq!(ranges(None, Some(10)).len(), 1);
    }

    #[test]
    fn a_claimed_length_does_not_become_memory() {
        for length in [1 << 48, u64::MAX - 1, u64::MAX] {
            let ranges = ranges(Some(length), Some(LEAST_RANGE));
            assert!(ranges.len() as u64 <= MOST_RANGES + 1, "{}", ranges.len());
            assert_eq!(ranges.last().map(|range| range.end), Some(u64::MAX));
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert_eq!(cover::<()>(Some(length), Some(LEAST_RANGE), &[]).len(), ranges.len());
        }
    }

    #[test]
    fn parts_keep_their_ranges_and_holes_are_filled() {
        let end = u64::MAX;
        let one = |range| std::iter::once(range).collect::<Vec<_>>();
        for (parts, expected) in [
            (vec![], vec![(0..10, false), (10..20, false), (20..end, false)]),
            (one(10..20), vec![(0..10, false), (10..20, true), (20..end, false)]),
            (vec![0..13, 20..end], vec![(0..13, true), (13..20, false), (20..end, true)]),
            (one(0..end), vec![(0..end, true)]),
            (vec![0..15, 10..end], vec![(0..15, true), (15..20, false), (20..end, false)]),
        ] {
            let parts: Vec<_> = parts.into_iter().map(|range| (range, ())).collect();
            let found = cover(Some(36), Some(10), &parts).into_iter();
            let found: Vec<_> = found.map(|(range, part)| (range, part.is_some())).collect();
            assert_eq!(found, expected);
        }
    }
}
