//! Query an archive with SQL: `pages` is a DataFusion table, and columns are computed only if the query needs them.
//!
//!     cargo run -p tamis-table --example query_archive -- crawl.warc.gz "select url, title from pages limit 5"

use std::error::Error;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

use tamis_archive::Door;
use tamis_table::query::{Engine, QueryError, Settings};
use tamis_table::{Cut, Member, Pages};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (path, sql) = (arguments.next().ok_or("an archive")?, arguments.next().ok_or("a query")?);
    for row in rows(Path::new(&path), &sql)? {
        println!("{}", row.join("\t"));
    }
    Ok(())
}

/// The rows of a query, as texts.
pub(crate) fn rows(path: &Path, sql: &str) -> Result<Vec<Vec<String>>, QueryError> {
    // A door without openers reads files as they are; give it `tamis_pack::open_bytes` to read packs.
    let archive = Member::alone(Door::default().source(path), Arc::default());
    let pages = Arc::new(Pages::new(vec![archive], Cut::Even));
    let engine = Engine::new(Settings {
        jobs: NonZero::<usize>::MIN,
        memory_bytes: 512 << 20,
        spill: std::env::temp_dir(),
    })?;
    let query = engine.prepare(sql, &pages)?;
    let rows = engine.texts(&query)?;
    // Damage is in `pages.faults`; a range that was not read to its end would be here.
    for discrepancy in pages.audit() {
        eprintln!("{discrepancy:?}");
    }
    Ok(rows)
}
