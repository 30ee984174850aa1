//! The settings of a crawl: given on the command line, remembered with the crawl.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use serde::{Deserialize, Serialize};

/// What can be said about a crawl. What is not said keeps its value when a crawl goes on.
#[derive(Debug, Clone, Default, PartialEq, clap::Args, Serialize, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[expect(clippy::struct_field_names, reason = "fields are named as their options are")]
pub(crate) struct Settings {
    /// Where the people behind the crawl can be reached: a mail address or a page
    #[arg(long, value_name = "MAIL|URL", env = "TAMIS_CONTACT")]
    pub contact: Option<String>,
    /// The name by which the crawler is known to sites [default: tamis/VERSION]
    #[arg(long, value_name = "NAME/VERSION")]
    pub agent: Option<String>,

    /// What belongs to the crawl: host, domain, prefix (of the seeds) or any [default: domain]
    #[arg(long, value_name = "REACH", help_heading = "What to crawl")]
    pub scope: Option<String>,
    /// Take these, too
    #[arg(long, value_name = "RULE", help_heading = "What to crawl")]
    pub include: Vec<String>,
    /// Leave these out in any case
    #[arg(long, value_name = "RULE", help_heading = "What to crawl")]
    pub exclude: Vec<String>,
    /// Rules from a file, a line each
    #[arg(long, value_name = "FILE", help_heading = "What to crawl")]
    pub rules: Option<PathBuf>,
    /// Follow so many links from a seed at most
    #[arg(long, value_name = "N", help_heading = "What to crawl")]
    pub max_depth: Option<u32>,
    /// Take so many pages of a host at most
    #[arg(long, value_name = "N", help_heading = "What to crawl")]
    pub max_host_pages: Option<u32>,
    /// Stop after so many pages in this run
    #[arg(long, value_name = "N", help_heading = "What to crawl")]
    #[serde(skip)]
    pub max_pages: Option<u64>,
    /// Stop when there are so many pages, those of earlier runs included
    #[arg(long, value_name = "N", help_heading = "What to crawl")]
    #[serde(skip)]
    pub total_pages: Option<u64>,
    /// Follow so many redirects in a row at most, 0 to 31; what pages load and sitemaps list counts, too [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=31), help_heading = "What to crawl")]
    pub max_redirects: Option<u8>,
    /// Fetch what pages load, too: images, scripts, style sheets
    #[arg(long, help_heading = "What to crawl")]
    pub requisites: bool,
    /// Do not read sitemaps and feeds
    #[arg(long, help_heading = "What to crawl")]
    pub no_sitemaps: bool,
    /// Fetch addresses sooner whose link or text has one of these words
    #[arg(long, value_name = "WORD", value_delimiter = ',', help_heading = "What to crawl")]
    pub keywords: Vec<String>,
    /// Follow the links of pages, too, whose text was seen before or nearly
    #[arg(long, help_heading = "What to crawl")]
    pub follow_duplicates: bool,

    /// Crawl for an event: a list of pages about it, an address a line, or a model file (.toml)
    #[arg(long, value_name = "FILE", help_heading = "For an event")]
    pub focus: Option<PathBuf>,
    /// In which order links are followed then: focused, best-first or breadth-first [default: focused]
    #[arg(long, value_name = "ORDER", help_heading = "For an event")]
    pub strategy: Option<String>,
    /// Stop when a smaller share of the last pages is relevant, 0 to 1 [default: 0, never]
    #[arg(long, value_name = "SHARE", help_heading = "For an event")]
    pub harvest_floor: Option<f64>,
    /// So many pages are the last [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "For an event")]
    pub harvest_window: Option<u32>,
    /// Leave out links that promise less, 0 to 1 [default: 0.02]
    #[arg(long, value_name = "SHARE", help_heading = "For an event")]
    pub least_hope: Option<f64>,

