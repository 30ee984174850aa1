//! The sketch that the reference wished for.

use super::fold;
use super::least::{FUNCTIONS, Least};
use super::tokens::{SPAN, each_shingle};
use super::words::{ROWS, bands, read, write};

/// How many groups of characters are taken from a shingle.
const GROUPS: usize = 3;
const VALUES: usize = GROUPS * FUNCTIONS;
/// Three times seven of the 25 places of a shingle, drawn once.
const PLACES: [[usize; 7]; GROUPS] =
    [[0, 4, 9, 11, 17, 20, 23], [2, 5, 8, 12, 14, 19, 22], [1, 6, 10, 13, 16, 18, 24]];

/// Three times 21 least hashes: of each shingle of [`super::Words`] three groups of seven characters.
///
/// Where a copied tag or word was changed, the shingle has lost the groups that hold the change and keeps the others. The
/// places of a shingle that is longer than 25 characters are spread over all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chars([u32; VALUES]);

impl Chars {
    /// Its length as bytes.
    pub const BYTES: usize = VALUES * 4;

    /// The sketch of an HTML page as it was sent; none of a page without a token.
    pub fn of_page(page: &[u8]) -> Option<Self> {
        let mut least = [Least::new(); GROUPS];
        let mut any = false;
        each_shingle(page, |shingle| {
            any = true;
            let characters = places(shingle.text);
            for (number, (least, places)) in least.iter_mut().zip(&PLACES).enumerate() {
                least.add((fold(group(&characters, places), number as u64) >> 32) as u32);
            }
        });
        let mut values = [0; VALUES];
        for (to, from) in values.chunks_exact_mut(FUNCTIONS).zip(least) {
            to.copy_from_slice(&from.values());
        }
        any.then_some(Self(values))
    }

    /// The estimated share of groups of characters that are common, 0 to 1.
    pub fn similarity(&self, other: &Self) -> f64 {
        let agreeing = self.0.iter().zip(other.0).filter(|(one, other)| **one == *other).count();
        agreeing as f64 / VALUES as f64
    }

    /// The keys under which a page stands in the 21 tables, seven for each group.
    pub fn bands(&self) -> [u64; VALUES / ROWS] {
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
        let mut values = [0; VALUES];
        read(bytes, &mut values);
        Self(values)
    }
}

/// The characters of a shingle from which groups are taken: from the first on, at even distances if it is long; zeros behind
/// a short one.
#[inline]
fn places(shingle: &[u8]) -> [u8; SPAN] {
    match shingle.first_chunk::<SPAN>() {
        Some(first) if shingle.len() < 2 * SPAN => *first,
        Some(_) => std::array::from_fn(|place| shingle[place * (shingle.len() / SPAN)]),
        None => std::array::from_fn(|place| shingle.get(place).copied().unwrap_or(0)),
    }
}

/// Seven characters as one number: a Karp-Rabin hash with the base 256, which loses nothing of seven bytes.
#[inline]
fn group(characters: &[u8; SPAN], places: &[usize; 7]) -> u64 {
    places.iter().fold(0, |hash, &place| hash << 8 | u64::from(characters[place]))
}

#[cfg(test)]
mod tests {
    use super::super::words::tests::page;
    use super::*;
    use crate::sketch::Words;

    /// Computed from the definition by another program.
    #[test]
    fn sketches_stay_what_they_are() {
        for (page, hash) in [
            (&b"a"[..], 0x393F_7146_51B7_DEEE),
            (&page(3, None), 0xEF4E_B184_1A37_B9B2),
            (&page(3000, None), 0x4CED_D17A_5CA4_DC30),
        ] {
            let sketch = Chars::of_page(page).expect("it has tokens");
            let found = xxhash_rust::xxh3::xxh3_64(&sketch.to_bytes());
            assert_eq!(found, hash, "{found:#x}");
            assert_eq!(Chars::from_bytes(&sketch.to_bytes()), sketch);
        }
    }

    #[test]
    fn places_are_taken_once() {
        let mut places: Vec<usize> = PLACES.iter().flatten().copied().collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!((places.len(), places.last()), (21, Some(&24)));
    }

    /// A letter changed in every sentence: tokens are lost, characters are not.
    #[test]
    fn changed_tokens_leave_more_than_they_leave_of_words() {
        let old = page(400, None);
        let new = String::from_utf8(old.clone()).expect("text").replace("Sentence", "Sentense").into_bytes();
        let words = |page: &[u8]| Words::of_page(page).expect("it has tokens");
        let chars = |page: &[u8]| Chars::of_page(page).expect("it has tokens");
        let (by_words, by_chars) =
            (words(&old).similarity(&words(&new)), chars(&old).similarity(&chars(&new)));
        assert!(by_chars > by_words + 0.1, "{by_chars} {by_words}");
    }
}
