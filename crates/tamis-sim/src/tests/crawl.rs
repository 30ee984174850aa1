//! The oracle against a crawl that knows nothing but what the server says.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::Duration;

use url::Url;

use super::client::{Got, decode, get};
use super::serve::start;
use super::world::hrefs;
use crate::robots::matches;
use crate::{AuditRules, OracleRules, Reach, Running, WorldOptions, oracle};

/// Whether it allows, and what.
type Pattern = (bool, String);

/// What a robots.txt says.
#[derive(Default)]
struct Rules {
    patterns: Vec<Pattern>,
    sitemaps: Vec<String>,
    nothing: bool,
}

impl Rules {
    fn read(text: &str) -> Self {
        let mut groups: Vec<(Vec<String>, Vec<Pattern>)> = Vec::new();
        let mut sitemaps = Vec::new();
        let mut open = false;
        for (name, value) in text.lines().filter_map(|line| line.split_once(':')) {
            let (name, value) = (name.to_ascii_lowercase(), value.trim().to_owned());
            match &*name {
                "sitemap" => sitemaps.push(value),
                "user-agent" => {
                    if !open {
                        groups.push(Default::default());
                    }
                    groups.last_mut().expect("a group").0.push(value);
                }
                "allow" | "disallow" if !value.is_empty() => {
                    groups.last_mut().expect("a group").1.push((name == "allow", value));
                }
                _ => {}
            }
            open = name == "user-agent";
        }
        let of = |agent: &str| groups.iter().find(|group| group.0.iter().any(|name| name == agent));
        let patterns = of("tamis").or(of("*")).map(|group| group.1.clone()).unwrap_or_default();
        Self { patterns, sitemaps, nothing: false }
    }

    fn allow(&self, path: &str) -> bool {
        let matching = self.patterns.iter().filter(|(_, pattern)| matches(pattern, path));
        !self.nothing
            && matching.max_by_key(|(allow, pattern)| (pattern.len(), *allow)).is_none_or(|(allow, _)| *allow)
    }
}

/// A crawl, one page after the other.
struct Crawl<'a> {
    running: &'a Running,
    robots: HashMap<String, Rules>,
    queue: VecDeque<String>,
    reach: Reach,
}

impl Crawl<'_> {
    fn run(mut self) -> Reach {
        while let Some(url) = self.queue.pop_front() {
            if self.running.world().is_trap(&url) || self.reach.pages.contains(&url) {
                continue;
            }
            let parsed = Url::parse(&url).expect("a URL");
            self.ask_robots(&parsed);
            let path = &parsed[url::Position::BeforePath..];
            if self.robots[&parsed.origin().ascii_serialization()].allow(path) {
                self.reach.pages.insert(url.clone());
                self.visit(&url);
            }
        }
        self.reach
    }

    fn visit(&mut self, url: &str) {
        let got = (0..5).find_map(|_| {
            let got = get(self.running, url).unwrap_or_default();
            (got.status != 429 && !(got.status == 503 && got.field("Retry-After").is_some())).then_some(got)
        });
        let Some(got) = got else { return };
        if let Some(location) = got.field("Location") {
            self.queue
                .push_back(Url::parse(url).and_then(|url| url.join(location)).expect("a URL").to_string());
        } else if got.status == 200
            && got.field("Content-Type").is_some_and(|kind| kind.starts_with("text/html"))
        {
            let nofollow = got.field("X-Robots-Tag") == Some("nofollow");
            let html = decoded(&got);
            let nofollow = nofollow || html.contains("<meta name=\"robots\" content=\"nofollow\">");
            let links = hrefs(&html, url).into_iter().filter(|(_, own)| !(nofollow || *own));
            self.queue.extend(links.map(|(link, _)| link));
        }
    }

    fn ask_robots(&mut self, url: &Url) {
        let origin = url.origin().ascii_serialization();
        if self.robots.contains_key(&origin) {
            return;
        }
        let mut at = format!("{origin}/robots.txt");
        let got = loop {
            let got = get(self.running, &at);
            if !got.as_ref().is_err_and(|error| error.to_string().contains("certificate")) {
                self.reach.robots.insert(at.clone());
            }
            let location = got.as_ref().ok().and_then(|got| got.field("Location").map(str::to_owned));
            let Some(location) = location else { break got };
            at = Url::parse(&at).and_then(|url| url.join(&location)).expect("a URL").to_string();
        };
        let rules = match got {
            Ok(got) if got.status == 200 => Rules::read(&String::from_utf8_lossy(&got.body)),
            Ok(got) if (400..500).contains(&got.status) => Rules::default(),
            _ => Rules { nothing: true, ..Rules::default() },
        };
        let sitemaps = rules.sitemaps.clone();
        self.robots.insert(origin, rules);
        for sitemap in sitemaps {
            self.read_sitemap(&sitemap);
        }
    }

    fn read_sitemap(&mut self, url: &str) {
        if !self.reach.sitemaps.insert(url.to_owned()) {
            return;
        }
        let got = get(self.running, url).expect("a sitemap");
        let xml = decode(flate2::read::GzDecoder::new(&got.body[..])).unwrap_or(got.body);
        let xml = String::from_utf8(xml).expect("UTF-8");
        for entry in xml.split("<loc>").skip(1) {
            let entry = entry.split("</loc>").next().expect("an end").replace("&amp;", "&");
            if xml.contains("<sitemapindex") {
                self.read_sitemap(&entry);
            } else {
                self.queue.push_back(entry);
            }
        }
    }
}

