//! A proxy that all connections go through: HTTP (CONNECT, and requests with the whole URL) or SOCKS 5.
//!
//! By default the crawler resolves names itself, checks the addresses, and asks the proxy for a tunnel to the checked address, for `http`
//! URLs, too: a proxy that looks names up could be led to addresses that the [`guard`](super::guard) refuses. A proxy that resolves
//! names ([`Proxy::resolves`]) is therefore only for crawls that may connect to private addresses.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use hyper::header::HeaderValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use xxhash_rust::xxh3::xxh3_64;

use super::credentials::basic;
use super::failure::Failure;
use crate::address::{Address, Scheme};

/// The longest head that a proxy may answer a CONNECT with.
const LONGEST_HEAD: usize = 16 << 10;

/// Where connections go first, and how they are asked to go on.
#[derive(Clone, PartialEq, Eq)]
pub struct Proxy {
    kind: Kind,
    /// `host:port`.
    authority: String,
    auth: Option<(String, String)>,
    /// Whether it looks names up.
    resolves: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Http,
    Socks5,
}

/// What is wrong with the URL of a proxy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a proxy such as http://proxy.example:3128 or socks5://127.0.0.1:1080")]
pub struct NoProxy(String);

impl FromStr for Proxy {
    type Err = NoProxy;

    fn from_str(text: &str) -> Result<Self, NoProxy> {
        let wrong = || NoProxy(text.split_once('@').map_or(text, |(_, rest)| rest).to_owned());
        let (scheme, rest) = text.split_once("://").ok_or_else(wrong)?;
        let (kind, port) = match scheme {
            "http" => (Kind::Http, 80),
            "socks5" => (Kind::Socks5, 1080),
            _ => return Err(wrong()),
        };
        // Spelt and checked as the authority of a URL; user and password come by another way.
        let address = Address::parse(&format!("http://{}", rest.trim_end_matches('/'))).ok_or_else(wrong)?;
        if rest.contains('@') || address.path_and_query() != "/" {
            return Err(wrong());
        }
        let named = rest.rsplit(']').next().is_some_and(|rest| rest.contains(':'));
        let port = if named { address.port() } else { port };
        let authority = format!("{}:{port}", address.host());
        Ok(Self { kind, authority, auth: None, resolves: false })
    }
}

impl Proxy {
    /// The same for a user with a password; none if they cannot be sent.
    pub fn with_auth(self, user: &str, password: &str) -> Option<Self> {
        let is_fit = |text: &str| text.len() <= 255 && !text.chars().any(char::is_control);
        let is_user = !user.is_empty() && !user.contains(':') && is_fit(user) && is_fit(password);
        is_user.then(|| Self { auth: Some((user.to_owned(), password.to_owned())), ..self })
    }

    /// The same, looking names up or not.
    #[must_use]
    pub fn resolving(self, resolves: bool) -> Self {
        Self { resolves, ..self }
    }

    /// Whether it looks names up.
    pub fn resolves(&self) -> bool {
        self.resolves
    }

    /// Connects to the server of an address, whose IP address is `to` if the proxy does not look it up.
    pub(super) async fn connect(&self, address: &Address, to: SocketAddr) -> Result<TcpStream, Failure> {
        let mut stream = TcpStream::connect(&*self.authority).await.map_err(|_| Failure::Proxy)?;
        let _ = stream.set_nodelay(true);
        match self.kind {
            Kind::Http if self.takes_whole_urls(address) => {}
            Kind::Http => self.tunnel(&mut stream, address, to).await?,
            Kind::Socks5 => self.socks(&mut stream, address, to).await?,
        }
        Ok(stream)
    }

    /// Whether requests for an address go to it with the whole URL, rather than through a tunnel.
    pub(super) fn takes_whole_urls(&self, address: &Address) -> bool {
        self.kind == Kind::Http && self.resolves && address.scheme() == Scheme::Http
    }

