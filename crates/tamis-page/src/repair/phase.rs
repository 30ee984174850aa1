//! When which damage was done: the history of the collection that the kinds are named after.

use crate::date::Date;

/// What was done to the characters of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// UTF-8 was read as Latin-1 and then lower-cased: `ã¤` for `ä`.
    A,
    /// UTF-8 and Latin-1 were taken for each other: `Ã¤` for `ä`.
    B,
    /// All but ASCII was lost to `?`, and capitals with it.
    C,
    /// All but ASCII was lost to `?`.
    D,
    /// Nothing: the text is sound.
    E,
}

/// The last day of each kind but the last: year, month, day.
const LAST_DAYS: [((i16, u8, u8), Kind); 4] =
    [((2010, 7, 13), Kind::A), ((2010, 7, 26), Kind::B), ((2013, 4, 28), Kind::C), ((2014, 5, 21), Kind::D)];

impl Kind {
    /// Its letter.
    pub fn letter(self) -> &'static str {
        match self {
            Kind::A => "A",
            Kind::B => "B",
            Kind::C => "C",
            Kind::D => "D",
            Kind::E => "E",
        }
    }

    /// The kind of damage that documents of a day had.
    pub fn of_day(day: Date) -> Self {
        let day = (day.year(), day.month(), day.day());
        LAST_DAYS.iter().find(|(last, _)| day <= *last).map_or(Self::E, |(_, kind)| *kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_ends_on_its_last_day() {
        for ((year, month, day), kind) in [
            ((2008, 8, 1), Kind::A),
            ((2010, 7, 13), Kind::A),
            ((2010, 7, 14), Kind::B),
            ((2010, 7, 26), Kind::B),
            ((2010, 7, 27), Kind::C),
            ((2013, 4, 28), Kind::C),
            ((2013, 4, 29), Kind::D),
            ((2014, 5, 21), Kind::D),
            ((2014, 5, 22), Kind::E),
        ] {
            let day = Date::new(year, month, day).expect("the calendar has it");
            assert_eq!(Kind::of_day(day), kind, "{day}");
        }
    }
}
