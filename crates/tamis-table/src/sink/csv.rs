//! Comma-separated values, quoted as in RFC 4180, with lines that end in LF. Lists and structs are JSON.
//!
//! Null is a text without quotes, by default nothing; the same text as a value is in quotes, so an empty text is `""`. A row of one
//! null that would be an empty line is `""` instead, because many readers skip empty lines.

use std::io::Write;

use datafusion::arrow::datatypes::SchemaRef;

use super::SinkError;
use super::formula::{Formulas, cell};
use super::line::{Columns, Line, LineSink};

/// Writes comma-separated values, the names first. Memory: one line.
pub type CsvSink<W> = LineSink<W, Csv>;

/// A line of values.
pub struct Csv {
    null: String,
    /// The columns whose texts must not be formulas.
    texts: Vec<bool>,
}

impl<W: Write> CsvSink<W> {
    /// A sink for rows of a schema. Null is written as `null`, which must not need quotes itself.
    pub fn new(to: W, schema: &SchemaRef, null: &str, formulas: Formulas) -> Result<Self, SinkError> {
        let mut head = Vec::new();
        write_line(schema.fields().iter().map(|field| Some(formulas.cell(field.name()))), null, &mut head);
        Self::beginning(to, Csv { null: null.to_owned(), texts: formulas.columns(schema) }, &head)
    }
}

impl Line for Csv {
    fn append(&self, columns: &Columns<'_>, row: usize, to: &mut Vec<u8>) {
        let cells = columns.cells.iter().zip(&self.texts);
        write_line(cells.map(|(cells, &is_text)| cell(is_text, cells.text(row))), &self.null, to);
    }
}

fn write_line(values: impl Iterator<Item = Option<impl AsRef<str>>>, null: &str, to: &mut Vec<u8>) {
    for (at, value) in values.enumerate() {
        if at > 0 {
            to.push(b',');
        }
        match value {
            Some(value) => write_value(value.as_ref(), null, to),
            None => to.extend(null.bytes()),
        }
    }
    if to.is_empty() {
        to.extend(b"\"\"");
    }
    to.push(b'\n');
}

fn write_value(value: &str, null: &str, to: &mut Vec<u8>) {
    // Some readers drop blanks at the ends unless they are in quotes.
    let needs_quotes = value.is_empty()
        || value == null
        || value.contains(['"', ',', '\r', '\n'])
        || value.trim().len() < value.len();
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
    use datafusion::arrow::array::RecordBatch;

    use super::*;
    use crate::sink::{Sink, samples};

    fn written(rows: &RecordBatch) -> String {
        written_with_null(rows, "")
    }

    fn written_with_null(rows: &RecordBatch, null: &str) -> String {
        let mut out = Vec::new();
        let mut sink =
            Box::new(CsvSink::new(&mut out, &rows.schema(), null, Formulas::Kept).expect("memory takes all"));
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
        let expected = "a,\"b,c\"\nx,\" y\"\n\"1,2\",\"two\r\nlines\"\n\"say \"\"no\"\"\",ü\n,\n\"\",é\n";
        assert_eq!(written(&rows), expected);
    }

    #[test]
    fn formulas_are_quoted_if_asked_and_numbers_never() {
        let rows = samples::of_texts(&[(
            "=a",
            vec![
                Some("=1+1"),
                Some("+1"),
                Some("-1"),
                Some("@x"),
                Some("\t=1"),
                Some("a=1"),
                Some("'="),
                None,
            ],
        )]);
        let written = |formulas: Formulas| {
            let mut out = Vec::new();
            let sink = CsvSink::new(&mut out, &rows.schema(), "", formulas).expect("memory takes all");
            let mut sink = Box::new(sink);
            sink.write(&rows).expect("memory takes all");
            sink.finish().expect("memory takes all");
            String::from_utf8(out).expect("UTF-8")
        };
        assert_eq!(written(Formulas::Kept), "=a\n=1+1\n+1\n-1\n@x\n\"\t=1\"\na=1\n'=\n\"\"\n");
        assert_eq!(written(Formulas::Quoted), "'=a\n'=1+1\n'+1\n'-1\n'@x\n'\t=1\na=1\n'=\n\"\"\n");
    }

    #[test]
    fn null_is_told_from_every_text() {
        let rows = samples::of_texts(&[("a", vec![None, Some(""), Some("NULL"), Some("x")])]);
        assert_eq!(written(&rows), "a\n\"\"\n\"\"\nNULL\nx\n");
        assert_eq!(written_with_null(&rows, "NULL"), "a\nNULL\n\"\"\n\"NULL\"\nx\n");
    }

    #[test]
    fn a_row_of_one_null_is_no_empty_line() {
        assert_eq!(written(&samples::nothing(2)), "nothing\n\"\"\n\"\"\n");
    }

    #[test]
    fn parts_are_json() {
        assert!(
            written(&samples::rows()).contains(r#""[""x"",""y,z""]","{""name"":""n"",""count"":3}",dict"#)
        );
    }
}
