//! What archives and the log say of a crawl: filters, warcinfo, what was spoken, a line for each fetch.

use std::collections::BTreeSet;
use std::sync::Arc;

use tamis_archive::RecordType;
use tamis_crawl::crawl::{CrawlOptions, KeepFilter, Operation};
use tamis_crawl::fetch::{FetchOptions, Hosts, PrivateHost, Protocols, Resolve, Resolved, Zone};
use tamis_crawl::scope::Canonical;
use tamis_sim::{World, WorldOptions};

use super::crawl::{crawl, options, start};
use super::loopback::{Seen, answer, crawl_of, records, run, serve};

const HTML: &str = "Content-Type: text/html\r\n";

fn operated(seed: &str, operation: Operation) -> CrawlOptions {
    CrawlOptions { operation, ..crawl_of(seed) }
}

fn urls(records: &[Seen], kind: RecordType) -> BTreeSet<String> {
    let pages = records.iter().filter(|seen| seen.kind == kind && !seen.url.ends_with("/robots.txt"));
    pages.map(|seen| seen.url.rsplit('/').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn what_is_not_kept_is_read_for_its_links_and_noted() {
    let (at, _) = serve(|target, _| match target {
        "/" => answer(
            "200 OK",
            HTML,
            "<a href=/page>p</a><a href=/film>f</a><a href=/big>b</a><a href=/gone>g</a>",
        ),
        "/film" => answer("200 OK", "Content-Type: video/mp4\r\n", "film"),
        "/big" => answer("200 OK", HTML, &format!("<a href=/behind>on</a>{}", "x".repeat(3_000))),
        "/gone" => answer("404 Not Found", "Content-Type: video/mp4\r\n", "none"),
        _ => answer("200 OK", HTML, target),
    });
    let seed = format!("http://{at}/");
    let keep = KeepFilter {
        never: vec!["video/*".parse().expect("a type")],
        max_bytes: Some(2_000),
        ..KeepFilter::default()
    };
    let folder = tempfile::tempdir().expect("a folder");
    let options = operated(&seed, Operation { keep, crawl_log: true, ..Operation::default() });
    let snapshot = run(folder.path(), &options);
    // The response with status 404 is kept, and is no page.
    assert_eq!((snapshot.sums.pages, snapshot.sums.noted, snapshot.sums.taken_over), (5, 2, 0));
    let kept = urls(&records(folder.path()), RecordType::Response);
    assert_eq!(kept.iter().map(String::as_str).collect::<Vec<_>>(), ["", "behind", "gone", "page"]);
    let log = std::fs::read_to_string(folder.path().join("crawl.log")).expect("there");
    let noted: BTreeSet<&str> = log
        .lines()
        .filter(|line| line.ends_with(" not-kept"))
        .filter_map(|line| line.split_ascii_whitespace().nth(3))
        .collect();
    assert_eq!(noted, [format!("{seed}big"), format!("{seed}film")].iter().map(String::as_str).collect());
    // They are done with, and counted so in the next run.
    let snapshot = run(folder.path(), &options);
    assert_eq!((snapshot.sums.pages, snapshot.sums.taken_over), (5, 0));
}

#[test]
fn every_record_names_its_warcinfo() {
    let web = start(World::plain(9, 3, 60));
    for (archive_bytes, files) in [(4 << 20, 1..2), (60_000, 3..100)] {
        let folder = tempfile::tempdir().expect("a folder");
        run(folder.path(), &CrawlOptions { archive_bytes, ..options(&web, 1, 0) });
        let (all, mut ids) = (records(folder.path()), BTreeSet::new());
        for seen in &all {
            if seen.kind == RecordType::Warcinfo {
                ids.insert(seen.field("WARC-Record-ID").expect("an id").to_owned());
                continue;
            }
            let named = seen.field("WARC-Warcinfo-ID").expect("each has one");
            assert!(ids.contains(named), "{named} is of this run, and of no later file");
        }
        assert!(files.contains(&ids.len()) && all.len() > 100, "{} files, {} records", ids.len(), all.len());
    }
}

/// A table of hosts that pretends to have asked name servers.
struct Pretended(Hosts);

impl Resolve for Pretended {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Resolved<'a> {
        self.0.resolve(host, port)
    }

    fn zone<'a>(&'a self, host: &'a str) -> Zone<'a> {
        Box::pin(std::future::ready(Some(format!("{host}. 300 IN A 192.0.2.7\n"))))
    }
}

#[test]
fn what_name_servers_say_is_archived_if_it_is_to_be() {
    let web = start(World::plain(9, 3, 30));
    for dns_records in [true, false] {
        let folder = tempfile::tempdir().expect("a folder");
        let operation = Operation { dns_records, crawl_log: true, ..Operation::default() };
        let hosts = Hosts::parse(&web.hosts_file()).expect("a table");
        let options = CrawlOptions { operation, resolver: Arc::new(Pretended(hosts)), ..options(&web, 1, 0) };
        // It compares the index with a second look at the archive.
        crawl(folder.path(), &options);
        let all = records(folder.path());
        let dns: Vec<&Seen> = all.iter().filter(|seen| seen.url.starts_with("dns:")).collect();
        assert_eq!(dns.len(), if dns_records { 3 } else { 0 });
        for seen in &dns {
            let text = String::from_utf8_lossy(&seen.block).into_owned();
            let (date, lines) = text.split_once('\n').expect("two lines");
            assert!(date.len() == 14 && date.bytes().all(|byte| byte.is_ascii_digit()), "{text}");
            assert_eq!(lines, format!("{}. 300 IN A 192.0.2.7\n", &seen.url["dns:".len()..]));
            assert_eq!((seen.kind, seen.field("Content-Type")), (RecordType::Response, Some("text/dns")));
        }
        let log = std::fs::read_to_string(folder.path().join("crawl.log")).expect("there");
        assert_eq!(
            log.lines().filter(|line| line.contains("     1 ") && line.contains(" dns:")).count(),
            dns.len()
        );
    }
}

#[test]
fn both_records_of_an_exchange_say_what_was_spoken() {
    let web = start(World::new(WorldOptions { tls: 1.0, ..WorldOptions::plain(3, 2, 8) }));
    for protocols in [Protocols::Http1, Protocols::Http2] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut options = options(&web, 1, 0);
        options.fetch = FetchOptions {
            extra_roots_pem: Some(web.ca_pem().as_bytes().to_vec()),
            protocols,
            ..options.fetch
        };
        run(folder.path(), &options);
        let all = records(folder.path());
        let secure = all.iter().filter(|seen| seen.url.starts_with("https:"));
        let mut count = 0;
        for pair in secure.collect::<Vec<_>>().chunks(2) {
            let [response, request] = pair else { panic!("two each") };
            assert_eq!((response.kind, request.kind), (RecordType::Response, RecordType::Request));
            for name in ["WARC-Protocol", "WARC-Cipher-Suite", "WARC-IP-Address"] {
                assert!(
                    response.field(name).is_some() && response.field(name) == request.field(name),
                    "{name}"
                );
            }
            count += 1;
        }
        assert!(count > 4, "{count}");
    }
}

