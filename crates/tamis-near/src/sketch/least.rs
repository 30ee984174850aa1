//! The least values of hashes under each of 21 functions.

use super::fold;

/// How many functions there are.
pub(super) const FUNCTIONS: usize = 21;
/// A least value below this has the upper byte 0: only a hash with the upper byte of the function's mask can be less.
const SETTLED: u32 = 1 << 24;
const ALL: u32 = (1 << FUNCTIONS) - 1;

/// Function `f` is `hash ^ MASKS[f]`: of hashes that are evenly spread, each is the least with the same chance. Masks that
/// differ in their upper byte find their least values in different parts of the range, so that functions are independent.
const MASKS: [u32; FUNCTIONS] = masks();
/// The functions whose mask has a given upper byte, as bits.
const BY_UPPER_BYTE: [u32; 256] = by_upper_byte();

/// The least value under each function while hashes come in.
///
/// 21 functions for each hash would be most of the time of a sketch. Once the least value of a function is below 2^24, only
/// one hash in 256 can be less, and a table says for which functions; so a hash mostly costs one look into the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Least {
    values: [u32; FUNCTIONS],
    unsettled: u32,
}

impl Least {
    pub(super) fn new() -> Self {
        Self { values: [u32::MAX; FUNCTIONS], unsettled: ALL }
    }

    #[inline]
    pub(super) fn add(&mut self, hash: u32) {
        let mut functions = self.unsettled | BY_UPPER_BYTE[(hash >> 24) as usize];
        while functions != 0 {
            let function = functions.trailing_zeros() as usize;
            functions &= functions - 1;
            let value = hash ^ MASKS[function];
            if value < self.values[function] {
                self.values[function] = value;
                if value < SETTLED {
                    self.unsettled &= !(1 << function);
                }
            }
        }
    }

    pub(super) fn values(&self) -> [u32; FUNCTIONS] {
        self.values
    }
}

const fn masks() -> [u32; FUNCTIONS] {
    let mut masks = [0; FUNCTIONS];
    let mut function = 0;
    while function < FUNCTIONS {
        let upper = (function * 256 / FUNCTIONS) as u32;
        masks[function] = upper << 24 | (fold(function as u64, 21) as u32 & (SETTLED - 1));
        function += 1;
    }
    masks
}

const fn by_upper_byte() -> [u32; 256] {
    let mut table = [0; 256];
    let mut function = 0;
    while function < FUNCTIONS {
        table[(MASKS[function] >> 24) as usize] |= 1 << function;
        function += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_short_cut_finds_the_least(hashes in prop::collection::vec(any::<u32>(), 0..5000)) {
            let mut least = Least::new();
            for &hash in &hashes {
                least.add(hash);
            }
            for (value, mask) in least.values().into_iter().zip(MASKS) {
                prop_assert_eq!(value, hashes.iter().map(|hash| hash ^ mask).min().unwrap_or(u32::MAX));
            }
        }
    }
}
