//! The text of an article by characters: how much of it is readable, and ranges of it.

use crate::repair::diagnose;

/// The share of a text's characters that were not lost: neither a question mark within a word nor U+FFFD, no control and no
/// character for private use. A text without characters has lost none.
pub fn usable(text: &str) -> f32 {
    let count = text.chars().count();
    if count == 0 {
        return 1.0;
    }
    let is_unreadable = |&character: &char| {
        (character.is_control() && !character.is_whitespace())
            || matches!(character, '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..)
    };
    let unreadable = text.chars().filter(is_unreadable).count() + diagnose(text).lost.question_marks.len();
    1.0 - unreadable.min(count) as f32 / count as f32
}

/// Cuts ranges of characters out of a text. Ranges in ascending order take one pass over it.
pub struct CharacterRanges<'a> {
    text: &'a str,
    character: usize,
    byte: usize,
}

impl<'a> CharacterRanges<'a> {
    /// Starts at the first character.
    pub fn new(text: &'a str) -> CharacterRanges<'a> {
        CharacterRanges { text, character: 0, byte: 0 }
    }

    /// At most `length` characters from the character `start` on.
    pub fn next(&mut self, start: usize, length: usize) -> &'a str {
        if start < self.character {
            (self.character, self.byte) = (0, 0);
        }
        self.byte = self.byte_after(start - self.character);
        self.character = start;
        let end = self.byte_after(length);
        &self.text[self.byte..end]
    }

    fn byte_after(&self, characters: usize) -> usize {
        let rest = &self.text[self.byte..];
        rest.char_indices().nth(characters).map_or(self.text.len(), |(at, _)| self.byte + at)
    }
}
