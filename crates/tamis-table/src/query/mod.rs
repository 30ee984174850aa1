//! Queries over `pages`: planned, run with bounded memory, their rows handed on in an order that does not depend on the
//! number of threads.
//!
//! A query that only picks and filters rows gives them in the order of the files and their bytes: ranges are read
//! side by side and handed on in turn. Any other query without an order of its own is sorted by all its columns, left to right.
//!
//! Memory: what sorts, groups and joins hold is bounded by [`Settings::memory_bytes`] and goes to disk beyond that; a hash
//! join cannot, so joins are sort-merge joins. Each thread reads with what [`crate::Pages`] says besides. Functions that can make much of
//! little (`growth.rs`) make at most a thread's share of that from a batch of rows, between 64 MiB and 1 GiB. The text of a query,
//! the depth of its expressions, its plan and its constants are bounded (`limits.rs`). Other expressions are bounded by their
//! inputs only: a caller that cannot rely on that watches the process.

mod error;
mod growth;
mod limits;
mod names;
mod ordered;
mod read_only;
mod sorted;
mod tables;

use std::num::NonZero;
use std::ops::ControlFlow;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::catalog::TableProvider;
use datafusion::error::DataFusionError;
use datafusion::execution::TaskContext;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::{FairSpillPool, TrackConsumersPool};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use futures::{StreamExt, future};
use tokio::runtime::Runtime;
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;

pub use error::QueryError;

use crate::dedup::Unreadable;
use crate::footer::{self, contain_thread, contained};
use crate::functions;
use crate::ledger::Discrepancy;
use crate::pages::{Order, Pages};

/// An error for want of memory names so many of those who have most of it.
const MOST_TOLD: NonZero<usize> = NonZero::new(3).expect("not zero");

/// Rows of a batch with whole pages in it: some megabytes.
const FEW_ROWS: usize = 32;

/// How queries are run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Threads.
    pub jobs: NonZero<usize>,
    /// What sorts, groups and joins may hold in memory.
    pub memory_bytes: usize,
    /// Where they put what is more.
    pub spill: PathBuf,
}

/// Breaks off the query that runs when somebody says `notify_one`.
pub type Stop = Notify;

/// Runs queries.
pub struct Engine {
    settings: Settings,
    runtime: Threads,
    context: SessionContext,
    stop: Stop,
}

/// A query that is ready to run.
pub struct Prepared {
    /// The query, for the places of errors.
    sql: String,
    plan: Arc<dyn ExecutionPlan>,
    pages: Option<Arc<Pages>>,
    /// The names of the tables that the query has.
    tables: Vec<String>,
    order: Order,
    /// How many rows to pass over, and how many to take then.
    window: (usize, Option<usize>),
}

/// Sorts of whole pages that run side by side need so much each. One that merges what it spilled takes from the share of the
/// others, and with less they fail by chance; then there is one.
const SORT_BYTES: usize = 320 << 20;

/// What recursion over a query may take, with its limits, in programs without optimisation: address space, not memory.
const PLANNER_STACK_BYTES: usize = 256 << 20;
/// The same for the expressions of a plan.
const WORKER_STACK_BYTES: usize = 32 << 20;
/// How long the threads of a dropped engine may take for the batches that they are at.
const LEAVING: Duration = Duration::from_millis(300);
/// So many batches wait for whoever takes them.
const WAITING: usize = 2;

/// The threads of an engine. Dropping them does not wait for one that is in the middle of a long batch.
struct Threads(Option<Runtime>);

impl Deref for Threads {
    type Target = Runtime;

    fn deref(&self) -> &Runtime {
        self.0.as_ref().expect("only dropping takes it")
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_timeout(LEAVING);
        }
    }
}

