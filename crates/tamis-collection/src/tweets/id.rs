//! Ids of tweets, and the ways exporters spoil them.

use std::fmt;
use std::str::FromStr;

/// The id of a tweet. Ids are 64-bit numbers, always written out in digits: as a float they lose their last ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TweetId(pub u64);

/// Why a text is no id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadId {
    /// A spreadsheet or a data frame made a float of it, so that its last digits are lost.
    #[error("the id {0:?} was rounded: it was stored as a float")]
    Rounded(String),
    /// It is something else.
    #[error("{0:?} is not a tweet id")]
    NotAnId(String),
}

impl fmt::Display for TweetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for TweetId {
    type Err = BadId;

    /// Reads digits, also behind the `x` or `'` that keep spreadsheets from rounding them, in quotes, or in the
    /// address of a tweet.
    fn from_str(text: &str) -> Result<Self, BadId> {
        let bare = text.trim().trim_matches(['"', '\'']);
        let digits = bare.strip_prefix('x').unwrap_or_else(|| in_address(bare).unwrap_or(bare));
        if let Some(id) = parse_digits(digits) {
            return Ok(Self(id));
        }
        let shown = bare.chars().take(40).collect();
        let is_float = bare.contains(['.', 'e', 'E']) && bare.parse::<f64>().is_ok();
        Err(if is_float { BadId::Rounded(shown) } else { BadId::NotAnId(shown) })
    }
}

/// `u64::from_str` alone would take a sign.
fn parse_digits(text: &str) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// The digits in `https://twitter.com/someone/status/123?s=20`.
fn in_address(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("/status/").or_else(|| text.split_once("/statuses/"))?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_exact_or_refused() {
        for (text, expected) in [
            ("1201505319257403392", Ok(1_201_505_319_257_403_392)),
            (" \"20\" ", Ok(20)),
            ("x1201505319257403392", Ok(1_201_505_319_257_403_392)),
            ("'1201505319257403392", Ok(1_201_505_319_257_403_392)),
            ("https://twitter.com/someone/status/77?s=20", Ok(77)),
            ("http://twitter.com/someone/statuses/78", Ok(78)),
            ("1.20150531925740E+18", Err(BadId::Rounded("1.20150531925740E+18".into()))),
            ("1201505319257403392.0", Err(BadId::Rounded("1201505319257403392.0".into()))),
            ("", Err(BadId::NotAnId(String::new()))),
            ("+5", Err(BadId::NotAnId("+5".into()))),
            ("99999999999999999999", Err(BadId::NotAnId("99999999999999999999".into()))),
            (
                "https://twitter.com/someone/status/",
                Err(BadId::NotAnId("https://twitter.com/someone/status/".into())),
            ),
        ] {
            assert_eq!(text.parse(), expected.map(TweetId), "{text}");
        }
    }
}