    /// What requests with the whole URL say to the proxy alone.
    pub(super) fn authorization(&self) -> Option<HeaderValue> {
        let (user, password) = self.auth.as_ref()?;
        let mut value = HeaderValue::from_str(&basic(user, password)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// RFC 9110, section 9.3.6.
    async fn tunnel(&self, stream: &mut TcpStream, address: &Address, to: SocketAddr) -> Result<(), Failure> {
        let target =
            if self.resolves { format!("{}:{}", address.host(), address.port()) } else { to.to_string() };
        let auth = self
            .auth
            .as_ref()
            .map(|(user, password)| format!("Proxy-Authorization: {}\r\n", basic(user, password)));
        let auth = auth.unwrap_or_default();
        let request = format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{auth}\r\n");
        stream.write_all(request.as_bytes()).await.map_err(|_| Failure::Proxy)?;
        // Byte by byte: what follows the head belongs to the server.
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            if head.len() >= LONGEST_HEAD {
                return Err(Failure::Proxy);
            }
            head.push(stream.read_u8().await.map_err(|_| Failure::Proxy)?);
        }
        let status = head.split(|byte| *byte == b' ').nth(1).unwrap_or_default();
        match status {
            [b'2', _, _] if head.starts_with(b"HTTP/1.") => Ok(()),
            b"502" | b"503" => Err(Failure::ConnectionRefused),
            b"504" => Err(Failure::ConnectTimeout),
            _ => Err(Failure::Proxy),
        }
    }

    /// RFC 1928, and RFC 1929 for user and password.
    async fn socks(&self, stream: &mut TcpStream, address: &Address, to: SocketAddr) -> Result<(), Failure> {
        let failed = |_| Failure::Proxy;
        let methods: &[u8] = if self.auth.is_some() { &[5, 2, 0, 2] } else { &[5, 1, 0] };
        stream.write_all(methods).await.map_err(failed)?;
        let mut chosen = [0; 2];
        stream.read_exact(&mut chosen).await.map_err(failed)?;
        match (chosen, &self.auth) {
            ([5, 0], _) => {}
            ([5, 2], Some((user, password))) => {
                let lengths = [user.len() as u8, password.len() as u8];
                let said = [&[1, lengths[0]], user.as_bytes(), &[lengths[1]], password.as_bytes()].concat();
                stream.write_all(&said).await.map_err(failed)?;
                let mut answer = [0; 2];
                stream.read_exact(&mut answer).await.map_err(failed)?;
                if answer[1] != 0 {
                    return Err(Failure::Proxy);
                }
            }
            _ => return Err(Failure::Proxy),
        }
        let name = Some(address.host()).filter(|_| self.resolves && address.ip().is_none());
        stream.write_all(&socks_request(name, address.ip(), to)).await.map_err(failed)?;
        read_socks_reply(stream).await
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, authority, resolves, .. } = self;
        write!(f, "Proxy({kind:?} {authority}, resolves: {resolves})")
    }
}

fn socks_request(name: Option<&str>, literal: Option<IpAddr>, to: SocketAddr) -> Vec<u8> {
    let mut request = vec![5, 1, 0];
    match (name, literal.unwrap_or(to.ip())) {
        (Some(name), _) => {
            // Names of URLs have 253 bytes at most; a longer one no proxy can take.
            let name = &name.as_bytes()[..name.len().min(255)];
            request.extend_from_slice(&[3, name.len() as u8]);
            request.extend_from_slice(name);
        }
        (None, IpAddr::V4(ip)) => {
            request.push(1);
            request.extend_from_slice(&ip.octets());
        }
        (None, IpAddr::V6(ip)) => {
            request.push(4);
            request.extend_from_slice(&ip.octets());
        }
    }
    request.extend_from_slice(&to.port().to_be_bytes());
    request
}

async fn read_socks_reply(stream: &mut TcpStream) -> Result<(), Failure> {
    let failed = |_| Failure::Proxy;
    let mut head = [0; 4];
    stream.read_exact(&mut head).await.map_err(failed)?;
    match head {
        [5, 0, ..] => {}
        [5, 3 | 4, ..] => return Err(Failure::Unreachable),
        [5, 5, ..] => return Err(Failure::ConnectionRefused),
        [5, 6, ..] => return Err(Failure::ConnectTimeout),
        _ => return Err(Failure::Proxy),
    }
    let bound = match head[3] {
        1 => 4,
        3 => usize::from(stream.read_u8().await.map_err(failed)?),
        4 => 16,
        _ => return Err(Failure::Proxy),
    };
    let mut rest = vec![0; bound + 2];
    stream.read_exact(&mut rest).await.map(drop).map_err(failed)
}

