//! Days and moments, as pages write them.

mod address;
mod clock;
mod cursor;
mod month;
mod relative;
mod token;
mod written;

use std::fmt;

use crate::date::Date;

pub(crate) use address::{in_address, in_file_name};
pub(crate) use written::{Order, Reader};

/// Whether a word is the name of a month.
pub(crate) fn is_month(word: &str) -> bool {
    month::month(word).is_some()
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
        let (year, month) = (self.date.year(), self.date.month());
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
