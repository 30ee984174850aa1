//! What `explain` answers, for people: its lines as they are, for a table would put a plan into a cell.

use std::io::Write;

use datafusion::arrow::datatypes::SchemaRef;

use super::line::{Columns, Line, LineSink};

/// Writes plans. Memory: one plan.
pub type PlanSink<W> = LineSink<W, Plan>;

/// A plan, one line per node.
pub struct Plan;

impl<W: Write> PlanSink<W> {
    /// A sink for plans.
    pub fn new(to: W) -> Self {
        Self::of(to, Plan)
    }
}

/// Whether rows of this schema are plans.
pub fn is_plan(schema: &SchemaRef) -> bool {
    schema.fields().iter().map(|field| &**field.name()).eq(["plan_type", "plan"])
}

impl Line for Plan {
    fn append(&self, columns: &Columns<'_>, row: usize, to: &mut Vec<u8>) {
        let [kind, plan] = &columns.cells[..] else { return };
        let [kind, plan] = [kind, plan].map(|cells| cells.text(row).unwrap_or_default());
        to.extend(format!("{}:\n", kind.replace('_', " ")).bytes());
        for line in plan.lines() {
            let tame: String = line.chars().filter(|c| !c.is_control()).collect();
            to.extend(format!("  {tame}\n").bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::{Sink, samples};

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
