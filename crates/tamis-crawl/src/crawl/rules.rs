//! What each site asks of robots, as far as the crawl knows by now.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use tamis_archive::http::{BodyReader, DecodeLimits, HttpHead};
use tamis_archive::{Mode, Reader};

use super::journal::RobotsLine;
use crate::robots::{Reception, Robots};

/// How long a `robots.txt` holds (RFC 9309, section 2.4).
const VALID_MS: u64 = 24 * 3600 * 1000;
/// How long an origin is passed over at which nobody listens.
const CLOSED_MS: u64 = 3600 * 1000;
/// The most of a `robots.txt` that is decoded: one byte more than is read, to tell that there is more.
pub(super) const MAX_BYTES: usize = crate::robots::MAX_BYTES + 1;

/// The rules of all origins met. Memory: some hundred bytes an origin, and its rules for this robot.
#[derive(Debug)]
pub(super) struct Rules {
    agent: String,
    origins: HashMap<Box<str>, Known>,
    /// The archives by their numbers in the journal, for rules fetched before a restart.
    archives: Vec<PathBuf>,
}

#[derive(Debug, Clone)]
enum Known {
    /// They are at hand.
    Held { rules: Arc<Robots>, until_ms: u64 },
    /// They are in an archive of an earlier run.
    Archived(RobotsLine),
    /// Somebody is on the way to fetch them.
    Asked,
    /// The site does not say; or it sent us to where they are not.
    Unreachable { is_elsewhere: bool },
    /// Nobody listens there, while other origins of the host answer.
    Closed { until_ms: u64 },
}

/// What is known of an origin's rules.
#[derive(Debug, Clone)]
pub(super) enum Answer {
    /// These hold.
    Hold(Arc<Robots>),
    /// They are to be fetched.
    Unknown,
    /// They are being fetched, by way of another host.
    Asked,
    /// Nobody listens there: there is nothing to fetch.
    Closed,
}

impl Rules {
    /// Knows nothing yet.
    pub(super) fn new(agent: &str, archives: Vec<PathBuf>) -> Self {
        Self { agent: agent.to_owned(), origins: HashMap::new(), archives }
    }

    /// Remembers what an earlier run fetched.
    pub(super) fn remember(&mut self, line: RobotsLine) {
        self.origins.insert(line.origin.as_str().into(), Known::Archived(line));
    }

    /// The rules of an origin, if they hold now.
    pub(super) fn of(&mut self, origin: &str, now_ms: u64) -> Answer {
        if let Some(Known::Archived(line)) = self.origins.get(origin) {
            let known = self.read_again(&line.clone());
            self.origins.insert(origin.into(), known);
        }
        match self.origins.get(origin) {
            Some(Known::Held { rules, until_ms }) if now_ms < *until_ms => Answer::Hold(Arc::clone(rules)),
            Some(Known::Asked) => Answer::Asked,
            Some(Known::Closed { until_ms }) if now_ms < *until_ms => Answer::Closed,
            _ => Answer::Unknown,
        }
    }

    /// Whether an origin has given its rules before, though they may hold no longer.
    pub(super) fn have_held(&self, origin: &str) -> bool {
        matches!(self.origins.get(origin), Some(Known::Held { .. }))
    }

    /// Whether an origin was asked for its rules in vain.
    pub(super) fn are_unreachable(&self, origin: &str) -> bool {
        matches!(self.origins.get(origin), Some(Known::Unreachable { .. }))
    }

    /// Whether an origin sent us elsewhere for its rules, in vain.
    pub(super) fn led_nowhere(&self, origin: &str) -> bool {
        matches!(self.origins.get(origin), Some(Known::Unreachable { is_elsewhere: true }))
    }

    /// Whether somebody has gone to fetch the rules of an origin.
    pub(super) fn are_asked(&self, origin: &str) -> bool {
        matches!(self.origins.get(origin), Some(Known::Asked))
    }

    /// Somebody has gone to fetch them.
    pub(super) fn ask(&mut self, origin: &str) {
        self.origins.insert(origin.into(), Known::Asked);
    }

    /// Takes in an answer for an origin, which says what holds. Gives the sitemaps it names.
    pub(super) fn set(
        &mut self,
        origin: &str,
        reception: Reception,
        body: &[u8],
        now_ms: u64,
    ) -> Vec<Box<str>> {
        let mut rules = reception.robots(&body[..body.len().min(MAX_BYTES)], &self.agent);
        let sitemaps = rules.take_sitemaps().into_vec();
        let until_ms = now_ms + VALID_MS;
        self.origins.insert(origin.into(), Known::Held { rules: Arc::new(rules), until_ms });
        sitemaps
    }

    /// No answer came, or none that says what holds: from the origin itself, or from where it sent us.
    pub(super) fn set_unreachable(&mut self, origin: &str, is_elsewhere: bool) {
        self.origins.insert(origin.into(), Known::Unreachable { is_elsewhere });
    }

    /// Nobody listens there.
    pub(super) fn set_closed(&mut self, origin: &str, now_ms: u64) {
        self.origins.insert(origin.into(), Known::Closed { until_ms: now_ms + CLOSED_MS });
    }

    fn read_again(&self, line: &RobotsLine) -> Known {
        let reception = Reception::of_status(line.outcome);
        let body = match reception {
            Reception::Parse => self.read(line),
            _ => Some(Vec::new()),
        };
        match body {
            Some(body) if !reception.is_retried() => Known::Held {
                rules: Arc::new(reception.robots(&body, &self.agent)),
                until_ms: line.fetched_ms + VALID_MS,
            },
            // What cannot be read is fetched anew.
            _ => Known::Unreachable { is_elsewhere: false },
        }
    }

    /// The body of a response in an archive.
    fn read(&self, line: &RobotsLine) -> Option<Vec<u8>> {
        let path = self.archives.get(line.file as usize)?;
        let mut reader = Reader::open_at(path, line.offset, Mode::Lenient).ok()?;
        let (_, mut block) = reader.next().ok()??.into_parts();
        let mut head = HttpHead::default();
        block.read_http(&mut head).ok()?;
        let limits = DecodeLimits { max_output_bytes: MAX_BYTES as u64, ..DecodeLimits::default() };
        let mut body = Vec::new();
        std::io::Read::read_to_end(&mut BodyReader::new(&head, block, limits), &mut body).ok()?;
        Some(body)
    }
}
