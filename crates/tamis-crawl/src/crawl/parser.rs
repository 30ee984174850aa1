//! From an exchange to what is kept of it: links, fingerprints, digests, records.

use std::borrow::Cow;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tamis_archive::http::HttpHead;
use tamis_archive::write::{Truncation, WriterOptions};
use tamis_archive::{Algorithm, Digest, Hasher};

use super::elsewhere::Found;
use super::follow::Follow;
use super::records::{Capture, Earlier, RecordMaker, Stored, payload_digest};
use super::seen_payloads::{First, SeenPayloads};
use super::work::{Fetched, Finished, FinishedPage, FoundLinks, Job};
use crate::fetch::{Exchange, Protocol, Truncated};
use crate::focus::Relevance;
use crate::page::{self, PageReader, TextFacts};
use crate::sieve::{UrlId, UrlLogReader};
use crate::spares::Spares;
use crate::{Error, Result, sitemap};

/// Payloads shorter than this are stored again: a revisit record would be no smaller.
const SHORTEST_REVISIT: usize = 512;

/// Does the work on one exchange after the other, on a thread of its own.
pub(super) struct Parser {
    pages: PageReader,
    follow: Arc<Follow>,
    records: RecordMaker,
    seen: Arc<Mutex<SeenPayloads>>,
    urls: UrlLogReader,
    spares: Arc<Spares>,
    room: Vec<u8>,
}

/// What was read of a page.
struct Read {
    links: FoundLinks,
    text: Option<TextFacts>,
    relevance: Option<(Relevance, bool)>,
}

impl Parser {
    /// A parser that follows so and stores so.
    pub(super) fn new(
        follow: Arc<Follow>,
        writer: WriterOptions,
        seen: Arc<Mutex<SeenPayloads>>,
        urls: UrlLogReader,
        spares: Arc<Spares>,
    ) -> Result<Self> {
        let pages = PageReader::new(follow.look_for());
        Ok(Self { pages, follow, records: RecordMaker::new(writer)?, seen, urls, spares, room: Vec::new() })
    }

    /// Everything that can be done with an exchange without touching a file.
    pub(super) fn finish(&mut self, fetched: Fetched) -> Result<Finished> {
        Ok(match fetched {
            Fetched::Page { job, exchange, is_final } => {
                let page = self.page(job, &exchange, is_final)?;
                self.spares.give(exchange.response);
                Finished::Page(Box::new(page))
            }
            Fetched::Elsewhere { job, found } => {
                let Found { began_ms, http } = *found;
                Finished::Page(Box::new(self.archived(job, began_ms, &http.head, &http.raw_body)))
            }
            Fetched::Robots { exchange, line, sitemaps } => {
                let received = exchange.as_deref().map_or(0, Exchange::len);
                let stored = exchange.map(|exchange| self.robots(&exchange)).transpose()?.unwrap_or_default();
                Finished::Robots { stored, line, sitemaps: self.follow.sitemaps(&sitemaps), received }
            }
            Fetched::Ended(done) => Finished::Ended(done),
            Fetched::Wait { until_ms, host } => Finished::Wait { until_ms, host },
        })
    }

    fn page(&mut self, job: Job, exchange: &Exchange, is_final: bool) -> Result<FinishedPage> {
        let body = |most: usize| exchange.start_of_body(most);
        let Read { links, text, relevance } = self.read(&job, exchange.head(), body).map_err(of_spooled)?;
        let payload = digest_of(exchange)?;
        let is_long = exchange.len() - exchange.head_len >= SHORTEST_REVISIT;
        let first = if is_long { self.first(&payload) } else { None };
        let stored = self.stored(exchange, &payload, first)?;
        Ok(FinishedPage {
            status: exchange.status,
            began_ms: exchange.began_ms,
            ended_ms: exchange.ended_ms,
            stored,
            payload,
            is_revisit: first.is_some(),
            links,
            text,
            relevance,
            received: exchange.len(),
            is_final,
            job,
        })
    }

    fn stored(&mut self, exchange: &Exchange, payload: &Digest, first: Option<First>) -> Result<Stored> {
        let Some(first) = first else { return self.first_stored(exchange, payload) };
        let url = self.urls.read_at(UrlId(first.id), &mut self.room)?.url;
        let earlier = Earlier { url, began_ms: first.fetched_ms };
        self.records.store(&capture(exchange), payload, Some(earlier))
    }

