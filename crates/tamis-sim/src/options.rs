//! What a world is made of, and worlds that are ready to use.

use std::ops::RangeInclusive;

/// What a world is made of. Shares are of a whole of 1; what they leave is the plain case.
#[derive(Debug, Clone)]
pub struct WorldOptions {
    /// Worlds of the same options and seed are the same.
    pub seed: u64,
    /// How many hosts.
    pub hosts: u32,
    /// How many pages, about, the special ones included; traps and what special pages lead to are not counted.
    pub pages: u32,
    /// How many addresses in 127.0.0.0/8 the hosts share, some many more than others.
    pub addresses: u32,
    /// How large a page is on average, in bytes of HTML.
    pub page_bytes: usize,
    /// Share of a page that is style and script; its links then stand closer together, too.
    pub markup: f64,
    /// How many links a page has.
    pub links: RangeInclusive<u32>,
    /// Share of the links that stay on their host.
    pub local: f64,
    /// How unequal hosts are in pages: 0 is equal, 1 is Zipf's law.
    pub host_skew: f64,
    /// Share of the paragraphs that are sentences of a language; the others are words that nobody uses, so that
    /// pages of one language are not near-duplicates of each other.
    pub readable: f64,
    /// Whether two topics are planted: a flood and an observatory, a third of the pages each, linked among themselves.
    pub topics: bool,
    /// How many events are planted, in pairs of a kind: two floods at other places and other times, two fires … Some hosts report on one of
    /// them, deep in some of their sections, so that the way there leads through pages that say nothing of it.
    pub events: u8,
    /// Share of the hosts that speak TLS.
    pub tls: f64,
    /// Shares of the hosts' kinds of robots.txt; the others have one that allows everything.
    pub robots: Vec<(RobotsKind, f64)>,
    /// The delay that hosts of [`RobotsKind::CrawlDelay`] ask for.
    pub crawl_delay_ms: u32,
    /// Shares of the hosts' kinds of sitemaps; the others have none.
    pub sitemaps: Vec<(SitemapKind, f64)>,
    /// Shares of the hosts with a quirk.
    pub quirks: Vec<(Quirk, f64)>,
    /// Shares of the special pages; the others are articles.
    pub specials: Vec<(Special, f64)>,
    /// How articles come.
    pub articles: ArticleShares,
    /// How long a [`Special::Slow`] page takes.
    pub slow_ms: u32,
    /// What a `Retry-After` says.
    pub retry_after_s: u32,
    /// The longest a stalling or dripping server waits for the client to give up.
    pub stall_ms: u32,
    /// What a gzip bomb inflates to.
    pub bomb_bytes: u64,
    /// Where endless heads and bodies end after all.
    pub endless_bytes: u64,
}

/// Shares of the articles (and links in them) that come in some way but the plain one.
#[derive(Debug, Clone, Default)]
pub struct ArticleShares {
    /// gzip, to clients that accept it.
    pub gzip: f64,
    /// Brotli, to clients that accept it.
    pub br: f64,
    /// zstd, to clients that accept it.
    pub zstd: f64,
    /// In chunks.
    pub chunked: f64,
    /// Neither length nor chunks: the connection ends with the body.
    pub unframed: f64,
    /// Another charset than UTF-8: Latin-1, windows-1251 (both declared) or UTF-16 with a byte order mark.
    pub charset: f64,
    /// With a `<base href>`.
    pub base: f64,
    /// Links spelt in an odd way: fragments, capital letters, dot segments, explicit ports, blanks, non-ASCII.
    pub odd_links: f64,
    /// Links to hosts with TLS that still say `http://`; the host redirects them.
    pub old_scheme: f64,
}

/// What a host answers to `/robots.txt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RobotsKind {
    /// A file that allows everything.
    AllowAll,
    /// Some paths are disallowed, some below them allowed again, with `*` and `$`.
    DisallowSome,
    /// Everything is disallowed.
    DisallowAll,
    /// Other rules for crawlers named `tamis` than for the rest.
    Named,
    /// A delay is asked for.
    CrawlDelay,
    /// 404: everything is allowed.
    Missing,
    /// 503, always: nothing is allowed.
    ServerError,
    /// 301 to another path of the host, where some paths are disallowed.
    Moved,
    /// Bytes that are no rules: everything is allowed.
    Garbage,
}

/// Which sitemaps a host has; its robots.txt names the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SitemapKind {
    /// None.
    None,
    /// `/sitemap.xml`.
    Xml,
    /// `/sitemap.xml.gz`.
    Gzip,
    /// `/sitemap.xml` names a plain and a compressed one.
    Index,
}

/// What is odd about a whole host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quirk {
    /// A connection ends after five answers, and the fifth says so.
    FewPerConnection,
    /// A connection ends after five answers without a word.
    SilentClose,
    /// No answer to anything is HTTP.
    NotHttp,
    /// No answer to anything ever comes.
    Stalls,
    /// The certificate is for another name. Hosts with this quirk speak TLS.
    BadCertificate,
}

