//! `.info` files as a table: address and the languages that are expected there.

use std::fmt;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use async_trait::async_trait;
use datafusion::arrow::array::{RecordBatch, StringBuilder};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::streaming::StreamingTable;
use datafusion::catalog::{Session, TableProvider};
use datafusion::datasource::TableType;
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::PartitionStream;
use tamis_words::language::{InfoLine, Language};

const BATCH_ROWS: usize = 8192;
/// A longer line is none.
const LINE_BYTES: u64 = 1 << 20;
/// So many faults are kept to be told; the others are counted.
const MOST_FAULTS: usize = 1000;

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let text = |name| Field::new(name, DataType::Utf8, false);
    Arc::new(Schema::new(vec![text("url"), text("languages")]))
});

/// Opens a file for reading, unpacked.
pub type Open = fn(&Path) -> std::io::Result<Box<dyn BufRead + Send>>;

/// `.info` files as a table.
#[derive(Debug)]
pub struct Expected {
    files: Arc<[PathBuf]>,
    open: Open,
    log: Arc<Log>,
}

/// A line that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct InfoFault {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1; 0 for the file as a whole.
    pub line: u64,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for InfoFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.line > 0 {
            write!(f, ": line {}", self.line)?;
        }
        write!(f, ": {}", self.what)
    }
}

#[derive(Debug, Default)]
struct Log {
    faults: Mutex<(Vec<InfoFault>, u64)>,
}

impl Log {
    fn enter(&self, fault: InfoFault) {
        let (faults, count) = &mut *self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        *count += 1;
        if faults.len() < MOST_FAULTS {
            faults.push(fault);
        }
    }
}

impl Expected {
    /// The expectations in some files.
    pub fn new(files: Vec<PathBuf>, open: Open) -> Self {
        Self { files: files.into(), open, log: Arc::default() }
    }

    /// Lines that could not be read, in the order of the files and their lines, and how many there were in all.
    pub fn faults(&self) -> (Vec<InfoFault>, u64) {
        let (mut faults, count) = self.log.faults.lock().unwrap_or_else(PoisonError::into_inner).clone();
        faults.sort();
        (faults, count)
    }
}

#[async_trait]
impl TableProvider for Expected {
    fn schema(&self) -> SchemaRef {
        SCHEMA.clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let partitions = state.config().target_partitions().clamp(1, self.files.len().max(1));
        let partition = |at: usize| -> Arc<dyn PartitionStream> {
            let files = self.files.iter().skip(at).step_by(partitions).cloned().collect();
            Arc::new(InfoFiles { files, open: self.open, log: self.log.clone() })
        };
        let table = StreamingTable::try_new(SCHEMA.clone(), (0..partitions).map(partition).collect())?;
        table.scan(state, projection, filters, limit).await
    }
}

/// Some of the files.
#[derive(Debug)]
struct InfoFiles {
    files: Vec<PathBuf>,
    open: Open,
    log: Arc<Log>,
}

impl PartitionStream for InfoFiles {
    fn schema(&self) -> &SchemaRef {
        &SCHEMA
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let (open, log) = (self.open, self.log.clone());
        let batches =
            self.files.clone().into_iter().flat_map(move |path| Rows::open(path, open, log.clone()));
        Box::pin(RecordBatchStreamAdapter::new(SCHEMA.clone(), futures::stream::iter(batches)))
    }
}

/// The lines of a file as batches.
struct Rows {
    path: PathBuf,
    input: Option<Box<dyn BufRead + Send>>,
    line: u64,
    buffer: Vec<u8>,
    log: Arc<Log>,
}

impl Rows {
    fn open(path: PathBuf, open: Open, log: Arc<Log>) -> Self {
        let mut rows = Self { input: None, line: 0, buffer: Vec::new(), log, path };
        match open(&rows.path) {
            Ok(input) => rows.input = Some(input),
            Err(error) => rows.fault(error.to_string()),
        }
        rows
    }

    fn fault(&self, what: String) {
        self.log.enter(InfoFault { file: self.path.clone(), line: self.line, what });
    }

    /// The next line; none at the end of what can be read.
    fn next_line(&mut self) -> Option<&[u8]> {
        self.buffer.clear();
        let input = self.input.as_mut()?;
        match std::io::Read::take(&mut *input, LINE_BYTES).read_until(b'\n', &mut self.buffer) {
            Ok(0) => None,
            Ok(len) => {
                self.line += 1;
                if len as u64 == LINE_BYTES && !self.buffer.ends_with(b"\n") {
                    _ = input.skip_until(b'\n');
                    self.buffer.clear();
                }
                Some(self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer))
            }
            Err(error) => {
                self.line += 1;
                self.fault(error.to_string());
                self.input = None;
                None
            }
        }
    }
}

impl Iterator for Rows {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut urls, mut languages) = (StringBuilder::new(), StringBuilder::new());
        let mut rows = 0;
        while rows < BATCH_ROWS {
            let Some(line) = self.next_line() else { break };
            let parsed = match std::str::from_utf8(line) {
                Ok(line) => InfoLine::parse(line).map_err(|error| error.to_string()),
                Err(error) => Err(format!("not UTF-8: {error}")),
            };
            match parsed {
                Ok(info) => {
                    let codes: Vec<&str> = info.languages.iter().map(Language::code).collect();
                    urls.append_value(info.url);
                    languages.append_value(codes.join(","));
                    rows += 1;
                }
                Err(what) => self.fault(what),
            }
        }
        let columns: Vec<datafusion::arrow::array::ArrayRef> =
            vec![Arc::new(urls.finish()), Arc::new(languages.finish())];
        (rows > 0).then(|| Ok(RecordBatch::try_new(SCHEMA.clone(), columns)?))
    }
}
