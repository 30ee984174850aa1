//! What the bytes themselves say for and against an encoding.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// How much of a page speaks for UTF-8 and how much against it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Census {
    /// Whole sequences of two to four bytes.
    pub(super) sequences: usize,
    /// What the sequences weigh as evidence; see [`weight`].
    pub(super) weight: usize,
    /// Places where no sequence can be read. The cut end of a page is none.
    pub(super) broken: usize,
}

impl Census {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut census = Self::default();
        let mut read = 0;
        for chunk in bytes.utf8_chunks() {
            for lead in chunk.valid().bytes().filter(|&byte| byte >= 0xC2) {
                census.sequences += 1;
                census.weight += weight(lead);
            }
            read += chunk.valid().len() + chunk.invalid().len();
            let cut_off = read == bytes.len() && is_start_of_sequence(chunk.invalid());
            census.broken += usize::from(!chunk.invalid().is_empty() && !cut_off);
        }
        census
    }
}

/// A sequence is the less likely to be there by chance the longer it is. Those of C2 and C3, which are most of the
/// two-byte sequences of Latin text, would be `Â` or `Ã` before a sign, which no language writes.
fn weight(lead: u8) -> usize {
    match lead {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC2 | 0xC3 => 2,
        _ => 1,
    }
}

/// Whether bytes that are no whole sequence could have become one, had the page not ended there.
fn is_start_of_sequence(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// UTF-16 without a byte order mark shows by the NULs in its markup, all on the same side.
pub(super) fn utf16_without_bom(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(4096)];
    let (mut little, mut big, mut units) = (0, 0, 0);
    for unit in head.chunks_exact(2) {
        units += 1;
        match unit {
            [byte, 0] if is_text(*byte) => little += 1,
            [0, byte] if is_text(*byte) => big += 1,
            _ => {}
        }
    }
    // Even a page of Chinese has a head in ASCII; a binary file has NULs on both sides.
    let enough = |side: usize, other: usize| side >= 3 && side * 3 >= units && other * 20 <= side;
    if enough(little, big) {
        Some(UTF_16LE)
    } else if enough(big, little) {
        Some(UTF_16BE)
    } else {
        None
    }
}

fn is_text(byte: u8) -> bool {
    byte.is_ascii_graphic() || byte.is_ascii_whitespace()
}

/// Whether the bytes above ASCII stand in words of their own, as those of Cyrillic, Greek or Chinese text do, and not
/// as single letters within words of ASCII.
pub(super) fn is_written_above_ascii(bytes: &[u8]) -> bool {
    let (mut high, mut beside_another) = (0_usize, 0_usize);
    let mut previous = 0;
    for &byte in bytes {
        if byte >= 0x80 {
            high += 1;
            beside_another += usize::from(previous >= 0x80);
        }
        previous = byte;
    }
    high >= 40 && beside_another * 10 >= high * 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_end_is_not_broken() {
        for (bytes, sequences, broken) in [
            (&b"abc"[..], 0, 0),
            ("é漢😀".as_bytes(), 3, 0),
            (&b"\xc3\xa9\xe6\xbc"[..], 1, 0),
            (&b"\xc3\xa9\xe6\xbc."[..], 1, 1),
            (&b"\xe9t\xe9"[..], 0, 1),
            (&b"\xff"[..], 0, 1),
        ] {
            let census = Census::of(bytes);
            assert_eq!((census.sequences, census.broken), (sequences, broken), "{bytes:x?}");
        }
    }

    #[test]
    fn utf_16_shows_by_its_nuls() {
        let little: Vec<u8> = "<p>漢字".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "<p>漢字".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(utf16_without_bom(&little), Some(UTF_16LE));
        assert_eq!(utf16_without_bom(&big), Some(UTF_16BE));
        assert_eq!(utf16_without_bom(b"<p>a\0b\0c\0d</p></body>"), None);
        assert_eq!(utf16_without_bom(b"a\0\0b\0cd\0e\0\0f"), None);
        assert_eq!(utf16_without_bom(&[0; 100]), None);
    }
}
