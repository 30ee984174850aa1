//! How a request ended, in 16 bits: an HTTP status, or one of these.

use crate::fetch::Failure;

/// A page is as it was when it was fetched last.
pub(super) const NOT_MODIFIED: u16 = 304;
/// Nothing was asked: `robots.txt` forbids it.
pub(super) const DISALLOWED: u16 = 1001;
/// The request failed, nobody wrote down how.
pub(super) const FAILED: u16 = 1003;
/// Left out: the host's limit of pages was reached, or it is one of endlessly many.
pub(super) const OVER_LIMIT: u16 = 1004;
/// Left out: settings that changed since it was found exclude it.
pub(super) const EXCLUDED: u16 = 1005;
/// The request failed, after the tries that the options allow: this and the number of the failure.
const FAILED_SO: u16 = 1100;

/// The outcome of an address whose last request failed so.
pub(super) fn of_failure(failure: Failure) -> u16 {
    FAILED_SO + failure as u16
}

/// Whether an address may give more another time: nobody answered, or only to come later.
pub(super) fn is_failed(outcome: u16) -> bool {
    matches!(outcome, 429 | 503) || outcome > 999 && !is_refused(outcome)
}

/// Whether an address is queued again when a crawl goes on: what left it out may be otherwise by then.
pub(super) fn is_put_off(outcome: u16) -> bool {
    matches!(outcome, OVER_LIMIT | EXCLUDED)
}

/// Whether an address was never asked for.
pub(super) fn is_refused(outcome: u16) -> bool {
    matches!(outcome, DISALLOWED | OVER_LIMIT | EXCLUDED)
}

/// What happened, in a word.
pub(super) fn kind(outcome: u16) -> String {
    let failure = outcome.checked_sub(FAILED_SO).and_then(|number| Failure::ALL.get(usize::from(number)));
    match (outcome, failure) {
        (_, Some(failure)) => failure.name().to_owned(),
        (DISALLOWED, _) => "robots".to_owned(),
        (OVER_LIMIT, _) => "limit".to_owned(),
        (EXCLUDED, _) => "excluded".to_owned(),
        (100..=999, _) => format!("status-{outcome}"),
        _ => "failed".to_owned(),
    }
}

/// A name for statistics.
pub(super) fn name(outcome: u16) -> &'static str {
    match outcome {
        100..=199 => "1xx",
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        500..=599 => "5xx",
        // Servers send what no standard knows, such as 999 for robots.
        0..=999 => "other status",
        DISALLOWED => "disallowed",
        OVER_LIMIT => "over a limit",
        EXCLUDED => "excluded",
        _ => "failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_have_their_kinds() {
        for (outcome, said, failed, refused) in [
            (200, "status-200", false, false),
            (404, "status-404", false, false),
            (429, "status-429", true, false),
            (503, "status-503", true, false),
            (DISALLOWED, "robots", false, true),
            (FAILED, "failed", true, false),
            (OVER_LIMIT, "limit", false, true),
            (EXCLUDED, "excluded", false, true),
            (999, "status-999", false, false),
            (of_failure(Failure::NoSuchHost), "no-such-host", true, false),
            (of_failure(Failure::BadRequest), "bad-request", true, false),
            (of_failure(Failure::PortRefused), "port-refused", true, false),
            (u16::MAX, "failed", true, false),
        ] {
            assert_eq!(kind(outcome), said);
            assert_eq!((is_failed(outcome), is_refused(outcome)), (failed, refused), "{said}");
        }
    }

    #[test]
    fn what_is_counted_as_failed_is_listed_as_failed() {
        for outcome in 0..2000 {
            let is_told_to_come_later = matches!(outcome, 429 | 503);
            assert_eq!(name(outcome) == "failed", is_failed(outcome) && !is_told_to_come_later, "{outcome}");
        }
        assert_eq!((name(0), name(600), name(999)), ("other status", "other status", "other status"));
    }
}
