//! Pages that are fetched again: which are due, and with what they are compared.
//!
//! The journal has a line for each visit to a page, so it is the history of its changes: nothing else is kept. Memory: some 100 bytes
//! for each page that was answered, only in a run that fetches pages again.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use super::change_rate::{AgainOptions, Changes};
use super::journal::{Done, Journal, Line};
use super::known::{Imported, Known};
use super::{Folders, outcome};
use crate::sieve::{UrlId, UrlLogReader};
use crate::{Address, Result};

/// What earlier runs found of each page.
#[derive(Debug, Default)]
pub(super) struct Visits {
    pages: HashMap<u64, Page>,
}

/// A page by its last visit.
#[derive(Debug, Clone, Copy)]
struct Page {
    changes: Changes,
    place: Option<(u32, u64)>,
    payload: [u8; 16],
    exact: u64,
    outcome: u16,
}

/// Pages that are fetched again in this run.
pub(super) struct Recrawl {
    options: AgainOptions,
    visits: Visits,
    archives: Vec<PathBuf>,
    imported: Option<Imported>,
    now_ms: u64,
}

/// A page and its changes.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangedUrl {
    /// Its address.
    pub url: String,
    /// Its visits and changes.
    pub changes: Changes,
}

impl Visits {
    /// Takes in a line of the journal.
    pub(super) fn note(&mut self, done: &Done) {
        if done.outcome >= 1000 || outcome::is_failed(done.outcome) {
            return;
        }
        let place = (done.offset != u64::MAX).then_some((done.file, done.offset));
        let Some(page) = self.pages.get_mut(&done.id) else {
            let changes = Changes::first(done.ended_ms);
            let Done { payload, exact, outcome, .. } = *done;
            self.pages.insert(done.id, Page { changes, place, payload, exact, outcome });
            return;
        };
        if done.ended_ms <= page.changes.last_ms {
            // The same visit, written down once more after a kill.
            return;
        }
        let is_same = page.is_same(done);
        page.changes.visit(done.ended_ms, !is_same);
        page.place = place.or(page.place.filter(|_| is_same));
        page.payload = done.payload;
        if done.outcome != outcome::NOT_MODIFIED {
            (page.exact, page.outcome) = (done.exact, done.outcome);
        }
    }
}

impl Page {
    /// Whether a visit found what the last one had. Servers that write the time or a token into each page change its bytes every time:
    /// where there is text enough, the text counts.
    fn is_same(&self, done: &Done) -> bool {
        if done.outcome == outcome::NOT_MODIFIED {
            return true;
        }
        let is_text = done.exact != 0 && done.exact == self.exact;
        done.outcome == self.outcome && (done.payload == self.payload || is_text)
    }
}

impl Recrawl {
    /// What is due now, of these visits.
    pub(super) fn new(
        options: AgainOptions,
        visits: Visits,
        archives: Vec<PathBuf>,
        imported: Option<Imported>,
        now_ms: u64,
    ) -> Self {
        Self { options, visits, archives, imported, now_ms }
    }

    /// Whether a page is to be fetched again.
    pub(super) fn is_due(&self, id: u64) -> bool {
        self.visits.pages.get(&id).is_some_and(|page| page.changes.due_ms(&self.options) <= self.now_ms)
    }

    /// Whether a page was answered before this run.
    pub(super) fn has(&self, id: u64) -> bool {
        self.visits.pages.contains_key(&id)
    }

    /// The capture that a page is compared with.
    pub(super) fn known(&self, id: u64, address: &Address) -> Option<Known> {
        if let Some(page) = self.visits.pages.get(&id) {
            let (file, offset) = page.place?;
            return Known::read(self.archives.get(file as usize)?, file, offset, address);
        }
        // The links of an imported page are not known to this crawl: it is compared, not asked for on condition.
        self.imported.as_ref()?.newest(address)
    }
}

/// Gives each page of a crawl that was answered to `each`, in the order of discovery, with its visits and changes.
pub fn changes<E: From<crate::Error>>(
    folders: &Folders,
    mut each: impl FnMut(ChangedUrl) -> Result<(), E>,
) -> Result<(), E> {
    let mut visits = Visits::default();
    Journal::read(&folders.journal(), |line| {
        if let Line::Done(done) = line {
            visits.note(&done);
        }
    })?;
    if visits.pages.is_empty() {
        return Ok(());
    }
    let log = UrlLogReader::open(&folders.sieve()).map_err(crate::Error::from)?;
    let mut room = Vec::new();
    let pages: BTreeMap<u64, Changes> =
        visits.pages.into_iter().map(|(id, page)| (id, page.changes)).collect();
    for (id, changes) in pages {
        let url = log.read_at(UrlId(id), &mut room).map_err(crate::Error::from)?.url.to_owned();
        each(ChangedUrl { url, changes })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(ended_ms: u64, outcome: u16, payload: u8, exact: u64) -> Done {
        let done = Done::without_answer(UrlId(7), outcome, ended_ms, 1);
        Done { payload: [payload; 16], exact, file: 0, offset: ended_ms, ..done }
    }

    #[test]
    fn the_journal_tells_which_visits_found_a_change() {
        let mut visits = Visits::default();
        for line in [
            done(10, 200, 1, 5),
            // Other bytes, the same text: no change. Then confirmed, failed, written down twice.
            done(20, 200, 2, 5),
            done(30, 304, 2, 0),
            done(40, 1101, 0, 0),
            done(45, 503, 9, 9),
            done(30, 200, 9, 9),
            done(50, 200, 3, 6),
            done(60, 404, 3, 6),
        ] {
            visits.note(&line);
        }
        let page = visits.pages[&7];
        assert_eq!(page.changes, Changes { first_ms: 10, last_ms: 60, compared: 4, changed: 2 });
        assert_eq!((page.place, page.outcome), (Some((0, 60)), 404));
    }

    #[test]
    fn only_what_is_due_is_fetched_again() {
        let mut visits = Visits::default();
        visits.note(&done(1_000, 200, 1, 5));
        let options = AgainOptions { min_age_ms: 500, max_age_ms: 9_000 };
        let at = |now_ms, visits| Recrawl::new(options, visits, Vec::new(), None, now_ms);
        let again = at(1_499, visits);
        assert!(!again.is_due(7) && again.has(7) && !again.has(8) && !again.is_due(8));
        assert!(at(1_500, again.visits).is_due(7));
    }
}
