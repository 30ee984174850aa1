//! What `dedup` has found in a collection, and what it has not compared.

use std::path::Path;

use tamis_collection::Collection;
use tamis_collection::Status;
use tamis_table::dedup::Store;

use crate::command_line;
use crate::commands::open_collection::explain;
use crate::hint::hints;
use crate::human_count::HumanCount;

/// What `dedup` has found.
pub(super) struct Compared {
    /// Pages that were compared.
    pub(super) pages: u64,
    pub(super) kept: u64,
    pub(super) exact: u64,
    pub(super) near: u64,
    /// Captures that were not compared.
    pub(super) captures_left: u64,
    /// The command that compares them.
    pub(super) command: String,
}

impl Compared {
    /// What is known of a collection, or why nothing is known and what to do about it.
    pub(super) fn of(collection: &Collection, status: &Status) -> Result<Self, String> {
        let store = Store::read(collection).map_err(|error| {
            let error = explain(error);
            let hints = hints(&error).into_iter().map(|hint| format!("; {hint}"));
            format!("{error}{}", hints.collect::<String>())
        })?;
        Ok(Self {
            pages: store.pages,
            kept: store.kept,
            exact: store.exact,
            near: store.near_duplicates,
            captures_left: store.captures_left(status.archives.iter().map(|(archive, _)| archive)),
            command: command_line::join([Path::new("tamis"), Path::new("dedup"), collection.root()]),
        })
    }

    /// `1,200 pages compared: 30 exact duplicates, 12 near duplicates`
    pub(super) fn found(&self) -> String {
        if self.pages == 0 {
            return "not run yet".to_owned();
        }
        format!(
            "{} compared: {}, {}",
            HumanCount::of(self.pages, "page"),
            HumanCount::of(self.exact, "exact duplicate"),
            HumanCount::of(self.near, "near duplicate"),
        )
    }

    /// What is left to compare, if anything is.
    pub(super) fn left(&self) -> Option<String> {
        let captures = HumanCount::of(self.captures_left, "capture");
        (self.captures_left > 0)
            .then(|| format!("{captures} not compared yet; `{}` compares them", self.command))
    }
}
