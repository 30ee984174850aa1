//! Clients and archives that mean harm.

use std::fs;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

use tamis_serve::{Access, Limits};
use tamis_testkit::{Record, http_response};

use super::{Got, page, serve, serve_with};

fn one() -> Vec<Record> {
    vec![page("http://example.org/", "2014-01-01T00:00:00Z", "secret")]
}

#[test]
fn names_that_are_not_ours_get_nothing() {
    let served = serve(&one());
    for host in ["evil.example", "evil.example:80", "localhost.evil.example", "a.localhost"] {
        let got = served.get_with("/c/a/web/20140101000000id_/http://example.org/", &[("Host", host)]);
        assert_eq!(got.status, 421, "{host}");
        assert!(!got.text().contains("secret"));
    }
    assert_eq!(served.send(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n").status, 400);
    let absolute = b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert_eq!(served.send(absolute).status, 421);
}

#[test]
fn nothing_can_be_written() {
    let served = serve(&one());
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
        let request = format!(
            "{method} /c/a HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        let got = served.send(request.as_bytes());
        assert_eq!((got.status, got.header("allow")), (405, Some("GET, HEAD")), "{method}");
        assert_eq!(got.header("access-control-allow-origin"), None);
    }
}

#[test]
fn garbage_gets_an_answer_or_none_but_never_ends_the_server() {
    let served = serve(&one());
    let long = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "x".repeat(1 << 20));
    let many = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "X-A: b\r\n".repeat(10_000));
    for request in [
        &b"\0\0\0\0\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        long.as_bytes(),
        many.as_bytes(),
    ] {
        let got = served.send(request);
        assert!(matches!(got.status, 0 | 200 | 400..=499 | 505), "{}", got.head);
    }
    for path in [
        "/c/a/web/../../../etc/passwd",
        "/c/a/web/2014id_/file:///etc/passwd",
        "/c/..%2f..%2fetc/web/2014/x",
        "/c/a/web/%00",
        "/c/a/web/2014id_/http://[::1",
        "/c/a/web/99999999999999id_/http://example.org/%",
        "/c/a/url/%ff%fe",
        "/c/%ff/cdx?url=a",
        "/c/a/cdx?url=%ff%00&from=99999999999999",
        "/c/a/cdx?url=*",
        "/c/a/cdx?url=*.",
        "/c/a/cdx?url=a&page=18446744073709551615&pageSize=18446744073709551615",
        "/c/a/cdx?url=a&limit=-9223372036854775808",
        "/c/a/cdx?url=a&offset=18446744073709551615&limit=9223372036854775807&sort=reverse",
        "/c/a/cdx?url=a&collapse=timestamp:18446744073709551615",
        "/c/a/timemap/link/%0d%0aSet-Cookie:%20a=b",
        "/c/a/timegate/http://example.org/%0d%0aX:y",
    ] {
        let got = served.get(path);
        assert!(matches!(got.status, 200 | 302 | 400..=499), "{path}: {}", got.head);
        assert!(!got.text().contains("root:") && got.header("set-cookie").is_none(), "{path}");
    }
    assert_eq!(served.get("/c/a/web/20140101000000id_/http://example.org/").text(), "secret");
}

#[test]
fn an_archived_header_makes_no_other_header() {
    let message = b"HTTP/1.1 200 OK\r\nX-A: a\rSet-Cookie: b=c\r\nMemento-Datetime: never\r\nContent-Length: 9999\r\n\
        Location: http://x/\n\tSet-Cookie: d=e\r\nContent-Security-Policy: none\r\nConnection: upgrade\r\n\r\nbody";
    let served = serve(&[
        Record::response("http://example.org/", &message[..]).with("WARC-Date", "2014-01-01T00:00:00Z")
    ]);
    let got = served.get("/c/a/web/20140101000000id_/http://example.org/");
    assert_eq!((got.status, got.text().as_str()), (200, "body"));
    assert_eq!(got.header("set-cookie"), None, "{}", got.head);
    assert_eq!(got.header("location"), None);
    assert_eq!(got.header("content-length"), Some("4"));
    assert_eq!(got.header("content-security-policy"), Some("default-src 'none'; sandbox"));
    assert_eq!(got.head.to_ascii_lowercase().matches("\nmemento-datetime").count(), 1, "{}", got.head);
}

