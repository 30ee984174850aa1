//! Where archived URLs are on a replay server: each origin has a host of its own, at a moment.
//!
//! `https://www.example.com:8443/a` at 2020 is `http://www.example.com.p8443.t20200101000000.c1.localhost:8080/a`: browsers resolve names
//! below `localhost` to this machine. `http` and `https` are one origin, as they are one key in an index.

use std::fmt::Write as _;
use std::net::Ipv6Addr;

/// The longest name of a host.
const MAX_HOST_BYTES: usize = 253;

/// A collection at a moment, as replay hosts name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// Fourteen digits.
    pub timestamp: String,
    /// The number of the collection.
    pub collection: usize,
    /// The port of the server.
    pub port: u16,
}

/// An archived origin, as the host of a request names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The collection and the moment.
    pub site: Site,
    /// The archived host, with its port where that is not 80 or 443.
    pub authority: String,
}

impl Origin {
    /// Reads the value of `Host`. None: no replay host.
    pub fn parse(host: &str) -> Option<Self> {
        let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
        let port = port.parse().ok()?;
        let name = name.to_ascii_lowercase();
        let name = name.strip_suffix(".localhost")?;
        let (rest, collection) = name.rsplit_once(".c")?;
        let (archived, timestamp) = rest.rsplit_once(".t")?;
        let is_moment = timestamp.len() == 14 && timestamp.bytes().all(|byte| byte.is_ascii_digit());
        let collection = collection.parse().ok().filter(|_| is_moment && !collection.starts_with('0'))?;
        let site = Site { timestamp: timestamp.to_owned(), collection, port };
        Some(Self { site, authority: archived_authority(archived)? })
    }

    /// The archived URL of a path with its query.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.authority)
    }
}

impl Site {
    /// The replay host of an archived authority (`www.example.com:8080`), with the port of the server. None: it has none.
    pub fn host(&self, authority: &str) -> Option<String> {
        let name = self.name(authority)?;
        Some(format!("{name}:{}", self.port))
    }

    /// The host of the page that shows archived pages in its frame. It is of the same site as they are: browsers keep cookies from
    /// frames of other sites.
    pub fn bar(&self) -> String {
        format!("bar.c{}.localhost:{}", self.collection, self.port)
    }

    /// Whether a name, without its port, is one that [`Site::bar`] gives.
    pub fn is_bar(name: &str) -> bool {
        let number = name.strip_prefix("bar.c").and_then(|rest| rest.strip_suffix(".localhost"));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// What all replay hosts of this collection and moment match, for a policy.
    pub fn pattern(&self) -> String {
        format!("http://*.t{}.c{}.localhost:{}", self.timestamp, self.collection, self.port)
    }

    /// An absolute URL of the web as one of this server. None if it is relative, or not of the web: it stays as it is.
    pub fn map(&self, url: &str) -> Option<String> {
        let trimmed = url.trim_matches(|c: char| c <= ' ');
        let (scheme, rest) = split_scheme(trimmed);
        let is_web = scheme.is_none_or(|scheme| matches!(&*scheme, "http" | "https"));
        let rest = rest.trim_start_matches(['\t', '\n', '\r']);
        let slashes = rest.bytes().take_while(|byte| matches!(byte, b'/' | b'\\')).count();
        if !is_web || slashes < 2 {
            return None;
        }
        let rest = &rest[slashes..];
        let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
        let authority: String = rest[..end].chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
        let host = self.host(authority.rsplit('@').next().unwrap_or_default())?;
        Some(format!("http://{host}{}", &rest[end..]))
    }

    fn name(&self, authority: &str) -> Option<String> {
        let (host, port) = split_port(authority)?;
        let mut name = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            Some(v6) => format!(
                "{}.v6",
                v6.parse::<Ipv6Addr>().ok()?.segments().map(|part| format!("{part:x}")).join("-")
            ),
            None => ascii_host(host)?,
        };
        if let Some(port) = port.filter(|port| !matches!(port, 80 | 443)) {
            let _ = write!(name, ".p{port}");
        }
        // Writing to a text cannot fail.
        let _ = write!(name, ".t{}.c{}.localhost", self.timestamp, self.collection);
        (name.len() <= MAX_HOST_BYTES).then_some(name)
    }
}

/// A host in the letters of DNS.
fn ascii_host(host: &str) -> Option<String> {
    let host = match url::Host::parse(host.trim_end_matches('.')).ok()? {
        url::Host::Domain(domain) => domain,
        url::Host::Ipv4(ip) => ip.to_string(),
        url::Host::Ipv6(_) => return None,
    };
    // Names of replay hosts in an archive would be those of other moments.
    let is_ours = host == "localhost" || host.ends_with(".localhost");
    let is_sound = host.split('.').all(|label| !label.is_empty() && label.len() <= 63);
    (is_sound && !is_ours).then_some(host)
}

