//! Pages in forms that are written from the table `pages`: TSV as the reference wrote it, Parquet.

use std::path::Path;

use anyhow::anyhow;
use tamis_table::{COLUMNS, Column, Context, Limits};

use super::input::is_archive;
use super::{Args, Format};
use crate::commands::query;
use crate::hint::WithHint;
use crate::outcome::Outcome;
use crate::packages;
use crate::session::Session;

/// Writes pages of archives and collections.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    if args.list.is_some() || args.url.is_some() {
        return Err(anyhow!("these forms are for archives and collections")).hint("use --format jsonl");
    }
    let is_page = |path: &&Path| path.is_file() && !packages::is_package(path) && !is_archive(path);
    if let Some(page) = args.inputs.iter().map(Path::new).find(is_page) {
        return Err(anyhow!(
            "{}: an HTML file, and these forms are for archives and collections",
            page.display()
        ))
        .hint("use --format jsonl");
    }
    let is_reference = args.format() == Format::Tsv;
    let format = if is_reference { query::Format::Reference } else { query::Format::Parquet };
    let is_wanted = |column: &&Column| {
        if is_reference {
            column.is_of_reference()
        } else {
            column.is_light() || args.wanted.names(column.name)
        }
    };
    let columns: Vec<&str> = COLUMNS.iter().filter(is_wanted).map(|column| column.name).collect();
    let names: Vec<String> = columns.iter().map(|name| format!("\"{name}\"")).collect();
    let context =
        Context { repair: args.repair, limits: Limits { page_bytes: args.max_size.0 }, ..Context::default() };
    let sql = format!("select {} from pages", names.join(", "));
    let query = query::Args::of(args.inputs.clone(), sql, format, args.output.clone(), args.jobs.clone());
    query::run_in(&query, &context, session)
}
