//! `SimHash`: 64 bits of a text, of which few differ where little of the text does.
//!
//! Charikar, *Similarity estimation techniques from rounding algorithms* (2002); Manku, Jain and Das Sarma, *Detecting
//! near-duplicates for web crawling* (2007). Every shingle of the text, a run of [`SHINGLE`] bytes, is hashed to 64 bits;
//! a bit of the fingerprint is the majority of that bit over all shingles. A shingle that stands there twice has two votes.
//!
//! # The definition
//!
//! Fingerprints are kept on disk, so this never changes. All numbers are little-endian, `n` is the length of a shingle.
//!
//! 1. The text is its bytes, all pieces put together. Its shingles are its runs of `n` bytes, one at each place; a text of
//!    1 to `n - 1` bytes has one shingle: itself, with zeros behind it up to `n`. The fingerprint of no text is 0.
//! 2. Let `a` be the first 8 bytes of the shingle and `b` its last 8 (they overlap). The hash of the shingle is the upper
//!    half of the 128-bit product of `a ^ 0x9E3779B97F4A7C15` and `b ^ 0xBF58476D1CE4E5B9`, xor its lower half.
//! 3. Bit `i` of the fingerprint is 1 if bit `i` is 1 in more than half of the hashes.
//!
//! Shingles are runs of bytes of UTF-8, not of characters: 10 bytes are 10 letters of English, 5 of Russian and 3 of
//! Chinese, where a character says so much more. Steps 1 to 3 with `n` = [`SHINGLE`] are the fingerprint of a text.

mod votes;

use votes::Votes;

/// The length of a shingle in bytes, chosen by measurement (`docs/decisions/0006-near-duplicates.md`).
pub const SHINGLE: usize = 10;

/// Bytes that are gathered before they are counted.
const GATHERED: usize = 2048;

/// Makes the fingerprint of a text that comes in pieces. Memory: 2.7 KB.
///
/// `N` is the length of a shingle, 8 to 16. Anything but [`SHINGLE`] is for measurements.
///
/// ```
/// use tamis_near::simhash::{SimHasher, simhash};
///
/// let mut hasher = SimHasher::new();
/// hasher.write(b"it was the best of times, ");
/// hasher.write(b"it was the worst of times");
/// assert_eq!(hasher.finish(), simhash(b"it was the best of times, it was the worst of times"));
/// ```
#[derive(Clone, Debug)]
pub struct SimHasher<const N: usize = SHINGLE> {
    votes: Votes,
    gathered: [u8; GATHERED],
    len: usize,
}

/// The fingerprint of a text.
pub fn simhash(text: &[u8]) -> u64 {
    let mut hasher = SimHasher::new();
    hasher.write(text);
    hasher.finish()
}

/// In how many bits two fingerprints differ.
pub fn distance(one: u64, other: u64) -> u32 {
    (one ^ other).count_ones()
}

impl SimHasher {
    /// A hasher of an empty text, with shingles of [`SHINGLE`] bytes.
    pub fn new() -> Self {
        Self::with_shingles()
    }
}

impl<const N: usize> SimHasher<N> {
    const IN_RANGE: () = assert!(N >= 8 && N <= 16, "a shingle has 8 to 16 bytes");

    /// A hasher of an empty text, with shingles of `N` bytes.
    pub fn with_shingles() -> Self {
        let () = Self::IN_RANGE;
        Self { votes: Votes::default(), gathered: [0; GATHERED], len: 0 }
    }

    /// Adds a piece of text.
    pub fn write(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while !rest.is_empty() {
            let (taken, behind) = rest.split_at(rest.len().min(GATHERED - self.len));
            self.gathered[self.len..self.len + taken.len()].copy_from_slice(taken);
            self.len += taken.len();
            rest = behind;
            if self.len == GATHERED {
                self.count_whole_blocks();
            }
        }
    }

    /// The fingerprint of what was written.
    pub fn finish(mut self) -> u64 {
        self.count_whole_blocks();
        if self.votes.is_empty() && (1..N).contains(&self.len) {
            self.gathered[self.len..N].fill(0);
            self.len = N;
        }
        let mut last = [0; Votes::BLOCK];
        let shingles = (self.len + 1).saturating_sub(N);
        for (hash, at) in last.iter_mut().zip(0..shingles) {
            *hash = shingle_hash::<N>(&self.gathered[at..at + N]);
        }
        self.votes.add(&last, shingles);
        self.votes.majority()
    }

