//! Moments as archives write them: ISO 8601 in heads, up to 17 digits in indexes, both often shortened.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// A moment in UTC, with the precision it was written in. Orders by time, then by precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    year: u16,
    month: u8,
    day: u8,
    hour: u8,
    minute: u8,
    second: u8,
    nanos: u32,
    precision: Precision,
}

/// The smallest unit that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Precision {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
    /// This many digits of a second, 1 to 9.
    Fraction(u8),
}

impl Timestamp {
    /// The moment this many seconds (and nanoseconds) after 1970-01-01T00:00:00Z. None outside the years 0 to 9999.
    pub fn from_unix(seconds: i64, nanos: u32) -> Option<Self> {
        let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        let (year, month, day) = civil_from_days(days)?;
        let precision = if nanos == 0 { Precision::Second } else { Precision::Fraction(9) };
        let (hour, minute, second) = ((rest / 3600) as u8, (rest / 60 % 60) as u8, (rest % 60) as u8);
        Some(Self { year, month, day, hour, minute, second, nanos: nanos.min(999_999_999), precision })
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    pub fn unix_seconds(&self) -> i64 {
        let clock = i64::from(self.hour) * 3600 + i64::from(self.minute) * 60 + i64::from(self.second);
        days_from_civil(self.year, self.month, self.day) * 86_400 + clock
    }

    /// Nanoseconds within the second.
    pub fn nanos(&self) -> u32 {
        self.nanos
    }

    /// The precision in which it was written.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// The same moment cut to whole seconds, as WARC 1.0 and most indexes want it.
    #[must_use]
    pub fn to_seconds(mut self) -> Self {
        self.nanos = 0;
        self.precision = Precision::Second;
        self
    }

    /// Fourteen digits, as CDX files write it: `20080430204825`.
    pub fn digits(&self) -> String {
        let Self { year, month, day, hour, minute, second, .. } = self;
        format!("{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}")
    }

    /// Reads ISO 8601 (`2008-04-30T20:48:25Z`, shortened, with a fraction, an offset or a blank for the `T`)
    /// or 4 to 17 digits (`20080430204825`). Bytes that are no moment give none.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let bytes = crate::fields::trim(bytes);
        if bytes.len() >= 4 && bytes.iter().all(u8::is_ascii_digit) {
            return Self::parse_digits(bytes);
        }
        Self::parse_iso(bytes)
    }

    /// Like [`Self::parse`]; of other bytes the longest start of 14, 12, 10, 8, 6 or 4 digits that is a moment. Old archives
    /// hold dates with a digit too few or too many, or with an impossible day.
    pub fn parse_leniently(bytes: &[u8]) -> Option<Self> {
        let bytes = crate::fields::trim(bytes);
        let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut starts = (2..=7).rev().map(|pairs| 2 * pairs).filter(|&len| len <= digits);
        Self::parse(bytes).or_else(|| starts.find_map(|len| Self::parse_digits(&bytes[..len])))
    }

    /// The first moment of the written unit: `2008` is 2008-01-01T00:00:00.
    fn parse_digits(digits: &[u8]) -> Option<Self> {
        if digits.len() > 17 || (digits.len() < 14 && digits.len() % 2 == 1) {
            return None;
        }
        let part = |at: usize, len: usize, otherwise: u32| match digits.get(at..at + len) {
            Some(part) => number(part),
            None => Some(otherwise),
        };
        let fraction = digits.get(14..).unwrap_or_default();
        let precision = match digits.len() {
            4 => Precision::Year,
            6 => Precision::Month,
            8 => Precision::Day,
            10 => Precision::Hour,
            12 => Precision::Minute,
            14 => Precision::Second,
            _ => Precision::Fraction(fraction.len() as u8),
        };
        let date = (part(0, 4, 0)?, part(4, 2, 1)?, part(6, 2, 1)?);
        let clock = (part(8, 2, 0)?, part(10, 2, 0)?, part(12, 2, 0)?);
        Self::checked(date, clock, fraction_nanos(fraction)?, precision)
    }

