//! Tweets turned round: each URL with the ids of the tweets that name it.

use std::iter::Peekable;

use tamis_archive::cdx::{SortOptions, SortedLines, Sorter};
use tamis_archive::surt::{Canon, ParsedUrl, SurtOptions, canonicalize, surt_with};

use super::{Result, Tweet, TweetId};

/// Gathers, for each URL, the ids of its tweets.
///
/// URLs are one if they are so to visitors: see [`UrlRow::key`]. Memory: that of the [`SortOptions`], 64 MiB unless told
/// otherwise, however many tweets there are; what does not fit goes to temporary files, about 60 bytes and twice the
/// length of the URL for each time a tweet names one. Reading the rows takes eight bytes for each id of one URL.
#[derive(Debug)]
pub struct UrlTweets {
    sorter: Sorter,
    /// How many links came in, to know the first spelling of a URL.
    count: u64,
    line: Vec<u8>,
}

/// A URL and its tweets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlRow {
    /// What the URL has in common with its other spellings: host turned round, without scheme and `www.`, path and
    /// query in one form. Other than in the key of an index, capital letters in the path stay: short links
    /// and videos differ in nothing else.
    pub key: String,
    /// The URL in the spelling that came first.
    pub url: String,
    /// The tweets that name it, in ascending order, each once.
    pub tweet_ids: Vec<TweetId>,
}

/// The rows in the order of their keys.
pub struct UrlRows {
    entries: Peekable<Entries>,
}

impl UrlTweets {
    /// Gathers with the memory and in the folder for temporary files that the options name.
    pub fn new(options: SortOptions) -> Self {
        Self { sorter: Sorter::new(options), count: 0, line: Vec::new() }
    }

    /// Adds the URLs of a tweet.
    pub fn add(&mut self, tweet: &Tweet<'_>) -> Result<()> {
        for url in tweet.urls {
            let entry = Entry { key: key(url), id: tweet.id, order: self.count, url: url.clone() };
            self.count += 1;
            self.line.clear();
            entry.write(&mut self.line);
            self.sorter.push(&self.line)?;
        }
        Ok(())
    }

    /// The URLs with their tweets. The same tweets in the same order give the same rows; in another order, only the
    /// spelling of URLs may differ.
    pub fn into_rows(self) -> Result<UrlRows> {
        let lines = self.sorter.into_lines()?;
        Ok(UrlRows { entries: Entries(lines).peekable() })
    }
}

impl Iterator for UrlRows {
    type Item = Result<UrlRow>;

    fn next(&mut self) -> Option<Self::Item> {
        let first = match self.entries.next()? {
            Ok(first) => first,
            Err(error) => return Some(Err(error)),
        };
        let mut row = UrlRow { key: first.key, url: first.url, tweet_ids: vec![first.id] };
        let mut order = first.order;
        let is_same = |entry: &Result<Entry>, key: &str| entry.as_ref().is_ok_and(|entry| entry.key == key);
        while let Some(Ok(entry)) = self.entries.next_if(|entry| is_same(entry, &row.key)) {
            if row.tweet_ids.last() != Some(&entry.id) {
                row.tweet_ids.push(entry.id);
            }
            if entry.order < order {
                (order, row.url) = (entry.order, entry.url);
            }
        }
        Some(Ok(row))
    }
}

/// A tweet names a URL.
struct Entry {
    key: String,
    id: TweetId,
    /// How many came before.
    order: u64,
    url: String,
}

impl Entry {
    /// A line that sorts by key, then id, then order. Neither key nor URL have tabs or line ends, and numbers of one
    /// length sort as numbers.
    fn write(&self, line: &mut Vec<u8>) {
        let Self { key, id, order, url } = self;
        line.extend_from_slice(format!("{key}\t{:016x}\t{order:016x}\t{url}", id.0).as_bytes());
    }

    /// Reads what [`Entry::write`] wrote.
    fn parse(line: &[u8]) -> Option<Self> {
        let mut parts = std::str::from_utf8(line).ok()?.split('\t');
        let key = parts.next()?.to_owned();
        let id = TweetId(u64::from_str_radix(parts.next()?, 16).ok()?);
        let order = u64::from_str_radix(parts.next()?, 16).ok()?;
        Some(Self { key, id, order, url: parts.next()?.to_owned() })
    }
}

