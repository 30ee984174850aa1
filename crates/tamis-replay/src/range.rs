//! `Range` (RFC 9110, section 14).

use std::ops::Range;

/// The part of a representation that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// All of it: no range, several, or one that cannot be read.
    All,
    /// These bytes.
    Part(Range<u64>),
    /// Bytes that it does not have.
    Unsatisfiable,
}

/// Reads a `Range` for a representation of `len` bytes. Several ranges are answered with the whole, as the RFC allows.
pub fn wanted(range: Option<&str>, len: u64) -> Wanted {
    let Some(spec) = range.and_then(|range| range.trim().strip_prefix("bytes=")) else { return Wanted::All };
    let Some((first, last)) = spec.trim().split_once('-') else { return Wanted::All };
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse().unwrap_or(u64::MAX))
    };
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first > last => Wanted::All,
        (Some(first), Some(last)) => part(first..last.saturating_add(1).min(len), len),
        (Some(first), None) if last.is_empty() => part(first..len, len),
        (None, Some(count)) if first.is_empty() => part(len.saturating_sub(count)..len, len),
        _ => Wanted::All,
    }
}

fn part(range: Range<u64>, len: u64) -> Wanted {
    if range.start >= len || range.is_empty() { Wanted::Unsatisfiable } else { Wanted::Part(range) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_the_rfc_says() {
        for (range, expected) in [
            ("bytes=0-4", Wanted::Part(0..5)),
            ("bytes=5-", Wanted::Part(5..10)),
            ("bytes=-3", Wanted::Part(7..10)),
            ("bytes=-99", Wanted::Part(0..10)),
            ("bytes=9-99999999999999999999", Wanted::Part(9..10)),
            ("bytes=10-", Wanted::Unsatisfiable),
            ("bytes=-0", Wanted::Unsatisfiable),
            ("bytes=5-4", Wanted::All),
            ("bytes=0-1,3-4", Wanted::All),
            ("bytes=a-b", Wanted::All),
            ("bytes=-", Wanted::All),
            ("lines=0-1", Wanted::All),
        ] {
            assert_eq!(wanted(Some(range), 10), expected, "{range}");
        }
        assert_eq!(wanted(None, 10), Wanted::All);
        assert_eq!(wanted(Some("bytes=0-"), 0), Wanted::Unsatisfiable);
    }
}
