//! Compressed members, sound and spoiled.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// How a file carries its dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dictionary {
    /// As it is.
    Raw,
    /// As a zstd frame of its own.
    Compressed,
}

/// Bytes of the gzip trailer: the CRC-32 and the length.
const TRAILER: usize = 8;

/// A gzip member without a name and a time (RFC 1952).
pub fn gzip(plain: &[u8]) -> Vec<u8> {
    gzip_around(plain, &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
}

/// A gzip member with the extra field `sl`: its compressed and its plain length, as the WARC standard proposes.
pub fn gzip_sl(plain: &[u8]) -> Vec<u8> {
    const FEXTRA: u8 = 4;
    let mut head = vec![0x1f, 0x8b, 8, FEXTRA, 0, 0, 0, 0, 0, 255];
    head.extend([12, 0, b's', b'l', 8, 0]);
    let lengths_at = head.len();
    head.extend([0; 8]);
    let mut member = gzip_around(plain, &head);
    let length = member.len() as u32;
    member[lengths_at..][..4].copy_from_slice(&length.to_le_bytes());
    member[lengths_at + 4..][..4].copy_from_slice(&(plain.len() as u32).to_le_bytes());
    member
}

/// A gzip member that names a file: a header of no fixed length.
pub fn gzip_named(plain: &[u8], name: &str) -> Vec<u8> {
    const FNAME: u8 = 8;
    let head = [&[0x1f, 0x8b, 8, FNAME, 0, 0, 0, 0, 0, 255], name.as_bytes(), &[0]].concat();
    gzip_around(plain, &head)
}

/// Fault: a gzip member whose checksum is wrong.
pub fn gzip_bad_crc(plain: &[u8]) -> Vec<u8> {
    flipped(gzip(plain), |len| len - TRAILER)
}

/// Fault: a gzip member whose stated length is wrong.
pub fn gzip_bad_length(plain: &[u8]) -> Vec<u8> {
    flipped(gzip(plain), |len| len - 4)
}

/// Fault: a gzip member with a flipped byte in the middle of its data.
pub fn gzip_bad_data(plain: &[u8]) -> Vec<u8> {
    flipped(gzip(plain), |len| len / 2)
}

/// Fault: a member without its last bytes.
pub fn clipped(member: &[u8], by: usize) -> Vec<u8> {
    member[..member.len().saturating_sub(by)].to_vec()
}

/// A zstd frame with a checksum (RFC 8878).
pub fn zstd(plain: &[u8]) -> Vec<u8> {
    zstd_with_dictionary(plain, &[])
}

/// A zstd frame that needs the dictionary, if that is not empty.
///
/// # Panics
/// If zstd takes no such dictionary.
pub fn zstd_with_dictionary(plain: &[u8], dictionary: &[u8]) -> Vec<u8> {
    zstd_frame(plain, dictionary, true)
}

/// A zstd frame without a checksum, as some writers make them.
///
/// # Panics
/// If zstd refuses to compress it.
pub fn zstd_unchecked(plain: &[u8]) -> Vec<u8> {
    zstd_frame(plain, &[], false)
}

fn zstd_frame(plain: &[u8], dictionary: &[u8], is_checked: bool) -> Vec<u8> {
    let mut encoder =
        zstd::stream::Encoder::with_dictionary(Vec::new(), 3, dictionary).expect("a dictionary");
    encoder.include_checksum(is_checked).expect("it can");
    encoder.write_all(plain).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

/// The skippable frame `0x184D2A5D` that carries a dictionary at the beginning of a `.warc.zst`.
///
/// # Panics
/// If zstd refuses to compress it.
pub fn dictionary_frame(dictionary: &[u8], packing: Dictionary) -> Vec<u8> {
    let content = match packing {
        Dictionary::Raw => dictionary.to_vec(),
        Dictionary::Compressed => zstd::stream::encode_all(dictionary, 19).expect("memory takes all"),
    };
    [&0x184D_2A5D_u32.to_le_bytes(), &(content.len() as u32).to_le_bytes(), &content[..]].concat()
}

/// A dictionary made of samples; zstd wants some hundred of them.
///
/// # Panics
/// If the samples are too few.
pub fn train_dictionary(samples: &[Vec<u8>]) -> Vec<u8> {
    zstd::dict::from_samples(samples, 4096).expect("enough samples")
}

fn gzip_around(plain: &[u8], head: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(head.to_vec(), Compression::default());
    encoder.write_all(plain).expect("memory takes all");
    let mut member = encoder.finish().expect("memory takes all");
    member.extend(crc32fast::hash(plain).to_le_bytes());
    member.extend((plain.len() as u32).to_le_bytes());
    member
}

fn flipped(mut member: Vec<u8>, at: impl Fn(usize) -> usize) -> Vec<u8> {
    let at = at(member.len());
    member[at] ^= 0x55;
    member
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn gunzip(bytes: &[u8]) -> Option<Vec<u8>> {
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).ok().map(|_| plain)
    }

    #[test]
    fn sound_members_decode_and_spoiled_ones_do_not() {
        let plain = b"WARC/1.0\r\nWARC-Type: resource\r\n".repeat(20);
        for sound in [gzip(&plain), gzip_sl(&plain), gzip_named(&plain, "a.warc")] {
            assert_eq!(gunzip(&sound), Some(plain.clone()));
            assert_eq!(gunzip(&clipped(&sound, 1)), None);
        }
        for spoiled in [gzip_bad_crc(&plain), gzip_bad_length(&plain), gzip_bad_data(&plain)] {
            assert_eq!(gunzip(&spoiled), None);
        }
    }

    #[test]
    fn the_extra_field_states_both_lengths() {
        let member = gzip_sl(b"0123456789");
        assert_eq!(member[10..16], [12, 0, b's', b'l', 8, 0]);
        assert_eq!(member[16..20], (member.len() as u32).to_le_bytes());
        assert_eq!(member[20..24], 10_u32.to_le_bytes());
    }
}
