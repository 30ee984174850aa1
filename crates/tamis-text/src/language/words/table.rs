//! The words of all languages in one table.

use std::fmt;

/// Words and the language of each: open addressing, one probe for most words that are in no list.
#[derive(Default)]
pub(super) struct Table {
    /// A power of two, at most half full. Empty before the first word.
    slots: Vec<Slot>,
    words: Vec<Word>,
    letters: String,
    /// Words with more bytes are on no list.
    longest: usize,
}

/// Eight bytes, so that the slots of a dictionary of 25,000 words stay in a core's own cache.
#[derive(Clone, Copy)]
struct Slot {
    /// The upper half of the word's hash.
    tag: u32,
    /// Where the word is, plus one. Zero: nothing here.
    word: u32,
}

const EMPTY: Slot = Slot { tag: 0, word: 0 };

#[derive(Clone, Copy)]
struct Word {
    start: u32,
    end: u32,
    language: u16,
}

impl Table {
    /// Gives a word a language, instead of any it had.
    pub(super) fn insert(&mut self, word: &str, language: u16) {
        if word.is_empty() {
            return;
        }
        if (self.words.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let hash = hash(word.as_bytes(), 0, word.len());
        let at = self.slot(hash, word.as_bytes());
        if self.slots[at].word == 0 {
            let start = self.letters.len() as u32;
            self.letters.push_str(word);
            self.words.push(Word { start, end: self.letters.len() as u32, language });
            self.slots[at] = Slot { tag: tag(hash), word: self.words.len() as u32 };
            self.longest = self.longest.max(word.len());
        } else {
            self.words[self.slots[at].word as usize - 1].language = language;
        }
    }

    /// The language of the word from `start` to `end` in `text`.
    #[inline]
    pub(super) fn find(&self, text: &str, start: usize, end: usize) -> Option<u16> {
        if end - start > self.longest {
            return None;
        }
        let hash = hash(text.as_bytes(), start, end);
        let slot = self.slots[self.slot(hash, &text.as_bytes()[start..end])];
        (slot.word > 0).then(|| self.words[slot.word as usize - 1].language)
    }

    /// The slot that has the word, or that it would go to. There must be an empty one.
    #[inline]
    fn slot(&self, hash: u64, word: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.word == 0 || slot.tag == tag(hash) && self.letters_of(slot) == word {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    fn letters_of(&self, slot: Slot) -> &[u8] {
        let word = self.words[slot.word as usize - 1];
        &self.letters.as_bytes()[word.start as usize..word.end as usize]
    }

    fn grow(&mut self) {
        let len = (self.slots.len() * 2).max(16);
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; len]);
        for slot in old.into_iter().filter(|slot| slot.word > 0) {
            let word = self.words[slot.word as usize - 1];
            let hash = hash(self.letters.as_bytes(), word.start as usize, word.end as usize);
            let mut at = hash as usize & (len - 1);
            while self.slots[at].word > 0 {
                at = (at + 1) & (len - 1);
            }
            self.slots[at] = slot;
        }
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Table of {} words", self.words.len())
    }
}

const fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// A hash of the bytes from `start` to `end`, eight at a time: the halves of a product of 128 bits, folded.
#[inline]
fn hash(text: &[u8], start: usize, end: usize) -> u64 {
    const SEED: u64 = 0x9E37_79B9_7F4A_7C15;
    const OTHER: u64 = 0xD1B5_4A32_D192_ED03;
    let fold = |one: u64, other: u64| {
        let product = u128::from(one) * u128::from(other);
        product as u64 ^ (product >> 64) as u64
    };
    let mut state = SEED ^ (end - start) as u64;
    let mut at = start;
    while end - at > 8 {
        state = fold(state ^ eight(text, at), OTHER);
        at += 8;
    }
    let last = eight(text, at) & (u64::MAX >> (64 - 8 * (end - at)));
    fold(state ^ last, OTHER)
}

/// Eight bytes from `at` on, or zeros behind the text's end.
#[inline]
fn eight(text: &[u8], at: usize) -> u64 {
    if let Some(bytes) = text[at..].first_chunk::<8>() {
        u64::from_le_bytes(*bytes)
    } else {
        text[at..].iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_and_nothing_else() {
        let mut table = Table::default();
        assert_eq!(table.find("any", 0, 3), None, "nothing in it yet");
        let word = |number: u32| format!("{number:b}w").repeat(1 + number as usize % 3);
        for number in 0..3000 {
            table.insert(&word(number), number as u16);
        }
        table.insert(&word(7), 9999);
        table.insert("", 1);
        for number in 0..6000 {
            let expected = (number < 3000).then_some(if number == 7 { 9999 } else { number as u16 });
            let text = format!("a {} b", word(number));
            assert_eq!(table.find(&text, 2, text.len() - 2), expected, "{text}");
            assert_eq!(table.find(&word(number), 0, word(number).len()), expected, "at the end of a text");
        }
    }

    #[test]
    fn a_hash_depends_on_the_word_alone() {
        for word in ["a", "eightlet", "ninelette", "more than sixteen", "ß", "\0"] {
            let inside = format!("xyz{word}uvwxyzuvw");
            assert_eq!(
                hash(inside.as_bytes(), 3, 3 + word.len()),
                hash(word.as_bytes(), 0, word.len()),
                "{word}"
            );
        }
        assert_ne!(hash(b"a", 0, 1), hash(b"a\0", 0, 2));
    }
}
