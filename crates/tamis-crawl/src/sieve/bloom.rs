//! The sieve `bloom`: a Bloom filter in blocks of one cache line (Putze, Sanders and Singler, "Cache-, hash- and
//! space-efficient Bloom filters", 2010), so that a URL costs one miss and not one for each of its bits.

use std::path::Path;

use super::error::Result;
use super::immediate::{Filter, Immediate};
use super::{SieveKind, SieveOptions};

const BLOCK_BITS: u32 = 512;
/// More bits a URL cost time, and gain nothing within one block.
const MOST_BITS: u32 = 16;
/// The rate is estimated from so many blocks.
const SAMPLED_BLOCKS: usize = 4096;

/// A cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Block([u64; 8]);

/// The filter. Memory: fixed when it is made.
#[derive(Debug)]
pub(super) struct Bloom {
    blocks: Vec<Block>,
    bits_per_url: u32,
}

impl Bloom {
    /// For n URLs in m bits, d = m ln 2 / n bits a URL give the fewest false positives.
    pub(super) fn new(memory_bytes: usize, expected_urls: u64) -> Self {
        let blocks = (memory_bytes / size_of::<Block>()).max(1);
        let bits = blocks as f64 * f64::from(BLOCK_BITS);
        let best = (bits * std::f64::consts::LN_2 / expected_urls.max(1) as f64).round();
        Self { blocks: vec![Block([0; 8]); blocks], bits_per_url: best.clamp(1.0, MOST_BITS.into()) as u32 }
    }

    fn block(&self, signature: u64) -> usize {
        ((u128::from(signature) * self.blocks.len() as u128) >> 64) as usize
    }

    #[cfg(test)]
    fn contains(&self, signature: u64) -> bool {
        let Block(words) = self.blocks[self.block(signature)];
        places(signature, self.bits_per_url).all(|(word, bit)| words[word] & bit != 0)
    }
}

/// The bits of a signature in its block: a i + b, with a and b from the one hash, but that a changes at every step
/// (after Dillinger and Manolios, "Bloom filters in probabilistic verification", 2004). Plain progressions lie on top of
/// each other too often in so small a block: with 15 bits a URL they erred 4e-5 of the time at a quarter of the load,
/// where chance would be 2e-9. Numbers have 32 bits, of which the first nine say the place.
#[inline]
fn places(signature: u64, count: u32) -> impl Iterator<Item = (usize, u64)> {
    let mixed = (signature ^ signature >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = mixed ^ mixed >> 32;
    let (mut a, mut b) = (mixed as u32 | 1, (mixed.wrapping_mul(0x94d0_49bb_1331_11eb) >> 32) as u32);
    (0..count).map(move |_| {
        let place = b >> (32 - BLOCK_BITS.ilog2());
        b = b.wrapping_add(a);
        a = a.wrapping_mul(0x9e37_79b1);
        (place as usize / 64, 1 << (place % 64))
    })
}

impl Filter for Bloom {
    #[inline]
    fn insert(&mut self, signature: u64) -> bool {
        let block = self.block(signature);
        let Block(words) = &mut self.blocks[block];
        let mut missing = 0;
        for (word, bit) in places(signature, self.bits_per_url) {
            missing |= !words[word] & bit;
            words[word] |= bit;
        }
        missing != 0
    }

    fn len_bytes(&self) -> usize {
        size_of_val(&*self.blocks)
    }

    /// The mean over blocks that lie evenly in the filter; those that are fuller than others weigh more.
    fn false_positive_rate(&self) -> f64 {
        let step = self.blocks.len().div_ceil(SAMPLED_BLOCKS);
        let sampled = self.blocks.iter().step_by(step);
        let count = sampled.len() as f64;
        let rate = |Block(words): &Block| {
            let ones: u32 = words.iter().map(|word| word.count_ones()).sum();
            (f64::from(ones) / f64::from(BLOCK_BITS)).powi(self.bits_per_url as i32)
        };
        sampled.map(rate).sum::<f64>() / count
    }
}

pub(super) fn open(folder: &Path, options: SieveOptions) -> Result<Immediate<Bloom>> {
    let memory_bytes = options.memory_bytes.saturating_sub(options.block_bytes());
    Immediate::open(folder, SieveKind::Bloom, options, Bloom::new(memory_bytes, options.expected_urls))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(n: u64) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes())
    }

    #[test]
    fn the_rate_is_as_stated_at_every_load() {
        for (memory_bytes, expected) in [(1 << 17, 50_000), (1 << 17, 100_000), (1 << 16, 100_000)] {
            let mut bloom = Bloom::new(memory_bytes, expected);
            for part in 0..6 {
                for n in part * expected / 4..(part + 1) * expected / 4 {
                    bloom.insert(spread(n));
                }
                let (stated, probes) = (bloom.false_positive_rate(), 300_000);
                let found = (0..probes).filter(|n| bloom.contains(spread(n + (1 << 40)))).count() as f64;
                let mean = stated * probes as f64;
                let context = format!("{found} of {probes} with {part} parts, {mean} stated");
                assert!((found - mean).abs() <= 0.05 * mean + 4.0 * mean.sqrt() + 1.0, "{context}");
            }
        }
    }

    #[test]
    fn as_many_bits_as_are_best() {
        for (memory_bytes, expected, bits) in
            [(1 << 20, 1 << 23, 1), (1 << 20, 1 << 20, 6), (1 << 20, 1, 16), (0, 0, 16)]
        {
            assert_eq!(Bloom::new(memory_bytes, expected).bits_per_url, bits, "{expected} in {memory_bytes}");
        }
    }
}
