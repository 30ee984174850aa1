//! Archives as a DataFusion file source: what it is asked for becomes a [`Plan`], a file's range becomes a scan.

use std::fmt;
use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileOpenFuture, FileOpener, FileScanConfig, FileSource};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::{DataFusionError, Result};
use datafusion::object_store::ObjectStore;
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_expr::{PhysicalExpr, conjunction};
use datafusion::physical_plan::DisplayFormatType;
use datafusion::physical_plan::filter_pushdown::{FilterPushdownPropagation, PushedDown};
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion_datasource::projection::{ProjectionOpener, SplitProjection};
use futures::{FutureExt, StreamExt, stream};

use crate::column::{self, Column};
use crate::ledger::Ledger;
use crate::meter::Meter;
use crate::scan::{Plan, Request, Scan, Split};
use crate::stage::Stages;

/// Archives as a file source. Each file of the scan carries its [`Split`].
#[derive(Clone)]
pub(crate) struct PagesSource {
    schema: TableSchema,
    projection: SplitProjection,
    predicate: Option<Arc<dyn PhysicalExpr>>,
    ledger: Arc<Ledger>,
    /// The kept columns of each range.
    kept: Arc<[Option<KeptColumns>]>,
    metrics: ExecutionPlanMetricsSet,
}

/// The columns of a part.
type KeptColumns = Arc<[&'static Column]>;

impl PagesSource {
    pub(crate) fn new(ledger: Arc<Ledger>, kept: Arc<[Option<KeptColumns>]>) -> Self {
        let schema = TableSchema::from(column::schema());
        Self {
            projection: SplitProjection::unprojected(&schema),
            schema,
            predicate: None,
            ledger,
            kept,
            metrics: ExecutionPlanMetricsSet::new(),
        }
    }

    fn request(&self, limit: Option<usize>) -> Request {
        Request { columns: self.projection.file_indices.clone(), filter: self.predicate.clone(), limit }
    }

    /// How many ranges are read from kept columns alone, from both, and from archives alone; and what may be done to a page.
    fn reads(&self) -> Result<([usize; 3], Stages)> {
        let (mut counts, mut stages) = ([0; 3], Stages::NONE);
        let mut plans: Vec<(&Option<KeptColumns>, usize, Stages)> = Vec::new();
        for kept in self.kept.iter() {
            let known = plans
                .iter()
                .find(|(other, ..)| same(other.as_ref(), kept.as_ref()))
                .map(|&(_, at, stages)| (at, stages));
            let (at, of_plan) = if let Some(known) = known {
                known
            } else {
                let request = self.request(None);
                let used = kept.as_deref().filter(|kept| request.can_use(kept));
                let plan = Plan::new(&request, used)?;
                let at = match (used, plan.needs_archive()) {
                    (Some(_), false) => 0,
                    (Some(_), true) => 1,
                    (None, _) => 2,
                };
                plans.push((kept, at, plan.stages));
                (at, plan.stages)
            };
            counts[at] += 1;
            stages |= of_plan;
        }
        Ok((counts, stages))
    }
}

fn same(one: Option<&KeptColumns>, other: Option<&KeptColumns>) -> bool {
    let ids = |kept: Option<&KeptColumns>| {
        kept.map(|columns| columns.iter().map(|column| column.id).collect::<Vec<_>>())
    };
    ids(one) == ids(other)
}

impl FileSource for PagesSource {
    fn create_file_opener(
        &self,
        _: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let opener = PagesOpener {
            request: Arc::new(self.request(config.limit)),
            ledger: self.ledger.clone(),
            meter: Meter::new(&self.metrics, partition),
        };
        ProjectionOpener::try_new(self.projection.clone(), Arc::new(opener), self.schema.file_schema())
    }

    fn table_schema(&self) -> &TableSchema {
        &self.schema
    }

    /// Chunks bound batches by their bytes, so that this does not matter.
    fn with_batch_size(&self, _: usize) -> Arc<dyn FileSource> {
        Arc::new(self.clone())
    }

    fn filter(&self) -> Option<Arc<dyn PhysicalExpr>> {
        self.predicate.clone()
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection.source)
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    fn file_type(&self) -> &'static str {
        "pages"
    }

    fn fmt_extra(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([kept, both, archive], stages) = self.reads().map_err(|_| fmt::Error)?;
        write!(
            f,
            ", ranges=[kept: {kept}, kept and archive: {both}, archive: {archive}], annotators=[{stages}]"
        )?;
        self.predicate.iter().try_for_each(|predicate| write!(f, ", predicate={predicate}"))
    }

    /// Files are cut into ranges before.
    fn supports_repartitioning(&self) -> bool {
        false
    }

    /// Every filter is ours: one on heads is answered before the body is looked at, any other as soon as it can be.
    fn try_pushdown_filters(
        &self,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn FileSource>>> {
        let is_ours: Vec<bool> = filters.iter().map(is_steady).collect();
        let verdicts =
            is_ours.iter().map(|&ours| if ours { PushedDown::Yes } else { PushedDown::No }).collect();
        let ours = filters.into_iter().zip(&is_ours).filter(|&(_, &ours)| ours).map(|(filter, _)| filter);
        let all: Vec<_> = self.predicate.iter().cloned().chain(ours).collect();
        let predicate = (!all.is_empty()).then(|| conjunction(all));
        let source: Arc<dyn FileSource> = Arc::new(Self { predicate, ..self.clone() });
        Ok(FilterPushdownPropagation::with_parent_pushdown_result(verdicts).with_updated_node(source))
    }

    fn try_pushdown_projection(&self, projection: &ProjectionExprs) -> Result<Option<Arc<dyn FileSource>>> {
        let merged = self.projection.source.try_merge(projection)?;
        let projection = SplitProjection::new(self.schema.file_schema(), &merged);
        Ok(Some(Arc::new(Self { projection, ..self.clone() })))
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        let projected = self.projection.source.iter().map(|projected| &projected.expr);
        for expression in self.predicate.iter().chain(projected) {
            if f(expression)? == TreeNodeRecursion::Stop {
                return Ok(TreeNodeRecursion::Stop);
            }
        }
        Ok(TreeNodeRecursion::Continue)
    }
}

/// Whether a filter gives the same for the same row, however often it is asked.
fn is_steady(filter: &Arc<dyn PhysicalExpr>) -> bool {
    !filter.exists(|part| Ok(part.is_volatile_node())).unwrap_or(true)
}

struct PagesOpener {
    request: Arc<Request>,
    ledger: Arc<Ledger>,
    meter: Meter,
}

impl FileOpener for PagesOpener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let split = file.extensions.get::<Split>().map(|split| (*split).clone()).ok_or_else(|| {
            DataFusionError::Internal(format!("{}: a file without its range", file.object_meta.location))
        })?;
        let (request, ledger, meter) = (self.request.clone(), self.ledger.clone(), self.meter.clone());
        Ok(async move { Ok(stream::iter(Scan::open(split, request, ledger, meter)?).boxed()) }.boxed())
    }
}
