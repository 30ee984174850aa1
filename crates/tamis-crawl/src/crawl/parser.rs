//! From an exchange to what is kept of it: links, fingerprints, digests, records.

use std::sync::{Arc, Mutex, PoisonError};

use tamis_archive::Digest;
use tamis_archive::http::HttpHead;
use tamis_archive::write::{RevisitProfile, Truncation, WriterOptions};

use super::elsewhere::Found;
use super::follow::Follow;
use super::keep_filter::KeepFilter;
use super::outcome;
use super::progress::Cut;
use super::records::{Capture, Earlier, RecordMaker, Stored, WarcinfoId, moment, payload_digest, record_id};
use super::seen_payloads::{First, SeenPayloads};
use super::work::{Fetched, FetchedAgain, Finished, FinishedPage, FoundLinks, Job};
use crate::fetch::proxy::is_stand_in;
use crate::fetch::{Exchange, Protocol, Truncated};
use crate::focus::Relevance;
use crate::page::{self, PageReader, TextFacts};
use crate::sieve::{UrlId, UrlLogReader};
use crate::{Result, sitemap};

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
    ) -> Result<Self> {
        let pages = PageReader::new(follow.look_for());
        let records = RecordMaker::new(writer, warcinfo)?;
        Ok(Self { pages, follow, records, seen, urls, filter, room: Vec::new() })
    }

    /// Everything that can be done with an exchange without touching a file.
    pub(super) fn finish(&mut self, fetched: Fetched) -> Result<Finished> {
        Ok(match fetched {
            Fetched::Page { job, exchange, is_final, again } => {
                Finished::Page(Box::new(self.page(job, &exchange, is_final, again)?))
            }
            Fetched::Elsewhere { job, found } => {
                let Found { began_ms, http } = *found;
                Finished::Page(Box::new(self.archived(job, began_ms, &http.head, &http.raw_body)))
            }
            Fetched::Robots { exchange, line, sitemaps } => {
                let received = exchange.as_deref().map_or(0, |exchange| exchange.response.len());
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
            self.read(&job, exchange.head(), exchange.raw_body());
        if exchange.truncated == Some(Truncated::Length) {
            links.cut.push((Cut::Response, 1));
        }
        let is_again = again.as_ref().is_some_and(|again| again.is_visited);
        let known = again.and_then(|again| again.known);
        let is_confirmed = exchange.status == outcome::NOT_MODIFIED;
        let confirmed = known.as_ref().filter(|known| is_confirmed && known.place.is_some());
        let own = payload_digest(&exchange.response, exchange.head_len);
        let payload = confirmed.map_or(own, |known| known.digest);
        let earlier = match (confirmed, known.as_ref().filter(|known| known.digest == payload)) {
            (Some(known), _) => Some(Earlier::confirmed(known)),
            (None, Some(known)) if !exchange.raw_body().is_empty() => Some(Earlier::same(known)),
            _ if exchange.raw_body().len() >= SHORTEST_REVISIT => self.first(&payload)?,
            _ => None,
        };
        let capture = capture(exchange);
        let is_noted = !self.filter.keeps(exchange.status, capture.content_type, exchange.raw_body().len());
        let is_revisit = earlier.is_some() && !is_noted;
        let stored = if is_noted {
            Stored::default()
        } else {
            self.records.store(&capture, &payload, earlier.as_ref())?
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
            received: exchange.response.len(),
            is_final,
            is_again,
            confirmed: confirmed.and_then(|known| known.place),
            is_noted,
            mime,
            job,
        })
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
        let Read { links, text, shown, relevance } = self.read(&job, head, raw_body);
        FinishedPage {
            status,
            began_ms,
            ended_ms: began_ms,
            stored: Stored::default(),
            payload: payload_digest(raw_body, 0),
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

    /// The links of a page, its text in short, and its relevance.
    fn read(&mut self, job: &Job, head: &HttpHead, raw_body: &[u8]) -> Read {
        let most_of_list = sitemap::Limits::default().max_bytes as usize;
        let mut body = self.pages.decode(head, raw_body, most_of_list);
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
            body.extend_to(most_of_list);
            self.follow.list(job, body.bytes(), &mut links);
        }
        let relevance = judgement.map(|judgement| (judgement.relevance, judgement.is_relevant));
        Read { links, text: facts.text, shown: facts.shown, relevance }
    }

    fn robots(&mut self, exchange: &Exchange) -> Result<Stored> {
        let payload = payload_digest(&exchange.response, exchange.head_len);
        self.records.store(&capture(exchange), &payload, None)
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
