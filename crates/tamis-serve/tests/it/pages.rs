//! Pages for people.

use tamis_testkit::{Record, http_response};

use super::{page, serve};

#[test]
fn the_first_pages_name_what_is_served() {
    let served = serve(&[page("http://example.org/", "2014-01-01T00:00:00Z", "x")]);
    // Read first.
    assert_eq!(served.get("/c/a/cdx?url=example.org").status, 200);
    let home = served.get("/");
    assert_eq!((home.status, home.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let text = home.text();
    assert!(text.contains("<a href=\"/c/a\">a</a>"), "{text}");
    assert!(
        home.header("content-security-policy").is_some_and(|policy| policy.starts_with("default-src 'none'"))
    );
    let collection = served.get("/c/a").text();
    assert!(collection.contains("action=\"/c/a/url\""), "{collection}");
    assert!(!collection.contains("<script"), "{collection}");
    let style = served.get("/style.css");
    assert_eq!(style.header("content-type"), Some("text/css; charset=utf-8"));
    let form = served.get("/c/a/url?url=http%3A%2F%2Fexample.org%2F%3Fa%3Db");
    assert_eq!((form.status, form.header("location")), (302, Some("/c/a/url/http://example.org/?a=b")));
}

#[test]
fn captures_are_on_a_calendar_and_in_a_list() {
    let served = serve(&[
        page("http://example.org/", "2014-01-01T00:00:00Z", "x"),
        page("http://example.org/", "2014-01-02T00:00:00Z", "x"),
        page("http://example.org/", "2014-03-02T00:00:00Z", "y"),
        page("http://example.org/b", "2014-03-02T00:00:00Z", "y"),
    ]);
    let text = served.get("/c/a/url/http://example.org/").text();
    for part in [
        "3 captures",
        "<a href=\"#m201401\">2</a>",
        "<tr id=\"m201403\">",
        "/web/20140302000000id_/http://example.org/",
        "as before",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(text.matches("as before").count(), 1);
    let prefix = served.get("/c/a/url/http://example.org/*").text();
    assert!(prefix.contains("4 captures") && prefix.contains("/c/a/url/http://example.org/b"), "{prefix}");
    let none = served.get("/c/a/url/http://other.org/");
    assert!(none.status == 404 && none.text().contains("No captures"));
}

#[test]
fn nothing_of_an_archive_becomes_markup() {
    let message = b"HTTP/1.1 200 OK\r\nContent-Type: <script>alert(1)</script>\r\n\r\nx".to_vec();
    let url = "http://example.org/\"><script>alert(2)</script>";
    let served = serve(&[
        Record::response(url, message).with("WARC-Date", "2014-01-01T00:00:00Z"),
        Record::response("http://example.org/", http_response("a\"b'<i>", "x")),
    ]);
    for path in [
        "/c/a/url/http://example.org/*",
        "/c/a/url/http://example.org/%22%3E%3Cscript%3Ealert(2)%3C/script%3E",
        "/c/a/url/http://example.org/'><i>",
        "/c/<script>",
        "/c/a/url?url=javascript:alert(1)",
        "/<script>alert(3)</script>",
    ] {
        let got = served.get(path);
        let text = got.text();
        assert!(!text.contains("<script") && !text.contains("<i>"), "{path}: {text}");
        assert!(!text.to_ascii_lowercase().contains("href=\"javascript:"), "{path}: {text}");
    }
}
