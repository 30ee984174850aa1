//! Pages in forms that are written from the table `pages`: TSV as the reference wrote it, Parquet.

use anyhow::anyhow;
use tamis_table::{COLUMNS, Context, Limits};

use super::{Args, Format};
use crate::commands::query;
use crate::hint::WithHint;
use crate::outcome::Outcome;
use crate::session::Session;

/// Writes pages of archives and collections.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    if args.list.is_some() || args.url.is_some() {
        return Err(anyhow!("these forms are for archives and collections")).hint("use --format jsonl");
    }
    let (columns, format): (Vec<&str>, _) = match args.format() {
        Format::Tsv => {
            let reference = COLUMNS.iter().filter(|column| column.is_of_reference());
            (reference.map(|column| column.name).collect(), query::Format::Reference)
        }
        _ => {
            let kept = COLUMNS.iter().filter(|column| column.is_light() || args.wanted.names(column.name));
            (kept.map(|column| column.name).collect(), query::Format::Parquet)
        }
    };
    let names: Vec<String> = columns.iter().map(|name| format!("\"{name}\"")).collect();
    let context =
        Context { repair: args.repair, limits: Limits { page_bytes: args.max_size.0 }, ..Context::default() };
    let sql = format!("select {} from pages", names.join(", "));
    let query = query::Args::of(args.inputs.clone(), sql, format, args.output.clone(), args.jobs.clone());
    query::run_in(&query, &context, session)
}