impl Engine {
    /// An engine without tables.
    pub fn new(settings: Settings) -> Result<Self, QueryError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(settings.jobs.get())
            .thread_stack_size(WORKER_STACK_BYTES)
            .on_thread_start(contain_thread)
            .build()
            .map_err(QueryError::Threads)?;
        let mut config = SessionConfig::new()
            .with_target_partitions(settings.jobs.get())
            .with_information_schema(true)
            .with_default_catalog_and_schema("tamis", "public");
        let options = config.options_mut();
        // Only sort-merge joins spill.
        options.optimizer.prefer_hash_join = false;
        // Ranges are the partitions: rows that are dealt out again lose their order.
        options.optimizer.enable_round_robin_repartition = false;
        // What a sort keeps back for merging what it spilled: little, or a small limit has no room for the sort itself.
        options.execution.sort_spill_reservation_bytes = (settings.memory_bytes / 16).min(10 << 20);
        options.execution.parquet.schema_force_view_types = false;
        options.execution.parquet.pushdown_filters = true;
        options.sql_parser.map_string_types_to_utf8view = false;
        let pool = TrackConsumersPool::new(FairSpillPool::new(settings.memory_bytes), MOST_TOLD);
        let disk = DiskManagerBuilder::default()
            .with_mode(DiskManagerMode::Directories(vec![settings.spill.clone()]));
        let environment = RuntimeEnvBuilder::new()
            .with_memory_pool(Arc::new(pool))
            .with_disk_manager_builder(disk)
            .with_object_store_registry(Arc::new(read_only::LocalFiles::default()))
            .build_arc()?;
        let context = SessionContext::new_with_config_rt(config, environment);
        functions::register(&context);
        growth::guard(&context, settings.memory_bytes, settings.jobs.get())?;
        Ok(Self { settings, runtime: Threads(Some(runtime)), context, stop: Stop::new() })
    }

    /// Gives queries another table beside `pages`.
    pub fn register(&self, name: &str, table: Arc<dyn TableProvider>) -> Result<(), QueryError> {
        self.context.deregister_table(name)?;
        self.context.register_table(name, table)?;
        Ok(())
    }

    /// Gives queries a table of Parquet files that have the same columns.
    pub fn register_parquet(&self, name: &str, files: &[PathBuf]) -> Result<(), QueryError> {
        for path in files {
            let unreadable = |reason| QueryError::Duplicates(Unreadable { path: path.clone(), reason });
            footer::check(path).map_err(unreadable)?;
        }
        let paths: Vec<String> = files.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        let read = self.context.read_parquet(paths, ParquetReadOptions::default());
        let table = self.planned(|| self.runtime.block_on(read))??.into_view();
        self.register(name, table)
    }

    /// Gives queries a table of a CSV, TSV, JSON Lines or Parquet file.
    pub fn register_file(&self, name: &str, path: &Path) -> Result<(), QueryError> {
        let table = self.planned(|| self.runtime.block_on(tables::of_file(&self.context, path)))?;
        let table = table.map_err(|error| QueryError::of_table(name, path, &error))?;
        self.register(name, table)
    }

    /// Plans a query over a table that it calls `pages`, with its views `captures` and `links`.
    pub fn prepare(&self, sql: &str, pages: &Arc<Pages>) -> Result<Prepared, QueryError> {
        self.register("pages", pages.clone())?;
        self.runtime.block_on(tables::register_views(&self.context))?;
        // Places of errors are places in the text that is parsed.
        let refused = |error| QueryError::of(&error, sql, &self.context);
        limits::check_text(sql).map_err(refused)?;
        let sql = names::quote_offset(sql);
        let planned = self.planned(|| self.runtime.block_on(self.plan(&sql, pages)))?;
        planned.map_err(|error| QueryError::of(&error, &sql, &self.context))
    }

    /// Plans with a stack for deep queries. A panic is an error, for what is planned may be anything.
    fn planned<T: Send>(&self, plan: impl FnOnce() -> T + Send) -> Result<T, QueryError> {
        let planned = thread::scope(|scope| {
            let planner = thread::Builder::new().name("planner".to_owned()).stack_size(PLANNER_STACK_BYTES);
            let planner = planner.spawn_scoped(scope, || contained(plan));
            planner.map_err(QueryError::Threads).map(thread::ScopedJoinHandle::join)
        })?;
        // The thread itself does not panic.
        let broken =
            |_| QueryError::of(&DataFusionError::Execution(error::BROKEN.to_owned()), "", &self.context);
        planned.unwrap_or_else(|_| Err(String::new())).map_err(broken)
    }

    async fn plan(&self, sql: &str, pages: &Arc<Pages>) -> datafusion::error::Result<Prepared> {
        let state = self.context.state();
        let mut statement = state.sql_to_statement(sql, &state.config_options().sql_parser.dialect)?;
        read_only::check_statement(&statement)?;
        limits::check_uses(&statement)?;
        names::settle(&mut statement);
        let tables = state.resolve_table_references(&statement)?;
        let tables = tables.iter().map(|table| table.table().to_ascii_lowercase()).collect();
        let plan = state.statement_to_plan(statement).await?;
        read_only::check_plan(&plan)?;
        limits::check_plan(&plan)?;
        let (plan, window) = sorted::split_window(plan);
        if !sorted::is_plain(&plan) {
            let plan = sorted::in_order(sorted::rejoin_window(plan, window)?)?;
            let optimized = optimized(&state, &plan)?;
            let mut physical = state.create_physical_plan(&optimized).await?;
            if has_long_columns(&physical) && self.settings.memory_bytes / self.settings.jobs < SORT_BYTES {
                let mut state = state;
                *state.config_mut() = state.config().clone().with_target_partitions(1);
                physical = state.create_physical_plan(&optimized).await?;
            }
            read_only::check_execution(&physical)?;
            return Ok(Prepared {
                sql: sql.to_owned(),
                plan: physical,
                pages: Some(pages.clone()),
                tables,
                order: Order::Any,
                window: (0, None),
            });
        }
        let most = window.1.map(|take| take.saturating_add(window.0));
        pages.keep_order(most);
        let physical = state.create_physical_plan(&optimized(&state, &plan)?).await?;
        read_only::check_execution(&physical)?;
        let sql = sql.to_owned();
        Ok(Prepared { sql, plan: physical, pages: Some(pages.clone()), tables, order: Order::Kept, window })
    }

    /// What tasks need to know, where no partition may read a range of another. That the scan itself was told so is
    /// forgotten when a limit is pushed into it.
    fn in_turn(&self) -> Arc<TaskContext> {
        let mut state = self.context.state();
        state.config_mut().options_mut().execution.enable_file_stream_work_stealing = false;
        state.task_ctx()
    }

    /// What tasks need to know, where rows come in any order. Batches of what is sorted or joined have to fit into memory
    /// by the dozen, so those with whole pages in them have few rows.
    fn any_order(&self, plan: &Arc<dyn ExecutionPlan>) -> Arc<TaskContext> {
        let mut state = self.context.state();
        if has_long_columns(plan) {
            *state.config_mut() = state.config().clone().with_batch_size(FEW_ROWS);
        }
        state.task_ctx()
    }

    /// All rows of a query as texts, for results that fit into memory.
    pub fn texts(&self, query: &Prepared) -> Result<Vec<Vec<String>>, QueryError> {
        let mut rows = Vec::new();
        self.each_text(query, &mut |row| {
            rows.push(row);
            ControlFlow::Continue(())
        })?;
        Ok(rows)
    }

    /// Hands on the rows of a query as texts until `each` breaks off; what is null is empty.
    pub fn each_text(
        &self,
        query: &Prepared,
        each: &mut dyn FnMut(Vec<String>) -> ControlFlow<()>,
    ) -> Result<(), QueryError> {
        let mut failure = None;
        self.run(query, &mut |batch| match texts_of(&batch) {
            Ok(rows) => rows.into_iter().try_for_each(&mut *each),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        })?;
        match failure {
            None => Ok(()),
            Some(error) => Err(QueryError::of(&error.into(), &query.sql, &self.context)),
        }
    }

    /// How a thread that watches breaks off the query that runs.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Runs a query: hands on its rows until `each` breaks off, or somebody says [`stop`](Self::stop).
    pub fn run(
        &self,
        query: &Prepared,
        each: &mut dyn FnMut(RecordBatch) -> ControlFlow<()>,
    ) -> Result<(), QueryError> {
        let run = async {
            match query.order {
                Order::Kept => ordered::run(query, self.in_turn(), self.settings.jobs, each).await,
                Order::Any => {
                    let mut rows = Rows::of(query.plan.clone(), self.any_order(&query.plan));
                    while let Some(batch) = rows.next().await {
                        if each(batch?).is_break() {
                            query.leave();
                            break;
                        }
                    }
                    Ok(())
                }
            }
        };
        let stopped = async {
            self.stop.notified().await;
            Ok(())
        };
        let (run, stopped) = (pin!(run), pin!(stopped));
        let (result, _) = self.runtime.block_on(future::select(run, stopped)).factor_first();
        result.map_err(|error| QueryError::of(&error, &query.sql, &self.context))
    }
}