/// A stand-in for the address of a host that only the proxy knows, so that each host has a turn of its own. It is of a range in which
/// nobody is (240.0.0.0/4).
pub(crate) fn stand_in(host: &str) -> IpAddr {
    Ipv4Addr::from(xxh3_64(host.as_bytes()) as u32 | 0xf000_0000).into()
}

/// Whether an address is a stand-in.
pub(crate) fn is_stand_in(ip: IpAddr) -> bool {
    matches!(ip, IpAddr::V4(ip) if ip.octets()[0] >= 240)
}

/// Makes of a request with the whole URL the one that the server sees: archives are of servers, not of proxies.
pub(super) fn origin_form(request: &mut Vec<u8>, address: &Address) {
    let whole = address.as_str().as_bytes();
    let start = request.iter().position(|byte| *byte == b' ').map_or(0, |at| at + 1);
    if request[start..].starts_with(whole) {
        request.splice(start..start + whole.len(), address.path_and_query().bytes());
    }
    let name = b"\r\nproxy-authorization:";
    let is_name =
        |at: &usize| request[*at..].get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name));
    if let Some(at) = (0..request.len()).find(is_name) {
        let end = memchr::memmem::find(&request[at + 2..], b"\r\n").map_or(request.len(), |len| at + 2 + len);
        request.drain(at..end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_named_by_urls() {
        for (text, expected) in [
            ("http://proxy.example:3128", Some("Proxy(Http proxy.example:3128, resolves: false)")),
            ("http://proxy.example/", Some("Proxy(Http proxy.example:80, resolves: false)")),
            ("http://proxy.example:80", Some("Proxy(Http proxy.example:80, resolves: false)")),
            ("socks5://127.0.0.1", Some("Proxy(Socks5 127.0.0.1:1080, resolves: false)")),
            ("socks5://[::1]:9050", Some("Proxy(Socks5 [::1]:9050, resolves: false)")),
            ("socks4://a:1", None),
            ("proxy.example:3128", None),
            ("http://u:p@proxy.example", None),
            ("http://proxy.example/path", None),
            ("http://", None),
            ("", None),
        ] {
            let proxy = text.parse::<Proxy>().ok().map(|proxy| format!("{proxy:?}"));
            assert_eq!(proxy.as_deref(), expected, "{text}");
        }
        let error = "http://u:sesame@proxy.example".parse::<Proxy>().expect_err("a password").to_string();
        assert!(!error.contains("sesame"), "{error}");
        let proxy: Proxy = "http://a".parse().expect("a proxy");
        for (user, password) in [("", "p"), ("a:b", "p"), ("a", "p\n"), (&*"a".repeat(256), "p")] {
            assert!(proxy.clone().with_auth(user, password).is_none(), "{user}");
        }
    }

    #[test]
    fn a_request_is_kept_as_the_server_sees_it() {
        let address = Address::parse("http://a.example/x?y").expect("an address");
        let mut request = b"GET http://a.example/x?y HTTP/1.1\r\nHost: a.example\r\nProxy-Authorization: Basic abc\r\nA: b\r\n\r\n".to_vec();
        origin_form(&mut request, &address);
        assert_eq!(String::from_utf8_lossy(&request), "GET /x?y HTTP/1.1\r\nHost: a.example\r\nA: b\r\n\r\n");
        let before = request.clone();
        origin_form(&mut request, &address);
        assert_eq!(request, before);
        origin_form(&mut Vec::new(), &address);
    }

    #[test]
    fn hosts_without_address_have_stand_ins_of_their_own() {
        let (a, b) = (stand_in("a.example"), stand_in("b.example"));
        assert!(a != b && is_stand_in(a) && is_stand_in(b) && a == stand_in("a.example"));
        assert!(!is_stand_in([8, 8, 8, 8].into()) && !super::super::guard::is_public(a));
    }
}
