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
