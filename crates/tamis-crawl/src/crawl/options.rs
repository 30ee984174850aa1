//! What can be chosen about a crawl.

use std::path::PathBuf;
use std::sync::Arc;

use tamis_archive::write::Compression;

use crate::Address;
use crate::fetch::{FetchOptions, Resolve};
use crate::scope::ScopeOptions;
use crate::sieve::SieveKind;
use crate::workbench::{Backoff, Politeness};

use super::{AgainOptions, KeepFilter};

/// What can be chosen about a crawl.
#[derive(Clone)]
pub struct CrawlOptions {
    /// Where it begins.
    pub seeds: Vec<Address>,
    /// Which addresses it is for.
    pub scope: ScopeOptions,
    /// How requests are made, and by whom.
    pub fetch: FetchOptions,
    /// The product token of the user agent, by which `robots.txt` and pages address this robot.
    pub agent: String,
    /// Who knows the addresses of hosts.
    pub resolver: Arc<dyn Resolve>,
    /// How long a host is left alone after a visit.
    pub host_politeness: Politeness,
    /// How long a server is left alone after a visit to any of its hosts.
    pub ip_politeness: Politeness,
    /// How long a host is left alone after failures.
    pub backoff: Backoff,
    /// How often an address is tried.
    pub tries: u8,
    /// Whether addresses are tried again that failed in earlier runs, or were only told to come later.
    pub retry_failed: bool,
    /// Which pages are fetched again that were fetched before; none are without.
    pub again: Option<AgainOptions>,
    /// What operators can say about it.
    pub operation: Operation,
    /// The most visits at once; as many as there are hosts ready, if servers and the network keep up. [`most_in_flight`](super::most_in_flight)
    /// is what the machine allows.
    pub in_flight: usize,
    /// Threads that parse and pack.
    pub parsers: usize,
    /// The most pages that are fetched in this run.
    pub max_pages: u64,
    /// The most pages that are fetched in all runs.
    pub total_pages: u64,
    /// Which sieve. A crawl that was begun keeps its own.
    pub sieve: SieveKind,
    /// Memory of the sieve, in bytes.
    pub sieve_memory: usize,
    /// How many addresses the crawl is expected to find; a Bloom filter is laid out for them.
    pub expected_urls: u64,
    /// Memory of the queues of hosts, in bytes.
    pub queue_memory: usize,
    /// Words that make an address come sooner; empty for breadth first.
    pub keywords: Vec<String>,
    /// Whether what pages load is fetched too.
    pub requisites: bool,
    /// Whether the sitemaps that sites name are read.
    pub sitemaps: bool,
    /// The most redirects in a row, up to [`Note::MOST_HOPS`](crate::sieve::Note::MOST_HOPS). What pages load and what sitemaps and
    /// feeds list counts like a redirect: none of them adds to the depth.
    pub max_redirects: u8,
    /// What is done with pages whose text was seen before, or nearly.
    pub near_duplicates: NearPolicy,
    /// Hosts whose `robots.txt` is not asked for: one's own.
    pub robots_off: Vec<String>,
    /// What the names of archives begin with.
    pub prefix: String,
    /// How records are stored.
    pub compression: Compression,
    /// An archive that has reached so many bytes gets no further page.
    pub archive_bytes: u64,
    /// The fields of the warcinfo record of each archive.
    pub warcinfo: Vec<u8>,
}

impl CrawlOptions {
    /// The defaults, for a robot of this product token: the domains of the seeds, four seconds between requests to a host, half a second to
    /// a server. Seeds are still missing.
    pub fn new(agent: impl Into<String>, fetch: FetchOptions, resolver: Arc<dyn Resolve>) -> Self {
        Self {
            seeds: Vec::new(),
            scope: ScopeOptions::default(),
            fetch,
            agent: agent.into(),
            resolver,
            host_politeness: Politeness::Fixed { delay_ms: 4_000 },
            ip_politeness: Politeness::Fixed { delay_ms: 500 },
            backoff: Backoff::default(),
            tries: 3,
            retry_failed: false,
            again: None,
            operation: Operation::default(),
            in_flight: super::most_in_flight(),
            parsers: 1,
            max_pages: u64::MAX,
            total_pages: u64::MAX,
            sieve: SieveKind::Mercator,
            sieve_memory: 64 << 20,
            expected_urls: 10_000_000,
            queue_memory: 64 << 20,
            keywords: Vec::new(),
            requisites: false,
            sitemaps: true,
            max_redirects: 10,
            near_duplicates: NearPolicy::Follow,
            robots_off: Vec::new(),
            prefix: "crawl".to_owned(),
            compression: Compression::GZIP,
            archive_bytes: 1_000_000_000,
            warcinfo: b"software: tamis\r\n".to_vec(),
        }
    }
}

/// What operators can say about a crawl, beside what it is for.
#[derive(Debug, Clone)]
pub struct Operation {
    /// The longest `Crawl-delay` that is kept to; a longer one is reported.
    pub max_crawl_delay_ms: u64,
    /// The file of settings per host; it is read again when it changes.
    pub host_settings: Option<PathBuf>,
    /// Requests in a thousand seconds, all together; 0 for no limit.
    pub rate_milli: u64,
    /// Bytes a second that all connections together read; 0 for no limit.
    pub bandwidth: u64,
    /// Whether it takes commands at a socket in its collection.
    pub control: bool,
    /// Whether it writes a line for each fetch into `crawl.log` in its collection.
    pub crawl_log: bool,
    /// Whether what name servers say of each host is archived.
    pub dns_records: bool,
    /// Which responses are kept.
    pub keep: KeepFilter,
}

impl Default for Operation {
    /// No limits but a minute of `Crawl-delay`.
    fn default() -> Self {
        Self {
            max_crawl_delay_ms: 60_000,
            host_settings: None,
            rate_milli: 0,
            bandwidth: 0,
            control: false,
            crawl_log: false,
            dns_records: false,
            keep: KeepFilter::default(),
        }
    }
}

/// What is done with a page whose text was seen before, or nearly. It is archived and counted in any case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NearPolicy {
    /// Its links are followed like those of others.
    #[default]
    Follow,
    /// Its links are not followed. Lists with numbered pages lose what they lead to.
    Skip,
}
