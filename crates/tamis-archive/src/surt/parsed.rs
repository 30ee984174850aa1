//! A URL taken apart without loss: put together again, the parts give the same bytes.

use super::host::{parse_ipv4, reversed};

/// A URL in its parts, the marks between them included. Any bytes are a URL.
///
/// The parts are split where browsers split them (WHATWG URL): the schemes that browsers know need no slashes before the
/// host, take backslashes for slashes, and line ends and tabs are no part of the syntax.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ParsedUrl {
    /// Blanks and control characters before the URL.
    pub leading_junk: Vec<u8>,
    pub scheme: Vec<u8>,
    pub colon_after_scheme: Vec<u8>,
    pub slashes: Vec<u8>,
    pub username: Vec<u8>,
    pub colon_before_password: Vec<u8>,
    pub password: Vec<u8>,
    pub at_sign: Vec<u8>,
    pub host: Vec<u8>,
    pub colon_before_port: Vec<u8>,
    pub port: Vec<u8>,
    pub path: Vec<u8>,
    pub question_mark: Vec<u8>,
    pub query: Vec<u8>,
    pub hash_sign: Vec<u8>,
    pub fragment: Vec<u8>,
    /// Blanks and control characters behind the URL.
    pub trailing_junk: Vec<u8>,
}

impl ParsedUrl {
    /// Takes a URL apart.
    pub fn parse(url: impl AsRef<[u8]>) -> Self {
        let url = url.as_ref();
        let start = url.iter().position(|&byte| byte > b' ').unwrap_or(url.len());
        let end = url.iter().rposition(|&byte| byte > b' ').map_or(start, |last| last + 1);
        let mut parts = Self {
            leading_junk: url[..start].to_vec(),
            trailing_junk: url[end..].to_vec(),
            ..Self::default()
        };
        let rest = parts.take_scheme(&url[start..end]);
        let rest = split_mark(rest, b'#', &mut parts.hash_sign, &mut parts.fragment);
        let rest = split_mark(rest, b'?', &mut parts.question_mark, &mut parts.query);
        parts.set_authority_and_path(rest);
        parts
    }

    /// The URL put together again.
    pub fn to_bytes(&self) -> Vec<u8> {
        [
            &self.leading_junk,
            &self.scheme,
            &self.colon_after_scheme,
            &self.slashes,
            &self.authority(),
            &self.rest(),
        ]
        .into_iter()
        .flatten()
        .copied()
        .collect()
    }

    /// With the host's labels in reverse: `http://(org,example,)/path`. An address stays as it is.
    pub fn surt(&self, trailing_comma: bool, with_scheme: bool) -> Vec<u8> {
        let mut out = self.leading_junk.clone();
        if with_scheme {
            out.extend([&self.scheme[..], &self.colon_after_scheme, &self.slashes].concat());
        }
        if !self.host.is_empty() {
            out.extend_from_slice(if with_scheme { b"(" } else { b"" });
            out.extend(ssurt_host(&self.host, trailing_comma));
            out.extend([&self.colon_before_port[..], &self.port, b")"].concat());
        }
        out.extend(self.rest());
        out
    }

    /// In an order of parts that is best for sorting: host in reverse, port, scheme, user, path, query.
    pub fn ssurt(&self) -> Vec<u8> {
        [
            &self.leading_junk[..],
            &ssurt_host(&self.host, true),
            &self.slashes,
            &self.port,
            &self.colon_before_port,
            &self.scheme,
            &self.at_sign,
            &self.username,
            &self.colon_before_password,
            &self.password,
            &self.colon_after_scheme,
            &self.rest(),
        ]
        .concat()
    }

    /// The SURT and each prefix of it that is a meaningful set of URLs, from the URL itself to all of its scheme. Empty for
    /// schemes that browsers do not know.
    pub fn surt_ancestry(&self) -> Vec<Vec<u8>> {
        if !self.is_special() {
            return Vec::new();
        }
        let parts = self.surt_parts();
        (1..=parts.len()).rev().map(|len| parts[..len].concat()).collect()
    }

