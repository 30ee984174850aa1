//! From the url log to the queues of hosts.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::scope::{Growth, Templates, Verdict};
use crate::sieve::{UrlId, UrlLogCursor, UrlLogReader};
use crate::workbench::{Entry, Workbench};
use crate::{Address, Result};

use super::elsewhere::{Elsewhere, Found};
use super::ends::End;
use super::outcome;
use super::work::Job;

/// Reads what the sieve lets pass, as it comes.
#[derive(Debug)]
pub(super) struct Frontier {
    log: UrlLogReader,
    cursor: UrlLogCursor,
    growth: Growth,
    templates: Arc<Templates>,
    elsewhere: Elsewhere,
    /// Entries whose pages the archives have already.
    stored: VecDeque<Entry>,
    room: Vec<u8>,
}

impl Frontier {
    /// Begins with the first address of the log.
    pub(super) fn new(
        log: UrlLogReader,
        growth: Growth,
        templates: Arc<Templates>,
        elsewhere: Elsewhere,
    ) -> Self {
        let (cursor, stored) = (log.cursor(UrlId::FIRST), VecDeque::new());
        Self { cursor, log, growth, templates, elsewhere, stored, room: Vec::new() }
    }

    /// Goes over all addresses of the log as it is and queues those that have not ended, unless `is_taken` says that they are
    /// taken care of. Limits are kept as they would have been: they depend on the order of the log alone. So what was left out
    /// because of one is queued if the limit is another now, and what `is_due` says is to be fetched again.
    pub(super) fn restore(
        &mut self,
        bench: &mut Workbench,
        ended: impl Fn(u64) -> Option<End>,
        is_due: impl Fn(u64) -> bool,
        mut is_taken: impl FnMut(&Job) -> bool,
    ) -> Result<()> {
        while let Some(found) = self.cursor.next_url()? {
            let Some(address) = Address::from_log(found.url) else { continue };
            let (id, note) = (found.id, found.note);
            if let Some(end) = ended(id.0).filter(|end| outcome::limit(end.outcome).is_none()) {
                self.growth.note(&address);
                end.news.into_iter().for_each(|news| self.templates.note(&address, news));
                bench.know(address.host(), u32::from(end.outcome < 1000));
                let job = Job { id, note, address, tries: 0 };
                if is_due(id.0) && !is_taken(&job) {
                    bench.add(job.address.host(), Entry { id: id.0, score: note.score })?;
                }
                continue;
            }
            if self.admit(&address).is_err() {
                continue;
            }
            let job = Job { id, note, address, tries: 0 };
            if !is_taken(&job) {
                self.queue(&job.address, Entry { id: id.0, score: note.score }, bench)?;
            }
        }
        Ok(())
    }

    /// Queues at most so many new addresses. `end` hears of those that are left out.
    pub(super) fn read(
        &mut self,
        most: usize,
        bench: &mut Workbench,
        mut end: impl FnMut(u64, u16),
    ) -> Result<()> {
        for _ in 0..most {
            let Some(found) = self.cursor.next_url()? else { break };
            let Some(address) = Address::from_log(found.url) else { continue };
            let entry = Entry { id: found.id.0, score: found.note.score };
            match self.admit(&address) {
                Ok(()) => self.queue(&address, entry, bench)?,
                Err(outcome) => end(entry.id, outcome),
            }
        }
        Ok(())
    }

    fn queue(&mut self, address: &Address, entry: Entry, bench: &mut Workbench) -> Result<()> {
        if self.elsewhere.has(address) {
            self.stored.push_back(entry);
        } else {
            bench.add(address.host(), entry)?;
        }
        Ok(())
    }

    /// The next page that an archive has. One that cannot be read there is queued.
    pub(super) fn next_stored(&mut self, bench: &mut Workbench) -> Result<Option<(Job, Found)>> {
        while let Some(entry) = self.stored.pop_front() {
            let Some(job) = self.job(&entry)? else { continue };
            match self.elsewhere.find(&job.address) {
                Some(found) => return Ok(Some((job, found))),
                None => drop(bench.add(job.address.host(), entry)?),
            }
        }
        Ok(None)
    }

    /// What an archive of the other way into the collection has of an address.
    pub(super) fn find_elsewhere(&self, address: &Address) -> Option<Found> {
        self.elsewhere.find(address)
    }

    /// Whether an address is within all limits; if not, how it ended.
    fn admit(&mut self, address: &Address) -> Result<(), u16> {
        if self.is_stale(address) {
            return Err(outcome::STALE);
        }
        match self.growth.admit(address) {
            Verdict::Take => Ok(()),
            Verdict::Refuse(reason) => Err(outcome::of_limit(reason)),
        }
    }

    /// Whether pages of such addresses have brought nothing new for long.
    pub(super) fn is_stale(&self, address: &Address) -> bool {
        self.templates.is_closed(address)
    }

    /// Whether all addresses of the log are queued.
    pub(super) fn is_at_end(&self) -> bool {
        self.stored.is_empty() && self.cursor.position() >= self.log.end()
    }

    /// The address behind an entry.
    pub(super) fn job(&mut self, entry: &Entry) -> Result<Option<Job>> {
        let found = self.log.read_at(UrlId(entry.id), &mut self.room)?;
        let address = Address::from_log(found.url);
        Ok(address.map(|address| Job { id: found.id, note: found.note, address, tries: 0 }))
    }
}
