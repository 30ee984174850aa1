//! From settings as people give them to the options of a crawl.

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use tamis_archive::write::{Compression, warc_fields};
use tamis_crawl::Address;
use tamis_crawl::crawl::{CrawlOptions, NearPolicy};
use tamis_crawl::fetch::{
    CookieLimits, DnsOptions, FetchConfig, FetchOptions, Hosts, Limits, Protocols, Resolve, SystemResolver,
    Verify,
};
use tamis_crawl::scope::{Rule, ScopeOptions};
use tamis_crawl::sieve::SieveKind;
use tamis_crawl::workbench::{Backoff, Politeness};

use super::settings::{Settings, TlsMode};
use crate::hint::WithHint;
use crate::human_size::HumanSize;
use crate::printer::Printer;

/// The level that costs least for what it saves on pages; see `docs/decisions`.
const GZIP_LEVEL: u8 = 1;
const ZSTD_LEVEL: i32 = 3;
/// With less a sieve does nothing but write and read its files.
const LEAST_MEMORY: u64 = 1_000_000;

/// So many lines that are no seeds are told, and so many bytes of each.
const MOST_TOLD: u64 = 10;
const MOST_SHOWN: usize = 200;

/// Checks the settings and turns them into options.
pub(super) fn options(settings: &Settings, seeds: &[String], name: &str) -> anyhow::Result<CrawlOptions> {
    let user_agent = user_agent(settings)?;
    let host_politeness = politeness(settings)?;
    let sieve_memory =
        size(settings.sieve_memory.as_deref(), "--sieve-memory", 64 << 20, LEAST_MEMORY)? as usize;
    Ok(CrawlOptions {
        seeds: seeds.iter().map(|text| seed(text)).collect::<anyhow::Result<_>>()?,
        scope: scope(settings)?,
        agent: product(&user_agent).to_owned(),
        fetch: fetch(settings, user_agent.clone())?,
        resolver: resolver(settings)?,
        host_politeness,
        ip_politeness: Politeness::Fixed { delay_ms: millis(settings.server_delay, "--server-delay", 0.5)? },
        backoff: Backoff { base_ms: millis(settings.back_off, "--back-off", 10.0)?, ..Backoff::default() },
        tries: settings.tries.unwrap_or(3),
        retry_failed: settings.retry_failed,
        in_flight: settings.in_flight.unwrap_or_else(tamis_crawl::crawl::most_in_flight),
        parsers: std::thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1)),
        max_pages: settings.max_pages.unwrap_or(u64::MAX),
        total_pages: settings.total_pages.unwrap_or(u64::MAX),
        sieve: parsed(settings.sieve.as_deref(), "--sieve")?.unwrap_or(SieveKind::Mercator),
        sieve_memory,
        expected_urls: settings.expected.unwrap_or(100_000_000),
        queue_memory: sieve_memory,
        keywords: settings.keywords.clone(),
        requisites: settings.requisites,
        sitemaps: !settings.no_sitemaps,
        max_redirects: settings.max_redirects.unwrap_or(10),
        near_duplicates: if settings.follow_duplicates { NearPolicy::Follow } else { NearPolicy::Keep },
        robots_off: settings.robots_off.iter().map(|host| host.to_ascii_lowercase()).collect(),
        prefix: prefix(name),
        compression: compression(settings.compress.as_deref())?,
        archive_bytes: size(settings.archive_size.as_deref(), "--archive-size", 1_000_000_000, 1)?,
        warcinfo: warcinfo(settings, &user_agent)?,
    })
}

/// The seeds that are named, and those of files that are named with an `@` before them. A line of a file that is no address is told
/// and passed over; gives how many were.
pub(super) fn read_seeds(words: &[String], printer: &Printer) -> anyhow::Result<(Vec<String>, u64)> {
    let (mut seeds, mut skipped) = (Vec::new(), Skipped::default());
    for word in words {
        let Some(path) = word.strip_prefix('@') else {
            refuse_file(word)?;
            seeds.push(without_password(word, &seed(word)?));
            continue;
        };
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            match line {
                line if line.is_empty() || line.starts_with('#') => {}
                line => match seed(line) {
                    Ok(address) => seeds.push(without_password(line, &address)),
                    Err(_) => skipped.tell(line, Some((path, number)), printer),
                },
            }
        }
    }
    Ok((seeds, skipped.close(printer)))
}

/// A seed as it is remembered. The user and password of a URL are not sent, so they are not written either.
fn without_password(text: &str, address: &Address) -> String {
    let authority = text
        .split_once("://")
        .map_or("", |(_, rest)| rest.split(['/', '\\', '?', '#']).next().unwrap_or(rest));
    if authority.contains('@') { address.to_string() } else { text.to_owned() }
}

/// What is no seed; the first of it is told.
#[derive(Default)]
pub(super) struct Skipped {
    count: u64,
}

