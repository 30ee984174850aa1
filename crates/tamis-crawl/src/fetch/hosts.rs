//! Fixed answers to questions for the addresses of hosts.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

use thiserror::Error;

use super::failure::Failure;
use super::resolve::{Resolve, Resolved};

/// A table of hosts and their addresses, written like `/etc/hosts` and a little more.
///
/// A line holds an address, with or without a port, and the hosts it stands for: names, `*.suffix` for all names
/// below a domain (not the domain itself), or `*` for all hosts. A name before a suffix before `*`, and long
/// suffixes before short ones. A host on several lines has several addresses. `#` begins a comment.
///
/// ```text
/// 127.0.0.2:8080  example.org www.example.org
/// [::1]:8080      *.example.com   # all hosts of one domain
/// 127.0.0.1:8080  *
/// ```
#[derive(Debug, Clone, Default)]
pub struct Hosts {
    answers: HashMap<Box<str>, Vec<Place>>,
}

/// A line that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: `{word}` is not {expected}")]
pub struct HostsError {
    /// Its number, from 1.
    pub line: usize,
    /// What could not be read.
    pub word: String,
    /// What it should be.
    pub expected: &'static str,
}

/// An address, and the port that takes the place of the one asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    ip: IpAddr,
    port: Option<u16>,
}

impl Hosts {
    /// Reads a table.
    pub fn parse(text: &str) -> Result<Self, HostsError> {
        let mut hosts = Self::default();
        for (i, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            hosts.add_line(line).map_err(|(word, expected)| HostsError {
                line: i + 1,
                word: word.to_owned(),
                expected,
            })?;
        }
        Ok(hosts)
    }

    /// The addresses of a host; the port is the one asked for where the table names none.
    pub fn get(&self, host: &str, port: u16) -> Option<Vec<SocketAddr>> {
        let host = host.trim_end_matches('.');
        let places = self.answers.get(host).or_else(|| self.by_suffix(host))?;
        Some(places.iter().map(|place| SocketAddr::new(place.ip, place.port.unwrap_or(port))).collect())
    }

    fn by_suffix(&self, host: &str) -> Option<&Vec<Place>> {
        let dots = host.bytes().enumerate().filter(|(_, byte)| *byte == b'.');
        let mut suffixes = dots.map(|(at, _)| &host[at..]);
        // Suffixes are kept with their dot, which no host begins with.
        suffixes.find_map(|suffix| self.answers.get(suffix)).or_else(|| self.answers.get("*"))
    }

    fn add_line<'a>(&mut self, line: &'a str) -> Result<(), (&'a str, &'static str)> {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { return Ok(()) };
        let place = Place::parse(first).ok_or((first, "an IP address"))?;
        for word in words {
            let key = key_of(word).ok_or((word, "a host name"))?;
            self.answers.entry(key.into_boxed_str()).or_default().push(place);
        }
        Ok(())
    }
}

impl Resolve for Hosts {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Resolved<'a> {
        let answer = self.get(host, port).ok_or(Failure::NoSuchHost);
        Box::pin(std::future::ready(answer))
    }
}

impl Place {
    fn parse(word: &str) -> Option<Self> {
        if let Ok(address) = word.parse::<SocketAddr>() {
            return Some(Self { ip: address.ip(), port: Some(address.port()) });
        }
        let ip = word.trim_start_matches('[').trim_end_matches(']').parse().ok()?;
        Some(Self { ip, port: None })
    }
}

fn key_of(word: &str) -> Option<String> {
    let name = word.strip_prefix('*').unwrap_or(word);
    let is_name = name.bytes().all(|byte| !byte.is_ascii_control() && !b"*/:[]@ ".contains(&byte));
    let is_suffix = word != name;
    let fits = if is_suffix {
        name.is_empty() || name.len() > 1 && name.starts_with('.')
    } else {
        !name.starts_with('.')
    };
    let key = if word == "*" { word } else { name };
    (is_name && fits).then(|| key.trim_end_matches('.').to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "# all of it\n127.0.0.2:81 a.org www.A.org\n::1 a.org\n[::1]:82 *.b.org\n\
                         127.0.0.4 *.c.b.org # nearer\n127.0.0.3 *\n";

    #[test]
    fn the_nearest_entry_answers() {
        let hosts = Hosts::parse(TABLE).expect("a table");
        for (host, expected) in [
            ("a.org", vec!["127.0.0.2:81", "[::1]:80"]),
            ("www.a.org", vec!["127.0.0.2:81"]),
            ("x.b.org", vec!["[::1]:82"]),
            ("x.y.b.org.", vec!["[::1]:82"]),
            ("x.c.b.org", vec!["127.0.0.4:80"]),
            ("b.org", vec!["127.0.0.3:80"]),
            ("other", vec!["127.0.0.3:80"]),
        ] {
            let found: Vec<_> =
                hosts.get(host, 80).unwrap_or_default().iter().map(ToString::to_string).collect();
            assert_eq!(found, expected, "{host}");
        }
        assert_eq!(Hosts::parse("127.0.0.1 a").expect("a table").get("b", 80), None);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (text, message) in [
            ("\nlocalhost a.org", "line 2: `localhost` is not an IP address"),
            ("127.0.0.1 http://a.org", "line 1: `http://a.org` is not a host name"),
            ("127.0.0.1 a *b.org", "line 1: `*b.org` is not a host name"),
            ("127.0.0.1 *.", "line 1: `*.` is not a host name"),
            ("127.0.0.1:99999 a", "line 1: `127.0.0.1:99999` is not an IP address"),
        ] {
            assert_eq!(Hosts::parse(text).expect_err(text).to_string(), message);
        }
    }
}
