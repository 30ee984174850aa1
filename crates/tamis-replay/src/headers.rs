//! Which headers of an archived response are sent on, and under which name.
//!
//! A header that this server sends is an order to the browser about this server: cookies, HSTS, caching, preloads, storage to
//! clear. So only those on a short list keep their name; every other is sent as `x-archive-orig-NAME`, which no browser obeys.

use tamis_archive::http::HttpHead;

use crate::page::Site;

/// What stands before the name of a header that is only told.
pub const PREFIX: &str = "x-archive-orig-";
/// Headers that say what the payload is, and nothing else.
const KEPT: [&str; 4] = ["content-type", "content-language", "content-encoding", "content-disposition"];
/// The most bytes of headers that are sent on: clients refuse more than some 64 KiB.
const MAX_BYTES: usize = 32 << 10;

/// The headers of a response that gives the payload as it was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawHeaders {
    /// Names in lower case, and values without control characters.
    pub list: Vec<(String, Vec<u8>)>,
    /// How many were left out: names that are none, and those beyond [32 KiB](self).
    pub left_out: usize,
}

/// The status of a response that replays an archived one. What makes clients wait for more, or for nothing, is 200: its body is
/// there.
pub fn status(archived: Option<u16>) -> u16 {
    match archived {
        Some(304) | None => 200,
        Some(status @ 200..=599) => status,
        Some(_) => 200,
    }
}

/// The headers of an archived response, for a response that gives its payload as it was.
pub fn raw(http: &HttpHead) -> RawHeaders {
    sent_as(http, |name, value, is_first| (is_first && KEPT.contains(&name)).then_some(value.to_vec()))
}

/// The headers of a response that replays a page or one of its parts, and whether the payload has to be decoded for it.
///
/// | archived header | sent as |
/// |---|---|
/// | `Content-Type`, `Content-Language`, `Content-Disposition`, `Last-Modified` | itself |
/// | `Content-Encoding` | itself, unless the payload is rewritten |
/// | `Set-Cookie` | itself, for this host alone: without `Domain`, `Secure`, `SameSite` and `Partitioned` |
/// | `Location` | itself, mapped to a host of the archive |
/// | all others | `X-Archive-Orig-NAME` |
pub fn page(http: &HttpHead, site: &Site, is_rewritten: bool) -> RawHeaders {
    sent_as(http, |name, value, is_first| match name {
        "set-cookie" => Some(cookie(value)),
        _ if !is_first => None,
        "content-type" | "content-language" | "content-disposition" | "last-modified" => Some(value.to_vec()),
        "content-encoding" if !is_rewritten => Some(value.to_vec()),
        "location" => Some(location(value, site)),
        _ => None,
    })
}

/// The headers of a message, those that `keep` gives a value under their own name and all others under one that says nothing to
/// browsers. `keep` gets to know whether a header is the first of its name.
fn sent_as(http: &HttpHead, keep: impl Fn(&str, &[u8], bool) -> Option<Vec<u8>>) -> RawHeaders {
    let mut headers = RawHeaders::default();
    let mut bytes = 0;
    for (name, value) in http.fields().iter() {
        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
        let value = printable(value);
        bytes += name.len() + value.len() + PREFIX.len();
        if !is_token(&name) || bytes > MAX_BYTES {
            headers.left_out += 1;
            continue;
        }
        let is_first = !headers.list.iter().any(|(other, _)| *other == name);
        match keep(&name, &value, is_first) {
            Some(value) => headers.list.push((name, value)),
            None => headers.list.push((format!("{PREFIX}{name}"), value)),
        }
    }
    headers
}

/// A cookie for the host that sets it, and for no other.
fn cookie(value: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(value);
    let mut parts = text.split(';');
    let mut cookie = parts.next().unwrap_or_default().trim().to_owned();
    for part in parts {
        let name = part.split('=').next().unwrap_or_default().trim().to_ascii_lowercase();
        if !matches!(&*name, "domain" | "secure" | "samesite" | "partitioned" | "") {
            cookie.push_str("; ");
            cookie.push_str(part.trim());
        }
    }
    cookie.into_bytes()
}

fn location(value: &[u8], site: &Site) -> Vec<u8> {
    let text = String::from_utf8_lossy(value);
    site.map(&text).map_or_else(|| value.to_vec(), String::into_bytes)
}

/// A value without what would end it or the head.
pub fn printable(value: &[u8]) -> Vec<u8> {
    let value = value.iter().map(|&byte| if byte < b' ' || byte == 0x7f { b' ' } else { byte });
    value.collect::<Vec<_>>().trim_ascii().to_vec()
}

/// Whether a media type is one that browsers show as a page, and so run or load what it names.
pub fn is_active(media_type: &str) -> bool {
    let word = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    word.is_empty()
        || word.ends_with("+xml")
        || matches!(&*word, "text/html" | "text/xml" | "application/xml" | "text/xsl" | "multipart/related")
        || word.starts_with("application/pdf")
        || word.contains("x-mixed-replace")
}

