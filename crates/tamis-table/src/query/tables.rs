//! Tables beside `pages`: views of it, and files that the user names.

use std::path::Path;
use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::error::{DataFusionError, Result};
use datafusion::prelude::{CsvReadOptions, DataFrame, JsonReadOptions, ParquetReadOptions, SessionContext};

use crate::column::COLUMNS;
use crate::footer;

/// Captures without the columns that need the body.
pub(super) const CAPTURES: &str = "captures";
/// Links, one row each.
pub(super) const LINKS: &str = "links";

/// Registers the views of `pages`, which has to be registered before.
pub(super) async fn register_views(context: &SessionContext) -> Result<()> {
    for (name, sql) in [(CAPTURES, captures()), (LINKS, links())] {
        context.deregister_table(name)?;
        let view = context.sql(&sql).await?.into_view();
        context.register_table(name, view)?;
    }
    Ok(())
}

fn captures() -> String {
    let heads = COLUMNS.iter().filter(|column| !column.stages.needs_body());
    let names: Vec<String> = heads.map(|column| format!("\"{}\"", column.name)).collect();
    format!("select {} from pages", names.join(", "))
}

fn links() -> String {
    let fields = ["kind", "rel", "anchor", "before", "after", "start", "length"];
    let fields: Vec<String> = fields.iter().map(|name| format!("link['{name}'] as \"{name}\"")).collect();
    format!(
        "select id, file, \"offset\", url as source, link['url'] as target, {} \
         from (select id, file, \"offset\", url, unnest(links) as link from pages)",
        fields.join(", ")
    )
}

/// A table of a CSV, TSV, JSON Lines or Parquet file, by the ending of its name.
pub(super) async fn of_file(context: &SessionContext, path: &Path) -> Result<Arc<dyn TableProvider>> {
    std::fs::File::open(path)?;
    let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
    let name = path.to_string_lossy().into_owned();
    let csv = |delimiter| CsvReadOptions::new().file_extension(&ending).delimiter(delimiter);
    let table: DataFrame = match &*ending.to_ascii_lowercase() {
        "csv" => context.read_csv(name, csv(b',')).await?,
        "tsv" | "tab" => context.read_csv(name, csv(b'\t')).await?,
        "jsonl" | "ndjson" | "json" => {
            context.read_json(name, JsonReadOptions::default().file_extension(&ending)).await?
        }
        "parquet" | "pq" => {
            footer::check(path).map_err(DataFusionError::Execution)?;
            context.read_parquet(name, ParquetReadOptions::default().file_extension(&ending)).await?
        }
        _ => {
            return Err(DataFusionError::Plan(format!(
                "{name} is not a table: its name must end in .csv, .tsv, .jsonl or .parquet"
            )));
        }
    };
    Ok(table.into_view())
}
