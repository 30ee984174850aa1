//! From the url log to the queues of hosts.

use std::collections::HashSet;

use crate::scope::{Growth, Verdict};
use crate::sieve::{UrlId, UrlLogCursor, UrlLogReader};
use crate::workbench::{Entry, Workbench};
use crate::{Address, Result};

use super::outcome;
use super::work::Job;

/// Reads what the sieve lets pass, as it comes.
#[derive(Debug)]
pub(super) struct Frontier {
    log: UrlLogReader,
    cursor: UrlLogCursor,
    growth: Growth,
    room: Vec<u8>,
}

impl Frontier {
    /// Begins with the first address of the log.
    pub(super) fn new(log: UrlLogReader, growth: Growth) -> Self {
        Self { cursor: log.cursor(UrlId::FIRST), log, growth, room: Vec::new() }
    }

    /// Goes over all addresses of the log as it is: those not done are queued, `each` is asked about the others' places
    /// by a kill. `done` holds the ids that are done with, and `left_out` those that were never queued.
    pub(super) fn restore(
        &mut self,
        bench: &mut Workbench,
        is_done: impl Fn(u64) -> bool,
        left_out: &HashSet<u64>,
        mut is_taken: impl FnMut(&Job) -> bool,
    ) -> Result<()> {
        while let Some(found) = self.cursor.next_url()? {
            let Some(address) = Address::from_log(found.url) else { continue };
            let id = found.id.0;
            if !left_out.contains(&id) {
                self.growth.note(&address);
            }
            if is_done(id) {
                continue;
            }
            let job = Job { id: found.id, note: found.note, address };
            if !is_taken(&job) {
                bench.add(job.address.host(), Entry { id, score: job.note.score })?;
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
            match self.growth.admit(&address) {
                Verdict::Take => {
                    drop(bench.add(address.host(), Entry { id: found.id.0, score: found.note.score })?)
                }
                Verdict::Refuse(_) => end(found.id.0, outcome::OVER_LIMIT),
            }
        }
        Ok(())
    }

    /// Whether all addresses of the log are queued.
    pub(super) fn is_at_end(&self) -> bool {
        self.cursor.position() >= self.log.end()
    }

    /// The address behind an entry.
    pub(super) fn job(&mut self, entry: &Entry) -> Result<Option<Job>> {
        let found = self.log.read_at(UrlId(entry.id), &mut self.room)?;
        let address = Address::from_log(found.url);
        Ok(address.map(|address| Job { id: found.id, note: found.note, address }))
    }
}
