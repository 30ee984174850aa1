//! Cookies that a browser has exported, in the format of Netscape's `cookies.txt`.

use std::net::IpAddr;

use tamis_page::domain::Domain;

use super::cookies::{path_matches, path_of};
use crate::address::{Address, Scheme};

/// A cookie of a browser.
#[derive(Clone, PartialEq, Eq)]
pub struct BrowserCookie {
    domain: String,
    /// Whether hosts below the domain get it, too.
    is_wide: bool,
    path: String,
    is_secure: bool,
    /// Seconds since 1970; 0 for the length of a session.
    expires_s: u64,
    name: String,
    value: String,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: is not a cookie: {why}")]
pub struct NoCookie {
    line: usize,
    why: &'static str,
}

impl BrowserCookie {
    /// Reads a file. Lines that are no cookies are an error: half a login is none.
    pub fn read(text: &str) -> Result<Vec<Self>, NoCookie> {
        let mut cookies = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            // Exporters mark cookies that scripts cannot see by a comment.
            let line = line.strip_prefix("#HttpOnly_").unwrap_or(line);
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            cookies.push(Self::parse(line).map_err(|why| NoCookie { line: number, why })?);
        }
        Ok(cookies)
    }

    fn parse(line: &str) -> Result<Self, &'static str> {
        let [domain, is_wide, path, is_secure, expires, name, value] =
            line.split('\t').collect::<Vec<_>>()[..]
        else {
            return Err("seven columns with tabs between are needed");
        };
        let yes = |word: &str| word.eq_ignore_ascii_case("TRUE");
        let bare = domain.trim_start_matches('.');
        let address = Address::parse(&format!("http://{bare}/"))
            .filter(|address| address.authority() == address.host());
        let domain = address.ok_or("the first column is not a host")?.host().to_owned();
        let is_wide = yes(is_wide);
        if is_wide && !is_registered(&domain) {
            return Err("it is for all hosts of a public suffix");
        }
        let is_fit = |text: &str| !text.chars().any(|c| c.is_control() || c == ';');
        if name.is_empty() || name.contains('=') || !is_fit(name) || !is_fit(value) || !path.starts_with('/')
        {
            return Err("name, value or path cannot be sent");
        }
        // Some browsers write fractions of seconds.
        let expires = expires.split('.').next().unwrap_or_default();
        Ok(Self {
            domain,
            is_wide,
            path: path.to_owned(),
            is_secure: yes(is_secure),
            expires_s: expires.parse().map_err(|_| "the fifth column is not a time")?,
            name: name.to_owned(),
            value: value.to_owned(),
        })
    }

    /// Name and value, if it goes with requests for an address at this time.
    pub(super) fn pair_for(&self, address: &Address, now_s: u64) -> Option<(&str, &str)> {
        let host = address.host();
        let is_host = host == self.domain
            || self.is_wide && host.strip_suffix(&*self.domain).is_some_and(|rest| rest.ends_with('.'));
        let is_path = path_matches(path_of(address), &self.path);
        let is_valid = self.expires_s == 0 || self.expires_s > now_s;
        let is_safe = !self.is_secure || address.scheme() == Scheme::Https;
        (is_host && is_path && is_valid && is_safe).then_some((&*self.name, &*self.value))
    }
}

impl std::fmt::Debug for BrowserCookie {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BrowserCookie({} of {})", self.name, self.domain)
    }
}

/// Whether a domain, or one above it, is what somebody registered: `co.uk` is not. An IP address is its own host.
fn is_registered(domain: &str) -> bool {
    if domain.parse::<IpAddr>().is_ok() {
        return true;
    }
    // Below a public suffix each name is a registered one of its own.
    let below = url::Url::parse(&format!("http://x.{domain}/")).ok();
    below.as_ref().and_then(Domain::of).is_some_and(|found| found.name != found.host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_go_where_the_browser_would_send_them() {
        let text = "# Netscape HTTP Cookie File\n\n.example.org\tTRUE\t/\tFALSE\t0\twide\t1\n\
                    #HttpOnly_example.org\tFALSE\t/a\tTRUE\t2000000000.5\tnarrow\t2\nexample.org\tFALSE\t/\tFALSE\t5\told\t3\n";
        let cookies = BrowserCookie::read(text).expect("cookies");
        assert_eq!(cookies.len(), 3);
        for (url, expected) in [
            ("https://example.org/a/b?c", "wide narrow"),
            ("http://example.org/a", "wide"),
            ("https://www.example.org/a", "wide"),
            ("https://example.org/ab", "wide"),
            ("https://notexample.org/a", ""),
            ("https://example.com/a", ""),
        ] {
            let address = Address::parse(url).expect(url);
            let names: Vec<&str> = cookies
                .iter()
                .filter_map(|cookie| cookie.pair_for(&address, 1_700_000_000))
                .map(|pair| pair.0)
                .collect();
            assert_eq!(names.join(" "), expected, "{url}");
        }
        assert!(!format!("{cookies:?}").contains('2'), "values are secrets");
    }

    #[test]
    fn what_is_no_cookie_is_named() {
        for (line, said) in [
            ("example.org\tTRUE\t/", "line 1: is not a cookie: seven columns"),
            ("a b\tTRUE\t/\tFALSE\t0\tn\tv", "is not a host"),
            ("example.org:8\tTRUE\t/\tFALSE\t0\tn\tv", "is not a host"),
            (".co.uk\tTRUE\t/\tFALSE\t0\tn\tv", "public suffix"),
            ("example.org\tTRUE\t/\tFALSE\tsoon\tn\tv", "not a time"),
            ("example.org\tTRUE\t/\tFALSE\t0\t\tv", "cannot be sent"),
            ("example.org\tTRUE\t/\tFALSE\t0\tn\tv;w", "cannot be sent"),
            ("example.org\tTRUE\tx\tFALSE\t0\tn\tv", "cannot be sent"),
        ] {
            let error = BrowserCookie::read(line).expect_err(line).to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
