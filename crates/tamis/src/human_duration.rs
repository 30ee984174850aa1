//! Spans of time as people write them: `90s`, `1h 30min`, `500 ms`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::human_size::{split_number, times};

/// A span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct HumanDuration(pub Duration);

/// Unit names with the milliseconds of each.
const UNITS: [(&str, u64); 12] = [
    ("ms", 1),
    ("s", 1000),
    ("sec", 1000),
    ("m", 60_000),
    ("min", 60_000),
    ("h", 3_600_000),
    ("d", 86_400_000),
    ("day", 86_400_000),
    ("days", 86_400_000),
    ("w", 604_800_000),
    ("week", 604_800_000),
    ("weeks", 604_800_000),
];

impl FromStr for HumanDuration {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a span of time such as `90s`, `1h 30min` or `500 ms`");
        let mut rest = text.trim();
        let mut total_ms = 0_u64;
        while !rest.is_empty() {
            let (number, behind) = split_number(rest);
            let end = behind.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(behind.len());
            let (_, unit_ms) = UNITS.iter().find(|(name, _)| *name == &behind[..end]).ok_or_else(wrong)?;
            let part_ms = times(&number, *unit_ms).ok_or_else(wrong)?;
            total_ms = total_ms.checked_add(part_ms).ok_or_else(wrong)?;
            rest = behind[end..].trim();
        }
        if text.trim().is_empty() { Err(wrong()) } else { Ok(Self(Duration::from_millis(total_ms))) }
    }
}

/// The two largest units that matter: `350 ms`, `2.5 s`, `3 min 05 s`, `2 h 03 min`, `4 d 06 h`.
impl fmt::Display for HumanDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        match seconds {
            0 => write!(f, "{} ms", self.0.as_millis()),
            1..60 => write!(f, "{} s", (self.0.as_millis() / 100) as f64 / 10.0),
            60..3600 => write!(f, "{} min {:02} s", seconds / 60, seconds % 60),
            3600..86_400 => write!(f, "{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
            _ => write!(f, "{} d {:02} h", seconds / 86_400, seconds % 86_400 / 3600),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_and_printed() {
        for (text, millis, printed) in [
            ("500 ms", 500, "500 ms"),
            ("2.5s", 2500, "2.5 s"),
            ("3s", 3000, "3 s"),
            ("59.99s", 59_990, "59.9 s"),
            ("90s", 90_000, "1 min 30 s"),
            ("1h 30min", 5_400_000, "1 h 30 min"),
            ("1h30m", 5_400_000, "1 h 30 min"),
            ("2 days", 172_800_000, "2 d 00 h"),
            ("0s", 0, "0 ms"),
        ] {
            let parsed: HumanDuration = text.parse().expect(text);
            assert_eq!((parsed.0.as_millis(), parsed.to_string().as_str()), (millis, printed), "{text}");
        }
    }

    #[test]
    fn a_number_without_a_unit_is_no_span() {
        for text in ["", "10", "s", "1 fortnight", "1h 30"] {
            assert!(text.parse::<HumanDuration>().is_err(), "{text}");
        }
    }
}