/// Pages that are no articles. None of them has links that an article cannot do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Special {
    /// To a page of the same host that nothing else leads to.
    Redirect,
    /// To a page of another host that nothing else leads to.
    RedirectAway,
    /// Over three hops to a page that nothing else leads to.
    RedirectChain,
    /// Over two hops to itself.
    RedirectLoop,
    /// 404.
    NotFound,
    /// 410.
    Gone,
    /// 500, always.
    ServerError,
    /// 429 with `Retry-After` once or twice, then a page.
    TooManyRequests,
    /// 503 with `Retry-After` once or twice, then a page.
    Unavailable,
    /// Byte for byte the page of others, on other hosts, too.
    Copy,
    /// The page of others but for a few words.
    NearCopy,
    /// `text/plain`.
    PlainText,
    /// `application/pdf`.
    Pdf,
    /// `image/png`.
    Image,
    /// `application/json`.
    Json,
    /// `nofollow` in a meta element.
    NofollowPage,
    /// `nofollow` in the field `X-Robots-Tag`.
    NofollowField,
    /// `rel=nofollow` on a link.
    NofollowLink,
    /// `noindex` in a meta element.
    Noindex,
    /// Only a sitemap leads to it.
    Orphan,
    /// Comes late, but whole.
    Slow,
    /// Half a head, then nothing.
    StallInHead,
    /// Half a body, then nothing.
    StallInBody,
    /// A byte every now and then.
    Drip,
    /// `Content-Length` is less than what comes.
    LengthTooShort,
    /// `Content-Length` is more than what comes before the connection ends.
    LengthTooLong,
    /// The connection ends without an answer.
    CloseEarly,
    /// The connection ends within a chunk.
    CloseInChunk,
    /// What should be the length of a chunk is none.
    BadChunk,
    /// Little gzip, very much behind it.
    GzipBomb,
    /// A quarter of a megabyte of fields.
    HugeHead,
    /// Fields without end.
    EndlessHead,
    /// A body without end.
    EndlessBody,
    /// The answer is no HTTP at all.
    NotHttp,
    /// Leads to a calendar without end.
    Calendar,
    /// Leads to pages with ever new session ids.
    Sessions,
    /// Leads to a path that grows with every step.
    EndlessPath,
    /// Redirects, and each redirect leads to one that nothing else leads to.
    RedirectsWithoutEnd,
    /// Leads to a register by year: lists that are alike but for numbers, of documents that are not.
    Register,
    /// Leads to a catalogue: lists of items, all alike but for numbers.
    Catalogue,
    /// Leads to a gallery: each picture to the next, with hardly a word.
    Gallery,
    /// Leads to a diary by month, whose entries differ.
    Diary,
    /// Leads to rooms without end, alike but for their numbers.
    Maze,
    /// Leads to pages of results without end, all the same.
    Results,
    /// Leads to paths of words without end, all the same.
    Labyrinth,
}

impl Special {
    /// Every kind that is an answer to complain about, or a trap.
    pub const HOSTILE: [Self; 18] = [
        Self::Slow,
        Self::StallInHead,
        Self::StallInBody,
        Self::Drip,
        Self::LengthTooShort,
        Self::LengthTooLong,
        Self::CloseEarly,
        Self::CloseInChunk,
        Self::BadChunk,
        Self::GzipBomb,
        Self::HugeHead,
        Self::EndlessHead,
        Self::EndlessBody,
        Self::NotHttp,
        Self::Calendar,
        Self::Sessions,
        Self::EndlessPath,
        Self::RedirectsWithoutEnd,
    ];

    /// Series of pages that are alike: the first four end, the others do not.
    pub const SERIES: [Self; 7] = [
        Self::Register,
        Self::Catalogue,
        Self::Gallery,
        Self::Diary,
        Self::Maze,
        Self::Results,
        Self::Labyrinth,
    ];

    /// Every kind that a decent web has, too.
    pub const DECENT: [Self; 20] = [
        Self::Redirect,
        Self::RedirectAway,
        Self::RedirectChain,
        Self::RedirectLoop,
        Self::NotFound,
        Self::Gone,
        Self::ServerError,
        Self::TooManyRequests,
        Self::Unavailable,
        Self::Copy,
        Self::NearCopy,
        Self::PlainText,
        Self::Pdf,
        Self::Image,
        Self::Json,
        Self::NofollowPage,
        Self::NofollowField,
        Self::NofollowLink,
        Self::Noindex,
        Self::Orphan,
    ];
}

