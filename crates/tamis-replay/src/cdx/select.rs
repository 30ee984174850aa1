//! The entries that a request asks for, picked from those of an index.

use std::collections::{BTreeMap, VecDeque};

use tamis_archive::Timestamp;
use tamis_archive::cdx::CdxEntry;

use super::request::{Collapse, Order, Page, Request, ResumeKey};

/// The most entries that are held back for an order other than that of the index.
pub const MAX_ORDERED: usize = 100_000;

/// How a selection ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selected {
    /// How many entries were given.
    pub given: u64,
    /// Where to go on, if there is more and the request asks for it.
    pub resume_key: Option<ResumeKey>,
}

/// Why a selection failed.
#[derive(Debug, thiserror::Error)]
pub enum SelectError<E> {
    /// Too many entries would have to be held back.
    #[error("more than {MAX_ORDERED} captures to order: set a limit of at most {MAX_ORDERED}")]
    TooMany,
    /// Reading entries or taking them failed.
    #[error(transparent)]
    Other(#[from] E),
}

/// Gives `take` the entries that a request asks for. `entries` are those of its query, in the order of an index.
///
/// Memory: [`MAX_ORDERED`] entries where another order is asked for, otherwise one.
pub fn select<E>(
    request: &Request,
    entries: impl IntoIterator<Item = Result<CdxEntry, E>>,
    mut take: impl FnMut(&CdxEntry) -> Result<(), E>,
) -> Result<Selected, SelectError<E>> {
    let mut sieve = Sieve::of(request);
    let mut window = Window::of(request);
    let mut held = request.is_ordered().then(|| Held::of(request));
    let mut last: Option<ResumeKey> = None;
    for entry in entries {
        let entry = entry?;
        let ties = match sieve.look(&entry) {
            Look::Taken(ties) => ties,
            Look::Skipped => continue,
            Look::Over => break,
        };
        if let Some(held) = &mut held {
            held.push(entry)?;
            continue;
        }
        match window.next() {
            Standing::Before => {}
            Standing::Inside => {
                take(&entry)?;
                if request.wants_resume_key {
                    last = Some(ResumeKey::after(&entry, ties));
                }
                if window.is_full() && !request.wants_resume_key {
                    break;
                }
            }
            // There is more.
            Standing::After => return Ok(Selected { given: window.given, resume_key: last }),
        }
    }
    for entry in held.map(Held::into_entries).unwrap_or_default() {
        if matches!(window.next(), Standing::Inside) {
            take(&entry)?;
        }
    }
    Ok(Selected { given: window.given, resume_key: None })
}

/// What becomes of an entry.
enum Look {
    /// It is asked for, and so many with its key and moment came up to it.
    Taken(u64),
    Skipped,
    /// No more entries are asked for.
    Over,
}

/// Pages, filters and collapsing.
struct Sieve<'r> {
    request: &'r Request,
    page: Option<Page>,
    seen: u64,
    /// Key and moment of the entry before, and how many had them.
    tie: (String, String, u64),
    /// The starts of the fields by which the group of the entry before is known.
    group: Option<Vec<String>>,
}

impl<'r> Sieve<'r> {
    fn of(request: &'r Request) -> Self {
        Self { request, page: request.page, seen: 0, tie: Default::default(), group: None }
    }

    fn look(&mut self, entry: &CdxEntry) -> Look {
        if let Some(page) = self.page {
            let start = page.number.saturating_mul(page.entries);
            let at = self.seen;
            self.seen += 1;
            if at >= start.saturating_add(page.entries) {
                return Look::Over;
            }
            if at < start {
                return Look::Skipped;
            }
        }
        let ties = self.count_tie(entry);
        if !self.request.filters.iter().all(|filter| filter.takes(entry)) || !self.starts_group(entry) {
            return Look::Skipped;
        }
        // Given before the listing was cut. It has begun a group.
        let was_given = self.request.resume.as_ref().is_some_and(|key| {
            ties <= key.count && key.line == format!("{} {}", entry.urlkey, entry.timestamp)
        });
        if was_given { Look::Skipped } else { Look::Taken(ties) }
    }

    fn count_tie(&mut self, entry: &CdxEntry) -> u64 {
        let (key, moment, count) = &mut self.tie;
        if *key == entry.urlkey && *moment == entry.timestamp {
            *count += 1;
        } else {
            self.tie = (entry.urlkey.clone(), entry.timestamp.clone(), 1);
        }
        self.tie.2
    }

