//! Cookies of hosts, few and only where asked for.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use hyper::header::HeaderValue;
use tamis_archive::http::HttpHead;
use tamis_page::domain::Domain;

use crate::address::{Address, Scheme};

/// How much is kept for servers that want to be told what they said before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CookieLimits {
    /// Hosts that cookies are kept for; the one first met is forgotten for a new one.
    pub max_hosts: usize,
    /// Cookies of one host; the oldest is forgotten for a new one.
    pub max_per_host: usize,
    /// The longest name and value together; longer cookies are not kept.
    pub max_bytes: usize,
}

/// The cookies of all hosts. Each goes back only to the host it came from, even if its `Domain` is wider, and lives until it is
/// taken back (`Max-Age=0`) or forgotten: a crawl is a session. One for a domain that is not its host's, or for all of a public suffix, is
/// not kept.
#[derive(Debug)]
pub(super) struct CookieJar {
    limits: CookieLimits,
    hosts: Mutex<Jars>,
}

#[derive(Debug, Default)]
struct Jars {
    by_host: HashMap<Box<str>, VecDeque<Cookie>>,
    in_order: VecDeque<Box<str>>,
    /// Whether it is other than when it was last written.
    is_changed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Cookie {
    name: String,
    value: String,
    path: String,
    is_secure: bool,
    is_gone: bool,
    /// Whose they are to be, where that is said.
    domain: Option<String>,
}

/// The first line of a file of cookies.
const MAGIC: &str = "# tamis cookies 1";

impl CookieJar {
    pub(super) fn new(limits: CookieLimits) -> Self {
        Self { limits, hosts: Mutex::default() }
    }

    /// The value of `Cookie` for a request, if there is any.
    pub(super) fn value_for(&self, address: &Address) -> Option<HeaderValue> {
        let jars = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let cookies = jars.by_host.get(address.host())?;
        let path = path_of(address);
        let fits = |cookie: &&Cookie| {
            (!cookie.is_secure || address.scheme() == Scheme::Https) && path_matches(path, &cookie.path)
        };
        let pairs: Vec<String> =
            cookies.iter().filter(fits).map(|cookie| format!("{}={}", cookie.name, cookie.value)).collect();
        if pairs.is_empty() { None } else { HeaderValue::from_str(&pairs.join("; ")).ok() }
    }

    /// Keeps what an answer sets.
    pub(super) fn learn(&self, address: &Address, head: &HttpHead) {
        for value in head.fields().all("Set-Cookie") {
            let cookie =
                std::str::from_utf8(value).ok().and_then(|text| Cookie::parse(text, path_of(address)));
            let is_fit =
                |cookie: &Cookie| cookie.len_bytes() <= self.limits.max_bytes && cookie.is_for(address);
            if let Some(cookie) = cookie.filter(is_fit) {
                self.keep(address.host(), cookie);
            }
        }
    }

    /// All cookies as lines, if they are other than at the last call: host, name, value, path, and whether for TLS alone, with tabs
    /// between. None of them has a tab or the end of a line in it.
    pub(super) fn changed_text(&self) -> Option<String> {
        let mut jars = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::take(&mut jars.is_changed) {
            return None;
        }
        let mut text = format!("{MAGIC}\n");
        for host in &jars.in_order {
            for Cookie { name, value, path, is_secure, .. } in jars.by_host.get(host).into_iter().flatten() {
                let is_secure = if *is_secure { "1" } else { "0" };
                text.push_str(&[&**host, name, value, path, is_secure].join("\t"));
                text.push('\n');
            }
        }
        Some(text)
    }

