//! Hashes of words and features. They are part of the models: a change asks for new ones.

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd6e8_feb8_6659_fd93;

/// The hash of the letters of a word.
#[inline]
pub fn of_bytes(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    let (whole, rest) = bytes.as_chunks::<8>();
    for chunk in whole {
        hash = step(hash ^ u64::from_le_bytes(*chunk));
    }
    let mut last = 0;
    for &byte in rest {
        last = last << 8 | u64::from(byte);
    }
    step(hash ^ last)
}

/// The hash of a feature: of its kind and what it sees.
#[inline]
pub fn of_feature(kind: u64, seen: u64) -> u64 {
    step(seen.wrapping_add(kind.wrapping_mul(SECOND)))
}

/// Two values as one.
#[inline]
pub fn pair(first: u64, second: u64) -> u64 {
    first.rotate_left(23).wrapping_mul(SECOND) ^ second
}

#[inline]
fn step(value: u64) -> u64 {
    let product = (value ^ value >> 32).wrapping_mul(FACTOR);
    product ^ product >> 29
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_kinds_have_hashes_of_their_own() {
        let words = ["", "a", "b", "ab", "ba", "abcdefgh", "abcdefghi", "ihgfedcba", "\0", "\0\0"];
        let mut hashes: Vec<u64> = words.iter().map(|word| of_bytes(word.as_bytes())).collect();
        hashes.extend((0..9).map(|kind| of_feature(kind, of_bytes(b"a"))));
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), words.len() + 9);
    }
}
