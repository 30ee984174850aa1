//! The canonical form of URLs that CDX indexes are keyed by: the rules of the Internet Archive's wayback machine, which
//! are those of Google's Safe Browsing lists and a few more that fold what visitors of a page do not tell apart.

use super::SurtOptions;
use super::escape::{escape, is_unsafe, unescape_repeatedly};
use super::host::{ia_host, reversed, without_www};
use super::session;

/// A URL in the parts that the rules work on. Every part is bytes, because archives hold whatever servers sent.
#[derive(Debug, Default)]
pub(super) struct IaUrl {
    scheme: Vec<u8>,
    host: Vec<u8>,
    /// Digits without leading zeros, or whatever else stood there.
    port: Vec<u8>,
    path: Vec<u8>,
    query: Vec<u8>,
    fragment: Vec<u8>,
    ends_in_question_mark: bool,
}

impl IaUrl {
    /// Takes a URL apart. None where nothing but blanks is there.
    pub(super) fn parse(raw: &[u8]) -> Option<Self> {
        let url = cleaned(raw);
        if url.is_empty() {
            return None;
        }
        let (scheme, rest) = url.split_at(scheme_len(&url)?);
        let (rest, fragment) = split_at_byte(&rest[1..], b'#');
        let (rest, query) = split_at_byte(rest, b'?');
        let (authority, path) = match rest.strip_prefix(b"//") {
            Some(rest) => rest.split_at(memchr::memchr(b'/', rest).unwrap_or(rest.len())),
            None => (&b""[..], rest),
        };
        let (host, port) = host_and_port(authority);
        let ends_in_question_mark = query.is_empty() && url.ends_with(b"?");
        let parts = Self {
            scheme: scheme.to_vec(),
            host: host.to_ascii_lowercase(),
            port: normal_port(port),
            path: path.to_vec(),
            query: query.to_vec(),
            fragment: fragment.to_vec(),
            ends_in_question_mark,
        };
        Some(parts.with_host_from_path())
    }

    /// `http:////////www.vikings.com/ships`: what looks like the host is the host.
    fn with_host_from_path(mut self) -> Self {
        if self.scheme.starts_with(b"http") && self.host.is_empty() && !self.path.is_empty() {
            let slashes = self.path.iter().take_while(|&&byte| byte == b'/').count();
            let (host, path) = split_at_byte(&self.path[slashes..], b'/');
            (self.host, self.path) = (host.to_vec(), [b"/", path].concat());
        }
        self
    }

    /// Brings the parts to their canonical form.
    pub(super) fn canonicalize(&mut self, options: SurtOptions) {
        self.host = ia_host(&self.host);
        let path = unescape_repeatedly(&self.path);
        let path = if self.host.is_empty() { path } else { normal_path(&path) };
        if options.host_massage && self.scheme != b"dns" {
            self.host = without_www(&self.host).to_vec();
        }
        if self.port == default_port(&self.scheme) {
            self.port.clear();
        }
        let mut path = session::strip_path(escape(&path, is_unsafe).to_ascii_lowercase());
        if path.len() > 1 && path.ends_with(b"/") {
            path.pop();
        }
        self.path = path;
        let query = escape(&unescape_repeatedly(&self.query), is_unsafe);
        self.query = sorted_query(&session::strip_query(query).to_ascii_lowercase());
        self.fragment.clear();
        self.ends_in_question_mark = false;
    }

    /// The URL with the host's labels reversed.
    pub(super) fn to_surt(&self, options: SurtOptions) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.path.len() + self.query.len() + self.host.len() + 16);
        if options.with_scheme || self.host.is_empty() {
            self.push_scheme(&mut out);
        }
        if !self.host.is_empty() {
            out.extend_from_slice(if options.with_scheme { b"(" } else { b"" });
            out.extend_from_slice(&reversed(&self.host));
            self.push_port(&mut out);
            out.extend_from_slice(if options.trailing_comma { b",)" } else { b")" });
        }
        self.push_rest(&mut out);
        out
    }

    /// The URL in its usual order.
    pub(super) fn to_url(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.push_scheme(&mut out);
        out.extend_from_slice(&self.host);
        if !self.host.is_empty() {
            self.push_port(&mut out);
        }
        self.push_rest(&mut out);
        out
    }

    fn push_scheme(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.scheme);
        let is_bare = self.host.is_empty() || self.scheme == b"dns";
        out.extend_from_slice(if is_bare { b":" } else { b"://" });
    }

    fn push_port(&self, out: &mut Vec<u8>) {
        if !self.port.is_empty() {
            out.push(b':');
            out.extend_from_slice(&self.port);
        }
    }

    fn push_rest(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.path);
        if self.path.is_empty() && !(self.query.is_empty() && self.fragment.is_empty()) {
            out.push(b'/');
        }
        for (mark, part) in [(b'?', &self.query), (b'#', &self.fragment)] {
            if !part.is_empty() {
                out.push(mark);
                out.extend_from_slice(part);
            }
        }
        out.extend_from_slice(if self.ends_in_question_mark { b"?" } else { b"" });
    }
}

