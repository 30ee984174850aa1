//! The tweets that name an address, to be looked up.

use std::collections::HashMap;

use crate::tweets::{self, UrlRow};

/// For each address the ids of the tweets that name it.
///
/// Memory: some 150 bytes for an address, and 20 for an id.
#[derive(Debug, Default)]
pub struct TweetIds(HashMap<Box<str>, Box<[Box<str>]>>);

impl TweetIds {
    /// The ids for an address, if any tweet names it.
    pub fn of(&self, url: &str) -> Option<impl Iterator<Item = &str>> {
        if self.0.is_empty() {
            return None;
        }
        let ids = self.0.get(&*tweets::url_key(url))?;
        Some(ids.iter().map(|id| &**id))
    }
}

impl FromIterator<UrlRow> for TweetIds {
    fn from_iter<I: IntoIterator<Item = UrlRow>>(rows: I) -> Self {
        let ids = |row: &UrlRow| row.tweet_ids.iter().map(|id| id.to_string().into_boxed_str()).collect();
        Self(rows.into_iter().map(|row| (row.key.clone().into_boxed_str(), ids(&row))).collect())
    }
}