    /// The records of a response whose payload is new.
    fn first_stored(&mut self, exchange: &Exchange, payload: &Digest) -> Result<Stored> {
        if exchange.is_in_memory() {
            return self.records.store(&capture(exchange), payload, None);
        }
        let mut response = exchange.reader(0).map_err(of_spooled)?;
        self.records.store_large(&capture(exchange), payload, &mut response)
    }

    /// A page whose response is in an archive already.
    pub(super) fn archived(
        &mut self,
        job: Job,
        began_ms: u64,
        head: &HttpHead,
        raw_body: &[u8],
    ) -> FinishedPage {
        let status = head.status().unwrap_or(0);
        let read = self.read(&job, head, |_| Ok(raw_body.into()));
        let Read { links, text, relevance } = read.expect("bytes in memory are read without errors");
        FinishedPage {
            status,
            began_ms,
            ended_ms: began_ms,
            stored: Stored::default(),
            payload: payload_digest(raw_body, 0),
            is_revisit: false,
            links,
            text,
            relevance,
            received: 0,
            is_final: true,
            job,
        }
    }

    /// The links of a page, its text in short, and its relevance. `raw_body` gives at least so many of the first bytes of the body, or all.
    fn read<'b>(
        &mut self,
        job: &Job,
        head: &HttpHead,
        raw_body: impl Fn(usize) -> io::Result<Cow<'b, [u8]>>,
    ) -> io::Result<Read> {
        let most_of_list = sitemap::Limits::default().max_bytes as usize;
        let raw = raw_body(self.follow.most_bytes)?;
        let whole;
        let mut body = self.pages.decode(head, &raw, most_of_list);
        let mut facts = self.pages.read(&page::Exchange { address: &job.address, head, body: &body });
        let tags = head.fields().all("x-robots-tag").filter_map(|value| std::str::from_utf8(value).ok());
        let judge = self.follow.judge.as_ref();
        let judgement =
            judge.zip(facts.page_text.take()).map(|(judge, page)| judge.judge(&page, job.note.score));
        let mut links = self.follow.links(job, &mut facts, tags, judgement.as_ref());
        if self.follow.is_list(facts.sort, &job.address, body.bytes()) {
            if matches!(raw, Cow::Owned(_)) && !body.is_whole() {
                whole = raw_body(most_of_list)?;
                body = self.pages.decode(head, &whole, most_of_list);
            }
            body.extend_to(most_of_list);
            self.follow.list(job, body.bytes(), &mut links);
        }
        let relevance = judgement.map(|judgement| (judgement.relevance, judgement.is_relevant));
        Ok(Read { links, text: facts.text, relevance })
    }

    fn first(&self, payload: &Digest) -> Option<First> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).first(&half(payload))
    }

    fn robots(&mut self, exchange: &Exchange) -> Result<Stored> {
        let payload = digest_of(exchange)?;
        self.first_stored(exchange, &payload)
    }
}

/// The first 16 bytes of a digest.
pub(super) fn half(digest: &Digest) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&digest.as_bytes()[..16]);
    half
}

fn digest_of(exchange: &Exchange) -> Result<Digest> {
    if exchange.is_in_memory() {
        return Ok(payload_digest(&exchange.response, exchange.head_len));
    }
    let mut hasher = Hasher::new(Algorithm::Sha1);
    let mut payload = exchange.reader(exchange.head_len).map_err(of_spooled)?;
    io::copy(&mut payload, &mut hasher).map_err(of_spooled)?;
    Ok(hasher.finish())
}

/// The error of a temporary file, which has no name.
pub(super) fn of_spooled(source: io::Error) -> Error {
    Error::io(std::path::Path::new("temporary file of a large response"), source)
}

fn capture(exchange: &Exchange) -> Capture<'_> {
    Capture {
        url: exchange.address.as_str(),
        ip: Some(exchange.ip),
        began_ms: exchange.began_ms,
        request: &exchange.request,
        response: &exchange.response,
        head_len: exchange.head_len,
        status: exchange.status,
        content_type: exchange
            .head()
            .fields()
            .get("Content-Type")
            .and_then(|value| std::str::from_utf8(value).ok()),
        truncated: exchange.truncated.map(|truncated| match truncated {
            Truncated::Time => Truncation::Time,
            Truncated::Length => Truncation::Length,
            Truncated::Disconnect => Truncation::Disconnect,
            Truncated::Unspecified => Truncation::Unspecified,
        }),
        protocol: (exchange.protocol == Protocol::H2 || exchange.tls.is_some())
            .then(|| exchange.protocol.name()),
        tls: exchange.tls.as_deref(),
    }
}
