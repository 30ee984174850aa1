//! A part: the rows of one range of an archive as a Parquet file.
//!
//! Rows are gathered into runs, each sorted by its key and written as one row group, so that statistics tell which row
//! groups a key can be in. A part that gets more columns keeps its runs: the rows of the old file are read beside the new
//! columns, and nothing is computed again.
//!
//! Memory: one run of [`RUN_BYTES`] and the chunk that reaches it, and what Parquet buffers for a row group.

use std::fs::File;
use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array, RecordBatch};
use datafusion::arrow::compute::{SortColumn, SortOptions, interleave_record_batch, lexsort_to_indices};
use datafusion::arrow::datatypes::{Int64Type, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use tamis_archive::Source;

use crate::column::{self, Column, Id};
use crate::ledger::{Entry, Ledger};
use crate::meter::Meter;
use crate::scan::{Context, Plan, Scan, Split};
use crate::sink::{ParquetOptions, ParquetSink, Sink, SinkError};

/// A run ends with the chunk that reaches so many bytes.
const RUN_BYTES: usize = 48 << 20;
/// A run has no more rows.
const RUN_ROWS: usize = 16 << 10;
/// Rows are handed to Parquet in batches of so many.
const BATCH_ROWS: usize = 1024;

/// What a part is to be made of.
#[derive(Debug, Clone)]
pub struct PartPlan {
    /// The archive.
    pub source: Source,
    /// What rows call it.
    pub name: Arc<str>,
    /// The range of it.
    pub range: std::ops::Range<u64>,
    /// The columns the part is to have.
    pub columns: Vec<&'static Column>,
    /// A part of the same range with some of them.
    pub old: Option<OldPart>,
}

/// A part that is there.
#[derive(Debug, Clone)]
pub struct OldPart {
    /// The file.
    pub path: PathBuf,
    /// Its columns.
    pub columns: Vec<&'static Column>,
}

/// Why a part could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    /// The archive could not be read.
    #[error("{0}")]
    Archive(String),
    /// The part could not be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: SinkError,
    },
    /// The part that is there could not be read, or its rows are not those of the archive.
    #[error("{}: {reason}", path.display())]
    Old {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
    /// Rows could not be computed or sorted.
    #[error(transparent)]
    Rows(#[from] datafusion::error::DataFusionError),
}

impl PartError {
    /// Whether there is no more room to write to.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, PartError::Write { source: SinkError::Io(error), .. } if error.kind() == io::ErrorKind::StorageFull)
    }
}

impl From<ArrowError> for PartError {
    fn from(error: ArrowError) -> Self {
        PartError::Rows(error.into())
    }
}

/// Makes a part. Returns what was read; its rows are those of the file.
pub(super) fn build(
    plan: &PartPlan,
    context: &Arc<Context>,
    ledger: &Arc<Ledger>,
    file: usize,
    to: (&Path, impl Write + Send),
    stop: &AtomicBool,
) -> Result<Option<Entry>, PartError> {
    let wanted = plan.computed();
    let indices: Vec<usize> = wanted.iter().map(|column| column.index()).collect();
    let split = Split {
        file,
        source: plan.source.clone(),
        name: plan.name.clone(),
        context: context.clone(),
        range: plan.range.clone(),
    };
    let scan_plan = Arc::new(Plan::new(&indices, None, None)?);
    let meter = Meter::new(&ExecutionPlanMetricsSet::new(), 0);
    let Some(scan) = Scan::open(split, scan_plan, ledger.clone(), meter) else {
        return Err(PartError::Archive(ledger.error(file).unwrap_or_default()));
    };
    let write = |source| PartError::Write { path: to.0.to_owned(), source };
    let schema = column::schema_of(&plan.columns);
    let sorted_by = vec!["key".to_owned(), "offset".to_owned()];
    // A row group is a run, whatever its size.
    let options = ParquetOptions {
        sorted_by,
        group_rows: RUN_ROWS,
        group_bytes: usize::MAX,
        ..ParquetOptions::default()
    };
    let mut sink = ParquetSink::new(to.1, &schema, &options).map_err(write)?;
    let mut runs = Runs { scan, old: plan.old.as_ref().map(Old::open).transpose()? };
    while let Some(run) = runs.next_run(stop)? {
        let order = sorted(&run.batches)?;
        let old =
            run.old.map(|old| check_same(&old, &run.batches, &order, plan).map(|()| old)).transpose()?;
        for (at, rows) in order.chunks(BATCH_ROWS).enumerate() {
            let computed = interleave_record_batch(&run.batches.iter().collect::<Vec<_>>(), rows)?;
            let old = old.as_ref().map(|old| old.slice(at * BATCH_ROWS, rows.len()));
            sink.write(&merge(&schema, &computed, old.as_ref())?).map_err(write)?;
        }
        sink.end_row_group().map_err(write)?;
    }
    Box::new(sink).finish().map_err(write)?;
    Ok(ledger.entry(file, plan.range.start))
}

impl PartPlan {
    /// The columns that have to be computed, and those that tell the rows' order.
    fn computed(&self) -> Vec<&'static Column> {
        let had = |column: &Column| {
            self.old.as_ref().is_some_and(|old| old.columns.iter().any(|other| other.id == column.id))
        };
        let is_needed = |column: &&Column| matches!(column.id, Id::Key | Id::Offset) || !had(column);
        let mut columns: Vec<_> = self.columns.iter().copied().filter(is_needed).collect();
        for id in [Id::Key, Id::Offset] {
            if !columns.iter().any(|column| column.id == id) {
                columns.push(Column::of(id));
            }
        }
        columns
    }
}

/// Rows that are sorted together.
struct Run {
    batches: Vec<RecordBatch>,
    /// The same rows of the part that is there, in their order.
    old: Option<RecordBatch>,
}

