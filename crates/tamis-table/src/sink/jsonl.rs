//! A JSON object a line. What is not known is `null`; moments are ISO 8601 in UTC.

use std::io::Write;

use datafusion::arrow::datatypes::SchemaRef;

use super::cell::write_string;
use super::line::{Columns, Line, LineSink};

/// Writes a JSON object per line. Memory: one line.
pub type JsonlSink<W> = LineSink<W, Jsonl>;

/// A JSON object.
pub struct Jsonl {
    /// The names as JSON, each with what comes before and after it.
    names: Vec<Vec<u8>>,
}

impl<W: Write> JsonlSink<W> {
    /// A sink for rows of a schema.
    pub fn new(to: W, schema: &SchemaRef) -> Self {
        let names = schema.fields().iter().enumerate().map(|(at, field)| {
            let mut name = vec![if at == 0 { b'{' } else { b',' }];
            write_string(field.name(), &mut name);
            name.push(b':');
            name
        });
        Self::of(to, Jsonl { names: names.collect() })
    }
}

impl Line for Jsonl {
    fn append(&self, columns: &Columns<'_>, row: usize, to: &mut Vec<u8>) {
        for (name, cells) in self.names.iter().zip(&columns.cells) {
            to.extend(name);
            cells.write_json(row, to);
        }
        to.extend(if columns.cells.is_empty() { &b"{}\n"[..] } else { b"}\n" });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::{Sink, samples};

    #[test]
    fn rows_are_objects_with_all_their_fields() {
        let rows = samples::rows();
        let mut out = Vec::new();
        let mut sink = Box::new(JsonlSink::new(&mut out, &rows.schema()));
        sink.write(&rows).expect("memory takes all");
        sink.finish().expect("memory takes all");
        let lines: Vec<serde_json::Value> = out
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).expect("it is JSON"))
            .collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0]["text"], "a \"b\"\tc\r\nd, e");
        assert_eq!(lines[0]["time"], "2019-05-06T08:00:00.250Z");
        assert_eq!(lines[1]["texts"], serde_json::Value::Null);
        assert_eq!(lines[1].as_object().map(serde_json::Map::len), Some(rows.num_columns()));
    }
}
