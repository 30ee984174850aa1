//! Certificates and ports, in whole crawls.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tamis_archive::{Mode, Reader, RecordType};
use tamis_crawl::Address;
use tamis_crawl::crawl::{Crawl, CrawlOptions, Folders, Left, Snapshot, left};
use tamis_crawl::fetch::{CookieLimits, Hosts, Verify};
use tamis_sim::{OracleRules, Quirk, Running, World, WorldOptions, oracle};

use crate::crawl::{archived, options, start};

fn crawl(folder: &Path, options: &CrawlOptions) -> Snapshot {
    let crawl = Crawl::open(&Folders::of(folder), options, None).expect("opens");
    let progress = crawl.progress();
    crawl.run().expect("crawls");
    progress.snapshot()
}

/// Every URL that failed, and why.
fn failed(folder: &Path) -> Vec<(String, String)> {
    let mut failed = Vec::new();
    left::<Box<tamis_crawl::Error>>(&Folders::of(folder), Left::Failed, |url| {
        failed.push((url.url, url.kind));
        Ok(())
    })
    .expect("reads");
    failed
}

/// A web that speaks TLS, where half of the hosts show a certificate for somebody else.
fn web() -> Running {
    let quirks = vec![(Quirk::BadCertificate, 0.5)];
    start(World::new(WorldOptions { tls: 1.0, quirks, ..WorldOptions::plain(3, 8, 120) }))
}

fn trusting(web: &Running) -> CrawlOptions {
    let mut options = options(web, 1, 0);
    options.fetch.extra_roots_pem = Some(web.ca_pem().as_bytes().to_vec());
    options
}

/// What the record of a response says of its connection.
struct Circumstances {
    url: String,
    protocols: Vec<String>,
    cipher: Option<String>,
    certificate: Option<String>,
}

fn circumstances(folder: &Path) -> Vec<Circumstances> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder.join("archive")).expect("a folder") {
        let mut reader = Reader::open(entry.expect("reads").path(), Mode::Strict).expect("opens");
        while let Some(record) = reader.next().expect("is sound") {
            if matches!(record.head.record_type(), RecordType::Response | RecordType::Revisit) {
                let fields = record.head.fields();
                let text = |name: &str| fields.text(name).map(std::borrow::Cow::into_owned);
                let protocols =
                    fields.all("WARC-Protocol").map(|value| String::from_utf8_lossy(value).into_owned());
                found.push(Circumstances {
                    url: text("WARC-Target-URI").expect("a target"),
                    protocols: protocols.collect(),
                    cipher: text("WARC-Cipher-Suite"),
                    certificate: text("Tamis-TLS-Certificate"),
                });
            }
            record.finish().expect("is sound");
        }
    }
    found
}

#[test]
fn every_response_over_tls_records_the_certificate_check() {
    let web = web();
    let folder = tempfile::tempdir().expect("a folder");
    let snapshot = crawl(folder.path(), &trusting(&web));
    let (mut valid, mut other_host) = (0, 0);
    for Circumstances { url, protocols, cipher, certificate } in circumstances(folder.path()) {
        let address = Address::parse(&url).expect("an address");
        if url.starts_with("http:") {
            assert_eq!((protocols.len(), cipher, certificate), (0, None, None), "{url}");
            continue;
        }
        let is_bad = web.world().quirk(address.host()) == Some(Quirk::BadCertificate);
        assert_eq!(
            certificate.as_deref(),
            Some(if is_bad { "failed (other-host)" } else { "valid" }),
            "{url}"
        );
        assert_eq!(protocols, ["http/1.1", "tls/1.3"], "{url}");
        assert!(cipher.is_some_and(|cipher| cipher.starts_with("TLS_")), "{url}");
        if is_bad { other_host += 1 } else { valid += 1 }
    }
    assert!(valid > 0 && other_host > 0, "{valid} {other_host}");
    assert_eq!(snapshot.unverified.into_iter().collect::<Vec<_>>(), [("other-host".to_owned(), other_host)]);
    let rules = OracleRules { certificates: false, ..OracleRules::default() };
    let expected = oracle(web.world(), web.world().seeds(1), &rules);
    assert_eq!(web.asked().pages, expected.pages);
}

#[test]
fn a_strict_crawl_fetches_nothing_from_servers_whose_certificate_fails() {
    let web = web();
    let folder = tempfile::tempdir().expect("a folder");
    let mut options = trusting(&web);
    options.fetch.verify = Verify::Strict;
    let snapshot = crawl(folder.path(), &options);
    assert!(snapshot.sums.pages > 0 && snapshot.unverified.is_empty(), "{snapshot:?}");
    let is_bad = |url: &str| {
        let address = Address::parse(url).expect("an address");
        url.starts_with("https:") && web.world().quirk(address.host()) == Some(Quirk::BadCertificate)
    };
    assert!(!archived(folder.path()).iter().any(|url| is_bad(url)));
    let failed = failed(folder.path());
    assert!(failed.iter().any(|(url, _)| is_bad(url)), "{failed:?}");
    for (url, kind) in failed.iter().filter(|(url, _)| is_bad(url)) {
        assert_eq!(kind, "certificate", "{url}");
    }
}