/// The text of a page by what its head or its first bytes say.
fn decoded(got: &Got) -> String {
    match got.field("Content-Type").and_then(|kind| kind.split_once("charset=")).map(|(_, charset)| charset) {
        Some("iso-8859-1") => got.body.iter().map(|byte| char::from(*byte)).collect(),
        // Its links are all ASCII, or references.
        Some("windows-1251") => String::from_utf8_lossy(&got.body).into_owned(),
        None if got.body.starts_with(b"\xff\xfe") => {
            let units: Vec<u16> =
                got.body.chunks(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
            String::from_utf16_lossy(&units)
        }
        _ => String::from_utf8(got.body.clone()).expect("UTF-8"),
    }
}

fn check(options: WorldOptions) {
    let options = WorldOptions {
        crawl_delay_ms: 0,
        retry_after_s: 0,
        stall_ms: 20,
        slow_ms: 1,
        endless_bytes: 1 << 20,
        bomb_bytes: 1 << 20,
        ..options
    };
    let running = start(options);
    let seeds = running.world().seeds(2);
    let crawl = Crawl {
        running: &running,
        robots: HashMap::new(),
        queue: seeds.iter().cloned().collect(),
        reach: Reach::default(),
    };
    let found = crawl.run();
    let expected = oracle(running.world(), &seeds, &OracleRules::default());
    let missing: BTreeSet<_> = expected.pages.difference(&found.pages).collect();
    let surplus: BTreeSet<_> = found.pages.difference(&expected.pages).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "missing {missing:?}, surplus {surplus:?}");
    assert_eq!(found.robots, expected.robots);
    assert_eq!(found.sitemaps, expected.sitemaps);
    // The last bytes of an answer can be with the client before the server has noted it.
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(running.asked(), expected);
    let audit = running.audit(&AuditRules::default());
    assert_eq!(audit.faults.count(), 0, "{:?}", audit.faults);
    assert_eq!(audit.most_at_once.all, 1);
}

#[test]
fn a_crawl_of_a_plain_world_finds_what_the_oracle_says() {
    check(WorldOptions::plain(1, 8, 300));
}

#[test]
fn a_crawl_of_a_decent_world_finds_what_the_oracle_says() {
    check(WorldOptions::polite_test(2, 40, 1_000));
}

#[test]
fn a_crawl_of_a_hostile_world_finds_what_the_oracle_says() {
    check(WorldOptions::hostile(3, 40, 600));
}

#[test]
fn a_crawl_of_the_demo_finds_what_the_oracle_says() {
    check(WorldOptions::demo(4));
}
