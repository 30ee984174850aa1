//! When a server wants to be asked again.

use super::http_date::http_date_ms;

/// Longer waits are cut to a day.
pub const LONGEST_RETRY_MS: u64 = 24 * 60 * 60 * 1_000;

/// Milliseconds to wait by a field `Retry-After`, which has seconds or a date (RFC 9110 section 10.2.3); a date that is
/// over says to wait no more. None for what is neither.
pub fn retry_after_ms(value: &str, now_ms: u64) -> Option<u64> {
    let value = value.trim();
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let wait_ms = if is_number {
        // What does not fit is far behind the limit.
        value.parse::<u64>().unwrap_or(u64::MAX).saturating_mul(1_000)
    } else {
        http_date_ms(value)?.saturating_sub(now_ms)
    };
    Some(wait_ms.min(LONGEST_RETRY_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_or_a_date() {
        let now_ms = 784_111_770_000;
        for (value, expected) in [
            ("120", Some(120_000)),
            (" 0 ", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(7_000)),
            ("Sun, 06 Nov 1994 08:49:00 GMT", Some(0)),
            ("Sun, 06 Nov 2094 08:49:00 GMT", Some(LONGEST_RETRY_MS)),
            ("99999999999999999999999", Some(LONGEST_RETRY_MS)),
            ("-5", None),
            ("1.5", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(retry_after_ms(value, now_ms), expected, "{value}");
        }
    }
}
