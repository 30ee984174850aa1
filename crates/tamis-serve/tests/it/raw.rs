//! The bytes of captures.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use tamis_testkit::{Record, http_response};

use super::{page, serve};

const URL: &str = "http://example.org/";

fn response(date: &str, message: &[u8]) -> Record {
    Record::response(URL, message).with_digests().with("WARC-Date", date)
}

fn gzipped(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("to memory");
    encoder.finish().expect("to memory")
}

#[test]
fn bytes_are_given_as_they_were_with_only_safe_headers() {
    let coded = gzipped("hello");
    let head = format!(
        "HTTP/1.1 404 Gone\r\nContent-Type: text/x; charset=latin1\r\nContent-Encoding: gzip\r\nSet-Cookie: a=b\r\n\
         Strict-Transport-Security: max-age=1\r\nContent-Length: {}\r\n\r\n",
        coded.len()
    );
    let served = serve(&[response("2014-01-01T00:00:00Z", &[head.as_bytes(), &coded].concat())]);
    let got = served.get("/c/a/web/20140101000000id_/http://example.org/");
    assert_eq!((got.status, &got.body), (404, &coded));
    for (name, value) in [
        ("content-type", "text/x; charset=latin1"),
        ("content-encoding", "gzip"),
        ("x-archive-orig-set-cookie", "a=b"),
        ("x-archive-orig-strict-transport-security", "max-age=1"),
        ("memento-datetime", "Wed, 01 Jan 2014 00:00:00 GMT"),
        ("content-security-policy", "default-src 'none'; sandbox"),
    ] {
        assert_eq!(got.header(name), Some(value), "{}", got.head);
    }
    assert_eq!((got.header("set-cookie"), got.header("strict-transport-security")), (None, None));
}

#[test]
fn chunks_are_undone_and_wrong_chunks_are_not() {
    let chunked =
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";
    let stored = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello world";
    let served =
        serve(&[response("2014-01-01T00:00:00Z", chunked), response("2015-01-01T00:00:00Z", stored)]);
    for timestamp in ["20140101000000", "20150101000000"] {
        let path = format!("/c/a/web/{timestamp}id_/{URL}");
        assert_eq!(served.get(&path).text(), "hello world");
        let got = served.get_with(&path, &[("Range", "bytes=6-8")]);
        assert_eq!((got.status, got.text()), (206, "wor".to_owned()));
        assert_eq!(got.header("content-range"), Some("bytes 6-8/11"));
    }
}

