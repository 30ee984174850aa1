//! Dates in addresses: `/2019/05/06/`, `/2019-05-06-title`, `title-20190506.html`, `/2019/may/06/`.

use url::Url;

use super::month::month;
use super::written::Reader;
use super::{Date, Moment, Precision};

/// The date in the path of an address. What an archive writes before the address it holds is no part of it.
pub(crate) fn in_address(url: &Url, reader: &Reader) -> Option<Moment> {
    let path = url.path();
    let inner = ["http:/", "https:/"].iter().filter_map(|scheme| path.rfind(scheme)).max().unwrap_or(0);
    let path = &path[inner..];
    let folders = in_folders(path, reader);
    folders.filter(is_day).or_else(|| in_segments(path, reader)).or(folders)
}

/// The day in a file's name, as of an image that was made for the page: `/2019/05/06/ship.jpg`, `ship-2019-05-06.jpg`.
pub(crate) fn in_file_name(address: &str, reader: &Reader) -> Option<Moment> {
    let path = address.split(['?', '#']).next()?;
    in_folders(path, reader).filter(is_day).or_else(|| in_segments(path, reader))
}

fn is_day(moment: &Moment) -> bool {
    moment.precision == Precision::Day
}

/// Year, month and day as folders; without the day, the month.
fn in_folders(path: &str, reader: &Reader) -> Option<Moment> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).take(32).collect();
    let mut month_only = None;
    for (at, part) in parts.iter().enumerate() {
        let Some(year) = year(part) else { continue };
        let Some(month) = parts.get(at + 1).and_then(|part| month_part(part)) else { continue };
        let day = parts.get(at + 2).and_then(|part| day_part(part));
        if let Some(date) =
            day.and_then(|day| Date::new(year, month, day)).filter(|&date| reader.is_plausible(date))
        {
            return Some(Moment::day(date));
        }
        let first = Date::new(year, month, 1).filter(|&date| reader.is_plausible(date));
        month_only = month_only.or(first);
    }
    month_only.map(|date| Moment { date, precision: Precision::Month, time: None })
}

/// A whole date inside one part of the path.
fn in_segments(path: &str, reader: &Reader) -> Option<Moment> {
    path.split('/').filter(|part| part.len() <= 300).find_map(|part| {
        let mut runs = Runs { rest: part.as_bytes(), before: 0 };
        std::iter::from_fn(|| runs.next()).find_map(|run| dated(&run, reader))
    })
}

/// Digits of the path, with what follows them.
struct Run<'u> {
    digits: &'u [u8],
    after: &'u [u8],
    /// The byte before the digits, 0 at the start.
    before: u8,
}

struct Runs<'u> {
    rest: &'u [u8],
    before: u8,
}

impl<'u> Runs<'u> {
    fn next(&mut self) -> Option<Run<'u>> {
        let start = self.rest.iter().position(u8::is_ascii_digit)?;
        let before = if start > 0 { self.rest[start - 1] } else { self.before };
        let rest = &self.rest[start..];
        let len = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, after) = rest.split_at(len);
        self.before = *digits.last()?;
        self.rest = after;
        Some(Run { digits, after, before })
    }
}

fn dated(run: &Run<'_>, reader: &Reader) -> Option<Moment> {
    let date = match run.digits.len() {
        8 => {
            let number = number(run.digits)?;
            Date::new(i16::try_from(number / 10_000).ok()?, (number / 100 % 100) as u8, (number % 100) as u8)
                .or_else(|| {
                    Date::new(
                        i16::try_from(number % 10_000).ok()?,
                        (number / 10_000 % 100) as u8,
                        (number / 1_000_000) as u8,
                    )
                })
        }
        12 => {
            let number = number(&run.digits[..8])?;
            Date::new(i16::try_from(number / 10_000).ok()?, (number / 100 % 100) as u8, (number % 100) as u8)
        }
        4 => {
            let (month, after) = joined(run.after)?;
            let (day, _) = joined(after)?;
            Date::new(number(run.digits)?.try_into().ok()?, month, day)
        }
        1 | 2 if !run.before.is_ascii_alphanumeric() => {
            let (month, after) = joined(run.after)?;
            let year = after.strip_prefix(b"-").or_else(|| after.strip_prefix(b"."))?;
            let whole = year.len() >= 4 && !year.get(4).is_some_and(u8::is_ascii_digit);
            let year = if whole { number(&year[..4])? } else { return None };
            let day = u8::try_from(number(run.digits)?).ok()?;
            Date::new(i16::try_from(year).ok()?, month, day)
        }
        _ => None,
    }?;
    reader.is_plausible(date).then(|| Moment::day(date))
}

/// A number of at most two digits behind a mark.
fn joined(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let [b'-' | b'_' | b'.', rest @ ..] = bytes else { return None };
    let len = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    (1..=2).contains(&len).then_some(())?;
    Some((u8::try_from(number(&rest[..len])?).ok()?, &rest[len..]))
}

fn number(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

fn year(part: &str) -> Option<i16> {
    (part.len() == 4).then(|| part.parse().ok()).flatten().filter(|year| (1990..=2199).contains(year))
}

fn month_part(part: &str) -> Option<u8> {
    if part.len() <= 2 { part.parse().ok() } else { month(part) }
}

/// The day, alone or at the start of a file name: `06`, `06-title.html`, `6.html`.
fn day_part(part: &str) -> Option<u8> {
    let len = part.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(part.len());
    let ends = !part[len..].starts_with(|c: char| c.is_alphanumeric());
    ((1..=2).contains(&len) && ends).then(|| part[..len].parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::super::written::Order;
    use super::*;

    fn read(path: &str) -> String {
        let date = |year| Date::new(year, 1, 1).expect("a day");
        let reader =
            Reader { order: Order::DayFirst, earliest: date(1995), latest: date(2030), fetched: None };
        let url = Url::parse(&format!("https://example.org{path}")).expect("an address");
        in_address(&url, &reader).map_or(String::new(), |moment| moment.to_string())
    }

    #[test]
    fn paths_hold_dates() {
        for (path, expected) in [
            ("/2019/05/06/title.html", "2019-05-06"),
            ("/news/2019/5/6/title", "2019-05-06"),
            ("/2019/may/06/title", "2019-05-06"),
            ("/2019-05-06-title", "2019-05-06"),
            ("/title-20190506.html", "2019-05-06"),
            ("/a/20190506/title", "2019-05-06"),
            ("/title_06-05-2019.html", "2019-05-06"),
            ("/2019/05/title", "2019-05"),
            ("/2019/05/20190506_title.html", "2019-05-06"),
            ("/web/20150721045344/http://example.com/2015/05/18/title/", "2015-05-18"),
        ] {
            assert_eq!(read(path), expected, "{path}");
        }
    }

    #[test]
    fn other_numbers_are_no_dates() {
        for path in
            ["/", "/2019", "/2019/99/01", "/12345678", "/a-123456789", "/1999999", "/v1.2.3", "/2019/05x/06"]
        {
            assert_eq!(read(path), "", "{path}");
        }
    }
}
