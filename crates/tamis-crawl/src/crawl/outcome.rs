//! How a request ended, in 16 bits: an HTTP status, or one of these.

/// Nothing was asked: `robots.txt` forbids it.
pub(super) const DISALLOWED: u16 = 1001;
/// The request failed, after the tries that the options allow. The kind of failure is counted, not kept.
pub(super) const FAILED: u16 = 1003;
/// Left out: the host's limit of pages was reached.
pub(super) const OVER_LIMIT: u16 = 1004;

/// A name for statistics.
pub(super) fn name(outcome: u16) -> &'static str {
    match outcome {
        100..=199 => "1xx",
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        500..=599 => "5xx",
        DISALLOWED => "disallowed",
        OVER_LIMIT => "over the host's limit",
        _ => "failed",
    }
}
