//! Whole crawls of the simulated web, held against what a perfect crawler would fetch.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use tamis_archive::write::Compression;
use tamis_archive::{Mode, Reader, RecordType};
use tamis_crawl::Address;
use tamis_crawl::crawl::{Crawl, CrawlOptions, Folders, NearPolicy, Snapshot};
use tamis_crawl::fetch::{FetchOptions, Hosts, Limits};
use tamis_crawl::scope::{Reach, ScopeOptions};
use tamis_crawl::sieve::SieveKind;
use tamis_crawl::workbench::{Backoff, Politeness};
use tamis_testkit::web::{
    AuditRules, OracleRules, Running, ServeOptions, Special, World, WorldOptions, oracle, serve,
};

const KINDS: [SieveKind; 5] =
    [SieveKind::Memory, SieveKind::Bloom, SieveKind::Lsm, SieveKind::Offline, SieveKind::Mercator];

fn start(world: World) -> Running {
    serve(Arc::new(world), &ServeOptions::default()).expect("listens")
}

fn options(web: &Running, seeds: usize, delay_ms: u64) -> CrawlOptions {
    let limits = Limits {
        first_byte_ms: 2_000,
        idle_ms: 2_000,
        whole_ms: 5_000,
        connect_ms: 2_000,
        ..Limits::default()
    };
    CrawlOptions {
        seeds: web.world().seeds(seeds).iter().map(|seed| Address::parse(seed).expect("a seed")).collect(),
        scope: ScopeOptions { reach: Reach::Any, ..ScopeOptions::default() },
        fetch: FetchOptions {
            limits,
            allow_private: true,
            ..FetchOptions::new("tamis/0 (+mailto:nobody@example.org)")
        },
        agent: "tamis".to_owned(),
        resolver: Arc::new(Hosts::parse(&web.hosts_file()).expect("a table")),
        host_politeness: Politeness::Fixed { delay_ms },
        ip_politeness: Politeness::Fixed { delay_ms: delay_ms / 2 },
        backoff: Backoff { base_ms: 50, factor: 2.0, cap_ms: 400, give_up: 5 },
        tries: 4,
        in_flight: 200,
        parsers: 1,
        max_pages: u64::MAX,
        sieve: SieveKind::Mercator,
        sieve_memory: 8 << 20,
        expected_urls: 100_000,
        queue_memory: 1 << 20,
        keywords: Vec::new(),
        requisites: false,
        sitemaps: true,
        max_redirects: 10,
        near_duplicates: NearPolicy::Follow,
        robots_off: Vec::new(),
        prefix: "test".to_owned(),
        compression: Compression::GZIP,
        archive_bytes: 4 << 20,
        warcinfo: b"software: test\r\n".to_vec(),
    }
}

fn crawl(folder: &Path, options: &CrawlOptions) -> Snapshot {
    let crawl = Crawl::open(&Folders::of(folder), options, None).expect("opens");
    let progress = crawl.progress();
    crawl.run().expect("crawls");
    progress.snapshot()
}

/// The addresses of all responses and revisits in the archives, each as often as it is there.
fn archived(folder: &Path) -> Vec<String> {
    let mut urls = Vec::new();
    for entry in std::fs::read_dir(folder.join("archive")).expect("a folder") {
        let path = entry.expect("reads").path();
        assert!(!path.to_string_lossy().ends_with(".open"), "{} is left open", path.display());
        if path.extension().is_some_and(|extension| extension == "torn") {
            continue;
        }
        let mut reader = Reader::open(&path, Mode::Strict).expect("opens");
        while let Some(record) = reader.next().expect("is sound") {
            let kind = record.head.record_type();
            if matches!(kind, RecordType::Response | RecordType::Revisit) {
                urls.push(record.head.target_uri().expect("has a target").into_owned());
            }
            record.finish().expect("is sound");
        }
        assert_eq!(reader.fault_count(), 0, "{}", path.display());
    }
    urls
}

fn assert_same(expected: &BTreeSet<String>, seen: &BTreeSet<String>) {
    let missed: Vec<_> = expected.difference(seen).take(5).collect();
    let surplus: Vec<_> = seen.difference(expected).take(5).collect();
    assert!(missed.is_empty() && surplus.is_empty(), "missed {missed:?}, surplus {surplus:?}");
}

#[test]
fn a_decent_web_is_fetched_exactly_once_and_politely() {
    // Longer than the delay of others, and short enough for many pages.
    let world = WorldOptions { crawl_delay_ms: 60, ..WorldOptions::polite_test(7, 60, 1_500) };
    let web = start(World::new(world));
    let folder = tempfile::tempdir().expect("a folder");
    let snapshot = crawl(folder.path(), &options(&web, 3, 20));
    let rules = OracleRules { certificates: false, ..OracleRules::default() };
    let expected = oracle(web.world(), web.world().seeds(3), &rules);
    let asked = web.asked();
    assert_same(&expected.robots, &asked.robots);
    assert_same(&expected.sitemaps, &asked.sitemaps);
    assert_same(&expected.pages, &asked.pages);
    let audit = web.audit(&AuditRules { host_delay_ms: 20, ip_delay_ms: 10, ..AuditRules::default() });
    assert_eq!(audit.faults.count(), 0, "{:?}", audit.faults);
    assert!(snapshot.sums.pages as usize >= expected.pages.len(), "{:?}", snapshot.sums);
    assert!(archived(folder.path()).len() >= expected.pages.len());
}