/// Without blanks at both ends, line ends and tabs anywhere, and with one scheme: `http://` where none is, the last
/// of several.
fn cleaned(raw: &[u8]) -> Vec<u8> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c);
    let start = raw.iter().position(|byte| !is_blank(byte)).unwrap_or(raw.len());
    let end = raw.iter().rposition(|byte| !is_blank(byte)).map_or(start, |last| last + 1);
    let mut url: Vec<u8> =
        raw[start..end].iter().copied().filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\r')).collect();
    if !url.is_empty() && scheme_len(&url).is_none() {
        url.splice(..0, *b"http://");
    }
    let mut repeated = 0;
    let mut last = 0;
    while let Some(len) = [&b"http://"[..], b"https://"].into_iter().find(|s| url[repeated..].starts_with(s))
    {
        last = repeated;
        repeated += len.len();
    }
    url.drain(..last);
    url
}

/// The length of the scheme before its colon.
fn scheme_len(url: &[u8]) -> Option<usize> {
    let len = url
        .iter()
        .position(|byte| !matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'-' | b'.'))?;
    (url[len] == b':' && url[0].is_ascii_alphabetic()).then_some(len)
}

/// What stands before and behind the first `mark`; all of it before where there is none.
fn split_at_byte(text: &[u8], mark: u8) -> (&[u8], &[u8]) {
    match memchr::memchr(mark, text) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, b""),
    }
}

/// Without user and password, and without the brackets of an IPv6 address.
fn host_and_port(authority: &[u8]) -> (&[u8], &[u8]) {
    let colons = authority.iter().rev().take_while(|&&byte| byte == b':').count();
    let authority = &authority[..authority.len() - colons];
    let host_port = memchr::memrchr(b'@', authority).map_or(authority, |at| &authority[at + 1..]);
    match memchr::memchr(b'[', host_port) {
        Some(open) => {
            let (host, rest) = split_at_byte(&host_port[open + 1..], b']');
            (host, split_at_byte(rest, b':').1)
        }
        None => split_at_byte(host_port, b':'),
    }
}

/// Leading zeros removed, so that 0 is no port. What is no number stays, so that it tells keys apart.
fn normal_port(port: &[u8]) -> Vec<u8> {
    if !port.iter().all(u8::is_ascii_digit) {
        return escape(&port.to_ascii_lowercase(), |byte| is_unsafe(byte) || byte == b')')
            .to_ascii_lowercase();
    }
    let zeros = port.iter().take_while(|&&digit| digit == b'0').count();
    port[zeros..].to_vec()
}

fn default_port(scheme: &[u8]) -> &'static [u8] {
    match () {
        () if scheme.eq_ignore_ascii_case(b"http") => b"80",
        () if scheme.eq_ignore_ascii_case(b"https") => b"443",
        () => b"",
    }
}

/// Dots resolved and slashes in a row made one. A `..` with nothing before it stays, and is taken back by a second one.
fn normal_path(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(|&byte| byte == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." if !kept.is_empty() => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    let mut out = vec![b'/'];
    let (last, others) = kept.split_last().map_or((&b""[..], &[][..]), |(last, others)| (*last, others));
    for segment in others.iter().filter(|segment| !segment.is_empty()) {
        out.extend_from_slice(segment);
        out.push(b'/');
    }
    out.extend_from_slice(last);
    out
}

/// The parameters in byte order of their names, then of their values; a name without `=` before one with it.
fn sorted_query(query: &[u8]) -> Vec<u8> {
    let mut parameters: Vec<&[u8]> = query.split(|&byte| byte == b'&').collect();
    parameters.sort_by_cached_key(|parameter| {
        let equals = memchr::memchr(b'=', parameter);
        equals.map_or((*parameter, None), |at| (&parameter[..at], Some(&parameter[at + 1..])))
    });
    parameters.join(&b'&')
}
