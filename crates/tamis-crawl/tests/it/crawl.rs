//! Whole crawls of the simulated web, held against what a perfect crawler would fetch.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tamis_archive::cdx::{CdxEntry, Indexer};
use tamis_archive::write::Compression;
use tamis_archive::{Mode, Reader, RecordType};
use tamis_crawl::Address;
use tamis_crawl::crawl::{
    Crawl, CrawlOptions, Folders, Indexed, Left, NearPolicy, Operation, Snapshot, figures, left,
};
use tamis_crawl::fetch::{FetchOptions, Hosts, Limits};
use tamis_crawl::scope::{Reach, ScopeOptions};
use tamis_crawl::sieve::SieveKind;
use tamis_crawl::workbench::{Backoff, Politeness};
use tamis_sim::{
    ArticleShares, AuditRules, OracleRules, RobotsKind, Running, ServeOptions, Special, World, WorldOptions,
    oracle, serve,
};

const KINDS: [SieveKind; 5] =
    [SieveKind::Memory, SieveKind::Bloom, SieveKind::Lsm, SieveKind::Offline, SieveKind::Mercator];

pub(crate) fn start(world: World) -> Running {
    serve(Arc::new(world), &ServeOptions::default()).expect("listens")
}

pub(crate) fn options(web: &Running, seeds: usize, delay_ms: u64) -> CrawlOptions {
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
        backoff: Backoff { base_ms: 50, factor: 2.0, cap_ms: 400, give_up: 5, give_up_silent: 5 },
        tries: 4,
        retry_failed: false,
        again: None,
        operation: Operation::default(),
        in_flight: 200,
        parsers: 1,
        max_pages: u64::MAX,
        total_pages: u64::MAX,
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

pub(crate) fn crawl(folder: &Path, options: &CrawlOptions) -> Snapshot {
    let crawl = Crawl::open(&Folders::of(folder), options, None).expect("opens");
    let progress = crawl.progress();
    let indexed = crawl.run().expect("crawls");
    for Indexed { name, index, records, captures } in &indexed {
        let (lines, read) = index_of(&folder.join("archive").join(name));
        assert_eq!((lines.len() as u64, read), (*captures, *records), "{name}");
        let made = std::fs::read_to_string(index).expect("reads");
        assert!(made.lines().eq(lines.iter()), "the index of {name} is not that of a second look");
    }
    progress.snapshot()
}

/// The sorted lines of an archive's index, made from its records, and how many records there are.
fn index_of(path: &Path) -> (BTreeSet<String>, u64) {
    let name = path.file_name().expect("a file").to_string_lossy();
    let mut reader = Reader::open(path, Mode::Strict).expect("opens");
    let (mut indexer, mut entries) = (Indexer::default(), Vec::new());
    while let Some(record) = reader.next().expect("is sound") {
        indexer.index(record, &name, &mut entries).expect("is sound");
    }
    (entries.iter().map(CdxEntry::to_cdxj).collect(), reader.records())
}

/// The addresses of all responses and revisits in the archives, each as often as it is there.
pub(crate) fn archived(folder: &Path) -> Vec<String> {
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
    assert!(snapshot.sums.responses as usize >= expected.pages.len(), "{:?}", snapshot.sums);
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
fn fetching_right_behind_a_crawl_is_as_polite() {
    let web = start(World::plain(4, 1, 30));
    let folder = tempfile::tempdir().expect("a folder");
    let slow = CrawlOptions { max_pages: 2, ..options(&web, 1, 400) };
    crawl(folder.path(), &slow);
    let before = web.asked().pages.len();
    fetch(folder.path(), &CrawlOptions { max_pages: 1, ..slow });
    assert_eq!(web.asked().pages.len(), before + 1, "what is there already does not count");
    let audit = web.audit(&AuditRules { host_delay_ms: 400, ip_delay_ms: 200, ..AuditRules::default() });
    for (name, finding) in audit.faults.all() {
        // Each asks for rules itself.
        let allowed = u64::from(name == "repeated_robots");
        assert!(finding.count <= allowed, "{name}: {finding:?}");
    }
}

fn fetch(folder: &Path, options: &CrawlOptions) {
    let options = CrawlOptions { prefix: "fetched".to_owned(), ..options.clone() };
    Crawl::open(&Folders::of_fetch(folder), &options, None).expect("opens").run().expect("crawls");
}

#[test]
fn what_a_crawl_has_is_not_fetched_and_what_was_fetched_is_not_crawled() {
    let web = start(World::plain(5, 8, 300));
    let folder = tempfile::tempdir().expect("a folder");
    let some = |pages| CrawlOptions { max_pages: pages, ..options(&web, 1, 0) };
    crawl(folder.path(), &some(60));
    fetch(folder.path(), &some(160));
    // The scope is another: what is stored of both is looked at again.
    let mut deep = some(u64::MAX);
    deep.scope.max_depth = Some(50);
    crawl(folder.path(), &deep);
    let expected = oracle(web.world(), web.world().seeds(1), &OracleRules::default());
    assert_same(&expected.pages, &web.asked().pages);
    let pages: Vec<String> =
        archived(folder.path()).into_iter().filter(|url| !url.ends_with("/robots.txt")).collect();
    let once: BTreeSet<String> = pages.iter().cloned().collect();
    assert_eq!(once.len(), pages.len(), "a page twice");
    let before = web.asked().pages.len();
    fetch(folder.path(), &some(u64::MAX));
    assert_eq!(web.asked().pages.len(), before, "it has all from the crawl");
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

/// Widens the scope of a crawl.
type Widen = fn(&mut CrawlOptions);

#[test]
fn a_wider_scope_brings_back_what_was_refused() {
    let narrow: [(&str, Widen, Widen); 4] = [
        ("depth", |options| options.scope.max_depth = Some(1), |options| options.scope.max_depth = None),
        ("reach", |options| options.scope.reach = Reach::Host, |options| options.scope.reach = Reach::Any),
        (
            "pages a host",
            |options| options.scope.max_pages_per_host = Some(5),
            |options| options.scope.max_pages_per_host = None,
        ),
        (
            "duplicates",
            |options| options.near_duplicates = NearPolicy::Skip,
            |options| options.near_duplicates = NearPolicy::Follow,
        ),
    ];
    let world = WorldOptions { specials: vec![(Special::Copy, 0.3)], ..WorldOptions::plain(21, 8, 200) };
    let web = start(World::new(world));
    let expected = oracle(web.world(), web.world().seeds(1), &OracleRules::default());
    for (name, narrow, widen) in narrow {
        let folder = tempfile::tempdir().expect("a folder");
        let mut options = options(&web, 1, 0);
        narrow(&mut options);
        crawl(folder.path(), &options);
        let before = archived(folder.path()).len();
        widen(&mut options);
        let wider = Crawl::open(&Folders::of(folder.path()), &options, None).expect("opens");
        let told = wider.reconsidered().expect("the scope is another");
        assert!(told.missing == 0 && told.pages > 0, "{name}: {told:?}");
        wider.run().expect("crawls");
        let pages = archived(folder.path()).into_iter().filter(|url| !url.ends_with("/robots.txt"));
        let (pages, after) = (pages.collect::<BTreeSet<_>>(), archived(folder.path()).len());
        assert!(name == "duplicates" || before < after, "{name}: {before} and {after}");
        assert_same(&expected.pages, &pages);
        let again = Crawl::open(&Folders::of(folder.path()), &options, None).expect("opens");
        assert_eq!(again.reconsidered(), None, "{name}: once is enough");
    }
}

#[test]
fn what_failed_is_listed_and_tried_again_when_asked() {
    let web = start(World::plain(4, 1, 30));
    let folder = tempfile::tempdir().expect("a folder");
    let folders = Folders::of(folder.path());
    let listed = |which| {
        let mut urls = Vec::new();
        left::<Box<tamis_crawl::Error>>(&folders, which, |url| {
            urls.push(url);
            Ok(())
        })
        .expect("reads");
        urls
    };
    let alive = options(&web, 1, 0);
    let host = alive.seeds[0].host().to_owned();
    // Nobody listens there.
    let nobody = Hosts::parse(&format!("127.0.0.1:2 {host}\n")).expect("a table");
    crawl(
        folder.path(),
        &CrawlOptions { resolver: Arc::new(nobody), robots_off: vec![host.clone()], ..alive.clone() },
    );
    let failed = listed(Left::Failed);
    assert_eq!(failed.len(), 1);
    assert_eq!(
        (failed[0].url.as_str(), failed[0].kind.as_str()),
        (alive.seeds[0].as_str(), "connection-refused")
    );
    assert_eq!((failed[0].tries, listed(Left::Refused)), (4, Vec::new()));
    assert_eq!(crawl(folder.path(), &alive).sums.pages, 0, "nobody asked for it");
    let snapshot = crawl(folder.path(), &CrawlOptions { retry_failed: true, ..alive });
    assert_eq!(
        snapshot.sums.pages,
        oracle(web.world(), web.world().seeds(1), &OracleRules::default()).pages.len() as u64
    );
    assert_eq!((listed(Left::Failed), snapshot.outcomes.get("failed")), (Vec::new(), None));
}

#[test]
fn a_port_without_a_server_holds_up_no_other_of_its_host() {
    let web = start(World::plain(4, 1, 30));
    let hosts = web.hosts_file();
    let served = hosts.split_whitespace().next().expect("an address");
    let (host, port) = served.split_once(':').expect("a port");
    let address = |of: String| Address::parse(&format!("http://{host}:{of}")).expect("an address");
    let good = [address(format!("{port}/robots.txt"))];
    let dead: Vec<Address> = (0..9).map(|page| address(format!("2/{page}"))).collect();
    let patient = Backoff { base_ms: 600_000, factor: 2.0, cap_ms: 600_000, give_up: 5, give_up_silent: 5 };
    let impatient = Backoff { base_ms: 20, give_up: 3, ..patient };
    for (seeds, backoff) in [([&good, &dead[..]], patient), ([&dead[..], &good], impatient)] {
        let folder = tempfile::tempdir().expect("a folder");
        let options = CrawlOptions { seeds: seeds.concat(), backoff, ..options(&web, 0, 0) };
        let snapshot = crawl(folder.path(), &options);
        let failed = snapshot.outcomes.get("failed");
        assert_eq!((snapshot.sums.responses, failed), (1, Some(&9)), "{seeds:?}: {snapshot:?}");
    }
}

/// Hosts that send whoever asks for their rules to where there are none, again and again.
#[test]
fn rules_that_are_never_found_are_not_looked_for_for_ever() {
    let articles = ArticleShares { old_scheme: 1.0, ..ArticleShares::default() };
    let robots = vec![(RobotsKind::ServerError, 1.0)];
    let web =
        start(World::new(WorldOptions { tls: 1.0, robots, articles, ..WorldOptions::plain(6, 8, 400) }));
    let folder = tempfile::tempdir().expect("a folder");
    crawl_within_a_minute(folder.path(), &options(&web, 1, 0));
    let mut moved = archived(folder.path());
    moved.retain(|url| url.starts_with("http:") && url.ends_with("/robots.txt"));
    assert!(!moved.is_empty(), "nobody was sent elsewhere for rules");
}

#[test]
fn who_is_sent_elsewhere_for_rules_does_not_make_that_host_fail() {
    for to in ["rules", "silence"] {
        let servers = ["127.0.0.2:0", "127.0.0.3:0"].map(|at| TcpListener::bind(at).expect("listens"));
        let [good_at, bad_at] = servers.each_ref().map(|server| server.local_addr().expect("an address"));
        let good = format!("http://good.test:{}", good_at.port());
        let rules = format!("{good}/{to}");
        for server in servers {
            let rules = rules.clone();
            thread::spawn(move || {
                server.incoming().for_each(|asked| answer(asked.expect("accepts"), &rules));
            });
        }
        let hosts = format!("{good_at} good.test\n{bad_at} bad.test\n");
        let pages: Vec<String> = (0..20).map(|page| format!("{good}/{page}")).collect();
        let bad = format!("http://bad.test:{}/", bad_at.port());
        let seeds = [&pages[0], &bad].into_iter().chain(&pages[1..]);
        let web = start(World::plain(6, 1, 1));
        let folder = tempfile::tempdir().expect("a folder");
        let options = CrawlOptions {
            seeds: seeds.map(|seed| Address::parse(seed).expect("a seed")).collect(),
            resolver: Arc::new(Hosts::parse(&hosts).expect("a table")),
            ip_politeness: Politeness::Fixed { delay_ms: 0 },
            backoff: Backoff { base_ms: 50, factor: 4.0, cap_ms: 60_000, give_up: 4, give_up_silent: 4 },
            ..options(&web, 1, 60)
        };
        crawl_within_a_minute(folder.path(), &options);
        let found = archived(folder.path()).into_iter().collect::<BTreeSet<_>>();
        assert!(pages.iter().all(|page| found.contains(page)), "{found:?}");
        assert!(found.iter().any(|url| url.contains("bad.test")), "nobody was sent to {to}: {found:?}");
    }
}

/// The host `bad.test` has its rules at another, which does not give them.
fn answer(mut asked: TcpStream, rules: &str) {
    let mut lines = BufReader::new(asked.try_clone().expect("clones")).lines().map_while(Result::ok);
    let head: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let is_bad = head.iter().any(|line| line.to_ascii_lowercase().starts_with("host: bad.test"));
    let status = match head.first().and_then(|line| line.split(' ').nth(1)) {
        Some("/robots.txt") if is_bad => format!("302 Found\r\nLocation: {rules}"),
        Some("/robots.txt") => "404 Not Found".to_owned(),
        Some("/rules") => "503 Service Unavailable".to_owned(),
        Some("/silence") => return,
        _ => "200 OK".to_owned(),
    };
    write!(asked, "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").ok();
}

/// Crawls to the end, which must come by itself.
fn crawl_within_a_minute(folder: &Path, options: &CrawlOptions) {
    let crawl = Crawl::open(&Folders::of(folder), options, None).expect("opens");
    let progress = crawl.progress();
    let (ended, is_over) = mpsc::channel::<()>();
    let watch = thread::spawn({
        let progress = progress.clone();
        move || {
            let is_late = is_over.recv_timeout(Duration::from_mins(1)).is_err();
            progress.stop();
            is_late
        }
    });
    crawl.run().expect("crawls");
    ended.send(()).ok();
    assert!(!watch.join().expect("watches"), "it had to be stopped: {:?}", progress.snapshot());
}

#[test]
fn what_robots_forbid_and_limits_leave_out_is_listed() {
    let robots = vec![(RobotsKind::DisallowSome, 1.0)];
    let web = start(World::new(WorldOptions { robots, ..WorldOptions::plain(8, 6, 300) }));
    let folder = tempfile::tempdir().expect("a folder");
    let mut options = options(&web, 2, 0);
    options.scope.max_pages_per_host = Some(30);
    crawl(folder.path(), &options);
    let asked = web.asked().pages;
    let mut kinds = BTreeSet::new();
    left::<Box<tamis_crawl::Error>>(&Folders::of(folder.path()), Left::Refused, |left| {
        assert!(!asked.contains(&left.url), "{left:?}");
        assert!(left.time_ms > 0 && left.tries == 0, "{left:?}");
        kinds.insert(left.kind);
        Ok(())
    })
    .expect("reads");
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["host-full", "robots"]);
}

#[test]
fn the_figures_of_a_crawl_that_told_nothing_are_in_its_journal() {
    let web = start(World::plain(6, 12, 200));
    let folder = tempfile::tempdir().expect("a folder");
    for max_pages in [60, u64::MAX] {
        let told = crawl(folder.path(), &CrawlOptions { max_pages, ..options(&web, 1, 0) });
        let read = figures(&Folders::of(folder.path()), &Snapshot::default()).expect("reads");
        let facts = |snapshot: &Snapshot| {
            let sums = snapshot.sums.clone();
            let bytes = (sums.received_bytes, sums.stored_bytes);
            (sums.pages, sums.done, sums.discovered, sums.links, sums.offered, bytes)
        };
        assert_eq!(facts(&read), facts(&told));
        assert_eq!(read.outcomes, told.outcomes);
        assert!(read.bench.hosts >= told.bench.hosts, "at a limit not all is queued yet");
        assert!(max_pages < u64::MAX || told.bench.hosts == 12, "hosts of earlier runs count, too");
        assert!(read.sums.links > 0 && read.sums.stored_bytes > 0 && read.bench.hosts > 1, "{read:?}");
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
fn traps_end_soon_and_pages_are_all_there() {
    let specials = vec![(Special::Calendar, 0.05), (Special::Sessions, 0.05), (Special::EndlessPath, 0.05)];
    let web = start(World::new(WorldOptions { specials, ..WorldOptions::plain(31, 3, 200) }));
    let expected = oracle(web.world(), web.world().seeds(1), &OracleRules::default());
    // With the links of duplicates followed nothing but the defences ends a calendar.
    for (stale, calendar, policy, most) in [
        (20, 366, NearPolicy::Follow, 60),
        (u32::MAX, 30, NearPolicy::Follow, 60),
        (200, 366, NearPolicy::Skip, 20),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut options = CrawlOptions { near_duplicates: policy, ..options(&web, 1, 0) };
        options.scope.traps.max_stale_pages = stale;
        options.scope.traps.max_calendar_pages = calendar;
        crawl(folder.path(), &options);
        let urls = archived(folder.path()).into_iter().filter(|url| !url.ends_with("/robots.txt"));
        let (traps, pages): (Vec<String>, Vec<String>) =
            urls.partition(|url| web.world().is_trap(url) || url.contains("/shop?"));
        let of = |what: &str| traps.iter().filter(|url| url.contains(what)).count();
        assert!((1..=3 * most).contains(&of("/calendar?")), "{stale} {calendar}: {}", of("/calendar?"));
        assert!((1..=12).contains(&of("/shop?")), "{}", of("/shop?"));
        assert!(of("/deep/") <= 3 * 4, "{}", of("/deep/"));
        if policy == NearPolicy::Follow {
            assert_same(&expected.pages, &pages.into_iter().collect());
        }
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
