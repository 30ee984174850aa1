//! From settings as people give them to the options of a crawl.

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use tamis_archive::write::{Compression, warc_fields};
use tamis_crawl::Address;
use tamis_crawl::crawl::{
    AgainOptions, CrawlOptions, HostSettings, KeepFilter, MediaPattern, NearPolicy, Operation,
};
use tamis_crawl::fetch::{
    BrowserCookie, CookieLimits, DnsOptions, FetchConfig, FetchOptions, Hosts, Limits, PrivateHost,
    Protocols, Proxy, Resolve, SystemResolver, Verify,
};
use tamis_crawl::scope::{Rule, ScopeOptions};
use tamis_crawl::sieve::SieveKind;
use tamis_crawl::workbench::{Backoff, Politeness};

use super::settings::{Settings, TlsMode};
use crate::hint::WithHint;
use crate::human_duration::HumanDuration;
use crate::human_size::HumanSize;
use crate::printer::Printer;

/// The level that costs least for what it saves on pages; see `docs/decisions`.
const GZIP_LEVEL: u8 = 1;
const ZSTD_LEVEL: i32 = 3;
/// With less a sieve does nothing but write and read its files.
const LEAST_MEMORY: u64 = 1_000_000;

/// Fields that the crawler writes into the warcinfo records, or that have an option.
const OWN_WARCINFO: [&str; 6] =
    ["software", "format", "conformsTo", "http-header-user-agent", "robots", "operator"];
/// In the place of a proxy: none.
pub(super) const NO_PROXY: &str = "off";
/// Before the names of archives of what was fetched.
pub(super) const FETCHED: &str = "fetched-";
/// With less, connections would count as too slow.
const LEAST_BANDWIDTH: u64 = 4_096;

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
        operation: operation(settings)?,
        again: settings.again.then(|| ages(settings)).transpose()?,
        in_flight: settings.in_flight.unwrap_or_else(tamis_crawl::crawl::most_in_flight),
        parsers: std::thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1)),
        max_pages: settings.max_pages.unwrap_or(u64::MAX),
        total_pages: settings.total_pages.unwrap_or(u64::MAX),
        sieve: parsed(settings.sieve.as_deref(), "--sieve")?.unwrap_or(SieveKind::Mercator),
        sieve_memory,
        expected_urls: settings.expected.unwrap_or(10_000_000),
        queue_memory: sieve_memory,
        keywords: settings.keywords.clone(),
        requisites: settings.requisites,
        sitemaps: !settings.no_sitemaps,
        max_redirects: settings.max_redirects.unwrap_or(10),
        near_duplicates: if settings.skip_duplicates { NearPolicy::Skip } else { NearPolicy::Follow },
        robots_off: settings.robots_off.iter().map(|host| host.to_ascii_lowercase()).collect(),
        prefix: archive_prefix(settings, name)?,
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
        printer.warn(format_args!("{place}`{}` is not a URL that can be crawled", shortened(text)));
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
    Err(anyhow!("`{word}` is a file"))
        .hint(format!("`@{word}` reads seeds from the file, `https://{word}` is the URL"))
}

fn seed(text: &str) -> anyhow::Result<Address> {
    Address::of_seed(text).ok_or_else(|| {
        anyhow!("`{}` is not a URL that can be crawled", shortened(text))
            .hint("a seed looks like https://example.org/")
    })
}

/// What servers are told: the name, and where to complain.
fn user_agent(settings: &Settings) -> anyhow::Result<String> {
    let Some(contact) = &settings.contact else {
        return Err(anyhow!("the crawl has no contact"))
            .hint("add `--contact` with your mail address or a page about the crawl");
    };
    let is_reachable =
        contact.contains('@') || contact.starts_with("http://") || contact.starts_with("https://");
    if !is_reachable || contact.chars().any(|c| c.is_control() || c.is_whitespace() || "()".contains(c)) {
        return Err(anyhow!("`{contact}` is not a mail address or URL"))
            .hint("for example `--contact me@example.org` or `--contact https://example.org/crawl`");
    }
    let agent =
        settings.agent.clone().unwrap_or_else(|| concat!("tamis/", env!("CARGO_PKG_VERSION")).to_owned());
    let is_token = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if product(&agent).is_empty() || !product(&agent).chars().all(is_token) {
        return Err(anyhow!("`{agent}` is not a valid crawler name"))
            .hint("for example `--agent eclipsebot/1.0`");
    }
    Ok(format!("{agent} (+{contact})"))
}

/// The name by which `robots.txt` speaks of a crawler.
fn product(agent: &str) -> &str {
    agent.split(['/', ' ']).next().unwrap_or_default()
}

