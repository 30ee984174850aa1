//! Questions to a collection, with few rows for an answer.

use std::cell::RefCell;
use std::ffi::OsString;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use tamis_table::query::Engine;
use tamis_table::{Context, Pages};

use super::query::{Spill, Table, Unjudged, Watch, register_duplicates, settings, spill_folder, told};
use crate::interrupt;
use crate::memory::Memory;
use crate::outcome::Outcome;
use crate::progress::{Progress, Work};
use crate::session::Session;

/// Asks a collection.
pub(super) struct Asker {
    engine: Engine,
    inputs: [OsString; 1],
    pages: Arc<Pages>,
    found: Outcome,
    unjudged: RefCell<Unjudged>,
    /// Goes away with it.
    _spill: Spill,
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
        Ok(Self { engine, inputs, pages, found, unjudged: RefCell::default(), _spill: spill })
    }

    /// Gives queries the table `duplicates`.
    pub(super) fn register_duplicates(&self) -> anyhow::Result<()> {
        *self.unjudged.borrow_mut() = register_duplicates(&self.engine, &self.inputs, "duplicates")?;
        Ok(())
    }

    /// The rows of a query.
    pub(super) fn rows(&self, sql: &str) -> anyhow::Result<Vec<Vec<String>>> {
        let query = self.engine.prepare(sql, &self.pages).map_err(told::query_error)?;
        let rows = self.engine.texts(&query).map_err(told::query_error)?;
        interrupt::check()?;
        Ok(rows)
    }

    /// Hands on the rows of a query as they come, and shows how far it is.
    pub(super) fn each(
        &self,
        sql: &str,
        verb: &'static str,
        session: &Session,
        mut each: impl FnMut(Vec<String>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let query = self.engine.prepare(sql, &self.pages).map_err(told::query_error)?;
        let total_bytes = self.pages.members().iter().map(|member| member.source.len()).sum();
        let work = Work { verb, item: "page", total_bytes, data_on_stdout: false };
        let watch = Watch::new(Progress::start(&session.printer, work), &self.pages, self.engine.stop());
        let mut taken = Ok(());
        let ran = watch.over(|_| {
            self.engine.each_text(&query, &mut |row| {
                taken = each(row);
                if taken.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        });
        taken?;
        interrupt::check()?;
        ran.map_err(told::query_error)
    }

    /// Values with their counts: the first column and the second.
    pub(super) fn counts(&self, sql: &str) -> anyhow::Result<Vec<(String, u64)>> {
        let counted = |row: Vec<String>| Some((row.first()?.clone(), row.get(1)?.parse().ok()?));
        let counted = self.rows(sql)?.into_iter().map(counted).collect::<Option<_>>();
        counted.with_context(|| format!("`{sql}` does not count"))
    }

    /// The number that a query gives.
    pub(super) fn count(&self, sql: &str) -> anyhow::Result<u64> {
        let rows = self.rows(sql)?;
        let number = rows.first().and_then(|row| row.first());
        number.and_then(|number| number.parse().ok()).with_context(|| format!("`{sql}` does not count"))
    }

    /// Reports what the answers did not see, but not which captures lack a verdict.
    pub(super) fn seen(&self, session: &Session) -> Outcome {
        told::seen(&self.pages.audit(), &self.pages, &session.printer).and(self.found)
    }

    /// Reports everything that the answers did not see.
    pub(super) fn outcome(&self, session: &Session) -> Outcome {
        told::incomplete(&self.pages.audit(), &self.pages, &session.printer)
            .and(self.unjudged.borrow().report(&self.pages, &session.printer))
            .and(self.found)
    }
}