#[test]
fn a_bomb_is_given_as_it_is_and_a_client_that_stalls_holds_nothing_up() {
    // 64 MiB of zeros, which is 64 KiB in the archive.
    let zeros = vec![0; 64 << 20];
    let bomb = Record::response("http://example.org/bomb", http_response("text/plain", &zeros));
    let limits = Limits { lookups: 4, ..Limits::default() };
    let records = [&one()[..], &[bomb.with("WARC-Date", "2014-01-01T00:00:00Z")]].concat();
    let served = serve_with(&records, Access::default(), limits);
    let path = "/c/a/web/20140101000000id_/http://example.org/bomb";
    assert_eq!(served.get_with(path, &[("Range", "bytes=67108863-")]).body, [0]);
    // Three clients take nothing; the others are served on.
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let stalled: Vec<_> = (0..3)
        .map(|_| {
            let mut stream = served.connect();
            stream.write_all(request.as_bytes()).expect("it listens");
            stream
        })
        .collect();
    std::thread::sleep(Duration::from_millis(300));
    for _ in 0..20 {
        assert_eq!(served.get("/c/a/web/20140101000000id_/http://example.org/").text(), "secret");
    }
    drop(stalled);
}

#[test]
fn a_slow_head_loses_its_connection() {
    let limits = Limits { head: Duration::from_millis(300), ..Limits::default() };
    let served = serve_with(&one(), Access::default(), limits);
    let mut stream = served.connect();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: loc").expect("it listens");
    let started = Instant::now();
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn more_clients_than_connections_are_all_served() {
    let limits = Limits { connections: 8, lookups: 2, ..Limits::default() };
    let served = serve_with(&one(), Access::default(), limits);
    std::thread::scope(|threads| {
        for _ in 0..64 {
            threads.spawn(|| {
                for _ in 0..5 {
                    let got = served.get("/c/a/cdx?url=example.org");
                    assert_eq!((got.status, got.lines().len()), (200, 1));
                }
            });
        }
    });
}

#[test]
fn the_token_is_needed_kept_in_a_cookie_and_in_no_log() {
    let access = Access { hosts: Vec::new(), token: Some("0123456789abcdef".into()) };
    let served = serve_with(&one(), access, Limits::default());
    assert_eq!(served.get("/").status, 401);
    assert_eq!(served.get("/c/a/web/20140101000000id_/http://example.org/").status, 401);
    let got = served.get("/?token=0123456789abcdef");
    let cookie = got.header("set-cookie").expect("a cookie").to_owned();
    assert!(got.status == 303 && cookie.contains("HttpOnly") && cookie.contains("SameSite"), "{}", got.head);
    let cookie = cookie.split(';').next().expect("a pair").to_owned();
    assert_eq!(served.get_with("/c/a/cdx?url=example.org", &[("Cookie", &cookie)]).status, 200);
    let bearer = [("Authorization", "Bearer 0123456789abcdef")];
    assert_eq!(served.get_with("/c/a/cdx?url=example.org", &bearer).status, 200);
    let log = fs::read_to_string(served.folder.path().join("access.log")).expect("a log");
    assert!(
        !log.contains("0123456789abcdef") && log.contains("\"GET /c/a/cdx?url=example.org HTTP/1.1\" 200"),
        "{log}"
    );
}

#[test]
fn a_server_that_stops_ends_what_it_has_begun() {
    let body = "x".repeat(4 << 20);
    let record = Record::response("http://example.org/", http_response("text/plain", &body));
    let mut served = serve(&[record.with("WARC-Date", "2014-01-01T00:00:00Z")]);
    let path = "/c/a/web/20140101000000id_/http://example.org/";
    assert_eq!(served.get_with(path, &[("Range", "bytes=0-0")]).status, 206);
    let mut stream = served.connect();
    stream
        .write_all(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes())
        .expect("it listens");
    let mut first = [0; 1000];
    stream.read_exact(&mut first).expect("it answers");
    let reader = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        let mut bytes = first.to_vec();
        let _ = stream.read_to_end(&mut bytes);
        Got::parse(&bytes).body.len()
    });
    served.stop();
    assert_eq!(reader.join().expect("it reads"), body.len());
    assert!(std::net::TcpStream::connect(served.address).is_err(), "nothing listens any more");
}