struct Runs {
    scan: Scan,
    old: Option<Old>,
}

impl Runs {
    fn next_run(&mut self, stop: &AtomicBool) -> Result<Option<Run>, PartError> {
        let old = match &mut self.old {
            Some(old) => match old.next_row_group()? {
                Some(rows) => Some(rows),
                None => return self.expect_end(),
            },
            None => None,
        };
        let wanted = old.as_ref().map_or(RUN_ROWS, RecordBatch::num_rows);
        let mut batches: Vec<RecordBatch> = Vec::new();
        let (mut rows, mut bytes) = (0, 0);
        while rows < wanted && (old.is_some() || bytes < RUN_BYTES) {
            if stop.load(Ordering::Relaxed) {
                return Err(PartError::Stopped);
            }
            let Some(batch) = self.scan.next_up_to(wanted - rows).transpose()? else { break };
            rows += batch.num_rows();
            bytes += batch.get_array_memory_size();
            batches.push(batch);
        }
        if old.is_some() && rows < wanted {
            return Err(self.differs("the archive has fewer captures than the part"));
        }
        Ok((rows > 0).then_some(Run { batches, old }))
    }

    fn expect_end(&mut self) -> Result<Option<Run>, PartError> {
        match self.scan.next_up_to(1).transpose()? {
            Some(_) => Err(self.differs("the archive has more captures than the part")),
            None => Ok(None),
        }
    }

    fn differs(&self, reason: &str) -> PartError {
        let path = self.old.as_ref().map(|old| old.path.clone()).unwrap_or_default();
        PartError::Old { path, reason: reason.to_owned() }
    }
}

/// A part that is there, read a row group at a time.
struct Old {
    path: PathBuf,
    schema: SchemaRef,
    groups: usize,
    next: usize,
}

impl Old {
    fn open(part: &OldPart) -> Result<Self, PartError> {
        let builder = reader(&part.path)?;
        let (schema, groups) = (builder.schema().clone(), builder.metadata().num_row_groups());
        Ok(Self { path: part.path.clone(), schema, groups, next: 0 })
    }

    fn next_row_group(&mut self) -> Result<Option<RecordBatch>, PartError> {
        if self.next == self.groups {
            return Ok(None);
        }
        let builder = reader(&self.path)?.with_row_groups(vec![self.next]).with_batch_size(BATCH_ROWS);
        let rows: ParquetRecordBatchReader =
            builder.build().map_err(|error| old_error(&self.path, &error))?;
        let batches = rows.collect::<Result<Vec<_>, _>>().map_err(|error| old_error(&self.path, &error))?;
        self.next += 1;
        Ok(Some(datafusion::arrow::compute::concat_batches(&self.schema, &batches)?))
    }
}

fn reader(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>, PartError> {
    let file = File::open(path).map_err(|error| old_error(path, &error))?;
    ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| old_error(path, &error))
}

fn old_error(path: &Path, error: &dyn std::fmt::Display) -> PartError {
    PartError::Old { path: path.to_owned(), reason: error.to_string() }
}

/// The rows of all batches by key, then by their place in the archive.
fn sorted(batches: &[RecordBatch]) -> Result<Vec<(usize, usize)>, PartError> {
    let all = |name| -> Result<ArrayRef, PartError> {
        let arrays: Vec<&dyn Array> =
            batches.iter().filter_map(|batch| batch.column_by_name(name)).map(|array| &**array).collect();
        Ok(datafusion::arrow::compute::concat(&arrays)?)
    };
    let options = Some(SortOptions { descending: false, nulls_first: false });
    let by = |values| SortColumn { values, options };
    let indices = lexsort_to_indices(&[by(all("key")?), by(all("offset")?)], None)?;
    let places: Vec<(usize, usize)> = (0..batches.len())
        .flat_map(|batch| (0..batches[batch].num_rows()).map(move |row| (batch, row)))
        .collect();
    Ok(indices.values().iter().map(|&at| places[at as usize]).collect())
}

/// Refuses a part whose rows are not those of the archive.
fn check_same(
    old: &RecordBatch,
    batches: &[RecordBatch],
    order: &[(usize, usize)],
    plan: &PartPlan,
) -> Result<(), PartError> {
    let offsets = |batch: &RecordBatch| -> Option<Int64Array> {
        Some(batch.column_by_name("offset")?.as_primitive::<Int64Type>().clone())
    };
    let had = offsets(old);
    let now: Option<Vec<Int64Array>> = batches.iter().map(offsets).collect();
    let is_same = had.zip(now).is_some_and(|(had, now)| {
        order.iter().enumerate().all(|(at, &(batch, row))| had.value(at) == now[batch].value(row))
    });
    if is_same {
        return Ok(());
    }
    let path = plan.old.as_ref().map(|old| old.path.clone()).unwrap_or_default();
    Err(PartError::Old { path, reason: "its rows are not those of the archive".to_owned() })
}

/// The columns of both, in the order of the schema; what was computed now counts.
fn merge(
    schema: &SchemaRef,
    computed: &RecordBatch,
    old: Option<&RecordBatch>,
) -> Result<RecordBatch, PartError> {
    let find = |name: &str| {
        let known = computed.column_by_name(name);
        known.or_else(|| old.and_then(|old| old.column_by_name(name))).cloned()
    };
    let missing = |name: &String| {
        PartError::Rows(datafusion::error::DataFusionError::Internal(format!("no column {name}")))
    };
    let columns = schema.fields().iter().map(|field| find(field.name()).ok_or_else(|| missing(field.name())));
    Ok(RecordBatch::try_new(schema.clone(), columns.collect::<Result<Vec<_>, _>>()?)?)
}
