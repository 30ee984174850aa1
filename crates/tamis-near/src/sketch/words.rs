//! The sketch of the reference.

use super::fold;
use super::least::{self, Least};
use super::tokens::each_shingle;

/// How many functions, and with it least values, [`Words`] has; [`super::Chars`] has as many for each of three groups.
pub const FUNCTIONS: usize = least::FUNCTIONS;
/// How many values of a sketch are looked up together.
pub(super) const ROWS: usize = 3;

/// 21 least hashes over runs of tags, words and scripts that span 25 characters, by Karp-Rabin.
///
/// A page of a shop in which one word was changed has lost the few shingles with that word, and no other. Pages that agree
/// in one of [`Words::bands`] are called similar: at a similarity of 52 % that is as likely as not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Words([u32; FUNCTIONS]);

impl Words {
    /// Its length as bytes.
    pub const BYTES: usize = FUNCTIONS * 4;

    /// The sketch of an HTML page as it was sent; none of a page without a token.
    pub fn of_page(page: &[u8]) -> Option<Self> {
        let mut least = Least::new();
        let mut any = false;
        each_shingle(page, |shingle| {
            any = true;
            least.add((shingle.hash >> 32) as u32);
        });
        any.then(|| Self(least.values()))
    }

    /// The estimated similarity, 0 to 1.
    pub fn similarity(&self, other: &Self) -> f64 {
        let agreeing = self.0.iter().zip(other.0).filter(|(one, other)| **one == *other).count();
        agreeing as f64 / FUNCTIONS as f64
    }

    /// The keys under which a page stands in the seven tables.
    pub fn bands(&self) -> [u64; FUNCTIONS / ROWS] {
        bands(&self.0)
    }

    /// As it is kept: value after value, little-endian.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        write(&self.0, &mut bytes);
        bytes
    }

    /// Any bytes are a sketch.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let mut values = [0; FUNCTIONS];
        read(bytes, &mut values);
        Self(values)
    }
}

/// Three values together are a key.
pub(super) fn bands<const TABLES: usize>(values: &[u32]) -> [u64; TABLES] {
    let mut keys = [0; TABLES];
    for (key, rows) in keys.iter_mut().zip(values.chunks(ROWS)) {
        *key = rows.iter().fold(0, |hash, &value| fold(hash, u64::from(value)));
    }
    keys
}

pub(super) fn write(values: &[u32], bytes: &mut [u8]) {
    for (to, value) in bytes.chunks_exact_mut(4).zip(values) {
        to.copy_from_slice(&value.to_le_bytes());
    }
}

pub(super) fn read(bytes: &[u8], values: &mut [u32]) {
    for (value, from) in values.iter_mut().zip(bytes.as_chunks().0) {
        *value = u32::from_le_bytes(*from);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A page of so many sentences, one of them another if wanted.
    pub(crate) fn page(sentences: u32, other: Option<u32>) -> Vec<u8> {
        let sentence = |at: u32| {
            let word = if other == Some(at) { 7919 } else { at };
            format!("<p class='c{at}'>Sentence {word} of a page about {} things</p>\n", at * at % 101)
        };
        (0..sentences).map(sentence).collect::<String>().into_bytes()
    }

    /// Computed from the definition by another program.
    #[test]
    fn sketches_stay_what_they_are() {
        for (page, hash) in [
            (&b"a"[..], 0xE55A_FCFB_1202_040C),
            (&page(3, None), 0xBBA5_CB03_9A80_060E),
            (&page(3000, None), 0x4A75_9CCF_97FF_D22C),
        ] {
            let sketch = Words::of_page(page).expect("it has tokens");
            let found = xxhash_rust::xxh3::xxh3_64(&sketch.to_bytes());
            assert_eq!(found, hash, "{found:#x}");
            assert_eq!(Words::from_bytes(&sketch.to_bytes()), sketch);
        }
    }

    #[test]
    fn a_changed_word_leaves_most_of_the_sketch() {
        let sketch = |other| Words::of_page(&page(100, other)).expect("it has tokens");
        let similarity = sketch(None).similarity(&sketch(Some(50)));
        assert!(similarity > 0.8, "{similarity}");
        let common =
            sketch(None).bands().into_iter().zip(sketch(Some(50)).bands()).filter(|(a, b)| a == b).count();
        assert!(common > 3, "{common}");
    }

    #[test]
    fn a_page_without_tokens_has_no_sketch() {
        assert_eq!(Words::of_page(b" \r\n"), None);
    }
}
