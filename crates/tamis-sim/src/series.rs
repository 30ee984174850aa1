//! Series of pages that are alike but for numbers: some end, some do not.
//!
//! Whoever takes pages that are alike for copies misses what the first four lead to; whoever does not never comes out of the others.

use std::fmt::Write;

use super::dice::Dice;
use super::options::Special;
use super::spot::What;

/// A kind of page in a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Series {
    /// A list of a register: a year.
    Year,
    /// What a register lists: a text of its own.
    Document,
    /// A list of a catalogue.
    Shelf,
    /// What a catalogue lists.
    Item,
    /// A picture.
    Picture,
    /// A month of a diary.
    Month,
    /// What a diary has for a month: a text of its own.
    Entry,
    /// A room of a maze without end.
    Room,
    /// A page of results without end.
    Result,
    /// A turn in a labyrinth without end.
    Turn,
}

const FIRST_YEAR: u64 = 1951;
const YEARS: u64 = 60;
const DOCUMENTS: u64 = 6;
const SHELVES: u64 = 40;
const ITEMS: u64 = 12;
const PICTURES: u64 = 260;
const FIRST_MONTH: u64 = 1990 * 12;
const MONTHS: u64 = 380;
const ENTRIES: u64 = 1;
const DOORS: u64 = 3;
const WORDS: [&str; 3] = ["left", "right", "onward"];
/// A path with more turns is longer than anybody accepts.
const MOST_TURNS: u32 = 40;

impl Series {
    /// The special page that leads to the series.
    pub(super) fn special(self) -> Special {
        match self {
            Self::Year | Self::Document => Special::Register,
            Self::Shelf | Self::Item => Special::Catalogue,
            Self::Picture => Special::Gallery,
            Self::Month | Self::Entry => Special::Diary,
            Self::Room => Special::Maze,
            Self::Result => Special::Results,
            Self::Turn => Special::Labyrinth,
        }
    }

    /// Whether it has no end.
    pub(super) fn is_endless(self) -> bool {
        matches!(self, Self::Room | Self::Result | Self::Turn)
    }

    /// Whether there is such a number.
    pub(super) fn has(self, number: u64) -> bool {
        match self {
            Self::Year => number < YEARS,
            Self::Document => number < YEARS * DOCUMENTS,
            Self::Shelf => number < SHELVES,
            Self::Item => number < SHELVES * ITEMS,
            Self::Picture => number < PICTURES,
            Self::Month => number < MONTHS,
            Self::Entry => number < MONTHS * ENTRIES,
            Self::Room | Self::Result | Self::Turn => true,
        }
    }

    /// Whether its pages have texts of their own; those of others differ in numbers alone.
    pub(super) fn is_told(self) -> bool {
        matches!(self, Self::Document | Self::Entry)
    }

    /// The number that its page shows; pages without are all the same.
    pub(super) fn shown(self, number: u64) -> Option<u64> {
        (!matches!(self, Self::Result | Self::Turn)).then_some(number + 1)
    }

    /// Where a page leads, within the series.
    pub(super) fn links(self, page: u32, number: u64) -> Vec<What> {
        let many = |series, count: u64| {
            (number * count..(number + 1) * count)
                .map(move |n| What::Series(series, page, n))
                .collect::<Vec<_>>()
        };
        let around = |most: u64| {
            let near = [number.checked_sub(1), number.checked_add(1).filter(|next| *next < most)];
            near.into_iter().flatten().map(|n| What::Series(self, page, n)).collect::<Vec<_>>()
        };
        let list = |series, count| vec![What::Series(series, page, number / count)];
        match self {
            Self::Year => [many(Self::Document, DOCUMENTS), around(YEARS)].concat(),
            Self::Document => list(Self::Year, DOCUMENTS),
            Self::Shelf => [many(Self::Item, ITEMS), around(SHELVES)].concat(),
            Self::Item => {
                let related = (number * 7 + 3) % (SHELVES * ITEMS);
                [list(Self::Shelf, ITEMS), vec![What::Series(self, page, related)]].concat()
            }
            Self::Picture => around(PICTURES),
            Self::Month => [many(Self::Entry, ENTRIES), around(MONTHS)].concat(),
            Self::Entry => list(Self::Month, ENTRIES),
            Self::Room => {
                let door = |door| Dice::new(number, &[19, u64::from(page), door]).roll() >> 24;
                (0..DOORS).map(|n| What::Series(self, page, door(n))).collect()
            }
            Self::Result => around(u64::MAX),
            Self::Turn => match number.checked_mul(3).filter(|_| turns(number) < MOST_TURNS) {
                Some(first) => {
                    (1..=3).filter_map(|n| Some(What::Series(self, page, first.checked_add(n)?))).collect()
                }
                None => Vec::new(),
            },
        }
    }