    fn starts_group(&mut self, entry: &CdxEntry) -> bool {
        if self.request.collapse.is_empty() {
            return true;
        }
        let start = |Collapse { field, len }: &Collapse| {
            let value = field.value(entry, self.request.dialect);
            value.chars().take(len.unwrap_or(usize::MAX)).collect::<String>()
        };
        let group: Vec<String> = self.request.collapse.iter().map(start).collect();
        let is_new = self.group.as_ref() != Some(&group);
        self.group = Some(group);
        is_new
    }
}

/// `offset` and `limit`.
struct Window {
    to_skip: u64,
    limit: u64,
    given: u64,
}

enum Standing {
    Before,
    Inside,
    After,
}

impl Window {
    fn of(request: &Request) -> Self {
        Self { to_skip: request.offset, limit: request.limit.unwrap_or(u64::MAX), given: 0 }
    }

    fn next(&mut self) -> Standing {
        if self.given >= self.limit {
            return Standing::After;
        }
        if let Some(left) = self.to_skip.checked_sub(1) {
            self.to_skip = left;
            return Standing::Before;
        }
        self.given += 1;
        Standing::Inside
    }

    fn is_full(&self) -> bool {
        self.given >= self.limit
    }
}

/// Entries that are given in another order.
struct Held {
    most: Option<usize>,
    order: Order,
    nearest: BTreeMap<(u64, u64), CdxEntry>,
    last: VecDeque<CdxEntry>,
    count: u64,
}

impl Held {
    fn of(request: &Request) -> Self {
        let most = request.limit.map(|limit| limit.saturating_add(request.offset));
        let most = most.and_then(|most| usize::try_from(most).ok());
        let nothing = (BTreeMap::new(), VecDeque::new());
        Self { most, order: request.order, nearest: nothing.0, last: nothing.1, count: 0 }
    }

    fn push<E>(&mut self, entry: CdxEntry) -> Result<(), SelectError<E>> {
        self.count += 1;
        match self.order {
            Order::Closest(moment) => {
                self.nearest.insert((distance(&entry, moment), self.count), entry);
            }
            _ => self.last.push_back(entry),
        }
        let len = self.nearest.len().max(self.last.len());
        if self.most.is_some_and(|most| len > most) {
            self.nearest.pop_last();
            self.last.pop_front();
        } else if len > MAX_ORDERED {
            return Err(SelectError::TooMany);
        }
        Ok(())
    }

    fn into_entries(self) -> Vec<CdxEntry> {
        match self.order {
            Order::Closest(_) => self.nearest.into_values().collect(),
            Order::Reverse => self.last.into_iter().rev().collect(),
            Order::Index | Order::Last => self.last.into(),
        }
    }
}

