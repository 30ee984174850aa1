//! Session identifiers in addresses: a new one for each visit, so that every page has endlessly many addresses.

use std::fmt;
use std::str::FromStr;

use crate::Address;

/// What is done with addresses that carry a session identifier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Sessions {
    /// The identifier is dropped before the address is known or fetched.
    #[default]
    Drop,
    /// The address is a trap.
    Refuse,
    /// The address is one like any other.
    Keep,
}

/// Parameters that are nothing else, in small letters.
const CERTAIN: &[&str] =
    &["phpsessid", "jsessionid", "oscsid", "osclsid", "zenid", "xtcsid", "cftoken", "sessid"];

/// Parameters that are one where the value is a token; `sid=5` may be a section, `session=3` a talk.
const POSSIBLE: &[&str] = &[
    "sid",
    "session",
    "sessionid",
    "session_id",
    "session-id",
    "sess",
    "sess_id",
    "sesskey",
    "sessionkey",
    "phpsid",
    "cfid",
];

/// 64 bits in hexadecimal; ASP.NET's are of 24 characters, PHP's of 26 or 32.
const SHORTEST_TOKEN: usize = 16;

/// What `s` is called for must be longer: it may be the words of a search.
const SHORTEST_OF_S: usize = 20;

/// The address without session identifiers; none where it has none.
pub(super) fn without_session(address: &Address) -> Option<Address> {
    let path_and_query = address.path_and_query();
    let (path, query) = path_and_query.split_once('?').map_or((path_and_query, None), |(p, q)| (p, Some(q)));
    let path_left = path_without_session(path);
    let query_left = query.and_then(query_without_session);
    if path_left.is_none() && query_left.is_none() {
        return None;
    }
    let mut text = format!("{}{}", address.origin(), path_left.as_deref().unwrap_or(path));
    if let Some(query) =
        query_left.as_deref().or(query).filter(|query| !query.is_empty() || query_left.is_none())
    {
        text.push('?');
        text.push_str(query);
    }
    Address::parse(&text)
}

fn path_without_session(path: &str) -> Option<String> {
    memchr::memchr2(b';', b'(', path.as_bytes())?;
    let left: Vec<_> = path.split('/').filter(|segment| !is_cookieless(segment)).map(segment_left).collect();
    let left = left.join("/");
    (left != path).then_some(left)
}

/// `/page;jsessionid=…` without what is behind such a semicolon.
fn segment_left(segment: &str) -> String {
    let mut parts = segment.split(';');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.filter(|part| !is_session(part)).fold(first, |left, part| left + ";" + part)
}

/// `(S(lit3py55t21z5v55vlm25s55))`: a folder in which ASP.NET keeps what it otherwise keeps in a cookie.
fn is_cookieless(segment: &str) -> bool {
    let inner = segment.strip_prefix('(').and_then(|segment| segment.strip_suffix("))"));
    inner.is_some_and(|inner| inner.as_bytes().get(1) == Some(&b'(') && is_token(&inner[2..], SHORTEST_TOKEN))
}

fn query_without_session(query: &str) -> Option<String> {
    query.split('&').any(is_session).then(|| {
        let left: Vec<_> = query.split('&').filter(|parameter| !is_session(parameter)).collect();
        left.join("&")
    })
}

fn is_session(parameter: &str) -> bool {
    let Some((name, value)) = parameter.split_once('=') else { return false };
    let is = |known: &&str| name.eq_ignore_ascii_case(known);
    let is_asp = name.get(..12).is_some_and(|start| start.eq_ignore_ascii_case("aspsessionid"));
    is_asp
        || CERTAIN.iter().any(is)
        || POSSIBLE.iter().any(is) && is_token(value, SHORTEST_TOKEN)
        || is(&"s") && is_token(value, SHORTEST_OF_S)
}

/// So many letters and digits at least, as no word has them.
pub(super) fn is_token(value: &str, shortest: usize) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    value.len() >= shortest
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
        && digits >= 3
}

impl FromStr for Sessions {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Ok(match text {
            "drop" => Self::Drop,
            "refuse" => Self::Refuse,
            "keep" => Self::Keep,
            _ => return Err(()),
        })
    }
}

impl fmt::Display for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Drop => "drop",
            Self::Refuse => "refuse",
            Self::Keep => "keep",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_dropped_and_words_are_not() {
        for (path, left) in [
            ("/a;jsessionid=0A1B?x=1", Some("/a?x=1")),
            ("/a;jsessionid=0A1B;v=2/b", Some("/a;v=2/b")),
            ("/a?PHPSESSID=1&b=2", Some("/a?b=2")),
            ("/a?b=2&sid=0123456789abcdef0123456789abcdef", Some("/a?b=2")),
            ("/a?sid=0123456789abcdef0123456789abcdef", Some("/a")),
            ("/a?ASPSESSIONIDQQ=x&ASPSESSIONIDRR=y", Some("/a")),
            ("/(S(lit3py55t21z5v55vlm25s55))/a.aspx", Some("/a.aspx")),
            ("/a?item=3&sid=00ff17aa00ff17ab", Some("/a?item=3")),
            ("/a?Session-Id=00ff17aa00ff17ab", Some("/a")),
            ("/a?s=00ff17aa00ff17ab", None),
            ("/a?sid=2024-05-06", None),
            ("/a?sid=5", None),
            ("/a?s=search-words-that-are-long", None),
            ("/a?session=keynote", None),
            ("/a?", None),
            ("/wiki/Foo_(bar(baz))", None),
            ("/a;v=2", None),
        ] {
            let address = Address::parse(&format!("http://x.org:81{path}")).expect(path);
            let left = left.map(|left| format!("http://x.org:81{left}"));
            let found = without_session(&address);
            assert_eq!(found.as_ref().map(Address::as_str), left.as_deref(), "{path}");
            assert!(found.is_none_or(|found| without_session(&found).is_none()), "{path}: once is enough");
        }
    }
}
