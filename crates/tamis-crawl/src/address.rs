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

    /// An address whose text is spelt already as [`Url`] would; `host_end` and `path_start` are where those are in it.
    pub(crate) fn from_spelt(text: String, host_end: usize, path_start: usize) -> Option<Self> {
        Some(Self {
            text: text.into_boxed_str(),
            host_end: u16::try_from(host_end).ok()?,
            path_start: u16::try_from(path_start).ok()?,
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

fn scheme_len(scheme: &str) -> usize {
    scheme.len() + "://".len()
}

#[cfg(test)]
mod tests {
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
    fn what_cannot_be_crawled_is_no_address() {
        for text in ["ftp://x.org/", "mailto:a@x.org", "/path", "http://", "javascript:void(0)", ""] {
            assert_eq!(Address::parse(text), None, "{text}");
        }
        assert_eq!(Address::parse(&format!("http://x.org/{}", "a".repeat(LONGEST))), None);
    }
}