#[cfg(unix)]
#[test]
fn the_cookie_file_is_private_even_if_it_was_not_before() {
    use std::os::unix::fs::PermissionsExt;

    let server = TcpListener::bind("127.0.0.7:0").expect("listens");
    let at = server.local_addr().expect("an address");
    thread::spawn(move || {
        server.incoming().for_each(|asked| {
            let mut asked = asked.expect("accepts");
            let lines = BufReader::new(asked.try_clone().expect("clones")).lines().map_while(Result::ok);
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            asked
                .write_all(
                    b"HTTP/1.1 200 OK\r\nSet-Cookie: new=1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                )
                .ok();
        });
    });
    let web = start(World::plain(6, 1, 1));
    let mut options = options(&web, 1, 0);
    options.seeds = vec![Address::parse(&format!("http://{at}/")).expect("a seed")];
    options.fetch.cookies = Some(CookieLimits::default());
    let folder = tempfile::tempdir().expect("a folder");
    let cookies = folder.path().join("frontier/cookies");
    let mode = || std::fs::metadata(&cookies).expect("there").permissions().mode() & 0o777;
    std::fs::create_dir(folder.path().join("frontier")).expect("a folder");
    std::fs::write(&cookies, "# tamis cookies 1\nold.test\told\t1\t/\t0\n").expect("writes");
    std::fs::set_permissions(&cookies, std::fs::Permissions::from_mode(0o666)).expect("ours");
    drop(Crawl::open(&Folders::of(folder.path()), &options, None).expect("opens"));
    assert_eq!(mode(), 0o600, "from an earlier version");
    std::fs::set_permissions(&cookies, std::fs::Permissions::from_mode(0o644)).expect("ours");
    crawl(folder.path(), &options);
    let text = std::fs::read_to_string(&cookies).expect("there");
    assert!(text.contains("\tnew\t1\t") && text.contains("\told\t1\t"), "{text}");
    assert_eq!(mode(), 0o600);
}

/// A port of another protocol, on which a server counts connections.
const BAD_PORT: u16 = 6679;

/// `good.test` leads to the bad port by links, redirects and sitemaps, `ruleless.test` by a redirect of its `robots.txt`.
fn answer(mut asked: TcpStream, bad: &str) {
    let mut lines = BufReader::new(asked.try_clone().expect("clones")).lines().map_while(Result::ok);
    let head: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let is_ruleless = head.iter().any(|line| line.to_ascii_lowercase().starts_with("host: ruleless.test"));
    let moved = |to: &str| (format!("302 Found\r\nLocation: {bad}{to}"), String::new());
    let ok = |body: String| ("200 OK\r\nContent-Type: text/html".to_owned(), body);
    let (status, body) = match head.first().and_then(|line| line.split(' ').nth(1)) {
        Some("/robots.txt") if is_ruleless => moved("robots.txt"),
        Some("/robots.txt") => ok(format!("Sitemap: {bad}map.xml\nSitemap: /map.xml\n")),
        Some("/map.xml") => (
            "200 OK\r\nContent-Type: application/xml".to_owned(),
            format!("<urlset><url><loc>{bad}listed</loc></url></urlset>"),
        ),
        Some("/") => ok(format!("<a href='{bad}linked'>a</a> <a href=/moved>b</a> <a href=/map.xml>c</a>")),
        Some("/moved") => moved("moved"),
        _ => ok(String::new()),
    };
    let len = body.len();
    write!(asked, "HTTP/1.1 {status}\r\nContent-Length: {len}\r\nConnection: close\r\n\r\n{body}").ok();
}

#[test]
fn ports_of_other_protocols_are_never_connected_to() {
    let bad_server = TcpListener::bind(("127.0.0.4", BAD_PORT)).expect("nobody else uses this address");
    let connections = Arc::new(AtomicUsize::new(0));
    thread::spawn({
        let connections = Arc::clone(&connections);
        move || {
            bad_server.incoming().for_each(|_| {
                connections.fetch_add(1, Ordering::SeqCst);
            });
        }
    });
    let bad = format!("http://bad.test:{BAD_PORT}/");
    let servers = ["127.0.0.5:0", "127.0.0.6:0"].map(|at| TcpListener::bind(at).expect("listens"));
    let [good_at, ruleless_at] = servers.each_ref().map(|server| server.local_addr().expect("an address"));
    for server in servers {
        let bad = bad.clone();
        thread::spawn(move || {
            server.incoming().for_each(|asked| answer(asked.expect("accepts"), &bad));
        });
    }
    let hosts = format!("{good_at} good.test\n{ruleless_at} ruleless.test\n127.0.0.4 bad.test\n");
    let good = format!("http://good.test:{}/", good_at.port());
    let ruleless = format!("http://ruleless.test:{}/", ruleless_at.port());
    let seed = format!("{bad}seed");
    let web = start(World::plain(6, 1, 1));
    let folder = tempfile::tempdir().expect("a folder");
    let options = CrawlOptions {
        seeds: [&good, &ruleless, &seed].map(|seed| Address::parse(seed).expect("a seed")).to_vec(),
        resolver: Arc::new(Hosts::parse(&hosts).expect("a table")),
        ..options(&web, 1, 0)
    };
    let snapshot = crawl(folder.path(), &options);
    assert_eq!(connections.load(Ordering::SeqCst), 0, "{snapshot:?}");
    let mut refused: Vec<String> = failed(folder.path())
        .into_iter()
        .filter(|(_, kind)| kind == "port-refused")
        .map(|(url, _)| url)
        .collect();
    refused.sort();
    let expected = ["linked", "listed", "map.xml", "moved", "seed"].map(|path| format!("{bad}{path}"));
    assert_eq!(refused, expected, "{snapshot:?}");
    let kept = archived(folder.path());
    assert!(kept.contains(&good) && !kept.iter().any(|url| url.starts_with(&bad)), "{kept:?}");
    assert!(!kept.contains(&ruleless), "its robots.txt is out of reach: {kept:?}");
}
