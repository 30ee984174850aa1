//! Chunks: all of a pack between its header and its footer. Each has a frame that says what it is and checks it.

use std::io::{self, Write};

use tamis_archive::PACK_MAGIC;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::profile::MAX_BLOCK;
use super::varint;

/// What a chunk holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChunkKind {
    /// The dictionary of a segment.
    Dictionary,
    /// Records of a segment.
    Block,
    /// Where blocks lie.
    BlockPage,
    /// Records in pack order.
    RecordPage,
    /// Records in the order of the original file.
    OriginalPage,
    /// Members of the original file.
    MemberPage,
    /// What members need beside their content to be made again.
    SidePage,
    /// Records by URL.
    UrlPage,
    /// Where all pages lie.
    Root,
}

/// How the payload of a chunk is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Packing {
    Stored,
    Zstd,
    /// With the dictionary of the segment.
    ZstdDictionary,
    Lzma2,
}

/// A chunk's frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) kind: ChunkKind,
    pub(super) packing: Packing,
    /// Whether the payload is the opened form of a block.
    pub(super) is_opened: bool,
    /// Which of its kind it is.
    pub(super) number: u64,
    pub(super) stored_len: u64,
    /// How many bytes the payload unpacks to.
    pub(super) raw_len: u64,
    /// Of a block its segment, of a piece of a dictionary the length of all of them: what a chunk must say where no table is
    /// left. None in packs of versions 1 to 3.
    pub(super) extra: Option<u64>,
}

const KINDS: [ChunkKind; 9] = [
    ChunkKind::Dictionary,
    ChunkKind::Block,
    ChunkKind::BlockPage,
    ChunkKind::RecordPage,
    ChunkKind::OriginalPage,
    ChunkKind::MemberPage,
    ChunkKind::SidePage,
    ChunkKind::UrlPage,
    ChunkKind::Root,
];

const PACKINGS: [Packing; 4] = [Packing::Stored, Packing::Zstd, Packing::ZstdDictionary, Packing::Lzma2];

/// What every chunk begins with from version 4 on, so that chunks are found again after bytes that are damaged, missing or
/// too many. No tag of the versions before has the value of its first byte.
pub(super) const SYNC: [u8; 4] = [0x9f, 0x54, 0xd7, 0x53];

/// The bit of a tag that says that a block is opened.
const OPENED: u8 = 0x80;

/// The length of the checksum behind the frame's numbers.
const CHECK_LEN: usize = 8;

/// The fewest bytes that a chunk takes, in all versions: a tag, three numbers and the checksum.
pub(super) const MIN_CHUNK_LEN: u64 = 1 + 3 + CHECK_LEN as u64;

/// The most bytes that one byte of a chunk unpacks to. zstd makes at most 128 KiB of four bytes, LZMA2 less than that. So the
/// content of a pack is bounded by the length of its file, whatever the file claims.
const MOST_EXPANSION: u64 = 1 << 16;

/// Whether a chunk of `stored_len` bytes can unpack to `raw_len` bytes.
pub(super) fn is_plausible(stored_len: u64, raw_len: u64) -> bool {
    raw_len <= (MAX_BLOCK as u64).min(stored_len.saturating_mul(MOST_EXPANSION))
}

/// Whether all chunks of a file of `pack_len` bytes can unpack to `content_len` bytes.
pub(super) fn is_plausible_content(pack_len: u64, content_len: u64) -> bool {
    content_len <= pack_len.saturating_mul(MOST_EXPANSION)
}

/// The most bytes that a frame takes before its payload.
pub(super) const MAX_FRAME_LEN: usize = SYNC.len() + 1 + 4 * varint::MAX_LEN + CHECK_LEN;

impl ChunkKind {
    /// A word for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dictionary => "dictionary",
            Self::Block => "block",
            Self::BlockPage => "page of the block table",
            Self::RecordPage => "page of the record table",
            Self::OriginalPage => "page of the original order",
            Self::MemberPage => "page of the member table",
            Self::SidePage => "page of member corrections",
            Self::UrlPage => "page of the URL index",
            Self::Root => "root",
        }
    }
}

impl Frame {
    /// Writes a chunk and gives how long it is.
    pub(super) fn write(self, payload: &[u8], out: &mut dyn Write) -> io::Result<u64> {
        debug_assert_eq!(self.stored_len, payload.len() as u64);
        let mut head = Vec::with_capacity(MAX_FRAME_LEN);
        head.extend_from_slice(&SYNC);
        head.push(self.kind as u8 | (self.packing as u8) << 4 | if self.is_opened { OPENED } else { 0 });
        for number in [self.number, self.stored_len, self.raw_len, self.extra.unwrap_or(0)] {
            varint::put(&mut head, number);
        }
        let check = checksum(&head, payload);
        head.extend_from_slice(&check.to_le_bytes());
        out.write_all(&head)?;
        out.write_all(payload)?;
        Ok((head.len() + payload.len()) as u64)
    }

    /// The frame at the front of some bytes and its length, its numbers not yet checked.
    pub(super) fn parse(bytes: &[u8]) -> Option<(Self, usize)> {
        let after_sync = bytes.strip_prefix(&SYNC);
        let mut rest = after_sync.unwrap_or(bytes);
        let &tag = varint::take_bytes(&mut rest, 1)?.first()?;
        let kind = *KINDS.get(usize::from(tag & 15))?;
        let is_opened = tag & OPENED != 0;
        let packing = *PACKINGS.get(usize::from((tag & !OPENED) >> 4))?;
        let (number, stored_len) = (varint::take(&mut rest)?, varint::take(&mut rest)?);
        let raw_len = varint::take(&mut rest)?;
        let extra = if after_sync.is_some() { Some(varint::take(&mut rest)?) } else { None };
        varint::take_bytes(&mut rest, CHECK_LEN as u64)?;
        let len = (bytes.len() - rest.len()) as u64;
        if !is_plausible(stored_len.saturating_add(len), raw_len) {
            return None;
        }
        Some((
            Self { kind, packing, is_opened, number, stored_len, raw_len, extra },
            bytes.len() - rest.len(),
        ))
    }