impl WorldOptions {
    /// Only articles that are all well: for measuring what a crawler costs. Of real pages of this size two thirds are markup, and
    /// gzip leaves 37 % of them at level 1.
    pub fn plain(seed: u64, hosts: u32, pages: u32) -> Self {
        Self {
            seed,
            hosts,
            pages,
            addresses: hosts.clamp(1, 256),
            page_bytes: 10_000,
            markup: 0.55,
            links: 10..=50,
            local: 0.85,
            host_skew: 0.3,
            readable: 0.1,
            topics: false,
            events: 0,
            tls: 0.0,
            robots: Vec::new(),
            crawl_delay_ms: 400,
            sitemaps: Vec::new(),
            quirks: Vec::new(),
            specials: Vec::new(),
            articles: ArticleShares::default(),
            slow_ms: 300,
            retry_after_s: 1,
            stall_ms: 120_000,
            bomb_bytes: 1 << 30,
            endless_bytes: 1 << 32,
        }
    }

    /// Everything a decent web has, with small pages: for showing that nothing is missed, doubled or impolite.
    pub fn polite_test(seed: u64, hosts: u32, pages: u32) -> Self {
        Self {
            addresses: (hosts / 3).clamp(1, 300),
            page_bytes: 3_000,
            markup: 0.0,
            links: 5..=20,
            tls: 0.2,
            robots: all_robots(0.06),
            sitemaps: vec![(SitemapKind::Xml, 0.1), (SitemapKind::Gzip, 0.1), (SitemapKind::Index, 0.1)],
            quirks: vec![(Quirk::FewPerConnection, 0.1), (Quirk::SilentClose, 0.05)],
            specials: even(&Special::DECENT, 0.2),
            articles: ArticleShares {
                gzip: 0.2,
                br: 0.1,
                zstd: 0.1,
                chunked: 0.3,
                unframed: 0.02,
                charset: 0.1,
                base: 0.1,
                odd_links: 0.2,
                old_scheme: 0.05,
            },
            ..Self::plain(seed, hosts, pages)
        }
    }

    /// Everything of [`WorldOptions::polite_test`], and servers that are up to no good.
    pub fn hostile(seed: u64, hosts: u32, pages: u32) -> Self {
        let decent = Self::polite_test(seed, hosts, pages);
        let mut specials = even(&Special::DECENT, 0.15);
        specials.extend(even(&Special::HOSTILE, 0.25));
        let mut quirks = decent.quirks.clone();
        quirks.extend([(Quirk::NotHttp, 0.04), (Quirk::Stalls, 0.04), (Quirk::BadCertificate, 0.04)]);
        Self { quirks, specials, ..decent }
    }

    /// Articles, and series of pages that are alike, with an end and without.
    pub fn series(seed: u64, hosts: u32, pages: u32) -> Self {
        let endless = [Special::Calendar, Special::Sessions, Special::EndlessPath];
        let mut specials = even(&Special::SERIES, 0.2);
        specials.extend(even(&endless, 0.06));
        Self { page_bytes: 1_000, markup: 0.0, links: 5..=12, specials, ..Self::plain(seed, hosts, pages) }
    }

    /// Hosts that report on six events and much else, for crawls that look for one of them.
    pub fn eventful(seed: u64, hosts: u32, pages: u32) -> Self {
        Self {
            page_bytes: 3_000,
            markup: 0.0,
            links: 8..=24,
            local: 0.7,
            host_skew: 0.6,
            readable: 0.5,
            events: 6,
            ..Self::plain(seed, hosts, pages)
        }
    }

    /// A dozen hosts with readable pages about two topics and everything else.
    pub fn demo(seed: u64) -> Self {
        Self {
            addresses: 5,
            page_bytes: 3_000,
            markup: 0.0,
            links: 5..=12,
            host_skew: 0.4,
            readable: 1.0,
            topics: true,
            robots: vec![
                (RobotsKind::DisallowSome, 0.2),
                (RobotsKind::CrawlDelay, 0.1),
                (RobotsKind::Missing, 0.1),
            ],
            crawl_delay_ms: 50,
            sitemaps: vec![(SitemapKind::Xml, 0.2), (SitemapKind::Index, 0.1)],
            specials: even(&Special::DECENT, 0.15),
            articles: ArticleShares { gzip: 0.3, chunked: 0.3, odd_links: 0.1, ..ArticleShares::default() },
            ..Self::plain(seed, 12, 300)
        }
    }
}

fn all_robots(share: f64) -> Vec<(RobotsKind, f64)> {
    use RobotsKind::{CrawlDelay, DisallowAll, DisallowSome, Garbage, Missing, Moved, Named, ServerError};
    let often = [DisallowSome, CrawlDelay, Missing, Moved, Garbage, Named].map(|kind| (kind, share));
    let seldom = [DisallowAll, ServerError].map(|kind| (kind, share / 3.0));
    [&often[..], &seldom[..]].concat()
}

fn even(kinds: &[Special], whole: f64) -> Vec<(Special, f64)> {
    kinds.iter().map(|kind| (*kind, whole / kinds.len() as f64)).collect()
}
