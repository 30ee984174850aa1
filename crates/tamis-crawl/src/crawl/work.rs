//! What the threads of a crawl hand to each other.

use tamis_archive::Digest;

use super::elsewhere::Found;
use super::journal::{Done, RobotsLine};
use super::known::Known;
use super::progress::Cut;
use super::records::Stored;
use crate::Address;
use crate::fetch::Exchange;
use crate::focus::Relevance;
use crate::page::TextFacts;
use crate::scope::News;
use crate::sieve::{Note, UrlId};

/// An address on its way.
#[derive(Debug, Clone)]
pub(super) struct Job {
    /// Its place in the url log.
    pub id: UrlId,
    /// What was known of it when it was found.
    pub note: Note,
    /// The address.
    pub address: Address,
    /// How often it was tried by now; 0 where that is not known.
    pub tries: u8,
}

/// From the network to the parsers.
#[derive(Debug)]
pub(super) enum Fetched {
    /// An answer for a page.
    Page {
        /// What was asked for.
        job: Job,
        /// What came.
        exchange: Box<Exchange>,
        /// Whether the address is done with; not if it is to be tried again.
        is_final: bool,
        /// What it was before, in a run that fetches pages again.
        again: Option<FetchedAgain>,
    },
    /// A page that an archive has.
    Elsewhere {
        /// What was to be asked for.
        job: Job,
        /// What stands there.
        found: Box<Found>,
    },
    /// An answer, or none, for a `robots.txt`.
    Robots {
        /// What came.
        exchange: Option<Box<Exchange>>,
        /// How it ended; its place is filled in when it is stored. None on the way through redirects.
        line: Option<RobotsLine>,
        /// The sitemaps it names.
        sitemaps: Vec<Box<str>>,
    },
    /// What name servers said of a host.
    Dns {
        /// Its name.
        host: String,
        /// Records, a line each.
        lines: String,
        /// When, in milliseconds since 1970.
        at_ms: u64,
    },
    /// An address that is done with, without an answer.
    Ended(Done),
    /// A host asked to be left alone.
    Wait {
        /// Until when, in milliseconds since 1970.
        until_ms: u64,
        /// Its name.
        host: String,
    },
}

impl Fetched {
    /// Bytes of the response that it holds in memory.
    pub(super) fn len_bytes(&self) -> u64 {
        match self {
            Self::Page { exchange, .. } | Self::Robots { exchange: Some(exchange), .. } => {
                exchange.response.len() as u64
            }
            Self::Elsewhere { found, .. } => found.http.raw_body.len() as u64,
            Self::Robots { .. } | Self::Dns { .. } | Self::Ended(_) | Self::Wait { .. } => 0,
        }
    }
}

/// A page that was fetched before, or that an imported archive has.
#[derive(Debug)]
pub(super) struct FetchedAgain {
    /// Whether this crawl has fetched it.
    pub is_visited: bool,
    /// The capture that it is compared with, if there is one.
    pub known: Option<Box<Known>>,
}

/// From the parsers to the keeper.
#[derive(Debug)]
pub(super) enum Finished {
    /// A page, ready to be stored.
    Page(Box<FinishedPage>),
    /// A `robots.txt`, ready to be stored.
    Robots {
        /// Its records.
        stored: Stored,
        /// See [`Fetched::Robots`].
        line: Option<RobotsLine>,
        /// The sitemaps it names that the crawl is for.
        sitemaps: Vec<Address>,
        /// Bytes received.
        received: usize,
    },
    /// What name servers said, ready to be stored.
    Dns {
        /// Its record.
        stored: Stored,
        /// When, in milliseconds since 1970.
        at_ms: u64,
    },
    /// See [`Fetched::Ended`].
    Ended(Done),
    /// See [`Fetched::Wait`].
    Wait {
        /// Until when, in milliseconds since 1970.
        until_ms: u64,
        /// The host.
        host: String,
    },
}

