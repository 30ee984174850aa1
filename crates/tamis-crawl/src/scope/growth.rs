//! What only shows in the mass of addresses.

use std::collections::HashMap;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::ScopeOptions;
use super::sketch::{Recent, Sketch};
use super::trap::{TrapOptions, calendar};
use super::verdict::{Reason, Trap, Verdict};
use crate::Address;

/// Counters a row of the sketch; with four rows, 4 MiB.
const SKETCH_LOG2: u32 = 18;

/// Queries that are remembered whatever their order, 4 MiB.
const RECENT_LOG2: u32 = 20;

/// Queries with as many parameters are searches, sorted and filtered lists: each parameter multiplies them.
const FACETS: usize = 3;

/// Counts of what is known of hosts and pages.
///
/// It takes 8 MiB, and with a limit on pages a host some 24 bytes for each host. Every address must be shown once, when
/// it is new; what is refused is not counted, so that after a restart the addresses that were admitted, shown again in
/// their order by [`Growth::note`], give the same counts.
#[derive(Debug)]
pub struct Growth {
    traps: TrapOptions,
    max_pages_per_host: Option<u32>,
    /// By hash of host and port.
    pages: HashMap<u64, u32>,
    sketch: Sketch,
    recent: Recent,
}

/// What an address adds to.
struct Counted {
    host: u64,
    queries: Option<u64>,
    facets: Option<u64>,
    parameters: Option<u64>,
    dates: Option<u64>,
}

impl Growth {
    /// Counts by the limits of a scope.
    pub fn new(options: &ScopeOptions) -> Self {
        Self {
            traps: options.traps.clone(),
            max_pages_per_host: options.max_pages_per_host,
            pages: HashMap::new(),
            sketch: Sketch::new(SKETCH_LOG2),
            recent: Recent::new(RECENT_LOG2),
        }
    }

    /// Whether a new address is still within the limits; if so, it counts from now on.
    pub fn admit(&mut self, address: &Address) -> Verdict {
        let counted = Counted::of(address);
        if let Some(reason) = self.refusal(&counted) {
            return Verdict::Refuse(reason);
        }
        self.count(&counted);
        Verdict::Take
    }

    /// Counts an address that was admitted before.
    pub fn note(&mut self, address: &Address) {
        self.count(&Counted::of(address));
    }

    fn refusal(&self, counted: &Counted) -> Option<Reason> {
        if self.max_pages_per_host.is_some_and(|max| self.pages.get(&counted.host).is_some_and(|&n| n >= max))
        {
            return Some(Reason::HostFull);
        }
        let is_full = |key: Option<u64>, max| key.is_some_and(|key| self.sketch.count(key) >= max);
        let traps = &self.traps;
        let trap = if is_full(counted.queries, traps.max_queries_per_path)
            || is_full(counted.facets, traps.max_faceted_queries_per_path)
        {
            Trap::ManyQueries
        } else if is_full(counted.dates, traps.max_dates_per_path) {
            Trap::ManyDates
        } else if counted.parameters.is_some_and(|key| self.recent.count(key) >= traps.max_orders_per_query) {
            Trap::PermutedQuery
        } else {
            return None;
        };
        Some(Reason::Trap(trap))
    }

    fn count(&mut self, counted: &Counted) {
        if self.max_pages_per_host.is_some() {
            let pages = self.pages.entry(counted.host).or_default();
            *pages = pages.saturating_add(1);
        }
        [counted.queries, counted.facets, counted.dates]
            .into_iter()
            .flatten()
            .for_each(|key| self.sketch.add(key));
        counted.parameters.into_iter().for_each(|key| self.recent.add(key));
    }
}

