//! `pages`: archives as a table.

use std::num::NonZero;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::datasource::TableType;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder};
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::Result;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use tamis_archive::Source;

use crate::column;
use crate::ledger::Ledger;
use crate::scan::{Context, Split};
use crate::source::PagesSource;

/// The size of a range: large enough that starting costs nothing, small enough that all threads end together.
const RANGE: NonZero<u64> = NonZero::new(16 << 20).expect("not zero");

/// How a table's files are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Each file at once.
    Whole,
    /// In ranges of so many stored bytes.
    Ranges(NonZero<u64>),
}

impl Default for Cut {
    fn default() -> Self {
        Cut::Ranges(RANGE)
    }
}

/// Archives as a table.
#[derive(Debug)]
pub struct Pages {
    sources: Vec<Source>,
    cut: Cut,
    context: Context,
    ledger: Arc<Ledger>,
    /// Whether each range is a partition, and how many rows of each are wanted at most.
    kept: Mutex<Option<Option<usize>>>,
}

/// In which order rows come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Partition after partition, each range one: that of the files and their bytes.
    Kept,
    /// Whichever is read first.
    Any,
}

impl Pages {
    /// A table of archives. What is read of them is entered into its own ledger.
    pub fn new(sources: Vec<Source>, cut: Cut, context: Context) -> Self {
        Self { sources, cut, context, ledger: Arc::default(), kept: Mutex::default() }
    }

    /// Has the next scan give each range as a partition, in order, with at most so many rows.
    pub(crate) fn keep_order(&self, most: Option<usize>) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(most);
    }

    /// What was read.
    pub fn ledger(&self) -> &Arc<Ledger> {
        &self.ledger
    }

    /// The archives.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// All ranges of all files, in order.
    pub(crate) fn splits(&self) -> Vec<Split> {
        let mut splits = Vec::new();
        for (file, source) in self.sources.iter().enumerate() {
            let name: Arc<str> = source.name().to_string_lossy().into();
            let ranges = ranges(source.len(), self.cut).into_iter();
            splits.extend(ranges.map(|range| Split {
                file,
                source: source.clone(),
                name: name.clone(),
                range,
            }));
        }
        splits
    }

    /// The ranges as the partitions of a scan.
    fn groups(&self, partitions: usize, order: Order) -> Vec<FileGroup> {
        let splits = self.splits();
        let groups = match order {
            Order::Kept => splits.len().max(1),
            Order::Any => partitions.clamp(1, splits.len().max(1)),
        };
        let per_group = splits.len().div_ceil(groups).max(1);
        splits.chunks(per_group).map(|splits| splits.iter().map(partitioned).collect()).collect()
    }
}

/// The ranges of a file. What cannot be told the length of is read at once.
fn ranges(length: Option<u64>, cut: Cut) -> Vec<Range<u64>> {
    let (Some(length), Cut::Ranges(step)) = (length, cut) else { return vec![0..u64::MAX] };
    let step = step.get();
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
        let order = if kept.is_some() { Order::Kept } else { Order::Any };
        let source = Arc::new(PagesSource::new(self.context.clone(), self.ledger.clone()));
        let config = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), source)
            .with_file_groups(self.groups(state.config().target_partitions(), order))
            .with_projection_indices(projection.cloned())?
            .with_limit(kept.flatten().or(limit))
            .with_preserve_order(order == Order::Kept)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_cut_into_ranges_that_leave_nothing_out() {
        let step = NonZero::new(10).expect("not zero");
        for (length, count) in [(0, 1), (4, 1), (14, 1), (15, 1), (25, 2), (100, 9), (1000, 99)] {
            let ranges = ranges(Some(length), Cut::Ranges(step));
            assert_eq!(ranges.len(), count, "{length}");
            assert_eq!((ranges[0].start, ranges[count - 1].end), (0, u64::MAX));
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
        assert_eq!(ranges(None, Cut::Ranges(step)), [0..u64::MAX]);
    }
}
