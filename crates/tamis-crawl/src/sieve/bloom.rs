//! The sieve `bloom`: Bloom filters in blocks of one cache line (Putze, Sanders and Singler, "Cache-, hash- and
//! space-efficient Bloom filters", 2010), so that a URL costs one miss and not one for each of its bits.

use std::path::Path;

use super::error::Result;
use super::immediate::{Filter, Immediate};
use super::{SieveKind, SieveOptions};

const BLOCK_BITS: u32 = 512;
/// Bits that a URL sets: more cost time, and gain little within one block.
const PROBES: u32 = 16;
/// Bits of the filter for a URL, at most: with more the rate hardly falls.
const MOST_BITS: u32 = 96;
/// Which share of new URLs may be taken for known ones, with all filters together.
pub(super) const MOST_FALSE: f64 = 1e-6;
/// The rate is estimated from so many blocks.
const SAMPLED_BLOCKS: usize = 4096;

/// A cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Block([u64; 8]);

/// Filters of which each new one is twice as large and half as often wrong (Almeida, Baquero, Preguica and Hutchison, "Scalable Bloom
/// filters", 2007), so that all of them are wrong less often than [`MOST_FALSE`], however many URLs come. Memory: some five bytes a
/// URL that is expected; beyond that seven to fourteen.
#[derive(Debug)]
pub(super) struct Bloom {
    parts: Vec<Part>,
}

/// One filter.
#[derive(Debug)]
struct Part {
    blocks: Vec<Block>,
    urls: u64,
    /// URLs that it is laid out for.
    capacity: u64,
    /// How often it is wrong then.
    rate: f64,
}

impl Bloom {
    /// Laid out for that many URLs.
    pub(super) fn new(expected_urls: u64) -> Self {
        Self { parts: vec![Part::new(expected_urls.max(1024), MOST_FALSE / 2.0)] }
    }

    #[cfg(test)]
    fn contains(&self, signature: u64) -> bool {
        self.parts.iter().any(|part| part.contains(signature))
    }
}

impl Part {
    fn new(capacity: u64, rate: f64) -> Self {
        let bits = u128::from(capacity) * u128::from(bits_for(rate));
        let blocks = usize::try_from(bits.div_ceil(u128::from(BLOCK_BITS))).unwrap_or(usize::MAX).max(1);
        Self { blocks: vec![Block([0; 8]); blocks], urls: 0, capacity, rate }
    }

    /// The one to go on with when this one is full.
    fn next(&self) -> Self {
        Self::new(self.capacity.saturating_mul(2), self.rate / 2.0)
    }

    fn block(&self, signature: u64) -> usize {
        ((u128::from(signature) * self.blocks.len() as u128) >> 64) as usize
    }

    fn contains(&self, signature: u64) -> bool {
        let Block(words) = self.blocks[self.block(signature)];
        places(signature).all(|(word, bit)| words[word] & bit != 0)
    }

    fn insert(&mut self, signature: u64) -> bool {
        let block = self.block(signature);
        let Block(words) = &mut self.blocks[block];
        let mut missing = 0;
        for (word, bit) in places(signature) {
            missing |= !words[word] & bit;
            words[word] |= bit;
        }
        self.urls += u64::from(missing != 0);
        missing != 0
    }

    /// The mean over blocks that lie evenly in the filter; those that are fuller than others weigh more.
    fn false_positive_rate(&self) -> f64 {
        let step = self.blocks.len().div_ceil(SAMPLED_BLOCKS);
        let sampled = self.blocks.iter().step_by(step);
        let count = sampled.len() as f64;
        let rate = |Block(words): &Block| {
            let ones: u32 = words.iter().map(|word| word.count_ones()).sum();
            (f64::from(ones) / f64::from(BLOCK_BITS)).powi(PROBES as i32)
        };
        sampled.map(rate).sum::<f64>() / count
    }
}

/// The bits a URL with which a full filter is wrong so seldom. The URLs of its blocks are distributed as Poisson has it, and full blocks
/// are wrong most often: so it takes more than a filter without blocks would.
fn bits_for(rate: f64) -> u32 {
    (8..MOST_BITS).find(|&bits| expected_rate(bits) <= rate).unwrap_or(MOST_BITS)
}

