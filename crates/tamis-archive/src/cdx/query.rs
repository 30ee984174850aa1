//! Questions to an index.

use super::CdxEntry;
use crate::{Precision, Timestamp, surt};

/// Which URLs are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MatchType {
    /// The URL.
    #[default]
    Exact,
    /// All URLs that begin with it.
    Prefix,
    /// All URLs of its host.
    Host,
    /// All URLs of its host and of the hosts below it.
    Domain,
}

/// A question to an index, with the meanings that pywb's CDX server gives it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// The URL, in any spelling.
    pub url: String,
    /// Which URLs beside it.
    pub match_type: MatchType,
    /// The first moment; `2014` is the first second of that year.
    pub from: Option<Timestamp>,
    /// The last moment; `2014` is the last second of that year.
    pub to: Option<Timestamp>,
    /// The most entries that are given.
    pub limit: Option<usize>,
    /// Entries in the order of their distance in time from this moment.
    pub closest: Option<Timestamp>,
    /// Entries from the last to the first. [`Query::closest`] goes before it.
    pub reverse: bool,
    /// Only entries whose line is not less than this: key, blank, moment. For listings that go on where they were cut.
    pub start: Option<String>,
}

impl Query {
    /// All captures of a URL.
    pub fn exact(url: impl Into<String>) -> Self {
        Self { url: url.into(), ..Self::default() }
    }

    /// Reads a URL with a wildcard: `*.example.org` asks for a domain, `example.org/a*` for a prefix, all else for the URL.
    pub fn pattern(pattern: &str) -> Self {
        let (url, match_type) = if let Some(domain) = pattern.strip_prefix("*.") {
            (domain, MatchType::Domain)
        } else if let Some(prefix) = pattern.strip_suffix('*') {
            (prefix, MatchType::Prefix)
        } else {
            (pattern, MatchType::Exact)
        };
        Self { url: url.into(), match_type, ..Self::default() }
    }

    /// What lines that answer the query compare to: not less than the first, less than the second.
    pub fn key_range(&self) -> (Vec<u8>, Vec<u8>) {
        let (first, end) = self.url_range();
        match &self.start {
            Some(start) if start.as_bytes() > &*first => (start.clone().into_bytes(), end),
            _ => (first, end),
        }
    }

    fn url_range(&self) -> (Vec<u8>, Vec<u8>) {
        let mut key = surt(&self.url);
        let host = key.split(")/").next().unwrap_or_default();
        let (start, end) = match self.match_type {
            MatchType::Exact => (key.clone(), key + "!"),
            MatchType::Prefix => {
                // A key has no slash or question mark at its end, but the prefix may mean it.
                for mark in ['/', '?'] {
                    if self.url.ends_with(mark) && !key.ends_with(mark) {
                        key.push(mark);
                    }
                }
                return (key.clone().into_bytes(), next_prefix(key.into_bytes()));
            }
            MatchType::Host => (format!("{host})/"), format!("{host}*")),
            MatchType::Domain if host.contains(',') => (format!("{host})/"), format!("{host}-")),
            MatchType::Domain => (format!("{host},"), format!("{host}-")),
        };
        (start.into_bytes(), end.into_bytes())
    }

    /// Tells the entries of any index that answer the query, its order and limit aside.
    pub fn matcher(&self) -> Matcher {
        Matcher {
            keys: self.key_range(),
            from: self.from.map(|from| from.digits()),
            to: self.to.map(last_digits),
        }
    }
}

/// Tells which entries answer a [`Query`]. The key of the query is made once, not for each entry.
#[derive(Debug, Clone)]
pub struct Matcher {
    keys: (Vec<u8>, Vec<u8>),
    from: Option<String>,
    to: Option<String>,
}

impl Matcher {
    /// Whether an entry answers the query.
    pub fn takes(&self, entry: &CdxEntry) -> bool {
        let line = || entry.urlkey.bytes().chain([b' ']).chain(entry.timestamp.bytes());
        let (start, end) = &self.keys;
        line().ge(start.iter().copied())
            && line().lt(end.iter().copied())
            && self.takes_moment(&entry.timestamp)
    }

    /// Whether a moment of an index lies in the range that is asked for.
    fn takes_moment(&self, timestamp: &str) -> bool {
        let moment = timestamp.get(..14).unwrap_or(timestamp);
        self.from.as_deref().is_none_or(|from| moment >= from)
            && self.to.as_deref().is_none_or(|to| moment <= to)
    }
}

