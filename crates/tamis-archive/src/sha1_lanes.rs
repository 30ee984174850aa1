//! SHA-1 (FIPS 180-4) of two texts at once, with the SHA instructions of x86-64.
//!
//! Each round of SHA-1 waits for the one before, so a single digest leaves most of the processor idle: a second one in the same
//! loop takes a fifth more time.

use std::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_extract_epi32, _mm_set_epi32, _mm_set_epi64x, _mm_sha1msg1_epu32,
    _mm_sha1msg2_epu32, _mm_sha1nexte_epu32, _mm_sha1rnds4_epu32, _mm_xor_si128,
};

const BLOCK: usize = 64;
const START: [u32; 5] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0];

/// The SHA-1 digests of two texts. `None` if this processor has no SHA-1 instructions.
pub(crate) fn digests_of(texts: [&[u8]; 2]) -> Option<[[u8; 20]; 2]> {
    let has_sha = is_x86_feature_detected!("sha");
    let has = has_sha && is_x86_feature_detected!("ssse3") && is_x86_feature_detected!("sse4.1");
    // SAFETY: the processor has the instructions.
    has.then(|| unsafe { digests(texts) })
}

#[target_feature(enable = "sha,ssse3,sse4.1")]
fn digests(texts: [&[u8]; 2]) -> [[u8; 20]; 2] {
    let whole = texts.map(|text| text.as_chunks::<BLOCK>().0);
    let tails = texts.map(tail);
    let tails = [0, 1].map(|lane| &tails[lane].0[..tails[lane].1]);
    let mut states = [START; 2];
    let both = whole[0].len().min(whole[1].len());
    compress(&mut states, [&whole[0][..both], &whole[1][..both]]);
    for lane in 0..2 {
        let mut state = [states[lane]];
        compress(&mut state, [&whole[lane][both..]]);
        states[lane] = state[0];
        if tails[0].len() != tails[1].len() {
            compress(&mut state, [tails[lane]]);
            states[lane] = state[0];
        }
    }
    if tails[0].len() == tails[1].len() {
        compress(&mut states, tails);
    }
    states.map(|state| {
        let mut digest = [0; 20];
        for (out, word) in digest.as_chunks_mut::<4>().0.iter_mut().zip(state) {
            *out = word.to_be_bytes();
        }
        digest
    })
}

/// The last one or two blocks: the rest of the text, a bit, and the length. Also their number.
fn tail(text: &[u8]) -> ([[u8; BLOCK]; 2], usize) {
    let rest = text.as_chunks::<BLOCK>().1;
    let mut blocks = [[0; BLOCK]; 2];
    let count = if rest.len() < BLOCK - 8 { 1 } else { 2 };
    let bytes = blocks.as_flattened_mut();
    bytes[..rest.len()].copy_from_slice(rest);
    bytes[rest.len()] = 0x80;
    bytes[count * BLOCK - 8..count * BLOCK].copy_from_slice(&(text.len() as u64 * 8).to_be_bytes());
    (blocks, count)
}

/// Adds blocks to each of the states. All have the same number of blocks.
#[target_feature(enable = "sha,ssse3,sse4.1")]
fn compress<const N: usize>(states: &mut [[u32; 5]; N], blocks: [&[[u8; BLOCK]]; N]) {
    let mut abcd = states.map(|[a, b, c, d, _]| _mm_set_epi32(a as i32, b as i32, c as i32, d as i32));
    let mut e = states.map(|state| _mm_set_epi32(state[4] as i32, 0, 0, 0));
    for at in 0..blocks[0].len() {
        let mut words = blocks.map(|blocks| words(&blocks[at]));
        let (before, e_before) = (abcd, e);
        let mut last = abcd;
        macro_rules! rounds {
            ($($group:literal)*) => { $(
                for lane in 0..N {
                    let w = &mut words[lane];
                    if $group >= 4 {
                        let mixed = _mm_xor_si128(_mm_sha1msg1_epu32(w[$group % 4], w[($group + 1) % 4]), w[($group + 2) % 4]);
                        w[$group % 4] = _mm_sha1msg2_epu32(mixed, w[($group + 3) % 4]);
                    }
                    let w = w[$group % 4];
                    let e = if $group == 0 { _mm_add_epi32(e[lane], w) } else { _mm_sha1nexte_epu32(last[lane], w) };
                    last[lane] = abcd[lane];
                    abcd[lane] = _mm_sha1rnds4_epu32::<{ $group / 5 }>(abcd[lane], e);
                }
            )* };
        }
        rounds!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        for lane in 0..N {
            abcd[lane] = _mm_add_epi32(abcd[lane], before[lane]);
            e[lane] = _mm_sha1nexte_epu32(last[lane], e_before[lane]);
        }
    }
    for lane in 0..N {
        let abcd = abcd[lane];
        states[lane] = [
            _mm_extract_epi32::<3>(abcd) as u32,
            _mm_extract_epi32::<2>(abcd) as u32,
            _mm_extract_epi32::<1>(abcd) as u32,
            _mm_extract_epi32::<0>(abcd) as u32,
            _mm_extract_epi32::<3>(e[lane]) as u32,
        ];
    }
}

/// The words of a block, the first in the highest position.
#[target_feature(enable = "sha,ssse3,sse4.1")]
fn words(block: &[u8; BLOCK]) -> [__m128i; 4] {
    let halves = block.as_chunks::<8>().0;
    let half = |at: usize| u64::from_be_bytes(halves[at]) as i64;
    [0, 2, 4, 6].map(|at| _mm_set_epi64x(half(at), half(at + 1)))
}
