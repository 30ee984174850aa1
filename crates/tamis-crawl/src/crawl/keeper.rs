//! The one thread that writes: archive first, then the sieve, then the journal.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, TryRecvError};
use tamis_archive::cdx::CdxEntry;
use tamis_archive::write::{RollingOptions, RollingWriter};

use super::attention::Attention;
use super::crawl_log::CrawlLog;
use super::index::{ArchiveIndex, Indexed};
use super::journal::{Done, Journal, Line, RobotsLine};
use super::network::now_ms;
use super::novelty::Novelty;
use super::parser::half;
use super::progress::Progress;
use super::records::{Stored, WarcinfoId, moment};
use super::seen_payloads::{First, SeenPayloads};
use super::work::{Finished, FinishedPage};
use super::{NearPolicy, outcome};
use crate::sieve::{Durability, Note, Sieve, SieveKind};
use crate::{Address, Result};

/// The most that is written at once: pages, and bytes of records.
const BATCH_PAGES: usize = 256;
const BATCH_BYTES: u64 = 4 << 20;
/// How long an idle keeper sleeps before it looks whether the network is hungry.
const NAP: Duration = Duration::from_millis(2);
/// Flushing the sieve may take this share of the time.
const FLUSH_SHARE: u32 = 10;
/// What a sitemap promises to a crawl for an event: its addresses are judged by their words.
const SITEMAP_HOPE: f32 = 0.1;
/// How often the files are brought to the disk.
const SYNC_EVERY: Duration = Duration::from_secs(10);

/// Writes what is finished.
pub(super) struct Keeper {
    pub(super) archive: RollingWriter,
    pub(super) index: ArchiveIndex,
    pub(super) journal: Journal,
    pub(super) sieve: Box<dyn Sieve>,
    pub(super) sieve_kind: SieveKind,
    pub(super) novelty: Novelty,
    pub(super) near_policy: NearPolicy,
    /// In a crawl for an event.
    pub(super) attention: Option<Attention>,
    pub(super) seen: Arc<Mutex<SeenPayloads>>,
    pub(super) progress: Arc<Progress>,
    /// The number in the journal of the archive that is being written; the next one has the next.
    pub(super) next_file: u32,
    pub(super) serial: Option<u32>,
    /// The records of a batch, one behind the other.
    pub(super) records: Vec<u8>,
    pub(super) flushed: Flushed,
    /// The warcinfo record of the archive that is being written.
    pub(super) warcinfo: WarcinfoId,
    /// A line for each fetch.
    pub(super) log: Option<CrawlLog>,
}

/// When the sieve was last flushed and how long that took.
pub(super) struct Flushed {
    ended: Instant,
    took: Duration,
    synced: Instant,
}

impl Flushed {
    pub(super) fn never() -> Self {
        let now = Instant::now();
        Self { ended: now, took: Duration::ZERO, synced: now }
    }
}

impl Keeper {
    /// Keeps what comes until nobody can send any more.
    pub(super) fn run(mut self, input: &Receiver<Finished>) -> Result<Vec<Indexed>> {
        let (mut batch, mut held) = (Vec::with_capacity(BATCH_PAGES), None);
        loop {
            match held.take().map_or_else(|| input.try_recv(), Ok) {
                Ok(first) => {
                    held = fill(&mut batch, first, input);
                    self.keep(&mut batch)?;
                }
                // Not `recv`: to be woken for each page costs more than to keep it.
                Err(TryRecvError::Empty) => thread::sleep(NAP),
                Err(TryRecvError::Disconnected) => break,
            }
            self.feed()?;
            self.sync_now_and_then()?;
        }
        self.close()
    }