#[test]
fn a_crawl_in_many_runs_is_as_polite_as_in_one() {
    let world = WorldOptions { crawl_delay_ms: 60, ..WorldOptions::polite_test(9, 30, 500) };
    let web = start(World::new(world));
    let folder = tempfile::tempdir().expect("a folder");
    let expected = oracle(
        web.world(),
        web.world().seeds(2),
        &OracleRules { certificates: false, ..OracleRules::default() },
    );
    let mut runs = 0;
    for _ in 0..40 {
        runs += 1;
        let before = web.asked().pages.len();
        crawl(folder.path(), &CrawlOptions { max_pages: 50, ..options(&web, 2, 10) });
        if web.asked().pages.len() == before {
            break;
        }
    }
    assert_same(&expected.pages, &web.asked().pages);
    assert_same(&expected.robots, &web.asked().robots);
    let audit = web.audit(&AuditRules { host_delay_ms: 10, ip_delay_ms: 5, ..AuditRules::default() });
    for (name, finding) in audit.faults.all() {
        // The end of a run may lie between a redirect and the rules that it leads to: then both are asked for again.
        let allowed = if name == "repeated_robots" { runs } else { 0 };
        assert!(finding.count <= allowed, "{name}: {finding:?}");
    }
}

#[test]
fn what_was_behind_damage_is_fetched_again() {
    let web = start(World::plain(11, 5, 150));
    let folder = tempfile::tempdir().expect("a folder");
    crawl(folder.path(), &CrawlOptions { max_pages: 80, ..options(&web, 1, 0) });
    let archives = std::fs::read_dir(folder.path().join("archive")).expect("a folder");
    let archive = archives.map(|entry| entry.expect("reads").path()).min().expect("there is one");
    let mut bytes = std::fs::read(&archive).expect("reads");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 100].fill(0);
    std::fs::write(archive.with_added_extension("open"), bytes).expect("writes");
    std::fs::remove_file(&archive).expect("it is there");
    let going_on = Crawl::open(&Folders::of(folder.path()), &options(&web, 1, 0), None).expect("opens");
    assert_eq!(going_on.torn().len(), 1);
    going_on.run().expect("crawls");
    let expected = oracle(web.world(), web.world().seeds(1), &OracleRules::default()).pages;
    let kept: BTreeSet<String> = archived(folder.path()).into_iter().collect();
    assert_eq!(expected.difference(&kept).next(), None);
}

#[test]
fn every_sieve_gives_the_same_crawl() {
    let web = start(World::plain(3, 40, 1_200));
    let expected = oracle(web.world(), web.world().seeds(1), &OracleRules::default());
    for sieve in KINDS {
        let folder = tempfile::tempdir().expect("a folder");
        crawl(folder.path(), &CrawlOptions { sieve, ..options(&web, 1, 0) });
        let urls = archived(folder.path());
        let pages: Vec<String> = urls.into_iter().filter(|url| !url.ends_with("/robots.txt")).collect();
        let once: BTreeSet<String> = pages.iter().cloned().collect();
        assert_eq!(once.len(), pages.len(), "{sieve:?}: a page twice");
        assert_same(&expected.pages, &once);
    }
}

#[test]
fn redirects_without_end_are_followed_so_far() {
    let specials = vec![(Special::RedirectsWithoutEnd, 0.02)];
    let web = start(World::new(WorldOptions { specials, ..WorldOptions::plain(5, 1, 50) }));
    let onward = |url: &&String| url.contains("/onward?");
    for max_redirects in [0, 1, 10, 31] {
        let folder = tempfile::tempdir().expect("a folder");
        let snapshot = crawl(folder.path(), &CrawlOptions { max_redirects, ..options(&web, 1, 0) });
        assert_eq!(snapshot.refused.get("too-many-redirects"), Some(&1), "{snapshot:?}");
        let followed = archived(folder.path()).iter().filter(onward).count();
        assert_eq!(followed, usize::from(max_redirects));
    }
}

#[test]
fn hostile_servers_end_in_counted_failures() {
    let web = start(World::hostile(11, 40, 600));
    let folder = tempfile::tempdir().expect("a folder");
    let mut options = options(&web, 3, 0);
    options.scope.max_depth = Some(12);
    options.scope.max_pages_per_host = Some(100);
    options.fetch.limits.max_body_bytes = 1 << 20;
    let snapshot = crawl(folder.path(), &options);
    assert!(snapshot.sums.failed_requests > 0 && snapshot.sums.pages > 300, "{snapshot:?}");
    archived(folder.path());
}
