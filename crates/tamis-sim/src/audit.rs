//! Whether a crawler behaved, judged from the server's side after the fact.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;

use super::World;
use super::log::{Event, Log, Outcome};
use super::options::{Quirk, RobotsKind};
use super::queue::{Busy, Manners};
use super::spot::{Spot, What};

/// What is asked of a crawler.
#[derive(Debug, Clone)]
pub struct AuditRules {
    /// The least time from the end of an answer of a host to the next request.
    pub host_delay_ms: u64,
    /// The same for an address.
    pub ip_delay_ms: u64,
    /// For how long a crawler may go on over one connection before it has to pause; 0 is a pause after each answer.
    pub slice_ms: u64,
    /// The share of the time that a host may be busy with the crawler: after `t` of it, `t / share` of rest. 0 is any.
    pub share: f64,
    /// How much less than a delay is none the less one.
    pub tolerance_ms: u64,
    /// Whether the pauses hold around robots.txt, too.
    pub pause_after_robots: bool,
    /// Whether a `Retry-After` holds for its whole host; otherwise for its URL.
    pub retry_after_holds_for_host: bool,
    /// The product name of the crawler in robots.txt files.
    pub agent: String,
}

impl Default for AuditRules {
    fn default() -> Self {
        Self {
            host_delay_ms: 0,
            ip_delay_ms: 0,
            slice_ms: 0,
            share: 0.0,
            tolerance_ms: 5,
            pause_after_robots: true,
            retry_after_holds_for_host: true,
            agent: "tamis".to_owned(),
        }
    }
}

/// What a crawler did.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Audit {
    /// Requests, all of them.
    pub requests: u64,
    /// Requests for robots.txt files and where they redirect to.
    pub robots: u64,
    /// Different URLs, robots.txt files included.
    pub urls: u64,
    /// Bytes sent.
    pub bytes: u64,
    /// Connections.
    pub connections: u64,
    /// Connections at the same time.
    pub most_connections: u64,
    /// Requests at the same time: over all, to one host, to one address.
    pub most_at_once: AtOnce,
    /// The shortest pauses.
    pub shortest_pause_ms: Pauses,
    /// From the first request to the end of the last answer.
    pub duration_ms: u64,
    /// Requests for hosts that are not of this world, or not at that address.
    pub strangers: u64,
    /// Requests again after a refusal, an error or a broken answer: no fault.
    pub retries: u64,
    /// What should not be.
    pub faults: Faults,
    /// The hosts that were asked, by name.
    pub hosts: Vec<HostAudit>,
}

/// The most requests at the same time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct AtOnce {
    /// To all hosts.
    pub all: u64,
    /// To one host.
    pub host: u64,
    /// To one address.
    pub ip: u64,
}

/// The shortest pauses between an answer and the next request, where there were two.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Pauses {
    /// Of one host.
    pub host: Option<f64>,
    /// Of one address.
    pub ip: Option<f64>,
}

/// What should not be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Faults {
    /// A page was asked for before the robots.txt of its origin (and where that redirects to) was answered.
    pub before_robots: Finding,
    /// A page was asked for that robots.txt disallows.
    pub disallowed: Finding,
    /// A page was asked for again that was answered well.
    pub repeated: Finding,
    /// A robots.txt was asked for again that was answered well.
    pub repeated_robots: Finding,
    /// Too short a pause for the host.
    pub host_pause: Finding,
    /// Too short a pause for the address.
    pub ip_pause: Finding,
    /// Too short a pause for what the robots.txt of the host asks for.
    pub crawl_delay: Finding,
    /// Too early after a `Retry-After`.
    pub retry_after: Finding,
    /// Two requests to one host at the same time.
    pub host_at_once: Finding,
    /// Two requests to one address at the same time.
    pub ip_at_once: Finding,
}

impl Faults {
    /// All findings, by name.
    pub fn all(&self) -> [(&'static str, &Finding); 10] {
        [
            ("before_robots", &self.before_robots),
            ("disallowed", &self.disallowed),
            ("repeated", &self.repeated),
            ("repeated_robots", &self.repeated_robots),
            ("host_pause", &self.host_pause),
            ("ip_pause", &self.ip_pause),
            ("crawl_delay", &self.crawl_delay),
            ("retry_after", &self.retry_after),
            ("host_at_once", &self.host_at_once),
            ("ip_at_once", &self.ip_at_once),
        ]
    }

    /// How many there are of any kind.
    pub fn count(&self) -> u64 {
        self.all().iter().map(|(_, finding)| finding.count).sum()
    }
}

/// How often something was found, and where first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How often.
    pub count: u64,
    /// The first of them.
    pub examples: Vec<String>,
}

