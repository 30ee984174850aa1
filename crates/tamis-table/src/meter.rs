//! How often each step was taken: what plans show after a run, and what the tests of laziness count.

use datafusion::physical_plan::metrics::{Count, ExecutionPlanMetricsSet, MetricBuilder};

use crate::stage::Stages;

/// Counters of the steps taken in one partition of a scan.
#[derive(Debug, Clone)]
pub(crate) struct Meter(Vec<Count>);

impl Meter {
    pub(crate) fn new(metrics: &ExecutionPlanMetricsSet, partition: usize) -> Self {
        let counter = |name| MetricBuilder::new(metrics).counter(metric_name(name), partition);
        Self(Stages::all_names().map(counter).collect())
    }

    /// Counts the last step of these: the others were counted when they were taken.
    pub(crate) fn count(&self, stages: Stages) {
        if let Some(place) = stages.places().last() {
            self.0[place].add(1);
        }
    }
}

/// The name of a step's counter among the metrics of a plan.
pub fn metric_name(stage: &'static str) -> String {
    format!("pages_{}", stage.replace('-', "_"))
}
