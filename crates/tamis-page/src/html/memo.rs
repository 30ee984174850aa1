//! Answers about texts that a page repeats, such as the classes of its elements.

use super::key::word;

/// A power of two; few pages have more classes.
const SLOTS: usize = 512;

/// The last answer of each slot; which slot is a text's own is told by its ends and its middle.
pub(crate) struct Memo<'a, T> {
    known: Vec<(&'a str, T)>,
}

impl<T: Default + Copy> Default for Memo<'_, T> {
    fn default() -> Self {
        Memo { known: Vec::new() }
    }
}

impl<'a, T: Default + Copy> Memo<'a, T> {
    /// What `answer` says of a text; of an empty one the default.
    pub(crate) fn of(&mut self, text: &'a str, answer: impl FnOnce(&'a str) -> T) -> T {
        if self.known.is_empty() {
            self.known.resize(SLOTS, ("", T::default()));
        }
        let place = &mut self.known[slot(text.as_bytes())];
        if place.0 != text {
            *place = (text, answer(text));
        }
        place.1
    }
}

fn slot(text: &[u8]) -> usize {
    let first = word(&text[..text.len().min(8)]);
    let last = word(&text[text.len().saturating_sub(8)..]);
    let from_middle = &text[text.len() / 2..];
    let middle = word(&from_middle[..from_middle.len().min(8)]);
    let mixed = first ^ last.rotate_left(19) ^ middle.rotate_left(41) ^ text.len() as u64;
    (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_gets_its_own_answer_though_slots_are_shared() {
        let texts: Vec<String> = (0..3 * SLOTS).map(|at| "x".repeat(at % 40) + &at.to_string()).collect();
        let mut memo = Memo::default();
        for text in texts.iter().chain(&texts) {
            assert_eq!(memo.of(text, str::len), text.len());
        }
        assert_eq!(memo.of("", str::len), 0);
    }

    #[test]
    fn what_is_known_is_not_asked_again() {
        let mut memo = Memo::default();
        assert_eq!(memo.of("a", |_| 1), 1);
        assert_eq!(memo.of("a", |_| 2), 1);
    }
}