    fn parse_iso(bytes: &[u8]) -> Option<Self> {
        let (date, clock) = match bytes.iter().position(|b| matches!(b, b'T' | b't' | b' ')) {
            Some(at) => (&bytes[..at], &bytes[at + 1..]),
            None => (bytes, &b""[..]),
        };
        let mut parts = date.split(|&b| b == b'-');
        let year = number(parts.next().filter(|p| p.len() == 4)?)?;
        let (month, day) = (optional(parts.next())?, optional(parts.next())?);
        if parts.next().is_some() {
            return None;
        }
        let precision = match (month, day) {
            (None, _) => Precision::Year,
            (_, None) => Precision::Month,
            _ => Precision::Day,
        };
        let date = (year, month.unwrap_or(1), day.unwrap_or(1));
        if clock.is_empty() {
            return Self::checked(date, (0, 0, 0), 0, precision);
        }
        let (clock, offset_minutes) = split_zone(clock)?;
        let mut parts = clock.split(|&b| b == b':');
        let hour = number(parts.next().filter(|p| p.len() == 2)?)?;
        let minute = optional(parts.next())?;
        let (second, fraction) = match parts.next() {
            Some(part) => {
                let dot = part.iter().position(|b| matches!(b, b'.' | b',')).unwrap_or(part.len());
                (Some(number(&part[..dot]).filter(|_| dot == 2)?), part.get(dot + 1..).unwrap_or_default())
            }
            None => (None, &b""[..]),
        };
        let precision = match (minute, second, fraction.len()) {
            (None, ..) => Precision::Hour,
            (_, None, _) => Precision::Minute,
            (.., 0) => Precision::Second,
            (.., digits) => Precision::Fraction(digits.min(9) as u8),
        };
        let clock = (hour, minute.unwrap_or(0), second.unwrap_or(0));
        let local = Self::checked(date, clock, fraction_nanos(fraction)?, precision)?;
        local.shifted(-60 * offset_minutes)
    }

    fn shifted(self, seconds: i64) -> Option<Self> {
        if seconds == 0 {
            return Some(self);
        }
        let moved = Self::from_unix(self.unix_seconds() + seconds, 0)?;
        Some(Self { nanos: self.nanos, precision: self.precision, ..moved })
    }

    fn checked(
        (year, month, day): (u32, u32, u32),
        (hour, minute, second): (u32, u32, u32),
        nanos: u32,
        precision: Precision,
    ) -> Option<Self> {
        let days = days_in_month(year, month)?;
        // A leap second is a moment; what can't count it shows the second before.
        let second = if second == 60 { 59 } else { second };
        if day == 0 || day > days || hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let [month, day, hour, minute, second] = [month, day, hour, minute, second].map(|n| n as u8);
        Some(Self { year: year as u16, month, day, hour, minute, second, nanos, precision })
    }
}

impl FromStr for Timestamp {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text.as_bytes()).ok_or_else(|| Error::Value {
            what: "timestamp",
            value: text.into(),
            why: "not 4 to 17 digits (20080430204825) or ISO 8601 (2008-04-30T20:48:25Z)".into(),
        })
    }
}

/// ISO 8601 in the precision it was written in.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day, hour, minute, second, nanos, precision } = self;
        match precision {
            Precision::Year => write!(f, "{year:04}"),
            Precision::Month => write!(f, "{year:04}-{month:02}"),
            Precision::Day => write!(f, "{year:04}-{month:02}-{day:02}"),
            Precision::Hour | Precision::Minute => {
                write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}Z")
            }
            Precision::Second => {
                write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
            }
            Precision::Fraction(digits) => {
                let fraction = format!("{nanos:09}");
                let fraction = &fraction[..usize::from((*digits).clamp(1, 9))];
                write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction}Z")
            }
        }
    }
}

/// `Some(None)` for a part that is not there, none for one that is not two digits.
#[expect(clippy::option_option, reason = "absent and wrong are different answers")]
fn optional(part: Option<&[u8]>) -> Option<Option<u32>> {
    match part {
        None => Some(None),
        Some(part) if part.len() == 2 => number(part).map(Some),
        Some(_) => None,
    }
}

fn number(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 9 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |n, d| n * 10 + u32::from(d - b'0')))
}

