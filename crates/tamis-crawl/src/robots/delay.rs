//! How long a site asks robots to wait between two requests.

/// Longer delays are cut to an hour: of 626 in real files one is longer, a day, by which no site is ever read.
pub const LONGEST_DELAY_MS: u64 = 60 * 60 * 1_000;

/// `Crawl-delay: 2.5`, in seconds; none for what is no number.
pub(super) fn crawl_delay_ms(value: &[u8]) -> Option<u32> {
    let (seconds, _) = number(value)?;
    Some(to_ms(seconds))
}

/// `Request-rate: 1/5`, `30/1m`: requests in a time. The hours that may stand behind it are not looked at.
pub(super) fn request_rate_ms(value: &[u8]) -> Option<u32> {
    let (requests, rest) = number(value)?;
    let (time, unit) = number(rest.trim_ascii_start().strip_prefix(b"/")?)?;
    let seconds_each = match unit.first().map(u8::to_ascii_lowercase) {
        Some(b'm') => 60.0,
        Some(b'h') => 3_600.0,
        _ => 1.0,
    };
    (requests > 0.0).then(|| to_ms(time * seconds_each / requests))
}

/// The number that text starts with, and what is behind it.
fn number(text: &[u8]) -> Option<(f64, &[u8])> {
    let text = text.trim_ascii_start();
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
    let end = text.iter().position(|byte| !is_part(byte)).unwrap_or(text.len());
    // A comma is how half of Europe writes the point.
    let digits = std::str::from_utf8(&text[..end]).ok()?.replace(',', ".");
    Some((digits.parse().ok()?, &text[end..]))
}

fn to_ms(seconds: f64) -> u32 {
    (seconds * 1_000.0).clamp(0.0, LONGEST_DELAY_MS as f64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_numbers_of_seconds() {
        for (value, expected) in [
            ("10", Some(10_000)),
            (" 2.5 ", Some(2_500)),
            (".5", Some(500)),
            ("0,5", Some(500)),
            ("10s", Some(10_000)),
            ("0", Some(0)),
            ("86400", Some(3_600_000)),
            ("99999999999999999999999999", Some(3_600_000)),
            ("-inf", None),
            ("NaN", None),
            ("[5]", None),
            ("1.2.3", None),
            ("", None),
        ] {
            assert_eq!(crawl_delay_ms(value.as_bytes()), expected, "{value}");
        }
    }

    #[test]
    fn rates_are_requests_in_a_time() {
        for (value, expected) in [
            ("1/5", Some(5_000)),
            ("30/1m", Some(2_000)),
            ("8/1s", Some(125)),
            ("5/1m 0200-2259", Some(12_000)),
            ("1 / 10s", Some(10_000)),
            ("1/1h", Some(3_600_000)),
            ("0/1", None),
            ("5", None),
            ("/", None),
        ] {
            assert_eq!(request_rate_ms(value.as_bytes()), expected, "{value}");
        }
    }
}
