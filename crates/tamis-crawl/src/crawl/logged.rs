//! The lines of `crawl.log` for what the keeper gets.

use super::crawl_log::{CrawlLog, LogLine};
use super::journal::{Done, RobotsLine};
use super::network::now_ms;
use super::outcome;
use super::records::Stored;
use super::work::{Finished, FinishedPage};
use crate::Result;
use crate::sieve::{UrlId, UrlLogReader};

/// What Heritrix writes for a look-up of a name that succeeded.
const RESOLVED: u16 = 1;

impl Finished {
    /// Adds its line, if it is of a fetch.
    pub(super) fn log(&self, log: &mut CrawlLog, urls: &UrlLogReader, room: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::Page(page) => page.log(log),
            Self::Robots { stored, line, received, .. } => {
                log_robots(stored, line.as_ref(), *received as u64, log);
            }
            Self::Dns { stored, at_ms } => log_dns(stored, *at_ms, log),
            Self::Ended(done) => log_end(done, urls, room, log)?,
            Self::Wait { .. } => {}
        }
        Ok(())
    }
}

impl FinishedPage {
    /// Adds its line.
    pub(super) fn log(&self, log: &mut CrawlLog) {
        log.add(&LogLine {
            outcome: self.status,
            size: Some(self.received as u64),
            url: self.job.address.as_str(),
            depth: self.job.note.depth,
            hops: self.job.note.hops,
            is_aside: false,
            mime: &self.mime,
            began_ms: self.began_ms,
            ended_ms: self.ended_ms,
            digest: Some(&self.payload.to_string()),
            is_revisit: self.is_revisit,
            is_noted: self.is_noted,
            tries: self.job.tries,
        });
    }
}

fn log_robots(stored: &Stored, line: Option<&RobotsLine>, received: u64, log: &mut CrawlLog) {
    let at_ms = line.map_or_else(now_ms, |line| line.fetched_ms);
    let url = line.map(|line| format!("{}/robots.txt", line.origin)).unwrap_or_default();
    let plain = LogLine {
        outcome: line.map_or(outcome::FAILED, |line| line.outcome),
        url: &url,
        is_aside: true,
        began_ms: at_ms,
        ended_ms: at_ms,
        ..LogLine::default()
    };
    log.add(&match stored.entry.as_deref() {
        Some(entry) => LogLine {
            outcome: entry.status.unwrap_or(plain.outcome),
            size: Some(received),
            url: &entry.url,
            mime: &entry.mime,
            digest: Some(&entry.digest),
            ..plain
        },
        None => plain,
    });
}

fn log_dns(stored: &Stored, at_ms: u64, log: &mut CrawlLog) {
    let Some(entry) = stored.entry.as_deref() else { return };
    log.add(&LogLine {
        outcome: RESOLVED,
        size: Some(stored.bytes.len() as u64),
        url: &entry.url,
        is_aside: true,
        mime: &entry.mime,
        began_ms: at_ms,
        ended_ms: at_ms,
        digest: Some(&entry.digest),
        ..LogLine::default()
    });
}

fn log_end(done: &Done, urls: &UrlLogReader, room: &mut Vec<u8>, log: &mut CrawlLog) -> Result<()> {
    let found = urls.read_at(UrlId(done.id), room)?;
    log.add(&LogLine {
        outcome: done.outcome,
        url: found.url,
        depth: found.note.depth,
        hops: found.note.hops,
        began_ms: done.ended_ms,
        ended_ms: done.ended_ms,
        tries: done.tries,
        ..LogLine::default()
    });
    Ok(())
}