    /// Appends the path and query.
    pub(super) fn write_path(self, page: u32, number: u64, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = match self {
            Self::Year => write!(out, "/register/{page}?year={}", FIRST_YEAR + number),
            Self::Document => write!(out, "/register/{page}/document/{number}"),
            Self::Shelf => write!(out, "/catalogue/{page}?p={number}"),
            Self::Item => write!(out, "/catalogue/{page}/item/{number}"),
            Self::Picture => write!(out, "/gallery/{page}/picture/{number}"),
            Self::Month => {
                let month = FIRST_MONTH + number;
                write!(out, "/agenda/{page}/{:04}/{:02}/", month / 12, month % 12 + 1)
            }
            Self::Entry => write!(out, "/agenda/{page}/entry/{number}"),
            Self::Room => write!(out, "/maze/{page}/{number}"),
            Self::Result => write!(out, "/results?of={page}&page={number}"),
            Self::Turn => {
                out.push_str("/labyrinth/");
                write_turns(number, out);
                Ok(())
            }
        };
    }

    /// What a path could be; only what spells itself like it is it.
    pub(super) fn guess(path: &str) -> Option<(Self, u32, u64)> {
        let of = |prefix: &str, middle: &str| {
            let (page, number) = path.strip_prefix(prefix)?.split_once(middle)?;
            Some((page.parse::<u32>().ok()?, number.parse::<u64>().ok()?))
        };
        let found = |series, found: Option<(u32, u64)>| found.map(|(page, number)| (series, page, number));
        let year =
            of("/register/", "?year=").and_then(|(page, year)| Some((page, year.checked_sub(FIRST_YEAR)?)));
        let month = || {
            let (page, rest) = path.strip_prefix("/agenda/")?.split_once('/')?;
            let (year, month) = rest.strip_suffix('/')?.split_once('/')?;
            let month = year.parse::<u64>().ok()?.checked_mul(12)? + month.parse::<u64>().ok()?;
            Some((page.parse().ok()?, month.checked_sub(FIRST_MONTH + 1)?))
        };
        let turn = || path.strip_prefix("/labyrinth/").and_then(number_of_turns).map(|number| (0, number));
        found(Self::Year, year)
            .or_else(|| found(Self::Document, of("/register/", "/document/")))
            .or_else(|| found(Self::Shelf, of("/catalogue/", "?p=")))
            .or_else(|| found(Self::Item, of("/catalogue/", "/item/")))
            .or_else(|| found(Self::Picture, of("/gallery/", "/picture/")))
            .or_else(|| found(Self::Entry, of("/agenda/", "/entry/")))
            .or_else(|| found(Self::Month, month()))
            .or_else(|| found(Self::Room, of("/maze/", "/")))
            .or_else(|| found(Self::Result, of("/results?of=", "&page=")))
            .or_else(|| found(Self::Turn, turn()))
    }
}

/// Turns are numbered like the nodes of a heap, three below each.
fn turns(mut number: u64) -> u32 {
    let mut turns = 0;
    while number > 0 {
        number = (number - 1) / 3;
        turns += 1;
    }
    turns
}

fn write_turns(number: u64, out: &mut String) {
    if number > 0 {
        write_turns((number - 1) / 3, out);
        out.push_str(WORDS[((number - 1) % 3) as usize]);
        out.push('/');
    }
}

fn number_of_turns(path: &str) -> Option<u64> {
    path.split_inclusive('/').try_fold(0_u64, |number, turn| {
        let word = WORDS.iter().position(|word| turn.strip_suffix('/') == Some(word))?;
        number.checked_mul(3)?.checked_add(word as u64 + 1)
    })
}

/// The first page of the series that a special page leads to.
pub(super) fn first(special: Special, page: u32) -> Option<What> {
    let (series, page) = match special {
        Special::Register => (Series::Year, page),
        Special::Catalogue => (Series::Shelf, page),
        Special::Gallery => (Series::Picture, page),
        Special::Diary => (Series::Month, page),
        Special::Maze => (Series::Room, page),
        Special::Results => (Series::Result, page),
        // Its paths have no number.
        Special::Labyrinth => (Series::Turn, 0),
        _ => return None,
    };
    Some(What::Series(series, page, 0))
}
