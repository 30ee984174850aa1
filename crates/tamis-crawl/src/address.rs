//! A web address in the one spelling by which the crawler knows it.

use std::fmt;
use std::net::IpAddr;

use url::Url;

/// Longer addresses are not followed: servers refuse them, and they come from traps.
pub(crate) const LONGEST: usize = 8 * 1024;

/// An `http` or `https` address without fragment, user and password, as the WHATWG standard spells it; of the spellings that RFC 3986
/// (section 6.2) and DNS take for one, in one: `~` for `%7E`, `%C3` for `%c3`, no empty query, no dot at the end of the host.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    text: Box<str>,
    host_end: u16,
    path_start: u16,
}

/// The two schemes a crawler speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scheme {
    /// Plain HTTP.
    Http,
    /// HTTP over TLS.
    Https,
}

impl Address {
    /// Reads an absolute address; `None` for what cannot be crawled.
    pub fn parse(text: &str) -> Option<Self> {
        Self::from_url(Url::parse(text).ok()?)
    }

    /// The address of a seed as people write it, with `https` where no scheme is named; `None` for what cannot be crawled.
    pub fn of_seed(text: &str) -> Option<Self> {
        if text.contains("://") {
            return Self::parse(text);
        }
        Self::parse(&format!("https://{text}")).filter(|_| is_host_first(text))
    }

    /// The address of a parsed URL; `None` for what cannot be crawled.
    pub fn from_url(mut url: Url) -> Option<Self> {
        if !matches!(url.scheme(), "http" | "https") || url.as_str().len() > LONGEST {
            return None;
        }
        url.set_fragment(None);
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
        if let Some(host) = url.host_str().and_then(|host| host.strip_suffix('.')) {
            let host = host.trim_end_matches('.').to_owned();
            url.set_host(Some(&host)).ok()?;
        }
        let host_end = scheme_len(url.scheme()) + url.host_str()?.len();
        let path_start = url[..url::Position::BeforePath].len();
        let mut text = String::from(url);
        if let Some(target) = respelt(&text[path_start..]) {
            text.replace_range(path_start.., &target);
        }
        Some(Self {
            text: text.into_boxed_str(),
            host_end: u16::try_from(host_end).ok()?,
            path_start: u16::try_from(path_start).ok()?,
        })
    }

    /// An address that was spelt by one before: its parts are found, not checked.
    pub(crate) fn from_log(text: &str) -> Option<Self> {
        let prefix_len = text.find("://")? + "://".len();
        let path_start = prefix_len + text[prefix_len..].find('/')?;
        let authority = &text[prefix_len..path_start];
        let host_len = match authority.rfind([':', ']']) {
            Some(at) if authority[at..].starts_with(':') => at,
            _ => authority.len(),
        };
        Some(Self {
            host_end: u16::try_from(prefix_len + host_len).ok()?,
            path_start: u16::try_from(path_start).ok()?,
            text: text.into(),
        })
    }

    /// The address of an absolute URL as [`Url`] writes it, without its fragment; `None` for what cannot be crawled. Only a URL with a
    /// user or password is parsed again.
    pub(crate) fn from_normal(url: &str) -> Option<Self> {
        let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?.as_bytes();
        let authority = &rest[..memchr::memchr(b'/', rest)?];
        if url.len() > LONGEST {
            return None;
        }
        if memchr::memchr(b'@', authority).is_some() {
            return Self::parse(url);
        }
        // An IPv6 address has colons in brackets.
        let port = memchr::memrchr2(b':', b']', authority).filter(|&at| authority[at] == b':');
        let host_len = port.unwrap_or(authority.len());
        if authority[..host_len].ends_with(b".") {
            return Self::parse(url);
        }
        let start = url.len() - rest.len();
        let path_start = start + authority.len();
        let text = match respelt(&url[path_start..]) {
            Some(target) => format!("{}{target}", &url[..path_start]).into_boxed_str(),
            None => url.into(),
        };
        Some(Self {
            host_end: u16::try_from(start + host_len).ok()?,
            path_start: u16::try_from(path_start).ok()?,
            text,
        })
    }