/// What a crawler did to a host.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct HostAudit {
    /// Its name.
    pub host: String,
    /// Requests for robots.txt.
    pub robots: u64,
    /// Other requests.
    pub pages: u64,
    /// Bytes sent.
    pub bytes: u64,
    /// Requests at the same time.
    pub most_at_once: u64,
    /// The shortest pause.
    pub shortest_pause_ms: Option<f64>,
}

const EXAMPLES: usize = 10;

impl Finding {
    pub(super) fn add(&mut self, example: impl FnOnce() -> String) {
        self.count += 1;
        if self.examples.len() < EXAMPLES {
            self.examples.push(example());
        }
    }
}

/// Judges a log.
pub(super) fn audit(world: &World, log: &Log, rules: &AuditRules) -> Audit {
    let mut order: Vec<&Event> = log.events.iter().collect();
    order.sort_by_key(|event| event.start_us);
    let mut auditor = Auditor {
        world,
        log,
        rules,
        robots: first_ends(world, log),
        settled: HashMap::new(),
        retry_at_us: HashMap::new(),
        hosts: HashMap::new(),
        addresses: HashMap::new(),
        all: Busy::default(),
        found: Audit::default(),
    };
    for event in &order {
        auditor.judge(event);
    }
    auditor.finish(&order)
}

/// When each robots.txt (and where it redirects to) was first answered, in microseconds.
fn first_ends(world: &World, log: &Log) -> HashMap<Spot, u64> {
    let mut ends = HashMap::new();
    for event in &log.events {
        let Some(host) = event.host else { continue };
        let spot = world.spot_on(host, event.secure, log.path(event));
        if is_robots(spot.what) {
            let end = ends.entry(spot).or_insert(u64::MAX);
            *end = event.end_us.min(*end);
        }
    }
    ends
}

fn is_robots(what: What) -> bool {
    matches!(what, What::Robots | What::RobotsMoved)
}

/// Host, whether with TLS, and path.
type Key<'a> = (u32, bool, &'a str);

struct Auditor<'a> {
    world: &'a World,
    log: &'a Log,
    rules: &'a AuditRules,
    robots: HashMap<Spot, u64>,
    /// For every URL how often it was answered well.
    settled: HashMap<Key<'a>, u32>,
    /// By host and path; by the host alone if it holds for all of it.
    retry_at_us: HashMap<(u32, &'a str), u64>,
    hosts: HashMap<u32, (Busy, HostAudit)>,
    addresses: HashMap<u32, Busy>,
    all: Busy,
    found: Audit,
}

impl<'a> Auditor<'a> {
    fn judge(&mut self, event: &Event) {
        self.found.requests += 1;
        self.found.bytes += event.bytes;
        let Some(host) = event.host else {
            self.found.strangers += 1;
            return;
        };
        let path = self.log.path(event);
        let spot = self.world.spot_on(host, event.secure, path);
        self.judge_order(event, spot, path);
        self.judge_repeat(event, (host, event.secure, path), is_robots(spot.what));
        self.judge_retry_after(event, host, path);
        self.judge_pauses(event, host, path, is_robots(spot.what));
        self.all.take(event, &Manners::default());
    }

    fn judge_order(&mut self, event: &Event, spot: Spot, path: &str) {
        if is_robots(spot.what) {
            self.found.robots += 1;
            return;
        }
        if event.start_us < self.robots_known_us(spot) {
            self.found.faults.before_robots.add(|| url(self.world, event, path));
        }
        let sitemap = matches!(spot.what, What::Sitemap | What::SitemapPart(_));
        let broken =
            matches!(self.world.hosts[spot.host as usize].quirk, Some(Quirk::NotHttp | Quirk::Stalls));
        if !sitemap && (broken || !self.world.allows_path(&self.rules.agent, spot.host, path)) {
            self.found.faults.disallowed.add(|| url(self.world, event, path));
        }
    }

    /// When the rules of an origin were known: its robots.txt was answered, and whatever that redirects to.
    fn robots_known_us(&self, spot: Spot) -> u64 {
        let mut next = Some(Spot { what: What::Robots, ..spot });
        let mut known = 0;
        while let Some(at) = next {
            known = known.max(self.robots.get(&at).copied().unwrap_or(u64::MAX));
            next = self.world.redirect(at);
        }
        known
    }

    fn judge_repeat(&mut self, event: &Event, key: Key<'a>, robots: bool) {
        let before = self.settled.get(&key).copied();
        // A redirect to rules that are never given settles nothing.
        let is_vain = robots && self.world.hosts[key.0 as usize].robots == RobotsKind::ServerError;
        let well = event.outcome == Outcome::Complete && event.status < 500 && !is_vain;
        self.settled.insert(key, before.unwrap_or(0) + u32::from(well));
        // Over TLS, a robots.txt is that of two origins: the one without TLS redirects to it.
        let most = if robots && event.secure { 2 } else { 1 };
        let faults = &mut self.found.faults;
        match before {
            None => self.found.urls += 1,
            Some(0) => self.found.retries += 1,
            Some(times) if times < most => {}
            Some(_) if robots => faults.repeated_robots.add(|| url(self.world, event, key.2)),
            Some(_) => faults.repeated.add(|| url(self.world, event, key.2)),
        }
    }

