//! How long a host or an address is left alone.

/// How long to wait after a visit before the next one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Politeness {
    /// The same interval after the end of every request; a visit is one request.
    Fixed {
        /// From the end of a request to the beginning of the next.
        delay_ms: u64,
    },
    /// A visit goes on for a slice of time over one connection; having taken `s` it is followed by `s / p`.
    Share {
        /// Time downloading over time waiting; above 0.
        p: f64,
        /// No request of a visit begins later than this after the visit began.
        slice_ms: u64,
    },
}

impl Politeness {
    /// The wait that follows a visit of so many milliseconds.
    pub fn delay_ms(self, visit_ms: u64) -> u64 {
        match self {
            Self::Fixed { delay_ms } => delay_ms,
            // The cast saturates: a share of nothing is to wait for ever.
            Self::Share { p, .. } => (visit_ms as f64 / p.max(0.0)).ceil() as u64,
        }
    }

    /// Whether a visit may make another request now. `crawl_delay_ms` is what robots.txt asks for between any
    /// two requests, so it ends a visit after the first.
    pub fn goes_on(self, began_ms: u64, now_ms: u64, crawl_delay_ms: u64) -> bool {
        match self {
            Self::Fixed { .. } => false,
            Self::Share { slice_ms, .. } => crawl_delay_ms == 0 && now_ms.saturating_sub(began_ms) < slice_ms,
        }
    }
}

/// How long to wait after visits that failed one after the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backoff {
    /// After the first failure.
    pub base_ms: u64,
    /// How much longer after each further one.
    pub factor: f64,
    /// Never longer than this.
    pub cap_ms: u64,
    /// A host is given up after so many failures in a row; 0 for never.
    pub give_up: u32,
    /// The same of a host that has never answered.
    pub give_up_silent: u32,
}

impl Backoff {
    /// The wait after the `failures`-th failure in a row; nothing without failures.
    pub fn delay_ms(self, failures: u32) -> u64 {
        if failures == 0 {
            return 0;
        }
        let steps = i32::try_from(failures - 1).unwrap_or(i32::MAX);
        ((self.base_ms as f64 * self.factor.powi(steps)) as u64).min(self.cap_ms)
    }

    /// Whether so many failures in a row are enough.
    pub fn gives_up(self, failures: u32, has_answered: bool) -> bool {
        let most = if has_answered { self.give_up } else { self.give_up_silent };
        most != 0 && failures >= most
    }
}

impl Default for Backoff {
    fn default() -> Self {
        Self { base_ms: 10_000, factor: 4.0, cap_ms: 3_600_000, give_up: 6, give_up_silent: 3 }
    }
}

/// How a visit went, as far as politeness is concerned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// When its first request began.
    pub began_ms: u64,
    /// When its last response ended.
    pub ended_ms: u64,
    /// The instant that `Retry-After` named.
    pub not_before_ms: Option<u64>,
    /// What robots.txt asks for between requests; 0 for nothing.
    pub crawl_delay_ms: u64,
    /// Whether it answered anything at all.
    pub answered: bool,
    /// Whether the host is to blame for having got nothing: no connection, time-out, 429, 5xx, sent nowhere for its rules.
    pub failed: bool,
    /// The pages it brought.
    pub pages: u32,
    /// How long this host is left alone after the visit, where that is not as with all.
    pub delay_ms: Option<u64>,
}

impl Outcome {
    /// How many visits have failed in a row, of `before` so far. A visit that brought no page says nothing for its host: it may have been
    /// sent elsewhere for the rules, or have made no request at all.
    pub fn failures_after(&self, before: u32) -> u32 {
        let since = if self.pages > 0 { 0 } else { before };
        since.saturating_add(self.failed.into())
    }
}

/// When the host may be visited again: everything that asks for patience is heard, the longest wins.
pub fn host_ready_ms(outcome: &Outcome, politeness: Politeness, backoff: Backoff, failures: u32) -> u64 {
    let visit_ms = outcome.ended_ms.saturating_sub(outcome.began_ms);
    let back_off_ms = if outcome.failed { backoff.delay_ms(failures) } else { 0 };
    let delay_ms = politeness.delay_ms(visit_ms).max(outcome.crawl_delay_ms).max(back_off_ms);
    outcome.ended_ms.saturating_add(delay_ms).max(outcome.not_before_ms.unwrap_or(0))
}