    /// Wait so many seconds after each request to a host [default: 4]
    #[arg(long, value_name = "SECONDS", help_heading = "Politeness")]
    pub delay: Option<f64>,
    /// Wait so many seconds after each request to a server, whatever the host [default: 0.5]
    #[arg(long, value_name = "SECONDS", help_heading = "Politeness")]
    pub server_delay: Option<f64>,
    /// Instead of --delay: download in slices, and wait for their time divided by this share
    #[arg(long, value_name = "SHARE", help_heading = "Politeness")]
    pub share: Option<f64>,
    /// The length of such a slice in seconds [default: 2]
    #[arg(long, value_name = "SECONDS", help_heading = "Politeness")]
    pub slice: Option<f64>,
    /// Try an address so often, 1 to 255 [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..), help_heading = "Politeness")]
    pub tries: Option<u8>,
    /// Try addresses again that failed in earlier runs, or answered 429 or 503 to the last; not remembered
    #[arg(long, help_heading = "Politeness")]
    #[serde(skip)]
    pub retry_failed: bool,
    /// After a failure leave a host alone for so many seconds, then longer and longer [default: 10]
    #[arg(long, value_name = "SECONDS", help_heading = "Politeness")]
    pub back_off: Option<f64>,
    /// Settings per host from a TOML file, which is read again when it changes
    #[arg(long, value_name = "FILE", help_heading = "Operation")]
    pub host_settings: Option<PathBuf>,
    /// Requests per second, all hosts together [default: no limit]
    #[arg(long, value_name = "N", help_heading = "Operation")]
    pub rate: Option<f64>,
    /// Bytes per second, all connections together, such as 500k [default: no limit]
    #[arg(long, value_name = "SIZE", help_heading = "Operation")]
    pub bandwidth: Option<String>,

