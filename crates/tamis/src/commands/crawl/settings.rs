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
    /// How to reach you: a mail address or a web page, sent with every request
    #[arg(long, value_name = "MAIL|URL", env = "TAMIS_CONTACT")]
    pub contact: Option<String>,
    /// Name of the crawler in the User-Agent header [default: tamis/VERSION]
    #[arg(long, value_name = "NAME/VERSION")]
    pub agent: Option<String>,

    /// Scope: host, domain, prefix (of the seeds) or any [default: domain]
    #[arg(long, value_name = "SCOPE", help_heading = "Scope and limits")]
    pub scope: Option<String>,
    /// Also crawl URLs that match RULE
    #[arg(long, value_name = "RULE", help_heading = "Scope and limits")]
    pub include: Vec<String>,
    /// Never crawl URLs that match RULE
    #[arg(long, value_name = "RULE", help_heading = "Scope and limits")]
    pub exclude: Vec<String>,
    /// Read rules from FILE, one per line
    #[arg(long, value_name = "FILE", help_heading = "Scope and limits")]
    pub rules: Option<PathBuf>,
    /// Maximum number of links from a seed
    #[arg(long, value_name = "N", help_heading = "Scope and limits")]
    pub max_depth: Option<u32>,
    /// Maximum pages per host
    #[arg(long, value_name = "N", help_heading = "Scope and limits")]
    pub max_host_pages: Option<u32>,
    /// Stop after N pages in this run
    #[arg(long, value_name = "N", help_heading = "Scope and limits")]
    #[serde(skip)]
    pub max_pages: Option<u64>,
    /// Stop at N pages, including those of earlier runs
    #[arg(long, value_name = "N", help_heading = "Scope and limits")]
    #[serde(skip)]
    pub total_pages: Option<u64>,
    /// Maximum redirects in a row, 0 to 31; page requisites and sitemap entries count as redirects [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=31), help_heading = "Scope and limits")]
    pub max_redirects: Option<u8>,
    /// Also fetch what pages load: images, scripts, style sheets
    #[arg(long, help_heading = "Scope and limits")]
    pub requisites: bool,
    /// Do not read sitemaps and feeds
    #[arg(long, help_heading = "Scope and limits")]
    pub no_sitemaps: bool,
    /// Fetch URLs earlier if the link or its text contains one of these words
    #[arg(long, value_name = "WORD", value_delimiter = ',', help_heading = "Scope and limits")]
    pub keywords: Vec<String>,
    /// Do not follow links of pages whose text is a duplicate or near-duplicate; numbered index pages then lose their links
    #[arg(long, help_heading = "Scope and limits")]
    pub skip_duplicates: bool,

    /// Crawl for an event: a file with URLs of pages about it, one per line, or a model file (.toml)
    #[arg(long, value_name = "FILE", help_heading = "Focused crawls")]
    pub focus: Option<PathBuf>,
    /// Order in which links are followed: focused, best-first or breadth-first [default: focused]
    #[arg(long, value_name = "ORDER", help_heading = "Focused crawls")]
    pub strategy: Option<String>,
    /// Stop when the share of relevant pages falls below this, 0 to 1 [default: 0, never]
    #[arg(long, value_name = "SHARE", help_heading = "Focused crawls")]
    pub harvest_floor: Option<f64>,
    /// Number of most recent pages for --harvest-floor [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Focused crawls")]
    pub harvest_window: Option<u32>,
    /// Skip links with a lower expected relevance, 0 to 1 [default: 0.02]
    #[arg(long, value_name = "SHARE", help_heading = "Focused crawls")]
    pub least_hope: Option<f64>,

    /// Pause after each request to a host, in seconds [default: 4]
    #[arg(long, value_name = "SECONDS", help_heading = "Politeness")]
    pub delay: Option<f64>,
    /// Pause after each request to a server (IP address), in seconds [default: 0.5]
    #[arg(long, value_name = "SECONDS", help_heading = "Politeness")]
    pub server_delay: Option<f64>,
    /// Instead of --delay: fetch in slices, then pause for the slice's duration divided by SHARE
    #[arg(long, value_name = "SHARE", help_heading = "Politeness")]
    pub share: Option<f64>,
    /// Length of a slice for --share, in seconds [default: 2]
    #[arg(long, value_name = "SECONDS", help_heading = "Politeness")]
    pub slice: Option<f64>,
    /// Attempts per URL, 1 to 255 [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..), help_heading = "Politeness")]
    pub tries: Option<u8>,
    /// Retry URLs that failed in earlier runs, or last returned 429 or 503 (this run only)
    #[arg(long, help_heading = "Politeness")]
    #[serde(skip)]
    pub retry_failed: bool,
    /// Initial back-off of a host after a failure, in seconds; grows with each failure [default: 10]
    #[arg(long, value_name = "SECONDS", help_heading = "Politeness")]
    pub back_off: Option<f64>,
    /// Settings per host from a TOML file, which is read again when it changes
    #[arg(long, value_name = "FILE", help_heading = "Operation")]
    pub host_settings: Option<PathBuf>,
    /// Maximum requests per second, for all hosts together [default: no limit]
    #[arg(long, value_name = "N", help_heading = "Operation")]
    pub rate: Option<f64>,
    /// Maximum bytes per second, for all connections together, such as 500k [default: no limit]
    #[arg(long, value_name = "SIZE", help_heading = "Operation")]
    pub bandwidth: Option<String>,

    /// Store only responses of these media types, such as text/*; links of others are still followed
    #[arg(long, value_name = "TYPE", value_delimiter = ',', help_heading = "Operation")]
    pub keep_type: Vec<String>,
    /// Do not store responses of these media types
    #[arg(long, value_name = "TYPE", value_delimiter = ',', help_heading = "Operation")]
    pub drop_type: Vec<String>,
    /// Do not store responses larger than SIZE
    #[arg(long, value_name = "SIZE", help_heading = "Operation")]
    pub keep_size: Option<String>,
    /// Archive the DNS answers for each host, as dns: records
    #[arg(long, help_heading = "Operation")]
    pub dns_records: bool,
    /// Prefix of archive names [default: the collection's name]
    #[arg(long, value_name = "PREFIX", help_heading = "Operation")]
    pub warc_prefix: Option<String>,
    /// Operator of the crawl, for warcinfo records
    #[arg(long, value_name = "NAME", help_heading = "Operation")]
    pub operator: Option<String>,
    /// Additional field of warcinfo records, such as 'isPartOf: Eclipse 2024'
    #[arg(long, value_name = "NAME: VALUE", help_heading = "Operation")]
    pub warcinfo: Vec<String>,
    /// Treat spellings of a URL as one: tracking, www, case, param:NAME [default: none]
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Scope and limits")]
    pub canonical: Vec<String>,
    /// Maximum Crawl-delay of a robots.txt, in seconds; longer ones are cut to it and reported [default: 60]
    #[arg(long, value_name = "SECONDS", help_heading = "Politeness")]
    pub max_crawl_delay: Option<f64>,
    /// Allow requests to this private host, IP address or network (10.1.0.0/16); not remembered
    #[arg(long, value_name = "HOST", value_delimiter = ',', help_heading = "Fetching and storage")]
    #[serde(skip)]
    pub allow_private_host: Vec<String>,
    /// Connect through a proxy: http://HOST:PORT, socks5://HOST:PORT, or off
    #[arg(long, value_name = "URL", help_heading = "Operation")]
    pub proxy: Option<String>,
    /// File with USER:PASSWORD for the proxy; not remembered
    #[arg(long, value_name = "FILE", help_heading = "Operation")]
    #[serde(skip)]
    pub proxy_auth: Option<PathBuf>,
    /// Let the proxy resolve host names; needs --allow-private; not remembered
    #[arg(long, help_heading = "Operation")]
    #[serde(skip)]
    pub proxy_resolves: bool,
    /// Header added to every request, such as 'X-Crawl: eclipse'
    #[arg(long, value_name = "NAME: VALUE", help_heading = "Operation")]
    pub header: Vec<String>,
    /// Send the cookies of a browser's cookies.txt file; not remembered
    #[arg(long, value_name = "FILE", help_heading = "Operation")]
    #[serde(skip)]
    pub browser_cookies: Option<PathBuf>,

    /// Fetch pages again that are due, with conditional requests; not remembered
    #[arg(long, help_heading = "Recrawling")]
    #[serde(skip)]
    pub again: bool,
    /// Minimum time between two visits to a page, such as 12h or 7d [default: 1d]
    #[arg(long, value_name = "TIME", help_heading = "Recrawling")]
    pub min_age: Option<String>,
    /// Maximum time between two visits to a page [default: 30d]
    #[arg(long, value_name = "TIME", help_heading = "Recrawling")]
    pub max_age: Option<String>,
    /// Ignore the robots.txt of HOST, which must be your own
    #[arg(long, value_name = "HOST", help_heading = "Politeness")]
    pub robots_off: Vec<String>,

    /// Maximum hosts visited at once, 1 to 65535 [default: what file descriptors and memory allow]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=65_535), help_heading = "Fetching and storage")]
    pub in_flight: Option<usize>,
    /// Maximum response size; longer responses are cut [default: 16M]
    #[arg(long, value_name = "SIZE", help_heading = "Fetching and storage")]
    pub max_size: Option<String>,
    /// Maximum duration of a response, in seconds [default: 180]
    #[arg(long, value_name = "SECONDS", help_heading = "Fetching and storage")]
    pub timeout: Option<f64>,
    /// Use HTTP/2 where servers support it; messages are then archived in HTTP/1.1 form, not byte for byte
    #[arg(long, help_heading = "Fetching and storage")]
    pub http2: bool,
    /// Also accept zstd-coded responses, which pywb and warcio cannot decode
    #[arg(long, help_heading = "Fetching and storage")]
    pub accept_zstd: bool,
    /// What to do if a server's TLS certificate is invalid [default: record]
    #[arg(long, value_name = "MODE", value_enum, help_heading = "Fetching and storage")]
    pub tls: Option<TlsMode>,
    /// Also trust the certificate authorities in this PEM file (this run only)
    #[arg(long, value_name = "FILE", help_heading = "Fetching and storage")]
    #[serde(skip)]
    pub tls_ca: Option<PathBuf>,
    /// Store cookies and send them back to their hosts, also in later runs
    #[arg(long, help_heading = "Fetching and storage")]
    pub cookies: bool,
    /// Allow loopback and private IP addresses (this run only)
    #[arg(long, help_heading = "Fetching and storage")]
    #[serde(skip)]
    pub allow_private: bool,
    /// IP addresses of hosts, one host per line as in /etc/hosts, optionally with a port; DNS is used for other hosts
    #[arg(long, value_name = "FILE", help_heading = "Fetching and storage")]
    pub hosts: Option<PathBuf>,
    /// Compression of records: gzip or zstd, optionally with :LEVEL, or none [default: gzip:1]
    #[arg(long, value_name = "METHOD", help_heading = "Fetching and storage")]
    pub compress: Option<String>,
    /// Start a new archive at this size [default: 1G]
    #[arg(long, value_name = "SIZE", help_heading = "Fetching and storage")]
    pub archive_size: Option<String>,
    /// How to recognize known URLs: mercator, memory, bloom, lsm or offline [default: mercator]
    #[arg(long, value_name = "SIEVE", help_heading = "Fetching and storage")]
    pub sieve: Option<String>,
    /// Memory for the sieve, and the same amount for queues; at least 1M [default: 64M]
    #[arg(long, value_name = "SIZE", help_heading = "Fetching and storage")]
    pub sieve_memory: Option<String>,
    /// Expected number of URLs, for the bloom sieve: five bytes each, more beyond [default: 10000000]
    #[arg(long, value_name = "N", help_heading = "Fetching and storage")]
    pub expected: Option<u64>,
}

