//! From an exchange to what is kept of it: links, fingerprints, digests, records.

use std::borrow::Cow;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tamis_archive::http::HttpHead;
use tamis_archive::write::{RevisitProfile, Truncation, WriterOptions};
use tamis_archive::{Algorithm, Digest, Hasher};

use super::elsewhere::Found;
use super::follow::Follow;
use super::keep_filter::KeepFilter;
use super::outcome;
use super::progress::Cut;
use super::records::{
    Capture, Digests, Earlier, RecordMaker, Stored, WarcinfoId, digests, moment, record_id,
};
use super::seen_payloads::{First, SeenPayloads};
use super::work::{Fetched, FetchedAgain, Finished, FinishedPage, FoundLinks, Job};
use crate::fetch::proxy::is_stand_in;
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
    filter: KeepFilter,
    spares: Arc<Spares>,
    room: Vec<u8>,
}

/// What was read of a page.
struct Read {
    links: FoundLinks,
    text: Option<TextFacts>,
    shown: u64,
    relevance: Option<(Relevance, bool)>,
}

impl Parser {
    /// A parser that follows so and stores so.
    pub(super) fn new(
        follow: Arc<Follow>,
        writer: WriterOptions,
        seen: Arc<Mutex<SeenPayloads>>,
        urls: UrlLogReader,
        warcinfo: WarcinfoId,
        filter: KeepFilter,
        spares: Arc<Spares>,
    ) -> Result<Self> {
        let pages = PageReader::new(follow.look_for());
        let records = RecordMaker::new(writer, warcinfo)?;
        Ok(Self { pages, follow, records, seen, urls, filter, spares, room: Vec::new() })
    }

