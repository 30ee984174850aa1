//! How far a single sequence proves that a text was misread.

use super::misread::{Reading, Sequence};

/// The characters before and after a sequence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neighbours {
    pub(super) before: Option<char>,
    pub(super) after: Option<char>,
}

impl Neighbours {
    fn has_letter(self) -> bool {
        self.before.is_some_and(char::is_alphabetic) || self.after.is_some_and(char::is_alphabetic)
    }
}

/// What it takes before a text is taken for misread. A sequence of this strength stands in no sound text, unless the text
/// speaks of encodings.
pub(super) const PROOF: usize = 3;

/// What it takes before even a sequence that sound text may have, a word of capitals before a sign (`DIVÃ©`), is taken for
/// misread.
pub(super) const OVERWHELMING: usize = 4 * PROOF;

/// How strange the characters of a sequence would be as they stand: 0 for what sound text may have (`é»`, `IRMÃ”`), up to
/// [`PROOF`].
pub(super) fn strength(
    sequence: &Sequence,
    around: Neighbours,
    after_sequence: bool,
    reading: Reading,
) -> usize {
    let original = sequence.originals.first();
    match u32::from(original) {
        0x80..=0x9F => 0,
        0x1F000.. => PROOF,
        0x1E00..=0x1EFF => vietnamese(sequence, around),
        // A quotation mark, a dash, a bullet: `â€` and one more.
        0x2010..=0x203A => {
            if around.has_letter() {
                PROOF
            } else {
                1
            }
        }
        0x20AC | 0x2122 => 1,
        0xA0..=0x24F => latin(sequence, around, reading),
        // In other scripts a letter has letters beside it; in a Latin text two such sequences are never neighbours.
        _ if original.is_alphabetic() && after_sequence => 2,
        _ => 0,
    }
}

fn latin(sequence: &Sequence, around: Neighbours, reading: Reading) -> usize {
    let (first, last) = sequence.ends;
    let of_latin_1 = matches!(first, 'Ã' | 'ã') && sequence.originals.first().is_lowercase();
    let behind_small = around.before.is_some_and(|char| char.is_lowercase() && char < '\u{250}');
    let capital_within = first.is_uppercase() && behind_small;
    if reading == Reading::Plain && capital_within {
        PROOF
    } else if !may_follow_letter(last) {
        match around.has_letter() {
            true if of_latin_1 => PROOF,
            true => 2,
            false => 1,
        }
    } else if ENDS.contains(last) && around.after.is_some_and(char::is_alphabetic) {
        2
    } else {
        // `piã¹` may be a footnote, but a text that was lower-cased is not judged by its words alone.
        let weak = RAISED.contains(last) || last == '\u{A0}';
        usize::from(reading == Reading::Lowered && of_latin_1 && weak)
    }
}

/// `á»` may close a quotation (`«está»…`), but no word goes on behind it.
fn vietnamese(sequence: &Sequence, around: Neighbours) -> usize {
    if around.after.is_some_and(char::is_alphabetic) {
        PROOF
    } else {
        usize::from(!may_follow_letter(sequence.ends.1)) * 2
    }
}

/// What stands right behind letters in sound text: closing quotation marks of all countries, dashes, marks of trade.
const PUNCTUATION: &str = "…’‘‚”“„»«›‹–—•™®€‰†‡´·\u{A0}\u{AD}";

/// What stands there as a number: of a footnote, of a power.
const RAISED: &str = "°¹²³";

/// What ends a word: no letter follows it at once.
const ENDS: &str = "”“„»«›‹¹²³‰†‡";

/// Whether a character beyond ASCII stands right behind letters in sound text, as itself a letter may.
fn may_follow_letter(char: char) -> bool {
    char.is_alphabetic() || char.is_control() || PUNCTUATION.contains(char) || RAISED.contains(char)
}
