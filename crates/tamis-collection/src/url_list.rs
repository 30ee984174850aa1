//! Lists of URLs: one a line.

use std::io::{BufRead, Read};

use url::{Host, Url};

/// A longer line is no URL that anybody serves.
const MAX_LINE: u64 = 64 << 10;
/// How many bad lines are kept with their number.
const KEPT_BAD: usize = 10;

/// What was found in a list of URLs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UrlReport {
    /// URLs, each as often as it is there.
    pub urls: u64,
    /// Lines that are none.
    pub bad: u64,
    /// The numbers of the first ten of them, from 1, and what they begin with.
    pub first_bad: Vec<(u64, String)>,
}

/// Reads a list and hands over each URL. Empty lines and those that begin with `#` are passed over.
///
/// A host needs no scheme if it is under a public top-level domain; it is taken for `http:`, as crawlers do.
pub(super) fn read<E: From<std::io::Error>>(
    mut input: impl BufRead,
    mut each: impl FnMut(&str) -> Result<(), E>,
) -> Result<UrlReport, E> {
    let mut report = UrlReport::default();
    let (mut line, mut number) = (Vec::new(), 0);
    loop {
        line.clear();
        if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(report);
        }
        number += 1;
        let is_cut = line.len() as u64 == MAX_LINE && !line.ends_with(b"\n");
        if is_cut {
            skip_line(&mut input)?;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match parse(text).filter(|_| !is_cut) {
            Some(url) => {
                report.urls += 1;
                each(&url)?;
            }
            None => report.add_bad(number, text),
        }
    }
}

/// A URL as it is kept: as written, if that is a whole `http` or `https` address.
pub fn parse(text: &str) -> Option<String> {
    if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return None;
    }
    if let Some((scheme, rest)) = text.split_once("://") {
        let is_web = ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web));
        let url = Url::parse(text).ok().filter(|url| is_web && url.has_host() && !rest.is_empty());
        return url.map(|_| text.to_owned());
    }
    let host = text.split(['/', '?', '#', ':']).next()?;
    let url = format!("http://{text}");
    let parsed = Url::parse(&url).ok()?;
    let is_host = match parsed.host()? {
        // `1` would be the address 0.0.0.1.
        Host::Ipv4(address) => address.to_string() == host,
        Host::Ipv6(_) => false,
        Host::Domain(name) => {
            let is_known = || psl::suffix(name.as_bytes()).is_some_and(|suffix| suffix.is_known());
            host.contains('.') && !host.contains([',', ';', '@', '*']) && is_known()
        }
    };
    is_host.then_some(url)
}

fn skip_line(input: &mut impl BufRead) -> std::io::Result<()> {
    let mut rest = Vec::new();
    while input.by_ref().take(MAX_LINE).read_until(b'\n', &mut rest)? > 0 && !rest.ends_with(b"\n") {
        rest.clear();
    }
    Ok(())
}

impl UrlReport {
    fn add_bad(&mut self, number: u64, text: &str) {
        self.bad += 1;
        if self.first_bad.len() < KEPT_BAD {
            let shown: String = text.chars().filter(|c| !c.is_control()).take(60).collect();
            self.first_bad.push((number, shown));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_url_or_is_told() {
        let long = format!("http://a.org/{}", "x".repeat(100_000));
        let list = format!(
            "\u{feff}http://a.org/\r\n\n# note\n  HTTPS://B.org/x,y?z \nexample.org/p\nnot one\nftp://a.org/\n{long}\nhttp://\n127.0.0.1:80\nhttp://c.org"
        );
        let mut urls = Vec::new();
        let report = read::<std::io::Error>(list.as_bytes(), |url| {
            urls.push(url.to_owned());
            Ok(())
        })
        .expect("memory does not fail");
        let expected = [
            "http://a.org/",
            "HTTPS://B.org/x,y?z",
            "http://example.org/p",
            "http://127.0.0.1:80",
            "http://c.org",
        ];
        assert_eq!(urls, expected);
        assert_eq!((report.urls, report.bad), (5, 4));
        let numbers: Vec<u64> = report.first_bad.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [6, 7, 8, 9]);
    }

    #[test]
    fn what_only_looks_like_a_host_is_none() {
        for text in ["id,url", "a.b,c.org", "1", "file.html", "x@y.org", "[::1]", "http:/a.org", "localhost"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
