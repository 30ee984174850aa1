//! The sieve `memory`: a set of signatures, for crawls of some ten million URLs.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::Path;

use super::error::Result;
use super::immediate::{Filter, Immediate};
use super::{SieveKind, SieveOptions};

/// Signatures are hashes already.
#[derive(Default)]
pub(super) struct AsItIs(u64);

/// A set of signatures.
pub(super) type SignatureSet = HashSet<u64, BuildHasherDefault<AsItIs>>;

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

impl Filter for SignatureSet {
    fn insert(&mut self, signature: u64) -> bool {
        HashSet::insert(self, signature)
    }

    fn len_bytes(&self) -> usize {
        // A byte of control for each place, of which an eighth stays empty.
        self.capacity() / 7 * 8 * (size_of::<u64>() + 1)
    }

    fn false_positive_rate(&self) -> f64 {
        0.0
    }
}

pub(super) fn open(folder: &Path, options: SieveOptions) -> Result<Immediate<SignatureSet>> {
    Immediate::open(folder, SieveKind::Memory, options, SignatureSet::default())
}