fn split_port(authority: &str) -> Option<(&str, Option<u16>)> {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => {
            Some((host, if port.is_empty() { None } else { Some(port.parse().ok()?) }))
        }
        _ => Some((authority, None)),
    }
}

fn archived_authority(name: &str) -> Option<String> {
    let (name, port) = match name.rsplit_once(".p") {
        Some((host, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => {
            (host, Some(port.parse::<u16>().ok()?))
        }
        _ => (name, None),
    };
    let host = match name.strip_suffix(".v6") {
        Some(v6) => format!("[{}]", v6.replace('-', ":").parse::<Ipv6Addr>().ok()?),
        None => name.to_owned(),
    };
    let is_host = !host.is_empty()
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._[]:".contains(&byte));
    is_host.then(|| port.map_or_else(|| host.clone(), |port| format!("{host}:{port}")))
}

/// The scheme in lower case, and what follows its colon. Browsers drop tabs and line ends in it.
fn split_scheme(url: &str) -> (Option<String>, &str) {
    let end = url.find([':', '/', '\\', '?', '#']);
    let Some(at) = end.filter(|&at| url.as_bytes()[at] == b':') else { return (None, url) };
    let scheme: String = url[..at].chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
    let is_scheme = scheme.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if is_scheme { (Some(scheme.to_ascii_lowercase()), &url[at + 1..]) } else { (None, url) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        Site { timestamp: "20200101000000".into(), collection: 1, port: 8080 }
    }

    #[test]
    fn absolute_urls_of_the_web_have_a_host_here_and_others_stay() {
        let end = "t20200101000000.c1.localhost:8080";
        for (url, expected) in [
            ("http://www.example.com/a?b#c", Some(format!("http://www.example.com.{end}/a?b#c"))),
            ("https://example.com", Some(format!("http://example.com.{end}"))),
            ("//example.com/x", Some(format!("http://example.com.{end}/x"))),
            ("  HTTPS://Example.COM:443/x ", Some(format!("http://example.com.{end}/x"))),
            ("http://example.com:8443/x", Some(format!("http://example.com.p8443.{end}/x"))),
            ("http://user:pass@example.com/x", Some(format!("http://example.com.{end}/x"))),
            ("\\\\example.com\\x", Some(format!("http://example.com.{end}\\x"))),
            ("http:\\/example.com/x", Some(format!("http://example.com.{end}/x"))),
            ("ht\ntp://exam\tple.com/x", Some(format!("http://example.com.{end}/x"))),
            ("http://b\u{fc}cher.example/x", Some(format!("http://xn--bcher-kva.example.{end}/x"))),
            ("http://10.0.0.1/x", Some(format!("http://10.0.0.1.{end}/x"))),
            ("http://[::1]:81/", Some(format!("http://0-0-0-0-0-0-0-1.v6.p81.{end}/"))),
            ("http:////example.com/x", Some(format!("http://example.com.{end}/x"))),
            ("/x", None),
            ("x/y:z", None),
            ("?a=http://b/", None),
            ("#http://b/", None),
            ("data:text/html,//x", None),
            ("javascript://x/", None),
            ("mailto:a@b", None),
            ("blob:http://a/", None),
            ("http://localhost:8080/c/secret", None),
            ("http://a.t1.localhost/", None),
            ("http://exa mple.com/", None),
            ("http://", None),
            ("", None),
        ] {
            assert_eq!(site().map(url), expected, "{url}");
        }
        assert_eq!(site().map(&format!("http://{}/", "a.".repeat(120))), None);
    }

    #[test]
    fn a_host_is_read_as_it_was_written() {
        for authority in
            ["www.example.com", "example.com:8443", "10.0.0.1", "a_b.example", "[::1]:81", "x.p1.t2.c3"]
        {
            let host = site().host(authority).expect(authority);
            let origin = Origin::parse(&host).expect(&host);
            assert_eq!((&origin.site, &*origin.authority), (&site(), authority), "{host}");
        }
        for host in [
            "localhost:8080",
            "t20200101000000.c1.localhost:8080",
            "a.t2020.c1.localhost:8080",
            "a.t20200101000000.localhost:8080",
            "a.t20200101000000.c01.localhost:8080",
            "a.t20200101000000.c1.localhost.evil.example",
            ".t20200101000000.c1.localhost:8080",
            "a/b.t20200101000000.c1.localhost:8080",
        ] {
            assert_eq!(Origin::parse(host), None, "{host}");
        }
    }
}