struct Entries(SortedLines);

impl Iterator for Entries {
    type Item = Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = match self.0.next_line() {
            Ok(line) => line?,
            Err(error) => return Some(Err(error.into())),
        };
        Some(Ok(Entry::parse(line).expect("the line was written by `Entry::write` and comes back whole")))
    }
}

/// What a URL has in common with its other spellings: see [`UrlRow::key`].
pub(crate) fn key(url: &str) -> String {
    let mut parts = ParsedUrl::parse(canonicalize(url, Canon::Semantic));
    if let Some(rest) = parts.host.strip_prefix(b"www.").filter(|rest| rest.contains(&b'.')) {
        parts.host = rest.to_vec();
    }
    let options = SurtOptions { canonicalize: false, ..SurtOptions::default() };
    // Canonical forms escape blanks and control characters; should one ever not, the line must still hold together.
    surt_with(parts.to_bytes(), options).replace(['\t', '\n', '\r'], "%20")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tweets::Role;

    fn rows(tweets: &[(u64, &[&str])]) -> Vec<(String, Vec<u64>)> {
        rows_with(SortOptions::new(std::env::temp_dir()), tweets)
    }

    fn rows_with(options: SortOptions, tweets: &[(u64, &[&str])]) -> Vec<(String, Vec<u64>)> {
        let mut all = UrlTweets::new(options);
        for (id, urls) in tweets {
            let urls: Vec<String> = urls.iter().map(|&url| url.into()).collect();
            let role = Role::Collected;
            let tweet = Tweet { id: TweetId(*id), urls: &urls, time: None, language: None, role };
            all.add(&tweet).expect("the folder of temporary files can be written to");
        }
        let rows = all.into_rows().expect("the folder of temporary files can be written to");
        let rows = rows.map(|row| row.expect("the folder of temporary files can be written to"));
        rows.map(|row| (row.url, row.tweet_ids.iter().map(|id| id.0).collect())).collect()
    }

    #[test]
    fn each_url_has_its_tweets_once_in_order() {
        let found = rows(&[
            (30, &["http://www.b.example/x?b=1&a=2", "https://a.example/"]),
            (4, &["https://b.example/x?a=2&b=1#part"]),
            (30, &["http://b.example/x?a=2&b=1"]),
            (200, &["http://b.example:80/x?b=1&a=2"]),
        ]);
        let expected =
            [("https://a.example/", vec![30]), ("http://www.b.example/x?b=1&a=2", vec![4, 30, 200])];
        assert_eq!(found, expected.map(|(url, ids)| (url.to_owned(), ids)));
    }

    #[test]
    fn short_links_that_differ_in_case_stay_apart() {
        let found =
            rows(&[(1, &["https://t.co/AbC"]), (2, &["https://t.co/abc"]), (3, &["https://T.CO/AbC"])]);
        let expected = [("https://t.co/AbC", vec![1, 3]), ("https://t.co/abc", vec![2])];
        assert_eq!(found, expected.map(|(url, ids)| (url.to_owned(), ids)));
    }

    #[test]
    fn little_memory_gives_the_same_rows() {
        let urls: Vec<String> = (0..500).map(|at| format!("http://{}.example/{at}", at % 7)).collect();
        let tweet = |at: usize| (at as u64 * 7919 % 4000, [&*urls[at % 500], &*urls[at * 31 % 500]]);
        let tweets: Vec<(u64, [&str; 2])> = (0..5000).map(tweet).collect();
        let tweets: Vec<(u64, &[&str])> = tweets.iter().map(|(id, urls)| (*id, &urls[..])).collect();
        let little = SortOptions { memory_bytes: 0, ..SortOptions::new(std::env::temp_dir()) };
        let found = rows_with(little, &tweets);
        assert_eq!(found.len(), 500);
        assert_eq!(found, rows(&tweets));
    }

    #[test]
    fn keys_are_one_line_without_tabs() {
        for (url, expected) in [
            ("https://www.Example.org/A%0a%09b?c=%0d", "org,example)/A%0A%09b?c=%0D"),
            ("https://www.com/", "com,www)/"),
            ("http://example.org", "org,example)/"),
            ("http://192.0.2.1:8080/", "1,2,0,192:8080)/"),
        ] {
            assert_eq!(key(url), expected, "{url}");
        }
    }
}
