//! URLs in one canonical form, and the sort-friendly keys (SURT) that indexes are ordered by.
//!
//! [`surt`] makes the key of a CDX or CDXJ line, as pywb, cdxj-indexer and the wayback machine make it:
//! `http://www.example.org/A/?b&a` becomes `org,example)/a?a&b`. [`canonicalize`] offers further canonical forms, from
//! what browsers do to one that folds all that visitors do not tell apart. [`ParsedUrl`] takes a URL apart without loss.
//!
//! Nothing here fails: whatever bytes come in, a key comes out, in time linear in their number (sorting the query aside).

mod canon;
mod escape;
mod host;
mod ia;
mod parsed;
mod path;
mod session;

pub use canon::{Canon, canonicalize};
pub use host::parse_ipv4;
pub use parsed::ParsedUrl;
pub use path::resolve_dots;

use ia::IaUrl;

/// How [`surt_with`] makes a key. The default is the key of CDX and CDXJ lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four independent switches, named as the peers name theirs"
)]
pub struct SurtOptions {
    /// Bring the URL to its canonical form first; else only the host is reversed.
    pub canonicalize: bool,
    /// Begin with the scheme: `http://(org,example)/`.
    pub with_scheme: bool,
    /// End the host in a comma: `org,example,)/`.
    pub trailing_comma: bool,
    /// Drop `www.`, `www2.` … from the host.
    pub host_massage: bool,
}

impl Default for SurtOptions {
    fn default() -> Self {
        Self { canonicalize: true, with_scheme: false, trailing_comma: false, host_massage: true }
    }
}

/// The key of a URL in CDX and CDXJ indexes. A URL of nothing but blanks has the key `-`.
///
/// ```
/// assert_eq!(tamis_archive::surt("http://www.example.org/A/?b&a"), "org,example)/a?a&b");
/// assert_eq!(tamis_archive::surt("dns:example.org"), "dns:example.org");
/// ```
pub fn surt(url: impl AsRef<[u8]>) -> String {
    surt_with(url, SurtOptions::default())
}

/// The key of a URL, with options.
pub fn surt_with(url: impl AsRef<[u8]>, options: SurtOptions) -> String {
    let url = url.as_ref();
    if url.starts_with(b"filedesc") {
        return String::from_utf8_lossy(url).into_owned();
    }
    let Some(mut parts) = IaUrl::parse(url) else { return "-".into() };
    if options.canonicalize {
        parts.canonicalize(options);
    }
    into_text(parts.to_surt(options))
}

fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_that_are_no_web_pages_keep_their_scheme() {
        for (url, expected) in [
            ("", "-"),
            (" \t\r\n ", "-"),
            ("dns:www.Example.org", "dns:www.example.org"),
            ("urn:uuid:ABC", "urn:uuid:abc"),
            ("mailto:foo@example.com", "mailto:foo@example.com"),
            ("filedesc://IA-001.arc", "filedesc://IA-001.arc"),
            ("http:", "http:"),
            ("http://example.org:port/", "org,example:port)/"),
            ("http://[2001:DB8::1]:8080/", "2001:db8::1:8080)/"),
            ("example.org/%zz%", "org,example)/%25zz%25"),
        ] {
            assert_eq!(surt(url), expected, "{url}");
        }
    }

    /// Each of these would make a rule quadratic that goes over its input again for each find.
    #[test]
    fn long_urls_take_linear_time() {
        const COUNT: usize = 40_000;
        // All of them together take 4 s in a debug build on a busy machine; quadratic work would take 16 times what it takes for 10,000 parts.
        const MAX_SECONDS: f64 = 5.0;
        for part in [
            "%25",
            "SID=",
            "cfid=",
            "&cftoken=x",
            "cfid=1&cftoken=2&",
            "/(4hqa0555fwsecu455xqckv45)/",
            ".aspx?",
            "../",
            "/..",
            "www.",
            "http://",
            "ü.",
            "üß",
            "@",
            "[",
            "%2525",
            "&",
            "?",
            "aspsessionidabcdefgh=",
        ] {
            for start in ["http://", "http://a/", "http://a/?", ""] {
                let url = format!("{start}{}", part.repeat(COUNT));
                let seconds = tamis_testkit::cpu_seconds(|| {
                    surt(&url);
                    canonicalize(&url, Canon::Aggressive);
                });
                assert!(seconds < MAX_SECONDS, "{start}{part}…: {seconds} s");
            }
        }
    }
}
