//! From a reference to the address it leads to.
//!
//! The `url` crate decides. It takes a microsecond, though, and most references are spelt already as it would spell them:
//! those are only put behind the part of the base that they follow. A property test holds the two ways together.

use url::Url;

use crate::Address;
use crate::address::LONGEST;

/// What references are relative to.
#[derive(Debug)]
pub(super) struct Resolver {
    url: Url,
    /// The base as an address; none if it is none (`ftp:`), then only the `url` crate decides.
    base: Option<Base>,
}

#[derive(Debug)]
struct Base {
    address: Address,
    directory_end: usize,
    path_end: usize,
}

impl Resolver {
    /// `href` is that of the page's first `<base>`.
    pub(super) fn new(page: &Address, href: Option<&str>) -> Option<Self> {
        let page = Url::parse(page.as_str()).ok()?;
        let named = href.and_then(|href| page.join(href.trim()).ok());
        let url = named.filter(|url| !matches!(url.scheme(), "data" | "javascript")).unwrap_or(page);
        let base = Address::from_url(url.clone()).map(Base::new);
        Some(Self { url, base })
    }

    /// The address that a reference leads to; `None` if it cannot be crawled.
    pub(super) fn resolve(&self, reference: &str) -> Option<Address> {
        let reference = reference.trim_matches(|c: char| c <= ' ');
        if leads_nowhere(reference) {
            return None;
        }
        self.short_way(reference).or_else(|| Address::from_url(self.url.join(reference).ok()?))
    }

    /// The address of a reference that parsing would not change.
    fn short_way(&self, reference: &str) -> Option<Address> {
        if self.url.as_str().len() + reference.len() >= LONGEST {
            return None;
        }
        let reference = match memchr::memchr(b'#', reference.as_bytes()) {
            None => reference,
            Some(at) => &reference[..at],
        };
        if let Some(rest) = reference.strip_prefix("https://") {
            return with_host("https://", rest);
        }
        if let Some(rest) = reference.strip_prefix("http://") {
            return with_host("http://", rest);
        }
        let base = self.base.as_ref()?;
        let whole = base.address.as_str();
        let prefix_end = match reference.as_bytes() {
            [b'/', b'/', ..] => {
                let scheme_end = whole.find("//")? + 2;
                return with_host(&whole[..scheme_end], &reference[2..]);
            }
            [] => whole.len(),
            [b'/', ..] => base.address.origin().len(),
            [b'?', ..] => base.path_end,
            _ if has_colon_in_first_segment(reference) => return None,
            _ => base.directory_end,
        };
        is_spelt(reference.as_bytes())
            .then(|| base.address.with_tail(&whole[..prefix_end], reference))
            .flatten()
    }
}

impl Base {
    fn new(address: Address) -> Self {
        let whole = address.as_str();
        let path_end = memchr::memchr(b'?', whole.as_bytes()).unwrap_or(whole.len());
        let directory_end =
            memchr::memrchr(b'/', &whole.as_bytes()[..path_end]).map_or(path_end, |at| at + 1);
        Self { address, directory_end, path_end }
    }
}

impl Address {
    /// This origin, behind it another path.
    fn with_tail(&self, prefix: &str, tail: &str) -> Option<Address> {
        let path_start = self.origin().len();
        let host_end = path_start - self.authority().len() + self.host().len();
        Address::from_spelt([prefix, tail].concat(), host_end, path_start)
    }
}

/// Schemes that pages often name and that lead to no page. All others are the `url` crate's concern.
fn leads_nowhere(reference: &str) -> bool {
    ["javascript:", "mailto:", "data:", "tel:"].iter().any(|scheme| {
        reference
            .as_bytes()
            .get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme.as_bytes()))
    })
}

fn has_colon_in_first_segment(reference: &str) -> bool {
    reference.bytes().take_while(|b| !matches!(b, b'/' | b'?')).any(|b| b == b':')
}

/// `rest` is host, path and query.
fn with_host(scheme: &str, rest: &str) -> Option<Address> {
    let bytes = rest.as_bytes();
    let end = bytes.iter().position(|&b| CLASSES[usize::from(b)] & HOST == 0).unwrap_or(bytes.len());
    let (host, tail) = rest.split_at(end);
    if !is_spelt_host(host.as_bytes()) || !is_spelt(tail.as_bytes()) {
        return None;
    }
    let slash = match tail.as_bytes() {
        [] | [b'?', ..] => "/",
        [b'/', ..] => "",
        _ => return None,
    };
    let host_end = scheme.len() + host.len();
    Address::from_spelt([scheme, host, slash, tail].concat(), host_end, host_end)
}

