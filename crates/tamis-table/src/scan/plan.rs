//! What a scan has to compute: decided once, from the columns and the filters asked for.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::error::Result;
use datafusion::physical_expr::utils::{collect_columns, reassign_expr_columns, split_conjunction};
use datafusion::physical_expr::{PhysicalExpr, conjunction};

use crate::column::{COLUMNS, Column, schema_of};
use crate::stage::Stages;

/// What a scan computes.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The columns handed on, in their order.
    pub(crate) schema: SchemaRef,
    out: Vec<Place>,
    /// The columns that heads give, of those handed on and those filtered by.
    pub(crate) heads: Vec<&'static Column>,
    pub(crate) heads_schema: SchemaRef,
    /// The columns handed on that need the body.
    pub(crate) pages: Vec<&'static Column>,
    /// The columns that need the body and are filtered by.
    pub(crate) filtered: Vec<&'static Column>,
    /// Columns of `heads`, then `filtered`.
    pub(crate) filtered_schema: SchemaRef,
    pub(crate) head_filter: Option<Arc<dyn PhysicalExpr>>,
    pub(crate) page_filter: Option<Arc<dyn PhysicalExpr>>,
    pub(crate) filter_stages: Stages,
    /// All that may be done to a page.
    pub(crate) stages: Stages,
    /// Whether anything but languages is asked of the content of a page; they are found in extracted text as it is.
    pub(crate) wants_content: bool,
    pub(crate) limit: Option<usize>,
}

/// Where a column that is handed on comes from.
#[derive(Debug, Clone, Copy)]
enum Place {
    Head(usize),
    Page(usize),
}

impl Plan {
    /// A plan for the columns at these places of the table's schema.
    pub(crate) fn new(
        columns: &[usize],
        filter: Option<&Arc<dyn PhysicalExpr>>,
        limit: Option<usize>,
    ) -> Result<Self> {
        let out: Vec<&'static Column> = columns.iter().map(|&at| &COLUMNS[at]).collect();
        let conjuncts: Vec<_> = filter.map(split_conjunction).unwrap_or_default();
        let (page_filters, head_filters): (Vec<_>, Vec<_>) =
            conjuncts.into_iter().partition(|filter| stages_of(filter).is_dear());
        let wanted = out
            .iter()
            .copied()
            .chain(head_filters.iter().chain(&page_filters).flat_map(|filter| columns_of(filter)));
        let mut heads: Vec<&'static Column> = wanted.filter(|column| !column.stages.is_dear()).collect();
        heads.sort_by_key(|column| column.id);
        heads.dedup_by_key(|column| column.id);
        let mut filtered: Vec<&'static Column> = page_filters
            .iter()
            .flat_map(|filter| columns_of(filter))
            .filter(|column| column.stages.is_dear())
            .collect();
        filtered.sort_by_key(|column| column.id);
        filtered.dedup_by_key(|column| column.id);
        let pages: Vec<&'static Column> =
            out.iter().copied().filter(|column| column.stages.is_dear()).collect();
        let heads_schema = schema_of(&heads);
        let filtered_schema = schema_of(&[&heads[..], &filtered].concat());
        let filter_stages: Stages = filtered.iter().map(|column| column.stages).collect();
        let is_of_content =
            |column: &&Column| column.stages.contains(Stages::HTML) && !column.is_of_languages();
        let wants_content = pages.iter().chain(&filtered).any(is_of_content);
        Ok(Self {
            schema: schema_of(&out),
            out: places(&out, &heads, &pages),
            head_filter: on(&head_filters, &heads_schema)?,
            page_filter: on(&page_filters, &filtered_schema)?,
            stages: filter_stages | out.iter().chain(&heads).map(|column| column.stages).collect(),
            filter_stages,
            wants_content,
            heads,
            heads_schema,
            pages,
            filtered,
            filtered_schema,
            limit,
        })
    }

    /// Whether bodies are looked into.
    pub(crate) fn is_dear(&self) -> bool {
        self.stages.is_dear()
    }

    /// The columns in the order they are handed on.
    pub(crate) fn arrange(&self, heads: &RecordBatch, pages: &[ArrayRef]) -> Vec<ArrayRef> {
        let array = |place: &Place| match *place {
            Place::Head(at) => heads.column(at).clone(),
            Place::Page(at) => pages[at].clone(),
        };
        self.out.iter().map(array).collect()
    }
}

/// What has to be done to know what an expression says.
pub(crate) fn stages_of(expression: &Arc<dyn PhysicalExpr>) -> Stages {
    columns_of(expression).map(|column| column.stages).collect()
}

fn columns_of(expression: &Arc<dyn PhysicalExpr>) -> impl Iterator<Item = &'static Column> + use<> {
    collect_columns(expression).into_iter().filter_map(|column| COLUMNS.get(column.index()))
}

fn places(out: &[&Column], heads: &[&Column], pages: &[&Column]) -> Vec<Place> {
    let at = |list: &[&Column], column: &Column| list.iter().position(|other| other.id == column.id);
    out.iter()
        .filter_map(|column| {
            at(heads, column).map(Place::Head).or_else(|| at(pages, column).map(Place::Page))
        })
        .collect()
}

/// All filters as one, on batches of this schema.
fn on(filters: &[&Arc<dyn PhysicalExpr>], schema: &SchemaRef) -> Result<Option<Arc<dyn PhysicalExpr>>> {
    if filters.is_empty() {
        return Ok(None);
    }
    reassign_expr_columns(conjunction(filters.iter().map(|&filter| filter.clone())), schema).map(Some)
}
