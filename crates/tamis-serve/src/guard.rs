//! Who may ask: the method, the host that is asked for, the token.

use std::net::{Ipv4Addr, Ipv6Addr};

use axum::body::Body;
use http::header::{AUTHORIZATION, COOKIE, HOST, LOCATION, SET_COOKIE};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri};

use tamis_replay::page::Site;

use crate::failure::Failure;

/// Who may ask.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// Names of this server beside `localhost` and its IP addresses. A page of a stranger can make its own name mean this machine
    /// (DNS rebinding), but cannot change the name that the browser sends.
    pub hosts: Vec<String>,
    /// What a client must know. None: everybody who reaches the server may ask.
    pub token: Option<String>,
}

/// The cookie that holds the token in a browser.
const COOKIE_NAME: &str = "tamis_token";

impl Access {
    /// Checks a request. A response, if it needs no other.
    pub(crate) fn check<B>(&self, request: &Request<B>) -> Result<Option<Response<Body>>, Failure> {
        let host = host(request)?;
        if !self.is_own(&host) {
            let why = format!("{host} is not a name of this server; `--host {host}` makes it one");
            return Err(Failure::Misdirected(why));
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return Err(Failure::Method);
        }
        match &self.token {
            None => Ok(None),
            Some(token) => check_token(token, request.uri(), request.headers()),
        }
    }

    fn is_own(&self, host: &str) -> bool {
        let name = name_of(host).trim_end_matches('.').to_ascii_lowercase();
        let is_ip = name.parse::<Ipv4Addr>().is_ok()
            || name
                .strip_prefix('[')
                .and_then(|v6| v6.strip_suffix(']'))
                .is_some_and(|v6| v6.parse::<Ipv6Addr>().is_ok());
        name == "localhost"
            || is_ip
            || Site::is_bar(&name)
            || self.hosts.iter().any(|own| own.eq_ignore_ascii_case(&name))
    }
}

/// The host that is asked for, with its port. One, and the same wherever it is stated.
pub(crate) fn host<B>(request: &Request<B>) -> Result<String, Failure> {
    let mut stated = request.headers().get_all(HOST).iter();
    let bad = || Failure::BadRequest("the request must name one host".to_owned());
    let header = stated.next().ok_or_else(bad)?.to_str().map_err(|_| bad())?;
    if stated.next().is_some() {
        return Err(bad());
    }
    // The form that is meant for proxies.
    if request.uri().authority().is_some_and(|authority| !authority.as_str().eq_ignore_ascii_case(header)) {
        return Err(Failure::Misdirected("this server is not a proxy".to_owned()));
    }
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    if header.is_empty() || header.len() > 255 || !header.bytes().all(is_part) {
        return Err(bad());
    }
    Ok(header.to_owned())
}

fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() => name,
        _ => host,
    }
}

fn check_token(token: &str, uri: &Uri, headers: &HeaderMap) -> Result<Option<Response<Body>>, Failure> {
    let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let has_cookie = cookies.any(|(name, value)| name == COOKIE_NAME && is_same(value, token));
    if bearer.is_some_and(|bearer| is_same(bearer.trim(), token)) || has_cookie {
        return Ok(None);
    }
    // Elsewhere `token` may be a parameter of an archived URL.
    let query = uri.query().filter(|_| uri.path() == "/").unwrap_or_default();
    let given = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "token");
    if given.is_some_and(|(_, given)| is_same(&given, token)) {
        return Ok(Some(with_cookie(token)));
    }
    Err(Failure::Unauthorized)
}

/// Keeps the token in the browser, and takes it out of the address.
fn with_cookie(token: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let headers = response.headers_mut();
    headers.insert(LOCATION, HeaderValue::from_static("/"));
    let cookie = format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Lax");
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        headers.insert(SET_COOKIE, cookie);
    }
    response
}

/// Compares in a time that does not tell how much was right.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(uri: &str, headers: &[(&str, &str)]) -> Request<()> {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).expect("a request")
    }

    #[test]
    fn only_names_of_this_server_are_answered() {
        let access = Access { hosts: vec!["archive.example".into()], token: None };
        for (host, is_own) in [
            ("127.0.0.1:8080", true),
            ("localhost", true),
            ("LOCALHOST:1", true),
            ("[::1]:8080", true),
            ("192.168.1.5", true),
            ("archive.example:8080", true),
            ("evil.example", false),
            ("evil.example:8080", false),
            ("localhost.evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("bar.c1.localhost:8080", true),
            ("bar.c1.localhost.evil.example", false),
            ("bar.c.localhost", false),
            ("a.localhost", false),
        ] {
            let checked = access.check(&request("/", &[("host", host)]));
            assert_eq!(checked.is_ok(), is_own, "{host}: {checked:?}");
        }
        for headers in
            [&[][..], &[("host", "localhost"), ("host", "evil.example")], &[("host", "a b")], &[("host", "")]]
        {
            assert!(
                matches!(access.check(&request("/", headers)), Err(Failure::BadRequest(_))),
                "{headers:?}"
            );
        }
        let proxied = access.check(&request("http://evil.example/", &[("host", "localhost")]));
        assert!(matches!(proxied, Err(Failure::Misdirected(_))));
    }

    #[test]
    fn the_token_opens_the_door() {
        let access = Access { hosts: Vec::new(), token: Some("0123456789abcdef".into()) };
        let check = |uri: &str, name: &str, value: &str| {
            access.check(&request(uri, &[("host", "localhost"), (name, value)]))
        };
        for (uri, name, value, is_in) in [
            ("/c/a", "authorization", "Bearer 0123456789abcdef", true),
            ("/c/a", "cookie", "x=y; tamis_token=0123456789abcdef", true),
            ("/?token=0123456789abcdef", "x", "y", true),
            ("/c/a", "x", "y", false),
            ("/c/a?token=0123456789abcdef", "x", "y", false),
            ("/?token=0123456789abcdeX", "x", "y", false),
            ("/", "authorization", "Bearer 0123456789abcde", false),
            ("/", "cookie", "tamis_token=", false),
        ] {
            assert_eq!(check(uri, name, value).is_ok(), is_in, "{uri} {name}: {value}");
        }
        let redirect = check("/?token=0123456789abcdef", "x", "y").expect("let in").expect("a redirect");
        assert_eq!(
            (redirect.status(), &redirect.headers()[LOCATION]),
            (StatusCode::SEE_OTHER, &HeaderValue::from_static("/"))
        );
    }

    #[test]
    fn nothing_is_written() {
        let mut request = request("/", &[("host", "localhost")]);
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::CONNECT, Method::OPTIONS] {
            *request.method_mut() = method;
            assert_eq!(Access::default().check(&request).expect_err("refused"), Failure::Method);
        }
    }
}
