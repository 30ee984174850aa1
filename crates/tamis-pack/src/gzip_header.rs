//! The header of a gzip member (RFC 1952, section 2.3).

/// A header longer than this is none: names and comments are short.
const LIMIT: usize = 64 << 10;

/// The length of a member's checksum and length behind its data.
pub(super) const TRAILER_LEN: usize = 8;

/// What the front of some bytes says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Header {
    /// A header of this length.
    Whole(usize),
    /// More bytes are needed.
    Partial,
    /// No header.
    None,
}

/// The header that the bytes begin with.
pub(super) fn parse(bytes: &[u8]) -> Header {
    const HEADER_CRC: u8 = 2;
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    let is_magic = bytes.iter().zip([0x1f, 0x8b, 8]).all(|(a, b)| *a == b);
    let flags = bytes.get(3).copied().unwrap_or_default();
    if !is_magic || flags & 0xe0 != 0 {
        return Header::None;
    }
    let more = if bytes.len() < LIMIT { Header::Partial } else { Header::None };
    let mut at = 10;
    if flags & EXTRA != 0 {
        let Some(&[low, high]) = bytes.get(at..at + 2) else { return more };
        at += 2 + usize::from(u16::from_le_bytes([low, high]));
    }
    for flag in [NAME, COMMENT] {
        if flags & flag != 0 {
            let Some(len) = bytes.get(at..).and_then(|rest| memchr::memchr(0, rest)) else { return more };
            at += len + 1;
        }
    }
    at += if flags & HEADER_CRC == 0 { 0 } else { 2 };
    if bytes.len() < at { more } else { Header::Whole(at) }
}

/// The checksum, and the length modulo 2^32.
pub(super) fn trailer(crc: u32, len: u64) -> [u8; TRAILER_LEN] {
    let mut trailer = [0; TRAILER_LEN];
    trailer[..4].copy_from_slice(&crc.to_le_bytes());
    trailer[4..].copy_from_slice(&(len as u32).to_le_bytes());
    trailer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_their_fields() {
        for (bytes, expected) in [
            (&b"\x1f\x8b\x08\0\0\0\0\0\0\xff"[..], Header::Whole(10)),
            (b"\x1f\x8b\x08\0\0\0\0\0\0", Header::Partial),
            (b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x02\0ab", Header::Whole(14)),
            (b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x02\0a", Header::Partial),
            (b"\x1f\x8b\x08\x1a\0\0\0\0\0\xffn\0c\0hh", Header::Whole(16)),
            (b"\x1f\x8b\x08\x08\0\0\0\0\0\xffn", Header::Partial),
            (b"\x1f\x8b\x08\x20\0\0\0\0\0\xff", Header::None),
            (b"\x1f\x8b\x07", Header::None),
            (b"", Header::Partial),
        ] {
            assert_eq!(parse(bytes), expected, "{bytes:?}");
        }
    }
}
