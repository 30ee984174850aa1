//! When two pages are nearly the same, and the keys under which such pages are found.

use std::fmt;

use super::document::{Document, Text};
use crate::hamming::MOST;
use crate::simhash::distance;
use crate::sketch::SLOTS;

/// At the threshold itself at least so many pairs have a key in common.
const RECALL: f64 = 0.99;
/// The estimate of a pair that is asked for its exact similarity is at most so far below the threshold: two standard errors.
const DOUBT: f64 = 0.1;

/// When pages are nearly the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Near {
    /// Never: only pages with the same digest are in a cluster.
    Never,
    /// If their `SimHash` differ in at most so many bits, 0 to 3. The similarity is the share of equal bits.
    SimHash {
        /// More than 3 is taken for 3.
        most_bits: u32,
    },
    /// If they share so much of their runs of five words, 0 to 1. The similarity is that share, estimated.
    MinHash {
        /// The Jaccard similarity from which on they are near.
        jaccard: f64,
    },
}

impl Near {
    /// Calls `found` with each key of a page. Pages that are the same or near have a key in common, but for one in a hundred
    /// of those that are at the threshold of a `MinHash`.
    pub(super) fn keys(self, page: &Document, mut found: impl FnMut(u64)) {
        found(mixed(page.digest as u64, (page.digest >> 64) as u64));
        let Some(text) = page.text else { return };
        match self {
            Self::Never => {}
            Self::SimHash { .. } => simhash_keys(text.simhash, found),
            Self::MinHash { .. } if text.minhash.is_empty() => {}
            Self::MinHash { jaccard } => {
                let rows = rows(jaccard);
                for (band, slots) in (0_u64..).zip(text.minhash.slots().chunks_exact(rows)) {
                    found(slots.iter().fold(band, |hash, &slot| mixed(hash, u64::from(slot))));
                }
            }
        }
    }

    /// The similarity of two texts, if it may be enough; with `is_exact` it is enough.
    pub(super) fn similarity(self, one: &Text, other: &Text, is_exact: bool) -> Option<f64> {
        match self {
            Self::Never => None,
            Self::SimHash { most_bits } => {
                let bits = distance(one.simhash, other.simhash);
                (bits <= most_bits.min(MOST)).then(|| 1.0 - f64::from(bits) / 64.0)
            }
            Self::MinHash { jaccard } => {
                let similarity = one.minhash.similarity(&other.minhash);
                let enough = if is_exact { jaccard } else { jaccard - DOUBT };
                (similarity >= enough).then_some(similarity)
            }
        }
    }

    /// Whether an exact similarity is enough.
    pub(super) fn is_enough(self, similarity: f64) -> bool {
        matches!(self, Self::MinHash { jaccard } if similarity >= jaccard)
    }
}

/// As it stands in the manifest of an index.
impl fmt::Display for Near {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never => write!(out, "exact"),
            Self::SimHash { .. } => write!(out, "simhash"),
            Self::MinHash { jaccard } => write!(out, "minhash of {} rows", rows(*jaccard)),
        }
    }
}

/// How many slots make a key: as many as leave [`RECALL`] at the threshold, since more of them are fewer false candidates.
fn rows(jaccard: f64) -> usize {
    let recall = |rows: usize| 1.0 - (1.0 - jaccard.powi(rows as i32)).powi((SLOTS / rows) as i32);
    (1..=16).rev().find(|&rows| recall(rows) >= RECALL).unwrap_or(1)
}

/// Five blocks of 12 or 13 bits: three bits that differ leave two blocks equal, so a key is two of them, one of ten ways.
fn simhash_keys(simhash: u64, mut found: impl FnMut(u64)) {
    let block = |at: u64| simhash >> (at * 13) & 0x1FFF;
    for one in 0..5 {
        for other in one + 1..5 {
            found(mixed(block(one) << 13 | block(other), one << 8 | other));
        }
    }
}

/// Keys are evenly spread over 64 bits, on which the search in a run relies.
#[inline]
fn mixed(one: u64, other: u64) -> u64 {
    let product = u128::from(one ^ 0x9E37_79B9_7F4A_7C15) * u128::from(other ^ 0xBF58_476D_1CE4_E5B9);
    let hash = (product >> 64) as u64 ^ product as u64;
    (hash ^ hash >> 29).wrapping_mul(0x94D0_49BB_1331_11EB)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn rows_follow_the_threshold() {
        for (jaccard, expected) in [(0.0, 1), (0.5, 3), (0.8, 6), (0.9, 10), (1.0, 16)] {
            assert_eq!(rows(jaccard), expected, "{jaccard}");
        }
    }

    #[test]
    fn three_bits_leave_a_key_in_common() {
        let keys = |simhash| {
            let mut keys = HashSet::new();
            simhash_keys(simhash, |key| _ = keys.insert(key));
            keys
        };
        let simhash = 0x0123_4567_89AB_CDEF;
        for bits in [[0, 13, 26], [0, 1, 63], [12, 25, 39], [20, 40, 60]] {
            let other = bits.iter().fold(simhash, |hash: u64, bit| hash ^ 1 << bit);
            assert!(!keys(simhash).is_disjoint(&keys(other)), "{bits:?}");
        }
    }
}