impl Skipped {
    pub(super) fn tell(&mut self, text: &str, place: Option<(&str, u64)>, printer: &Printer) {
        self.count += 1;
        if self.count > MOST_TOLD {
            return;
        }
        let place = place.map_or_else(String::new, |(path, line)| format!("{path}: line {line}: "));
        printer.warn(format_args!("{place}`{}` is no address that can be crawled", shortened(text)));
    }

    /// How many there were.
    pub(super) fn close(self, printer: &Printer) -> u64 {
        if self.count > MOST_TOLD {
            printer.warn(format_args!("… and {} more", self.count - MOST_TOLD));
        }
        self.count
    }
}

/// Whether it can be crawled.
pub(super) fn is_seed(text: &str) -> bool {
    seed(text).is_ok()
}

/// As much of an address as a message has room for.
fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= MOST_SHOWN {
        return text.into();
    }
    format!("{}… ({} bytes)", &text[..text.floor_char_boundary(MOST_SHOWN)], text.len()).into()
}

/// Who names a file may mean what is in it.
fn refuse_file(word: &str) -> anyhow::Result<()> {
    if word.contains("://") || !Path::new(word).is_file() {
        return Ok(());
    }
    Err(anyhow!("`{word}` is a file here"))
        .hint(format!("`@{word}` takes the seeds that are in it, `https://{word}` is the address"))
}

fn seed(text: &str) -> anyhow::Result<Address> {
    Address::of_seed(text).ok_or_else(|| {
        anyhow!("`{}` is no address that can be crawled", shortened(text))
            .hint("a seed is such as https://example.org/")
    })
}

/// What servers are told: the name, and where to complain.
fn user_agent(settings: &Settings) -> anyhow::Result<String> {
    let Some(contact) = &settings.contact else {
        return Err(anyhow!("nobody is named who answers for the crawl"))
            .hint("add `--contact` with a mail address or a page about the crawl");
    };
    let is_reachable =
        contact.contains('@') || contact.starts_with("http://") || contact.starts_with("https://");
    if !is_reachable || contact.chars().any(|c| c.is_control() || c.is_whitespace() || "()".contains(c)) {
        return Err(anyhow!("`{contact}` is neither a mail address nor a page"))
            .hint("such as `--contact me@example.org` or `--contact https://example.org/crawl`");
    }
    let agent =
        settings.agent.clone().unwrap_or_else(|| concat!("tamis/", env!("CARGO_PKG_VERSION")).to_owned());
    let is_token = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if product(&agent).is_empty() || !product(&agent).chars().all(is_token) {
        return Err(anyhow!("`{agent}` is no name for a crawler")).hint("such as `--agent eclipsebot/1.0`");
    }
    Ok(format!("{agent} (+{contact})"))
}

/// The name by which `robots.txt` speaks of a crawler.
fn product(agent: &str) -> &str {
    agent.split(['/', ' ']).next().unwrap_or_default()
}

fn politeness(settings: &Settings) -> anyhow::Result<Politeness> {
    let Some(p) = settings.share else {
        return Ok(Politeness::Fixed { delay_ms: millis(settings.delay, "--delay", 4.0)? });
    };
    if !(p > 0.0 && p.is_finite()) {
        return Err(anyhow!("--share {p}: is no share")).hint("0.1 waits ten times as long as it downloads");
    }
    Ok(Politeness::Share { p, slice_ms: millis(settings.slice, "--slice", 2.0)? })
}

fn scope(settings: &Settings) -> anyhow::Result<ScopeOptions> {
    let mut scope = ScopeOptions::default();
    if let Some(path) = &settings.rules {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        scope.read(&text).with_context(|| path.display().to_string())?;
    }
    if let Some(reach) = &settings.scope {
        scope
            .read(&format!("scope {reach}"))
            .map_err(|_| anyhow!("--scope {reach}: is none of host, domain, prefix, any"))?;
    }
    let rules = |words: &[String]| words.iter().map(|word| rule(word)).collect::<anyhow::Result<Vec<Rule>>>();
    scope.include.extend(rules(&settings.include)?);
    scope.exclude.extend(rules(&settings.exclude)?);
    scope.max_depth = settings.max_depth.or(scope.max_depth);
    scope.max_pages_per_host = settings.max_host_pages.or(scope.max_pages_per_host);
    Ok(scope)
}

fn rule(word: &str) -> anyhow::Result<Rule> {
    Rule::from_str(word).with_context(|| format!("rule `{word}`"))
}

