//! What all formats hand their tweets to.

use std::collections::HashSet;

use tamis_archive::Timestamp;

use super::links::{Links, Target};
use super::{Format, Report, Result, Role, Tweet, TweetId};

/// Chooses the URLs of each tweet, counts, and lends the tweet on.
pub(super) struct Sink<F> {
    pub(super) report: Report,
    keep_own_links: bool,
    each: F,
}

/// A tweet but for its links.
pub(super) struct Facts<'a> {
    pub(super) id: TweetId,
    pub(super) time: Option<Timestamp>,
    pub(super) language: Option<&'a str>,
    pub(super) role: Role,
}

#[derive(Default)]
struct Chosen {
    urls: Vec<String>,
    pages: u64,
    own: u64,
    unusable: u64,
}

impl<F: FnMut(&Tweet<'_>) -> Result<()>> Sink<F> {
    pub(super) fn new(format: Format, keep_own_links: bool, each: F) -> Self {
        Self { report: Report::new(format), keep_own_links, each }
    }

    pub(super) fn tweet(&mut self, facts: &Facts<'_>, links: Links) -> Result<()> {
        let chosen = Chosen::from_links(links, self.keep_own_links);
        match facts.role {
            Role::Collected => self.count(&chosen),
            Role::Referenced => self.report.referenced += 1,
        }
        let &Facts { id, time, language, role } = facts;
        let language = language.map(str::trim).filter(|language| !language.is_empty());
        (self.each)(&Tweet { id, urls: &chosen.urls, time, language, role })
    }

    fn count(&mut self, chosen: &Chosen) {
        let report = &mut self.report;
        report.tweets += 1;
        report.tweets_with_urls += u64::from(chosen.pages > 0);
        report.tweets_with_own_links_only += u64::from(chosen.pages == 0 && chosen.own > 0);
        report.urls += chosen.pages;
        report.own_links += chosen.own;
        report.unusable_links += chosen.unusable;
    }
}

impl Chosen {
    fn from_links(links: Links, keep_own_links: bool) -> Self {
        let mut chosen = Self::default();
        let mut seen = HashSet::new();
        for link in links {
            let (url, is_own) = match link.resolve() {
                Target::Page(url) => (url, false),
                Target::Own(url) => (url, true),
                Target::Unusable => {
                    chosen.unusable += 1;
                    continue;
                }
            };
            if !seen.insert(url.clone()) {
                continue;
            }
            *(if is_own { &mut chosen.own } else { &mut chosen.pages }) += 1;
            if !is_own || keep_own_links {
                chosen.urls.push(url);
            }
        }
        chosen
    }
}
