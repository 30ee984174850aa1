//! What was worked out for words that texts repeat.

use std::rc::Rc;

/// Sets of slots, a power of two.
const SETS: usize = 2048;
/// Slots of a set. A word comes into the last one, and forward when it comes again: so rare words drive out no frequent ones.
const WAYS: usize = 4;
/// So many words are remembered.
pub const WORDS: usize = SETS * WAYS;

/// A token of up to 23 bytes, and behind it their number.
type Key = [u64; 3];

/// What was worked out for up to [`WORDS`] tokens. Long tokens are not remembered.
#[derive(Debug)]
pub(crate) struct Memo<T> {
    sets: Vec<[Slot<T>; WAYS]>,
}

type Slot<T> = Option<(Key, Rc<T>)>;

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Self { sets: Vec::new() }
    }
}

impl<T> Memo<T> {
    /// What is known of a token, worked out by `make` if it is not remembered.
    #[inline]
    pub(crate) fn of(&mut self, token: &str, make: impl FnOnce() -> T) -> Rc<T> {
        let Some(key) = key(token) else { return Rc::new(make()) };
        if self.sets.is_empty() {
            self.sets.resize_with(SETS, || [const { None }; WAYS]);
        }
        let set = &mut self.sets[slot(key)];
        let known = set.iter().position(|one| one.as_ref().is_some_and(|one| one.0 == key));
        if let Some(at) = known {
            let forward = at.saturating_sub(1);
            set.swap(forward, at);
            if let Some((_, value)) = &set[forward] {
                return Rc::clone(value);
            }
        }
        let value = Rc::new(make());
        let free = set.iter().position(Option::is_none).unwrap_or(WAYS - 1);
        set[free] = Some((key, Rc::clone(&value)));
        value
    }
}

#[inline]
fn key(token: &str) -> Option<Key> {
    let mut bytes = [0; size_of::<Key>()];
    let (last, room) = bytes.split_last_mut()?;
    room.get_mut(..token.len())?.copy_from_slice(token.as_bytes());
    *last = token.len() as u8;
    let [a, b, c] = bytes.as_chunks::<8>().0 else { return None };
    Some([a, b, c].map(|chunk| u64::from_le_bytes(*chunk)))
}

#[inline]
fn slot([first, second, third]: Key) -> usize {
    let mixed = first ^ second.rotate_left(19) ^ third.rotate_left(41);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 48) as usize % SETS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_gets_its_own_answer_though_slots_are_shared() {
        let tokens: Vec<String> = (0..3 * WORDS).map(|at| "x".repeat(at % 40) + &at.to_string()).collect();
        let mut memo = Memo::default();
        for token in tokens.iter().chain(&tokens) {
            assert_eq!(*memo.of(token, || token.clone()), *token);
        }
        for token in ["", "\0", "\0\0", "a", "a\0"] {
            assert_eq!(*memo.of(token, || token.to_owned()), token);
        }
        assert_eq!(memo.sets.len() * WAYS, WORDS);
    }

    #[test]
    fn what_comes_often_is_remembered_and_what_is_long_is_not() {
        let mut memo = Memo::default();
        assert_eq!(*memo.of("the", || 0), 0);
        for at in 1..10 * WORDS {
            memo.of(&at.to_string(), || at);
            assert_eq!(*memo.of("the", || at), 0);
        }
        let long = "a".repeat(24);
        assert_eq!((*memo.of(&long, || 1), *memo.of(&long, || 2)), (1, 2));
        assert_eq!((*memo.of(&long[1..], || 1), *memo.of(&long[1..], || 2)), (1, 1));
    }
}