/// A page that was parsed and packed.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of a fetch, and any of them go together")]
pub(super) struct FinishedPage {
    /// What was asked for.
    pub job: Job,
    /// The status.
    pub status: u16,
    /// When the request began, in milliseconds since 1970.
    pub began_ms: u64,
    /// When the answer ended.
    pub ended_ms: u64,
    /// Its records; empty if they are in the archive already.
    pub stored: Stored,
    /// The digest of its payload.
    pub payload: Digest,
    /// Whether the payload was in the archive already.
    pub is_revisit: bool,
    /// Where it leads.
    pub links: FoundLinks,
    /// Its text in short.
    pub text: Option<TextFacts>,
    /// A hash of its text with all numbers.
    pub shown: u64,
    /// How relevant it is and whether that is enough; none if nobody asked, or it has no text.
    pub relevance: Option<(Relevance, bool)>,
    /// Bytes received.
    pub received: usize,
    /// Whether the address is done with.
    pub is_final: bool,
    /// Whether this crawl has fetched it in an earlier run.
    pub is_again: bool,
    /// The archive with the response that the server said still holds, and its offset.
    pub confirmed: Option<(u32, u64)>,
    /// Whether it is only noted, not archived.
    pub is_noted: bool,
    /// The media type that its head states.
    pub mime: Box<str>,
}

/// The links of a page, sorted out.
#[derive(Debug, Default)]
pub(super) struct FoundLinks {
    /// How many there are.
    pub found: u64,
    /// Those to follow.
    pub taken: Taken,
    /// How many are not followed, by reason.
    pub refused: Vec<(&'static str, u64)>,
    /// Those that are not followed, if they are to be listed.
    pub left: Option<Vec<(&'static str, Address)>>,
    /// What was read in part, and how much of it is missing.
    pub cut: Vec<(Cut, u64)>,
}

/// Addresses to follow, in one piece of memory: another thread frees it.
#[derive(Debug, Default)]
pub(super) struct Taken {
    text: String,
    /// Where each ends, and what is known of it.
    ends: Vec<(usize, Note)>,
}

impl Taken {
    /// Makes room for these addresses.
    pub(super) fn reserve(&mut self, addresses: usize, bytes: usize) {
        self.text.reserve(bytes);
        self.ends.reserve(addresses);
    }

    pub(super) fn push(&mut self, address: &Address, note: Note) {
        self.text.push_str(address.as_str());
        self.ends.push((self.text.len(), note));
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, Note)> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(end, _)| *end));
        starts.zip(&self.ends).map(|(start, (end, note))| (&self.text[start..*end], *note))
    }
}

impl FinishedPage {
    /// Its line of the journal, with its place in an archive.
    pub(super) fn done(&self, file: u32, offset: u64, news: Option<News>) -> Done {
        let text = self.text.filter(|_| self.status == 200);
        let (file, offset) = self.confirmed.unwrap_or((file, offset));
        Done {
            id: self.job.id.0,
            outcome: self.status,
            ended_ms: self.ended_ms,
            file,
            offset,
            payload: super::parser::half(&self.payload),
            simhash: text.map_or(0, |text| text.simhash),
            exact: text.map_or(0, |text| text.exact),
            // The text of a page that is fetched again is no near-duplicate of itself.
            text_len: text
                .filter(|_| !self.is_again)
                .map_or(0, |text| u32::try_from(text.len_bytes).unwrap_or(u32::MAX)),
            began_ms: if self.is_revisit || self.is_noted { 0 } else { self.began_ms },
            tries: self.job.tries,
            news,
        }
    }
}

impl Done {
    /// The line of an address that was never answered.
    pub(super) fn without_answer(id: UrlId, outcome: u16, ended_ms: u64, tries: u8) -> Self {
        Self {
            id: id.0,
            outcome,
            ended_ms,
            file: 0,
            offset: u64::MAX,
            payload: [0; 16],
            simhash: 0,
            exact: 0,
            text_len: 0,
            began_ms: 0,
            tries,
            news: None,
        }
    }
}
