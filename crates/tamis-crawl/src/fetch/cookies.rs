//! Cookies of hosts, few and only where asked for.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use hyper::header::HeaderValue;
use tamis_archive::http::HttpHead;

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

/// The cookies of all hosts. Each goes back only to the host it came from, whatever `Domain` says, and lives until it is
/// taken back (`Max-Age=0`) or forgotten: a crawl is a session.
#[derive(Debug)]
pub(super) struct CookieJar {
    limits: CookieLimits,
    hosts: Mutex<Jars>,
}

#[derive(Debug, Default)]
struct Jars {
    by_host: HashMap<Box<str>, VecDeque<Cookie>>,
    in_order: VecDeque<Box<str>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Cookie {
    name: String,
    value: String,
    path: String,
    is_secure: bool,
    is_gone: bool,
}

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
            if let Some(cookie) = cookie.filter(|cookie| cookie.len_bytes() <= self.limits.max_bytes) {
                self.keep(address.host(), cookie);
            }
        }
    }

    fn keep(&self, host: &str, cookie: Cookie) {
        let mut jars = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
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
            "max-age" => self.is_gone = value == "0" || value.starts_with('-'),
            _ => {}
        }
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

fn path_of(address: &Address) -> &str {
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

fn path_matches(path: &str, of_cookie: &str) -> bool {
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
    fn a_jar_stays_small() {
        let jar = CookieJar::new(CookieLimits { max_hosts: 2, max_per_host: 2, max_bytes: 10 });
        for host in ["http://a/", "http://b/", "http://c/"] {
            learn(&jar, host, &["a=1", "b=2", "c=3", "long=0123456789"]);
        }
        assert_eq!(sent(&jar, "http://a/"), None);
        assert_eq!(sent(&jar, "http://c/").as_deref(), Some("b=2; c=3"));
    }
}
