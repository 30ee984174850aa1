//! The CDX API.

use std::io::Read;

use flate2::read::GzDecoder;

use super::{page, serve};

fn records() -> Vec<tamis_testkit::Record> {
    let mut records: Vec<_> = (0..5)
        .map(|n| page("http://example.org/", &format!("201{n}-01-01T00:00:00Z"), &format!("text {}", n / 2)))
        .collect();
    records.extend((0..5).map(|n| page(&format!("http://example.org/p{n}"), "2015-01-01T00:00:00Z", "p")));
    records.push(page("http://sub.example.org/", "2015-01-01T00:00:00Z", "s"));
    records
}

#[test]
fn captures_are_found_by_all_parameters() {
    let served = serve(&records());
    for (query, expected) in [
        ("url=example.org", 5),
        ("url=http%3A%2F%2Fwww.EXAMPLE.org%2F", 5),
        ("url=example.org/*", 10),
        ("url=example.org&matchType=host", 10),
        ("url=*.example.org", 11),
        ("url=example.org&matchType=domain&limit=3", 3),
        ("url=example.org&from=2012&to=2013", 2),
        ("url=example.org/*&offset=8", 2),
        ("url=example.org&collapse=digest", 3),
        ("url=example.org&sort=reverse&limit=1", 1),
        ("url=example.org&closest=2012&limit=1", 1),
        ("url=example.org/*&filter=urlkey:p3", 1),
        ("url=other.org", 0),
    ] {
        let got = served.get(&format!("/c/a/cdx?{query}"));
        assert_eq!((got.status, got.lines().len()), (200, expected), "{query}: {}", got.text());
    }
    let last = served.get("/c/a/cdx?url=example.org&sort=reverse&limit=1&fl=timestamp&output=text");
    assert_eq!(last.text(), "20140101000000\n");
    let nearest = served.get("/c/a/cdx?url=example.org&closest=2012&limit=1&fl=timestamp&output=text");
    assert_eq!(nearest.text(), "20120101000000\n");
}

#[test]
fn both_json_dialects_are_spoken() {
    let served = serve(&records());
    let lines = served.get("/c/a/cdx?url=example.org&output=json");
    assert_eq!(lines.header("content-type"), Some("text/x-ndjson; charset=utf-8"));
    for line in lines.lines() {
        let object: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!((&object["status"], &object["urlkey"]), (&"200".into(), &"org,example)/".into()));
    }
    let arrays = served.get("/c/a/cdx/search/cdx?url=example.org&output=json&fl=timestamp,original");
    let rows: Vec<[String; 2]> = serde_json::from_str(&arrays.text()).expect("JSON");
    assert_eq!((rows.len(), &*rows[0][1], &*rows[1][0]), (6, "original", "20100101000000"));
    let text = served.get("/c/a/cdx/search/cdx?url=example.org&limit=1").text();
    assert_eq!(text.split(' ').count(), 7, "{text}");
}

#[test]
fn pages_and_resume_keys_give_each_capture_once() {
    let served = serve(&records());
    assert_eq!(served.get("/c/a/cdx/search/cdx?url=example.org/*&showNumPages=true").text(), "1\n");
    let pages = served.get("/c/a/cdx?url=example.org/*&showNumPages=true").text();
    assert_eq!(pages, "{\"pages\": 1, \"pageSize\": 5, \"blocks\": 1}\n");
    let (mut all, mut key) = (Vec::new(), String::new());
    for _ in 0..10 {
        let path = format!("/c/a/cdx?url=example.org/*&limit=3&showResumeKey=true&output=text{key}");
        let lines = served.get(&path).lines();
        all.extend(lines.iter().take_while(|line| !line.is_empty()).cloned());
        let Some(next) = lines.iter().skip_while(|line| !line.is_empty()).nth(1) else { break };
        key = format!("&resumeKey={next}");
    }
    assert_eq!(all, served.get("/c/a/cdx?url=example.org/*&output=text").lines());
}

#[test]
fn answers_are_compressed_for_those_who_take_it() {
    let served = serve(&records());
    let plain = served.get("/c/a/cdx?url=example.org");
    assert_eq!(plain.header("content-encoding"), None);
    let gzip = [("Accept-Encoding", "br, gzip;q=0.5")];
    let got = served.get_with("/c/a/cdx?url=example.org", &gzip);
    assert_eq!(got.header("content-encoding"), Some("gzip"));
    let mut text = String::new();
    GzDecoder::new(&*got.body).read_to_string(&mut text).expect("gzip");
    assert_eq!(text, plain.text());
    for (path, coding) in
        [("/c/a/cdx?url=example.org&gzip=false", "gzip"), ("/c/a/cdx?url=example.org", "gzip;q=0")]
    {
        let got = served.get_with(path, &[("Accept-Encoding", coding)]);
        assert_eq!((got.header("content-encoding"), got.text()), (None, plain.text()), "{path}");
    }
}

#[test]
fn a_long_answer_comes_in_chunks_and_whole() {
    let records: Vec<_> =
        (0..3000).map(|n| page(&format!("http://example.org/{n:05}"), "2015-01-01T00:00:00Z", "p")).collect();
    let served = serve(&records);
    let got = served.get("/c/a/cdx?url=example.org/*");
    assert!(got.head.contains("chunked"), "{}", got.head);
    assert_eq!(got.lines().len(), 3000);
    let page = served.get("/c/a/cdx?url=example.org/*&pageSize=1&page=1");
    assert_eq!(page.lines().len(), 0);
}

#[test]
fn what_cannot_be_used_is_refused_with_its_reason() {
    let served = serve(&records());
    for (path, status, why) in [
        ("/c/a/cdx", 400, "url="),
        ("/c/a/cdx?url=a&limit=x", 400, "limit=x"),
        ("/c/a/cdx?url=a&filter=~url:[", 400, "filter="),
        ("/c/b/cdx?url=a", 404, "no collection \"b\""),
    ] {
        let got = served.get(path);
        assert_eq!(got.status, status, "{path}");
        assert!(got.text().contains(why), "{path}: {}", got.text());
    }
}
