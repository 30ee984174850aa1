//! The languages of a crawl: what was found on each page beside what was expected, as a query.
//!
//! Pages are read and their languages found; expectations are joined by address, from `.info` files where there are any, else
//! from what the archive states; lines come sorted by address. All of it is one plan, so that reading is spread over threads,
//! and the join and the sort go to the disk where memory ends.

mod expected;
mod line;
mod table;

use std::sync::Arc;

pub use expected::{Expected, InfoFault, Open};
pub use line::{Line, lines};
pub use table::Table;

use crate::pages::Pages;
use crate::query::{Engine, Prepared, QueryError};

/// A revisit has no text of its own to look at.
const WHERE: &str = "where p.type <> 'revisit'";
/// The order of lines. Captures of one address come in the order of their files.
const ORDER: &str = "order by p.url nulls last, p.file, p.\"offset\"";

/// Plans the lines of all pages; [`lines`] reads them off each batch.
pub fn prepare(
    engine: &Engine,
    pages: &Arc<Pages>,
    expected: Option<Arc<Expected>>,
) -> Result<Prepared, QueryError> {
    let Some(expected) = expected else {
        let sql = format!(
            "select p.url, p.languages, p.language_counts, p.identified_languages as expected from pages p {WHERE} {ORDER}"
        );
        return engine.prepare(&sql, pages);
    };
    engine.register("expected", expected)?;
    // An address that was captured twice has two lines; which of them counts must not depend on who reads first.
    let sql = format!(
        "select p.url, p.languages, p.language_counts, e.languages as expected from pages p \
         left join (select url, min(languages) as languages from expected group by url) e on p.url = e.url {WHERE} {ORDER}"
    );
    engine.prepare(&sql, pages)
}
