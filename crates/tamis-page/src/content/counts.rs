//! Characters, words, ends of sentences and commas of a text.

use crate::html::white_space;

/// What a run of characters adds to its block.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Characters that are no space; one of Chinese, Japanese or Korean counts for two.
    pub(super) chars: u32,
    pub(super) words: u32,
    /// Ends of sentences.
    pub(super) stops: u32,
    /// Commas, and what serves for them elsewhere.
    pub(super) commas: u32,
    /// Whether the run ends within a word.
    pub(super) in_word: bool,
}

impl Counts {
    /// Counts a run that starts within a word or not.
    pub(super) fn of(text: &[u8], in_word: bool) -> Counts {
        if text.is_ascii() { Counts::of_ascii(text, in_word) } else { Counts::of_any(text, in_word) }
    }

    fn of_any(text: &[u8], mut in_word: bool) -> Counts {
        let mut counts = Counts::default();
        for (at, &byte) in text.iter().enumerate() {
            match byte {
                b' ' | b'\t'..=b'\r' => in_word = false,
                0xC2 | 0xE1..=0xE3 if white_space::length(&text[at..]) > 0 => in_word = false,
                0x80..=0xBF => {}
                _ => {
                    counts.words += u32::from(!in_word);
                    in_word = true;
                    counts.character(byte, &text[at + 1..]);
                }
            }
        }
        counts.in_word = in_word;
        counts
    }

    /// Counts the character that starts with this byte.
    fn character(&mut self, byte: u8, rest: &[u8]) {
        self.chars += 1;
        match (byte, rest) {
            (b'.' | b'!' | b'?', _) => {
                self.stops +=
                    u32::from(rest.first().is_none_or(|&b| !b.is_ascii_alphanumeric() && b != byte));
            }
            (b',', _) | (0xE3, [0x80, 0x81, ..]) | (0xEF, [0xBC, 0x8C, ..]) | (0xD8, [0x8C, ..]) => {
                self.commas += 1;
            }
            (0xE3, [0x80, 0x82, ..])
            | (0xEF, [0xBC, 0x81 | 0x9F, ..])
            | (0xE0, [0xA5, 0xA4, ..])
            | (0xD8, [0x9F, ..]) => {
                self.stops += 1;
            }
            (0xE3..=0xED, _) => {
                self.chars += 1;
                self.words += 1;
            }
            _ => {}
        }
    }

    /// The same for ASCII: sums without branches, which compile to sixteen bytes at a time.
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "a branch would keep the sums from being made of many bytes at once"
    )]
    fn of_ascii(text: &[u8], in_word: bool) -> Counts {
        let (Some(&first), Some(&last)) = (text.first(), text.last()) else {
            return Counts { in_word, ..Counts::default() };
        };
        let mut counts = Counts {
            chars: u32::from(!is_space(last)),
            words: u32::from(!in_word & !is_space(first)),
            stops: u32::from(is_stop(last)),
            commas: u32::from(last == b','),
            in_word: !is_space(last),
        };
        // What is counted of so many bytes fits in a byte.
        let most = usize::from(u8::MAX);
        for (piece, behind) in text[..text.len() - 1].chunks(most).zip(text[1..].chunks(most)) {
            let (mut chars, mut words, mut stops, mut commas) = (0_u8, 0_u8, 0_u8, 0_u8);
            for (&byte, &next) in piece.iter().zip(behind) {
                chars += u8::from(!is_space(byte));
                words += u8::from(is_space(byte) & !is_space(next));
                stops += u8::from(is_stop(byte) & !next.is_ascii_alphanumeric() & (next != byte));
                commas += u8::from(byte == b',');
            }
            counts.chars += u32::from(chars);
            counts.words += u32::from(words);
            counts.stops += u32::from(stops);
            counts.commas += u32::from(commas);
        }
        counts
    }
}

fn is_space(byte: u8) -> bool {
    (byte == b' ') | (byte.wrapping_sub(b'\t') < 5)
}

#[expect(
    clippy::needless_bitwise_bool,
    reason = "a branch would keep the sums from being made of many bytes at once"
)]
fn is_stop(byte: u8) -> bool {
    (byte == b'.') | (byte == b'!') | (byte == b'?')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn white_space_is_no_character() {
        for c in '\0'..='\u{FFFF}' {
            let counts = Counts::of(c.to_string().as_bytes(), false);
            assert_eq!(counts.chars == 0, c.is_whitespace(), "{:04X}", u32::from(c));
        }
    }

    proptest! {
        #[test]
        fn ascii_is_counted_as_any_text(text in "[a-cA1 \\t\\n\u{b}\u{1c}.,!?-]{0,600}", in_word: bool) {
            let text = text.as_bytes();
            prop_assert_eq!(Counts::of_ascii(text, in_word), Counts::of_any(text, in_word));
        }
    }
}
