//! Days of the calendar.

use std::fmt;

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