fn expected_rate(bits: u32) -> f64 {
    let mean = f64::from(BLOCK_BITS) / f64::from(bits);
    let empty = 1.0 - 1.0 / f64::from(BLOCK_BITS);
    let (mut share, mut rate) = ((-mean).exp(), 0.0);
    for urls in 0..=4 * (mean as i32) + 60 {
        let full = 1.0 - empty.powi(urls * PROBES as i32);
        rate += share * full.powi(PROBES as i32);
        share *= mean / f64::from(urls + 1);
    }
    rate
}

/// The bits of a signature in its block: a i + b, with a and b from the one hash, but that a changes at every step
/// (after Dillinger and Manolios, "Bloom filters in probabilistic verification", 2004). Plain progressions lie on top of
/// each other too often in so small a block: with 15 bits a URL they erred 4e-5 of the time at a quarter of the load,
/// where chance would be 2e-9. Numbers have 32 bits, of which the first nine say the place.
#[inline]
fn places(signature: u64) -> impl Iterator<Item = (usize, u64)> {
    let mixed = (signature ^ signature >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = mixed ^ mixed >> 32;
    let (mut a, mut b) = (mixed as u32 | 1, (mixed.wrapping_mul(0x94d0_49bb_1331_11eb) >> 32) as u32);
    (0..PROBES).map(move |_| {
        let place = b >> (32 - BLOCK_BITS.ilog2());
        b = b.wrapping_add(a);
        a = a.wrapping_mul(0x9e37_79b1);
        (place as usize / 64, 1 << (place % 64))
    })
}

impl Filter for Bloom {
    #[inline]
    fn insert(&mut self, signature: u64) -> bool {
        let Some((last, full)) = self.parts.split_last_mut() else { return true };
        if full.iter().any(|part| part.contains(signature)) || !last.insert(signature) {
            return false;
        }
        if last.urls >= last.capacity {
            let next = last.next();
            self.parts.push(next);
        }
        true
    }

    fn len_bytes(&self) -> usize {
        self.parts.iter().map(|part| size_of_val(&*part.blocks)).sum()
    }

    fn false_positive_rate(&self) -> f64 {
        self.parts.iter().map(Part::false_positive_rate).sum()
    }

    fn parts(&self) -> u32 {
        self.parts.len() as u32
    }
}

pub(super) fn open(folder: &Path, options: SieveOptions) -> Result<Immediate<Bloom>> {
    Immediate::open(folder, SieveKind::Bloom, options, Bloom::new(options.expected_urls))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(n: u64) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes())
    }

    #[test]
    fn the_rate_is_as_stated_at_every_load() {
        for rate in [1e-2, 1e-3, 1e-4] {
            let mut part = Part::new(100_000, rate);
            for (load, before) in [(25_000, 0), (100_000, 25_000), (150_000, 100_000)] {
                (before..load).for_each(|n| _ = part.insert(spread(n)));
                let (stated, probes) = (part.false_positive_rate(), 300_000);
                let found = (0..probes).filter(|n| part.contains(spread(n + (1 << 40)))).count() as f64;
                let mean = stated * probes as f64;
                let context = format!("{found} of {probes} with {load} URLs, {mean} stated");
                assert!((found - mean).abs() <= 0.05 * mean + 4.0 * mean.sqrt() + 1.0, "{context}");
                assert!(load > 100_000 || stated <= rate * 1.1, "{context}: {rate} was asked for");
            }
        }
    }

    #[test]
    fn a_filter_that_was_laid_out_for_too_few_grows_before_it_is_wrong() {
        let mut bloom = Bloom::new(10_000);
        let mut lost = 0;
        for n in 0..400_000 {
            lost += u32::from(!bloom.insert(spread(n)));
        }
        assert!(lost <= 2, "{lost} of 400,000 were taken for known ones");
        assert!(bloom.false_positive_rate() <= MOST_FALSE, "{}", bloom.false_positive_rate());
        assert_eq!((bloom.parts(), bloom.parts[0].urls), (6, 10_000));
        assert!((0..400_000).all(|n| bloom.contains(spread(n))));
        assert!(bloom.len_bytes() < 400_000 * 14, "{}", bloom.len_bytes());
    }

    #[test]
    fn a_filter_takes_five_bytes_a_url_that_is_expected() {
        for urls in [100_000, 1_000_000] {
            let bytes = Bloom::new(urls).len_bytes() as u64;
            assert!((4 * urls..6 * urls).contains(&bytes), "{bytes} for {urls}");
        }
    }
}