fn fetch(settings: &Settings, user_agent: String) -> anyhow::Result<FetchOptions> {
    let limits = Limits::default();
    let whole_ms = millis(settings.timeout, "--timeout", limits.whole_ms as f64 / 1000.0)?;
    Ok(FetchOptions {
        limits: Limits {
            whole_ms,
            first_byte_ms: limits.first_byte_ms.min(whole_ms),
            idle_ms: limits.idle_ms.min(whole_ms),
            connect_ms: limits.connect_ms.min(whole_ms),
            tls_ms: limits.tls_ms.min(whole_ms),
            max_body_bytes: size(settings.max_size.as_deref(), "--max-size", limits.max_body_bytes as u64, 1)?
                as usize,
            ..limits
        },
        protocols: if settings.http2 { Protocols::Http2 } else { Protocols::Http1 },
        verify: match settings.tls.unwrap_or(TlsMode::Record) {
            TlsMode::Record => Verify::ArchiveAnyway,
            TlsMode::Strict => Verify::Strict,
        },
        extra_roots_pem: settings.tls_ca.as_deref().map(extra_roots).transpose()?,
        cookies: settings.cookies.then(CookieLimits::default),
        allow_private: settings.allow_private,
        ..FetchOptions::new(user_agent)
    })
}

/// The certificates of a file, which are known to be some before a folder is made.
fn extra_roots(path: &Path) -> anyhow::Result<Vec<u8>> {
    let pem = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let alone =
        FetchOptions { extra_roots_pem: Some(pem.clone()), ..FetchOptions::new(env!("CARGO_PKG_NAME")) };
    FetchConfig::new(&alone).with_context(|| path.display().to_string())?;
    Ok(pem)
}

fn resolver(settings: &Settings) -> anyhow::Result<Arc<dyn Resolve>> {
    let system =
        SystemResolver::new(DnsOptions::default()).context("cannot ask for the addresses of hosts")?;
    let Some(path) = &settings.hosts else { return Ok(Arc::new(system)) };
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let hosts = Hosts::parse(&text).with_context(|| path.display().to_string())?;
    Ok(Arc::new((hosts, system)))
}

fn compression(word: Option<&str>) -> anyhow::Result<Compression> {
    let (method, level) = word
        .unwrap_or("gzip")
        .split_once(':')
        .map_or((word.unwrap_or("gzip"), None), |(method, level)| (method, Some(level)));
    let wrong = || anyhow!("--compress {}: is no way to store records", word.unwrap_or_default());
    let stored = match (method, level) {
        ("none", None) => Compression::Plain,
        ("gzip", level) => {
            let level = level.map(str::parse).transpose().map_err(|_| wrong())?.unwrap_or(GZIP_LEVEL);
            Compression::Gzip { level, skip_lengths: false }
        }
        ("zstd", level) => {
            let level = level.map(str::parse).transpose().map_err(|_| wrong())?.unwrap_or(ZSTD_LEVEL);
            Compression::Zstd { level, dictionary: None }
        }
        _ => return Err(wrong()).hint("gzip, gzip:1 to gzip:12, zstd, zstd:1 to zstd:22, or none"),
    };
    Ok(stored)
}

fn warcinfo(settings: &Settings, user_agent: &str) -> anyhow::Result<Vec<u8>> {
    let robots =
        if settings.robots_off.is_empty() { "obey" } else { "obey, but for hosts of the crawler's own" };
    Ok(warc_fields([
        ("software", concat!("tamis/", env!("CARGO_PKG_VERSION"))),
        ("format", "WARC File Format 1.1"),
        ("conformsTo", "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
        ("http-header-user-agent", user_agent),
        ("robots", robots),
    ])?)
}

/// What the names of archives begin with: what of the collection's name can stand in a file's.
pub(super) fn prefix(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_alphanumeric() || "-_".contains(c) { c } else { '-' }).collect();
    if plain.is_empty() { "crawl".to_owned() } else { plain }
}

fn millis(seconds: Option<f64>, flag: &str, default: f64) -> anyhow::Result<u64> {
    let seconds = seconds.unwrap_or(default);
    if !(0.0..=1e7).contains(&seconds) {
        return Err(anyhow!("{flag} {seconds}: is no number of seconds"));
    }
    Ok((seconds * 1000.0).round() as u64)
}

fn size(word: Option<&str>, flag: &str, default: u64, least: u64) -> anyhow::Result<u64> {
    let size = parsed::<HumanSize>(word, flag)?.map_or(default, |size| size.0);
    if size < least {
        return Err(anyhow!("{flag} {}: is too little", word.unwrap_or_default()))
            .hint(format!("{} is the least there can be", HumanSize(least)));
    }
    Ok(size)
}

fn parsed<T: FromStr<Err: std::fmt::Display>>(word: Option<&str>, flag: &str) -> anyhow::Result<Option<T>> {
    word.map(|word| word.parse().map_err(|error| anyhow!("{flag}: {error}"))).transpose()
}

/// The name of a collection's folder.
pub(super) fn name_of(collection: &Path) -> String {
    let path = fs::canonicalize(collection).unwrap_or_else(|_| collection.to_owned());
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
