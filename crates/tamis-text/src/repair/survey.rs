//! What a text holds of misread characters, and how sure that is.

use super::misread::{Reading, Sequence, byte_of, sequence};
use super::strength::{Neighbours, strength};

/// Stands where markup was: what is before and what is behind are neighbours.
pub(super) const BLANK: char = '\0';

/// Everything in a text that may be a misread character.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub(super) found: Vec<Found>,
    pub(super) total: Tally,
    pub(super) lines: Vec<Tally>,
    pub(super) words: Vec<Tally>,
}

/// A sequence at its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// Offset in bytes of the text as it is.
    pub(super) at: usize,
    /// The same in characters.
    pub(super) char_at: usize,
    pub(super) sequence: Sequence,
    /// Its last byte is gone, and what it was follows only from how such texts are.
    pub(super) worn: bool,
    /// See [`strength`].
    pub(super) strength: usize,
    line: usize,
    word: usize,
}

impl Found {
    pub(super) fn end(&self) -> usize {
        self.at + self.sequence.len
    }
}

/// What a stretch of text has of sequences and of characters that contradict them.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) sequences: usize,
    /// See [`strength`].
    pub(super) strength: usize,
    /// Characters beyond ASCII that belong to no sequence. Text that was misread as a whole has none.
    pub(super) strays: usize,
    /// Those that are capitals within words: the text was misread in a way we do not know.
    pub(super) odd: usize,
    pub(super) worn: usize,
}

impl Tally {
    /// Whether everything beyond ASCII was misread, one character in `tolerance` aside.
    pub(super) fn is_consistent(&self, tolerance: usize) -> bool {
        self.strays * tolerance <= self.sequences && self.worn <= self.sequences
    }
}

impl Survey {
    /// Reads a text from end to end. The memory is in proportion to the characters beyond ASCII.
    pub(super) fn of(text: &str, reading: Reading) -> Self {
        let mut survey =
            Self { lines: vec![Tally::default()], words: vec![Tally::default()], ..Self::default() };
        let mut place = Place::default();
        while let Some(char) = text[place.at..].chars().next() {
            let rest = &text[place.at..];
            if char == BLANK {
                place.pass(char);
            } else if char.is_ascii() {
                survey.separate(char);
                place.step(char);
            } else if let Some(found) = sequence(rest, reading) {
                survey.note(rest, place, found, false, reading);
                place.skip(&found);
            } else if let Some(found) = worn(rest, reading) {
                survey.note(rest, place, found, true, reading);
                place.skip(&found);
            } else {
                let odd = char.is_uppercase() && place.before.is_some_and(char::is_lowercase);
                survey.count(|tally| {
                    tally.strays += 1;
                    tally.odd += usize::from(odd);
                });
                place.step(char);
            }
        }
        survey
    }

    pub(super) fn line_of(&self, found: &Found) -> Tally {
        self.lines[found.line]
    }

    pub(super) fn word_of(&self, found: &Found) -> Tally {
        self.words[found.word]
    }

    fn separate(&mut self, char: char) {
        let renew = |tallies: &mut Vec<Tally>| {
            if tallies.last() != Some(&Tally::default()) {
                tallies.push(Tally::default());
            }
        };
        if char.is_ascii_whitespace() {
            renew(&mut self.words);
        }
        if char == '\n' {
            renew(&mut self.lines);
        }
    }

    fn note(&mut self, rest: &str, place: Place, sequence: Sequence, worn: bool, reading: Reading) {
        let around = Neighbours {
            before: place.before,
            after: rest[sequence.len..].chars().find(|&char| char != BLANK),
        };
        let strength = if worn { 0 } else { strength(&sequence, around, place.after_sequence, reading) };
        self.count(|tally| {
            tally.sequences += usize::from(!worn);
            tally.worn += usize::from(worn);
            tally.strength += strength;
        });
        self.found.push(Found {
            at: place.at,
            char_at: place.char_at,
            sequence,
            worn,
            strength,
            line: self.lines.len() - 1,
            word: self.words.len() - 1,
        });
    }

    fn count(&mut self, add: impl Fn(&mut Tally)) {
        add(&mut self.total);
        self.lines.last_mut().into_iter().chain(self.words.last_mut()).for_each(add);
    }
}

#[derive(Debug, Default, Clone, Copy)]
struct Place {
    at: usize,
    char_at: usize,
    /// The character before, as it was before it was misread.
    before: Option<char>,
    after_sequence: bool,
}

impl Place {
    fn pass(&mut self, char: char) {
        self.at += char.len_utf8();
        self.char_at += 1;
    }

    fn step(&mut self, char: char) {
        *self = Self {
            at: self.at + char.len_utf8(),
            char_at: self.char_at + 1,
            before: Some(char),
            after_sequence: false,
        };
    }

    fn skip(&mut self, sequence: &Sequence) {
        *self = Self {
            at: self.at + sequence.len,
            char_at: self.char_at + sequence.chars,
            before: Some(sequence.originals.first()),
            after_sequence: true,
        };
    }
}

/// A sequence whose last byte did not survive: a no-break space that became a space, or the last byte of `”`, which
/// windows-1252 has no character for.
fn worn(rest: &str, reading: Reading) -> Option<Sequence> {
    let (upper_a, upper_c) = match reading {
        Reading::Plain => ('Ã', 'Â'),
        Reading::Lowered => ('ã', 'â'),
    };
    let mut chars = rest.chars();
    let (first, second) = (chars.next()?, chars.next()?);
    if first == upper_a && second == ' ' {
        // Of two spaces one was the byte; a single one stands for both.
        let taken = if chars.next() == Some(' ') { 2 } else { 1 };
        Some(Sequence::of_worn(&rest[..first.len_utf8() + taken - 1], 'à'))
    } else if first == upper_c && second == ' ' {
        Some(Sequence::of_worn(&rest[..=first.len_utf8()], '\u{A0}'))
    } else if (first, second) == ('â', '€') && chars.next().is_none_or(|char| byte_of(char).is_none()) {
        Some(Sequence::of_worn(&rest[..first.len_utf8() + second.len_utf8()], '”'))
    } else {
        None
    }
}