/// The rows of a plan, computed by another thread than the one that takes them: it can be left in the middle of a batch.
struct Rows {
    receiver: mpsc::Receiver<Option<datafusion::error::Result<RecordBatch>>>,
    /// Ends when this is dropped.
    _task: JoinSet<()>,
}

impl Rows {
    fn of(plan: Arc<dyn ExecutionPlan>, context: Arc<TaskContext>) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        let mut task = JoinSet::new();
        task.spawn(async move {
            let mut rows = match execute_stream(plan, context) {
                Ok(rows) => rows,
                Err(error) => return drop(sender.send(Some(Err(error))).await),
            };
            while let Some(batch) = rows.next().await {
                if sender.send(Some(batch)).await.is_err() {
                    return;
                }
            }
            // Who does not listen any more needs no end.
            _ = sender.send(None).await;
        });
        Self { receiver, _task: task }
    }

    async fn next(&mut self) -> Option<datafusion::error::Result<RecordBatch>> {
        // A channel that closes without an end was left by a panic.
        let broken = || Some(Err(DataFusionError::Execution(error::BROKEN.to_owned())));
        self.receiver.recv().await.unwrap_or_else(broken)
    }
}

/// The plan as it is run, with constants computed.
fn optimized(state: &SessionState, plan: &LogicalPlan) -> datafusion::error::Result<LogicalPlan> {
    let plan = state.optimize(plan)?;
    limits::check_constants(&plan)?;
    Ok(plan)
}

