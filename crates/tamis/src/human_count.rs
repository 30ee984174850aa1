//! Counts as people write them: `12,345`, `10k`, `2.5M`.

use std::fmt;
use std::str::FromStr;

use crate::human_size::{split_number, times};

/// A number of things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct HumanCount(pub u64);

impl HumanCount {
    /// The count with the noun, in the plural unless it is one: `1 record`, `12,345 records`.
    pub fn of(count: u64, noun: &str) -> String {
        format!("{} {}", Self(count), Self(count).noun(noun))
    }

    /// The noun alone, in the plural unless the count is one.
    pub fn noun(self, noun: &str) -> String {
        match noun.strip_suffix('y') {
            _ if self.0 == 1 => noun.to_owned(),
            Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
            _ => format!("{noun}s"),
        }
    }
}

impl FromStr for HumanCount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a count such as `500`, `12,345`, `10k` or `2.5M`");
        let (number, unit) = split_number(text);
        let unit = match unit {
            "" => 1,
            "k" | "K" => 1_000,
            "m" | "M" => 1_000_000,
            "g" | "G" => 1_000_000_000,
            _ => return Err(wrong()),
        };
        times(&number, unit).map(Self).ok_or_else(wrong)
    }
}

/// All digits, in groups of three: `12,345`.
impl fmt::Display for HumanCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&tamis_plot::in_groups(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_and_printed() {
        for (text, count, printed) in [
            ("0", 0, "0"),
            ("999", 999, "999"),
            ("1k", 1000, "1,000"),
            ("12,345", 12_345, "12,345"),
            ("2.5M", 2_500_000, "2,500,000"),
            ("1_000_000", 1_000_000, "1,000,000"),
        ] {
            let parsed: HumanCount = text.parse().expect(text);
            assert_eq!((parsed.0, parsed.to_string().as_str()), (count, printed), "{text}");
        }
        for text in ["", "many", "-3", "1 kilo"] {
            assert!(text.parse::<HumanCount>().is_err(), "{text}");
        }
    }

    #[test]
    fn one_thing_is_not_in_the_plural() {
        assert_eq!(HumanCount::of(1, "record"), "1 record");
        assert_eq!(HumanCount::of(0, "record"), "0 records");
        assert_eq!(HumanCount::of(1234, "file"), "1,234 files");
        assert_eq!(HumanCount::of(2, "retry") + &HumanCount::of(2, "day"), "2 retries2 days");
    }
}