    /// Keep only responses of these media types, such as text/*; others are read for links and noted
    #[arg(long, value_name = "TYPE", value_delimiter = ',', help_heading = "Operation")]
    pub keep_type: Vec<String>,
    /// Do not keep responses of these media types
    #[arg(long, value_name = "TYPE", value_delimiter = ',', help_heading = "Operation")]
    pub drop_type: Vec<String>,
    /// Do not keep responses larger than this
    #[arg(long, value_name = "SIZE", help_heading = "Operation")]
    pub keep_size: Option<String>,
    /// Archive what name servers say of each host, as dns: records
    #[arg(long, help_heading = "Operation")]
    pub dns_records: bool,
    /// Start of the names of archives [default: the collection's name]
    #[arg(long, value_name = "PREFIX", help_heading = "Operation")]
    pub warc_prefix: Option<String>,
    /// Who runs the crawl, for the warcinfo records
    #[arg(long, value_name = "NAME", help_heading = "Operation")]
    pub operator: Option<String>,
    /// A field of the warcinfo records, such as 'isPartOf: Eclipse 2024'
    #[arg(long, value_name = "NAME: VALUE", help_heading = "Operation")]
    pub warcinfo: Vec<String>,
    /// Take spellings of URLs for one: tracking, www, case, param:NAME [default: none]
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "What to crawl")]
    pub canonical: Vec<String>,
    /// Longest Crawl-delay of a robots.txt that is kept to, in seconds [default: 60]
    #[arg(long, value_name = "SECONDS", help_heading = "Politeness")]
    pub max_crawl_delay: Option<f64>,
    /// Talk to this host, IP address or network (10.1.0.0/16), though it is private; not remembered
    #[arg(long, value_name = "HOST", value_delimiter = ',', help_heading = "How to fetch and keep")]
    #[serde(skip)]
    pub allow_private_host: Vec<String>,
    /// Connect through a proxy: http://HOST:PORT, socks5://HOST:PORT, or off
    #[arg(long, value_name = "URL", help_heading = "Operation")]
    pub proxy: Option<String>,
    /// A file with USER:PASSWORD for the proxy; not remembered
    #[arg(long, value_name = "FILE", help_heading = "Operation")]
    #[serde(skip)]
    pub proxy_auth: Option<PathBuf>,
    /// Let the proxy resolve host names; needs --allow-private; not remembered
    #[arg(long, help_heading = "Operation")]
    #[serde(skip)]
    pub proxy_resolves: bool,
    /// A header of every request, such as 'X-Crawl: eclipse'
    #[arg(long, value_name = "NAME: VALUE", help_heading = "Operation")]
    pub header: Vec<String>,
    /// Send the cookies of a browser's cookies.txt file; not remembered
    #[arg(long, value_name = "FILE", help_heading = "Operation")]
    #[serde(skip)]
    pub browser_cookies: Option<PathBuf>,

    /// Fetch pages again that are due, with conditional requests; not remembered
    #[arg(long, help_heading = "To fetch again")]
    #[serde(skip)]
    pub again: bool,
    /// Least time between two visits to a page, such as 12h or 7d [default: 1d]
    #[arg(long, value_name = "TIME", help_heading = "To fetch again")]
    pub min_age: Option<String>,
    /// Greatest time between two visits to a page [default: 30d]
    #[arg(long, value_name = "TIME", help_heading = "To fetch again")]
    pub max_age: Option<String>,
    /// Do not ask this host for robots.txt: it is your own
    #[arg(long, value_name = "HOST", help_heading = "Politeness")]
    pub robots_off: Vec<String>,

    /// Talk to so many hosts at once, 1 to 65535 [default: 256]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=65_535), help_heading = "How to fetch and keep")]
    pub in_flight: Option<usize>,
    /// Take answers of at most so many bytes; longer ones are cut [default: 16M]
    #[arg(long, value_name = "SIZE", help_heading = "How to fetch and keep")]
    pub max_size: Option<String>,
    /// Give an answer so many seconds at most [default: 180]
    #[arg(long, value_name = "SECONDS", help_heading = "How to fetch and keep")]
    pub timeout: Option<f64>,
    /// Speak HTTP/2 with servers that can; their bytes are then not kept as they came
    #[arg(long, help_heading = "How to fetch and keep")]
    pub http2: bool,
    /// What to do about servers whose TLS certificate fails the check [default: record]
    #[arg(long, value_name = "MODE", value_enum, help_heading = "How to fetch and keep")]
    pub tls: Option<TlsMode>,
    /// Trust the certificate authorities in this PEM file, too; not remembered
    #[arg(long, value_name = "FILE", help_heading = "How to fetch and keep")]
    #[serde(skip)]
    pub tls_ca: Option<PathBuf>,
    /// Keep cookies, and send them back to their hosts, also in later runs
    #[arg(long, help_heading = "How to fetch and keep")]
    pub cookies: bool,
    /// Talk to loopback and private addresses, too; not remembered
    #[arg(long, help_heading = "How to fetch and keep")]
    #[serde(skip)]
    pub allow_private: bool,
    /// Addresses of hosts, a line each as in /etc/hosts, with a port if need be; others are asked for
    #[arg(long, value_name = "FILE", help_heading = "How to fetch and keep")]
    pub hosts: Option<PathBuf>,
    /// Store records in gzip or zstd, with a level behind a colon, or none [default: gzip:1]
    #[arg(long, value_name = "METHOD", help_heading = "How to fetch and keep")]
    pub compress: Option<String>,
    /// Begin a new archive after so many bytes [default: 1G]
    #[arg(long, value_name = "SIZE", help_heading = "How to fetch and keep")]
    pub archive_size: Option<String>,
    /// How to know addresses again: mercator, memory, bloom, lsm or offline [default: mercator]
    #[arg(long, value_name = "SIEVE", help_heading = "How to fetch and keep")]
    pub sieve: Option<String>,
    /// Memory for that, and as much for queues, 1M at least [default: 64M]
    #[arg(long, value_name = "SIZE", help_heading = "How to fetch and keep")]
    pub sieve_memory: Option<String>,
    /// Addresses the crawl is expected to find, for the sieve `bloom` [default: 100000000]
    #[arg(long, value_name = "N", help_heading = "How to fetch and keep")]
    pub expected: Option<u64>,
}

/// What to do about servers whose TLS certificate fails the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TlsMode {
    /// Fetch, and record the failure in the archive
    Record,
    /// Refuse: the URL fails
    Strict,
}