/// What to do about servers whose TLS certificate fails the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TlsMode {
    /// Archive the response, and record the failure
    Record,
    /// Refuse the connection: the URL fails
    Strict,
}

/// The ids of options that apply to crawls and not to `tamis fetch`.
pub(crate) const CRAWL_ONLY: [&str; 17] = [
    "scope",
    "include",
    "rules",
    "max_depth",
    "requisites",
    "no_sitemaps",
    "keywords",
    "skip_duplicates",
    "again",
    "min_age",
    "max_age",
    "canonical",
    "focus",
    "strategy",
    "harvest_floor",
    "harvest_window",
    "least_hope",
];

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
            flag proxy_resolves dns_records requisites no_sitemaps skip_duplicates retry_failed again http2 accept_zstd cookies allow_private);
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

    /// An option that is given and applies to crawls only.
    pub(in crate::commands) fn of_crawls_alone(&self) -> Option<String> {
        let given = [
            self.scope.is_some(),
            !self.include.is_empty(),
            self.rules.is_some(),
            self.max_depth.is_some(),
            self.requisites,
            self.no_sitemaps,
            !self.keywords.is_empty(),
            self.skip_duplicates,
            self.again,
            self.min_age.is_some(),
            self.max_age.is_some(),
            !self.canonical.is_empty(),
            self.focus.is_some(),
            self.strategy.is_some(),
            self.harvest_floor.is_some(),
            self.harvest_window.is_some(),
            self.least_hope.is_some(),
        ];
        let mut options = CRAWL_ONLY.iter().zip(given);
        options.find(|(_, is_given)| *is_given).map(|(id, _)| format!("--{}", id.replace('_', "-")))
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
