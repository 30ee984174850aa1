//! What replay kept inside or did not find, by page.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The most lines that are kept, so that a page that asks on and on fills no memory.
const MAX_LINES: usize = 10_000;
/// The most bytes of a URL.
const MAX_URL: usize = 2000;

/// What replay kept inside or did not find, since the server started.
#[derive(Debug, Default)]
pub(crate) struct Audit {
    lines: Mutex<Lines>,
}

#[derive(Debug, Default)]
struct Lines {
    /// By page, what happened, and URL.
    counts: BTreeMap<(String, String, String), u64>,
    left_out: u64,
}

/// A line of the audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) page: String,
    pub(crate) what: String,
    pub(crate) url: String,
    pub(crate) count: u64,
}

impl Audit {
    /// The archive does not have it.
    pub(crate) const MISSING: &'static str = "not in the archive";

    /// Counts something that happened to a page.
    pub(crate) fn add(&self, page: &str, what: &str, url: &str) {
        let cut = |text: &str| text.chars().take(MAX_URL).collect::<String>();
        let key = (cut(page), cut(what), cut(url));
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.counts.len() >= MAX_LINES && !lines.counts.contains_key(&key) {
            lines.left_out += 1;
            return;
        }
        *lines.counts.entry(key).or_default() += 1;
    }

    /// All lines, in order, and how many happenings are in none.
    pub(crate) fn lines(&self) -> (Vec<Line>, u64) {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let line = |((page, what, url), count): (&(String, String, String), &u64)| Line {
            page: page.clone(),
            what: what.clone(),
            url: url.clone(),
            count: *count,
        };
        (lines.counts.iter().map(line).collect(), lines.left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn happenings_are_counted_up_to_a_limit() {
        let audit = Audit::default();
        audit.add("p", "w", "u");
        audit.add("p", "w", "u");
        assert_eq!(
            audit.lines(),
            (vec![Line { page: "p".into(), what: "w".into(), url: "u".into(), count: 2 }], 0)
        );
        (0..MAX_LINES + 9).for_each(|n| audit.add("p", "w", &n.to_string()));
        let (lines, left_out) = audit.lines();
        assert_eq!((lines.len(), left_out), (MAX_LINES, 10));
    }
}