    /// Whether browsers know the scheme.
    pub(super) fn is_special(&self) -> bool {
        default_port(&self.scheme).is_some()
    }

    pub(super) fn has_authority(&self) -> bool {
        let parts = [&self.username, &self.colon_before_password, &self.password, &self.at_sign];
        let more = [&self.host, &self.colon_before_port, &self.port];
        parts.into_iter().chain(more).any(|part| !part.is_empty())
    }

    /// Splits what stands between scheme and query, as the scheme wants it.
    pub(super) fn set_authority_and_path(&mut self, rest: &[u8]) {
        let scheme = without_breaks(&self.scheme).to_ascii_lowercase();
        let (is_file, is_special) = (scheme == b"file", default_port(&scheme).is_some());
        let is_slash = |byte: u8| byte == b'/' || (is_special && byte == b'\\');
        let slashes = if is_special && !is_file {
            Some(rest.iter().take_while(|&&byte| is_slash(byte) || is_break(byte)).count())
        } else {
            two_slashes_len(rest, is_slash)
        };
        let Some(slashes) = slashes else {
            self.path = rest.to_vec();
            return;
        };
        let (slashes, rest) = rest.split_at(slashes);
        let (authority, path) =
            rest.split_at(rest.iter().position(|&byte| is_slash(byte)).unwrap_or(rest.len()));
        self.slashes = slashes.to_vec();
        self.path = path.to_vec();
        if is_file {
            self.host = authority.to_vec();
        } else {
            self.set_authority(authority);
        }
    }

    /// Splits the scheme off where there is one, and gives what follows its colon.
    fn take_scheme<'a>(&mut self, url: &'a [u8]) -> &'a [u8] {
        let is_scheme =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.') || is_break(byte);
        let len = url.iter().take_while(|&&byte| is_scheme(byte)).count();
        if url.get(len) != Some(&b':') || !url[0].is_ascii_alphabetic() {
            return url;
        }
        self.scheme = url[..len].to_vec();
        self.colon_after_scheme = b":".to_vec();
        &url[len + 1..]
    }

    fn set_authority(&mut self, authority: &[u8]) {
        let host_port = match memchr::memrchr(b'@', authority) {
            Some(at) => {
                self.at_sign = b"@".to_vec();
                let (colon, password) = (&mut self.colon_before_password, &mut self.password);
                self.username = split_mark(&authority[..at], b':', colon, password).to_vec();
                &authority[at + 1..]
            }
            None => authority,
        };
        let address = bracketed_len(host_port);
        let rest = split_mark(&host_port[address..], b':', &mut self.colon_before_port, &mut self.port);
        self.host = [&host_port[..address], rest].concat();
    }

    fn authority(&self) -> Vec<u8> {
        [
            &self.username[..],
            &self.colon_before_password,
            &self.password,
            &self.at_sign,
            &self.host,
            &self.colon_before_port,
            &self.port,
        ]
        .concat()
    }

    /// All behind the authority.
    fn rest(&self) -> Vec<u8> {
        [
            &self.path[..],
            &self.question_mark,
            &self.query,
            &self.hash_sign,
            &self.fragment,
            &self.trailing_junk,
        ]
        .concat()
    }

    fn surt_parts(&self) -> Vec<Vec<u8>> {
        let mut scheme = [&self.scheme[..], &self.colon_after_scheme, &self.slashes].concat();
        let mut parts = Vec::new();
        if self.host.is_empty() {
            parts.push(scheme);
        } else {
            scheme.push(b'(');
            parts.push(scheme);
            let labels = ssurt_host(&self.host, false);
            parts.extend(labels.split(|&byte| byte == b',').map(|label| [label, b","].concat()));
            parts.push([&self.colon_before_port[..], &self.port, b")"].concat());
        }
        let path = self.path.strip_prefix(b"/").unwrap_or(&self.path);
        if !self.path.is_empty() {
            parts.extend(path.split(|&byte| byte == b'/').map(|segment| [b"/", segment].concat()));
        }
        for (mark, part) in [(&self.question_mark, &self.query), (&self.hash_sign, &self.fragment)] {
            if !part.is_empty() {
                parts.push([&mark[..], part].concat());
            }
        }
        if !self.trailing_junk.is_empty() {
            parts.push(self.trailing_junk.clone());
        }
        parts
    }
}

