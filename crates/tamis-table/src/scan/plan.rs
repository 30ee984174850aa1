//! What a scan reads and computes: decided once for each set of kept columns, from the columns and filters of a query.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::error::Result;
use datafusion::physical_expr::utils::{collect_columns, reassign_expr_columns, split_conjunction};
use datafusion::physical_expr::{PhysicalExpr, conjunction};

use crate::column::{Append, COLUMNS, Column, Id, schema_of};
use crate::stage::Stages;

/// What a query asks of a scan.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// The columns handed on, by their place in the table's schema.
    pub(crate) columns: Vec<usize>,
    pub(crate) filter: Option<Arc<dyn PhysicalExpr>>,
    pub(crate) limit: Option<usize>,
}

impl Request {
    /// Whether a part that keeps these columns is of use: values that follow from the URL need it beside them.
    pub(crate) fn can_use(&self, kept: &[&'static Column]) -> bool {
        let filtered = self.filter.iter().flat_map(columns_of);
        let mut wanted = self.columns.iter().map(|&at| &COLUMNS[at]).chain(filtered);
        kept.iter().any(|column| column.id == Id::Url)
            || !wanted.any(|column| matches!(column.append, Append::OfUrl(_)))
    }
}

/// What a scan reads and computes.
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own about a query")]
#[derive(Debug)]
pub(crate) struct Plan {
    /// The columns handed on, in their order.
    pub(crate) schema: SchemaRef,
    out: Vec<Slot>,
    /// The columns read from the kept part.
    pub(crate) kept: Vec<&'static Column>,
    /// The columns made from a capture's identity.
    pub(crate) current: Vec<&'static Column>,
    /// The columns made from the heads of records.
    pub(crate) heads: Vec<&'static Column>,
    /// Columns of `kept`, `current` and `heads`.
    pub(crate) known_schema: SchemaRef,
    /// The filter on kept and current columns, which needs no archive, and the columns that it reads.
    pub(crate) early_filter: Option<Arc<dyn PhysicalExpr>>,
    pub(crate) early_kept: Vec<&'static Column>,
    pub(crate) early_current: Vec<&'static Column>,
    pub(crate) head_filter: Option<Arc<dyn PhysicalExpr>>,
    /// The columns handed on that need the body.
    pub(crate) pages: Vec<&'static Column>,
    /// The columns that need the body and are filtered by.
    pub(crate) filtered: Vec<&'static Column>,
    /// Columns of `known_schema`, then `filtered`.
    pub(crate) filtered_schema: SchemaRef,
    pub(crate) page_filter: Option<Arc<dyn PhysicalExpr>>,
    pub(crate) filter_stages: Stages,
    /// All that may be done to a page.
    pub(crate) stages: Stages,
    /// Whether anything but languages is asked of the content of a page; they are found in extracted text as it is.
    pub(crate) wants_content: bool,
    /// Whether payload digests are asked for; those that the archive does not state are computed.
    pub(crate) wants_digest: bool,
    /// Whether an answer depends on which captures `dedup` has judged.
    pub(crate) uses_duplicates: bool,
    /// Whether an answer depends on which captures were judged by the model of an event.
    pub(crate) uses_relevance: bool,
    /// Whether kept columns are used that needed the body when they were made.
    pub(crate) uses_kept_bodies: bool,
}

/// Where a column that is handed on comes from.
#[derive(Debug, Clone, Copy)]
enum Slot {
    Known(usize),
    Page(usize),
}

/// What a column of a query is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    Kept,
    Current,
    Head,
    Page,
}

