//! Comma-separated values as RFC 4180 has them: lines end in CRLF, what needs quotes has them. Lists and the like are JSON.
//!
//! Null is nothing, an empty text is `""`. Where a row is one null it is `""` too, for many readers skip empty lines.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;

use super::cell::Cells;
use super::{Sink, SinkError};

/// Writes comma-separated values, the names first. Memory: one line.
pub struct CsvSink<W> {
    to: W,
}

impl<W: Write> CsvSink<W> {
    /// A sink for rows of a schema.
    pub fn new(mut to: W, schema: &SchemaRef) -> Result<Self, SinkError> {
        let mut line = Vec::new();
        write_line(schema.fields().iter().map(|field| Some(field.name())), &mut line);
        to.write_all(&line)?;
        Ok(Self { to })
    }
}

impl<W: Write> Sink for CsvSink<W> {
    fn write(&mut self, rows: &RecordBatch) -> Result<(), SinkError> {
        let columns = Cells::of_all(rows.columns())?;
        let mut line = Vec::new();
        for row in 0..rows.num_rows() {
            line.clear();
            write_line(columns.iter().map(|cells| cells.text(row)), &mut line);
            self.to.write_all(&line)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), SinkError> {
        Ok(self.to.flush()?)
    }
}

fn write_line(values: impl Iterator<Item = Option<impl AsRef<str>>>, to: &mut Vec<u8>) {
    for (at, value) in values.enumerate() {
        if at > 0 {
            to.push(b',');
        }
        if let Some(value) = value {
            write_value(value.as_ref(), to);
        }
    }
    if to.is_empty() {
        to.extend(b"\"\"");
    }
    to.extend(b"\r\n");
}

fn write_value(value: &str, to: &mut Vec<u8>) {
    // Blanks at the ends are dropped by some readers unless they are in quotes.
    let needs_quotes =
        value.is_empty() || value.contains(['"', ',', '\r', '\n']) || value.trim().len() < value.len();
    if needs_quotes {
        to.push(b'"');
        to.extend(value.replace('"', "\"\"").bytes());
        to.push(b'"');
    } else {
        to.extend(value.bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::samples;

    fn written(rows: &RecordBatch) -> String {
        let mut out = Vec::new();
        let mut sink = Box::new(CsvSink::new(&mut out, &rows.schema()).expect("memory takes all"));
        sink.write(rows).expect("memory takes all");
        sink.finish().expect("memory takes all");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn values_are_quoted_where_they_need_it() {
        let rows = samples::of_texts(&[
            ("a", vec![Some("x"), Some("1,2"), Some("say \"no\""), None, Some("")]),
            ("b,c", vec![Some(" y"), Some("two\r\nlines"), Some("ü"), None, Some("é")]),
        ]);
        let expected =
            "a,\"b,c\"\r\nx,\" y\"\r\n\"1,2\",\"two\r\nlines\"\r\n\"say \"\"no\"\"\",ü\r\n,\r\n\"\",é\r\n";
        assert_eq!(written(&rows), expected);
    }

    #[test]
    fn a_row_of_one_null_is_no_empty_line() {
        assert_eq!(written(&samples::nothing(2)), "nothing\r\n\"\"\r\n\"\"\r\n");
    }

    #[test]
    fn parts_are_json() {
        assert!(
            written(&samples::rows()).contains(r#""[""x"",""y,z""]","{""name"":""n"",""count"":3}",dict"#)
        );
    }
}
