//! Tables beside `pages`: views of it, and files that the user names.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::csv::reader::Format;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
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
    File::open(path)?;
    let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
    let name = path.to_string_lossy().into_owned();
    let csv = async |delimiter| {
        let schema = csv_schema(path, delimiter)?;
        let options = CsvReadOptions::new().file_extension(&ending).delimiter(delimiter).schema(&schema);
        // Else a large file is cut at line ends, also at those within a quoted value.
        context.read_csv(name.clone(), options.newlines_in_values(true)).await
    };
    let table: DataFrame = match &*ending.to_ascii_lowercase() {
        "csv" => csv(b',').await?,
        "tsv" | "tab" => csv(b'\t').await?,
        "jsonl" | "ndjson" | "json" => {
            // A member that only late lines have is a column, too.
            let options =
                JsonReadOptions { schema_infer_max_records: usize::MAX, ..JsonReadOptions::default() };
            context.read_json(name.clone(), options.file_extension(&ending)).await?
        }
        "parquet" | "pq" => {
            footer::check(path).map_err(DataFusionError::Execution)?;
            context.read_parquet(name.clone(), ParquetReadOptions::default().file_extension(&ending)).await?
        }
        _ => {
            return Err(DataFusionError::Plan(format!("{name}: not a .csv, .tsv, .jsonl or .parquet file")));
        }
    };
    Ok(table.into_view())
}

/// The columns of a CSV file and their types, by all of its rows. DataFusion would guess them from pieces of the file, which it cuts
/// within values that have both a backslash before a quotation mark and a line end.
fn csv_schema(path: &Path, delimiter: u8) -> Result<Schema> {
    let format = Format::default().with_header(true).with_delimiter(delimiter);
    let (schema, _) = format.infer_schema(BufReader::new(File::open(path)?), None)?;
    if schema.fields().is_empty() {
        return Err(DataFusionError::Execution("no first line with the names of its columns".to_owned()));
    }
    let typed = |field: &Arc<Field>| match field.data_type() {
        DataType::Null => field.as_ref().clone().with_data_type(DataType::Utf8),
        _ => field.as_ref().clone(),
    };
    Ok(Schema::new(schema.fields().iter().map(typed).collect::<Vec<_>>()))
}