    /// Writes a batch: it survives a kill once this returns.
    pub(super) fn keep(&mut self, batch: &mut Vec<Finished>) -> Result<()> {
        let offset = self.store(batch)?;
        self.log(batch)?;
        let (mut at, mut outcomes, mut refused) = (offset, Vec::with_capacity(batch.len()), BTreeMap::new());
        for finished in batch.iter_mut() {
            let len = stored(finished).map_or(0, Stored::len);
            let records = if matches!(finished, Finished::Dns { .. }) { 1 } else { 2 };
            if let Some(entry) = entry(finished) {
                self.index.add(entry, at, records)?;
            }
            self.take(finished, at, &mut outcomes, &mut refused)?;
            at += len;
        }
        self.sieve.settle(Durability::Kill)?;
        self.attend()?;
        if self.serial.is_some() {
            let sums = self.progress.counts.sums().logged();
            self.journal.add(&Line::Position { file: self.file(), end: self.archive.offset(), sums });
        }
        self.journal.commit()?;
        self.progress.count_outcomes(outcomes);
        self.progress.count_refused(refused);
        // The sieve decides by itself, too, when its memory is full.
        self.progress.counts.discovered.store(self.sieve.urls(), Relaxed);
        self.progress.pending.store(self.sieve.pending(), Release);
        self.progress.outstanding.fetch_sub(batch.len() as u64, Release);
        self.progress.bell.notify_one();
        batch.clear();
        Ok(())
    }

    /// Writes the lines of a batch into the log of fetches. It is written after the archive and before the journal: after a kill a page may have
    /// two lines, and none that was archived has no line, but for revisits, which are fetched once more.
    fn log(&mut self, batch: &[Finished]) -> Result<()> {
        let Some(log) = &mut self.log else { return Ok(()) };
        let (urls, mut room) = (self.sieve.log(), Vec::new());
        batch.iter().try_for_each(|finished| finished.log(log, &urls, &mut room))?;
        log.commit()
    }

    /// Appends the records of a batch to the archive. Gives the offset of the first.
    fn store(&mut self, batch: &mut [Finished]) -> Result<u64> {
        let len: u64 = batch.iter().filter_map(|finished| stored(finished)).map(Stored::len).sum();
        if len == 0 {
            return Ok(self.archive.offset());
        }
        let date = moment(now_of(batch));
        // A record that was spooled is a batch of its own.
        let file = batch.first_mut().and_then(stored_mut).and_then(|stored| stored.file.as_mut());
        let offset = if let Some((file, len)) = file {
            self.archive.append_from(file, *len, date)?
        } else {
            self.records.clear();
            for stored in batch.iter().filter_map(stored) {
                self.records.extend_from_slice(&stored.bytes);
            }
            self.archive.append(&self.records, date)?
        };
        self.progress.counts.stored_bytes.fetch_add(len, Relaxed);
        if self.archive.serial() != self.serial {
            self.serial = self.archive.serial();
            let name = self.archive.file_name().unwrap_or_default().to_owned();
            *self.warcinfo.lock().unwrap_or_else(PoisonError::into_inner) =
                RollingOptions::warcinfo_id(&name);
            self.index.turn_to(&name)?;
            self.journal.add(&Line::File { number: self.next_file, name });
            self.next_file += 1;
        }
        Ok(offset)
    }

    fn take(
        &mut self,
        finished: &mut Finished,
        offset: u64,
        outcomes: &mut Vec<&'static str>,
        refused: &mut BTreeMap<&'static str, u64>,
    ) -> Result<()> {
        match finished {
            Finished::Page(page) => {
                outcomes.push(outcome::name(page.status));
                let is_stored = !page.stored.is_empty();
                self.progress.counts.taken_over.fetch_add(u64::from(!is_stored && !page.is_noted), Relaxed);
                self.progress.counts.noted.fetch_add(u64::from(page.is_noted), Relaxed);
                let offset = if is_stored { offset } else { u64::MAX };
                self.page(page, offset, refused)
            }
            Finished::Robots { stored, line, sitemaps, received } => {
                self.progress.counts.robots.fetch_add(u64::from(!stored.is_empty()), Relaxed);
                self.progress.counts.received_bytes.fetch_add(*received as u64, Relaxed);
                let offset = if stored.is_empty() { u64::MAX } else { offset };
                self.robots(line.take(), sitemaps, offset)
            }
            Finished::Dns { .. } => Ok(()),
            Finished::Ended(done) => {
                outcomes.push(outcome::name(done.outcome));
                if let Some(limit) = outcome::limit(done.outcome) {
                    self.progress.count_left_out(limit);
                }
                self.done(*done);
                Ok(())
            }
            Finished::Wait { until_ms, host } => {
                self.journal.add(&Line::Wait { until_ms: *until_ms, host: std::mem::take(host) });
                Ok(())
            }
        }
    }