    /// The whole address.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Its scheme.
    pub fn scheme(&self) -> Scheme {
        if self.text.starts_with("https:") { Scheme::Https } else { Scheme::Http }
    }

    /// The host: a name in small letters (IDNA), or an address as URLs write it.
    pub fn host(&self) -> &str {
        &self.text[self.scheme().prefix_len()..usize::from(self.host_end)]
    }

    /// The port, that of the scheme if none is named.
    pub fn port(&self) -> u16 {
        let named = self.text[usize::from(self.host_end)..usize::from(self.path_start)].strip_prefix(':');
        named.and_then(|digits| digits.parse().ok()).unwrap_or(self.scheme().port())
    }

    /// Host and port as the field `Host` has them.
    pub fn authority(&self) -> &str {
        &self.text[self.scheme().prefix_len()..usize::from(self.path_start)]
    }

    /// Scheme, host and port: what shares a `robots.txt` and a connection.
    pub fn origin(&self) -> &str {
        &self.text[..usize::from(self.path_start)]
    }

    /// Path and query, as they stand in a request.
    pub fn path_and_query(&self) -> &str {
        &self.text[usize::from(self.path_start)..]
    }

    /// The host as an IP address, if it is one.
    pub fn ip(&self) -> Option<IpAddr> {
        self.host().trim_matches(['[', ']']).parse().ok()
    }
}

