//! A JSON object a line. What is not known is `null`; moments are ISO 8601 in UTC.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;

use super::cell::{Cells, write_string};
use super::{Sink, SinkError};

/// Writes a JSON object a line. Memory: one line.
pub struct JsonlSink<W> {
    to: W,
    /// The names as JSON, with what stands before and behind them.
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
        Self { to, names: names.collect() }
    }
}

impl<W: Write> Sink for JsonlSink<W> {
    fn write(&mut self, rows: &RecordBatch) -> Result<(), SinkError> {
        let columns = Cells::of_all(rows.columns())?;
        let mut line = Vec::new();
        for row in 0..rows.num_rows() {
            line.clear();
            for (name, cells) in self.names.iter().zip(&columns) {
                line.extend(name);
                cells.write_json(row, &mut line);
            }
            line.extend(if columns.is_empty() { &b"{}\n"[..] } else { b"}\n" });
            self.to.write_all(&line)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), SinkError> {
        Ok(self.to.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::samples;

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
