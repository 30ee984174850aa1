//! The sketch of a page as it was sent.
//!
//! What a compressor finds in an earlier page are runs of equal bytes, of markup as well as of text; so the shingles are
//! runs of bytes. Twelve: runs of 8, 16 and 24 gave packs that differ by less than 0.1 %.

use super::minhash::{Filling, MinHash};
use super::u64_at;

const SHINGLE: usize = 12;
const FIRST: u64 = 0x9E37_79B9_7F4A_7C15;
const LAST: u64 = 0xBF58_476D_1CE4_E5B9;

/// The hash of a shingle is its first eight bytes times [`FIRST`] plus its last four times [`LAST`] modulo 2^64, both
/// little-endian: only upper bits of it are used, in which every byte shows.
pub(super) fn sketch(page: &[u8]) -> MinHash {
    let mut filling = Filling::new();
    if page.len() < SHINGLE && !page.is_empty() {
        let mut padded = [0; SHINGLE];
        padded[..page.len()].copy_from_slice(page);
        filling.add(hash(&padded));
    }
    for shingle in page.windows(SHINGLE) {
        filling.add(hash(shingle));
    }
    filling.finish()
}

#[inline]
fn hash(shingle: &[u8]) -> u64 {
    let last = u32::from_le_bytes(shingle[8..SHINGLE].try_into().expect("four bytes were taken"));
    u64_at(shingle, 0).wrapping_mul(FIRST).wrapping_add(u64::from(last).wrapping_mul(LAST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(sketch: &MinHash) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&sketch.to_bytes())
    }

    /// Computed from the definition by another program.
    #[test]
    fn sketches_stay_what_they_are() {
        let long: Vec<u8> =
            (0..20_000_u32).flat_map(|at| (at.wrapping_mul(2_654_435_761) >> 12).to_le_bytes()).collect();
        for (page, first, all) in [
            (&b"a"[..], 0x4147_D24E, 0x7A69_69C9_9662_5B12),
            (b"<html><body>Hello, world</body></html>", 0x1C3B_E99D, 0xC69B_CD28_9BC3_219A),
            (&long, 0x000A_AEA5, 0x808A_6025_2F8D_7EB9),
        ] {
            let sketch = sketch(page);
            assert_eq!(
                (sketch.slots()[0], digest(&sketch)),
                (first, all),
                "{:#x} {:#x}",
                sketch.slots()[0],
                digest(&sketch)
            );
        }
    }

    #[test]
    fn pages_with_the_same_frame_resemble_each_other() {
        let frame = |text: &str| {
            format!("<html><head>{}</head><body>{text}</body></html>", "<meta name='x'>".repeat(9))
        };
        let similarity = sketch(frame("one").as_bytes()).similarity(&sketch(frame("another").as_bytes()));
        assert!((0.3..1.0).contains(&similarity), "{similarity}");
        assert!(sketch(b"").is_empty());
    }
}