#[test]
fn each_fetch_has_a_whole_line_in_the_log() {
    let (at, _) = serve(|target, _| match target {
        "/" => {
            answer("200 OK", HTML, "<a href=/a>a</a><a href=/to>to</a><a href=http://127.0.0.1:2/>none</a>")
        }
        "/to" => answer("302 Found", "Location: /there\r\n", ""),
        _ => answer("200 OK", HTML, target),
    });
    let seed = format!("http://{at}/");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("crawl.log");
    // As a kill may leave it.
    std::fs::write(&path, "2024-04-08T18:18:30.001Z   200 ").expect("writes");
    let options =
        CrawlOptions { tries: 1, ..operated(&seed, Operation { crawl_log: true, ..Operation::default() }) };
    run(folder.path(), &options);
    let log = std::fs::read_to_string(&path).expect("there");
    let mut found = BTreeSet::new();
    for line in log.lines() {
        let columns: Vec<&str> = line.split_ascii_whitespace().collect();
        assert_eq!(columns.len(), 12, "{line}");
        let url = columns[3].strip_prefix(&*seed).unwrap_or(columns[3]).to_owned();
        found.insert((url, columns[1].to_owned(), columns[4].to_owned()));
        let has_digest = columns[9].starts_with("sha1:");
        assert_eq!(has_digest, columns[1].parse::<i32>().expect("a code") > 0, "{line}");
    }
    let row = |url: &str, status: &str, path: &str| (url.to_owned(), status.to_owned(), path.to_owned());
    for expected in [
        row("robots.txt", "404", "P"),
        row("", "200", "-"),
        row("a", "200", "L"),
        row("to", "302", "L"),
        row("there", "200", "LE"),
    ] {
        assert!(found.contains(&expected), "{expected:?} in {log}");
    }
    assert!(found.iter().any(|(url, status, _)| url == "http://127.0.0.1:2/" && status == "-2"), "{log}");
}

