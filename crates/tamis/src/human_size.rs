//! Sizes in bytes as people write them: `1 GB`, `64MiB`, `1_000_000`.

use std::fmt;
use std::str::FromStr;

/// A number of bytes. `GB` is 10⁹ and `GiB` 2³⁰, as the SI and IEC 80000-13 have it; letters may be of any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct HumanSize(pub u64);

/// Unit names, lower-case, with the bytes of each.
const UNITS: [(&str, u64); 16] = [
    ("", 1),
    ("b", 1),
    ("k", 1_000),
    ("kb", 1_000),
    ("kib", 1 << 10),
    ("m", 1_000_000),
    ("mb", 1_000_000),
    ("mib", 1 << 20),
    ("g", 1_000_000_000),
    ("gb", 1_000_000_000),
    ("gib", 1 << 30),
    ("t", 1_000_000_000_000),
    ("tb", 1_000_000_000_000),
    ("tib", 1 << 40),
    ("pb", 1_000_000_000_000_000),
    ("pib", 1 << 50),
];

impl FromStr for HumanSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a size such as `1 GB`, `64MiB` or `1000000`");
        let (number, unit) = split_number(text);
        let unit = unit.to_ascii_lowercase();
        let (_, bytes) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?;
        times(&number, *bytes).map(Self).ok_or_else(wrong)
    }
}

/// Three digits that matter and a decimal unit: `999 B`, `1.5 kB`, `12.3 MB`, `1 GB`.
impl fmt::Display for HumanSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut value = self.0 as f64;
        let mut units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"].into_iter();
        let mut unit = units.next().unwrap_or_default();
        // 999.5 would print as 1000.
        while value >= 999.5 {
            let Some(larger) = units.next() else { break };
            (value, unit) = (value / 1000.0, larger);
        }
        write!(f, "{} {unit}", three_digits(value))
    }
}

/// Splits `1.5 GB` into its digits without separators and its unit, both trimmed.
pub(crate) fn split_number(text: &str) -> (String, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !matches!(c, '0'..='9' | '.' | ',' | '_')).unwrap_or(text.len());
    let digits = text[..end].chars().filter(|c| !matches!(c, ',' | '_')).collect();
    (digits, text[end..].trim())
}

/// A decimal number times a unit: exact for whole numbers, rounded for fractions, none for what is no number or
/// does not fit.
pub(crate) fn times(number: &str, unit: u64) -> Option<u64> {
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(unit);
    }
    let value = number.parse::<f64>().ok()? * unit as f64;
    (value.is_finite() && value < u64::MAX as f64).then_some(value.round() as u64)
}

/// A number of at most three digits, without zeros at the end of a fraction.
fn three_digits(value: f64) -> String {
    let decimals = match value {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    let text = format!("{value:.decimals$}");
    if decimals == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("0", 0),
            ("1024", 1024),
            ("1 GB", 1_000_000_000),
            ("1gb", 1_000_000_000),
            ("1G", 1_000_000_000),
            ("64MiB", 64 << 20),
            (" 1.5 kB ", 1500),
            ("0.5 KiB", 512),
            ("1_000_000", 1_000_000),
            ("1,000 B", 1000),
            ("2 TiB", 2 << 40),
        ] {
            assert_eq!(text.parse(), Ok(HumanSize(bytes)), "{text}");
        }
    }

    #[test]
    fn what_is_no_size_is_refused_with_an_example() {
        for text in ["", "GB", "1 XB", "-1", "1..5 GB", "99999999 PB", "1 G B", "1e3", "nan"] {
            let error = text.parse::<HumanSize>().expect_err(text);
            assert!(error.contains("`1 GB`"), "{error}");
        }
    }

    #[test]
    fn sizes_are_printed_with_three_digits() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1 kB"),
            (1500, "1.5 kB"),
            (12_345, "12.3 kB"),
            (999_499, "999 kB"),
            (999_500, "1 MB"),
            (1_000_000_000, "1 GB"),
            (u64::MAX, "18.4 EB"),
        ] {
            assert_eq!(HumanSize(bytes).to_string(), text);
        }
    }
}
