//! Known names of places and people, found in a sentence.

use std::borrow::Cow;

use crate::tag::hash::pair;
use crate::tag::table::Table;
use crate::tag::word::Word;

/// A name goes on with further words.
pub const GOES_ON: u16 = 1 << 15;
/// Where in a name a word stands: alone, first, within.
const PLACES: u16 = 10;

/// The longest name in words.
const LONGEST: usize = 5;

/// Names and the kinds of what has them, a bit a kind.
#[derive(Clone, Debug)]
pub struct Gazetteer(Table);

impl Gazetteer {
    /// Reads names; nothing if they are not whole.
    pub fn read(bytes: Cow<'static, [u8]>) -> Option<Self> {
        Table::read(bytes).map(Self)
    }

    /// What is known of names that start with a word.
    pub fn starting(&self, word: &Word) -> u16 {
        self.0.get(name([word.small]))
    }

    /// For each word, the kinds of the longest name it is part of, and where in the name it stands. `starting` is what is known of
    /// names that start with the word of a number ([`Gazetteer::starting`]).
    pub fn marks(&self, words: &[&Word], starting: impl Fn(usize) -> u16) -> Vec<u16> {
        let mut marks = vec![0; words.len()];
        let mut at = 0;
        while at < words.len() {
            let (length, kinds) = self.longest(&words[at..], starting(at));
            for (i, mark) in marks[at..at + length].iter_mut().enumerate() {
                let place = if length == 1 { 0 } else { 1 + u16::from(i > 0) };
                *mark = kinds | (place + 1) << PLACES;
            }
            at += length.max(1);
        }
        marks
    }

    /// The length of the longest name that words start with, 0 if there is none, and its kinds.
    fn longest(&self, words: &[&Word], starting: u16) -> (usize, u16) {
        let (mut name, mut found) = (0, (0, 0));
        for (i, word) in words.iter().take(LONGEST).enumerate() {
            name = pair(name, word.small);
            let value = if i == 0 { starting } else { self.0.get(name) };
            if value & !GOES_ON != 0 {
                found = (i + 1, value & !GOES_ON);
            }
            if value & GOES_ON == 0 {
                break;
            }
        }
        found
    }
}

/// The hash of a name of several words by those of its words.
pub fn name(words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().fold(0, pair)
}
