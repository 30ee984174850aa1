//! The name servers of the system, with a cache.

use std::net::SocketAddr;
use std::time::Duration;

use hickory_resolver::config::{
    ConnectionConfig, LookupIpStrategy, NameServerConfig, ResolverConfig, ResolverOpts,
};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::Name;
use hickory_resolver::{ResolverBuilder, TokioResolver};
use tokio::time::timeout;

use super::failure::Failure;
use super::resolve::{Resolve, Resolved, Zone};

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

/// Asks name servers: those that the system is set up with, or others. Built and used within one tokio runtime.
///
/// Memory: [`DnsOptions::max_answers`] answers of some hundred bytes each.
pub struct SystemResolver {
    resolver: TokioResolver,
    longest: Duration,
}

impl SystemResolver {
    /// Reads the system's settings, its `hosts` file included.
    pub fn new(options: DnsOptions) -> Result<Self, Failure> {
        Self::build(TokioResolver::builder_tokio().map_err(|_| Failure::Dns)?, options)
    }

    /// Asks these name servers instead of the system's.
    pub fn with_servers(servers: &[SocketAddr], options: DnsOptions) -> Result<Self, Failure> {
        let servers = servers.iter().map(server_at).collect();
        let config = ResolverConfig::from_parts(None, Vec::new(), servers);
        Self::build(TokioResolver::builder_with_config(config, TokioRuntimeProvider::default()), options)
    }

    fn build(
        mut builder: ResolverBuilder<TokioRuntimeProvider>,
        options: DnsOptions,
    ) -> Result<Self, Failure> {
        options.apply(builder.options_mut());
        let resolver = builder.build().map_err(|_| Failure::Dns)?;
        // Two kinds of address, asked for twice each.
        Ok(Self { resolver, longest: Duration::from_millis(options.timeout_ms.saturating_mul(4)) })
    }
}

impl Resolve for SystemResolver {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Resolved<'a> {
        Box::pin(async move {
            // What cannot be written in a question has no answer.
            let mut name = Name::from_ascii(host).map_err(|_| Failure::NoSuchHost)?;
            // The names of URLs are whole: no search domains are put behind them.
            name.set_fqdn(true);
            let found =
                timeout(self.longest, self.resolver.lookup_ip(name)).await.map_err(|_| Failure::Dns)?;
            let found = found.map_err(|error| failure_of(&error))?;
            Ok(found.iter().map(|ip| (ip, port).into()).collect())
        })
    }

    fn zone<'a>(&'a self, host: &'a str) -> Zone<'a> {
        Box::pin(async move {
            let mut name = Name::from_ascii(host).ok()?;
            name.set_fqdn(true);
            // It was asked for a moment ago, so that the cache answers.
            let found = timeout(self.longest, self.resolver.lookup_ip(name)).await.ok()?.ok()?;
            let lines: Vec<String> = found.as_lookup().answers().iter().map(ToString::to_string).collect();
            Some(lines.join("\n") + "\n")
        })
    }
}

impl DnsOptions {
    fn apply(&self, set: &mut ResolverOpts) {
        let seconds = |s| Some(Duration::from_secs(s));
        set.cache_size = self.max_answers;
        set.positive_min_ttl = seconds(self.min_ttl_s.min(self.max_ttl_s));
        set.positive_max_ttl = seconds(self.max_ttl_s);
        set.negative_max_ttl = seconds(self.max_negative_ttl_s);
        set.timeout = Duration::from_millis(self.timeout_ms);
        set.attempts = 2;
        // Few hosts have only IPv6; to ask for both would double the questions.
        set.ip_strategy = LookupIpStrategy::Ipv4thenIpv6;
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

fn server_at(at: &SocketAddr) -> NameServerConfig {
    let connections = [ConnectionConfig::udp(), ConnectionConfig::tcp()];
    let connections = connections.map(|mut connection| {
        connection.port = at.port();
        connection
    });
    NameServerConfig::new(at.ip(), true, connections.into())
}

#[cfg(test)]
mod tests {
    use std::net::UdpSocket;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Instant;

    use super::*;

    /// Answers questions for addresses by the first letter of the name, and counts them.
    fn serve_names() -> (SocketAddr, Arc<AtomicUsize>) {
        let socket = UdpSocket::bind(("127.0.0.1", 0)).expect("a free port");
        let at = socket.local_addr().expect("a bound port");
        let questions = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&questions);
        thread::spawn(move || {
            let mut buffer = [0; 512];
            while let Ok((len, from)) = socket.recv_from(&mut buffer) {
                counter.fetch_add(1, Ordering::Relaxed);
                if let Some(answer) = answer_to(&buffer[..len]) {
                    let _ = socket.send_to(&answer, from);
                }
            }
        });
        (at, questions)
    }

    /// RFC 1035, section 4.1: the same question, and one address, none, or a code of error.
    fn answer_to(question: &[u8]) -> Option<Vec<u8>> {
        let name_len = question[12..].iter().position(|byte| *byte == 0)?;
        let end = 12 + name_len + 5;
        let is_v4 = question[end - 3] == 1;
        let (code, has_address) = match question[13] {
            b'a' => (0, is_v4),
            b'n' => (3, false),
            b'e' => (0, false),
            b'f' => (2, false),
            _ => return None,
        };
        let mut answer = question[..2].to_vec();
        answer.extend([0x81, 0x80 | code, 0, 1, 0, u8::from(has_address), 0, 0, 0, 0]);
        answer.extend(&question[12..end]);
        if has_address {
            answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 192, 0, 2, 7]);
        }
        Some(answer)
    }

    #[test]
    fn names_are_asked_for_once_and_within_time() {
        let (at, questions) = serve_names();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let options = DnsOptions { timeout_ms: 500, ..DnsOptions::default() };
            let resolver = SystemResolver::with_servers(&[at], options).expect("a resolver");
            for _ in 0..3 {
                let found = resolver.resolve("answered.example", 8080).await;
                assert_eq!(found, Ok(vec![SocketAddr::from(([192, 0, 2, 7], 8080))]));
            }
            let zone = resolver.zone("answered.example").await.expect("records");
            let words: Vec<&str> = zone.split_ascii_whitespace().collect();
            assert!(words[0] == "answered.example." && words[2..] == ["IN", "A", "192.0.2.7"], "{zone}");
            assert_eq!(questions.load(Ordering::Relaxed), 1, "the answer is remembered");
            assert_eq!(resolver.resolve("none.example", 80).await, Err(Failure::NoSuchHost));
            assert_eq!(resolver.resolve("empty.example", 80).await, Err(Failure::NoSuchHost));
            assert_eq!(resolver.resolve("failing.example", 80).await, Err(Failure::Dns));
            let began = Instant::now();
            assert_eq!(resolver.resolve("silent.example", 80).await, Err(Failure::Dns));
            assert!(began.elapsed() < Duration::from_secs(30));
        });
    }

    #[test]
    fn names_that_cannot_be_asked_for_do_not_exist() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let at = SocketAddr::from(([127, 0, 0, 1], 9));
            let resolver = SystemResolver::with_servers(&[at], DnsOptions::default()).expect("a resolver");
            let long = format!("{}.example", "a".repeat(64));
            for host in [&*long, "a..b", &"a.".repeat(200)] {
                assert_eq!(resolver.resolve(host, 80).await, Err(Failure::NoSuchHost), "{host}");
            }
        });
    }
}
