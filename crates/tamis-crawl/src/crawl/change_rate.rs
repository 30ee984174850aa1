//! How often a page changes, and when it is due to be fetched again.

/// When pages are fetched again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgainOptions {
    /// No page is fetched again sooner after its last visit.
    pub min_age_ms: u64,
    /// Every page is fetched again at the latest so long after its last visit.
    pub max_age_ms: u64,
}

/// The visits to a page, and the changes that they found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    /// The first visit, in milliseconds since 1970.
    pub first_ms: u64,
    /// The last visit.
    pub last_ms: u64,
    /// Visits that were compared with the one before: all but the first.
    pub compared: u32,
    /// Those of them that found another content.
    pub changed: u32,
}

const DAY_MS: f64 = 86_400_000.0;

impl Default for AgainOptions {
    /// A day and thirty days.
    fn default() -> Self {
        Self { min_age_ms: 86_400_000, max_age_ms: 30 * 86_400_000 }
    }
}

impl Changes {
    /// The first visit.
    pub(super) fn first(at_ms: u64) -> Self {
        Self { first_ms: at_ms, last_ms: at_ms, compared: 0, changed: 0 }
    }

    /// Adds a visit.
    pub(super) fn visit(&mut self, at_ms: u64, has_changed: bool) {
        self.last_ms = self.last_ms.max(at_ms);
        self.compared = self.compared.saturating_add(1);
        self.changed = self.changed.saturating_add(u32::from(has_changed));
    }

    /// The estimated number of changes a day; none after a single visit.
    ///
    /// The estimator is the bias-reduced one of Cho and Garcia-Molina, "Estimating Frequency of Change" (ACM Transactions on Internet
    /// Technology 3, 2003): with `n` comparisons at intervals of `I`, of which `X` found a change, `-ln((n - X + 0.5) / (n + 0.5)) / I`.
    /// A visit tells that a page has changed, not how often, so the plain `X / (n I)` is too low for pages that change often. Visits
    /// are not exactly regular; `I` is their mean interval.
    pub fn per_day(&self) -> Option<f64> {
        let days = self.last_ms.saturating_sub(self.first_ms) as f64 / DAY_MS;
        if self.compared == 0 || days <= 0.0 {
            return None;
        }
        let (n, x) = (f64::from(self.compared), f64::from(self.changed.min(self.compared)));
        let rate = -((n - x + 0.5) / (n + 0.5)).ln();
        // Without a change the logarithm gives a negative zero.
        Some((rate.max(0.0) + 0.0) / (days / n))
    }

    /// When it is due: as soon as it is as likely as not to have changed (changes as a Poisson process), within the limits of age.
    /// Without a known change it waits at most twice as long as it has been watched, so that no page is left alone for long after a
    /// single look.
    pub fn due_ms(&self, options: &AgainOptions) -> u64 {
        let watched_ms = self.last_ms.saturating_sub(self.first_ms);
        let longest_ms = watched_ms.saturating_mul(2).min(options.max_age_ms).max(options.min_age_ms);
        let wait_ms = match self.per_day() {
            None => options.min_age_ms,
            // The cast saturates.
            Some(rate) if rate > 0.0 => (std::f64::consts::LN_2 / rate * DAY_MS) as u64,
            Some(_) => u64::MAX,
        };
        self.last_ms.saturating_add(wait_ms.clamp(options.min_age_ms, longest_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 86_400_000;

    fn changes(days: u64, compared: u32, changed: u32) -> Changes {
        Changes { first_ms: DAY, last_ms: DAY + days * DAY, compared, changed }
    }

    #[test]
    fn the_estimate_is_that_of_the_formula() {
        for (days, compared, changed, expected) in [
            (10, 10, 0, Some(0.0)),
            // ln(10.5 / 9.5), ln(10.5 / 5.5), ln(10.5 / 0.5)
            (10, 10, 1, Some(0.100_083_5)),
            (10, 10, 5, Some(0.646_627_2)),
            (10, 10, 10, Some(3.044_522_4)),
            (20, 10, 5, Some(0.323_313_6)),
            (0, 0, 0, None),
            (0, 3, 3, None),
        ] {
            let found = changes(days, compared, changed).per_day();
            let is_near = found.zip(expected).is_some_and(|(a, b): (f64, f64)| (a - b).abs() < 1e-6);
            assert!(is_near || found == expected, "{days} {compared} {changed}: {found:?}");
        }
    }

    /// Visits to pages that change by chance, at a known rate: the estimate is near it, the naive one is not.
    #[test]
    fn pages_that_change_often_are_not_underestimated() {
        let (rate, visits, pages) = (1.2, 40, 400);
        let (mut state, mut sum, mut naive) = (0x9E37_79B9_7F4A_7C15_u64, 0.0, 0.0);
        for _ in 0..pages {
            let mut page = Changes::first(DAY);
            for visit in 1..=visits {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let drawn = (state >> 11) as f64 / (1_u64 << 53) as f64;
                page.visit(DAY + visit * DAY, drawn < 1.0 - f64::exp(-rate));
            }
            sum += page.per_day().unwrap_or(f64::NAN);
            naive += f64::from(page.changed) / f64::from(page.compared);
        }
        let (mean, naive) = (sum / f64::from(pages), naive / f64::from(pages));
        assert!((mean - rate).abs() < 0.05, "{mean}");
        assert!(naive < 0.75, "{naive}");
    }

    #[test]
    fn a_page_is_due_when_it_is_as_likely_as_not_to_have_changed() {
        let options = AgainOptions { min_age_ms: DAY, max_age_ms: 30 * DAY };
        for (page, after) in [
            // Seen once: the least age. Never changed: twice as long as it was watched, up to the greatest age.
            (changes(0, 0, 0), DAY),
            (changes(1, 1, 0), 2 * DAY),
            (changes(9, 3, 0), 18 * DAY),
            (changes(100, 10, 0), 30 * DAY),
            // ln 2 / 0.3233 and ln 2 / 3.04 days
            (changes(20, 10, 5), (std::f64::consts::LN_2 / 0.323_313_6 * DAY as f64) as u64),
            (changes(10, 10, 10), DAY),
        ] {
            let due = page.due_ms(&options) - page.last_ms;
            assert!(due.abs_diff(after) < 1_000, "{page:?}: {due} {after}");
        }
        let odd = AgainOptions { min_age_ms: 5 * DAY, max_age_ms: DAY };
        assert_eq!(changes(9, 3, 0).due_ms(&odd), changes(9, 3, 0).last_ms + 5 * DAY, "no panic");
    }
}