impl Counted {
    fn of(address: &Address) -> Self {
        let path_and_query = address.path_and_query();
        let (path, query) = path_and_query.split_once('?').unwrap_or((path_and_query, ""));
        let host = xxh3_64(address.authority().as_bytes());
        let page = xxh3_64_with_seed(path.as_bytes(), host);
        let parameters = query.split('&').filter(|parameter| !parameter.is_empty());
        let (count, sum) = parameters.fold((0, 0_u64), |(count, sum), parameter| {
            (count + 1, sum.wrapping_add(xxh3_64(parameter.as_bytes())))
        });
        let keyed = |part: u64, kind: u64| xxh3_64_with_seed(&part.to_le_bytes(), page ^ kind);
        let dates = calendar::path_before_date(path).filter(|_| count == 0);
        Self {
            host,
            queries: (count > 0).then(|| keyed(0, 1)),
            facets: (count >= FACETS).then(|| keyed(0, 2)),
            parameters: (count > 1).then(|| keyed(sum, 3)),
            dates: dates.map(|before| xxh3_64_with_seed(before.as_bytes(), host ^ 4)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(options: &str) -> Growth {
        Growth::new(&options.parse().expect("options"))
    }

    fn admitted(growth: &mut Growth, paths: impl Iterator<Item = String>) -> usize {
        let addresses = paths.map(|path| Address::parse(&format!("http://x.org{path}")).expect("an address"));
        addresses.filter(|address| growth.admit(address).is_take()).count()
    }

    #[test]
    fn endless_searches_end_and_other_pages_do_not() {
        let mut growth = growth("trap max-faceted-queries-per-path 100\ntrap max-queries-per-path 1000");
        let searches = (0..5_000).map(|n| format!("/s?q={n}&sort=a&page={}", n % 7));
        assert_eq!(admitted(&mut growth, searches), 100);
        assert_eq!(admitted(&mut growth, (0..5_000).map(|n| format!("/t?id={n}"))), 1_000);
        assert_eq!(admitted(&mut growth, (0..5_000).map(|n| format!("/page/{n}"))), 5_000);
        assert_eq!(admitted(&mut growth, (0..5_000).map(|n| format!("/page/{n}?a=1&b=2&c=3"))), 5_000);
    }

    #[test]
    fn a_query_in_many_orders_is_one_query() {
        let mut growth = growth("");
        let orders = ["a=1&b=2&c=3", "b=2&a=1&c=3", "c=3&b=2&a=1", "c=3&a=1&b=2", "a=1&b=2&c=4"];
        let verdicts = orders.map(|query| {
            growth.admit(&Address::parse(&format!("http://x.org/?{query}")).expect("an address")).is_take()
        });
        assert_eq!(verdicts, [true, true, false, false, true]);
    }

    #[test]
    fn hosts_have_their_limits_each() {
        let mut growth = growth("max-pages-per-host 10");
        assert_eq!(admitted(&mut growth, (0..20).map(|n| format!("/{n}"))), 10);
        let other = Address::parse("http://y.org/").expect("an address");
        assert_eq!(growth.admit(&other), Verdict::Take);
    }

    #[test]
    fn days_of_a_calendar_end() {
        let mut growth = growth("trap max-dates-per-path 50");
        let days = (0..4 * 12 * 28)
            .map(|n| format!("/cal/{}/{:02}/{:02}/", 2020 + n / 336, n / 28 % 12 + 1, n % 28 + 1));
        assert_eq!(admitted(&mut growth, days), 50);
        let articles = (0..100).map(|n| format!("/cal/2020/01/{:02}/title-{n}", n % 28 + 1));
        assert_eq!(admitted(&mut growth, articles), 100);
    }

    #[test]
    fn what_was_admitted_gives_the_same_counts_again() {
        let urls = (0..300).map(|n| format!("http://x.org/s?q={n}&b={}&c=1", n % 2));
        let urls: Vec<_> = urls.map(|url| Address::parse(&url).expect("an address")).collect();
        let mut first = growth("trap max-faceted-queries-per-path 100");
        let kept: Vec<_> = urls.iter().filter(|url| first.admit(url).is_take()).collect();
        let mut second = growth("trap max-faceted-queries-per-path 100");
        for url in &kept {
            second.note(url);
        }
        assert_eq!((first.sketch.counters_sum(), kept.len()), (second.sketch.counters_sum(), 100));
    }
}
