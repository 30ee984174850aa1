//! What a crawl knows of and does not have, and its figures: read from its files, also while it runs.

use std::collections::{BTreeMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use super::closed::Closed;
use super::ends::{End, Ends};
use super::journal::{Journal, Line};
use super::progress::Snapshot;
use super::{Folders, closed, outcome};
use crate::sieve::{UrlId, UrlLogReader};
use crate::{Address, Result};

/// Addresses that were not fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// Those that gave no answer, or none but to come later (429, 503), after all tries.
    Failed,
    /// Those that were never asked for: `robots.txt` forbids it, or a limit was reached.
    Refused,
}

/// An address that was not fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftUrl {
    /// The address.
    pub url: String,
    /// Why, in a word.
    pub kind: String,
    /// When that was clear, in milliseconds since 1970.
    pub time_ms: u64,
    /// How often it was tried; 0 where that is not known.
    pub tries: u8,
}

impl Left {
    fn has(self, outcome: u16) -> bool {
        match self {
            Self::Failed => outcome::is_failed(outcome),
            Self::Refused => outcome::is_refused(outcome),
        }
    }
}

/// Gives each address of a crawl that was left to `each`, in the order of discovery; last those of hosts that were given up, whose turn
/// did not come. Memory: some 50 bytes for each of them, and for each address that had its turn if hosts were given up.
pub fn left<E: From<crate::Error>>(
    folders: &Folders,
    which: Left,
    mut each: impl FnMut(LeftUrl) -> Result<(), E>,
) -> Result<(), E> {
    let closed = match which {
        Left::Failed => Closed::read(&closed::path(&folders.frontier))?,
        Left::Refused => Closed::default(),
    };
    let (mut found, mut ended) = (BTreeMap::new(), HashSet::new());
    Journal::read(&folders.journal(), |line| {
        if let Line::Done(done) = line {
            if !closed.is_empty() {
                ended.insert(done.id);
            }
            if which.has(done.outcome) {
                found.insert(done.id, (done.outcome, done.ended_ms, done.tries));
            } else {
                // It was tried again, and came.
                found.remove(&done.id);
            }
        }
    })?;
    if found.is_empty() && closed.is_empty() {
        return Ok(());
    }
    let log = UrlLogReader::open(&folders.sieve()).map_err(crate::Error::from)?;
    let mut room = Vec::new();
    for (id, (outcome, time_ms, tries)) in found {
        let url = log.read_at(UrlId(id), &mut room).map_err(crate::Error::from)?.url.to_owned();
        each(LeftUrl { url, kind: outcome::kind(outcome), time_ms, tries })?;
    }
    if closed.is_empty() {
        return Ok(());
    }
    let mut cursor = log.cursor(UrlId::FIRST);
    // A kill may leave half a record at the end.
    while let Ok(Some(found)) = cursor.next_url() {
        let address = Address::from_log(found.url).filter(|_| !ended.contains(&found.id.0));
        if let Some((time_ms, why)) = address.as_ref().and_then(|address| closed.of(address.host())) {
            each(LeftUrl { url: found.url.to_owned(), kind: why.to_owned(), time_ms, tries: 0 })?;
        }
    }
    Ok(())
}

/// Those of some addresses that a crawl is done with, in the order of their discovery, with how they ended. Memory: some 100 bytes for each.
pub fn ended(folders: &Folders, addresses: &[Address]) -> Result<Vec<LeftUrl>> {
    let wanted: HashSet<&str> = addresses.iter().map(Address::as_str).collect();
    let mut found = BTreeMap::new();
    let mut cursor = UrlLogReader::open(&folders.sieve())?.cursor(UrlId::FIRST);
    // Faults of the log are reported when the crawl resumes.
    while let Ok(Some(logged)) = cursor.next_url() {
        if wanted.contains(logged.url) {
            found.insert(logged.id.0, (logged.url.to_owned(), None));
        }
    }
    Journal::read(&folders.journal(), |line| {
        if let Line::Done(done) = line
            && let Some((_, end)) = found.get_mut(&done.id)
        {
            *end = Some((done.outcome, done.ended_ms, done.tries));
        }
    })?;
    let ended = found.into_values().filter_map(|(url, end)| {
        let (outcome, time_ms, tries) = end?;
        Some(LeftUrl { url, kind: outcome::kind(outcome), time_ms, tries })
    });
    Ok(ended.collect())
}

/// The figures of a crawl that was killed, from its journal and its log of addresses. What neither has is as it was last told.
pub fn figures(folders: &Folders, told: &Snapshot) -> Result<Snapshot> {
    let (mut ends, mut robots, mut snapshot) = (Ends::default(), 0, told.clone());
    Journal::read(&folders.journal(), |line| match line {
        Line::Done(done) => ends.push(done.id, End { outcome: done.outcome, news: None }),
        Line::Robots(_) => robots += 1,
        Line::Position { sums, .. } => snapshot.sums.raise(&sums),
        Line::File { .. } | Line::Wait { .. } => {}
    })?;
    ends.settle();
    let (discovered, hosts) = addresses(folders)?;
    let sums = &mut snapshot.sums;
    (sums.pages, sums.responses) = (ends.pages(), ends.responses());
    (sums.done, sums.robots, sums.discovered) = (ends.len() as u64, robots, discovered);
    snapshot.outcomes = ends.outcomes();
    snapshot.left_out = ends.left_out();
    snapshot.bench = super::BenchCounts {
        hosts,
        queued_on_disk: discovered.saturating_sub(ends.len() as u64),
        ..super::BenchCounts::default()
    };
    snapshot.slowest.clear();
    Ok(snapshot)
}

/// How many addresses the log has, and of how many hosts.
fn addresses(folders: &Folders) -> Result<(u64, u64)> {
    if !folders.sieve().join("urls").exists() {
        return Ok((0, 0));
    }
    let mut cursor = UrlLogReader::open(&folders.sieve())?.cursor(UrlId::FIRST);
    let (mut count, mut hosts) = (0, HashSet::new());
    // A kill may leave half a record at the end; other faults are reported when the crawl resumes.
    while let Ok(Some(found)) = cursor.next_url() {
        count += 1;
        hosts.extend(Address::from_log(found.url).map(|address| xxh3_64(address.host().as_bytes())));
    }
    Ok((count, hosts.len() as u64))
}
