//! A reference as written in a page into the absolute URL it stands for, by the URL standard
//! (<https://url.spec.whatwg.org/>), without its fragment.
//!
//! The `url` crate decides. Most references of real pages are in their normal form already, though; those are told by a
//! look at each byte and then only put together, without parsing. A property test holds the two together.

use std::ops::Range;

use url::{Position, Url};

use super::MOST_URL_BYTES;
use crate::html::{Name, NodeId, Tag, Tree};

/// References longer than this name no page: servers refuse them.
const LONGEST_BYTES: usize = 1 << 16;

/// What became of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Where its URL lies in the pool.
    Url(Range<u32>),
    /// It names nothing on the network.
    LeftOut(Scheme),
    /// It is no URL, or one relative to nothing.
    Broken,
    /// The pool is full.
    Beyond,
}

/// Schemes of references that lead to no page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Script,
    Mail,
    Data,
    Telephone,
    Other,
}

/// Resolves references against the base URL of a page.
#[derive(Debug)]
pub struct Resolver {
    base: Option<Base>,
}

#[derive(Debug)]
struct Base {
    url: Url,
    /// Ends of the parts of the URL that references are put behind; none where only the `url` crate may decide.
    ends: Option<Ends>,
}

#[derive(Clone, Copy, Debug)]
struct Ends {
    scheme: usize,
    origin: usize,
    directory: usize,
    path: usize,
}

impl Resolver {
    /// A resolver for a page; `page` is its own URL, where known, and its first `<base href>` counts.
    pub fn of_page(tree: &Tree<'_>, page: Option<&Url>) -> Resolver {
        Self::new(base_url(tree, page))
    }

    /// The absolute URL of a reference, without its fragment, written into `room`; none if it is no URL of the network.
    pub fn absolute<'r>(&self, reference: &str, room: &'r mut String) -> Option<&'r str> {
        room.clear();
        matches!(self.resolve(reference, room), Outcome::Url(_)).then_some(room.as_str())
    }

    /// A resolver for a base URL.
    pub fn new(base: Option<Url>) -> Resolver {
        let base = base.filter(|url| url.as_str().len() <= LONGEST_BYTES).map(|mut url| {
            url.set_fragment(None);
            Base { ends: Ends::of(&url), url }
        });
        Resolver { base }
    }

    pub(crate) fn base(&self) -> Option<&Url> {
        self.base.as_ref().map(|base| &base.url)
    }

    /// Puts the URL of a reference at the end of the pool.
    pub(crate) fn resolve(&self, reference: &str, pool: &mut String) -> Outcome {
        if pool.len() >= MOST_URL_BYTES {
            return Outcome::Beyond;
        }
        let reference = trimmed(reference);
        if let Some(scheme) = scheme_left_out(reference) {
            return Outcome::LeftOut(scheme);
        }
        if reference.len() > LONGEST_BYTES {
            return Outcome::Broken;
        }
        self.resolve_normal(reference, pool).map_or_else(|| self.push_parsed(reference, pool), Outcome::Url)
    }

    /// The short way alone: none for references that are not in their normal form.
    pub(crate) fn resolve_normal(&self, reference: &str, pool: &mut String) -> Option<Range<u32>> {
        let start = pool.len();
        let reference = trimmed(reference);
        let fits = reference.len() <= LONGEST_BYTES && start < MOST_URL_BYTES;
        fits.then(|| self.push_normal(reference, pool)).flatten()?;
        Some(start as u32..pool.len() as u32)
    }

    /// The way of the standard.
    fn push_parsed(&self, reference: &str, pool: &mut String) -> Outcome {
        let Ok(mut url) = Url::options().base_url(self.base()).parse(reference) else {
            return Outcome::Broken;
        };
        if !matches!(url.scheme(), "http" | "https" | "ftp" | "ws" | "wss") {
            return Outcome::LeftOut(scheme_left_out(url.as_str()).unwrap_or(Scheme::Other));
        }
        url.set_fragment(None);
        let start = pool.len() as u32;
        pool.push_str(url.as_str());
        Outcome::Url(start..pool.len() as u32)
    }

    /// The short way, for references that parsing would not change.
    fn push_normal(&self, reference: &str, pool: &mut String) -> Option<()> {
        let reference = without_fragment(reference)?;
        if let Some(rest) = reference.strip_prefix("https://") {
            return push_authority("https://", rest, pool);
        }
        if let Some(rest) = reference.strip_prefix("http://") {
            return push_authority("http://", rest, pool);
        }
        let base = self.base.as_ref()?;
        let ends = base.ends?;
        let prefix_end = match reference.as_bytes() {
            [b'/', b'/', ..] => {
                let scheme = &base.url.as_str()[..ends.scheme];
                return push_authority(scheme, &reference[2..], pool);
            }
            [] => base.url.as_str().len(),
            [b'/', ..] => ends.origin,
            [b'?', ..] => ends.path,
            _ if has_colon_in_first_segment(reference) => return None,
            _ => ends.directory,
        };
        is_normal(reference.as_bytes()).then(|| {
            pool.push_str(&base.url.as_str()[..prefix_end]);
            pool.push_str(reference);
        })
    }
}

