//! Which links of a page are followed, and how much is hoped of each.

use std::sync::Arc;

use crate::focus::{Judge, Judgement};
use crate::page::{self, Kind, Link, PageFacts, Sort};
use crate::robots::Directives;
use crate::scope::{Reason, Scope, Verdict};
use crate::sieve::Note;
use crate::{Address, sitemap};

use super::live::Live;
use super::progress::Cut;
use super::work::{FoundLinks, Job};

const GZIP: [u8; 3] = [0x1f, 0x8b, 8];

/// Sorts the links of pages out. All parsers share it.
pub(super) struct Follow {
    /// Which addresses the crawl is for.
    pub scope: Scope,
    /// Settings per host, and rules added while the crawl runs.
    pub live: Arc<Live>,
    /// The product token by which pages address this robot.
    pub agent: String,
    /// Whether what pages load is fetched too.
    pub requisites: bool,
    /// Whether sitemaps and feeds are read.
    pub sitemaps: bool,
    /// The most steps in a row that are no links.
    pub max_hops: u8,
    /// Words that make an address come sooner, in small letters; empty for the order of discovery.
    pub keywords: Vec<String>,
    /// Who says how much a link promises, in a crawl for an event; then keywords are not asked.
    pub judge: Option<Judge>,
    /// The most bytes of a body that are read.
    pub most_bytes: usize,
    /// Whether links that are not followed are listed, not only counted.
    pub lists_refused: bool,
}

/// Counts of links that are not followed.
struct Refused {
    reasons: [u64; Reason::ALL.len()],
    nofollow: u64,
}

impl Follow {
    /// What pages are to be read for.
    pub(super) fn look_for(&self) -> page::Options {
        page::Options {
            requisites: self.requisites,
            link_texts: match &self.judge {
                Some(judge) => judge.wants_link_texts(),
                None => !self.keywords.is_empty(),
            },
            page_text: self.judge.is_some(),
            most_bytes: self.most_bytes,
            ..page::Options::default()
        }
    }

