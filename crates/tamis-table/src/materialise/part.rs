//! A part: the rows of one range of an archive as a Parquet file, in the order of the archive.
//!
//! A part that gets more columns takes over those it has: only what is missing is computed.
//!
//! Memory: what a scan takes, and what Parquet buffers of a row group.

use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use tamis_archive::Source;

use crate::column::{self, Column};
use crate::ledger::{Entry, Ledger};
use crate::meter::Meter;
use crate::scan::kept::PartFile;
use crate::scan::{Context, Request, Scan, Split};
use crate::sink::{ParquetOptions, ParquetSink, Sink, SinkError};

/// A row group has no more rows,
const GROUP_ROWS: usize = 16 << 10;
/// and ends when it has so many bytes, as written: it is read as a whole.
const GROUP_BYTES: usize = 16 << 20;

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
    pub old: Option<Arc<PartFile>>,
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

/// Makes a part. Returns what was read; its rows are those of the file.
pub(super) fn build(
    plan: &PartPlan,
    context: &Arc<Context>,
    ledger: &Arc<Ledger>,
    file: usize,
    to: (&Path, impl Write + Send),
    stop: &AtomicBool,
) -> Result<Option<Entry>, PartError> {
    let split = Split {
        file,
        source: plan.source.clone(),
        name: plan.name.clone(),
        context: context.clone(),
        range: plan.range.clone(),
        part: plan.old.clone(),
        first_record: None,
        only: None,
    };
    let columns = plan.columns.iter().map(|column| column.index()).collect();
    let request = Arc::new(Request { columns, filter: None, limit: None });
    let meter = Meter::new(&ExecutionPlanMetricsSet::new(), 0);
    let scan = Scan::open(split, request, ledger.clone(), meter)?;
    let write = |source| PartError::Write { path: to.0.to_owned(), source };
    let options =
        ParquetOptions { group_rows: GROUP_ROWS, group_bytes: GROUP_BYTES, ..ParquetOptions::default() };
    let schema = column::schema_of(&plan.columns);
    let mut sink = ParquetSink::new(to.1, &schema, &options).map_err(write)?;
    for batch in scan {
        if stop.load(Ordering::Relaxed) {
            return Err(PartError::Stopped);
        }
        sink.write(&batch?).map_err(write)?;
    }
    Box::new(sink).finish().map_err(write)?;
    Ok(ledger.entry(file, plan.range.start))
}
