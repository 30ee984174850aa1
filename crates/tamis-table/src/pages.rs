//! `pages`: archives as a table.

use std::num::NonZero;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use chrono::DateTime;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::datasource::TableType;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileScanConfigBuilder, FileSource, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::Result;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::Expr;
use datafusion::object_store::{self, ObjectMeta};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::union::UnionExec;
use tamis_archive::{Faults, Source};

use crate::column::{self, COLUMNS, Column};
use crate::ledger::{Discrepancy, Ledger};
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

/// Archives as a table. Of those whose columns are materialised, the columns are read from there if they suffice.
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
    /// The Parquet files with its rows, which are all there and cover all of it, and the columns that all of them have.
    pub parts: Option<(Vec<PartFile>, Vec<&'static Column>)>,
}

/// A Parquet file with rows of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
}

impl PartFile {
    fn partitioned(&self) -> Result<PartitionedFile> {
        let location = object_store::path::Path::from_absolute_path(&self.path)?;
        let last_modified = DateTime::UNIX_EPOCH;
        let meta = ObjectMeta { location, last_modified, size: self.bytes, e_tag: None, version: None };
        Ok(PartitionedFile::from(meta))
    }
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
        Self { source, name, context, parts: None }
    }

    /// Its parts, if they have all these columns.
    fn parts_with(&self, columns: &[usize]) -> Option<&[PartFile]> {
        let (parts, had) = self.parts.as_ref()?;
        let has = |&at: &usize| had.iter().any(|column| column.index() == at);
        columns.iter().all(has).then_some(parts)
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

    /// All ranges of those archives that are read for these columns, in order.
    fn splits(&self, columns: &[usize]) -> Vec<Split> {
        let mut splits = Vec::new();
        let first = self.scans.fetch_add(1, Ordering::Relaxed) * self.members.len();
        let step = self.cut.step(self.members.iter().filter_map(|member| member.source.len()).sum());
        for (file, member) in (first..).zip(&self.members) {
            if member.parts_with(columns).is_some() {
                continue;
            }
            self.ledger.expect(file);
            let ranges = ranges(member.source.len(), step).into_iter();
            splits.extend(ranges.map(|range| Split {
                file,
                source: member.source.clone(),
                name: member.name.clone(),
                context: member.context.clone(),
                range,
            }));
        }
        splits
    }

    /// A scan of archives, if any is read for these columns.
    fn scan_archives(&self, columns: &[usize], scan: &ScanOptions) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let splits = self.splits(columns);
        if splits.is_empty() {
            return Ok(None);
        }
        self.ledger.expect_in_turn(splits.iter().map(|split| (split.file, split.range.start)));
        let source = Arc::new(PagesSource::new(self.ledger.clone()));
        let files: Vec<_> = splits.iter().map(partitioned).collect();
        scan.plan(source, &files, scan.limit).map(Some)
    }

    /// A scan of Parquet files, if any is read for these columns.
    fn scan_parts(&self, columns: &[usize], scan: &ScanOptions) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let parts = self.members.iter().filter_map(|member| member.parts_with(columns)).flatten();
        let files = parts.map(PartFile::partitioned).collect::<Result<Vec<_>>>()?;
        if files.is_empty() {
            return Ok(None);
        }
        let source = Arc::new(ParquetSource::new(column::schema()));
        // A filter may stay above the scan of Parquet, and then its limit is not ours.
        scan.plan(source, &files, None).map(Some)
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

/// The ranges of a file. What cannot be told the length of is read at once.
pub(crate) fn ranges(length: Option<u64>, step: Option<u64>) -> Vec<Range<u64>> {
    let (Some(length), Some(step)) = (length, step) else {
        return std::iter::once(0..u64::MAX).collect();
    };
    let count = (length.saturating_sub(step / 2) / step).max(1);
    (0..count).map(|at| at * step..if at + 1 == count { u64::MAX } else { (at + 1) * step }).collect()
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
        let all: Vec<usize> = (0..COLUMNS.len()).collect();
        let columns = projection.unwrap_or(&all);
        let plans = [self.scan_archives(columns, &scan)?, self.scan_parts(columns, &scan)?];
        let mut plans: Vec<_> = plans.into_iter().flatten().collect();
        match plans.len() {
            0 => Ok(Arc::new(EmptyExec::new(Arc::new(column::schema().project(columns)?)))),
            1 => Ok(plans.remove(0)),
            _ => UnionExec::try_new(plans),
        }
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
}
