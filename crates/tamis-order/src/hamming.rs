//! The search for fingerprints that differ from a given one in at most [`MOST`] bits.
//!
//! Manku, Jain and Das Sarma (2007): cut 64 bits into five blocks. Two fingerprints that differ in three bits at most are
//! equal in two blocks at least, so it is enough to look at those that share one of the ten pairs of blocks. Nothing is
//! missed, and since a pair has some 26 bits, few are looked at in vain.

mod ring;

pub use ring::Ring;

/// The largest distance that can be searched for.
pub const MOST: u32 = 3;

/// A fingerprint that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Match {
    /// In how many bits it differs from the one that was asked for.
    pub distance: u32,
    /// Which one it is: how many were inserted before it.
    pub id: u64,
}