#[test]
fn spellings_of_one_page_are_fetched_once_if_they_are_to_be() {
    let (at, asked) = serve(|target, _| match target.split('?').next() {
        Some("/") => answer(
            "200 OK",
            HTML,
            "<a href='/Page?utm_source=a&q=1'>1</a><a href='/page?q=1&fbclid=2'>2</a><a href='/page?q=1'>3</a><a href='/to'>4</a>",
        ),
        // A redirect is followed as it is written, or it would lead to itself.
        Some("/to") => answer("302 Found", "Location: /To?utm_source=a\r\n", ""),
        _ => answer("200 OK", HTML, target),
    });
    for (rules, expected) in [("", 6), ("tracking", 5), ("tracking case", 4)] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut options = crawl_of(&format!("http://{at}/"));
        options.scope.canonical = rules.parse::<Canonical>().expect("rules");
        asked.lock().expect("no panic").clear();
        run(folder.path(), &options);
        let asked = asked.lock().expect("no panic");
        assert_eq!(asked.len(), expected, "{rules}: {asked:?}");
        assert!(asked.iter().any(|head| head.starts_with("GET /To?utm_source=a ")), "{rules}");
    }
}

#[test]
fn a_crawl_delay_is_capped_and_reported() {
    use tamis_sim::RobotsKind;
    let robots = vec![(RobotsKind::CrawlDelay, 1.0)];
    let web = start(World::new(WorldOptions {
        robots,
        crawl_delay_ms: 3_600_000,
        ..WorldOptions::plain(3, 2, 12)
    }));
    let folder = tempfile::tempdir().expect("a folder");
    let operation = Operation { max_crawl_delay_ms: 100, ..Operation::default() };
    let snapshot = run(folder.path(), &CrawlOptions { operation, ..options(&web, 4, 0) });
    let capped = &snapshot.capped_delays;
    assert!(!capped.is_empty() && capped.values().all(|asked_ms| *asked_ms == 3_600_000), "{capped:?}");
    let audit = web.audit(&tamis_sim::AuditRules::default());
    let hosts: Vec<_> =
        audit.hosts.iter().filter(|host| capped.contains_key(&host.host) && host.pages > 1).collect();
    assert!(!hosts.is_empty(), "{audit:?}");
    for host in hosts {
        // In an hour each it would not have ended.
        assert!(host.shortest_pause_ms.is_some_and(|pause_ms| pause_ms >= 99.0), "{host:?}");
    }
}

#[test]
fn private_hosts_that_are_allowed_are_fetched_and_no_others() {
    let (at, _) = serve(|_, _| answer("200 OK", HTML, "<a href=http://127.0.0.77/>other</a>"));
    let seed = format!("http://{at}/");
    for (allowed, pages) in
        [(None, 0), (Some("127.0.0.1"), 1), (Some("10.0.0.0/8"), 0), (Some("127.0.0.0/30"), 1)]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let mut options = crawl_of(&seed);
        options.fetch.allow_private = false;
        options.fetch.private_hosts =
            allowed.iter().map(|host| host.parse::<PrivateHost>().expect("a host")).collect();
        let snapshot = run(folder.path(), &options);
        assert_eq!(snapshot.sums.pages, pages, "{allowed:?}");
        assert!(snapshot.failures.contains_key("address-refused"), "{allowed:?}: {snapshot:?}");
    }
}
