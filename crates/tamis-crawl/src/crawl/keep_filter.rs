//! Which responses are kept, and which are only noted: by media type and by size.

use std::fmt;
use std::str::FromStr;

/// What is kept. Whatever else comes is read for its links and noted in the journal, but not archived. Redirects, errors and `robots.txt` are
/// always kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeepFilter {
    /// Only these media types; all if there are none.
    pub only: Vec<MediaPattern>,
    /// None of these.
    pub never: Vec<MediaPattern>,
    /// Maximum size of a body, as transferred.
    pub max_bytes: Option<u64>,
}

/// A media type such as `application/pdf`, or all of a kind: `image/*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaPattern(String);

/// What is no media type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a media type such as application/pdf or image/*")]
pub struct NoMediaType(String);

/// What a response without a usable `Content-Type` counts as (RFC 9110, section 8.3).
const UNKNOWN: &str = "application/octet-stream";

impl KeepFilter {
    /// Whether a response is kept.
    pub(super) fn keeps(&self, status: u16, content_type: Option<&str>, body_len: usize) -> bool {
        if !(200..300).contains(&status) {
            return true;
        }
        let stated =
            content_type.and_then(|value| value.split(';').next()).map(str::trim).unwrap_or_default();
        let stated = if stated.contains('/') { stated.to_ascii_lowercase() } else { UNKNOWN.to_owned() };
        let is_one = |patterns: &[MediaPattern]| patterns.iter().any(|pattern| pattern.fits(&stated));
        let is_short = self.max_bytes.is_none_or(|max| body_len as u64 <= max);
        is_short && (self.only.is_empty() || is_one(&self.only)) && !is_one(&self.never)
    }
}

impl MediaPattern {
    fn fits(&self, media_type: &str) -> bool {
        match self.0.strip_suffix('*') {
            Some(start) => media_type.starts_with(start),
            None => media_type == self.0,
        }
    }
}

impl FromStr for MediaPattern {
    type Err = NoMediaType;

    fn from_str(text: &str) -> Result<Self, NoMediaType> {
        let is_token = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte))
        };
        let parts = text.trim().split_once('/');
        let is_fit = parts.is_some_and(|(kind, rest)| is_token(kind) && (rest == "*" || is_token(rest)));
        if is_fit { Ok(Self(text.trim().to_ascii_lowercase())) } else { Err(NoMediaType(text.to_owned())) }
    }
}

impl fmt::Display for MediaPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_kept_by_type_and_size() {
        let patterns =
            |words: &[&str]| words.iter().map(|word| word.parse().expect("a type")).collect::<Vec<_>>();
        let filter = KeepFilter {
            only: patterns(&["text/*", "Image/PNG"]),
            never: patterns(&["text/css"]),
            max_bytes: Some(10),
        };
        for (status, content_type, len, expected) in [
            (200, Some("text/html; charset=utf-8"), 10, true),
            (200, Some("TEXT/Plain"), 3, true),
            (200, Some("text/css"), 3, false),
            (200, Some("image/png"), 3, true),
            (200, Some("image/pngx"), 3, false),
            (206, Some("text/html"), 11, false),
            (200, None, 3, false),
            (200, Some("nonsense"), 3, false),
            (302, Some("video/mp4"), 99, true),
            (404, None, 99, true),
        ] {
            assert_eq!(filter.keeps(status, content_type, len), expected, "{status} {content_type:?} {len}");
        }
        assert!(KeepFilter::default().keeps(200, None, usize::MAX));
        for bad in ["text", "text/", "/html", "*/*", "te xt/html", "text/h*", ""] {
            assert!(bad.parse::<MediaPattern>().is_err(), "{bad}");
        }
    }
}
