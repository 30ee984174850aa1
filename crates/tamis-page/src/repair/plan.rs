//! Which sequences of a text are to be mended: only what is beyond doubt.

use super::letters::Letters;
use super::map::PositionMap;
use super::misread::Reading;
use super::strength::PROOF;
use super::survey::{Found, Survey, Tally};

/// Mends what was misread in one way, once. None where nothing is beyond doubt.
pub(super) fn mend(text: &str, reading: Reading, expected: bool) -> Option<Mended> {
    if !may_have_sequences(text) {
        return None;
    }
    let survey = Survey::of(text, reading);
    let scope = Scope::of(&survey, text, reading, expected)?;
    let chosen: Vec<&Found> =
        survey.found.iter().filter(|found| scope.covers(found, &survey, reading)).collect();
    (!chosen.is_empty()).then(|| Mended::of(text, &chosen))
}

/// The sequences of a text that is known to be misread, or of a part of such a text.
pub(super) fn known_misread(text: &str, reading: Reading, whole: bool) -> (Vec<Found>, bool) {
    let survey = Survey::of(text, reading);
    let whole = whole && survey.total.is_consistent(tolerance(reading));
    let scope = if whole { Scope::Whole } else { Scope::Parts };
    (survey.found.iter().filter(|found| scope.covers(found, &survey, reading)).copied().collect(), whole)
}

/// A text with its misread characters as they were.
pub(super) struct Mended {
    pub(super) text: String,
    pub(super) map: PositionMap,
    pub(super) count: usize,
}

impl Mended {
    fn of(text: &str, chosen: &[&Found]) -> Self {
        let mut map = PositionMap::default();
        for found in chosen {
            map.note(found.char_at, found.sequence.chars);
        }
        Self { text: mended(text, chosen), map, count: chosen.len() }
    }
}

/// A text with the sequences, which are in its order, as they were.
pub(super) fn mended(text: &str, chosen: &[&Found]) -> String {
    let letters = Letters::of(chosen.iter().filter_map(|found| found.sequence.originals.sole()));
    let mut mended = String::with_capacity(text.len());
    let mut read = 0;
    for (at, found) in chosen.iter().enumerate() {
        mended.push_str(&text[read..found.at]);
        let before = mended.chars().next_back();
        let after = following(text, found, chosen.get(at + 1).copied());
        mended.push(letters.choose(&found.sequence.originals, before, after));
        read = found.end();
    }
    mended.push_str(&text[read..]);
    mended
}

/// The character behind a sequence, as it was.
fn following(text: &str, found: &Found, next: Option<&Found>) -> Option<char> {
    match next {
        Some(next) if next.at == found.end() => Some(next.sequence.originals.first()),
        _ => text[found.end()..].chars().next(),
    }
}

/// How much of a text the evidence covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Everything beyond ASCII was misread.
    Whole,
    /// Sound and misread text stand side by side.
    Parts,
}

impl Scope {
    fn of(survey: &Survey, text: &str, reading: Reading, expected: bool) -> Option<Self> {
        let Tally { sequences, strength, .. } = survey.total;
        if strength < proof(expected) {
            return None;
        }
        // A text about encodings shows such sequences on purpose: it must be full of them to be taken for damaged.
        if strength < 10 * PROOF.max(text.len() / 10_000) && speaks_of_encodings(text) {
            return None;
        }
        let is_consistent = survey.total.is_consistent(tolerance(reading));
        match reading {
            Reading::Lowered if is_consistent && !survey.by_line => (sequences > 0).then_some(Self::Whole),
            Reading::Lowered if !has_lowered_lines(survey, expected) => None,
            _ if is_consistent => Some(Self::Whole),
            _ => Some(Self::Parts),
        }
    }

    fn covers(self, found: &Found, survey: &Survey, reading: Reading) -> bool {
        let (line, word) = (survey.line_of(found), survey.word_of(found));
        match self {
            _ if line.has_capitals => false,
            _ if survey.total.strength < found.needs => false,
            // What may as well not have been lower-cased is left to the next round, which knows more exactly what it was.
            Self::Whole if survey.by_line => {
                line.lowered > 0 && line.strength > 0 && line.is_consistent(tolerance(reading))
            }
            Self::Whole => true,
            Self::Parts if reading == Reading::Lowered => {
                line.lowered > 0 && line.strength >= PROOF && line.is_consistent(tolerance(reading))
            }
            // Text misread as windows-1250 shares some sequences; to mend those alone would only hide what it is.
            Self::Parts if line.odd * 8 > line.sequences => false,
            Self::Parts if line.strength >= PROOF && line.is_consistent(20) => true,
            Self::Parts => found.strength >= PROOF || (!found.worn && word.strength >= 2 && word.strays == 0),
        }
    }
}

/// Whether lines without capitals were lower-cased in a text that was not as a whole. Such lines are common in sound text,
/// so that more than one sequence must prove it, and one of them within a word; the lines with capitals must not show the
/// same.
fn has_lowered_lines(survey: &Survey, expected: bool) -> bool {
    let Tally { strength, within, .. } = survey.total;
    within > 0 && strength >= 2 * proof(expected) && survey.capitalised.within * 4 <= within
}

/// Of how many misread characters one beyond ASCII may be sound, and the text still be misread as a whole.
fn tolerance(reading: Reading) -> usize {
    match reading {
        Reading::Lowered => 10,
        Reading::Plain => 20,
    }
}

fn proof(expected: bool) -> usize {
    if expected { 2 } else { PROOF }
}

/// Whether a text has capitals, more than a slip: then nobody lower-cased it.
pub(super) fn has_capitals(text: &str) -> bool {
    let (mut letters, mut capitals) = (0_usize, 0_usize);
    for char in text.chars() {
        let capital = char.is_uppercase();
        capitals += usize::from(capital);
        letters += usize::from(capital || char.is_lowercase());
    }
    capitals * 200 > letters
}

fn speaks_of_encodings(text: &str) -> bool {
    const TERMS: [&str; 10] = [
        "utf-8",
        "utf8",
        "mojibake",
        "encoding",
        "unicode",
        "charset",
        "iso-8859",
        "latin-1",
        "windows-1252",
        "ascii",
    ];
    let text = text.to_ascii_lowercase();
    TERMS.iter().any(|term| memchr::memmem::find(text.as_bytes(), term.as_bytes()).is_some())
}

/// Whether a text can have a sequence at all: a letter of Latin-1 and, right behind it, a character that windows-1252 has
/// for a continuation byte. Goes by the bytes of the text, since nearly all texts have none and end here.
fn may_have_sequences(text: &str) -> bool {
    let bytes = text.as_bytes();
    // U+00C0 to U+00FF start with C3. The others are the first bytes of U+0080 to U+00BF, of `Œ`, `ƒ`, `ˆ`, of `€` and
    // the signs near it, and of the `ÿ` that lower-casing makes.
    memchr::memchr_iter(0xC3, bytes).any(|at| match bytes.get(at + 2) {
        Some(0xC2 | 0xC5 | 0xC6 | 0xCB | 0xE2) => true,
        Some(0xC3) => bytes.get(at + 3) == Some(&0xBF),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_quick_look_misses_no_sequence(text in "[a\u{80}-\u{ff}€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ漢]{0,12}") {
            for reading in [Reading::Plain, Reading::Lowered] {
                let found = Survey::of(&text, reading).found.iter().any(|found| !found.worn);
                prop_assert!(!found || may_have_sequences(&text));
            }
        }
    }
}
