//! User and password for a host, and what archives get to see of them.

use std::fmt;

use data_encoding::BASE64;
use hyper::header::HeaderValue;

/// What a request says to a server that asks who is there (RFC 7617). Debugging does not print it.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    value: HeaderValue,
    without_tls: bool,
}

/// What stands in the records instead.
const WITHHELD: &[u8] = b"(withheld)";

impl Credentials {
    /// User and password; none if they cannot be sent. Unless `without_tls` allows it, they are sent over TLS alone.
    pub fn basic(user: &str, password: &str, without_tls: bool) -> Option<Self> {
        let is_fit = |text: &str| !text.chars().any(char::is_control);
        if user.contains(':') || user.is_empty() || !is_fit(user) || !is_fit(password) {
            return None;
        }
        let mut value = HeaderValue::from_str(&basic(user, password)).ok()?;
        value.set_sensitive(true);
        Some(Self { value, without_tls })
    }

    /// The value of `Authorization` over a connection with or without TLS.
    pub(super) fn value(&self, has_tls: bool) -> Option<&HeaderValue> {
        (has_tls || self.without_tls).then_some(&self.value)
    }
}

/// User and password as `Authorization` and `Proxy-Authorization` have them.
pub(super) fn basic(user: &str, password: &str) -> String {
    format!("Basic {}", BASE64.encode(format!("{user}:{password}").as_bytes()))
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("without_tls", &self.without_tls).finish_non_exhaustive()
    }
}

/// Takes the values of `Authorization` and `Proxy-Authorization` out of the head of a request: archives are given away.
pub(super) fn withhold(request: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(len) = memchr::memmem::find(&request[at..], b"\r\n") {
        let line = &request[at..at + len];
        let colon = line.iter().position(|byte| *byte == b':');
        let is_secret = colon.is_some_and(|colon| {
            let name = &line[..colon];
            name.eq_ignore_ascii_case(b"authorization") || name.eq_ignore_ascii_case(b"proxy-authorization")
        });
        let Some(colon) = colon.filter(|_| is_secret) else {
            at += len + 2;
            continue;
        };
        let value = at + colon + 1;
        request.splice(value..at + len, [b" ", WITHHELD].concat());
        at = value + 1 + WITHHELD.len() + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_encoded_and_hidden() {
        let secret = Credentials::basic("Aladdin", "open sesame", false).expect("fit");
        assert_eq!(
            secret.value(true).map(HeaderValue::as_bytes),
            Some(&b"Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="[..])
        );
        assert_eq!(secret.value(false), None);
        assert!(Credentials::basic("a", "b", true).expect("fit").value(false).is_some());
        assert!(!format!("{secret:?}").contains("QWxh"));
        for (user, password) in [("a:b", "c"), ("", "c"), ("a\n", "c"), ("a", "c\r\nX: y")] {
            assert_eq!(Credentials::basic(user, password, false), None, "{user:?}");
        }
    }

    #[test]
    fn secrets_are_taken_out_of_requests() {
        for (request, kept) in [
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
            (
                "GET / HTTP/1.1\r\nAuthorization: Basic abc\r\nA: b\r\nproxy-authorization:x\r\n\r\n",
                "GET / HTTP/1.1\r\nAuthorization: (withheld)\r\nA: b\r\nproxy-authorization: (withheld)\r\n\r\n",
            ),
            ("Authorization: x", "Authorization: x"),
            ("", ""),
        ] {
            let mut bytes = request.as_bytes().to_vec();
            withhold(&mut bytes);
            assert_eq!(String::from_utf8_lossy(&bytes), kept);
        }
    }
}