    /// Takes in cookies that were written before; lines that are none are passed over.
    pub(super) fn read(&self, text: &str) {
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let [host, name, value, path, is_secure] = line.split('\t').collect::<Vec<_>>()[..] {
                let cookie = Cookie {
                    name: name.to_owned(),
                    value: value.to_owned(),
                    path: path.to_owned(),
                    is_secure: is_secure == "1",
                    is_gone: false,
                    domain: None,
                };
                self.keep(host, cookie);
            }
        }
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner).is_changed = false;
    }

    fn keep(&self, host: &str, cookie: Cookie) {
        let mut jars = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        jars.is_changed = true;
        if !jars.by_host.contains_key(host) && !cookie.is_gone {
            jars.make_room(self.limits.max_hosts);
            jars.in_order.push_back(host.into());
            jars.by_host.insert(host.into(), VecDeque::new());
        }
        let Some(cookies) = jars.by_host.get_mut(host) else { return };
        cookies.retain(|known| (&known.name, &known.path) != (&cookie.name, &cookie.path));
        if cookie.is_gone {
            return;
        }
        while !cookies.is_empty() && cookies.len() >= self.limits.max_per_host {
            cookies.pop_front();
        }
        cookies.push_back(cookie);
    }
}

impl Jars {
    fn make_room(&mut self, max_hosts: usize) {
        while self.in_order.len() >= max_hosts.max(1) {
            let Some(host) = self.in_order.pop_front() else { return };
            self.by_host.remove(&host);
        }
    }
}

impl Cookie {
    /// Reads a `Set-Cookie` (RFC 6265, section 5.2).
    fn parse(text: &str, request_path: &str) -> Option<Self> {
        let mut parts = text.split(';');
        let (name, value) = parts.next()?.split_once('=')?;
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() || text.bytes().any(|byte| byte.is_ascii_control()) {
            return None;
        }
        let mut cookie = Self {
            name: name.to_owned(),
            value: value.to_owned(),
            path: default_path(request_path).to_owned(),
            is_secure: false,
            is_gone: false,
            domain: None,
        };
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            cookie.apply(&key.trim().to_ascii_lowercase(), value.trim());
        }
        Some(cookie)
    }

    fn apply(&mut self, key: &str, value: &str) {
        match key {
            "path" if value.starts_with('/') => value.clone_into(&mut self.path),
            "secure" => self.is_secure = true,
            "domain" => {
                let domain = value.strip_prefix('.').unwrap_or(value).to_ascii_lowercase();
                self.domain = Some(domain).filter(|domain| !domain.is_empty());
            }
            "max-age" => self.is_gone = value == "0" || value.starts_with('-'),
            _ => {}
        }
    }

    /// Whether an address may set it (RFC 6265, section 5.3): its domain is the host or one above it, and not above what somebody
    /// registered, as `co.uk` is.
    fn is_for(&self, address: &Address) -> bool {
        let Some(domain) = &self.domain else { return true };
        let host = address.host();
        let is_below = |name: &str, above: &str| {
            name == above || name.strip_suffix(above).is_some_and(|rest| rest.ends_with('.'))
        };
        let url = url::Url::parse(address.as_str()).ok();
        let registered = url.as_ref().and_then(Domain::of).map_or(host, |domain| domain.name);
        host == domain || is_below(host, domain) && is_below(domain, registered)
    }

    fn len_bytes(&self) -> usize {
        self.name.len() + self.value.len() + self.path.len()
    }
}

impl Default for CookieLimits {
    /// 20 cookies of at most 4 KiB for each of 10,000 hosts.
    fn default() -> Self {
        Self { max_hosts: 10_000, max_per_host: 20, max_bytes: 4096 }
    }
}

/// The path of an address, without its query.
pub(super) fn path_of(address: &Address) -> &str {
    let target = address.path_and_query();
    target.split('?').next().unwrap_or(target)
}

/// The folder of the page that set it (RFC 6265, section 5.1.4).
fn default_path(request_path: &str) -> &str {
    match request_path.rfind('/') {
        Some(at) if at > 0 => &request_path[..at],
        _ => "/",
    }
}

