//! Sinks that write each row by itself.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;

use super::cell::Cells;
use super::{Sink, SinkError};

/// Appends the bytes of a row.
pub trait Line {
    /// Appends one row of a batch, line end included.
    fn append(&self, columns: &Columns<'_>, row: usize, to: &mut Vec<u8>);
}

/// The columns of a batch.
pub struct Columns<'a> {
    rows: &'a RecordBatch,
    pub(super) cells: Vec<Cells>,
}

impl Columns<'_> {
    /// The column of this name.
    pub(super) fn named(&self, name: &str) -> Option<&Cells> {
        self.rows.schema_ref().index_of(name).ok().and_then(|at| self.cells.get(at))
    }
}

/// Writes rows one by one. Memory: one row.
pub struct LineSink<W, L> {
    to: W,
    line: L,
}

impl<W: Write, L: Line> LineSink<W, L> {
    /// A sink that begins with these bytes.
    pub(super) fn beginning(mut to: W, line: L, head: &[u8]) -> Result<Self, SinkError> {
        to.write_all(head)?;
        Ok(Self { to, line })
    }

    /// A sink for lines without a head.
    pub(super) fn of(to: W, line: L) -> Self {
        Self { to, line }
    }
}

impl<W: Write, L: Line> Sink for LineSink<W, L> {
    fn write(&mut self, rows: &RecordBatch) -> Result<(), SinkError> {
        let columns = Columns { rows, cells: Cells::of_all(rows.columns())? };
        let mut bytes = Vec::new();
        for row in 0..rows.num_rows() {
            bytes.clear();
            self.line.append(&columns, row, &mut bytes);
            self.to.write_all(&bytes)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), SinkError> {
        Ok(self.to.flush()?)
    }
}
