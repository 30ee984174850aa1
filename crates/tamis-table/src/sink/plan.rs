//! What `explain` answers, for people: its lines as they are, for a table would put a plan into a cell.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;

use super::cell::Cells;
use super::{Sink, SinkError};

/// Writes plans. Memory: one batch, as it is given.
pub struct PlanSink<W> {
    to: W,
}

impl<W: Write> PlanSink<W> {
    /// A sink for plans.
    pub fn new(to: W) -> Self {
        Self { to }
    }
}

/// Whether rows of this schema are plans.
pub fn is_plan(schema: &SchemaRef) -> bool {
    schema.fields().iter().map(|field| &**field.name()).eq(["plan_type", "plan"])
}

impl<W: Write> Sink for PlanSink<W> {
    fn write(&mut self, rows: &RecordBatch) -> Result<(), SinkError> {
        let columns = Cells::of_all(rows.columns())?;
        for row in 0..rows.num_rows() {
            let texts = columns.iter().map(|cells| cells.text(row).unwrap_or_default());
            let [kind, plan] = &texts.collect::<Vec<_>>()[..] else { continue };
            writeln!(self.to, "{}:", kind.replace('_', " "))?;
            for line in plan.lines() {
                let tame: String = line.chars().filter(|c| !c.is_control()).collect();
                writeln!(self.to, "  {tame}")?;
            }
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
    fn a_plan_keeps_its_lines() {
        let rows = samples::of_texts(&[
            ("plan_type", vec![Some("physical_plan")]),
            ("plan", vec![Some("Sort\n  Scan\n")]),
        ]);
        let mut out = Vec::new();
        let mut sink = Box::new(PlanSink::new(&mut out));
        sink.write(&rows).expect("memory takes all");
        sink.finish().expect("memory takes all");
        assert_eq!(String::from_utf8_lossy(&out), "physical plan:\n  Sort\n    Scan\n");
        assert!(is_plan(&rows.schema()) && !is_plan(&samples::rows().schema()));
    }
}
