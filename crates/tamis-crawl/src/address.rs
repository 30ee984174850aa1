//! A web address in the one spelling by which the crawler knows it.

use std::fmt;
use std::net::IpAddr;

use url::Url;

/// Longer addresses are not followed: servers refuse them, and they come from traps.
pub(crate) const LONGEST: usize = 8 * 1024;

/// An `http` or `https` address without fragment, user and password, as the WHATWG standard spells it.
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
        let host_end = scheme_len(url.scheme()) + url.host_str()?.len();
        let path_start = url[..url::Position::BeforePath].len();
        let text = String::from(url).into_boxed_str();
        Some(Self {
            text,
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
        let start = url.len() - rest.len();
        Some(Self {
            host_end: u16::try_from(start + port.unwrap_or(authority.len())).ok()?,
            path_start: u16::try_from(start + authority.len()).ok()?,
            text: url.into(),
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
            let parts = |address: &Option<Address>| address.as_ref().map(|a| (a.host().to_owned(), a.port(), a.origin().len()));
            prop_assert_eq!(parts(&found), parts(&expected));
        }
    }
}
