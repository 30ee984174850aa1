//! The generator behind all assignments.

use xxhash_rust::xxh3::xxh3_64;

/// `SplitMix64` (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): one addition and one
/// mix a number, and any seed is a good seed.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The generator that belongs to a host.
    pub(super) fn of_host(host: &str) -> Self {
        Self(hash(host))
    }

    pub(super) fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `bound`. The bias of the product, `bound / 2^64`, cannot be seen in any number of hosts.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.draw()) * u128::from(bound)) >> 64) as u32
    }
}

pub(super) fn hash(host: &str) -> u64 {
    xxh3_64(host.as_bytes())
}

/// The finaliser of `SplitMix64`: a bijection in which every bit depends on every bit.
pub(super) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_those_of_the_published_generator() {
        let mut random = Random::new(1_234_567);
        let drawn: Vec<u64> = (0..3).map(|_| random.draw()).collect();
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