fn operation(settings: &Settings) -> anyhow::Result<Operation> {
    if let Some(path) = &settings.host_settings {
        HostSettings::read(path)?;
    }
    Ok(Operation {
        host_settings: settings.host_settings.clone(),
        rate_milli: settings.rate.map(rate_milli).transpose()?.unwrap_or(0),
        bandwidth: bandwidth(settings.bandwidth.as_deref())?.unwrap_or(0),
        max_crawl_delay_ms: millis(settings.max_crawl_delay, "--max-crawl-delay", 60.0)?,
        control: true,
        crawl_log: true,
        dns_records: settings.dns_records,
        keep: keep_filter(settings)?,
    })
}

fn keep_filter(settings: &Settings) -> anyhow::Result<KeepFilter> {
    let patterns = |words: &[String], flag: &str| -> anyhow::Result<Vec<MediaPattern>> {
        words.iter().map(|word| word.parse().map_err(|error| anyhow!("{flag}: {error}"))).collect()
    };
    Ok(KeepFilter {
        only: patterns(&settings.keep_type, "--keep-type")?,
        never: patterns(&settings.drop_type, "--drop-type")?,
        max_bytes: settings
            .keep_size
            .as_deref()
            .map(|word| size(Some(word), "--keep-size", 0, 1))
            .transpose()?,
    })
}

/// What the names of archives begin with. Those that are fetched have a mark of their own, since each goes on with its own.
pub(super) fn archive_prefix(settings: &Settings, name: &str) -> anyhow::Result<String> {
    let Some(own) = &settings.warc_prefix else { return Ok(prefix(name)) };
    if own.is_empty() || prefix(own) != *own {
        return Err(anyhow!("--warc-prefix {own}: has other characters than letters, digits, - and _"));
    }
    Ok(if name.starts_with(FETCHED) { format!("{FETCHED}{own}") } else { own.clone() })
}

/// Requests in a thousand seconds.
pub(super) fn rate_milli(per_second: f64) -> anyhow::Result<u64> {
    if !(0.001..=1e6).contains(&per_second) {
        return Err(anyhow!("--rate {per_second}: is not a number of requests from 0.001 to 1000000"));
    }
    Ok((per_second * 1000.0).round() as u64)
}

/// Bytes per second.
pub(super) fn bandwidth(word: Option<&str>) -> anyhow::Result<Option<u64>> {
    word.map(|word| size(Some(word), "--bandwidth", 0, LEAST_BANDWIDTH)).transpose()
}

/// When pages are due.
pub(super) fn ages(settings: &Settings) -> anyhow::Result<AgainOptions> {
    let plain = AgainOptions::default();
    let age = |word: Option<&str>, flag: &str, default: u64| -> anyhow::Result<u64> {
        let age = parsed::<HumanDuration>(word, flag)?;
        Ok(age.map_or(default, |age| u64::try_from(age.0.as_millis()).unwrap_or(u64::MAX)))
    };
    let min_age_ms = age(settings.min_age.as_deref(), "--min-age", plain.min_age_ms)?;
    let max_age_ms = age(settings.max_age.as_deref(), "--max-age", plain.max_age_ms.max(min_age_ms))?;
    if min_age_ms > max_age_ms {
        return Err(anyhow!("--min-age is more than --max-age"));
    }
    Ok(AgainOptions { min_age_ms, max_age_ms })
}

fn politeness(settings: &Settings) -> anyhow::Result<Politeness> {
    let Some(p) = settings.share else {
        return Ok(Politeness::Fixed { delay_ms: millis(settings.delay, "--delay", 4.0)? });
    };
    if !(p > 0.0 && p.is_finite()) {
        return Err(anyhow!("--share {p}: not between 0 and 1"))
            .hint("0.1 pauses ten times as long as it downloads");
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
            .map_err(|_| anyhow!("--scope {reach}: not host, domain, prefix or any"))?;
    }
    let rules = |words: &[String]| words.iter().map(|word| rule(word)).collect::<anyhow::Result<Vec<Rule>>>();
    scope.include.extend(rules(&settings.include)?);
    scope.exclude.extend(rules(&settings.exclude)?);
    for word in &settings.canonical {
        scope.canonical.add(word).context("--canonical")?;
    }
    scope.max_depth = settings.max_depth.or(scope.max_depth);
    scope.max_pages_per_host = settings.max_host_pages.or(scope.max_pages_per_host);
    Ok(scope)
}

pub(super) fn rule(word: &str) -> anyhow::Result<Rule> {
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
        browser_cookies: settings
            .browser_cookies
            .as_deref()
            .map(browser_cookies)
            .transpose()?
            .unwrap_or_default(),
        proxy: proxy(settings)?,
        extra_headers: headers(&settings.header)?,
        allow_private: settings.allow_private,
        accept_zstd: settings.accept_zstd,
        private_hosts: private_hosts(&settings.allow_private_host)?,
        ..FetchOptions::new(user_agent)
    })
}