/// The default port of a scheme that browsers know; empty for files, which have none.
pub(super) fn default_port(scheme: &[u8]) -> Option<&'static [u8]> {
    match scheme {
        b"http" | b"ws" => Some(b"80"),
        b"https" | b"wss" => Some(b"443"),
        b"ftp" => Some(b"21"),
        b"gopher" => Some(b"70"),
        b"file" => Some(b""),
        _ => None,
    }
}

/// Without line ends and tabs.
pub(super) fn without_breaks(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|&byte| !is_break(byte)).collect()
}

/// The labels in reverse, commas and dots swapped. An address stays as it is.
fn ssurt_host(host: &[u8], trailing_comma: bool) -> Vec<u8> {
    if host.is_empty() || host.starts_with(b"[") || parse_ipv4(host).is_some() {
        return host.to_vec();
    }
    let mut out = Vec::with_capacity(host.len() + 1);
    let swapped: Vec<u8> = host.iter().map(|&byte| if byte == b',' { 0 } else { byte }).collect();
    out.extend(reversed(&swapped).into_iter().map(|byte| if byte == 0 { b'.' } else { byte }));
    out.extend_from_slice(if trailing_comma { b"," } else { b"" });
    out
}

fn is_break(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}

/// Splits at the first `mark`: what stands before is given back, the mark and what stands behind are put away.
fn split_mark<'a>(text: &'a [u8], mark: u8, kept_mark: &mut Vec<u8>, behind: &mut Vec<u8>) -> &'a [u8] {
    let Some(at) = memchr::memchr(mark, text) else { return text };
    kept_mark.push(mark);
    behind.extend_from_slice(&text[at + 1..]);
    &text[..at]
}

/// The length of two slashes at the front, with the line ends and tabs around them.
fn two_slashes_len(text: &[u8], is_slash: impl Fn(u8) -> bool) -> Option<usize> {
    let len_breaks = |from: usize| text[from..].iter().take_while(|&&byte| is_break(byte)).count();
    let mut len = len_breaks(0);
    for _ in 0..2 {
        text.get(len).filter(|&&byte| is_slash(byte))?;
        len += 1;
        len += len_breaks(len);
    }
    Some(len)
}

/// The length of an address in brackets at the front, where nothing but a port follows; else 0.
fn bracketed_len(host_port: &[u8]) -> usize {
    let end = host_port.starts_with(b"[").then(|| memchr::memchr(b']', host_port)).flatten();
    end.map(|at| at + 1).filter(|&len| matches!(host_port.get(len), None | Some(b':'))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_split_where_browsers_split_them() {
        for (url, host, port, path) in [
            ("http://u:p@a.b:81/c?d#e", "a.b", "81", "/c"),
            ("http:a/b", "a", "", "/b"),
            ("http:\\\\a\\b", "a", "", "\\b"),
            ("http://[::1]:80/", "[::1]", "80", "/"),
            ("file://x:1/b", "x:1", "", "/b"),
            ("x:/a/b", "", "", "/a/b"),
            ("a/b:c", "", "", "a/b:c"),
        ] {
            let parts = ParsedUrl::parse(url);
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let found = (text(&parts.host), text(&parts.port), text(&parts.path));
            assert_eq!(found, (host.into(), port.into(), path.into()), "{url}");
        }
    }

    proptest::proptest! {
        #[test]
        fn parts_put_together_are_the_url(url in "[\\PC\t\n :/?#@\\[\\]\\\\a-z.]{0,40}") {
            proptest::prop_assert_eq!(ParsedUrl::parse(&url).to_bytes(), url.into_bytes());
        }
    }
}