impl Ends {
    fn of(url: &Url) -> Option<Ends> {
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return None;
        }
        let path = url[..Position::AfterPath].len();
        let directory = url.as_str()[..path].rfind('/')? + 1;
        Some(Ends {
            scheme: url.scheme().len() + 3,
            origin: url[..Position::BeforePath].len(),
            directory,
            path,
        })
    }
}

/// The URL of a page's first `<base href>`, or the page's own.
fn base_url(tree: &Tree<'_>, page: Option<&Url>) -> Option<Url> {
    let written = (0..tree.nodes().len() as NodeId)
        .filter(|&id| tree.node(id).tag == Tag::Base)
        .find_map(|id| tree.attribute(id, Name::Href));
    let base = written.and_then(|href| Url::options().base_url(page).parse(href.trim()).ok());
    base.filter(|url| !matches!(url.scheme(), "data" | "javascript")).or_else(|| page.cloned())
}

/// White space and controls at the ends are no part of a URL.
fn trimmed(reference: &str) -> &str {
    let is_sound = |byte: Option<&u8>| byte.is_none_or(|&byte| byte > b' ');
    if is_sound(reference.as_bytes().first()) && is_sound(reference.as_bytes().last()) {
        return reference;
    }
    reference.trim_matches(|c: char| c <= ' ')
}

/// The reference up to its fragment; none where a space before the fragment must be kept.
fn without_fragment(reference: &str) -> Option<&str> {
    let Some(at) = memchr::memchr(b'#', reference.as_bytes()) else { return Some(reference) };
    let before = &reference[..at];
    (!before.ends_with(|c: char| c <= ' ')).then_some(before)
}

