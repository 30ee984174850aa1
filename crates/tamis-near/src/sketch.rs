//! Sketches of pages: a few hundred bytes that tell how much two pages have in common.
//!
//! Broder, *On the resemblance and containment of documents* (1997): hash every shingle of a page, keep the least hash under
//! each of some functions; the share of equal least hashes estimates the Jaccard similarity of the sets of shingles.
//!
//! | sketch | shingles | for |
//! |---|---|---|
//! | [`MinHash::of_bytes`] | runs of 12 bytes of the page as it was sent | the order of pages in a pack |
//! | [`MinHash::of_text`] | runs of five words of its visible text | near-duplicates |
//! | [`Words`] | tags, words and scripts that span 25 characters | the order of the reference |
//! | [`Chars`] | three groups of seven characters of those | the same, where copied tokens were changed |
//!
//! All are kept on disk, so their definitions never change; test vectors hold them.

mod bytes;
mod chars;
mod least;
mod minhash;
mod text;
mod tokens;
mod words;

pub use chars::Chars;
pub use minhash::{MinHash, SLOTS};
pub use text::{WORDS_IN_SHINGLE, jaccard};
pub use words::{FUNCTIONS, Words};

/// The base of the Karp-Rabin hashes, which are numbers modulo 2^64.
const BASE: u64 = 0xD6E8_FEB8_6659_FD93;

/// The multiplication to 128 bits, folded: every bit of both sides is in every bit of the hash.
#[inline]
const fn fold(one: u64, other: u64) -> u64 {
    let product = (one ^ 0x9E37_79B9_7F4A_7C15) as u128 * (other ^ 0xBF58_476D_1CE4_E5B9) as u128;
    (product >> 64) as u64 ^ product as u64
}

#[inline]
fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes were taken"))
}

/// Up to seven bytes as a number; missing ones are zero. Loads that overlap, because a copy of a length that is not known
/// costs more than the hash.
#[inline]
fn u64_of(bytes: &[u8]) -> u64 {
    let len = bytes.len();
    if len >= 4 {
        let u32_at =
            |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes were taken"));
        u64::from(u32_at(0)) | u64::from(u32_at(len - 4)) << (8 * (len - 4))
    } else if len > 0 {
        let byte = |at: usize| u64::from(bytes[at]) << (8 * at);
        byte(0) | byte(len / 2) | byte(len - 1)
    } else {
        0
    }
}

/// Karp-Rabin over eight bytes at a time, an alphabet of 2^64 letters: `h = h * BASE + letter` modulo 2^64 from 0, the last
/// letter the 0 to 7 bytes that are left; mixed with the length.
#[inline]
fn karp_rabin(bytes: &[u8]) -> u64 {
    let whole = bytes.len() & !7;
    let mut hash = 0_u64;
    for at in (0..whole).step_by(8) {
        hash = hash.wrapping_mul(BASE).wrapping_add(u64_at(bytes, at));
    }
    fold(hash.wrapping_mul(BASE).wrapping_add(u64_of(&bytes[whole..])), bytes.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_that_overlap_read_every_byte_once() {
        let bytes = [1, 2, 3, 4, 5, 6, 7];
        for len in 0..=7 {
            let mut padded = [0; 8];
            padded[..len].copy_from_slice(&bytes[..len]);
            assert_eq!(u64_of(&bytes[..len]), u64::from_le_bytes(padded), "{len}");
        }
    }
}
