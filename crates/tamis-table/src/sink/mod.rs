//! Where rows go: files that other programs read, and lines for people.
//!
//! Each sink writes the same bytes for the same rows, in whatever batches they come.

mod cell;
mod csv;
mod formula;
mod jsonl;
mod line;
mod pages;
mod parquet;
mod plan;
mod reference;
mod table;
mod text;
mod tsv;

use std::io;

use ::parquet::errors::ParquetError;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::error::ArrowError;

pub use csv::CsvSink;
pub use formula::Formulas;
pub use jsonl::JsonlSink;
pub use line::LineSink;
pub use pages::{PageCounts, PagesSink, PagesWanted, page_facts, schema_of_pages};
pub use parquet::{ParquetOptions, ParquetSink};
pub use plan::{PlanSink, is_plan};
pub use reference::{REFERENCE_COLUMNS, ReferenceSink};
pub use table::{TableOptions, TableSink};
pub use text::{ArticleSink, TextSink};
pub use tsv::TsvSink;

/// A place for rows.
pub trait Sink {
    /// Takes some rows. All have the schema that the sink was made with.
    fn write(&mut self, rows: &RecordBatch) -> Result<(), SinkError>;

    /// Writes what is left. Without it the output is not whole.
    fn finish(self: Box<Self>) -> Result<(), SinkError>;
}

/// Why rows could not be written.
#[derive(Debug, thiserror::Error)]
pub enum SinkError {
    /// The file or stream took no more.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A value has no form here.
    #[error(transparent)]
    Value(#[from] ArrowError),
    /// A column has no form in Parquet, or the like.
    #[error(transparent)]
    Parquet(ParquetError),
}

impl From<ParquetError> for SinkError {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(error) => match error.downcast::<io::Error>() {
                Ok(error) => SinkError::Io(*error),
                Err(error) => SinkError::Parquet(ParquetError::External(error)),
            },
            error => SinkError::Parquet(error),
        }
    }
}

#[cfg(test)]
pub(crate) mod samples;
