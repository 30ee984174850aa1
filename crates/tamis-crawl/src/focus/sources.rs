//! How much a source is worth: the share of its pages that were relevant, as the crawl goes.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

/// Pages seen and relevant, by host. Memory: some 20 bytes a host that pages came from.
#[derive(Debug, Default, Clone)]
pub struct Sources {
    by_host: HashMap<u64, Seen>,
    all: Seen,
}

#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    pages: u32,
    relevant: u32,
}

/// Pages of a host that its share is smoothed with: so many are believed to be like those of all others before one is seen.
const PRIOR_PAGES: f64 = 4.0;
/// No host is worth more, or less, than so many times what others are.
const MOST_WORTH: f64 = 30.0;

impl Sources {
    /// Takes in a page of a host.
    pub fn note(&mut self, host: &str, is_relevant: bool) {
        for seen in [self.by_host.entry(key(host)).or_default(), &mut self.all] {
            seen.pages = seen.pages.saturating_add(1);
            seen.relevant = seen.relevant.saturating_add(is_relevant.into());
        }
    }

    /// The share of a host's pages that is relevant, smoothed by that of all pages.
    pub fn importance(&self, host: &str) -> f64 {
        let prior = self.prior();
        let seen = self.by_host.get(&key(host)).copied().unwrap_or_default();
        (f64::from(seen.relevant) + PRIOR_PAGES * prior) / (f64::from(seen.pages) + PRIOR_PAGES)
    }

    /// By how much pages of a host are likelier to be relevant than those of any host: the ratio of the odds. 1 for hosts that nobody knows.
    pub fn worth(&self, host: &str) -> f32 {
        let ratio = odds(self.importance(host)) / odds(self.prior());
        ratio.clamp(1.0 / MOST_WORTH, MOST_WORTH) as f32
    }

    /// How many pages were seen, and how many of them were relevant.
    pub fn totals(&self) -> (u64, u64) {
        (self.all.pages.into(), self.all.relevant.into())
    }

    fn prior(&self) -> f64 {
        (f64::from(self.all.relevant) + 1.0) / (f64::from(self.all.pages) + 2.0)
    }
}

fn key(host: &str) -> u64 {
    xxh3_64(host.as_bytes())
}

fn odds(share: f64) -> f64 {
    share / (1.0 - share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_worth_what_they_brought() {
        let mut sources = Sources::default();
        assert!((sources.worth("unknown") - 1.0).abs() < 1e-6);
        for page in 0..30 {
            sources.note("good", page % 10 < 8);
            sources.note("bad", false);
            sources.note("mixed", page % 10 < 3);
        }
        let worth = ["bad", "unknown", "mixed", "good"].map(|host| sources.worth(host));
        assert!(worth[0] < 0.3 && (worth[1] - 1.0).abs() < 1e-6 && worth[3] > 4.0, "{worth:?}");
        assert!((sources.importance("good") - 0.75).abs() < 0.05);
        assert_eq!(sources.totals(), (90, 33));
    }

    #[test]
    fn one_page_decides_nothing() {
        let mut sources = Sources::default();
        (0..100).for_each(|page| sources.note("some", page % 4 == 0));
        sources.note("new", true);
        assert!(sources.worth("new") < 4.0, "{}", sources.worth("new"));
    }
}
