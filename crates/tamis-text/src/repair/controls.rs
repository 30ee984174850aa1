//! Characters of windows-1252 that were read as Latin-1: its dashes and quotation marks became control characters.
//!
//! U+0080 to U+009F are in no sound text. Where they are no part of a misread sequence of UTF-8 they are the characters that
//! windows-1252 has in their place, as HTML reads `&#146;`; unless the text was in another encoding altogether.

use super::misread::{Reading, SPECIALS, sequence};
use super::plan::has_capitals;

/// The control characters of a text that belong to no sequence.
#[derive(Debug, Default)]
pub(super) struct Controls {
    /// Their offsets in bytes.
    places: Vec<usize>,
    /// Those that would be strange in windows-1252.
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
                controls.places.push(at);
                let amid = [before, rest[len..].chars().next()].iter().flatten().all(|c| !c.is_ascii());
                controls.strange += usize::from(amid && before.is_some() || is_strange(char));
            }
            before = Some(char);
            at += len;
        }
        controls
    }

    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    /// Whether there are some, and they make sense in windows-1252.
    pub(super) fn are_signs(&self) -> bool {
        !self.places.is_empty() && self.strange * 4 <= self.places.len()
    }

    /// The text with the characters that were meant.
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

/// The holes of windows-1252, and what hardly a text has: `ƒ`, `†`, `‡`, `ˆ`, `˜`.
fn is_strange(control: char) -> bool {
    is_control(meant(control)) || matches!(control, '\u{83}' | '\u{86}'..='\u{88}' | '\u{98}')
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
