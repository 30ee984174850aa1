//! Two SHA-1 digests in one pass: of a block and of the payload in it.

use crate::{Algorithm, Digest};

/// The SHA-1 digests of two texts. On x86-64 it takes three fifths of the time of one after the other.
pub fn sha1_pair(texts: [&[u8]; 2]) -> [Digest; 2] {
    #[cfg(target_arch = "x86_64")]
    if let Some(digests) = super::sha1_lanes::digests_of(texts) {
        return digests.map(|bytes| Digest::new(Algorithm::Sha1, &bytes));
    }
    texts.map(|text| Digest::of(Algorithm::Sha1, text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_right(first: &[u8], second: &[u8]) -> bool {
        sha1_pair([first, second]) == [first, second].map(|text| Digest::of(Algorithm::Sha1, text))
    }

    #[test]
    fn texts_that_end_anywhere_in_a_block_have_their_digests() {
        let text: Vec<u8> = (0..=255).cycle().take(300).collect();
        for first in 0..200 {
            for second in [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 299] {
                assert!(is_right(&text[..first], &text[..second]), "{first} and {second} bytes");
            }
        }
    }

    proptest! {
        #[test]
        fn any_two_texts_have_their_digests(first: Vec<u8>, second: Vec<u8>, times in 1..50_usize) {
            prop_assert!(is_right(&first.repeat(times), &second));
        }
    }
}