impl Scheme {
    /// The port that URLs leave out.
    pub fn port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }

    fn prefix_len(self) -> usize {
        match self {
            Self::Http => "http://".len(),
            Self::Https => "https://".len(),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A path and query in the one spelling: escapes of characters that need none as these, other escapes in capitals, no empty query. None
/// if it is spelt so.
fn respelt(target: &str) -> Option<String> {
    let is_query_empty = || target.find('?') == Some(target.len() - 1);
    let bare = if target.ends_with('?') && is_query_empty() { &target[..target.len() - 1] } else { target };
    if memchr::memchr(b'%', bare.as_bytes()).is_none() {
        return (bare.len() < target.len()).then(|| bare.to_owned());
    }
    let spelt = without_needless_escapes(bare);
    (spelt != target).then_some(spelt)
}

fn without_needless_escapes(text: &str) -> String {
    let mut spelt = String::with_capacity(text.len());
    let mut rest = text;
    // After a `%` that is no escape two digits would become one.
    let mut kept_until = 0;
    while let Some(at) = memchr::memchr(b'%', rest.as_bytes()) {
        spelt.push_str(&rest[..at]);
        let digits =
            rest.as_bytes().get(at + 1..at + 3).and_then(|digits| Some((hex(digits[0])?, hex(digits[1])?)));
        let Some((high, low)) = digits else {
            spelt.push('%');
            kept_until = spelt.len() + 2;
            rest = &rest[at + 1..];
            continue;
        };
        let byte = high << 4 | low;
        let needs_none = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
        if needs_none && spelt.len() >= kept_until {
            spelt.push(char::from(byte));
        } else {
            spelt.push('%');
            for digit in [high, low] {
                spelt.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
            }
        }
        rest = &rest[at + 3..];
    }
    spelt.push_str(rest);
    spelt
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// Whether a text without scheme begins with a host and perhaps a port: `mailto:me@example.org` does not.
fn is_host_first(text: &str) -> bool {
    let authority = text.split(['/', '?', '#']).next().unwrap_or_default();
    // An IPv6 address has colons in brackets.
    let port = authority.rsplit(']').next().and_then(|rest| rest.split_once(':'));
    !authority.contains('@') && port.is_none_or(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
}

fn scheme_len(scheme: &str) -> usize {
    scheme.len() + "://".len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tamis_page::links::Resolver;

    use super::*;

    #[test]
    fn parts_of_an_address() {
        for (text, spelt, host, port, path) in [
            ("HTTP://Example.COM", "http://example.com/", "example.com", 80, "/"),
            ("https://a:b@x.org:8443/p?q#f", "https://x.org:8443/p?q", "x.org", 8443, "/p?q"),
            ("http://[::1]:80/a/../b", "http://[::1]/b", "[::1]", 80, "/b"),
            ("https://bücher.de/ü", "https://xn--bcher-kva.de/%C3%BC", "xn--bcher-kva.de", 443, "/%C3%BC"),
        ] {
            let address = Address::parse(text).expect(text);
            assert_eq!(address.as_str(), spelt);
            assert_eq!(
                (address.host(), address.port(), address.path_and_query()),
                (host, port, path),
                "{text}"
            );
        }
    }

    #[test]
    fn spellings_that_are_one_are_one() {
        for (spellings, spelt) in [
            (
                &["http://x.org/%7Ea", "http://x.org/%7ea", "http://x.org./~a", "http://x.org:80/~a?"][..],
                "http://x.org/~a",
            ),
            (&["http://x.org/%c3%bc?q=%C3%bc", "http://x.org/ü?q=ü"], "http://x.org/%C3%BC?q=%C3%BC"),
            (&["http://x.org/%41%2D%2e%5F%30", "http://x.org/A-._0"], "http://x.org/A-._0"),
            (&["http://x.org..:81/?", "http://x.org:81"], "http://x.org:81/"),
            (&["http://x.org/a%2Fb%2f%3f", "http://x.org/a%2fb%2F%3F"], "http://x.org/a%2Fb%2F%3F"),
            (&["http://x.org/%%37%45", "http://x.org/%%37E?"], "http://x.org/%%37E"),
            (&["http://x.org/a??", "http://x.org/a??"], "http://x.org/a??"),
            (&["http://x.org/%zz%e", "http://x.org/%zz%e?"], "http://x.org/%zz%e"),
        ] {
            for text in spellings {
                let address = Address::parse(text).expect(text);
                assert_eq!(address.as_str(), spelt, "{text}");
                assert_eq!(Address::parse(spelt).as_ref(), Some(&address), "once is enough");
                let url = Url::parse(text).expect(text);
                assert_eq!(
                    Address::from_normal(url.as_str()).as_ref(),
                    Some(&address),
                    "{text} by the short way"
                );
            }
        }
        assert_eq!(Address::parse("http://./"), None);
    }

    #[test]
    fn seeds_need_no_scheme() {
        for (seed, address) in [
            ("example.org", Some("https://example.org/")),
            ("http://example.org", Some("http://example.org/")),
            ("example.org:8443/a", Some("https://example.org:8443/a")),
            ("[::1]:81", Some("https://[::1]:81/")),
            ("mailto:me@example.org", None),
            ("me@example.org", None),
            ("", None),
        ] {
            assert_eq!(Address::of_seed(seed).as_ref().map(Address::as_str), address, "{seed}");
        }
    }

    #[test]
    fn what_cannot_be_crawled_is_no_address() {
        for text in ["ftp://x.org/", "mailto:a@x.org", "/path", "http://", "javascript:void(0)", ""] {
            assert_eq!(Address::parse(text), None, "{text}");
        }
        assert_eq!(Address::parse(&format!("http://x.org/{}", "a".repeat(LONGEST))), None);
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
        "%7E",
        "%7e",
        "%c3",
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
        fn a_resolved_reference_is_the_address_of_its_url(
            prefix in prop::sample::select(&["", "http://a.example", "https://", "http://", "//", "/"][..]),
            pieces in prop::collection::vec(prop::sample::select(PIECES), 0..8),
            base in prop::sample::select(&[
                "https://example.org/a/b.html?q=1/2#f", "http://example.org", "http://u:p@h.example:81/a//b/", "http://[::1]/x",
                "ftp://h.example/a/b",
            ][..]),
        ) {
            let reference = format!("{prefix}{}", pieces.concat());
            let base = Url::parse(base).expect("a URL");
            let expected = base.join(&reference).ok().and_then(Address::from_url);
            let mut room = String::new();
            let found = Resolver::new(Some(base)).absolute(&reference, &mut room).and_then(Address::from_normal);
            prop_assert_eq!(&found, &expected);
            let once_more = expected.as_ref().map(|address| Address::parse(address.as_str()));
            prop_assert_eq!(once_more, expected.clone().map(Some));
            let parts = |address: &Option<Address>| address.as_ref().map(|a| (a.host().to_owned(), a.port(), a.origin().len()));
            prop_assert_eq!(parts(&found), parts(&expected));
        }
    }
}
