//! The words of all languages in one table.

use std::fmt;

/// Words and the language of each: a filter of bits that turns away most words that are in no list, then open addressing.
#[derive(Default)]
pub(super) struct Table {
    /// [`BITS`] for each slot, one of them set for each word: for a dictionary of 25,000 words 32 kB, which stay in a core's first
    /// cache.
    filter: Vec<u64>,
    /// A power of two, at most half full. Empty before the first word.
    slots: Vec<Slot>,
    words: usize,
    /// What words have behind their eighth byte.
    tails: Vec<u8>,
    /// Words with more bytes are on no list.
    longest: usize,
}

const BITS: usize = 4;

/// Sixteen bytes, and for most words all there is to compare.
#[derive(Clone, Copy)]
struct Slot {
    /// The word's first eight bytes, zeros behind its end.
    head: u64,
    /// Where its tail begins.
    tail: u32,
    /// Its length in bytes. Zero: nothing here.
    len: u16,
    language: u16,
}

const EMPTY: Slot = Slot { head: 0, tail: 0, len: 0, language: 0 };

impl Table {
    /// Gives a word a language, instead of any it had. A word of more than 64 kB is left out.
    pub(super) fn insert(&mut self, word: &str, language: u16) {
        let Some(len) = u16::try_from(word.len()).ok().filter(|len| *len > 0) else { return };
        if (self.words + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let key = Key::of(word.as_bytes(), 0, word.len());
        let at = self.slot(&key);
        if self.slots[at].len == 0 {
            self.slots[at] = Slot { head: key.head, tail: self.tails.len() as u32, len, language };
            self.tails.extend_from_slice(key.tail);
            self.words += 1;
            self.longest = self.longest.max(word.len());
            self.set_bit(key.hash);
        }
        self.slots[at].language = language;
    }

    /// The language of the word from `start` to `end` in `text`.
    #[inline]
    pub(super) fn find(&self, text: &str, start: usize, end: usize) -> Option<u16> {
        if end - start > self.longest {
            return None;
        }
        let key = Key::of(text.as_bytes(), start, end);
        if !self.has_bit(key.hash) {
            return None;
        }
        let slot = self.slots[self.slot(&key)];
        (slot.len > 0).then_some(slot.language)
    }

    /// The slot that has the word, or that it would go to. There must be an empty one.
    #[inline]
    fn slot(&self, key: &Key) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key.hash as usize & mask;
        loop {
            let slot = self.slots[at];
            let is_same =
                slot.head == key.head && usize::from(slot.len) == key.len && self.tail(slot) == key.tail;
            if is_same || slot.len == 0 {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    #[inline]
    fn tail(&self, slot: Slot) -> &[u8] {
        let start = slot.tail as usize;
        &self.tails[start..start + usize::from(slot.len).saturating_sub(8)]
    }

    #[inline]
    fn has_bit(&self, hash: u64) -> bool {
        let bit = self.bit(hash);
        self.filter[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn set_bit(&mut self, hash: u64) {
        let bit = self.bit(hash);
        self.filter[bit / 64] |= 1 << (bit % 64);
    }

    /// From the upper half of the hash: the slot is from the lower.
    #[inline]
    fn bit(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.filter.len() * 64 - 1)
    }

    fn grow(&mut self) {
        let len = (self.slots.len() * 2).max(16);
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; len]);
        self.filter = vec![0; len * BITS / 64];
        for slot in old.into_iter().filter(|slot| slot.len > 0) {
            let head = slot.head.to_le_bytes();
            let word = [&head[..usize::from(slot.len).min(8)], self.tail(slot)].concat();
            let key = Key::of(&word, 0, word.len());
            self.set_bit(key.hash);
            let at = self.slot(&key);
            self.slots[at] = slot;
        }
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Table of {} words", self.words)
    }
}

/// A word as it is compared.
struct Key<'a> {
    head: u64,
    tail: &'a [u8],
    len: usize,
    hash: u64,
}

impl<'a> Key<'a> {
    /// Of the bytes from `start` to `end`, which are not none.
    #[inline]
    fn of(text: &'a [u8], start: usize, end: usize) -> Self {
        let len = end - start;
        let head = eight(text, start) & (u64::MAX >> (64 - 8 * len.min(8)));
        let tail = &text[(start + 8).min(end)..end];
        let hash = tail_hash(fold(head ^ SEED ^ len as u64), tail);
        Self { head, tail, len, hash }
    }
}

const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// The halves of a product of 128 bits, folded.
#[inline]
fn fold(state: u64) -> u64 {
    let product = u128::from(state) * 0xD1B5_4A32_D192_ED03;
    product as u64 ^ (product >> 64) as u64
}

#[inline]
fn tail_hash(head: u64, tail: &[u8]) -> u64 {
    tail.chunks(8).fold(head, |state, chunk| fold(state ^ eight(chunk, 0)))
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
            let one = Key::of(inside.as_bytes(), 3, 3 + word.len());
            let other = Key::of(word.as_bytes(), 0, word.len());
            assert_eq!((one.hash, one.head, one.tail), (other.hash, other.head, other.tail), "{word}");
        }
        assert_ne!(Key::of(b"a", 0, 1).hash, Key::of(b"a\0", 0, 2).hash);
    }
}