    /// Everything that can be done with an exchange without touching a file.
    pub(super) fn finish(&mut self, fetched: Fetched) -> Result<Finished> {
        Ok(match fetched {
            Fetched::Page { job, exchange, is_final, again } => {
                let page = self.page(job, &exchange, is_final, again)?;
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
            Fetched::Dns { host, lines, at_ms } => {
                Finished::Dns { stored: self.records.store_dns(&host, &lines, at_ms)?, at_ms }
            }
            Fetched::Ended(done) => Finished::Ended(done),
            Fetched::Wait { until_ms, host } => Finished::Wait { until_ms, host },
        })
    }

    fn page(
        &mut self,
        job: Job,
        exchange: &Exchange,
        is_final: bool,
        again: Option<FetchedAgain>,
    ) -> Result<FinishedPage> {
        let Read { mut links, text, shown, relevance } =
            self.read(&job, exchange.head(), |most| exchange.start_of_body(most)).map_err(of_spooled)?;
        let body_len = exchange.len() - exchange.head_len;
        if exchange.truncated == Some(Truncated::Length) {
            links.cut.push((Cut::Response, 1));
        }
        let is_again = again.as_ref().is_some_and(|again| again.is_visited);
        let known = again.and_then(|again| again.known);
        let is_confirmed = exchange.status == outcome::NOT_MODIFIED;
        let confirmed = known.as_ref().filter(|known| is_confirmed && known.place.is_some());
        let own = digests_of(exchange)?;
        let payload = confirmed.map_or(own.payload, |known| known.digest);
        let earlier = match (confirmed, known.as_ref().filter(|known| known.digest == payload)) {
            (Some(known), _) => Some(Earlier::confirmed(known)),
            (None, Some(known)) if body_len > 0 => Some(Earlier::same(known)),
            _ if body_len >= SHORTEST_REVISIT => self.first(&payload)?,
            _ => None,
        };
        let capture = capture(exchange);
        let is_noted = !self.filter.keeps(exchange.status, capture.content_type, body_len);
        let is_revisit = earlier.is_some() && !is_noted;
        let stored = if is_noted {
            Stored::default()
        } else {
            self.stored(exchange, Digests { payload, ..own }, earlier.as_ref())?
        };
        let mime = media_type(capture.content_type).into();
        Ok(FinishedPage {
            status: exchange.status,
            began_ms: exchange.began_ms,
            ended_ms: exchange.ended_ms,
            stored,
            payload,
            is_revisit,
            links,
            text,
            shown,
            relevance,
            received: exchange.len(),
            is_final,
            is_again,
            confirmed: confirmed.and_then(|known| known.place),
            is_noted,
            mime,
            job,
        })
    }

    /// The records of a response, or of a revisit.
    fn stored(&mut self, exchange: &Exchange, digests: Digests, earlier: Option<&Earlier>) -> Result<Stored> {
        if earlier.is_some() || exchange.is_in_memory() {
            return self.records.store(&capture(exchange), digests, earlier);
        }
        let mut response = exchange.reader(0).map_err(of_spooled)?;
        self.records.store_large(&capture(exchange), digests, &mut response)
    }

    /// The response that this crawl stored with the same payload, under whatever URL.
    fn first(&mut self, payload: &Digest) -> Result<Option<Earlier>> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner).first(&half(payload));
        let Some(First { id, fetched_ms }) = seen else { return Ok(None) };
        let url = self.urls.read_at(UrlId(id), &mut self.room)?.url.to_owned();
        let (id, date) = (record_id(&url, fetched_ms), moment(fetched_ms));
        Ok(Some(Earlier { profile: RevisitProfile::IdenticalPayloadDigest, url, date, id }))
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
        let Read { links, text, shown, relevance } = read.expect("bytes in memory are read without errors");
        FinishedPage {
            status,
            began_ms,
            ended_ms: began_ms,
            stored: Stored::default(),
            payload: Digest::of(Algorithm::Sha1, raw_body),
            is_revisit: false,
            links,
            text,
            shown,
            relevance,
            received: 0,
            is_final: true,
            is_again: false,
            confirmed: None,
            is_noted: false,
            mime: Box::default(),
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
        if facts.sort.has_links() && !body.is_whole() && body.bytes().len() >= self.follow.most_bytes {
            links.cut.push((Cut::Page, 1));
        }
        if self.follow.is_list(facts.sort, &job.address, body.bytes()) {
            if matches!(raw, Cow::Owned(_)) && !body.is_whole() {
                whole = raw_body(most_of_list)?;
                body = self.pages.decode(head, &whole, most_of_list);
            }
            body.extend_to(most_of_list);
            self.follow.list(job, body.bytes(), &mut links);
        }
        let relevance = judgement.map(|judgement| (judgement.relevance, judgement.is_relevant));
        Ok(Read { links, text: facts.text, shown: facts.shown, relevance })
    }

    fn robots(&mut self, exchange: &Exchange) -> Result<Stored> {
        self.stored(exchange, digests_of(exchange)?, None)
    }
}

/// The media type that a head states, without parameters.
fn media_type(stated: Option<&str>) -> &str {
    stated.unwrap_or_default().split(|c: char| c == ';' || c.is_whitespace()).next().unwrap_or_default()
}

/// The first 16 bytes of a digest.
pub(super) fn half(digest: &Digest) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&digest.as_bytes()[..16]);
    half
}

fn digests_of(exchange: &Exchange) -> Result<Digests> {
    if exchange.is_in_memory() {
        return Ok(digests(&exchange.response, exchange.head_len));
    }
    let mut hasher = Hasher::new(Algorithm::Sha1);
    let mut payload = exchange.reader(exchange.head_len).map_err(of_spooled)?;
    io::copy(&mut payload, &mut hasher).map_err(of_spooled)?;
    Ok(Digests { payload: hasher.finish(), block: None })
}

/// The error of a temporary file, which has no name.
pub(super) fn of_spooled(source: io::Error) -> Error {
    Error::io(std::path::Path::new("temporary file of a large response"), source)
}

fn capture(exchange: &Exchange) -> Capture<'_> {
    Capture {
        url: exchange.address.as_str(),
        // Only the proxy knows that of a host with a stand-in.
        ip: Some(exchange.ip).filter(|ip| !is_stand_in(*ip)),
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