    fn page(
        &mut self,
        page: &mut FinishedPage,
        offset: u64,
        refused: &mut BTreeMap<&'static str, u64>,
    ) -> Result<()> {
        let counts = &self.progress.counts;
        counts.responses.fetch_add(1, Relaxed);
        counts.pages.fetch_add(u64::from(outcome::is_page(page.status)), Relaxed);
        counts.received_bytes.fetch_add(page.received as u64, Relaxed);
        counts.revisits.fetch_add(u64::from(page.is_revisit), Relaxed);
        counts.links.fetch_add(page.links.found, Relaxed);
        for &(cut, by) in &page.links.cut {
            self.progress.count_cut(cut, by);
        }
        for &(reason, count) in &page.links.refused {
            *refused.entry(reason).or_default() += count;
        }
        let judged = self.novelty.judge(page);
        counts.near_duplicates.fetch_add(u64::from(judged.is_near), Relaxed);
        // A page is nearly what it was the last time, and its new links are why it is fetched again.
        if judged.is_near && !page.is_again && self.near_policy == NearPolicy::Skip {
            *refused.entry("near-duplicate").or_default() += page.links.taken.len() as u64;
        } else {
            counts.offered.fetch_add(page.links.taken.len() as u64, Relaxed);
            for (address, note) in page.links.taken.iter() {
                self.sieve.offer(address, note)?;
            }
        }
        if page.is_final {
            let (payload, first) =
                (half(&page.payload), First { id: page.job.id.0, fetched_ms: page.began_ms });
            if !page.is_revisit && !page.is_noted {
                self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(&payload, first);
            }
            if let Some(attention) = &mut self.attention {
                attention.note(page);
            }
            self.done(page.done(self.file(), offset, judged.news));
        }
        Ok(())
    }

    fn robots(&mut self, line: Option<RobotsLine>, sitemaps: &[Address], offset: u64) -> Result<()> {
        for address in sitemaps {
            let score = if self.attention.is_some() { SITEMAP_HOPE } else { 0.0 };
            self.sieve.offer(address.as_str(), Note { score, ..Note::default() })?;
        }
        if let Some(line) = line {
            self.journal.add(&Line::Robots(RobotsLine { file: self.file(), offset, ..line }));
        }
        Ok(())
    }

    /// The number of the archive that is being written.
    fn file(&self) -> u32 {
        self.next_file.saturating_sub(1)
    }

    fn done(&mut self, done: Done) {
        self.progress.counts.done.fetch_add(1, Relaxed);
        self.journal.add(&Line::Done(done));
    }

    /// Takes in pages that are in an archive already, from before a kill.
    pub(super) fn keep_archived(
        &mut self,
        files: &[Line],
        pages: Vec<(FinishedPage, u32, u64)>,
    ) -> Result<()> {
        for file in files {
            self.journal.add(file);
        }
        let mut refused = BTreeMap::new();
        for (mut page, file, offset) in pages {
            let next_file = std::mem::replace(&mut self.next_file, file + 1);
            self.page(&mut page, offset, &mut refused)?;
            self.log.iter_mut().for_each(|log| page.log(log));
            self.next_file = next_file;
            self.progress.count_outcomes([outcome::name(page.status)]);
        }
        self.progress.count_refused(refused);
        self.sieve.settle(Durability::Kill)?;
        self.attend()?;
        self.log.as_mut().map_or(Ok(()), CrawlLog::commit)?;
        self.journal.commit()
    }

    /// Writes the relevance of the batch, tells the harvest, and ends the crawl if it is too poor.
    pub(super) fn attend(&mut self) -> Result<()> {
        let Some(attention) = &mut self.attention else { return Ok(()) };
        attention.commit()?;
        let harvest = attention.harvest();
        let is_over = harvest.ended.is_some();
        self.progress.set_harvest(harvest);
        if is_over {
            self.progress.stop();
        }
        Ok(())
    }

