//! What of a word tells its language: the word itself and the runs of letters in it.

use super::scan::{SEED, mixed};
use super::script::{HAN, Kind};

/// The longest run of letters that is a feature of its own.
const LONGEST_RUN: usize = 4;
/// Pairs of letters tell something in words shorter than this, edges included; in longer ones the longer runs tell more.
const SHORT: usize = 6;
/// Stands for the edge of a word in a run of letters.
const EDGE: u16 = 0x20;
/// Keeps whole words apart from runs of the same letters.
const WHOLE: u16 = 0x23;

/// Keeps the votes of frequent words apart.
const FREQUENT: u16 = 0x24;

/// Hands over the hashes of all features of a word.
#[inline]
pub fn features(script: Kind, letters: &[u16], mut each: impl FnMut(u64)) {
    if script == HAN {
        return letters.iter().for_each(|&character| each(finished(mixed(SEED, character))));
    }
    each(finished(mixed(letters.iter().fold(SEED, |hash, &letter| mixed(hash, letter)), WHOLE)));
    let end = letters.len() + 2;
    let at = |i: usize| if i == 0 || i + 1 == end { EDGE } else { letters[i - 1] };
    for start in 0..end {
        let mut hash = mixed(SEED, at(start));
        for i in start + 1..end.min(start + LONGEST_RUN) {
            hash = mixed(hash, at(i));
            if i > start + 1 || end < SHORT {
                each(finished(hash));
            }
        }
    }
}

/// The feature under which a model keeps the votes of a frequent word, all its features summed.
#[inline]
pub fn frequent(hash: u64) -> u64 {
    finished(mixed(hash, FREQUENT))
}

/// Spreads what the last letters changed over all bits.
#[inline]
fn finished(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ hash >> 29
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::tamis::script::LATIN;

    #[test]
    fn features_of_a_word_are_all_different() {
        let mut hashes = Vec::new();
        let letters: Vec<u16> = "straße".encode_utf16().collect();
        features(LATIN, &letters, |hash| hashes.push(hash));
        let count = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), count);
    }

    #[test]
    fn a_character_is_the_feature_of_han() {
        let mut count = 0;
        features(HAN, &[0x6f22], |_| count += 1);
        assert_eq!(count, 1);
    }
}
