//! What a text holds of misread characters, and how sure that is.

use super::misread::{Reading, Sequence, byte_of, sequence};
use super::plan::has_capitals;
use super::strength::{Neighbours, OVERWHELMING, PROOF, strength};

/// Stands where markup was: what is before and what is behind are neighbours.
pub(super) const BLANK: char = '\0';

/// Everything in a text that may be a misread character.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub(super) found: Vec<Found>,
    /// Of all lines that count.
    pub(super) total: Tally,
    /// Of the lines with capitals in a text that is judged by its lines: these were not lower-cased, whatever the others
    /// were.
    pub(super) capitalised: Tally,
    /// Whether the text has capitals, and is judged by those of its lines that have none.
    pub(super) by_line: bool,
    pub(super) lines: Vec<Tally>,
    pub(super) words: Vec<Tally>,
    line_has_capitals: bool,
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
    /// What strength others must have before this one is taken for misread too.
    pub(super) needs: usize,
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
    /// Sequences that only lower-casing can have left.
    pub(super) lowered: usize,
    /// Those of them that stand within a word, where no sound text has their signs: `rã©s`.
    pub(super) within: usize,
    /// Of a line: it has capitals, and the text is judged by its lines.
    pub(super) has_capitals: bool,
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
        let mut survey = Self {
            lines: vec![Tally::default()],
            words: vec![Tally::default()],
            by_line: reading == Reading::Lowered && has_capitals(text),
            ..Self::default()
        };
        let mut place = Place::default();
        survey.start_line(text);
        while let Some(char) = text[place.at..].chars().next() {
            let rest = &text[place.at..];
            if char == BLANK {
                place.pass(char);
            } else if char.is_ascii() {
                survey.separate(char);
                if char == '\n' {
                    survey.start_line(&rest[1..]);
                }
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

    /// Looks whether the line that `rest` starts with has capitals.
    fn start_line(&mut self, rest: &str) {
        if self.by_line {
            let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            self.line_has_capitals = has_capitals(&rest[..end]);
        }
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
        let behind = rest[sequence.len..].trim_start_matches(BLANK);
        let around = Neighbours { before: place.before, after: behind.chars().next() };
        let ends_word =
            !around.after.is_some_and(char::is_lowercase) && self::sequence(behind, reading).is_none();
        let needs = if ends_word && !worn { place.needs(&sequence) } else { 0 };
        let proves = !worn && needs == 0;
        let strength = if proves { strength(&sequence, around, place.after_sequence, reading) } else { 0 };
        let lowered = !worn && reading == Reading::Lowered && self::sequence(rest, Reading::Plain).is_none();
        let within = lowered && strength > 1 && around.after.is_some_and(char::is_alphabetic);
        self.count(|tally| {
            tally.sequences += usize::from(!worn);
            tally.worn += usize::from(worn);
            tally.strength += strength;
            tally.lowered += usize::from(lowered);
            tally.within += usize::from(within);
        });
        self.found.push(Found {
            at: place.at,
            char_at: place.char_at,
            sequence,
            worn,
            strength,
            needs,
            line: self.lines.len() - 1,
            word: self.words.len() - 1,
        });
    }

    fn count(&mut self, add: impl Fn(&mut Tally)) {
        add(if self.line_has_capitals { &mut self.capitalised } else { &mut self.total });
        if let Some(line) = self.lines.last_mut() {
            line.has_capitals = self.line_has_capitals;
        }
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
    word: Letters,
}

/// The letters of a word up to a place in it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Letters {
    #[default]
    None,
    Capital,
    Capitals,
    Mixed,
}

impl Letters {
    fn with(self, char: char) -> Self {
        match self {
            _ if !char.is_alphabetic() => Self::None,
            Self::None if char.is_uppercase() => Self::Capital,
            Self::Capital | Self::Capitals if char.is_uppercase() => Self::Capitals,
            _ => Self::Mixed,
        }
    }
}

impl Place {
    /// What others must prove before a sequence that ends a word is taken for a small letter: behind capitals it may as
    /// well be one more of them, and a sign (`DIVÃ©`). A single one is more often the first of a short word (`NÃ©`).
    fn needs(&self, sequence: &Sequence) -> usize {
        let may_be_sound = !self.after_sequence
            && matches!(sequence.ends.0, 'Ã'..='ß')
            && sequence.originals.first().is_lowercase();
        match self.word {
            Letters::Capital if may_be_sound => 2 * PROOF,
            Letters::Capitals if may_be_sound => OVERWHELMING,
            _ => 0,
        }
    }

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
            word: self.word.with(char),
        };
    }

    fn skip(&mut self, sequence: &Sequence) {
        *self = Self {
            at: self.at + sequence.len,
            char_at: self.char_at + sequence.chars,
            before: Some(sequence.originals.first()),
            after_sequence: true,
            word: self.word.with(sequence.originals.first()),
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
