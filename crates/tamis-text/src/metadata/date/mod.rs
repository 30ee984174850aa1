//! Days and moments, as pages write them.

mod address;
mod clock;
mod cursor;
mod month;
mod relative;
mod token;
mod written;

use std::fmt;

pub(crate) use address::{in_address, in_file_name};
pub(crate) use written::{Order, Reader};

/// Whether a word is the name of a month.
pub(crate) fn is_month(word: &str) -> bool {
    month::month(word).is_some()
}

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: i16,
    month: u8,
    day: u8,
}

impl Date {
    /// The day, if the calendar has it.
    pub fn new(year: i16, month: u8, day: u8) -> Option<Date> {
        let sound = (1..=12).contains(&month) && day >= 1 && day <= days_in(year, month);
        sound.then_some(Date { year, month, day })
    }

    /// The year, counted from the year 0 before the year 1.
    pub fn year(self) -> i16 {
        self.year
    }

    /// The month, 1 to 12.
    pub fn month(self) -> u8 {
        self.month
    }

    /// The day of the month, 1 to 31.
    pub fn day(self) -> u8 {
        self.day
    }

    /// Days since 1970-01-01.
    ///
    /// The year starts in March here, so that the leap day is its last: then months have lengths by a formula.
    pub fn unix_days(self) -> i32 {
        let shifted = i32::from(self.year) - i32::from(self.month <= 2);
        let era = shifted.div_euclid(400);
        let year_of_era = shifted.rem_euclid(400);
        let month = (i32::from(self.month) + 9) % 12;
        let day_of_year = (153 * month + 2) / 5 + i32::from(self.day) - 1;
        era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
    }

    /// The day so many days after 1970-01-01; none outside the years -9999 to 9999.
    pub fn from_unix_days(days: i32) -> Option<Date> {
        let days = days.checked_add(719_468)?;
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        let year = era * 400 + year_of_era + i32::from(month <= 2);
        (-9_999..=9_999).contains(&year).then_some(())?;
        Date::new(i16::try_from(year).ok()?, month as u8, day as u8)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

fn days_in(year: i16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// How exactly a moment is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// The year alone; month and day stand at 1.
    Year,
    /// Year and month; the day stands at 1.
    Month,
    /// The day.
    Day,
}

/// A time of day, as written: not moved to another time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Time {
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
    /// Minutes east of Greenwich, where the page says so.
    pub offset_minutes: Option<i16>,
}

/// A point in time as far as a page tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moment {
    /// The day, in the time zone it was written in.
    pub date: Date,
    /// How much of the day is known.
    pub precision: Precision,
    /// The time of that day, if known.
    pub time: Option<Time>,
}

impl Moment {
    pub(crate) fn day(date: Date) -> Moment {
        Moment { date, precision: Precision::Day, time: None }
    }
}

/// ISO 8601, as far as it is known: `2019`, `2019-05`, `2019-05-06`, `2019-05-06T10:30:00+02:00`.
impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Date { year, month, .. } = self.date;
        match (self.precision, self.time) {
            (Precision::Year, _) => write!(f, "{year:04}"),
            (Precision::Month, _) => write!(f, "{year:04}-{month:02}"),
            (Precision::Day, None) => self.date.fmt(f),
            (Precision::Day, Some(time)) => write!(f, "{}T{time}", self.date),
        }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}:{:02}", self.hour, self.minute, self.second)?;
        match self.offset_minutes {
            None => Ok(()),
            Some(0) => f.write_str("Z"),
            Some(offset) => {
                let sign = if offset < 0 { '-' } else { '+' };
                let offset = offset.unsigned_abs();
                write!(f, "{sign}{:02}:{:02}", offset / 60, offset % 60)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_both_ways() {
        for (days, text) in
            [(0, "1970-01-01"), (11_016, "2000-02-29"), (18_022, "2019-05-06"), (-1, "1969-12-31")]
        {
            let date = Date::from_unix_days(days).expect("in range");
            assert_eq!(date.to_string(), text);
            assert_eq!(date.unix_days(), days);
        }
        assert_eq!(Date::from_unix_days(i32::MAX), None);
        assert_eq!(Date::from_unix_days(i32::MIN), None);
    }

    #[test]
    fn the_calendar_has_no_such_day() {
        assert_eq!(Date::new(2019, 2, 29), None);
        assert_eq!(Date::new(1900, 2, 29), None);
        assert_eq!(Date::new(2019, 13, 1), None);
        assert_eq!(Date::new(2019, 1, 0), None);
    }
}