/// RFC 6265, section 5.1.4.
pub(super) fn path_matches(path: &str, of_cookie: &str) -> bool {
    path.strip_prefix(of_cookie)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || of_cookie.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use tamis_archive::http::Extent;

    use super::*;

    fn learn(jar: &CookieJar, address: &str, set: &[&str]) {
        let lines: Vec<_> = set.iter().map(|value| format!("Set-Cookie: {value}\r\n")).collect();
        let mut head = HttpHead::default();
        head.parse(format!("HTTP/1.1 200 OK\r\n{}\r\n", lines.concat()).as_bytes(), Extent::Whole);
        jar.learn(&Address::parse(address).expect(address), &head);
    }

    fn sent(jar: &CookieJar, address: &str) -> Option<String> {
        let value = jar.value_for(&Address::parse(address).expect(address))?;
        Some(value.to_str().expect("plain letters").to_owned())
    }

    #[test]
    fn a_cookie_goes_back_where_it_came_from() {
        let jar = CookieJar::new(CookieLimits::default());
        learn(
            &jar,
            "https://a.org/x/y",
            &["a=1; Path=/; HttpOnly", "b=2", "c=3; Secure; path=/", "=4", "d", "e=\u{1}"],
        );
        assert_eq!(sent(&jar, "https://a.org/x/z?q").as_deref(), Some("a=1; b=2; c=3"));
        assert_eq!(sent(&jar, "http://a.org/xy").as_deref(), Some("a=1"));
        assert_eq!(sent(&jar, "https://b.a.org/x/"), None);
        learn(&jar, "https://a.org/", &["a=5; path=/", "c=; path=/; Max-Age=0"]);
        assert_eq!(sent(&jar, "https://a.org/").as_deref(), Some("a=5"));
    }

    #[test]
    fn a_cookie_for_others_is_not_kept() {
        for (address, domain, is_kept) in [
            ("https://www.a.co.uk/", "www.a.co.uk", true),
            ("https://www.a.co.uk/", ".a.co.uk", true),
            ("https://www.a.co.uk/", "A.co.UK", true),
            ("https://www.a.co.uk/", "co.uk", false),
            ("https://www.a.co.uk/", "uk", false),
            ("https://www.a.co.uk/", "b.co.uk", false),
            ("https://www.a.co.uk/", "ww.a.co.uk", false),
            ("https://www.a.co.uk/", "x.www.a.co.uk", false),
            ("https://a.github.io/", "github.io", false),
            ("https://a.org/", "", true),
            ("http://127.0.0.1/", "127.0.0.1", true),
            ("http://127.0.0.1/", "0.0.1", false),
            ("http://localhost/", "localhost", true),
        ] {
            let jar = CookieJar::new(CookieLimits::default());
            learn(&jar, address, &[&format!("a=1; Domain={domain}")]);
            assert_eq!(sent(&jar, address).is_some(), is_kept, "{address} {domain}");
        }
    }

    #[test]
    fn what_was_written_is_sent_again() {
        let jar = CookieJar::new(CookieLimits::default());
        assert_eq!(jar.changed_text(), None);
        learn(&jar, "https://a.org/x/y", &["a=1; Path=/", "b=2; Secure", "c=; path=/"]);
        learn(&jar, "http://b.org/", &["d=1=2"]);
        let text = jar.changed_text().expect("it has changed");
        assert_eq!(jar.changed_text(), None, "not since");
        let next = CookieJar::new(CookieLimits::default());
        next.read(&format!("{text}no cookie\n"));
        for address in ["https://a.org/x/z", "http://a.org/x/", "http://b.org/q"] {
            assert_eq!(sent(&next, address), sent(&jar, address), "{address}");
        }
        assert_eq!(next.changed_text(), None);
    }

    #[test]
    fn a_jar_stays_small() {
        let jar = CookieJar::new(CookieLimits { max_hosts: 2, max_per_host: 2, max_bytes: 10 });
        for host in ["http://a/", "http://b/", "http://c/"] {
            learn(&jar, host, &["a=1", "b=2", "c=3", "long=0123456789"]);
        }
        assert_eq!(sent(&jar, "http://a/"), None);
        assert_eq!(sent(&jar, "http://c/").as_deref(), Some("b=2; c=3"));
    }
}