/// When another host of the same address may be visited: crawl-delay, `Retry-After` and failures concern only
/// the host that was visited.
pub fn ip_ready_ms(outcome: &Outcome, politeness: Politeness) -> u64 {
    let visit_ms = outcome.ended_ms.saturating_sub(outcome.began_ms);
    outcome.ended_ms.saturating_add(politeness.delay_ms(visit_ms))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIXED: Politeness = Politeness::Fixed { delay_ms: 4_000 };
    const HALF: Politeness = Politeness::Share { p: 0.5, slice_ms: 1_000 };
    const BACKOFF: Backoff =
        Backoff { base_ms: 1_000, factor: 3.0, cap_ms: 20_000, give_up: 4, give_up_silent: 2 };

    #[test]
    fn what_a_visit_costs_in_patience() {
        for (politeness, visit_ms, expected) in [
            (FIXED, 0, 4_000),
            (FIXED, 60_000, 4_000),
            (HALF, 0, 0),
            (HALF, 700, 1_400),
            (HALF, 3_000, 6_000),
            (Politeness::Share { p: 0.3, slice_ms: 0 }, 1, 4),
            (Politeness::Share { p: 2.0, slice_ms: 0 }, 1_000, 500),
            (Politeness::Share { p: 0.0, slice_ms: 0 }, 1, u64::MAX),
            (Politeness::Share { p: -1.0, slice_ms: 0 }, 1, u64::MAX),
        ] {
            assert_eq!(politeness.delay_ms(visit_ms), expected, "{politeness:?} {visit_ms}");
        }
    }

    #[test]
    fn only_a_share_goes_on_and_only_within_its_slice() {
        for (politeness, now_ms, crawl_delay_ms, expected) in [
            (FIXED, 5_000, 0, false),
            (HALF, 5_000, 0, true),
            (HALF, 5_999, 0, true),
            (HALF, 6_000, 0, false),
            (HALF, 5_000, 1, false),
            // A clock that went back.
            (HALF, 4_000, 0, true),
        ] {
            assert_eq!(
                politeness.goes_on(5_000, now_ms, crawl_delay_ms),
                expected,
                "{politeness:?} {now_ms}"
            );
        }
    }

    #[test]
    fn failures_in_a_row_wait_longer_and_longer() {
        for (failures, expected, gives_up, gives_up_silent) in [
            (0, 0, false, false),
            (1, 1_000, false, false),
            (2, 3_000, false, true),
            (3, 9_000, false, true),
            (4, 20_000, true, true),
            (u32::MAX, 20_000, true, true),
        ] {
            assert_eq!(BACKOFF.delay_ms(failures), expected);
            let (answered, silent) = (BACKOFF.gives_up(failures, true), BACKOFF.gives_up(failures, false));
            assert_eq!((answered, silent), (gives_up, gives_up_silent), "{failures}");
        }
        assert!(!Backoff { give_up: 0, ..BACKOFF }.gives_up(u32::MAX, true));
    }

    #[test]
    fn only_a_page_ends_a_row_of_failures() {
        for (failed, pages, before, after) in [
            (true, 0, 2, 3),
            (false, 0, 2, 2),
            (false, 1, 2, 0),
            (true, 5, 2, 1),
            (true, 0, u32::MAX, u32::MAX),
        ] {
            let outcome = Outcome { failed, pages, ..Outcome::default() };
            assert_eq!(outcome.failures_after(before), after, "{outcome:?}");
        }
    }

    #[test]
    fn the_longest_wait_wins() {
        let at = |began_ms, ended_ms| Outcome { began_ms, ended_ms, ..Outcome::default() };
        let visit = at(10_000, 12_000);
        let failed = Outcome { failed: true, ..visit };
        for (outcome, politeness, failures, host, ip) in [
            (visit, FIXED, 0, 16_000, 16_000),
            (visit, HALF, 0, 16_000, 16_000),
            (Outcome { crawl_delay_ms: 3_000, ..visit }, FIXED, 0, 16_000, 16_000),
            (Outcome { crawl_delay_ms: 9_000, ..visit }, FIXED, 0, 21_000, 16_000),
            (Outcome { not_before_ms: Some(99_000), ..visit }, FIXED, 0, 99_000, 16_000),
            (Outcome { not_before_ms: Some(1), ..visit }, FIXED, 0, 16_000, 16_000),
            (failed, FIXED, 1, 16_000, 16_000),
            (failed, FIXED, 3, 21_000, 16_000),
            (visit, FIXED, 3, 16_000, 16_000),
            (
                Outcome { crawl_delay_ms: 9_500, not_before_ms: Some(21_400), ..failed },
                FIXED,
                3,
                21_500,
                16_000,
            ),
            // A clock that went back counts as a visit of no time.
            (at(12_000, 10_000), HALF, 0, 10_000, 10_000),
            (at(0, u64::MAX), FIXED, 0, u64::MAX, u64::MAX),
        ] {
            let ready =
                (host_ready_ms(&outcome, politeness, BACKOFF, failures), ip_ready_ms(&outcome, politeness));
            assert_eq!(ready, (host, ip), "{outcome:?} {politeness:?} {failures}");
        }
    }
}
