//! The search for fingerprints that differ from a given one in at most [`MOST`] bits.
//!
//! Manku, Jain and Das Sarma (2007): cut 64 bits into blocks. Two fingerprints that differ in three bits at most are
//! equal in all blocks but three, so it is enough to look at those that share the others, and nothing is missed.
//!
//! [`Ring`] is for a stream, of which it keeps the newest; [`Index`] for a set that does not change.

mod index;
mod ring;

pub use index::Index;
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
