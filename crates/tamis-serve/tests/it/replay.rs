//! Replay hosts over plain sockets.

use tamis_serve::{Access, Limits};
use tamis_testkit::{Record, http_response};

use super::{Got, Served, page, serve, serve_with};

const AT: &str = "t20200101000000.c1.localhost";

fn host(served: &Served, name: &str) -> String {
    format!("{name}.{AT}:{}", served.address.port())
}

fn replayed(served: &Served, name: &str, path: &str, headers: &[(&str, &str)]) -> Got {
    let host = host(served, name);
    served.get_with(path, &[&[("Host", &*host)], headers].concat())
}

fn response(url: &str, head: &str, body: &str) -> Record {
    let message = format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n{body}");
    Record::response(url, message.into_bytes()).with_digests().with("WARC-Date", "2020-01-01T00:00:00Z")
}

#[test]
fn pages_are_rewritten_and_kept_inside() {
    let html = "<html><head><title>t</title></head><body><img src='https://b.example/x.png'><a href=/y>y</a></body></html>";
    let served = serve(&[
        page("http://a.example/p?q=1", "2020-01-01T00:00:00Z", html),
        response("http://a.example/s.css", "Content-Type: text/css", "p{background:url(//b.example/y)}"),
        response("http://a.example/s.js", "Content-Type: text/javascript", "f('http://b.example/')"),
    ]);
    let got = replayed(&served, "a.example", "/p?q=1", &[("Sec-Fetch-Dest", "iframe")]);
    let text = got.text();
    let mapped = format!("http://{}/x.png", host(&served, "b.example"));
    assert!(text.contains(&format!("<img src=\"{mapped}\">")) && text.contains("<a href=/y>"), "{text}");
    assert!(text.contains("<head><script src=\"http://a.example.t20200101000000.c1.localhost:"), "{text}");
    let policy = got.header("content-security-policy").expect("a policy");
    let pattern = format!("http://*.{AT}:{}", served.address.port());
    assert!(
        policy.starts_with(&format!("default-src 'self' {pattern} "))
            && policy.contains("frame-ancestors http://bar.c1.localhost"),
        "{policy}"
    );
    assert_eq!(got.header("memento-datetime"), Some("Wed, 01 Jan 2020 00:00:00 GMT"));
    let css = replayed(&served, "a.example", "/s.css", &[]).text();
    assert_eq!(css, format!("p{{background:url(http://{}/y)}}", host(&served, "b.example")));
    assert_eq!(replayed(&served, "a.example", "/s.js", &[]).text(), "f('http://b.example/')");
    // What is not there is kept inside, too.
    let missing = replayed(
        &served,
        "a.example",
        "/gone",
        &[("Referer", &format!("http://{}/p?q=1", host(&served, "a.example")))],
    );
    assert!(missing.status == 404 && missing.header("content-security-policy").is_some(), "{}", missing.head);
    let audit = served.get("/c/a/audit").text();
    assert!(audit.contains("http://a.example/gone") && audit.contains("http://a.example/p?q=1"), "{audit}");
}

#[test]
fn a_page_outside_of_the_frame_is_sent_back_into_it() {
    let served = serve(&[page("http://a.example/", "2020-01-01T00:00:00Z", "x")]);
    let bar = format!("bar.c1.localhost:{}", served.address.port());
    let shown = format!("http://{bar}/c/a/web/20200101000000/http://a.example/");
    let browser =
        [("Sec-Fetch-Dest", "document"), ("Sec-Fetch-Mode", "navigate"), ("Accept", "text/html,*/*")];
    let got = replayed(&served, "a.example", "/", &browser);
    assert_eq!((got.status, got.header("location")), (302, Some(&*shown)));
    // From wherever a browser asks, it comes to the same bar.
    for path in
        ["/c/a/web/20200101000000/http://a.example/", "/c/a/web/2019/http://a.example/", "/c/a/web/a.example"]
    {
        let got = served.get_with(path, &browser);
        let location = got.header("location").unwrap_or_default();
        assert!(
            got.status == 302 && location.starts_with(&format!("http://{bar}/c/a/web/20200101000000/")),
            "{}",
            got.head
        );
    }
    let got = served
        .get_with("/c/a/web/20200101000000/http://a.example/", &[&browser[..], &[("Host", &bar)]].concat());
    let text = got.text();
    assert!(text.contains(&format!("<iframe src=\"http://{}/\"", host(&served, "a.example"))), "{text}");
    let policy = got.header("content-security-policy").expect("a policy");
    assert!(
        policy.contains(&format!("frame-src http://*.{AT}:")) && policy.starts_with("default-src 'none'"),
        "{policy}"
    );
}

