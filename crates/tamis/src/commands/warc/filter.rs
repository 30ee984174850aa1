//! Which records a command takes: options that several commands share.

use std::str::FromStr;

use tamis_archive::http::HttpHead;
use tamis_archive::{Error, Head, Precision, Record, RecordType, Timestamp};

use tamis_archive::Content;

/// Which records to take. Values of one option are alternatives; all options must hold.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Record filters")]
pub(super) struct RecordFilter {
    /// Record types: warcinfo, response, resource, request, metadata, revisit, conversion, continuation, other
    #[arg(long = "type", value_name = "TYPE,…", value_delimiter = ',', value_parser = record_type)]
    types: Vec<RecordType>,
    /// Text in the URL, or with `*` a pattern for the whole URL: `*.pdf`, `http://a.org/*`
    #[arg(long = "url", value_name = "PATTERN")]
    urls: Vec<UrlPattern>,
    /// HTTP statuses: 404, 5xx, 200-299
    #[arg(long = "status", value_name = "STATUS,…", value_delimiter = ',')]
    statuses: Vec<StatusRange>,
    /// Media types of the payload: text/html, image/*
    #[arg(long = "mime", value_name = "TYPE,…", value_delimiter = ',')]
    mimes: Vec<MimePattern>,
    /// Captured at this time or later: 2024, 2024-02-29, 20240229123456
    #[arg(long, value_name = "TIME")]
    since: Option<Timestamp>,
    /// Captured at this time or earlier; a year, month or day includes its end
    #[arg(long, value_name = "TIME")]
    until: Option<Timestamp>,
}

/// A text that a URL holds, or a pattern that it is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct UrlPattern(String);

/// Statuses from one to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct StatusRange(u16, u16);

/// A media type, or all that share their first half.
#[derive(Debug, Clone, PartialEq, Eq)]
struct MimePattern(String);

impl RecordFilter {
    /// Whether it takes all records.
    pub(super) fn is_empty(&self) -> bool {
        self.types.is_empty()
            && self.urls.is_empty()
            && self.statuses.is_empty()
            && self.mimes.is_empty()
            && self.since.is_none()
            && self.until.is_none()
    }

    /// Whether it takes records of any type.
    pub(super) fn takes_all_types(&self) -> bool {
        self.types.is_empty()
    }

    /// What a record holds, if it is to be taken. `http` then has the head of its message.
    pub(super) fn take(
        &self,
        record: &mut Record<'_>,
        http: &mut HttpHead,
    ) -> tamis_archive::Result<Option<Content>> {
        if !self.takes_head(record.head) {
            return Ok(None);
        }
        let content = match Content::of(record.head, &mut record.body, http) {
            Ok(content) => content,
            Err(error) => return Err(Error::io(record.body.path())(error)),
        };
        Ok(self.takes_content(&content).then_some(content))
    }

    fn takes_head(&self, head: &Head) -> bool {
        let is_wanted_url = || head.target_uri().is_some_and(|url| self.urls.iter().any(|p| p.matches(&url)));
        (self.types.is_empty() || self.types.contains(&head.record_type()))
            && (self.urls.is_empty() || is_wanted_url())
            && self.takes_date(head)
    }

    fn takes_date(&self, head: &Head) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let Some(date) = head.date() else { return false };
        self.since.is_none_or(|since| instant(&date) >= instant(&since))
            && self.until.is_none_or(|until| is_until(&date, &until))
    }

    fn takes_content(&self, content: &Content) -> bool {
        let has_status =
            || content.status.is_some_and(|status| self.statuses.iter().any(|range| range.contains(status)));
        let has_mime = || {
            let mime = content.mime.as_deref().unwrap_or_default();
            self.mimes.iter().any(|pattern| pattern.matches(mime))
        };
        (self.statuses.is_empty() || has_status()) && (self.mimes.is_empty() || has_mime())
    }
}

impl UrlPattern {
    fn matches(&self, url: &str) -> bool {
        let Some((start, rest)) = self.0.split_once('*') else { return url.contains(&self.0) };
        let Some(mut url) = url.strip_prefix(start) else { return false };
        let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
        for part in middle.split('*') {
            let Some(at) = url.find(part) else { return false };
            url = &url[at + part.len()..];
        }
        url.ends_with(end)
    }
}

impl FromStr for UrlPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self(text.to_owned()))
    }
}

impl StatusRange {
    fn contains(self, status: u16) -> bool {
        (self.0..=self.1).contains(&status)
    }
}