    /// The links of a page, taken out of its facts and sorted out. `tags` are the values of its `X-Robots-Tag`.
    pub(super) fn links<'t>(
        &self,
        job: &Job,
        facts: &mut PageFacts,
        tags: impl Iterator<Item = &'t str>,
        judgement: Option<&Judgement>,
    ) -> FoundLinks {
        let is_nofollow = facts.nofollow || self.is_nofollow(facts, tags);
        let mut found = FoundLinks { left: self.lists_refused.then(Vec::new), ..FoundLinks::default() };
        let mut refused = Refused { reasons: [0; Reason::ALL.len()], nofollow: 0 };
        // What was reached as a part of a page, though it lies beyond the scope: its own parts belong to that page, too.
        let is_part = job.note.hops > 0 && !self.scope.is_reached(&job.address, job.note.depth.into());
        let bytes = facts.links.iter().map(|link| link.address.as_str().len()).sum();
        found.taken.reserve(facts.links.len(), bytes);
        for link in std::mem::take(&mut facts.links) {
            found.found += 1;
            let is_page = !self.is_loaded(link.kind) && link.kind != Kind::Redirect;
            if is_page && (is_nofollow || link.nofollow) {
                refused.nofollow += 1;
                found.left.iter_mut().for_each(|left| left.push(("nofollow", link.address.clone())));
                continue;
            }
            let note = Note { score: self.score(job, &link, judgement), ..self.step(job, link.kind) };
            let belongs =
                self.is_loaded(link.kind) || is_part && self.requisites && link.kind == Kind::Redirect;
            // What a page loads and where it redirects to is fetched as it is written.
            let canonical = |address| self.scope.options().canonical.apply(address);
            let address = if is_page { canonical(link.address) } else { link.address };
            self.sort_out(job, address, note, belongs, &mut found, &mut refused);
        }
        found.refused = refused.named();
        if facts.links_left_out > 0 {
            found.cut.push((Cut::Link, facts.links_left_out as u64));
        }
        found
    }

    /// Whether a browser loads it with the page. A frame is a page of its own, unless what pages load is fetched.
    fn is_loaded(&self, kind: Kind) -> bool {
        self.requisites && (kind.is_requisite() || kind == Kind::Frame)
    }

    /// A redirect and what a page loads belong to the page; everything else is one link further. A page that refreshes to another is a
    /// link and a redirect.
    fn step(&self, job: &Job, kind: Kind) -> Note {
        let is_same = self.is_loaded(kind) || kind == Kind::Redirect;
        let hops = if is_same || kind == Kind::Refresh { hop(job).hops } else { 0 };
        Note { depth: job.note.depth.saturating_add(u16::from(!is_same)), hops, score: 0.0 }
    }

    fn is_nofollow<'t>(&self, facts: &PageFacts, mut tags: impl Iterator<Item = &'t str>) -> bool {
        tags.any(|value| Directives::of_header(value, &self.agent).nofollow)
            || facts
                .robots
                .iter()
                .any(|(name, content)| Directives::of_meta(name, content, &self.agent).nofollow)
    }

    /// Adds the addresses of a sitemap or a feed: what a site lists is as near as the list.
    pub(super) fn list(&self, job: &Job, body: &[u8], found: &mut FoundLinks) {
        let mut refused = Refused { reasons: [0; Reason::ALL.len()], nofollow: 0 };
        let summary = sitemap::read(body, sitemap::Limits::default(), |entry| {
            found.found += 1;
            if let Some(address) = Address::parse(entry.loc) {
                let address = self.scope.options().canonical.apply(address);
                let score =
                    self.judge.as_ref().map_or(0.0, |judge| judge.listed(address.as_str(), job.note.score));
                self.sort_out(job, address, Note { score, ..hop(job) }, false, found, &mut refused);
            }
        });
        let too_nested = Reason::TooManyRedirects.name();
        let name = |name| if name == too_nested { "sitemap-too-nested" } else { name };
        found.refused.extend(refused.named().into_iter().map(|(reason, count)| (name(reason), count)));
        if summary.is_cut {
            found.cut.push((Cut::List, 1));
        }
    }

    /// The sitemaps that a `robots.txt` names, as far as the crawl is for them.
    pub(super) fn sitemaps(&self, named: &[Box<str>]) -> Vec<Address> {
        let addresses = named.iter().filter_map(|sitemap| Address::parse(sitemap));
        let cleaned = addresses.map(|address| self.scope.clean(address));
        cleaned.filter(|address| self.sitemaps && self.scope.decide(address, 0, None).is_take()).collect()
    }

    /// Whether a body lists addresses: a sitemap or a feed, or one that its name tells, packed or plain.
    pub(super) fn is_list(&self, sort: Sort, address: &Address, body: &[u8]) -> bool {
        let path = address.path_and_query().to_ascii_lowercase();
        self.sitemaps
            && match sort {
                Sort::Sitemap | Sort::Feed => true,
                Sort::Plain => path.contains("sitemap"),
                Sort::Other => {
                    body.starts_with(&GZIP) && (path.contains("sitemap") || path.ends_with(".xml.gz"))
                }
                Sort::Html | Sort::Style | Sort::Script | Sort::Manifest => false,
            }
    }

    fn sort_out(
        &self,
        job: &Job,
        address: Address,
        note: Note,
        belongs: bool,
        found: &mut FoundLinks,
        refused: &mut Refused,
    ) {
        let address = self.scope.clean(address);
        let verdict = if note.hops > self.max_hops {
            Verdict::Refuse(Reason::TooManyRedirects)
        } else {
            match self.decide(&address, u32::from(note.depth), Some(&job.address)) {
                // What a page loads belongs to it wherever it lies.
                Verdict::Refuse(Reason::OutOfScope) if belongs => Verdict::Take,
                verdict => verdict,
            }
        };
        match verdict {
            Verdict::Take => found.taken.push(&address, note),
            Verdict::Refuse(reason) => {
                refused.reasons[reason.index()] += 1;
                if let Some(left) = &mut found.left {
                    left.push((reason.name(), address));
                }
            }
        }
    }

    fn decide(&self, address: &Address, depth: u32, from: Option<&Address>) -> Verdict {
        match self.scope.decide(address, depth, from) {
            Verdict::Refuse(Reason::OutOfScope) if self.live.includes(address, depth) => {
                self.scope.decide_included(address, depth, from)
            }
            verdict => verdict,
        }
    }

    /// How much a link promises: what the model of an event says, or which share of the keywords stands in its address and text. Where an
    /// address redirects to promises what itself did.
    fn score(&self, job: &Job, link: &Link, judgement: Option<&Judgement>) -> f32 {
        if let Some(judge) = &self.judge {
            return match judgement {
                _ if link.kind == Kind::Redirect => job.note.score,
                Some(page) => judge.link(page, link),
                None => 0.0,
            };
        }
        if self.keywords.is_empty() {
            return 0.0;
        }
        let anchor = link.text.as_ref().map_or("", |text| &text.anchor);
        let said = format!("{} {anchor}", link.address.as_str()).to_lowercase();
        let found = self.keywords.iter().filter(|word| said.contains(word.as_str())).count();
        found as f32 / self.keywords.len() as f32
    }
}

/// One more step that is no link.
fn hop(job: &Job) -> Note {
    Note { depth: job.note.depth, hops: job.note.hops.saturating_add(1), score: 0.0 }
}

impl Refused {
    fn named(&self) -> Vec<(&'static str, u64)> {
        let reasons = Reason::ALL.iter().zip(self.reasons).map(|(reason, count)| (reason.name(), count));
        reasons.chain([("nofollow", self.nofollow)]).filter(|(_, count)| *count > 0).collect()
    }
}