impl Prepared {
    /// The columns of the result.
    pub fn schema(&self) -> SchemaRef {
        self.plan.schema()
    }

    /// The plan, with its metrics once it has run.
    pub fn plan(&self) -> &Arc<dyn ExecutionPlan> {
        &self.plan
    }

    /// Whether the query has a table of this name.
    pub fn names_table(&self, name: &str) -> bool {
        self.tables.iter().any(|table| table == name)
    }

    /// What is wrong with what was read: nothing, unless rows were lost or doubled.
    pub fn audit(&self) -> Vec<Discrepancy> {
        let Some(pages) = self.pages.as_ref().filter(|_| self.reads_pages()) else { return Vec::new() };
        pages.audit()
    }

    /// Enters that somebody had enough.
    fn leave(&self) {
        self.pages.iter().for_each(|pages| pages.ledger().enter_leaving());
    }

    fn reads_pages(&self) -> bool {
        reads_files(&self.plan)
    }
}

/// The rows of a batch as texts; what is null is empty.
fn texts_of(batch: &RecordBatch) -> Result<Vec<Vec<String>>, ArrowError> {
    let options = FormatOptions::default();
    let columns: Vec<ArrayFormatter> = batch
        .columns()
        .iter()
        .map(|column| ArrayFormatter::try_new(column, &options))
        .collect::<Result<_, _>>()?;
    let row = |row: usize| columns.iter().map(|column| column.value(row).to_string()).collect();
    Ok((0..batch.num_rows()).map(row).collect())
}

/// Whether whole texts or pages go through a plan.
fn has_long_columns(plan: &Arc<dyn ExecutionPlan>) -> bool {
    plan.schema().fields().iter().any(|field| sorted::LONG.contains(&field.name().as_str()))
        || plan.children().into_iter().any(has_long_columns)
}

/// Whether a plan reads anything but what it was given in the query itself.
fn reads_files(plan: &Arc<dyn ExecutionPlan>) -> bool {
    plan.downcast_ref::<datafusion::datasource::source::DataSourceExec>().is_some_and(|source| {
        source.data_source().downcast_ref::<datafusion::datasource::physical_plan::FileScanConfig>().is_some()
    }) || plan.children().into_iter().any(reads_files)
}
