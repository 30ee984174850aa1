//! Dates in addresses: a calendar has a page for each month of all times.

use super::TrapOptions;

/// Years this far beyond the window are looked at: a calendar leads there step by step, and what is farther away is
/// no year (`/articles/2110/05/` is of October 2021).
const BEYOND: i32 = 50;

/// What names a page that lists what is on, in some languages.
const CALENDAR_WORDS: &[&str] = &[
    "calend",
    "kalend",
    "agenda",
    "event",
    "evenement",
    "termin",
    "veranstaltung",
    "schedule",
    "whatson",
    "whats-on",
];

/// Parts of names of parameters that have dates.
const DATE_NAMES: &[&str] = &["date", "month", "day", "week", "cal", "monat", "datum", "mois", "mese"];

/// Parts of names of parameters that have years.
const YEAR_NAMES: &[&str] = &["year", "jahr", "annee", "anno"];

/// Parameters that say how a calendar is shown.
const VIEW_NAMES: &[&str] = &["view", "mode", "tab", "lang", "format", "display"];

/// The years of which pages may be.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Window {
    first: i32,
    last: i32,
}

impl Window {
    pub(super) fn new(options: &TrapOptions, year: i16) -> Self {
        let ahead = i32::try_from(options.max_years_ahead).unwrap_or(i32::MAX);
        // Turned off is a year before all others, not after them.
        let first = i32::try_from(options.earliest_calendar_year).unwrap_or(i32::MIN);
        Self { first, last: i32::from(year).saturating_add(ahead) }
    }

    fn is_ahead(self, year: i32) -> bool {
        year > self.last && year <= self.last.saturating_add(BEYOND)
    }

    fn is_past(self, year: i32) -> bool {
        year < self.first && year >= self.first.saturating_sub(BEYOND)
    }
}

/// Whether a path is of a month far ahead, or on a calendar far back.
pub(super) fn is_far_path(path: &str, segments: &[&str], window: Window) -> bool {
    let years = segments.iter().enumerate().filter_map(|(at, segment)| {
        year_and_month(segment).or_else(|| year_before_month(segment, segments.get(at + 1)?))
    });
    years.into_iter().any(|year| window.is_ahead(year) || window.is_past(year) && is_calendar(path))
}

/// Whether a parameter of a query has a date far away.
pub(super) fn is_far_parameter(parameter: &str, window: Window) -> bool {
    let Some((name, value)) = parameter.split_once('=') else { return false };
    let (year, names) = match four_digits(value) {
        Some(year) => (Some(year), YEAR_NAMES),
        None => (year_and_month(value), DATE_NAMES),
    };
    // Names are looked at last: few values get this far.
    year.is_some_and(|year| (window.is_ahead(year) || window.is_past(year)) && contains_any(name, names))
}

/// What is before the date that a path ends with, as the page of a day or month does.
pub(in super::super) fn path_before_date(path: &str) -> Option<&str> {
    let path = path.strip_suffix('/').unwrap_or(path);
    let (before, last) = path.rsplit_once('/')?;
    if year_and_month(last).is_some() {
        return Some(before);
    }
    if !is_two_digits_up_to(last, 31) {
        return None;
    }
    let (before, month_or_year) = before.rsplit_once('/')?;
    if year_before_month(month_or_year, last).is_some() {
        return Some(before);
    }
    let (before, year) = before.rsplit_once('/')?;
    year_before_month(year, month_or_year).map(|_| before)
}

/// The page of a calendar that an address belongs to: what is before its date, or all of its path where the query has the date and nothing
/// else.
pub(in super::super) fn calendar_page<'a>(path: &'a str, query: &str) -> Option<&'a str> {
    if query.is_empty() {
        return path_before_date(path).filter(|_| is_calendar(path));
    }
    let mut has_date = false;
    for parameter in query.split(['&', ';']) {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let is_date = contains_any(name, DATE_NAMES) || contains_any(name, YEAR_NAMES);
        if !is_date && !VIEW_NAMES.contains(&name) {
            return None;
        }
        has_date |= is_date && (four_digits(value).is_some() || year_and_month(value).is_some());
    }
    has_date.then_some(path)
}

/// The year of `2031-05`, `2031-05-01`, with other marks, too.
fn year_and_month(text: &str) -> Option<i32> {
    let bytes = text.as_bytes();
    if bytes.len() < 6 || bytes.len() > 10 || !matches!(bytes[4], b'-' | b'_' | b'.') {
        return None;
    }
    let mut rest = text[5..].split(char::from(bytes[4]));
    let is_date = is_two_digits_up_to(rest.next()?, 12) && rest.all(|day| is_two_digits_up_to(day, 31));
    four_digits(&text[..4]).filter(|_| is_date)
}

fn year_before_month(year: &str, month: &str) -> Option<i32> {
    four_digits(year).filter(|_| is_two_digits_up_to(month, 12))
}

fn four_digits(text: &str) -> Option<i32> {
    let is_year = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_year)
}

fn is_two_digits_up_to(text: &str, max: u8) -> bool {
    text.len() <= 2
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && text.parse().is_ok_and(|n| (1..=max).contains(&n))
}

fn is_calendar(path: &str) -> bool {
    contains_any(path, CALENDAR_WORDS)
}

fn contains_any(text: &str, words: &[&str]) -> bool {
    let text = text.to_ascii_lowercase();
    words.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_at_the_end_of_paths() {
        for (path, expected) in [
            ("/cal/2024/05/06/", Some("/cal")),
            ("/cal/2024/05", Some("/cal")),
            ("/2024-05-06", Some("")),
            ("/cal/2024/05/06/title", None),
            ("/cal/2024", None),
            ("/cal/2024/13", None),
            ("/x/05/06", None),
            ("/", None),
            ("", None),
            ("/€€-1", None),
        ] {
            assert_eq!(path_before_date(path), expected, "{path}");
        }
    }

    #[test]
    fn calendars_are_known_by_name_or_query() {
        for (path, query, expected) in [
            ("/events/2024/05", "", Some("/events")),
            ("/news/2024/05", "", None),
            ("/x", "month=2024-05", Some("/x")),
            ("/x", "year=2024&month=5&view=list", Some("/x")),
            ("/x", "month=5", None),
            ("/x", "date=2024-05-06&id=7", None),
            ("/x", "q=2024-05", None),
        ] {
            assert_eq!(calendar_page(path, query), expected, "{path}?{query}");
        }
    }

    #[test]
    fn a_limit_that_is_off_refuses_no_year() {
        let options = TrapOptions {
            max_years_ahead: u32::MAX,
            earliest_calendar_year: u32::MAX,
            ..TrapOptions::default()
        };
        let window = Window::new(&options, 2024);
        for year in ["2031", "1931", "0001", "9999"] {
            assert!(!is_far_path("/events", &[year, "05"], window), "{year}");
        }
    }
}
