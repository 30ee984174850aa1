//! What a crawl takes from servers and from its own machine: connections, rules of hosts, memory for large responses.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use tamis_archive::{Algorithm, Digest, Mode, Reader, RecordType};
use tamis_crawl::Address;
use tamis_crawl::crawl::{Crawl, CrawlOptions, Folders, Snapshot};
use tamis_crawl::fetch::Hosts;
use tamis_sim::{AuditRules, OracleRules, World, WorldOptions, oracle};

use crate::crawl::{options, start};

fn crawl(folder: &Path, options: &CrawlOptions) -> Snapshot {
    let crawl = Crawl::open(&Folders::of(folder), options, None).expect("opens");
    let progress = crawl.progress();
    crawl.run().expect("crawls");
    progress.snapshot()
}

/// Idle connections were limited to as many as visits at once, those in use included: with more hosts, every request opened one.
#[test]
fn a_host_is_connected_to_once_however_few_visits_go_on_at_once() {
    for tls in [0.0, 1.0] {
        let web = start(World::new(WorldOptions { tls, ..WorldOptions::plain(31, 40, 800) }));
        let mut options = CrawlOptions { in_flight: 4, ..options(&web, 1, 0) };
        options.fetch.extra_roots_pem = Some(web.ca_pem().as_bytes().to_vec());
        let folder = tempfile::tempdir().expect("a folder");
        let snapshot = crawl(folder.path(), &options);
        let expected = oracle(web.world(), web.world().seeds(1), &OracleRules::default());
        assert_eq!(web.asked().pages, expected.pages);
        let audit = web.audit(&AuditRules::default());
        let hosts = audit.hosts.len() as u64;
        assert_eq!((audit.connections, snapshot.sums.connections), (hosts, hosts), "tls {tls}");
        assert!(hosts >= 30, "{hosts}");
    }
}

/// All hosts that a page named were resolved and asked for their rules at once: 167,903 robots.txt files for 15,000 pages.
#[test]
fn rules_are_fetched_when_a_host_has_its_turn() {
    let web = start(World::plain(32, 400, 40_000));
    let folder = tempfile::tempdir().expect("a folder");
    let options = CrawlOptions { in_flight: 8, max_pages: 400, ..options(&web, 1, 0) };
    let snapshot = crawl(folder.path(), &options);
    assert_eq!(snapshot.sums.pages, 400);
    // A visit that was under way when the limit of pages was reached may have asked for rules only.
    let asked = web.asked().pages;
    let visited: HashSet<_> =
        asked.iter().filter_map(|url| Address::parse(url)).map(|address| address.host().to_owned()).collect();
    let rules = snapshot.sums.robots as usize;
    assert!(rules <= visited.len() + 8, "{rules} for {} hosts: {snapshot:?}", visited.len());
}

const LARGE: usize = 5 << 20;

fn large_body() -> Vec<u8> {
    let mut body: Vec<u8> = b"<html><body><a href='/first'>first</a> ".to_vec();
    let mut number = 1_u32;
    while body.len() < LARGE {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        body.extend_from_slice(format!("{number:x} ").as_bytes());
    }
    body.extend_from_slice(b"<a href='/last'>last</a></body></html>");
    body
}

fn answer(mut asked: TcpStream, large: &[u8]) {
    let mut lines = BufReader::new(asked.try_clone().expect("clones")).lines().map_while(Result::ok);
    let head: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let target = head.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
    let (kind, body) = match target {
        "/" => ("text/html", b"<a href='/plain'>a</a> <a href='/chunked'>b</a>".to_vec()),
        "/plain" | "/chunked" => ("text/html", large.to_vec()),
        "/robots.txt" => ("text/plain", Vec::new()),
        _ => ("text/plain", target.as_bytes().to_vec()),
    };
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n");
    let sent = if target == "/chunked" {
        let mut sent = format!("{head}Transfer-Encoding: chunked\r\n\r\n").into_bytes();
        for chunk in body.chunks(100_000) {
            sent.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
            sent.extend_from_slice(chunk);
            sent.extend_from_slice(b"\r\n");
        }
        sent.extend_from_slice(b"0\r\n\r\n");
        sent
    } else {
        [format!("{head}Content-Length: {}\r\n\r\n", body.len()).as_bytes(), &body].concat()
    };
    asked.write_all(&sent).ok();
}

/// A response larger than what stays in memory is archived whole, with its digest, and its links are found from the first to the last.
#[test]
fn large_responses_are_kept_whole_and_followed() {
    let large: Arc<[u8]> = large_body().into();
    let server = TcpListener::bind("127.0.0.8:0").expect("listens");
    let at = server.local_addr().expect("an address");
    thread::spawn({
        let large = Arc::clone(&large);
        move || {
            for asked in server.incoming().map_while(Result::ok) {
                let large = Arc::clone(&large);
                thread::spawn(move || answer(asked, &large));
            }
        }
    });
    let web = start(World::plain(6, 1, 1));
    let folder = tempfile::tempdir().expect("a folder");
    let seed = format!("http://large.test:{}/", at.port());
    let options = CrawlOptions {
        seeds: vec![Address::parse(&seed).expect("a seed")],
        resolver: Arc::new(Hosts::parse(&format!("{at} large.test\n")).expect("a table")),
        ..options(&web, 1, 0)
    };
    let snapshot = crawl(folder.path(), &options);
    let found = responses(folder.path());
    let paths: Vec<&str> = found.iter().map(|(path, ..)| path.as_str()).collect();
    for path in ["/plain", "/chunked", "/first", "/last"] {
        assert!(paths.contains(&path), "{path}: {paths:?} {snapshot:?}");
    }
    let plain = found.iter().find(|(path, ..)| path == "/plain").expect("it is there");
    assert!(plain.1 == *large, "{} bytes of {}", plain.1.len(), large.len());
    for (path, body, digest) in &found {
        assert_eq!(*digest, Digest::of(Algorithm::Sha1, body).to_string(), "{path}");
    }
    let left: Vec<_> = std::fs::read_dir(folder.path().join("frontier"))
        .expect("a folder")
        .map(|entry| entry.expect("reads").file_name().into_string().expect("text"))
        .filter(|name| name.starts_with(".tmp"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// The responses in the archives: path, body as transferred, stated digest.
fn responses(folder: &Path) -> Vec<(String, Vec<u8>, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder.join("archive")).expect("a folder") {
        let mut reader = Reader::open(entry.expect("reads").path(), Mode::Strict).expect("opens");
        while let Some(record) = reader.next().expect("is sound") {
            let (head, mut block) = record.into_parts();
            let url = head.target_uri().map(std::borrow::Cow::into_owned);
            let digest = head.fields().text("WARC-Payload-Digest").map(std::borrow::Cow::into_owned);
            let is_response = head.record_type() == RecordType::Response;
            let mut bytes = Vec::new();
            block.read_to_end(&mut bytes).expect("reads");
            if let (true, Some(url), Some(digest)) = (is_response, url, digest) {
                let body = bytes.windows(4).position(|end| end == b"\r\n\r\n").expect("a head") + 4;
                let path = Address::parse(&url).expect("an address").path_and_query().to_owned();
                found.push((path, bytes[body..].to_vec(), digest));
            }
        }
        assert_eq!(reader.fault_count(), 0);
    }
    found
}