    /// The frame and the payload of a chunk that these bytes are, if its checksum is right.
    pub(super) fn check(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (frame, len) = Self::parse(bytes)?;
        let (head, payload) = bytes.split_at_checked(len)?;
        let (numbers, check) = head.split_at_checked(len - CHECK_LEN)?;
        // Fuzzing gets over no checksum.
        let is_right = payload.len() as u64 == frame.stored_len
            && (cfg!(fuzzing) || *check == checksum(numbers, payload).to_le_bytes());
        is_right.then_some((frame, payload))
    }
}

fn checksum(numbers: &[u8], payload: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(numbers);
    hasher.update(payload);
    hasher.digest()
}

/// The first bytes of a pack: its magic, its version, and that again with all bits turned.
pub(super) const HEADER: [u8; 16] = header(4);

/// The headers of packs whose chunks have no [`SYNC`]. The dictionaries of versions 1 and 2 have at most 17 pieces; those of
/// version 1 have no opened blocks.
const OLD_HEADERS: [[u8; 16]; 3] = [header(1), header(2), header(3)];

const fn header(version: u8) -> [u8; 16] {
    let mut header = [version; 16];
    header[15] = !version;
    let mut at = 0;
    while at < MAGIC_LEN {
        header[at] = PACK_MAGIC[at];
        at += 1;
    }
    header
}

/// Whether these bytes are the header of a version that is read.
pub(super) fn is_header(bytes: &[u8]) -> bool {
    bytes == HEADER || OLD_HEADERS.iter().any(|old| bytes == old)
}

/// How much of the header is the magic; the version follows.
pub(super) const MAGIC_LEN: usize = 14;

/// So many right bytes of a magic are no chance.
const MAGIC_KNOWN_BY: usize = 9;

/// Whether a file with these first and last bytes is a pack or the remains of one.
pub(super) fn is_like(start: &[u8], end: &[u8]) -> bool {
    let same = start.iter().zip(&HEADER[..MAGIC_LEN]).filter(|(byte, magic)| byte == magic).count();
    same >= MAGIC_KNOWN_BY || end.get(16..24) == Some(&FOOTER_MAGIC) || parse_footer(end).is_some()
}

/// Whether these bytes are the header of a later version, and not a damaged one.
pub(super) fn is_later_version(header: &[u8]) -> bool {
    let version = header.strip_prefix(&HEADER[..MAGIC_LEN]);
    matches!(version, Some(&[version, check, ..]) if version == !check && version > HEADER[MAGIC_LEN])
}

/// The last bytes of a pack.
pub(super) const FOOTER_MAGIC: [u8; 8] = *b"tamisend";

/// Where they have their magic.
pub(super) const FOOTER_MAGIC_AT: usize = 16;

/// The length of a footer.
pub(super) const FOOTER_LEN: usize = 32;

/// The footer: where the root is.
pub(super) fn footer(root_offset: u64, root_len: u64) -> [u8; FOOTER_LEN] {
    let mut bytes = [0; FOOTER_LEN];
    bytes[..8].copy_from_slice(&root_offset.to_le_bytes());
    bytes[8..16].copy_from_slice(&root_len.to_le_bytes());
    bytes[16..24].copy_from_slice(&FOOTER_MAGIC);
    let check = xxh3_64(&bytes[..24]);
    bytes[24..].copy_from_slice(&check.to_le_bytes());
    bytes
}

/// Where the root is and how long, if these bytes are a footer.
pub(super) fn parse_footer(bytes: &[u8]) -> Option<(u64, u64)> {
    let (fields, check) = bytes.split_at_checked(24)?;
    let is_checked = cfg!(fuzzing) || *check == xxh3_64(fields).to_le_bytes();
    if !is_checked || fields[16..] != FOOTER_MAGIC {
        return None;
    }
    let number = |at: usize| fields[at..].first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    Some((number(0)?, number(8)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_of_a_chunk_and_a_footer_is_seen() {
        let mut bytes = Vec::new();
        let frame = Frame {
            kind: ChunkKind::Block,
            packing: Packing::Zstd,
            is_opened: true,
            number: 300,
            stored_len: 5,
            raw_len: 1 << 20,
            extra: Some(700),
        };
        assert_eq!(frame.write(b"abcde", &mut bytes).unwrap(), bytes.len() as u64);
        assert_eq!(Frame::check(&bytes), Some((frame, &b"abcde"[..])));
        let footer = footer(1 << 33, 77);
        assert_eq!(parse_footer(&footer), Some((1 << 33, 77)));
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Frame::check(&flipped), None, "bit {bit}");
        }
        for bit in 0..FOOTER_LEN * 8 {
            let mut flipped = footer;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(parse_footer(&flipped), None, "bit {bit}");
        }
    }

    #[test]
    fn tags_are_the_places_in_the_lists() {
        assert!(KINDS.iter().zip(0..).all(|(&kind, at)| kind as u8 == at));
        assert!(PACKINGS.iter().zip(0..).all(|(&packing, at)| packing as u8 == at));
    }
}