impl FromStr for StatusRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a status such as `404`, `5xx` or `200-299`");
        let is_number = |digits: &str| digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
        let number = |digits: &str| digits.parse::<u16>().ok().filter(|_| is_number(digits));
        let lower = text.to_ascii_lowercase();
        let ends = match (lower.strip_suffix("xx"), lower.split_once('-')) {
            (Some("0" | "6" | "7" | "8" | "9"), _) => return Err(no_class(text, &lower[..1])),
            (Some(class), _) => number(&format!("{class}00")).map(|n| (n, n + 99)),
            (_, Some((from, to))) => number(from).zip(number(to)),
            _ => number(&lower).map(|n| (n, n)),
        };
        ends.filter(|(from, to)| from <= to).map(|(from, to)| Self(from, to)).ok_or_else(wrong)
    }
}

/// Servers do send `999`, but whoever asks for a class means one that there is.
fn no_class(text: &str, digit: &str) -> String {
    format!("`{text}` is not a status class (`1xx` to `5xx`); use `{digit}00-{digit}99` for such numbers")
}

impl MimePattern {
    fn matches(&self, mime: &str) -> bool {
        match self.0.strip_suffix('*') {
            Some(start) => mime.starts_with(start),
            None => mime == self.0,
        }
    }
}

impl FromStr for MimePattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim().to_ascii_lowercase();
        Ok(Self(if text.contains(['/', '*']) { text } else { format!("{text}/*") }))
    }
}

fn record_type(text: &str) -> Result<RecordType, String> {
    let found = RecordType::from_name(text.as_bytes());
    if found == RecordType::Other && !text.eq_ignore_ascii_case("other") {
        let names: Vec<&str> = RecordType::KNOWN.iter().map(|known| known.name()).collect();
        return Err(format!("`{text}` is not one of {} or other", names.join(", ")));
    }
    Ok(found)
}

fn instant(time: &Timestamp) -> (i64, u32) {
    (time.unix_seconds(), time.nanos())
}

/// Whether a date is not behind another, which stands for all of the unit it is written in.
fn is_until(date: &Timestamp, until: &Timestamp) -> bool {
    let len = match until.precision() {
        Precision::Year => 4,
        Precision::Month => 6,
        Precision::Day => 8,
        Precision::Hour => 10,
        Precision::Minute => 12,
        Precision::Second => 14,
        Precision::Fraction(_) => return instant(date) <= instant(until),
    };
    date.digits()[..len] <= until.digits()[..len]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_holds_a_text_or_is_a_pattern() {
        for (pattern, url, expected) in [
            ("example", "http://example.org/", true),
            ("/a?b", "http://x/a?b=1", true),
            ("Example", "http://example.org/", false),
            ("*.pdf", "http://x/a.pdf", true),
            ("*.pdf", "http://x/a.pdf?x", false),
            ("http://a/*", "http://a/b/c", true),
            ("http://a/*", "https://a/b", false),
            ("*/a/*/b*", "http://x/a/1/2/b?q", true),
            ("http*://*x*x", "http://x", false),
            ("*", "", true),
        ] {
            assert_eq!(UrlPattern(pattern.into()).matches(url), expected, "{pattern} {url}");
        }
    }

    #[test]
    fn statuses_are_one_a_class_or_a_range() {
        for (text, expected) in [
            ("404", Some(StatusRange(404, 404))),
            ("5xx", Some(StatusRange(500, 599))),
            ("2XX", Some(StatusRange(200, 299))),
            ("200-299", Some(StatusRange(200, 299))),
            ("299-200", None),
            ("xx", None),
            ("4", None),
            ("55xx", None),
            ("999", Some(StatusRange(999, 999))),
            ("600-699", Some(StatusRange(600, 699))),
            ("6xx", None),
            ("0xx", None),
            ("+04", None),
            ("+0-404", None),
            ("+xx", None),
            ("-xx", None),
            ("", None),
        ] {
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }

    #[test]
    fn media_types_match_whole_or_by_their_first_half() {
        for (pattern, mime, expected) in [
            ("text/html", "text/html", true),
            ("Text/HTML", "text/html", true),
            ("text/html", "text/htmlx", false),
            ("image/*", "image/png", true),
            ("image", "image/png", true),
            ("image", "imagery/png", false),
        ] {
            let pattern: MimePattern = pattern.parse().expect("any text is one");
            assert_eq!(pattern.matches(mime), expected, "{pattern:?} {mime}");
        }
    }

    #[test]
    fn a_time_is_meant_to_the_end_of_its_unit() {
        for (date, until, expected) in [
            ("2024-12-31T23:59:59Z", "2024", true),
            ("2025-01-01T00:00:00Z", "2024", false),
            ("2024-02-29T12:00:00Z", "2024-02-29", true),
            ("2024-02-29T12:00:00.5Z", "2024-02-29T12:00:00Z", true),
            ("2024-02-29T12:00:00.5Z", "2024-02-29T12:00:00.4Z", false),
            ("2024-02-29T12:01:00Z", "202402291200", false),
        ] {
            let time = |text: &str| text.parse::<Timestamp>().expect("a time");
            assert_eq!(is_until(&time(date), &time(until)), expected, "{date} {until}");
        }
    }
}
