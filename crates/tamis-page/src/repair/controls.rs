//! Characters of windows-1252 that were read as Latin-1: its dashes and quotation marks became control characters.
//!
//! U+0080 to U+009F are in no sound text. Where they are no part of a misread sequence of UTF-8 they are the characters that
//! windows-1252 has in their place, as HTML reads `&#146;`; unless the text was in another encoding altogether.

use super::misread::{Reading, SPECIALS, sequence};
use super::plan::has_capitals;

/// The control characters of a text that belong to no sequence.
#[derive(Debug, Default)]
pub(super) struct Controls {
    /// Offsets in bytes of those that make sense in windows-1252.
    places: Vec<usize>,
    /// How many others there are.
    strange: usize,
}

impl Controls {
    pub(super) fn of(text: &str) -> Self {
        let mut controls = Self::default();
        if !may_have_controls(text) {
            return controls;
        }
        // `ã\u{94}` is a sequence only in a text that was lower-cased; else a word ends there.
        let lowered = !has_capitals(text);
        let mut at = 0;
        let mut before = None;
        while let Some(char) = text[at..].chars().next() {
            let rest = &text[at..];
            let found = (!char.is_ascii()).then(|| of_sequence(rest, lowered)).flatten();
            let len = found.unwrap_or(char.len_utf8());
            if found.is_none() && is_control(char) {
                controls.note(at, is_strange(char, before, rest[len..].chars().next()));
            }
            before = Some(char);
            at += len;
        }
        controls
    }

    fn note(&mut self, at: usize, is_strange: bool) {
        if is_strange {
            self.strange += 1;
        } else {
            self.places.push(at);
        }
    }

    pub(super) fn count(&self) -> usize {
        self.places.len() + self.strange
    }

    /// Whether nearly all make sense in windows-1252. Else the text was in another encoding, and a few of its letters would
    /// be taken for signs.
    pub(super) fn are_signs(&self) -> bool {
        !self.places.is_empty() && self.strange * 4 <= self.count()
    }

    /// The text with the characters that were meant; the others stay as they are.
    pub(super) fn mended(&self, text: &str) -> String {
        let mut mended = String::with_capacity(text.len() + self.places.len());
        let mut read = 0;
        for &at in &self.places {
            mended.push_str(&text[read..at]);
            mended.extend(text[at..].chars().next().map(meant));
            read = at + CONTROL_LEN;
        }
        mended.push_str(&text[read..]);
        mended
    }
}

/// Bytes of a control character in UTF-8.
const CONTROL_LEN: usize = 2;

/// The length of the sequence that a text starts with.
fn of_sequence(text: &str, lowered: bool) -> Option<usize> {
    let plain = sequence(text, Reading::Plain);
    plain.or_else(|| sequence(text, Reading::Lowered).filter(|_| lowered)).map(|found| found.len)
}

fn is_control(char: char) -> bool {
    matches!(char, '\u{80}'..='\u{9F}')
}

fn meant(control: char) -> char {
    (u32::from(control) as usize)
        .checked_sub(0x80)
        .and_then(|at| SPECIALS.get(at))
        .copied()
        .unwrap_or(control)
}

/// Whether a control character stands where windows-1252 would have none: for its holes and what hardly a text has (`ƒ`, `†`,
/// `‡`, `ˆ`, `˜`); for a capital within a word; amid other characters beyond ASCII; amid a word, where only apostrophes,
/// dashes and letters are.
fn is_strange(control: char, before: Option<char>, after: Option<char>) -> bool {
    let amid = |is: &dyn Fn(char) -> bool| before.is_some_and(is) && after.is_some_and(is);
    let meant = meant(control);
    let stands_in_words = matches!(meant, '’' | '–' | '—') || meant.is_alphabetic();
    let repeats = matches!(meant, '…' | '–' | '—') && [before, after].contains(&Some(control));
    is_control(meant)
        || matches!(meant, 'ƒ' | '†' | '‡' | 'ˆ' | '˜')
        || (meant.is_uppercase() && before.is_some_and(|char| char.is_lowercase() || char == control))
        || (amid(&|char| !char.is_ascii()) && !repeats)
        || (amid(&char::is_alphabetic) && !stands_in_words)
}

fn may_have_controls(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(0xC2, bytes).any(|at| bytes.get(at + 1).is_some_and(|&next| next < 0xA0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> Option<String> {
        let controls = Controls::of(text);
        controls.are_signs().then(|| controls.mended(text))
    }

    #[test]
    fn signs_of_windows_1252_come_back() {
        for (text, sound) in [
            ("It\u{92}s here \u{97} at last", "It’s here — at last"),
            ("\u{93}Well\u{85}\u{94} he said", "“Well…” he said"),
            ("l\u{92}\u{e9}t\u{e9}, l\u{92}eau \u{80}5", "l’été, l’eau €5"),
            ("A irm\u{e3}\u{94} disse", "A irmã” disse"),
            ("\u{97}", "—"),
            ("und so \u{85}\u{85}\u{85} weiter", "und so ……… weiter"),
            (
                "l\u{92}\u{9c}uvre, d\u{92}un c\u{9c}ur: gr\u{89}ce, l\u{92}un",
                "l’œuvre, d’un cœur: gr\u{89}ce, l’un",
            ),
        ] {
            assert_eq!(mended(text).as_deref(), Some(sound));
        }
    }

    #[test]
    fn other_encodings_stay_as_they_are() {
        for text in [
            "",
            "sound – text’s",
            // Japanese in Shift_JIS, read as Latin-1.
            "\u{83}T\u{83}C\u{83}g\u{83}}\u{83}b\u{83}v",
            "\u{82}\u{b1}\u{82}\u{cc}\u{83}y\u{81}[\u{83}W",
            // Finnish of DOS, Polish in UTF-8 read as ISO 8859-2.
            "testit\u{85}h\u{f6}",
            // Of the Macintosh.
            "tiet\u{8a}\u{8a}: silm\u{8a}t",
            "p\u{139}\u{82}yty",
            // A misread sequence that nothing proves.
            "\u{e2}\u{80}\u{99}",
            "\u{9d}",
        ] {
            assert_eq!(mended(text), None, "{text:?}");
        }
    }

    #[test]
    fn all_are_counted() {
        assert_eq!(Controls::of("a\u{92} \u{9d} \u{e2}\u{80}\u{99}").count(), 2);
    }
}
