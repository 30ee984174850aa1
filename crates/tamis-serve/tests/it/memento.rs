//! TimeGates and TimeMaps.

use super::{page, serve};

#[test]
fn a_timegate_leads_to_the_nearest_memento() {
    let served = serve(&[
        page("http://example.org/?a=b", "2010-01-01T00:00:00Z", "1"),
        page("http://example.org/?a=b", "2014-01-01T00:00:00Z", "2"),
    ]);
    let base = format!("http://{}/c/a", served.address);
    for (date, timestamp) in [
        (None, "20140101000000"),
        (Some("Thu, 31 May 2007 20:35:00 GMT"), "20100101000000"),
        (Some("Sun, 31 May 2020 20:35:00 GMT"), "20140101000000"),
    ] {
        let headers: Vec<_> = date.iter().map(|date| ("Accept-Datetime", *date)).collect();
        let got = served.get_with("/c/a/timegate/http://example.org/?a=b", &headers);
        assert_eq!((got.status, got.header("vary")), (302, Some("accept-datetime")));
        let location = format!("{base}/web/{timestamp}/http://example.org/?a=b");
        assert_eq!(got.header("location"), Some(&*location));
        let link = got.header("link").expect("a link");
        assert!(link.contains("<http://example.org/?a=b>; rel=\"original\""), "{link}");
        assert!(got.header("memento-datetime").is_none(), "a TimeGate is no memento");
        // And on to the bytes.
        let next = served.get(location.strip_prefix(&format!("http://{}", served.address)).expect("here"));
        assert_eq!(next.status, 302);
        let path = next.header("location").and_then(|to| to.split_once("/c/")).expect("a place").1.to_owned();
        let memento = served.get(&format!("/c/{path}"));
        assert_eq!(memento.status, 200);
        assert!(memento.header("memento-datetime").is_some_and(|date| date.ends_with("GMT")));
    }
}

#[test]
fn a_timegate_refuses_what_is_no_date_and_knows_what_it_has_not() {
    let served = serve(&[page("http://example.org/", "2010-01-01T00:00:00Z", "1")]);
    let bad = [("Accept-Datetime", "yesterday")];
    assert_eq!(served.get_with("/c/a/timegate/http://example.org/", &bad).status, 400);
    assert_eq!(served.get("/c/a/timegate/http://other.org/").status, 404);
    assert_eq!(served.get("/c/a/timemap/link/http://other.org/").status, 404);
    assert_eq!(served.get("/c/a/timemap/xml/http://example.org/").status, 404);
}

#[test]
fn timemaps_list_all_mementos_in_each_format() {
    let records: Vec<_> =
        (0..4).map(|n| page("http://example.org/", &format!("201{n}-01-01T00:00:00Z"), "x")).collect();
    let served = serve(&records);
    for (format, media_type) in
        [("link", "application/link-format"), ("json", "application/json"), ("cdxj", "application/cdxj+ors")]
    {
        let got = served.get(&format!("/c/a/timemap/{format}/http://example.org/"));
        assert_eq!((got.status, got.header("content-type")), (200, Some(media_type)));
        let text = got.text();
        for year in 2010..2014 {
            assert!(text.contains(&format!("/web/{year}0101000000/http://example.org/")), "{text}");
        }
    }
}
