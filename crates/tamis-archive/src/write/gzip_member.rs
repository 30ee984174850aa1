//! Gzip members: libdeflate for records at hand, zlib for records that stream by.

use std::io::{self, Read, Write};

use flate2::write::DeflateEncoder;
use libdeflater::{CompressionLvl, Compressor};

use super::spool::Spool;

/// Makes members, one a record.
pub(super) struct GzipMember {
    level: u8,
    skip_lengths: bool,
    compressor: Compressor,
    /// The last member, and room for larger ones.
    member: Vec<u8>,
}

const HEADER_LEN: usize = 10;
/// The header's length with the `sl` field.
const LONG_HEADER_LEN: usize = HEADER_LEN + 14;
const TRAILER_LEN: usize = 8;

impl GzipMember {
    /// `level` is 0 to 12.
    pub(super) fn new(level: u8, skip_lengths: bool) -> Self {
        let scale = CompressionLvl::new(i32::from(level)).unwrap_or_default();
        Self { level, skip_lengths, compressor: Compressor::new(scale), member: Vec::new() }
    }

    /// The member of a record that is in memory.
    pub(super) fn whole(&mut self, record: &[u8]) -> io::Result<&[u8]> {
        let bound = self.compressor.deflate_compress_bound(record.len());
        let (start, most) = (LONG_HEADER_LEN, LONG_HEADER_LEN + bound + TRAILER_LEN);
        if self.member.len() < most {
            self.member.resize(most, 0);
        }
        let room = &mut self.member[start..start + bound];
        let deflated = self.compressor.deflate_compress(record, room).map_err(io::Error::other)?;
        let end = start + deflated;
        let trailer = trailer(crc32fast::hash(record), record.len() as u64);
        self.member[end..end + TRAILER_LEN].copy_from_slice(&trailer);
        let header = self.header(deflated as u64, record.len() as u64);
        // The header is set against the data, so that one slice holds all.
        let begin = start - header.as_slice().len();
        self.member[begin..start].copy_from_slice(header.as_slice());
        Ok(&self.member[begin..end + TRAILER_LEN])
    }

    /// Writes the member of a record that is too large for memory. With `sl` the lengths come first, so the data
    /// waits in `spool` for them. Gives the member's length.
    pub(super) fn streamed(
        &self,
        record: &mut dyn Read,
        len: u64,
        spool: &mut Spool,
        out: &mut dyn Write,
    ) -> io::Result<u64> {
        if !self.skip_lengths {
            let header = self.header(0, len);
            out.write_all(header.as_slice())?;
            let (deflated, crc) = self.deflate(record, out)?;
            out.write_all(&trailer(crc, len))?;
            return Ok((header.as_slice().len() + TRAILER_LEN) as u64 + deflated);
        }
        spool.clear();
        let (deflated, crc) = self.deflate(record, spool)?;
        let header = self.header(deflated, len);
        out.write_all(header.as_slice())?;
        io::copy(&mut spool.reader()?, out)?;
        out.write_all(&trailer(crc, len))?;
        Ok((header.as_slice().len() + TRAILER_LEN) as u64 + deflated)
    }

    /// Deflates a stream; gives the deflated length and the checksum.
    fn deflate(&self, record: &mut dyn Read, out: &mut dyn Write) -> io::Result<(u64, u32)> {
        let level = flate2::Compression::new(u32::from(self.level.min(9)));
        let mut encoder = DeflateEncoder::new(out, level);
        let mut crc = crc32fast::Hasher::new();
        let mut chunk = vec![0; 64 * 1024];
        loop {
            let read = super::spool::read_full(record, &mut chunk)?;
            if read == 0 {
                break;
            }
            crc.update(&chunk[..read]);
            encoder.write_all(&chunk[..read])?;
        }
        encoder.try_finish()?;
        Ok((encoder.total_out(), crc.finalize()))
    }