    fn judge_retry_after(&mut self, event: &Event, host: u32, path: &'a str) {
        let key = (host, if self.rules.retry_after_holds_for_host { "" } else { path });
        let allowed_us = self.retry_at_us.get(&key).copied().unwrap_or(0);
        if event.start_us + self.rules.tolerance_ms * 1000 < allowed_us {
            let early_ms = (allowed_us - event.start_us) / 1000;
            let example = || format!("{early_ms} ms too early: {}", url(self.world, event, path));
            self.found.faults.retry_after.add(example);
        }
        if event.wait_ms > 0 {
            let until = event.end_us.saturating_add(event.wait_ms * 1000);
            self.retry_at_us.insert(key, until.max(allowed_us));
        }
    }

    fn judge_pauses(&mut self, event: &Event, host: u32, path: &str, robots: bool) {
        let rules = self.rules;
        let (busy, kept) = self.hosts.entry(host).or_default();
        kept.robots += u64::from(robots);
        kept.pages += u64::from(!robots);
        kept.bytes += event.bytes;
        let manners = |delay_ms| Manners {
            delay_ms,
            slice_ms: rules.slice_ms,
            share: rules.share,
            tolerance_ms: rules.tolerance_ms,
            ignored: robots && !rules.pause_after_robots,
        };
        let asked_ms = u64::from(self.world.crawl_delay_ms(host));
        // A slice is no excuse before a host that asks for a pause after each answer.
        let crawl_delay = Manners { slice_ms: 0, share: 0.0, ..manners(asked_ms) };
        let faults = &mut self.found.faults;
        let example = |pause_us: u64| format!("{} ms: {}", pause_us / 1000, url(self.world, event, path));
        if let Some(pause) = busy.too_short(event, &crawl_delay) {
            faults.crawl_delay.add(|| example(pause));
        }
        let on_host = busy.take(event, &manners(rules.host_delay_ms));
        on_host.note(&mut faults.host_pause, &mut faults.host_at_once, example);
        let by_address = self.addresses.entry(event.address).or_default();
        let on_ip = by_address.take(event, &manners(rules.ip_delay_ms));
        on_ip.note(&mut faults.ip_pause, &mut faults.ip_at_once, example);
    }

    fn finish(mut self, order: &[&Event]) -> Audit {
        let end = order.iter().map(|event| event.end_us).filter(|end| *end != u64::MAX).max().unwrap_or(0);
        let start = order.first().map_or(0, |event| event.start_us);
        self.found.duration_ms = end.saturating_sub(start) / 1000;
        self.found.most_at_once.all = self.all.most;
        self.found.most_at_once.ip = self.addresses.values().map(|busy| busy.most).max().unwrap_or(0);
        self.found.most_at_once.host = self.hosts.values().map(|(busy, _)| busy.most).max().unwrap_or(0);
        self.found.shortest_pause_ms = Pauses {
            host: shortest(self.hosts.values().map(|(busy, _)| busy)),
            ip: shortest(self.addresses.values()),
        };
        self.found.hosts = (self.hosts.into_iter())
            .map(|(host, (busy, kept))| HostAudit {
                host: self.world.hosts[host as usize].name.to_string(),
                most_at_once: busy.most,
                shortest_pause_ms: busy.shortest_ms(),
                ..kept
            })
            .collect();
        self.found.hosts.sort_by(|a, b| a.host.cmp(&b.host));
        self.found
    }
}

fn shortest<'a>(all: impl Iterator<Item = &'a Busy>) -> Option<f64> {
    all.filter_map(Busy::shortest_ms).min_by(f64::total_cmp)
}

fn url(world: &World, event: &Event, path: &str) -> String {
    let scheme = if event.secure { "https" } else { "http" };
    let host = event.host.map_or("?", |host| &*world.hosts[host as usize].name);
    format!("{scheme}://{host}{path}")
}

/// Every URL that was asked for.
pub(super) fn asked(world: &World, log: &Log) -> super::Reach {
    let mut reach = super::Reach::default();
    for event in &log.events {
        let Some(host) = event.host else { continue };
        let path = log.path(event);
        let into: &mut BTreeSet<String> = match world.spot_on(host, event.secure, path).what {
            What::Robots | What::RobotsMoved => &mut reach.robots,
            What::Sitemap | What::SitemapPart(_) => &mut reach.sitemaps,
            _ => &mut reach.pages,
        };
        into.insert(url(world, event, path));
    }
    reach
}
