//! When which damage was done: the history of the collection that the kinds are named after.

/// A day, as a hint at the damage that its documents have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    /// The year, such as 2010.
    pub year: u16,
    /// The month from 1.
    pub month: u8,
    /// The day of the month from 1.
    pub day: u8,
}

impl Day {
    /// A day by its numbers.
    pub const fn new(year: u16, month: u8, day: u8) -> Self {
        Self { year, month, day }
    }
}

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

/// The last day of each kind but the last.
const LAST_DAYS: [(Day, Kind); 4] = [
    (Day::new(2010, 7, 13), Kind::A),
    (Day::new(2010, 7, 26), Kind::B),
    (Day::new(2013, 4, 28), Kind::C),
    (Day::new(2014, 5, 21), Kind::D),
];

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
    pub fn of_day(day: Day) -> Self {
        LAST_DAYS.iter().find(|(last, _)| day <= *last).map_or(Self::E, |(_, kind)| *kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_ends_on_its_last_day() {
        for (day, kind) in [
            (Day::new(2008, 8, 1), Kind::A),
            (Day::new(2010, 7, 13), Kind::A),
            (Day::new(2010, 7, 14), Kind::B),
            (Day::new(2010, 7, 26), Kind::B),
            (Day::new(2010, 7, 27), Kind::C),
            (Day::new(2013, 4, 28), Kind::C),
            (Day::new(2013, 4, 29), Kind::D),
            (Day::new(2014, 5, 21), Kind::D),
            (Day::new(2014, 5, 22), Kind::E),
        ] {
            assert_eq!(Kind::of_day(day), kind, "{day:?}");
        }
    }
}