    /// The lengths of `sl` have 32 bits; a member that they cannot tell goes without.
    fn header(&self, deflated: u64, len: u64) -> Header {
        let member_len = u32::try_from(deflated + (LONG_HEADER_LEN + TRAILER_LEN) as u64);
        match (self.skip_lengths, member_len, u32::try_from(len)) {
            (true, Ok(member_len), Ok(len)) => Header::with_lengths(self.level, member_len, len),
            _ => Header::short(self.level),
        }
    }
}

/// A member's header (RFC 1952, section 2.3), without a time and for no system, so that it is always the same.
struct Header {
    bytes: [u8; LONG_HEADER_LEN],
    len: usize,
}

impl Header {
    fn short(level: u8) -> Self {
        let speed = match level {
            0 | 1 => 4,
            9.. => 2,
            _ => 0,
        };
        let mut bytes = [0; LONG_HEADER_LEN];
        bytes[..HEADER_LEN].copy_from_slice(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, speed, 0xff]);
        Self { bytes, len: HEADER_LEN }
    }

    /// With the extra field that WARC 0.9 defined and Wget, Heritrix' tools and `BUbING` know: the length of the whole
    /// member and that of the record.
    fn with_lengths(level: u8, member_len: u32, len: u32) -> Self {
        let Self { mut bytes, .. } = Self::short(level);
        bytes[3] = 4;
        bytes[10..16].copy_from_slice(&[12, 0, b's', b'l', 8, 0]);
        bytes[16..20].copy_from_slice(&member_len.to_le_bytes());
        bytes[20..24].copy_from_slice(&len.to_le_bytes());
        Self { bytes, len: LONG_HEADER_LEN }
    }

    fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// The checksum, and the length modulo 2^32.
fn trailer(crc: u32, len: u64) -> [u8; TRAILER_LEN] {
    let mut trailer = [0; TRAILER_LEN];
    trailer[..4].copy_from_slice(&crc.to_le_bytes());
    trailer[4..].copy_from_slice(&(len as u32).to_le_bytes());
    trailer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unzip(member: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut rest = member;
        flate2::bufread::GzDecoder::new(&mut rest).read_to_end(&mut bytes).expect("a sound member");
        assert!(rest.is_empty());
        bytes
    }

    #[test]
    fn members_open_whole_and_streamed() {
        let record: Vec<u8> = (0..100_000_u32).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
        let mut spool = Spool::new(1000, None);
        for level in [0, 1, 6, 9, 12] {
            for skip_lengths in [false, true] {
                let mut gzip = GzipMember::new(level, skip_lengths);
                for len in [record.len(), 0, 1, 1000] {
                    let record = &record[..len];
                    let whole = gzip.whole(record).expect("fits").to_vec();
                    let mut streamed = Vec::new();
                    let stored = gzip
                        .streamed(&mut &record[..], len as u64, &mut spool, &mut streamed)
                        .expect("memory");
                    assert_eq!(stored, streamed.len() as u64);
                    assert!(unzip(&whole) == record && unzip(&streamed) == record, "{level} {len}");
                }
            }
        }
    }

    #[test]
    fn skip_lengths_lead_to_the_next_member() {
        let mut gzip = GzipMember::new(6, true);
        for len in [0, 1, 70_000] {
            let member = gzip.whole(&vec![b'x'; len]).expect("fits");
            assert_eq!(member[10..16], [12, 0, b's', b'l', 8, 0]);
            assert_eq!(member[16..20], (member.len() as u32).to_le_bytes());
            assert_eq!(member[20..24], (len as u32).to_le_bytes());
        }
    }

    #[test]
    fn lengths_past_32_bits_go_untold() {
        let gzip = GzipMember::new(6, true);
        assert_eq!(gzip.header(10, u64::from(u32::MAX)).len, LONG_HEADER_LEN);
        assert_eq!(gzip.header(10, u64::from(u32::MAX) + 1).len, HEADER_LEN);
        assert_eq!(gzip.header(u64::from(u32::MAX) - 31, 10).len, HEADER_LEN);
    }
}