macro_rules! prefer {
    ($new:ident over $old:ident: some $($some:ident)*; list $($list:ident)*; flag $($flag:ident)*) => {
        Settings {
            $($some: $new.$some.or($old.$some),)*
            $($list: if $new.$list.is_empty() { $old.$list } else { $new.$list },)*
            $($flag: $new.$flag || $old.$flag,)*
        }
    };
}

impl Settings {
    /// These, and where they say nothing those of before. A crawl keeps the sieve and the names of archives that it began with.
    pub(super) fn over(self, before: Self) -> Self {
        let (sieve, prefix) = (before.sieve.clone(), before.warc_prefix.clone());
        let is_begun = sieve.is_some();
        let new = self;
        let (is_delay, is_share) = (new.delay.is_some(), new.share.is_some());
        let merged = prefer!(new over before:
            some contact agent scope rules max_depth max_host_pages max_redirects max_pages total_pages delay server_delay share slice tries back_off
                min_age max_age host_settings rate bandwidth proxy proxy_auth browser_cookies keep_size warc_prefix operator max_crawl_delay in_flight max_size timeout tls tls_ca hosts compress archive_size sieve sieve_memory expected
                focus strategy harvest_floor harvest_window least_hope;
            list include exclude keywords robots_off header keep_type drop_type warcinfo canonical allow_private_host;
            flag proxy_resolves dns_records requisites no_sitemaps follow_duplicates retry_failed again http2 cookies allow_private);
        // A delay given now is meant instead of a share given before.
        let share = if is_delay { is_share.then_some(merged.share).flatten() } else { merged.share };
        let warc_prefix = if is_begun { prefix } else { merged.warc_prefix.clone() };
        Self { sieve: sieve.or(merged.sieve.clone()), warc_prefix, share, ..merged }
    }

    /// The same for seeds and their redirects, wherever they lead, and nothing else.
    pub(super) fn of_seeds_alone(&self) -> Self {
        Self {
            scope: Some("any".to_owned()),
            max_depth: Some(0),
            no_sitemaps: true,
            requisites: false,
            include: Vec::new(),
            rules: None,
            keywords: Vec::new(),
            focus: None,
            ..self.clone()
        }
    }

    /// An option that is given and says nothing to who fetches seeds alone.
    pub(in crate::commands) fn of_crawls_alone(&self) -> Option<&'static str> {
        let given = [
            ("--scope", self.scope.is_some()),
            ("--include", !self.include.is_empty()),
            ("--rules", self.rules.is_some()),
            ("--max-depth", self.max_depth.is_some()),
            ("--requisites", self.requisites),
            ("--no-sitemaps", self.no_sitemaps),
            ("--keywords", !self.keywords.is_empty()),
            ("--follow-duplicates", self.follow_duplicates),
            ("--again", self.again),
            ("--canonical", !self.canonical.is_empty()),
            ("--focus", self.focus.is_some()),
            ("--strategy", self.strategy.is_some()),
            ("--harvest-floor", self.harvest_floor.is_some()),
            ("--harvest-window", self.harvest_window.is_some()),
            ("--least-hope", self.least_hope.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    /// A crawl may go on from another folder.
    pub(super) fn make_paths_absolute(&mut self) -> std::io::Result<()> {
        for path in
            [&mut self.rules, &mut self.hosts, &mut self.focus, &mut self.host_settings].into_iter().flatten()
        {
            *path = std::path::absolute(&path)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_again_holds_and_the_sieve_stays() {
        let before = Settings {
            contact: Some("a@example.org".into()),
            delay: Some(1.0),
            sieve: Some("lsm".into()),
            requisites: true,
            ..Settings::default()
        };
        let now = Settings { delay: Some(2.0), sieve: Some("bloom".into()), ..Settings::default() };
        let merged = now.over(before);
        assert_eq!((merged.contact.as_deref(), merged.delay), (Some("a@example.org"), Some(2.0)));
        assert_eq!((merged.sieve.as_deref(), merged.requisites), (Some("lsm"), true));
    }
}