/// Seconds between an entry and a moment. An entry whose moment cannot be read is the farthest.
fn distance(entry: &CdxEntry, moment: Timestamp) -> u64 {
    let captured = Timestamp::parse(entry.timestamp.as_bytes());
    captured.map_or(u64::MAX, |captured| captured.unix_seconds().abs_diff(moment.unix_seconds()))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::cdx::{BLOCK_ENTRIES, Dialect};

    fn entry(urlkey: &str, timestamp: &str, digest: &str) -> CdxEntry {
        CdxEntry {
            urlkey: urlkey.into(),
            timestamp: timestamp.into(),
            digest: digest.into(),
            ..CdxEntry::default()
        }
    }

    fn captures() -> Vec<CdxEntry> {
        [
            ("a)/", "20140101000000", "x"),
            ("a)/", "20140102000000", "x"),
            ("a)/", "20140102000000", "y"),
            ("a)/", "20150101000000", "y"),
            ("a)/b", "20130101000000", "y"),
        ]
        .map(|(key, moment, digest)| entry(key, moment, digest))
        .into()
    }

    fn selected(query: &str, entries: &[CdxEntry]) -> (Vec<usize>, Selected) {
        let request = Request::parse(query, Dialect::Pywb).expect(query);
        let mut numbers = Vec::new();
        // As an index would give them.
        let matcher = request.query.matcher();
        let in_range = entries.iter().filter(|entry| request.query.start.is_none() || matcher.takes(entry));
        let end = select(&request, in_range.cloned().map(Ok::<_, Infallible>), |entry| {
            numbers.push(entries.iter().position(|other| other == entry).expect("one of them"));
            Ok(())
        });
        (numbers, end.expect("it selects"))
    }

    #[test]
    fn entries_are_picked_in_the_order_that_is_asked_for() {
        for (query, expected) in [
            ("", &[0, 1, 2, 3, 4][..]),
            ("&limit=2", &[0, 1]),
            ("&limit=2&offset=3", &[3, 4]),
            ("&offset=9", &[]),
            ("&limit=0", &[]),
            ("&limit=-2", &[3, 4]),
            ("&sort=reverse", &[4, 3, 2, 1, 0]),
            ("&sort=reverse&limit=2", &[4, 3]),
            ("&sort=reverse&limit=2&offset=1", &[3, 2]),
            ("&closest=20140102", &[1, 2, 0, 3, 4]),
            ("&closest=20140102&limit=1", &[1]),
            ("&closest=2015&limit=2", &[3, 1]),
            ("&filter==digest:y", &[2, 3, 4]),
            ("&filter==digest:y&filter=urlkey:b", &[4]),
            ("&filter==digest:y&limit=1&offset=1", &[3]),
            ("&collapse=digest", &[0, 2]),
            ("&collapse=timestamp:4", &[0, 3, 4]),
            ("&collapse=timestamp:4&collapse=digest", &[0, 2, 3, 4]),
            ("&collapse=urlkey&sort=reverse", &[4, 0]),
            ("&collapseTime=6", &[0, 3, 4]),
            ("&page=0", &[0, 1, 2, 3, 4]),
            ("&page=1", &[]),
        ] {
            let (numbers, end) = selected(&format!("url=a*{query}"), &captures());
            assert_eq!(numbers, expected, "{query}");
            assert_eq!(end, Selected { given: expected.len() as u64, resume_key: None }, "{query}");
        }
    }

    #[test]
    fn a_listing_in_parts_is_the_whole_listing() {
        let mut captures = captures();
        captures.splice(1..1, (0..3).map(|n| entry("a)/", "20140101000000", &format!("tie {n}"))));
        for further in ["", "&filter=!digest:tie%201", "&collapse=digest", "&collapse=timestamp:4"] {
            let whole = selected(&format!("url=a*{further}"), &captures).0;
            for limit in 1..=whole.len() {
                let (mut all, mut resume) = (Vec::new(), String::new());
                for _ in 0..20 {
                    let query = format!("url=a*{further}&showResumeKey=true&limit={limit}{resume}");
                    let (numbers, end) = selected(&query, &captures);
                    assert!(numbers.len() <= limit);
                    all.extend(numbers);
                    let Some(key) = end.resume_key else { break };
                    let key: String =
                        url::form_urlencoded::byte_serialize(key.to_string().as_bytes()).collect();
                    resume = format!("&resumeKey={key}");
                }
                assert_eq!(all, whole, "{further} {limit}");
            }
        }
    }

    #[test]
    fn pages_part_the_range_before_filters() {
        let count = BLOCK_ENTRIES + 10;
        let entries: Vec<_> = (0..count)
            .map(|n| entry(&format!("a)/{n:06}"), "2014", if n % 2 == 0 { "even" } else { "odd" }))
            .collect();
        let pages =
            |page: u64| selected(&format!("url=a*&pageSize=1&page={page}&filter=digest:even"), &entries).0;
        assert_eq!(pages(0).len() as u64, BLOCK_ENTRIES / 2);
        assert_eq!(pages(1), [3000, 3002, 3004, 3006, 3008]);
        assert!(pages(2).is_empty());
    }

    #[test]
    fn an_order_of_too_many_entries_is_refused() {
        let entries =
            (0..=MAX_ORDERED).map(|n| Ok::<_, Infallible>(entry(&format!("a)/{n:06}"), "2014", "")));
        let request = |query: &str| Request::parse(query, Dialect::Pywb).expect(query);
        let none = |_: &CdxEntry| Ok(());
        assert!(matches!(
            select(&request("url=a*&sort=reverse"), entries.clone(), none),
            Err(SelectError::TooMany)
        ));
        assert!(select(&request("url=a*&sort=reverse&limit=10"), entries, none).is_ok());
    }
}