/// Fourteen digits of the last second of the unit in which the moment was written.
fn last_digits(moment: Timestamp) -> String {
    let kept = match moment.precision() {
        Precision::Year => 4,
        Precision::Month => 6,
        Precision::Day => 8,
        Precision::Hour => 10,
        Precision::Minute => 12,
        Precision::Second | Precision::Fraction(_) => 14,
    };
    // Digits compare as text, so the 31st of each month will do.
    format!("{}{}", &moment.digits()[..kept], &"29991231235959"[kept..])
}

/// The least text that is greater than all that begin with `prefix`.
fn next_prefix(mut prefix: Vec<u8>) -> Vec<u8> {
    while let Some(last) = prefix.pop() {
        if last < u8::MAX {
            prefix.push(last + 1);
            return prefix;
        }
    }
    // Nothing is greater than all texts; this is greater than all keys.
    vec![u8::MAX]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ranges that pywb 2.10 computes for these.
    #[test]
    fn ranges_are_those_of_pywb() {
        for (url, match_type, start, end) in [
            (
                "http://example.com/path/file.html",
                MatchType::Exact,
                "com,example)/path/file.html",
                "com,example)/path/file.html!",
            ),
            (
                "http://example.com/path/file.html",
                MatchType::Prefix,
                "com,example)/path/file.html",
                "com,example)/path/file.htmm",
            ),
            ("http://example.com/path/", MatchType::Prefix, "com,example)/path/", "com,example)/path0"),
            ("http://example.com/path?", MatchType::Prefix, "com,example)/path?", "com,example)/path@"),
            ("http://example.com/path/?", MatchType::Prefix, "com,example)/path?", "com,example)/path@"),
            ("http://example.com/path/file.html", MatchType::Host, "com,example)/", "com,example*"),
            ("http://example.com/path/file.html", MatchType::Domain, "com,example)/", "com,example-"),
            ("com", MatchType::Domain, "com,", "com-"),
        ] {
            let query = Query { url: url.into(), match_type, ..Query::default() };
            assert_eq!(query.key_range(), (start.into(), end.into()), "{url} {match_type:?}");
        }
    }

    #[test]
    fn a_listing_goes_on_where_it_was_cut() {
        let from = |start: &str| Query { start: Some(start.into()), ..Query::pattern("example.com/a*") };
        let entry = |urlkey: &str, timestamp: &str| CdxEntry {
            urlkey: urlkey.into(),
            timestamp: timestamp.into(),
            ..CdxEntry::default()
        };
        for (start, urlkey, timestamp, is_taken) in [
            ("com,example)/ab 2014", "com,example)/ab", "2013", false),
            ("com,example)/ab 2014", "com,example)/ab", "2014", true),
            ("com,example)/ab 2014", "com,example)/abc", "2013", true),
            ("com,example)/ab 2014", "com,example)/b", "2015", false),
            ("a", "com,example)/a", "2013", true),
            ("z", "com,example)/a", "2013", false),
        ] {
            let matcher = from(start).matcher();
            assert_eq!(matcher.takes(&entry(urlkey, timestamp)), is_taken, "{start}: {urlkey} {timestamp}");
        }
    }

    #[test]
    fn wildcards_choose_the_match() {
        for (pattern, url, match_type) in [
            ("*.example.org", "example.org", MatchType::Domain),
            ("example.org/a*", "example.org/a", MatchType::Prefix),
            ("example.org/a", "example.org/a", MatchType::Exact),
        ] {
            let query = Query::pattern(pattern);
            assert_eq!((query.url.as_str(), query.match_type), (url, match_type));
        }
    }

    #[test]
    fn moments_are_filled_up_to_the_unit_they_name() {
        let query = Query { from: "2014".parse().ok(), to: "2014-02".parse().ok(), ..Query::default() };
        let matcher = query.matcher();
        for (moment, is_taken) in [
            ("20131231235959", false),
            ("20140101000000", true),
            ("20140228235959", true),
            ("20140228235959999", true),
            ("20140301000000", false),
        ] {
            assert_eq!(matcher.takes_moment(moment), is_taken, "{moment}");
        }
    }
}