/// The scheme of a reference that leads nowhere on the network.
fn scheme_left_out(reference: &str) -> Option<Scheme> {
    let bytes = reference.as_bytes();
    let end = bytes.iter().position(|&b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')))?;
    if bytes[end] != b':' || !bytes[0].is_ascii_alphabetic() {
        return None;
    }
    let is = |names: &[&str]| names.iter().any(|name| reference[..end].eq_ignore_ascii_case(name));
    if is(&["http", "https", "ftp", "ws", "wss"]) {
        return None;
    }
    Some(match () {
        () if is(&["javascript", "vbscript"]) => Scheme::Script,
        () if is(&["mailto"]) => Scheme::Mail,
        () if is(&["data"]) => Scheme::Data,
        () if is(&["tel", "callto", "sms"]) => Scheme::Telephone,
        () => Scheme::Other,
    })
}

fn has_colon_in_first_segment(reference: &str) -> bool {
    reference.bytes().take_while(|b| !matches!(b, b'/' | b'?')).any(|b| b == b':')
}

/// `rest` is host, path and query.
fn push_authority(scheme: &str, rest: &str, pool: &mut String) -> Option<()> {
    let bytes = rest.as_bytes();
    let end = bytes.iter().position(|&b| CLASSES[usize::from(b)] & HOST == 0).unwrap_or(bytes.len());
    if !is_normal_host(&bytes[..end]) || !is_normal(&bytes[end..]) {
        return None;
    }
    let slash = match bytes.get(end) {
        None | Some(b'?') => "/",
        Some(b'/') => "",
        Some(_) => return None,
    };
    pool.push_str(scheme);
    pool.push_str(&rest[..end]);
    pool.push_str(slash);
    pool.push_str(&rest[end..]);
    Some(())
}

/// A name that is no address of numbers and needs no mapping. A last label that starts with a letter is no number.
fn is_normal_host(host: &[u8]) -> bool {
    let mut last = 0;
    for label in host.split(|&b| b == b'.') {
        if label.is_empty() || label.starts_with(b"xn--") {
            return false;
        }
        last = label[0];
    }
    last.is_ascii_lowercase()
}

/// Whether path and query stay as they are: nothing to encode, no `.` or `..` segments.
fn is_normal(tail: &[u8]) -> bool {
    let query = memchr::memchr(b'?', tail).unwrap_or(tail.len());
    let (path, query) = tail.split_at(query);
    let mut segment_starts = true;
    for (at, &byte) in path.iter().enumerate() {
        if CLASSES[usize::from(byte)] & PATH == 0 || (segment_starts && may_be_dots(&path[at..])) {
            return false;
        }
        segment_starts = byte == b'/';
    }
    query.iter().all(|&b| CLASSES[usize::from(b)] & QUERY != 0)
}

fn may_be_dots(segment: &[u8]) -> bool {
    matches!(segment, [b'.', ..] | [b'%', b'2', ..])
}

const HOST: u8 = 1;
const PATH: u8 = 2;
const QUERY: u8 = 4;
static CLASSES: [u8; 256] = classes();

/// What stays as it is in each part of a URL.
const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0x21;
    while byte < 0x7F {
        let b = byte as u8;
        if b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.') {
            classes[byte] |= HOST;
        }
        if !matches!(b, b'"' | b'#' | b'<' | b'>' | b'?' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}') {
            classes[byte] |= PATH;
        }
        if !matches!(b, b'"' | b'#' | b'\'' | b'<' | b'>') {
            classes[byte] |= QUERY;
        }
        byte += 1;
    }
    classes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn resolved(reference: &str, base: Option<&str>) -> Result<String, Outcome> {
        let mut pool = "before".to_owned();
        let resolver = Resolver::new(base.and_then(|base| Url::parse(base).ok()));
        match resolver.resolve(reference, &mut pool) {
            Outcome::Url(range) => Ok(pool[range.start as usize..range.end as usize].to_owned()),
            outcome => Err(outcome),
        }
    }

    fn parsed(reference: &str, base: Option<&str>) -> Option<String> {
        let base = base.and_then(|base| Url::parse(base).ok());
        let mut url = Url::options().base_url(base.as_ref()).parse(reference).ok()?;
        url.set_fragment(None);
        matches!(url.scheme(), "http" | "https" | "ftp" | "ws" | "wss").then(|| url.into())
    }

    #[test]
    fn references_become_absolute() {
        let base = Some("https://example.org:8080/a/b.html?q=1#f");
        for (reference, url) in [
            ("", "https://example.org:8080/a/b.html?q=1"),
            ("#top", "https://example.org:8080/a/b.html?q=1"),
            ("c", "https://example.org:8080/a/c"),
            (" \n c d \t", "https://example.org:8080/a/c%20d"),
            ("c #d", "https://example.org:8080/a/c%20"),
            ("../c", "https://example.org:8080/c"),
            ("?x", "https://example.org:8080/a/b.html?x"),
            ("/x?y='", "https://example.org:8080/x?y=%27"),
            ("//h.example", "https://h.example/"),
            ("//h.example?a", "https://h.example/?a"),
            ("http://H.example:80/a", "http://h.example/a"),
            ("http://1.2.3", "http://1.2.0.3/"),
            ("HTTP://h.example", "http://h.example/"),
            ("ht\ntp://h.example/\ta", "http://h.example/a"),
            ("ü", "https://example.org:8080/a/%C3%BC"),
            ("http://bücher.example/", "http://xn--bcher-kva.example/"),
            ("ftp://h.example/a", "ftp://h.example/a"),
        ] {
            assert_eq!(resolved(reference, base).as_deref(), Ok(url), "{reference:?}");
        }
    }

    #[test]
    fn what_leads_to_no_page_is_told_apart() {
        use Outcome::{Broken, LeftOut};
        for (reference, outcome) in [
            ("javascript:void(0)", LeftOut(Scheme::Script)),
            ("  JavaScript:x", LeftOut(Scheme::Script)),
            ("java\nscript:x", LeftOut(Scheme::Script)),
            ("mailto:a@b.example", LeftOut(Scheme::Mail)),
            ("tel:+33", LeftOut(Scheme::Telephone)),
            ("data:image/gif;base64,R0", LeftOut(Scheme::Data)),
            ("magnet:?x", LeftOut(Scheme::Other)),
            ("about:blank", LeftOut(Scheme::Other)),
            ("http://", Broken),
            ("http://a b/", Broken),
            ("relative", Broken),
            ("//h.example", Broken),
        ] {
            assert_eq!(resolved(reference, None), Err(outcome), "{reference:?}");
        }
    }

    #[test]
    fn a_base_that_is_no_web_address_is_left_to_the_url_crate() {
        for base in ["file:///a/b.html", "data:text/html,x", "about:blank", "ftp://h.example/a/b"] {
            for reference in ["", "c", "/c", "//h.example/c", "?c", "../c", "http://h.example/c"] {
                let expected = parsed(reference, Some(base));
                assert_eq!(resolved(reference, Some(base)).ok(), expected, "{reference} in {base}");
            }
        }
    }

    /// Pieces that the rules of URLs turn on, more likely to meet each other than in random text.
    fn reference() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            prop::sample::select(vec![
                "http:",
                "https:",
                "HTTP:",
                "ftp:",
                "//",
                "/",
                "\\",
                ".",
                "..",
                "./",
                "../",
                "%2e",
                "%2E",
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
                "80",
                ":80",
                ":443",
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
                "!",
                "*",
                "ü",
                "。",
                " ",
                "\t",
                "\n",
                "\u{0}",
                "\u{7f}",
                "\u{a0}",
                "\u{ad}",
            ])
            .prop_map(str::to_owned),
            "[ -~]{0,3}",
        ];
        prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn the_short_way_leads_where_the_long_one_does(
            reference in reference(),
            prefix in prop::sample::select(vec!["", "http://a.example", "https://", "http://", "//", "/"]),
            base in prop::sample::select(vec![
                "https://example.org/a/b.html?q=1#f", "http://example.org", "http://u:p@h.example:81/a//b/",
                "http://[::1]/x", "file:///a/b", "data:,x",
            ]),
            has_base: bool,
        ) {
            let reference = format!("{prefix}{reference}");
            let base = has_base.then_some(base);
            prop_assert_eq!(resolved(&reference, base).ok(), parsed(&reference, base));
        }
    }
}