impl Plan {
    /// A plan for captures of which `kept` columns can be read from a part; none for those of an archive alone.
    pub(crate) fn new(request: &Request, kept: Option<&[&'static Column]>) -> Result<Self> {
        let out: Vec<&'static Column> = request.columns.iter().map(|&at| &COLUMNS[at]).collect();
        let conjuncts: Vec<_> = request.filter.as_ref().map(split_conjunction).unwrap_or_default();
        let filter_columns = |filters: &[&Arc<dyn PhysicalExpr>]| -> Vec<&'static Column> {
            filters.iter().flat_map(|filter| columns_of(filter)).collect()
        };
        let wanted: Vec<&'static Column> = out.iter().copied().chain(filter_columns(&conjuncts)).collect();
        let source = |column: &Column| from(column, kept);
        let is_early = |filter: &&Arc<dyn PhysicalExpr>| {
            kept.is_some()
                && columns_of(filter).all(|column| matches!(source(column), From::Kept | From::Current))
        };
        let (early, rest): (Vec<_>, Vec<_>) = conjuncts.into_iter().partition(is_early);
        let needs_page =
            |filter: &&Arc<dyn PhysicalExpr>| columns_of(filter).any(|c| source(c) == From::Page);
        let (page_filters, head_filters): (Vec<_>, Vec<_>) = rest.into_iter().partition(needs_page);
        // The early filter is done with once rows are read.
        let later: Vec<&'static Column> = out
            .iter()
            .copied()
            .chain(filter_columns(&head_filters))
            .chain(filter_columns(&page_filters))
            .collect();
        let of = |columns: &[&'static Column], origin| {
            distinct(columns.iter().copied().filter(|column| source(column) == origin).collect())
        };
        let (current, heads) = (of(&later, From::Current), of(&later, From::Head));
        let pages: Vec<&'static Column> =
            out.iter().copied().filter(|column| source(column) == From::Page).collect();
        let filtered = of(&filter_columns(&page_filters), From::Page);
        let needs_archive = !heads.is_empty() || !pages.is_empty() || !filtered.is_empty();
        let early_wanted = filter_columns(&early);
        let early_current = of(&early_wanted, From::Current);
        let with_identity = |mut columns: Vec<&'static Column>, current: &[&Column], needs_offset: bool| {
            if needs_offset || !current.is_empty() {
                columns.extend([Column::of(Id::Offset), Column::of(Id::InMember)]);
            }
            if current.iter().any(|column| matches!(column.append, Append::OfUrl(_))) {
                columns.push(Column::of(Id::Url));
            }
            distinct(columns)
        };
        let (kept_columns, early_kept) = if kept.is_some() {
            (
                with_identity(of(&later, From::Kept), &current, needs_archive),
                with_identity(of(&early_wanted, From::Kept), &early_current, false),
            )
        } else {
            (Vec::new(), Vec::new())
        };
        let known = [&kept_columns[..], &current, &heads].concat();
        let known_schema = schema_of(&known);
        let filtered_schema = schema_of(&[&known[..], &filtered].concat());
        let filter_stages: Stages = filtered.iter().map(|column| column.stages).collect();
        let is_of_content =
            |column: &&Column| column.stages.contains(Stages::HTML) && !column.is_of_languages();
        Ok(Self {
            schema: schema_of(&out),
            out: slots(&out, &known, &pages),
            early_filter: on(&early, &schema_of(&[&early_kept[..], &early_current].concat()))?,
            head_filter: on(&head_filters, &known_schema)?,
            page_filter: on(&page_filters, &filtered_schema)?,
            stages: filter_stages | heads.iter().chain(&pages).map(|column| column.stages).collect(),
            filter_stages,
            wants_content: pages.iter().chain(&filtered).any(is_of_content),
            wants_digest: heads.iter().any(|column| column.id == Id::Digest),
            uses_duplicates: wanted.iter().any(|column| column.is_of_dedup()),
            uses_relevance: wanted.iter().any(|column| column.is_of_relevance()),
            uses_kept_bodies: kept_columns.iter().chain(&early_kept).any(|column| column.stages.needs_body()),
            kept: kept_columns,
            current,
            heads,
            known_schema,
            early_kept,
            early_current,
            pages,
            filtered,
            filtered_schema,
        })
    }

    /// Whether bodies are looked into.
    pub(crate) fn needs_body(&self) -> bool {
        self.stages.needs_body()
    }

    /// Whether records of the archive are read for it, where a part has the kept columns.
    pub(crate) fn needs_archive(&self) -> bool {
        !self.heads.is_empty() || !self.pages.is_empty() || !self.filtered.is_empty()
    }

    /// The columns in the order they are handed on.
    pub(crate) fn arrange(&self, known: &RecordBatch, pages: &[ArrayRef]) -> Vec<ArrayRef> {
        let array = |slot: &Slot| match *slot {
            Slot::Known(at) => known.column(at).clone(),
            Slot::Page(at) => pages[at].clone(),
        };
        self.out.iter().map(array).collect()
    }
}

/// What a column is made from, where these columns are kept.
fn from(column: &Column, kept: Option<&[&'static Column]>) -> From {
    let is_kept = || kept.is_some_and(|kept| kept.iter().any(|other| other.id == column.id));
    match column.append {
        Append::Identity(_) | Append::OfUrl(_) => From::Current,
        _ if is_kept() => From::Kept,
        Append::Head(_) => From::Head,
        Append::Page(_) => From::Page,
    }
}

fn columns_of(expression: &Arc<dyn PhysicalExpr>) -> impl Iterator<Item = &'static Column> + use<> {
    collect_columns(expression).into_iter().filter_map(|column| COLUMNS.get(column.index()))
}

/// The columns in the order of the table, each once.
fn distinct(mut columns: Vec<&'static Column>) -> Vec<&'static Column> {
    columns.sort_by_key(|column| column.id);
    columns.dedup_by_key(|column| column.id);
    columns
}

fn slots(out: &[&Column], known: &[&Column], pages: &[&Column]) -> Vec<Slot> {
    let at = |list: &[&Column], column: &Column| list.iter().position(|other| other.id == column.id);
    out.iter()
        .filter_map(|column| at(known, column).map(Slot::Known).or_else(|| at(pages, column).map(Slot::Page)))
        .collect()
}

/// All filters as one, on batches of this schema.
fn on(filters: &[&Arc<dyn PhysicalExpr>], schema: &SchemaRef) -> Result<Option<Arc<dyn PhysicalExpr>>> {
    if filters.is_empty() {
        return Ok(None);
    }
    reassign_expr_columns(conjunction(filters.iter().map(|&filter| filter.clone())), schema).map(Some)
}