    /// Decides what is pending if the network waits for it, as far as that does not take all the time.
    fn feed(&mut self) -> Result<()> {
        let is_due = self.flushed.ended.elapsed() >= self.flushed.took * FLUSH_SHARE;
        if self.sieve.pending() > 0 && is_due && self.progress.is_hungry.load(Acquire) {
            self.flush()?;
        }
        Ok(())
    }

    pub(super) fn flush(&mut self) -> Result<()> {
        let began = Instant::now();
        self.sieve.flush()?;
        self.flushed.took = began.elapsed();
        self.flushed.ended = Instant::now();
        self.progress.counts.discovered.store(self.sieve.urls(), Relaxed);
        self.progress.pending.store(self.sieve.pending(), Release);
        self.progress.bell.notify_one();
        Ok(())
    }

    /// Tells how the sieve is.
    pub(super) fn tell_sieve(&self) {
        self.progress.set_sieve(self.sieve_kind, &self.sieve.stats());
    }

    fn sync_now_and_then(&mut self) -> Result<()> {
        if self.flushed.synced.elapsed() >= SYNC_EVERY {
            self.archive.sync()?;
            self.sieve.settle(Durability::Power)?;
            self.attention.as_ref().map_or(Ok(()), Attention::sync)?;
            self.journal.sync()?;
            self.tell_sieve();
            self.flushed.synced = Instant::now();
        }
        Ok(())
    }

    /// Everything on the disk, the last archive under its final name.
    fn close(mut self) -> Result<Vec<Indexed>> {
        self.sieve.settle(Durability::Power)?;
        self.tell_sieve();
        self.archive.finish()?;
        self.attention.as_ref().map_or(Ok(()), Attention::sync)?;
        self.journal.sync()?;
        self.index.finish()
    }
}

/// Fills a batch. Gives what was received and belongs to the next one: a record that was spooled has a batch of its own.
fn fill(batch: &mut Vec<Finished>, first: Finished, input: &Receiver<Finished>) -> Option<Finished> {
    let is_large = |finished: &Finished| stored(finished).is_some_and(|stored| stored.file.is_some());
    let mut bytes = stored(&first).map_or(0, Stored::len);
    let is_alone = is_large(&first);
    batch.push(first);
    while !is_alone && batch.len() < BATCH_PAGES && bytes < BATCH_BYTES {
        let Ok(next) = input.try_recv() else { break };
        if is_large(&next) {
            return Some(next);
        }
        bytes += stored(&next).map_or(0, Stored::len);
        batch.push(next);
    }
    None
}

fn stored(finished: &Finished) -> Option<&Stored> {
    match finished {
        Finished::Page(page) => Some(&page.stored),
        Finished::Robots { stored, .. } | Finished::Dns { stored, .. } => Some(stored),
        Finished::Ended(_) | Finished::Wait { .. } => None,
    }
}

fn stored_mut(finished: &mut Finished) -> Option<&mut Stored> {
    match finished {
        Finished::Page(page) => Some(&mut page.stored),
        Finished::Robots { stored, .. } | Finished::Dns { stored, .. } => Some(stored),
        Finished::Ended(_) | Finished::Wait { .. } => None,
    }
}

/// What the index says of what was fetched.
fn entry(finished: &mut Finished) -> Option<&mut CdxEntry> {
    stored_mut(finished)?.entry.as_deref_mut()
}

/// The moment of the newest page of a batch, for the date of a new file.
fn now_of(batch: &[Finished]) -> u64 {
    let of = |finished: &Finished| match finished {
        Finished::Page(page) => page.ended_ms,
        Finished::Robots { line, .. } => line.as_ref().map_or(0, |line| line.fetched_ms),
        Finished::Ended(done) => done.ended_ms,
        Finished::Dns { at_ms, .. } => *at_ms,
        Finished::Wait { .. } => 0,
    };
    batch.iter().map(of).max().filter(|&ms| ms > 0).unwrap_or_else(now_ms)
}