    /// Counts shingles by whole blocks; the rest stays, with the bytes that belong to shingles to come.
    fn count_whole_blocks(&mut self) {
        let shingles = (self.len + 1).saturating_sub(N);
        let whole = shingles - shingles % Votes::BLOCK;
        for start in (0..whole).step_by(Votes::BLOCK) {
            let text = &self.gathered[start..][..Votes::BLOCK + N - 1];
            let hashes = std::array::from_fn(|at| shingle_hash::<N>(&text[at..at + N]));
            self.votes.add(&hashes, Votes::BLOCK);
        }
        self.gathered.copy_within(whole..self.len, 0);
        self.len -= whole;
    }
}

impl Default for SimHasher {
    fn default() -> Self {
        Self::new()
    }
}

/// A multiplication to 128 bits mixes every byte of both ends into every bit; the two halves together leave no weak ones.
#[inline]
fn shingle_hash<const N: usize>(shingle: &[u8]) -> u64 {
    let a = u64_at(shingle, 0) ^ 0x9E37_79B9_7F4A_7C15;
    let b = u64_at(shingle, N - 8) ^ 0xBF58_476D_1CE4_E5B9;
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

#[inline]
fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes were taken"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, word by word.
    fn defined<const N: usize>(text: &[u8]) -> u64 {
        let mut padded = text.to_vec();
        if !text.is_empty() {
            padded.resize(text.len().max(N), 0);
        }
        let hashes: Vec<u64> = padded.windows(N).map(shingle_hash::<N>).collect();
        let votes = |bit: usize| hashes.iter().filter(|&hash| hash >> bit & 1 == 1).count();
        (0..64).filter(|&bit| votes(bit) * 2 > hashes.len()).map(|bit| 1 << bit).sum()
    }

    fn in_pieces<const N: usize>(text: &[u8], piece: usize) -> u64 {
        let mut hasher = SimHasher::<N>::with_shingles();
        for piece in text.chunks(piece) {
            hasher.write(piece);
        }
        hasher.finish()
    }

    fn numbers(count: u32) -> Vec<u8> {
        (0..count).flat_map(|i| format!("{} ", i.wrapping_mul(2_654_435_761)).into_bytes()).collect()
    }

    /// Computed from the definition by another program.
    #[test]
    fn fingerprints_stay_what_they_are() {
        for (text, fingerprint) in [
            (&b""[..], 0),
            (b"a", 0xAE77_604A_2A8E_90A4),
            (b"hello, world", 0x2C1E_4DDD_5A96_3BD6),
            (b"the quick brown fox jumps over the lazy dog", 0x9219_DF1A_16ED_82EE),
            ("Съешь же ещё этих мягких французских булок".as_bytes(), 0xA3D0_A1C4_E2D7_1AFE),
            (&numbers(1000), 0xECD4_3E3A_8EBB_F211),
        ] {
            assert_eq!(simhash(text), fingerprint, "{:#x}", simhash(text));
        }
    }

    #[test]
    fn a_small_change_changes_few_bits() {
        let text = numbers(2000);
        let mut changed = text.clone();
        changed[5000..5010].fill(b'x');
        assert!(distance(simhash(&text), simhash(&changed)) <= 3);
        assert!(distance(simhash(&text), simhash(&numbers(2000)[7000..])) > 3);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn fast_is_as_defined(text in prop::collection::vec(any::<u8>(), 0..6000), piece in 1..3000_usize) {
            prop_assert_eq!(in_pieces::<SHINGLE>(&text, piece), defined::<SHINGLE>(&text));
        }

        #[test]
        fn any_length_of_shingle_is_as_defined(text in prop::collection::vec(any::<u8>(), 0..200), piece in 1..50_usize) {
            prop_assert_eq!(in_pieces::<8>(&text, piece), defined::<8>(&text));
            prop_assert_eq!(in_pieces::<16>(&text, piece), defined::<16>(&text));
        }
    }
}
