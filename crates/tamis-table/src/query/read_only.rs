//! Queries only read.
//!
//! Three locks, one behind the other: the statement, each node of its plan down to subqueries and what `EXPLAIN` would run, and
//! an object store that refuses to write. Each is a list of what is allowed, so that a new kind of statement or node is refused
//! until somebody has looked at it.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::sink::DataSinkExec;
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::logical_expr::LogicalPlan;
use datafusion::object_store::local::LocalFileSystem;
use datafusion::object_store::path::Path;
use datafusion::object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult,
};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::sql::parser::Statement as DfStatement;
use datafusion::sql::sqlparser::ast::Statement;
use futures::StreamExt;
use futures::stream::BoxStream;
use url::Url;

/// What a refused query is told; [`super::error`] knows it by this.
pub(super) const ONLY_READS: &str = "queries can only read: SELECT, EXPLAIN, DESCRIBE, SHOW TABLES";

fn refused<T>() -> Result<T> {
    Err(DataFusionError::Plan(ONLY_READS.to_owned()))
}

/// Refuses statements that do anything but read, also under `EXPLAIN`.
pub(super) fn check_statement(statement: &DfStatement) -> Result<()> {
    match statement {
        DfStatement::Explain(explain) => check_statement(&explain.statement),
        DfStatement::Statement(statement) => check_sql(statement),
        DfStatement::CreateExternalTable(_) | DfStatement::CopyTo(_) | DfStatement::Reset(_) => refused(),
    }
}

fn check_sql(statement: &Statement) -> Result<()> {
    match statement {
        Statement::Query(_)
        | Statement::ExplainTable { .. }
        | Statement::ShowTables { .. }
        | Statement::ShowColumns { .. }
        | Statement::ShowFunctions { .. }
        | Statement::ShowVariable { .. } => Ok(()),
        Statement::Explain { statement, .. } => check_sql(statement),
        _ => refused(),
    }
}

/// Refuses plans with a node that does anything but read, at any depth.
pub(super) fn check_plan(plan: &LogicalPlan) -> Result<()> {
    plan.apply_with_subqueries(|node| if reads(node) { Ok(TreeNodeRecursion::Continue) } else { refused() })?;
    Ok(())
}

fn reads(node: &LogicalPlan) -> bool {
    match node {
        LogicalPlan::Projection(_)
        | LogicalPlan::Filter(_)
        | LogicalPlan::Window(_)
        | LogicalPlan::Aggregate(_)
        | LogicalPlan::Sort(_)
        | LogicalPlan::Join(_)
        | LogicalPlan::Repartition(_)
        | LogicalPlan::Union(_)
        | LogicalPlan::TableScan(_)
        | LogicalPlan::EmptyRelation(_)
        | LogicalPlan::Subquery(_)
        | LogicalPlan::SubqueryAlias(_)
        | LogicalPlan::Limit(_)
        | LogicalPlan::Values(_)
        | LogicalPlan::Explain(_)
        | LogicalPlan::Analyze(_)
        | LogicalPlan::Distinct(_)
        | LogicalPlan::DescribeTable(_)
        | LogicalPlan::Unnest(_)
        | LogicalPlan::RecursiveQuery(_) => true,
        LogicalPlan::Statement(_)
        | LogicalPlan::Extension(_)
        | LogicalPlan::Dml(_)
        | LogicalPlan::Ddl(_)
        | LogicalPlan::Copy(_) => false,
    }
}

/// Refuses physical plans that end in a sink of the engine's own.
pub(super) fn check_execution(plan: &Arc<dyn ExecutionPlan>) -> Result<()> {
    if plan.downcast_ref::<DataSinkExec>().is_some() {
        return refused();
    }
    plan.children().into_iter().try_for_each(check_execution)
}

/// The object stores of queries: local files, read only, and nothing else.
#[derive(Debug)]
pub(super) struct LocalFiles {
    store: Arc<dyn ObjectStore>,
}

impl Default for LocalFiles {
    fn default() -> Self {
        Self { store: Arc::new(ReadOnly { files: LocalFileSystem::new() }) }
    }
}

impl ObjectStoreRegistry for LocalFiles {
    /// No store but ours is taken: what was passed is handed back.
    fn register_store(&self, _: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        Some(store)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        if url.scheme() == "file" {
            return Ok(self.store.clone());
        }
        Err(DataFusionError::Plan(format!("queries read local files only, not {url}")))
    }
}

/// Local files that can be read, and not written, copied or deleted.
#[derive(Debug)]
struct ReadOnly {
    files: LocalFileSystem,
}

impl fmt::Display for ReadOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "read-only {}", self.files)
    }
}

type StoreResult<T> = std::result::Result<T, Error>;

fn denied(path: &Path) -> Error {
    Error::PermissionDenied { path: path.to_string(), source: ONLY_READS.into() }
}

#[async_trait]
impl ObjectStore for ReadOnly {
    async fn put_opts(&self, path: &Path, _: PutPayload, _: PutOptions) -> StoreResult<PutResult> {
        Err(denied(path))
    }

    async fn put_multipart_opts(
        &self,
        path: &Path,
        _: PutMultipartOptions,
    ) -> StoreResult<Box<dyn MultipartUpload>> {
        Err(denied(path))
    }

    async fn get_opts(&self, path: &Path, options: GetOptions) -> StoreResult<GetResult> {
        self.files.get_opts(path, options).await
    }

    fn delete_stream(
        &self,
        paths: BoxStream<'static, StoreResult<Path>>,
    ) -> BoxStream<'static, StoreResult<Path>> {
        paths.map(|path| Err(denied(&path?))).boxed()
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, StoreResult<ObjectMeta>> {
        self.files.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> StoreResult<ListResult> {
        self.files.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, _: &Path, to: &Path, _: CopyOptions) -> StoreResult<()> {
        Err(denied(to))
    }
}

#[cfg(test)]
mod tests {
    use datafusion::object_store::ObjectStoreExt;
    use futures::stream;

    use super::*;

    #[test]
    fn the_store_of_queries_reads_but_does_not_write() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("kept");
        std::fs::write(&file, "kept").expect("written");
        let path = Path::from_absolute_path(&file).expect("absolute");
        let other = Path::from_absolute_path(folder.path().join("other")).expect("absolute");
        let url = Url::parse("file:///").expect("a URL");
        let store = LocalFiles::default().get_store(&url).expect("local files");
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            assert_eq!(store.head(&path).await.expect("it reads").size, 4);
            assert!(store.put(&path, "lost".into()).await.is_err());
            assert!(store.put_multipart(&other).await.is_err());
            assert!(store.copy(&path, &other).await.is_err());
            assert!(store.rename(&path, &other).await.is_err());
            assert!(store.delete(&path).await.is_err());
            let paths = stream::iter([Ok(path.clone())]).boxed();
            assert!(store.delete_stream(paths).all(|result| async move { result.is_err() }).await);
        });
        assert_eq!(std::fs::read_to_string(&file).expect("still there"), "kept");
        assert!(!folder.path().join("other").exists());
        let elsewhere = Url::parse("https://a.example/").expect("a URL");
        assert!(LocalFiles::default().get_store(&elsewhere).is_err());
    }
}
