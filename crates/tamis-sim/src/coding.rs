//! Bodies as they go over the wire: codings, chunks, and a gzip bomb that costs nothing to make.

use std::io::Write;

use flate2::write::GzEncoder;
use flate2::{Compress, Compression, FlushCompress};

use super::answer::Coding;

/// What a brotli meta-block can hold at most, if its length has four nibbles.
const BROTLI_BLOCK: usize = 1 << 16;
const CHUNK: usize = 4096;
/// How much of nothing is compressed once, and then repeated.
const BOMB_STEP: usize = 1 << 20;

/// A body in a coding.
pub(super) fn encode(coding: Coding, body: Vec<u8>) -> Vec<u8> {
    match coding {
        Coding::Identity => body,
        Coding::Gzip => gzip(&body),
        Coding::Brotli => brotli(&body),
        // Only a full disk or a broken level fails, and there is neither.
        Coding::Zstd => zstd::bulk::compress(&body, 1).unwrap_or_default(),
    }
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 2), Compression::new(1));
    // Writing to memory cannot fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// Brotli (RFC 7932) without compression: uncompressed meta-blocks, which every decoder has to know.
fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.push(0, 1); // a window of 2¹⁶ bytes
    for block in bytes.chunks(BROTLI_BLOCK) {
        bits.push(0, 1); // not the last
        bits.push(0, 2); // a length of four nibbles
        bits.push(block.len() as u32 - 1, 16);
        bits.push(1, 1); // not compressed
        bits.align();
        bits.out.extend_from_slice(block);
    }
    bits.push(0b11, 2); // the last, and empty
    bits.align();
    bits.out
}

/// Bits from the lowest, as RFC 7932 packs them.
#[derive(Default)]
struct Bits {
    out: Vec<u8>,
    held: u32,
    count: u32,
}

impl Bits {
    fn push(&mut self, value: u32, count: u32) {
        self.held |= value << self.count;
        self.count += count;
        while self.count >= 8 {
            self.out.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    fn align(&mut self) {
        if self.count > 0 {
            self.push(0, 8 - self.count);
        }
    }
}

/// A body in chunks, with its end.
pub(super) fn chunked(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() + 64);
    for chunk in body.chunks(CHUNK) {
        out.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        out.extend_from_slice(chunk);
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b"0\r\n\r\n");
    out
}

/// A sound gzip member that inflates to that many blanks (rounded to a mebibyte), at a thousandth of the size.
pub(super) fn gzip_bomb(bytes: u64) -> Vec<u8> {
    let steps = (bytes / BOMB_STEP as u64).max(1);
    let blanks = vec![b' '; BOMB_STEP];
    let mut step = Vec::with_capacity(BOMB_STEP / 64);
    // A full flush forgets what came before, so the same block can stand again and again.
    let _ = Compress::new(Compression::new(9), false).compress_vec(&blanks, &mut step, FlushCompress::Full);
    let mut crc = crc32fast::Hasher::new();
    crc.update(&blanks);
    let mut whole = crc32fast::Hasher::new();
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    for _ in 0..steps {
        out.extend_from_slice(&step);
        whole.combine(&crc);
    }
    out.extend_from_slice(&[3, 0]); // the last block, and empty
    out.extend_from_slice(&whole.finalize().to_le_bytes());
    out.extend_from_slice(&((steps * BOMB_STEP as u64) as u32).to_le_bytes());
    out
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn brotli_is_read_by_others() {
        for len in [0, 1, 1000, BROTLI_BLOCK, BROTLI_BLOCK + 1, 200_000] {
            let body: Vec<u8> = (0..len).map(|n| (n % 251) as u8).collect();
            let mut out = Vec::new();
            let coded = brotli(&body);
            brotli_decompressor::Decompressor::new(&coded[..], 4096)
                .read_to_end(&mut out)
                .expect("sound brotli");
            assert_eq!(out, body, "{len}");
        }
    }

    #[test]
    fn a_bomb_is_sound_and_small() {
        let bomb = gzip_bomb(8 << 20);
        assert!(bomb.len() < 16_000, "{}", bomb.len());
        let mut out = Vec::new();
        flate2::read::GzDecoder::new(&bomb[..]).read_to_end(&mut out).expect("sound gzip");
        assert_eq!(out.len(), 8 << 20);
    }
}
