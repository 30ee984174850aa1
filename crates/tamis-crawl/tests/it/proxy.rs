//! Crawls through proxies, with the cookies of a browser, and to private hosts that are allowed.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use tamis_archive::RecordType;
use tamis_crawl::crawl::CrawlOptions;
use tamis_crawl::fetch::{BrowserCookie, FetchConfig, Hosts, Proxy};

use super::loopback::{answer, crawl_of, read_head, records, run, serve};

const HTML: &str = "Content-Type: text/html\r\n";

/// What a proxy was asked for.
type Targets = Arc<Mutex<Vec<String>>>;

/// A proxy that hands each connection to `handle`, which notes the target and gives the connection to go on with.
fn proxy(
    handle: impl Fn(&mut TcpStream) -> Option<(String, TcpStream)> + Clone + Send + 'static,
) -> (SocketAddr, Targets) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
    let at = listener.local_addr().expect("an address");
    let targets = Targets::default();
    let noted = Arc::clone(&targets);
    thread::spawn(move || {
        for mut client in listener.incoming().map_while(Result::ok) {
            let (handle, noted) = (handle.clone(), Arc::clone(&noted));
            thread::spawn(move || {
                let Some((target, server)) = handle(&mut client) else { return };
                noted.lock().expect("no panic").push(target);
                join(client, server);
            });
        }
    });
    (at, targets)
}

/// Copies both ways until both have ended.
fn join(client: TcpStream, server: TcpStream) {
    let copy = |mut from: TcpStream, mut to: TcpStream| {
        std::io::copy(&mut from, &mut to).ok();
        to.shutdown(Shutdown::Write).ok();
    };
    let (from, to) = (client.try_clone().expect("clones"), server.try_clone().expect("clones"));
    let there = thread::spawn(move || copy(from, to));
    copy(server, client);
    there.join().ok();
}

/// An HTTP proxy that connects to `server` whatever it is asked for, if the password is right.
fn http_proxy(server: SocketAddr) -> (SocketAddr, Targets) {
    proxy(move |client| {
        let head = read_head(client)?;
        if !head.contains("Proxy-Authorization: Basic bWU6c2VzYW1l\r\n") {
            client.write_all(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n").ok();
            return None;
        }
        let first = head.lines().next()?.to_owned();
        let mut server = TcpStream::connect(server).ok()?;
        if first.starts_with("CONNECT ") {
            client.write_all(b"HTTP/1.1 200 Connected\r\nX: y\r\n\r\n").ok()?;
        } else {
            server.write_all(head.as_bytes()).ok()?;
        }
        Some((first, server))
    })
}

/// A SOCKS 5 proxy of the same kind (RFC 1928, RFC 1929).
fn socks_proxy(server: SocketAddr) -> (SocketAddr, Targets) {
    proxy(move |client| {
        let mut bytes = |len: usize| {
            let mut bytes = vec![0; len];
            client.read_exact(&mut bytes).ok().map(|()| bytes)
        };
        assert_eq!(bytes(4)?, [5, 2, 0, 2]);
        client.write_all(&[5, 2]).ok()?;
        let mut said = vec![0; 11];
        client.read_exact(&mut said).ok()?;
        assert_eq!(said, b"\x01\x02me\x06sesame");
        client.write_all(&[1, 0]).ok()?;
        let mut bytes = |len: usize| {
            let mut bytes = vec![0; len];
            client.read_exact(&mut bytes).ok().map(|()| bytes)
        };
        let target = match bytes(4)?[..] {
            [5, 1, 0, 1] => {
                let ip: [u8; 4] = bytes(4)?.try_into().ok()?;
                Ipv4Addr::from(ip).to_string()
            }
            [5, 1, 0, 3] => {
                let len = bytes(1)?[0];
                String::from_utf8(bytes(usize::from(len))?).ok()?
            }
            _ => return None,
        };
        let port = bytes(2)?;
        client.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).ok()?;
        let target = format!("{target}:{}", u16::from_be_bytes([port[0], port[1]]));
        Some((target, TcpStream::connect(server).ok()?))
    })
}

/// A crawl of two pages through a proxy. Only `a.example` has an address that the crawler can look up.
fn through(kind: &str, at: SocketAddr, resolves: bool) -> CrawlOptions {
    let mut options =
        crawl_of(if resolves { "http://only-the-proxy-knows.example/" } else { "http://a.example/" });
    let proxy: Proxy = format!("{kind}://{at}").parse().expect("a proxy");
    let proxy = proxy.with_auth("me", "sesame").expect("fit");
    options.fetch.proxy = Some(proxy.resolving(resolves));
    options.resolver = Arc::new(Hosts::parse("127.0.0.9 a.example\n").expect("a table"));
    options
}

