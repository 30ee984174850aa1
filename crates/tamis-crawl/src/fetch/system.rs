//! The name servers of the system, with a cache.

use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::LookupIpStrategy;
use hickory_resolver::net::NetError;
use hickory_resolver::proto::rr::Name;

use super::failure::Failure;
use super::resolve::{Resolve, Resolved};

/// How names are asked for, and how long answers are believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DnsOptions {
    /// The most answers that are remembered, positive and negative.
    pub max_answers: u64,
    /// Addresses are believed at least this long, whatever the name server says, so that a crawl does not ask for
    /// the same name at every page.
    pub min_ttl_s: u64,
    /// Addresses are believed at most this long.
    pub max_ttl_s: u64,
    /// That there is no address is believed at most this long.
    pub max_negative_ttl_s: u64,
    /// How long a name server may take to answer; it is asked twice.
    pub timeout_ms: u64,
}

/// Asks the name servers that the system is set up with, and its `hosts` file. Built and used within one tokio runtime.
///
/// Memory: [`DnsOptions::max_answers`] answers of some hundred bytes each.
pub struct SystemResolver {
    resolver: TokioResolver,
}

impl SystemResolver {
    /// Reads the system's settings.
    pub fn new(options: DnsOptions) -> Result<Self, Failure> {
        let mut builder = TokioResolver::builder_tokio().map_err(|_| Failure::Dns)?;
        let set = builder.options_mut();
        let seconds = |s| Some(Duration::from_secs(s));
        set.cache_size = options.max_answers;
        set.positive_min_ttl = seconds(options.min_ttl_s.min(options.max_ttl_s));
        set.positive_max_ttl = seconds(options.max_ttl_s);
        set.negative_min_ttl = None;
        set.negative_max_ttl = seconds(options.max_negative_ttl_s);
        set.timeout = Duration::from_millis(options.timeout_ms);
        set.attempts = 2;
        // Few hosts have only IPv6; to ask for both would double the questions.
        set.ip_strategy = LookupIpStrategy::Ipv4thenIpv6;
        Ok(Self { resolver: builder.build().map_err(|_| Failure::Dns)? })
    }
}

impl Resolve for SystemResolver {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Resolved<'a> {
        Box::pin(async move {
            // What cannot be written in a question has no answer.
            let mut name = Name::from_ascii(host).map_err(|_| Failure::NoSuchHost)?;
            // The names of URLs are whole: no search domains are put behind them.
            name.set_fqdn(true);
            let found = self.resolver.lookup_ip(name).await.map_err(|error| failure_of(&error))?;
            Ok(found.iter().map(|ip| (ip, port).into()).collect())
        })
    }
}

impl Default for DnsOptions {
    /// 100,000 answers, believed for one minute to one day, and for five minutes that there is none; 5 s to answer.
    fn default() -> Self {
        Self {
            max_answers: 100_000,
            min_ttl_s: 60,
            max_ttl_s: 86_400,
            max_negative_ttl_s: 300,
            timeout_ms: 5_000,
        }
    }
}

fn failure_of(error: &NetError) -> Failure {
    if error.is_nx_domain() || error.is_no_records_found() { Failure::NoSuchHost } else { Failure::Dns }
}
