//! What came out of an input of tweets.

use std::collections::BTreeMap;
use std::fmt;

use super::{Format, OtherKind};

/// How many bad records are kept with their reason.
const KEPT_BAD_RECORDS: usize = 10;

/// What was found in an input of tweets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The format that was read.
    pub format: Format,
    /// Tweets that were collected: lines of JSON, rows of a table, entries of pages.
    pub tweets: u64,
    /// Of these, tweets with at least one URL, those of tweets they repeat or quote included.
    pub tweets_with_urls: u64,
    /// Of these, tweets with no URL but with links to the platform itself, such as a picture.
    pub tweets_with_own_links_only: u64,
    /// Tweets that only came along with collected ones, as often as they did.
    pub referenced: u64,
    /// URLs of the collected tweets, each as often as tweets have it.
    pub urls: u64,
    /// Links to the platform itself in collected tweets: tweets, pictures, videos.
    pub own_links: u64,
    /// Links of collected tweets that lead to no page of the web: other schemes, no host, too long.
    pub unusable_links: u64,
    /// What is no tweet, by kind.
    pub others: BTreeMap<OtherKind, u64>,
    /// Records that could not be read.
    pub bad: u64,
    /// The first ten of them.
    pub first_bad: Vec<BadRecord>,
}

/// A record that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRecord {
    /// The line it begins on, the first being 1.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

impl Report {
    pub(super) fn new(format: Format) -> Self {
        Self {
            format,
            tweets: 0,
            tweets_with_urls: 0,
            tweets_with_own_links_only: 0,
            referenced: 0,
            urls: 0,
            own_links: 0,
            unusable_links: 0,
            others: BTreeMap::new(),
            bad: 0,
            first_bad: Vec::new(),
        }
    }

    pub(super) fn add_bad(&mut self, line: u64, reason: impl fmt::Display) {
        self.bad += 1;
        if self.first_bad.len() < KEPT_BAD_RECORDS {
            self.first_bad.push(BadRecord { line, reason: reason.to_string() });
        }
    }

    pub(super) fn add_other(&mut self, kind: OtherKind) {
        *self.others.entry(kind).or_default() += 1;
    }
}

impl fmt::Display for Report {
    /// One line for a person: `620 tweets, 361 of them with URLs, …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tweets {
            0 => f.write_str("no tweets")?,
            tweets => write!(f, "{tweets} tweets, {} of them with URLs", self.tweets_with_urls)?,
        }
        for (kind, count) in &self.others {
            write!(f, ", {count} {kind}")?;
        }
        if self.own_links > 0 {
            write!(f, ", {} links to tweets and media", self.own_links)?;
        }
        if self.unusable_links > 0 {
            write!(f, ", {} unusable links", self.unusable_links)?;
        }
        if self.bad > 0 {
            write!(f, ", {} bad records", self.bad)?;
        }
        Ok(())
    }
}

impl fmt::Display for BadRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}
