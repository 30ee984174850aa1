//! How a request ended, in 16 bits: an HTTP status, or one of these.

use crate::fetch::Failure;
use crate::scope::Reason;

/// A page is as it was when it was fetched last.
pub(super) const NOT_MODIFIED: u16 = 304;
/// Nothing was asked: `robots.txt` forbids it.
pub(super) const DISALLOWED: u16 = 1001;
/// The request failed, nobody wrote down how.
pub(super) const FAILED: u16 = 1003;
/// Left out because of a limit, nobody wrote down which.
pub(super) const OVER_LIMIT: u16 = 1004;
/// Left out: settings that changed since it was found exclude it.
pub(super) const EXCLUDED: u16 = 1005;
/// Left out because of a limit: this and the place of the reason in [`Reason::ALL`].
const OVER_LIMIT_OF: u16 = 1010;
/// Left out: pages of such addresses bring nothing new.
pub(super) const STALE: u16 = 1050;
/// The request failed, after the tries that the options allow: this and the number of the failure.
const FAILED_SO: u16 = 1100;

/// The outcome of an address whose last request failed so.
pub(super) fn of_failure(failure: Failure) -> u16 {
    FAILED_SO + failure as u16
}

/// The outcome of an address that a limit leaves out.
pub(super) fn of_limit(reason: Reason) -> u16 {
    OVER_LIMIT_OF + reason.index() as u16
}

/// The limit that left an address out.
pub(super) fn limit(outcome: u16) -> Option<&'static str> {
    match outcome {
        OVER_LIMIT => Some("limit"),
        STALE => Some("trap-stale"),
        EXCLUDED => Some("excluded"),
        _ => {
            let reason = Reason::ALL.get(usize::from(outcome.checked_sub(OVER_LIMIT_OF)?))?;
            Some(reason.name())
        }
    }
}

/// Whether a response has a page.
pub(super) fn is_page(outcome: u16) -> bool {
    (200..300).contains(&outcome)
}

/// Whether an address may give more another time: nobody answered, or only to come later, or with a status that no standard knows:
/// servers send 999 to robots.
pub(super) fn is_failed(outcome: u16) -> bool {
    matches!(outcome, 429 | 503 | 0..=99 | 600..=999) || outcome > 999 && !is_refused(outcome)
}

/// Whether an address was never asked for.
pub(super) fn is_refused(outcome: u16) -> bool {
    outcome == DISALLOWED || limit(outcome).is_some()
}

/// What happened, in a word.
pub(super) fn kind(outcome: u16) -> String {
    let failure = outcome.checked_sub(FAILED_SO).and_then(|number| Failure::ALL.get(usize::from(number)));
    match (outcome, failure, limit(outcome)) {
        (_, Some(failure), _) => failure.name().to_owned(),
        (_, _, Some(limit)) => limit.to_owned(),
        (DISALLOWED, ..) => "robots".to_owned(),
        (0..=999, ..) => format!("status-{outcome}"),
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
        _ if limit(outcome).is_some() => "over a limit",
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
            (of_limit(Reason::HostFull), "host-full", false, true),
            (of_limit(Reason::TooManyRedirects), "too-many-redirects", false, true),
            (STALE, "trap-stale", false, true),
            (999, "status-999", true, false),
            (600, "status-600", true, false),
            (599, "status-599", false, false),
            (EXCLUDED, "excluded", false, true),
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
            let is_response = outcome < 1000;
            assert_eq!(name(outcome) == "failed", is_failed(outcome) && !is_response, "{outcome}");
            assert!(name(outcome) != "other status" || is_failed(outcome), "{outcome}");
            assert_eq!(name(outcome) == "over a limit", limit(outcome).is_some(), "{outcome}");
        }
        assert_eq!((name(0), name(600), name(999)), ("other status", "other status", "other status"));
    }
}
