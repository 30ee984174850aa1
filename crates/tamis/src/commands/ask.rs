//! Questions to a collection, with few rows for an answer.

use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

use tamis_table::query::Engine;
use tamis_table::{Context, Pages};
use tempfile::TempDir;

use super::query::{Table, register_duplicates, settings, spill_folder, told};
use crate::interrupt;
use crate::memory::Memory;
use crate::outcome::Outcome;
use crate::session::Session;

/// Asks a collection.
pub(super) struct Asker {
    engine: Engine,
    pages: Arc<Pages>,
    found: Outcome,
    /// Goes away with it.
    _spill: TempDir,
}

impl Asker {
    pub(super) fn open(
        collection: &Path,
        jobs: NonZero<usize>,
        memory: Memory,
        session: &Session,
    ) -> anyhow::Result<Self> {
        let inputs = [collection.as_os_str().to_owned()];
        let Table { pages, found } = Table::open(&inputs, jobs, &Context::default(), session)?;
        let spill = spill_folder()?;
        let engine =
            Engine::new(settings(memory, jobs, spill.path(), session)?).map_err(told::query_error)?;
        register_duplicates(&engine, &inputs)?;
        Ok(Self { engine, pages, found, _spill: spill })
    }

    /// The rows of a query.
    pub(super) fn rows(&self, sql: &str) -> anyhow::Result<Vec<Vec<String>>> {
        let query = self.engine.prepare(sql, &self.pages).map_err(told::query_error)?;
        let rows = self.engine.texts(&query).map_err(told::query_error)?;
        interrupt::check()?;
        Ok(rows)
    }

    /// Values with how often they are there: the first column and the second.
    pub(super) fn counts(&self, sql: &str) -> anyhow::Result<Vec<(String, u64)>> {
        let counted = |row: Vec<String>| Some((row.first()?.clone(), row.get(1)?.parse().ok()?));
        Ok(self.rows(sql)?.into_iter().filter_map(counted).collect())
    }

    /// What is wrong with what was read, said and as an outcome.
    pub(super) fn outcome(&self, session: &Session) -> Outcome {
        told::faults(&self.pages, &session.printer).and(self.found)
    }
}