/// A fraction of a second in nanoseconds; digits past the ninth are dropped.
fn fraction_nanos(digits: &[u8]) -> Option<u32> {
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some((0..9).fold(0, |n, i| n * 10 + digits.get(i).map_or(0, |d| u32::from(d - b'0'))))
}

/// Splits `20:48:25+02:00` into the clock and the zone's minutes east of UTC. No zone means UTC.
fn split_zone(clock: &[u8]) -> Option<(&[u8], i64)> {
    if let [rest @ .., b'Z' | b'z'] = clock {
        return Some((rest, 0));
    }
    let Some(at) = clock.iter().position(|b| matches!(b, b'+' | b'-')) else { return Some((clock, 0)) };
    let digits: Vec<u8> = clock[at + 1..].iter().copied().filter(|&b| b != b':').collect();
    if digits.len() != 4 {
        return None;
    }
    let minutes = i64::from(number(&digits[..2])?) * 60 + i64::from(number(&digits[2..])?);
    Some((&clock[..at], if clock[at] == b'-' { -minutes } else { minutes }))
}

fn days_in_month(year: u32, month: u32) -> Option<u32> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if leap { 29 } else { 28 }),
        _ => None,
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar, counted in eras of 400 years that begin on 1 March
/// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
fn days_from_civil(year: u16, month: u8, day: u8) -> i64 {
    let (month, day) = (i64::from(month), i64::from(day));
    let year = i64::from(year) - i64::from(month <= 2);
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The inverse of [`days_from_civil`].
fn civil_from_days(days: i64) -> Option<(u16, u8, u8)> {
    let days = days.checked_add(719_468)?;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (0..=9999).contains(&year).then_some((year as u16, month as u8, day as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_in_every_spelling() {
        for (text, digits, iso) in [
            ("2008-04-30T20:48:25Z", "20080430204825", "2008-04-30T20:48:25Z"),
            ("2008-04-30t20:48:25z", "20080430204825", "2008-04-30T20:48:25Z"),
            ("2008-04-30T20:48:25.123456Z", "20080430204825", "2008-04-30T20:48:25.123456Z"),
            ("2008-04-30T20:48:25.1234567891Z", "20080430204825", "2008-04-30T20:48:25.123456789Z"),
            ("2008-04-30 20:48:25", "20080430204825", "2008-04-30T20:48:25Z"),
            ("2008-04-30T20:48:25+02:00", "20080430184825", "2008-04-30T18:48:25Z"),
            ("2008-04-30T23:48-0130", "20080501011800", "2008-05-01T01:18Z"),
            ("2008-04-30T20:48Z", "20080430204800", "2008-04-30T20:48Z"),
            ("2008-04-30", "20080430000000", "2008-04-30"),
            ("2008-02", "20080201000000", "2008-02"),
            ("2008", "20080101000000", "2008"),
            ("20080430204825", "20080430204825", "2008-04-30T20:48:25Z"),
            ("20080430204825123", "20080430204825", "2008-04-30T20:48:25.123Z"),
            ("2008043020", "20080430200000", "2008-04-30T20:00Z"),
            ("1998-12-31T23:59:60Z", "19981231235959", "1998-12-31T23:59:59Z"),
        ] {
            let moment: Timestamp = text.parse().expect(text);
            assert_eq!((moment.digits().as_str(), moment.to_string().as_str()), (digits, iso), "{text}");
        }
    }

    #[test]
    fn nonsense_is_no_moment() {
        for text in [
            "",
            "blue monday",
            "2008-13-01",
            "20080230000000",
            "2007-02-29",
            "200804302",
            "2008-4-30",
            "99999",
        ] {
            assert_eq!(Timestamp::parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn seconds_since_1970_go_both_ways() {
        for seconds in [0, -1, 951_782_400, 1_209_588_505, 4_102_444_799, -62_135_596_800] {
            let moment = Timestamp::from_unix(seconds, 0).expect("in range");
            assert_eq!(moment.unix_seconds(), seconds, "{moment}");
        }
        assert_eq!("2000-02-29T00:00:00Z".parse::<Timestamp>().unwrap().unix_seconds(), 951_782_400);
        assert_eq!(Timestamp::from_unix(i64::MAX, 0), None);
    }
}