fn is_token(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.len() < 200 && name.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_headers_about_the_payload_keep_their_name() {
        for (name, value, expected) in [
            ("Content-Type", "text/html", "content-type"),
            ("Content-Encoding", "gzip", "content-encoding"),
            ("Set-Cookie", "a=b", "x-archive-orig-set-cookie"),
            ("Strict-Transport-Security", "max-age=9", "x-archive-orig-strict-transport-security"),
            ("Clear-Site-Data", "\"*\"", "x-archive-orig-clear-site-data"),
            ("Content-Security-Policy", "sandbox", "x-archive-orig-content-security-policy"),
            ("Link", "</a>; rel=preload", "x-archive-orig-link"),
            ("Refresh", "0; url=http://evil/", "x-archive-orig-refresh"),
            ("Location", "http://a/", "x-archive-orig-location"),
            ("Access-Control-Allow-Origin", "*", "x-archive-orig-access-control-allow-origin"),
            ("Service-Worker-Allowed", "/", "x-archive-orig-service-worker-allowed"),
            ("Transfer-Encoding", "chunked", "x-archive-orig-transfer-encoding"),
            ("Content-Length", "9", "x-archive-orig-content-length"),
            ("Memento-Datetime", "x", "x-archive-orig-memento-datetime"),
            ("SourceMap", "/x.map", "x-archive-orig-sourcemap"),
        ] {
            let headers = raw(&HttpHead::response(200, &[(name, value)]));
            assert_eq!(headers.list, [(expected.to_owned(), value.as_bytes().to_vec())], "{name}");
        }
    }

    #[test]
    fn nothing_in_an_archived_header_begins_another() {
        let mut http = HttpHead::default();
        let block = b"HTTP/1.1 200 OK\r\nX-A: a\rSet-Cookie: b=c\x00\x0b\r\nBad Name: x\r\n\xffx: y\r\n\r\n";
        http.parse(block, tamis_archive::http::Extent::Whole);
        let headers = raw(&http);
        assert!(headers.list.iter().all(|(name, _)| is_token(name)), "{headers:?}");
        let is_clean = |value: &Vec<u8>| value.iter().all(|&byte| byte >= b' ' && byte != 0x7f);
        assert!(headers.list.iter().all(|(_, value)| is_clean(value)), "{headers:?}");
        assert!(headers.left_out >= 1, "{headers:?}");
    }

    #[test]
    fn a_replayed_page_keeps_its_own_cookies_and_leads_to_hosts_of_the_archive() {
        let site = Site { timestamp: "20200101000000".into(), collection: 1, port: 80 };
        for (name, value, expected, sent) in [
            ("Content-Type", "text/html", "content-type", "text/html"),
            (
                "Set-Cookie",
                "a=b; Domain=.x.org; Path=/y; Secure; SameSite=None; HttpOnly",
                "set-cookie",
                "a=b; Path=/y; HttpOnly",
            ),
            ("Location", "https://x.org/y", "location", "http://x.org.t20200101000000.c1.localhost:80/y"),
            ("Location", "/y", "location", "/y"),
            ("Content-Encoding", "gzip", "x-archive-orig-content-encoding", "gzip"),
            ("Content-Security-Policy", "x", "x-archive-orig-content-security-policy", "x"),
            ("Access-Control-Allow-Origin", "*", "x-archive-orig-access-control-allow-origin", "*"),
            ("Link", "<http://x/>; rel=preload", "x-archive-orig-link", "<http://x/>; rel=preload"),
            ("Refresh", "0; url=http://x/", "x-archive-orig-refresh", "0; url=http://x/"),
            ("Clear-Site-Data", "x", "x-archive-orig-clear-site-data", "x"),
        ] {
            let headers = page(&HttpHead::response(200, &[(name, value)]), &site, true);
            assert_eq!(headers.list, [(expected.to_owned(), sent.as_bytes().to_vec())], "{name}");
        }
        let plain = page(&HttpHead::response(200, &[("Content-Encoding", "gzip")]), &site, false);
        assert_eq!(plain.list[0].0, "content-encoding");
    }

    #[test]
    fn a_huge_head_is_cut_and_a_second_type_is_only_told() {
        let long = "x".repeat(1000);
        let fields: Vec<(&str, &str)> = (0..100).map(|_| ("X-Long", &*long)).collect();
        let headers = raw(&HttpHead::response(200, &fields));
        assert!(headers.list.len() <= 32 && headers.left_out >= 68, "{}", headers.list.len());
        let twice = raw(&HttpHead::response(200, &[("Content-Type", "a/b"), ("Content-Type", "c/d")]));
        assert_eq!(twice.list[1].0, "x-archive-orig-content-type");
    }

    #[test]
    fn a_status_never_takes_the_body_away() {
        for (archived, expected) in [
            (Some(200), 200),
            (Some(404), 404),
            (Some(304), 200),
            (Some(101), 200),
            (Some(999), 200),
            (None, 200),
            (Some(503), 503),
        ] {
            assert_eq!(status(archived), expected, "{archived:?}");
        }
    }
}
