//! What a site asks of robots (RFC 9309), and what single answers ask ([`Directives`], [`retry_after_ms`]).

mod delay;
mod directives;
mod http_date;
mod line;
mod parse;
mod pattern;
mod reception;
mod retry_after;
mod rules;

pub use delay::LONGEST_DELAY_MS;
pub use directives::Directives;
pub use http_date::http_date_ms;
pub use reception::Reception;
pub use retry_after::{LONGEST_RETRY_MS, retry_after_ms};

use rules::Rules;

/// What is read of a file, four times what RFC 9309 asks for in section 2.5; a line that is cut there is left out.
pub const MAX_BYTES: usize = 2 << 20;

/// What one `robots.txt` says to one robot.
///
/// Only the rules of that robot are kept: a host without rules costs some sixty bytes, a rule its text and twelve. A
/// question takes time in proportion to the length of the path and the number of rules, whatever their wildcards.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Robots {
    rules: Rules,
    delay_ms: Option<u32>,
    sitemaps: Box<[Box<str>]>,
}

impl Robots {
    /// Reads a file for the robot with this product token (`tamis` of `tamis/0.1 (+https://…)`), whatever its bytes.
    pub fn parse(bytes: &[u8], agent: &str) -> Self {
        parse::parse(bytes, agent)
    }

    /// No rules at all: what a missing file says.
    pub fn allow_all() -> Self {
        Self::default()
    }

    /// Nothing but `/robots.txt` may be fetched: what a server that does not answer says, until it does.
    pub fn disallow_all() -> Self {
        Self { rules: Rules::disallow_all(), ..Self::default() }
    }

    /// Whether an address may be fetched, by its path and query as they stand in a request.
    pub fn allows(&self, path_and_query: &str) -> bool {
        path_and_query == "/robots.txt" || self.rules.allow(path_and_query.as_bytes())
    }

    /// The pause that is asked for between two requests, by `Crawl-delay` or `Request-rate`, the longer one; at most
    /// [`LONGEST_DELAY_MS`].
    pub fn crawl_delay_ms(&self) -> Option<u64> {
        self.delay_ms.map(u64::from)
    }

    /// The sitemaps as they are written: they should be absolute addresses, but some are relative to the file's own.
    pub fn sitemaps(&self) -> &[Box<str>] {
        &self.sitemaps
    }

    /// The sitemaps, which are then no longer kept here.
    pub fn take_sitemaps(&mut self) -> Box<[Box<str>]> {
        std::mem::take(&mut self.sitemaps)
    }

    /// How many rules are kept.
    pub fn rule_count(&self) -> usize {
        self.rules.len()
    }

    /// Bytes of memory that it takes beside itself.
    pub fn heap_bytes(&self) -> usize {
        let sitemaps = self.sitemaps.iter().map(|url| url.len() + size_of::<Box<str>>());
        self.rules.heap_bytes() + sitemaps.sum::<usize>()
    }
}