#[test]
fn a_crawl_goes_through_a_proxy_and_the_archive_is_as_without() {
    let (server, asked) = serve(|target, _| {
        answer("200 OK", HTML, if target.ends_with('/') { "<a href=/next>on</a>" } else { "the next page" })
    });
    for (kind, resolves, expected) in [
        ("http", false, "CONNECT 127.0.0.9:80 HTTP/1.1"),
        ("http", true, "GET http://only-the-proxy-knows.example/robots.txt HTTP/1.1"),
        ("socks5", false, "127.0.0.9:80"),
        ("socks5", true, "only-the-proxy-knows.example:80"),
    ] {
        let (at, targets) = if kind == "http" { http_proxy(server) } else { socks_proxy(server) };
        let folder = tempfile::tempdir().expect("a folder");
        let snapshot = run(folder.path(), &through(kind, at, resolves));
        assert_eq!(snapshot.sums.pages, 2, "{kind} {resolves}: {snapshot:?}");
        let targets = targets.lock().expect("no panic");
        assert_eq!(targets.first().map(String::as_str), Some(expected), "{targets:?}");
        let all = records(folder.path());
        let requests = all.iter().filter(|seen| seen.kind == RecordType::Request);
        for request in requests {
            let text = String::from_utf8_lossy(&request.block).into_owned();
            assert!(text.starts_with("GET /") && !text.to_ascii_lowercase().contains("proxy-auth"), "{text}");
        }
        for response in all.iter().filter(|seen| seen.kind == RecordType::Response) {
            let ip = response.field("WARC-IP-Address");
            assert_eq!(ip, if resolves { None } else { Some("127.0.0.9") }, "{kind} {resolves}");
        }
    }
    let through_proxies = asked.lock().expect("no panic").len();
    assert_eq!(through_proxies, 8);
}

#[test]
fn a_proxy_is_no_way_to_private_addresses() {
    let (server, asked) = serve(|_, _| answer("200 OK", HTML, "secret"));
    for (kind, seed) in
        [("http", "http://127.0.0.1/"), ("socks5", "http://10.0.0.1/"), ("http", "http://a.example/")]
    {
        let (at, targets) = if kind == "http" { http_proxy(server) } else { socks_proxy(server) };
        let mut options = through(kind, at, false);
        options.seeds = vec![tamis_crawl::Address::parse(seed).expect("a seed")];
        options.fetch.allow_private = false;
        let folder = tempfile::tempdir().expect("a folder");
        let snapshot = run(folder.path(), &options);
        assert_eq!(snapshot.failures.get("address-refused"), Some(&1), "{snapshot:?}");
        assert!(targets.lock().expect("no panic").is_empty());
        // A proxy that looks names up could be led anywhere.
        options.fetch.proxy = options.fetch.proxy.map(|proxy| proxy.resolving(true));
        let error =
            FetchConfig::new(&options.fetch).expect_err("it may lead to private addresses").to_string();
        assert!(error.contains("private addresses"), "{error}");
    }
    assert!(asked.lock().expect("no panic").is_empty());
}

#[test]
fn a_proxy_that_refuses_is_a_failure_of_its_own() {
    let (server, _) = serve(|_, _| answer("200 OK", HTML, "page"));
    let (at, _) = http_proxy(server);
    let mut options = CrawlOptions { tries: 1, ..through("http", at, false) };
    options.fetch.proxy = Some(format!("http://{at}").parse().expect("a proxy"));
    let folder = tempfile::tempdir().expect("a folder");
    let snapshot = run(folder.path(), &options);
    assert!(snapshot.failures.contains_key("proxy") && snapshot.sums.pages == 0, "{snapshot:?}");
}

#[test]
fn cookies_of_a_browser_are_sent_to_their_host_alone() {
    let (at, asked) = serve(|target, _| {
        let fields = "Content-Type: text/html\r\nSet-Cookie: id=other\r\nSet-Cookie: more=1\r\n";
        answer("200 OK", fields, if target == "/" { "<a href=/next>on</a>" } else { "" })
    });
    let mut options = crawl_of(&format!("http://{at}/"));
    let text = "127.0.0.1\tFALSE\t/\tFALSE\t0\tid\tmine\n127.0.0.2\tFALSE\t/\tFALSE\t0\tother\tx\n127.0.0.1\tFALSE\t/\tTRUE\t0\tsafe\tx\n";
    options.fetch.browser_cookies = BrowserCookie::read(text).expect("cookies");
    options.fetch.cookies = Some(tamis_crawl::fetch::CookieLimits::default());
    let folder = tempfile::tempdir().expect("a folder");
    run(folder.path(), &options);
    let asked = asked.lock().expect("no panic");
    assert!(asked[0].contains("Cookie: id=mine\r\n"), "{asked:?}");
    assert!(asked[1].contains("Cookie: id=mine; more=1\r\n"), "{asked:?}");
    let kept = std::fs::read_to_string(folder.path().join("frontier/cookies")).expect("there");
    assert!(!kept.contains("mine"), "what the browser has stays in its file: {kept}");
}
