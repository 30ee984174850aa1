//! A sink that counts pages by what they are before it hands them on.

use std::collections::BTreeMap;

use datafusion::arrow::array::{Array, AsArray, BooleanArray, RecordBatch};
use datafusion::arrow::compute::filter_record_batch;
use datafusion::arrow::datatypes::{Int32Type, Int64Type, SchemaRef};
use datafusion::arrow::error::ArrowError;

use super::{Sink, SinkError};

/// How many columns [`page_facts`] are.
const FACTS: usize = 5;

/// The columns that a query has to select last for [`PagesSink`], in SQL.
pub fn page_facts(counts_links: bool) -> String {
    let links = if counts_links { "unresolved_links" } else { "cast(null as bigint)" };
    format!(
        r##""type" as "#type", status as "#status", status_code as "#status_code",
        coalesce(text <> '', false) as "#has_text", {links} as "#unresolved_links""##
    )
}

/// Which pages are handed on. Revisits never are: they have no content of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PagesWanted {
    /// All.
    All,
    /// Those with text.
    WithText,
}

/// What was counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageCounts {
    /// Pages with text.
    pub with_text: u64,
    /// Pages without text, by the reason.
    pub without_text: BTreeMap<&'static str, u64>,
    /// Revisit records.
    pub revisits: u64,
    /// Links that could not be resolved.
    pub unresolved_links: u64,
}

/// Hands rows on without the columns of [`page_facts`], which it counts.
pub struct PagesSink<'s> {
    inner: Box<dyn Sink + 's>,
    wanted: PagesWanted,
    counts: PageCounts,
}

/// The schema of the rows that a [`PagesSink`] hands on.
pub fn schema_of_pages(schema: &SchemaRef) -> Result<SchemaRef, ArrowError> {
    let columns: Vec<usize> = (0..schema.fields().len().saturating_sub(FACTS)).collect();
    schema.project(&columns).map(Into::into)
}

impl<'s> PagesSink<'s> {
    /// A sink before another.
    pub fn new(inner: Box<dyn Sink + 's>, wanted: PagesWanted) -> Self {
        Self { inner, wanted, counts: PageCounts::default() }
    }

    /// Hands some rows on.
    pub fn write(&mut self, rows: &RecordBatch) -> Result<(), SinkError> {
        let first = rows.num_columns().saturating_sub(FACTS);
        let facts = &rows.columns()[first..];
        let (types, statuses) = (facts[0].as_string::<i32>(), facts[1].as_primitive::<Int32Type>());
        let (codes, has_text) = (facts[2].as_string::<i32>(), facts[3].as_boolean());
        let unresolved = facts[4].as_primitive::<Int64Type>();
        let mut keep = Vec::with_capacity(rows.num_rows());
        for row in 0..rows.num_rows() {
            if types.value(row) == "revisit" {
                self.counts.revisits += 1;
                keep.push(false);
                continue;
            }
            if unresolved.is_valid(row) {
                self.counts.unresolved_links += unresolved.value(row).cast_unsigned();
            }
            let has_text = has_text.value(row);
            if has_text {
                self.counts.with_text += 1;
            } else {
                let is_http = types.value(row) != "response" || statuses.is_valid(row);
                *self.counts.without_text.entry(reason(codes.value(row), is_http)).or_default() += 1;
            }
            keep.push(has_text || self.wanted == PagesWanted::All);
        }
        let columns: Vec<usize> = (0..first).collect();
        let rows = rows.project(&columns)?;
        if keep.iter().all(|&keep| keep) {
            return self.inner.write(&rows);
        }
        self.inner.write(&filter_record_batch(&rows, &BooleanArray::from(keep))?)
    }

    /// Writes what is left, and says what was counted.
    pub fn finish(self) -> Result<PageCounts, SinkError> {
        self.inner.finish()?;
        Ok(self.counts)
    }
}

/// Why a page has no text, by its status code.
fn reason(code: &str, is_http: bool) -> &'static str {
    match code {
        _ if !is_http => "not HTTP",
        "1001" => "not HTML",
        "0200" | "2000" | "3200" => "without text",
        _ => "with an HTTP status other than 200",
    }
}
