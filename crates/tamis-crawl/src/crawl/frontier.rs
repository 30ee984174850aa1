//! From the url log to the queues of hosts.

use crate::scope::{Growth, Verdict};
use crate::sieve::{UrlId, UrlLogCursor, UrlLogReader};
use crate::workbench::{Entry, Workbench};
use crate::{Address, Result};

use super::outcome;
use super::restart::Ended;
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

    /// Goes over all addresses of the log as it is and queues those that have not ended, unless `is_taken` says that they are
    /// taken care of. Limits are kept as they would have been: they depend on the order of the log alone.
    pub(super) fn restore(
        &mut self,
        bench: &mut Workbench,
        ended: impl Fn(u64) -> Option<Ended>,
        mut is_taken: impl FnMut(&Job) -> bool,
    ) -> Result<()> {
        while let Some(found) = self.cursor.next_url()? {
            let Some(address) = Address::from_log(found.url) else { continue };
            let id = found.id.0;
            match ended(id) {
                Some(Ended::LeftOut) => continue,
                Some(Ended::Done) => {
                    self.growth.note(&address);
                    continue;
                }
                None if !self.growth.admit(&address).is_take() => continue,
                None => {}
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
                    bench.add(address.host(), Entry { id: found.id.0, score: found.note.score })?;
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
