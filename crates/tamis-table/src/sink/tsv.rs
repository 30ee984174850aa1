//! Values with tabs between them, a row a line, names in the first.
//!
//! There are no quotes: a tab, a line feed or a carriage return in a value becomes a space, so that every line has the same
//! number of values whatever a page holds. Texts of a list have a comma between them; what has other parts is JSON.

use std::io::Write;

use datafusion::arrow::datatypes::SchemaRef;

use super::SinkError;
use super::formula::{Formulas, cell};
use super::line::{Columns, Line, LineSink};

/// Writes tab-separated values, the names first. Memory: one line.
pub type TsvSink<W> = LineSink<W, Tsv>;

/// A line of values.
pub struct Tsv {
    null: String,
    /// The columns whose texts must not be formulas.
    texts: Vec<bool>,
}

impl<W: Write> TsvSink<W> {
    /// A sink for rows of a schema. Null is written as `null`, which has no tab or line break.
    pub fn new(to: W, schema: &SchemaRef, null: &str, formulas: Formulas) -> Result<Self, SinkError> {
        let mut head = Vec::new();
        write_line(schema.fields().iter().map(|field| Some(formulas.cell(field.name()))), null, &mut head);
        Self::beginning(to, Tsv { null: null.to_owned(), texts: formulas.columns(schema) }, &head)
    }
}

impl Line for Tsv {
    fn append(&self, columns: &Columns<'_>, row: usize, to: &mut Vec<u8>) {
        let cells = columns.cells.iter().zip(&self.texts);
        write_line(cells.map(|(cells, &is_text)| cell(is_text, cells.joined(row))), &self.null, to);
    }
}

/// Adds a line of values.
pub(super) fn write_line(
    values: impl Iterator<Item = Option<impl AsRef<str>>>,
    null: &str,
    to: &mut Vec<u8>,
) {
    for (at, value) in values.enumerate() {
        if at > 0 {
            to.push(b'\t');
        }
        let tame = |byte| if matches!(byte, b'\t' | b'\n' | b'\r') { b' ' } else { byte };
        match value {
            Some(value) => to.extend(value.as_ref().bytes().map(tame)),
            None => to.extend(null.bytes()),
        }
    }
    to.push(b'\n');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use datafusion::arrow::array::RecordBatch;

    use super::*;
    use crate::sink::{Sink, samples};

    fn written(rows: &RecordBatch) -> String {
        written_with_null(rows, "")
    }

    fn written_with_null(rows: &RecordBatch, null: &str) -> String {
        let mut out = Vec::new();
        let mut sink =
            Box::new(TsvSink::new(&mut out, &rows.schema(), null, Formulas::Kept).expect("memory takes all"));
        sink.write(rows).expect("memory takes all");
        sink.finish().expect("memory takes all");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn blanks_lists_and_parts_have_their_forms() {
        let text = written(&samples::rows());
        let lines: Vec<&str> = text.split('\n').collect();
        assert!(lines[1].starts_with("a \"b\" c  d, e\t18446744073709551615\t1.5\tinf\ttrue\t2019-05-06T"));
        assert!(lines[1].ends_with("\tx,y,z\t{\"name\":\"n\",\"count\":3}\tdict"));
        assert_eq!(lines[2], "\t".repeat(10));
    }

    #[test]
    fn null_has_the_text_that_was_asked_for() {
        let rows = samples::of_texts(&[("a", vec![None, Some("")]), ("b", vec![Some("x"), None])]);
        assert_eq!(written_with_null(&rows, "\\N"), "a\tb\n\\N\tx\n\t\\N\n");
    }

    proptest! {
        #[test]
        fn every_line_has_as_many_values_as_the_first(
            names in proptest::array::uniform3("[a-z\t\r\n]{1,3}"),
            rows in proptest::collection::vec(proptest::array::uniform3(any::<Option<String>>()), 0..5),
        ) {
            let column = |at: usize| rows.iter().map(|row| row[at].as_deref()).collect::<Vec<_>>();
            let names: Vec<String> = names.iter().enumerate().map(|(at, name)| format!("{name}{at}")).collect();
            let batch = samples::of_texts(&[(&*names[0], column(0)), (&*names[1], column(1)), (&*names[2], column(2))]);
            let text = written(&batch);
            prop_assert_eq!(text.matches('\n').count(), rows.len() + 1);
            prop_assert!(text.ends_with('\n') && !text.contains('\r'));
            prop_assert!(text.lines().all(|line| line.matches('\t').count() == 2));
        }
    }
}
