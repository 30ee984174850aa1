//! Rows for people: aligned columns, as wide as the terminal, or a block a row where there are too many columns for that.
//!
//! The first rows decide how wide each column is; the others come as they are read. On a terminal a value that has no room is
//! cut, with a `…`; where there is none, every value is whole, and one that is too wide moves what stands behind it.

mod layout;
mod width;

use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;

use super::cell::{Cells, is_number};
use super::{Sink, SinkError};
use layout::{Column, Layout};
use width::{printable, width};

/// So many rows decide how wide columns are,
const LOOKED_AT: usize = 1000;
/// or so many bytes of them.
const LOOKED_AT_BYTES: usize = 1 << 20;

/// How a table is printed.
#[derive(Debug, Clone, Copy, Default)]
pub struct TableOptions {
    /// The columns of the terminal; none where there is none.
    pub width: Option<usize>,
}

/// Writes rows for people. Memory: the first thousand rows, or the first of them with a megabyte of text.
pub struct TableSink<W> {
    to: W,
    options: TableOptions,
    columns: Vec<Column>,
    /// The first rows, until they are enough.
    first: Vec<Vec<String>>,
    first_bytes: usize,
    layout: Option<Layout>,
    count: u64,
}

impl<W: Write> TableSink<W> {
    /// A sink for rows of a schema.
    pub fn new(to: W, schema: &SchemaRef, options: TableOptions) -> Self {
        let columns = schema.fields().iter().map(|field| {
            let name = printable(field.name(), None);
            Column { widest: width(&name), name, is_number: is_number(field.data_type()) }
        });
        Self {
            to,
            options,
            columns: columns.collect(),
            first: Vec::new(),
            first_bytes: 0,
            layout: None,
            count: 0,
        }
    }

    fn add(&mut self, row: Vec<String>) -> Result<(), SinkError> {
        if let Some(layout) = &self.layout {
            self.count += 1;
            return Ok(layout.write_row(&row, self.count, &mut self.to)?);
        }
        for (column, value) in self.columns.iter_mut().zip(&row) {
            column.widest = column.widest.max(width(value));
        }
        self.first_bytes += row.iter().map(String::len).sum::<usize>();
        self.first.push(row);
        if self.first.len() >= LOOKED_AT || self.first_bytes >= LOOKED_AT_BYTES {
            self.begin()?;
        }
        Ok(())
    }

    /// Lays the table out and writes the rows that were looked at.
    fn begin(&mut self) -> Result<(), SinkError> {
        let layout = Layout::of(std::mem::take(&mut self.columns), self.options.width);
        layout.write_head(&mut self.to)?;
        for row in std::mem::take(&mut self.first) {
            self.count += 1;
            layout.write_row(&row, self.count, &mut self.to)?;
        }
        self.layout = Some(layout);
        Ok(())
    }
}

impl<W: Write> Sink for TableSink<W> {
    fn write(&mut self, rows: &RecordBatch) -> Result<(), SinkError> {
        let columns = Cells::of_all(rows.columns())?;
        for row in 0..rows.num_rows() {
            let value = |cells: &Cells| match cells.joined(row) {
                Some(text) => printable(&text, self.options.width),
                None => "-".to_owned(),
            };
            let row = columns.iter().map(value).collect();
            self.add(row)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), SinkError> {
        if self.layout.is_none() {
            self.begin()?;
        }
        let noun = if self.count == 1 { "row" } else { "rows" };
        writeln!(self.to, "({} {noun})", grouped(self.count))?;
        Ok(self.to.flush()?)
    }
}

/// A number with a comma before every three digits.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::samples;

    fn written(batches: &[RecordBatch], width: Option<usize>) -> String {
        let mut out = Vec::new();
        let options = TableOptions { width };
        let mut sink = Box::new(TableSink::new(&mut out, &batches[0].schema(), options));
        for rows in batches {
            sink.write(rows).expect("memory takes all");
        }
        sink.finish().expect("memory takes all");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn columns_are_aligned_by_what_a_terminal_shows() {
        let rows = samples::of_texts(&[
            ("a", vec![Some("x"), Some("日本"), None, Some("e\u{301}t\u{1b}[0m\n\te")]),
            ("b", vec![Some("1"), Some("2"), Some("3"), Some("4")]),
        ]);
        let expected =
            "a        b\n───────  ─\nx        1\n日本     2\n-        3\ne\u{301}t[0m e  4\n(4 rows)\n";
        assert_eq!(written(&[rows], None), expected);
    }

    #[test]
    fn a_terminal_gets_no_more_than_it_can_show() {
        let long = "word ".repeat(50);
        let rows = samples::of_texts(&[("text", vec![Some(&*long); 3]), ("b", vec![Some("x"); 3])]);
        for text in written(std::slice::from_ref(&rows), Some(40)).lines() {
            assert!(width(text) <= 40, "{text}");
        }
        assert!(written(std::slice::from_ref(&rows), Some(40)).contains("…  x"));
        assert!(written(&[rows], None).contains(long.trim()));
    }

    #[test]
    fn numbers_stand_on_the_right_and_are_never_cut() {
        let text = written(&[samples::rows()], Some(150));
        assert!(text.contains("18446744073709551615"), "{text}");
        let rows = samples::rows().project(&[1]).expect("a column");
        assert_eq!(
            written(&[rows], Some(10)),
            "               count\n────────────────────\n18446744073709551615\n                   -\n(2 rows)\n"
        );
    }

    #[test]
    fn too_many_columns_are_a_block_a_row() {
        let expected_start = "── 1 ─────────────────────────\ntext        a \"b\" c d, e\ncount       18446744073709551615\nfloat";
        let text = written(&[samples::rows()], Some(30));
        assert!(text.starts_with(expected_start), "{text}");
        assert!(text.contains("\n── 2 ──") && text.ends_with("dictionary  -\n(2 rows)\n"), "{text}");
    }

    #[test]
    fn batches_leave_no_trace() {
        let rows = samples::of_texts(&[("a", (0..1500).map(|_| Some("x")).collect::<Vec<_>>())]);
        let parts: Vec<_> = (0..15).map(|at| rows.slice(at * 100, 100)).collect();
        assert_eq!(written(&parts, None), written(&[rows], None));
        assert!(written(&parts, None).ends_with("(1,500 rows)\n"));
    }

    #[test]
    fn no_rows_are_a_head_and_a_count() {
        let rows = samples::of_texts(&[("a", vec![])]);
        assert_eq!(written(&[rows], Some(80)), "a\n─\n(0 rows)\n");
    }
}
