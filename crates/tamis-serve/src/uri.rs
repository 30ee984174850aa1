//! The parts of a request's URI, undecoded where they are a URL of the archive.

use std::fmt::Write as _;

use http::Uri;
use percent_encoding::percent_decode_str;

/// What follows the first `count` segments of the path, undecoded and with the query: a URL of the archive.
pub(crate) fn tail(uri: &Uri, count: usize) -> String {
    let rest = uri.path().splitn(count + 2, '/').nth(count + 1).unwrap_or_default();
    match uri.query() {
        Some(query) => format!("{rest}?{query}"),
        None => rest.to_owned(),
    }
}

/// A segment of the path, decoded.
pub(crate) fn segment(uri: &Uri, number: usize) -> String {
    let segment = uri.path().split('/').nth(number + 1).unwrap_or_default();
    percent_decode_str(segment).decode_utf8_lossy().into_owned()
}

/// A name as a segment of a path.
pub(crate) fn escaped(name: &str) -> String {
    let mut escaped = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            // Writing to a text cannot fail.
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_the_archive_stay_as_they_are() {
        for (uri, count, expected) in [
            ("/c/a/web/2014id_/http://x/%2Fy?a=%20&b", 3, "2014id_/http://x/%2Fy?a=%20&b"),
            ("/c/a/timemap/link/http://x/?", 4, "http://x/?"),
            ("/c/a/web", 3, ""),
            ("/c/a/web/", 3, ""),
        ] {
            assert_eq!(tail(&uri.parse().expect("a URI"), count), expected, "{uri}");
        }
        assert_eq!(segment(&"/c/a%20b%2F/web/x".parse().expect("a URI"), 1), "a b/");
        assert_eq!(escaped("a b/ü"), "a%20b%2F%C3%BC");
    }
}