fn browser_cookies(path: &Path) -> anyhow::Result<Vec<BrowserCookie>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    BrowserCookie::read(&text).with_context(|| path.display().to_string())
}

fn proxy(settings: &Settings) -> anyhow::Result<Option<Proxy>> {
    let named = settings.proxy.as_deref().filter(|named| *named != NO_PROXY);
    let Some(mut proxy) =
        parsed::<Proxy>(named, "--proxy").hint("user and password go into the file of --proxy-auth")?
    else {
        return Ok(None);
    };
    if settings.proxy_resolves && !settings.allow_private {
        return Err(anyhow!("--proxy-resolves: the proxy may lead to private addresses, which are refused"))
            .hint(
                "with --allow-private they are not; without --proxy-resolves the crawler checks each address",
            );
    }
    if let Some(path) = &settings.proxy_auth {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let pair =
            text.trim_end().split_once(':').and_then(|(user, password)| proxy.with_auth(user, password));
        proxy = pair.ok_or_else(|| anyhow!("{}: is not USER:PASSWORD", path.display()))?;
    }
    Ok(Some(proxy.resolving(settings.proxy_resolves)))
}

fn private_hosts(words: &[String]) -> anyhow::Result<Vec<PrivateHost>> {
    words.iter().map(|word| word.parse().map_err(|error| anyhow!("--allow-private-host: {error}"))).collect()
}

fn headers(words: &[String]) -> anyhow::Result<Vec<(String, String)>> {
    let header = |word: &String| {
        let (name, value) = word
            .split_once(':')
            .ok_or_else(|| anyhow!("--header `{word}`: is not a name, a colon and a value"))?;
        if ["authorization", "proxy-authorization", "cookie"].contains(&&*name.trim().to_ascii_lowercase()) {
            return Err(anyhow!("--header `{}`: every host would get it", name.trim()))
                .hint("auth in the file of --host-settings and --browser-cookies are for single hosts");
        }
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    let headers: Vec<(String, String)> = words.iter().map(header).collect::<anyhow::Result<_>>()?;
    // Known to be fit before a folder is made.
    let alone = FetchOptions { extra_headers: headers.clone(), ..FetchOptions::new(env!("CARGO_PKG_NAME")) };
    FetchConfig::new(&alone).context("--header")?;
    Ok(headers)
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
    let system = SystemResolver::new(DnsOptions::default()).context("cannot set up DNS")?;
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
    let wrong = || anyhow!("--compress {}: unknown compression", word.unwrap_or_default());
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
        _ => return Err(wrong()).hint("use gzip, gzip:1 to gzip:12, zstd, zstd:1 to zstd:22, or none"),
    };
    Ok(stored)
}

fn warcinfo(settings: &Settings, user_agent: &str) -> anyhow::Result<Vec<u8>> {
    let robots =
        if settings.robots_off.is_empty() { "obey" } else { "obey, except on hosts of the operator" };
    let own = settings.warcinfo.iter().map(|word| {
        let (name, value) =
            word.split_once(':').ok_or_else(|| anyhow!("--warcinfo `{word}`: expected NAME: VALUE"))?;
        let name = name.trim();
        if OWN_WARCINFO.iter().any(|own| own.eq_ignore_ascii_case(name)) {
            return Err(anyhow!("--warcinfo `{name}`: this field is written by the crawler"));
        }
        Ok((name, value.trim()))
    });
    let own: Vec<(&str, &str)> = own.collect::<anyhow::Result<_>>()?;
    let operator = settings.operator.as_deref().map(|operator| ("operator", operator));
    let fixed = [
        ("software", concat!("tamis/", env!("CARGO_PKG_VERSION"))),
        ("format", "WARC File Format 1.1"),
        ("conformsTo", "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
        ("http-header-user-agent", user_agent),
        ("robots", robots),
    ];
    warc_fields(fixed.into_iter().chain(operator).chain(own)).context("--warcinfo")
}

/// What the names of archives begin with: what of the collection's name can stand in a file's.
pub(super) fn prefix(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_alphanumeric() || "-_".contains(c) { c } else { '-' }).collect();
    if plain.is_empty() { "crawl".to_owned() } else { plain }
}

pub(super) fn millis(seconds: Option<f64>, flag: &str, default: f64) -> anyhow::Result<u64> {
    let seconds = seconds.unwrap_or(default);
    if !(0.0..=1e7).contains(&seconds) {
        return Err(anyhow!("{flag} {seconds}: not a number of seconds"));
    }
    Ok((seconds * 1000.0).round() as u64)
}

fn size(word: Option<&str>, flag: &str, default: u64, least: u64) -> anyhow::Result<u64> {
    let size = parsed::<HumanSize>(word, flag)?.map_or(default, |size| size.0);
    if size < least {
        return Err(anyhow!("{flag} {}: too small", word.unwrap_or_default()))
            .hint(format!("the minimum is {}", HumanSize(least)));
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