#[test]
fn ranges_and_heads_are_answered() {
    let body = "0123456789".repeat(20_000);
    let served = serve(&[response("2014-01-01T00:00:00Z", &http_response("video/mp4", &body))]);
    let path = format!("/c/a/web/20140101000000id_/{URL}");
    for (range, status, expected, content_range) in [
        ("bytes=0-9", 206, &body[..10], Some("bytes 0-9/200000")),
        ("bytes=199990-", 206, &body[199_990..], Some("bytes 199990-199999/200000")),
        ("bytes=-5", 206, &body[199_995..], Some("bytes 199995-199999/200000")),
        ("bytes=100000-150000", 206, &body[100_000..=150_000], Some("bytes 100000-150000/200000")),
        ("bytes=200000-", 416, "the capture has 200000 bytes\n", Some("bytes */200000")),
        ("bytes=0-1,5-6", 200, &body, None),
        ("nonsense", 200, &body, None),
    ] {
        let got = served.get_with(&path, &[("Range", range)]);
        assert_eq!((got.status, got.header("content-range")), (status, content_range), "{range}");
        assert_eq!(got.text(), expected, "{range}");
    }
    let unsure = served.get_with(&path, &[("Range", "bytes=0-9"), ("If-Range", "\"x\"")]);
    assert_eq!((unsure.status, unsure.body.len()), (200, 200_000));
    let request = format!("HEAD {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    let head = served.send(request.as_bytes());
    assert_eq!((head.status, head.header("content-length"), head.body.len()), (200, Some("200000"), 0));
}

#[test]
fn a_moment_leads_to_the_nearest_capture() {
    let served = serve(&[page(URL, "2010-01-01T00:00:00Z", "1"), page(URL, "2014-01-01T00:00:00Z", "2")]);
    let place = |timestamp: &str| format!("http://{}/c/a/web/{timestamp}id_/{URL}", served.address);
    for (path, timestamp) in [
        ("2009id_", "20100101000000"),
        ("2013id_", "20140101000000"),
        ("20140101000001id_", "20140101000000"),
        ("id_", "20140101000000"),
        ("20100101000000", "20100101000000"),
        ("20100101000000mp_", "20100101000000"),
    ] {
        let got = served.get(&format!("/c/a/web/{path}/{URL}"));
        assert_eq!((got.status, got.header("location")), (302, Some(&*place(timestamp))), "{path}");
    }
    let all = served.get(&format!("/c/a/web/*/{URL}"));
    let expected = format!("http://{}/c/a/url/{URL}", served.address);
    assert_eq!((all.status, all.header("location")), (302, Some(&*expected)));
    assert_eq!(served.get("/c/a/web/2014id_/http://other.org/").status, 404);
}

#[test]
fn redirects_stay_in_the_archive_and_in_their_moment() {
    let moved =
        |to: &str| format!("HTTP/1.1 301 Moved\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n").into_bytes();
    let served = serve(&[
        response("2014-01-01T00:00:00Z", &moved("/there?a=b")),
        response("2015-01-01T00:00:00Z", &moved("https://other.org/x")),
        response("2016-01-01T00:00:00Z", &moved("javascript:alert(1)")),
        response("2017-01-01T00:00:00Z", &moved("http://[bad")),
    ]);
    let base = format!("http://{}/c/a/web", served.address);
    for (timestamp, expected) in [
        ("20140101000000", Some(format!("{base}/20140101000000id_/http://example.org/there?a=b"))),
        ("20150101000000", Some(format!("{base}/20150101000000id_/https://other.org/x"))),
        ("20160101000000", None),
        ("20170101000000", None),
    ] {
        let got = served.get(&format!("/c/a/web/{timestamp}id_/{URL}"));
        assert_eq!((got.status, got.header("location").map(str::to_owned)), (301, expected));
    }
}

#[test]
fn a_revisit_gives_the_payload_it_refers_to() {
    let original = page(URL, "2014-01-01T00:00:00Z", "same");
    let revisit = |date: &str, head: &str| Record::revisit(URL, head, &original).with("WARC-Date", date);
    let other = page("http://gone.org/", "2014-01-01T00:00:00Z", "gone");
    let lost = Record::revisit("http://gone.org/", "HTTP/1.1 200 OK\r\n\r\n", &other);
    let served = serve(&[
        original.clone(),
        revisit("2015-01-01T00:00:00Z", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Now: 2015\r\n\r\n"),
        revisit("2016-01-01T00:00:00Z", "HTTP/1.1 304 Not Modified\r\n\r\n"),
        lost.with("WARC-Date", "2016-01-01T00:00:00Z"),
    ]);
    let got = served.get(&format!("/c/a/web/20150101000000id_/{URL}"));
    assert_eq!((got.status, got.text()), (200, "same".to_owned()));
    assert_eq!(got.header("x-archive-orig-x-now"), Some("2015"));
    assert_eq!(got.header("memento-datetime"), Some("Thu, 01 Jan 2015 00:00:00 GMT"));
    let got = served.get_with(&format!("/c/a/web/20160101000000id_/{URL}"), &[("Range", "bytes=1-2")]);
    assert_eq!(
        (got.status, got.text(), got.header("content-type")),
        (206, "am".to_owned(), Some("text/html"))
    );
    let got = served.get("/c/a/web/20160101000000id_/http://gone.org/");
    assert_eq!(got.status, 502);
    assert!(got.text().contains("a revisit of http://gone.org/"), "{}", got.text());
}

#[test]
fn records_without_http_are_given_whole() {
    let served = serve(&[Record::resource("urn:x:y", "text/plain", "block").with_digests()]);
    let got = served.get("/c/a/web/2024id_/urn:x:y");
    assert_eq!(got.status, 302);
    let path = got.header("location").and_then(|to| to.split_once("/c/")).expect("a place").1.to_owned();
    let got = served.get(&format!("/c/{path}"));
    assert_eq!(
        (got.status, got.text(), got.header("content-type")),
        (200, "block".to_owned(), Some("text/plain"))
    );
}

#[test]
fn a_browser_is_shown_the_source_of_a_page() {
    let served = serve(&[page(URL, "2014-01-01T00:00:00Z", "<img src=http://evil/>")]);
    let path = format!("/c/a/web/20140101000000id_/{URL}");
    for headers in
        [[("Sec-Fetch-Dest", "document")], [("Sec-Fetch-Dest", "iframe")], [("Accept", "text/html,*/*")]]
    {
        let got = served.get_with(&path, &headers);
        assert_eq!(got.header("content-type"), Some("text/plain; charset=utf-8"), "{headers:?}");
        assert_eq!(got.header("x-content-type-options"), Some("nosniff"));
    }
    assert_eq!(served.get(&path).header("content-type"), Some("text/html"));
}