#[test]
fn the_bar_leads_to_the_captures_around() {
    let records: Vec<_> = [2018, 2020, 2022]
        .map(|year| page("http://a.example/", &format!("{year}-01-01T00:00:00Z"), "x"))
        .into();
    let served = serve(&records);
    let base = format!("http://{}/c/a", served.address);
    for (path, expected) in [
        ("before/20200101000000", "web/20180101000000"),
        ("after/20200101000000", "web/20220101000000"),
        ("before/20180101000000", "url"),
        ("after/20220101000000", "url"),
        ("before/2023", "web/20220101000000"),
    ] {
        let got = served.get(&format!("/c/a/{path}/http://a.example/"));
        assert_eq!(got.header("location"), Some(&*format!("{base}/{expected}/http://a.example/")), "{path}");
    }
    assert_eq!(served.get("/c/a/before/http://a.example/").status, 400);
}

#[test]
fn cookies_and_readers_are_of_one_origin_and_moment() {
    let head = "Content-Type: application/json\r\nSet-Cookie: a=b; Domain=.example; Path=/; Secure\r\n\
        Access-Control-Allow-Origin: *\r\nStrict-Transport-Security: max-age=9";
    let served = serve(&[response("http://a.example/data", head, "{}")]);
    let port = served.address.port();
    let own = format!("http://b.example.{AT}:{port}");
    let got = replayed(&served, "a.example", "/data", &[("Origin", &own)]);
    assert_eq!(got.header("set-cookie"), Some("a=b; Path=/"));
    assert_eq!(got.header("access-control-allow-origin"), Some(&*own));
    assert_eq!(got.header("strict-transport-security"), None);
    for origin in [
        format!("http://b.example.t20190101000000.c1.localhost:{port}"),
        format!("http://b.example.t20200101000000.c2.localhost:{port}"),
        format!("http://localhost:{port}"),
        "http://evil.example".to_owned(),
        "null".to_owned(),
    ] {
        let got = replayed(&served, "a.example", "/data", &[("Origin", &origin)]);
        assert_eq!(got.header("access-control-allow-origin"), None, "{origin}");
    }
}

#[test]
fn hosts_that_are_none_and_servers_with_a_token_replay_nothing() {
    let records = [page("http://a.example/", "2020-01-01T00:00:00Z", "secret")];
    let served = serve(&records);
    let port = served.address.port();
    for host in [
        format!("a.example.t20200101000000.c2.localhost:{port}"),
        format!("a.example.t20200101000000.c0.localhost:{port}"),
        format!("a.example.t2020.c1.localhost:{port}"),
        format!("a.example.{AT}:1"),
        format!("a.example.{AT}.evil.example:{port}"),
    ] {
        let got = served.get_with("/", &[("Host", &host)]);
        assert_eq!(got.status, 421, "{host}");
        assert!(!got.text().contains("secret"));
    }
    let access = Access { hosts: Vec::new(), token: Some("0123456789abcdef".into()) };
    let served = serve_with(&records, access, Limits::default());
    let got = replayed(&served, "a.example", "/", &[("Authorization", "Bearer 0123456789abcdef")]);
    assert_eq!(got.status, 421);
}

#[test]
fn what_the_policy_stopped_is_reported_and_huge_reports_are_refused() {
    let served = serve(&[page("http://a.example/", "2020-01-01T00:00:00Z", "x")]);
    let host = host(&served, "a.example");
    let post = |body: &str| {
        let head = format!(
            "POST /~tamis/report HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        served.send((head + body).as_bytes()).status
    };
    let report = format!(
        "{{\"csp-report\":{{\"document-uri\":\"http://{host}/p\",\"blocked-uri\":\"http://evil.example/<b>\",\"effective-directive\":\"img-src\"}}}}"
    );
    assert_eq!(post(&report), 204);
    assert_eq!(post("not json"), 204);
    assert_eq!(post(&"x".repeat(100 << 10)), 400);
    let audit = served.get("/c/a/audit").text();
    assert!(audit.contains("http://evil.example/&lt;b&gt;") && audit.contains("img-src"), "{audit}");
}

#[test]
fn a_compressed_page_is_decoded_and_a_bomb_is_cut() {
    use std::io::Write;
    let gzip = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).expect("to memory");
        encoder.finish().expect("to memory")
    };
    let record = |url: &str, body: Vec<u8>| {
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n".to_vec();
        Record::response(url, [head, body].concat()).with("WARC-Date", "2020-01-01T00:00:00Z")
    };
    // 300 MiB of blanks: 300 KiB in the archive.
    let bomb = gzip(&vec![b' '; 300 << 20]);
    let served = serve(&[
        record("http://a.example/", gzip(b"<p>text</p>")),
        record("http://a.example/bomb", bomb),
        Record::response("http://a.example/jpg", http_response("image/png", "\u{89}PNG"))
            .with("WARC-Date", "2020-01-01T00:00:00Z"),
    ]);
    let got = replayed(&served, "a.example", "/", &[]);
    assert!(got.text().ends_with("<p>text</p>") && got.header("content-encoding").is_none(), "{}", got.head);
    let got = replayed(&served, "a.example", "/bomb", &[]);
    assert!(got.body.len() < 257 << 20, "{}", got.body.len());
    assert_eq!(replayed(&served, "a.example", "/jpg", &[]).header("content-type"), Some("image/png"));
}