/// A name that is no address of numbers and needs no mapping. A last label that starts with a letter is no number.
fn is_spelt_host(host: &[u8]) -> bool {
    let mut last = 0;
    for label in host.split(|&b| b == b'.') {
        match label {
            [] | [b'x', b'n', b'-', b'-', ..] => return false,
            [first, ..] => last = *first,
        }
    }
    last.is_ascii_lowercase()
}

/// Whether path and query stay as they are: nothing to encode, no `.` or `..` segments.
fn is_spelt(tail: &[u8]) -> bool {
    let mut segment_starts = true;
    for (at, &byte) in tail.iter().enumerate() {
        if byte == b'?' {
            return tail[at..].iter().all(|&b| CLASSES[usize::from(b)] & QUERY != 0);
        }
        let may_be_dots = segment_starts && (byte == b'.' || tail[at..].starts_with(b"%2"));
        if may_be_dots || CLASSES[usize::from(byte)] & PATH == 0 {
            return false;
        }
        segment_starts = byte == b'/';
    }
    true
}

const HOST: u8 = 1;
const PATH: u8 = 2;
const QUERY: u8 = 4;

/// What stays as it is in each part of a URL.
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        let is_host = byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
        let is_changed = matches!(byte, b'"' | b'#' | b'<' | b'>');
        let is_path = !is_changed && !matches!(byte, b'?' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}');
        let is_query = !is_changed && byte != b'\'';
        classes[byte as usize] = (is_host as u8 * HOST) | (is_path as u8 * PATH) | (is_query as u8 * QUERY);
        byte += 1;
    }
    classes
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(base: &str, reference: &str) -> Option<Address> {
        Address::from_url(Url::parse(base).ok()?.join(reference).ok()?)
    }

    fn resolver(base: &str) -> Resolver {
        let page = Address::parse("http://page.example/").expect("an address");
        Resolver::new(&page, Some(base)).expect("a base")
    }

    #[test]
    fn the_short_way_is_taken() {
        let resolver = resolver("https://example.org:8080/a/b.html?q=1");
        for reference in
            ["c", "/c/d.html?x=y", "?z", "", "#top", "//h.example", "http://h.example/a-b_c~d", "../a"]
        {
            assert_eq!(resolver.short_way(reference).is_some(), reference != "../a", "{reference}");
        }
    }

    /// Pieces that the rules of URLs turn on, so that they meet more often than in random text.
    const PIECES: &[&str] = &[
        "http:",
        "https:",
        "HTTP:",
        "ftp:",
        "mailto:",
        "//",
        "/",
        "\\",
        ".",
        "..",
        "%2e",
        "%20",
        "%",
        "?",
        "#",
        ":",
        "@",
        "a",
        "B",
        "example",
        "com",
        "xn--bcher-kva",
        "xn--",
        "0x1",
        "1",
        "127",
        ":80",
        ":443",
        ":81",
        "-",
        "_",
        "~",
        "'",
        "\"",
        "<",
        "^",
        "|",
        "{",
        "[::1]",
        "&",
        "=",
        ";",
        "+",
        "*",
        "ü",
        "。",
        " ",
        "\t",
        "\n",
        "\0",
        "\u{7f}",
        "\u{ad}",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn the_short_way_leads_where_the_long_one_does(
            prefix in prop::sample::select(&["", "http://a.example", "https://", "http://", "//", "/"][..]),
            pieces in prop::collection::vec(prop::sample::select(PIECES), 0..8),
            base in prop::sample::select(&[
                "https://example.org/a/b.html?q=1/2#f", "http://example.org", "http://u:p@h.example:81/a//b/", "http://[::1]/x",
                "ftp://h.example/a/b",
            ][..]),
        ) {
            let reference = format!("{prefix}{}", pieces.concat());
            let expected = parsed(base, &reference);
            let found = resolver(base).resolve(&reference);
            prop_assert_eq!(&found, &expected);
            let parts = |address: &Option<Address>| address.as_ref().map(|a| (a.host().to_owned(), a.port(), a.origin().len()));
            prop_assert_eq!(parts(&found), parts(&expected));
        }
    }
}
