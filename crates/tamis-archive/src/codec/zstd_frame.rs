//! zstd frames and the dictionary that a file of them may begin with.

use std::io::{self, Read};

use zstd::zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, ResetDirective};

use super::Step;

/// The largest window of a frame, 128 MiB: what `zstd --long=27` writes and any reader must be asked to allow.
const WINDOW_LOG_MAX: u32 = 27;

/// Dictionaries are some hundred kilobytes; one larger than this is not meant.
const DICTIONARY_LIMIT: u64 = 64 << 20;

/// The skippable frame that holds a dictionary (IIPC, "Use of Zstandard compression in WARC files").
pub(crate) const DICTIONARY_MAGIC: u32 = 0x184D_2A5D;

/// A decompression dictionary, as the frames of one file share it.
#[derive(Clone)]
pub(crate) struct Dictionary(Vec<u8>);

impl Dictionary {
    /// From the content of the dictionary frame: a raw dictionary, or a zstd frame that holds one.
    pub(crate) fn from_frame(content: &[u8]) -> Option<Self> {
        if !content.starts_with(&zstd::zstd_safe::MAGICNUMBER.to_le_bytes()) {
            return Some(Self(content.to_vec()));
        }
        let mut decoder = zstd::stream::read::Decoder::new(content).ok()?;
        let mut dictionary = Vec::new();
        decoder.by_ref().take(DICTIONARY_LIMIT + 1).read_to_end(&mut dictionary).ok()?;
        (dictionary.len() as u64 <= DICTIONARY_LIMIT).then_some(Self(dictionary))
    }
}

/// The magic and the content length of a skippable frame (RFC 8878, section 3.1.2) that the bytes begin with.
pub(crate) fn skippable_frame(bytes: &[u8]) -> Option<(u32, u32)> {
    let (magic, rest) = bytes.split_first_chunk::<4>()?;
    let magic = u32::from_le_bytes(*magic);
    let len = u32::from_le_bytes(*rest.first_chunk::<4>()?);
    (magic & 0xffff_fff0 == 0x184D_2A50).then_some((magic, len))
}

/// Decodes one zstd frame step by step.
pub(crate) struct ZstdInflater(DCtx<'static>);

impl ZstdInflater {
    pub(crate) fn new(dictionary: Option<&Dictionary>) -> Option<Self> {
        let mut context = DCtx::try_create()?;
        context.set_parameter(DParameter::WindowLogMax(WINDOW_LOG_MAX)).ok()?;
        if let Some(Dictionary(bytes)) = dictionary {
            context.load_dictionary(bytes).ok()?;
        }
        Some(Self(context))
    }

    /// Makes it ready for another frame with the same dictionary.
    pub(crate) fn reset(&mut self) {
        // Fails only for a context in the middle of setting parameters.
        let _ = self.0.reset(ResetDirective::SessionOnly);
    }

    pub(crate) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, &'static str> {
        let mut source = InBuffer::around(input);
        let mut target = OutBuffer::around(output);
        let hint =
            self.0.decompress_stream(&mut target, &mut source).map_err(zstd::zstd_safe::get_error_name)?;
        let (read, written) = (source.pos(), target.pos());
        Ok(Step { read, written, done: hint == 0 })
    }
}

/// The largest block of a frame (RFC 8878, section 3.1.1.2.4).
pub(crate) const BLOCK_MAX: usize = 128 << 10;

/// The longest frame header, with its magic (RFC 8878, section 3.1.1.1).
const HEADER_MAX: usize = 18;

/// How a zstd frame lies in a file, by its headers alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameEnd {
    /// It ends before this offset.
    At(u64),
    /// The input ends inside it.
    Cut,
    /// These bytes are not a frame.
    Invalid,
}

/// Finds the end of the frame or skippable frame at `start` from its header and the headers of its blocks, without decoding.
///
/// `read_at` gives the bytes from an offset on, fewer than asked for only at the end of the input.
pub(crate) fn frame_end(
    start: u64,
    mut read_at: impl FnMut(u64, &mut [u8]) -> io::Result<usize>,
    len: u64,
) -> io::Result<FrameEnd> {
    let mut header = [0; HEADER_MAX];
    let n = read_at(start, &mut header)?;
    let header = &header[..n];
    if let Some((_, content)) = skippable_frame(header) {
        let end = start.saturating_add(8 + u64::from(content));
        return Ok(if end <= len { FrameEnd::At(end) } else { FrameEnd::Cut });
    }
    let Some(frame) = FrameHeader::parse(header) else {
        return Ok(if n < HEADER_MAX { FrameEnd::Cut } else { FrameEnd::Invalid });
    };
    let mut at = start + frame.len as u64;
    loop {
        let mut block = [0; BLOCK_HEADER];
        if read_at(at, &mut block)? < BLOCK_HEADER {
            return Ok(FrameEnd::Cut);
        }
        let Some(block) = BlockHeader::parse(block) else { return Ok(FrameEnd::Invalid) };
        at += (BLOCK_HEADER + block.stored_len) as u64;
        if block.is_last {
            at += if frame.has_checksum { 4 } else { 0 };
            return Ok(if at <= len { FrameEnd::At(at) } else { FrameEnd::Cut });
        }
        if at > len {
            return Ok(FrameEnd::Cut);
        }
    }
}

/// How many bytes of a frame a decoder needs before it gives the first decoded byte: the header and the first block. None if
/// the bytes cannot begin a frame.
pub(crate) fn first_block_end(bytes: &[u8]) -> Option<usize> {
    let Some(frame) = FrameHeader::parse(bytes) else {
        return (bytes.len() < HEADER_MAX).then_some(HEADER_MAX);
    };
    let Some(header) = bytes.get(frame.len..frame.len + BLOCK_HEADER) else {
        return Some(frame.len + BLOCK_HEADER);
    };
    let block = BlockHeader::parse([header[0], header[1], header[2]])?;
    Some(frame.len + BLOCK_HEADER + block.stored_len)
}

/// What the header of a frame says of its shape.
struct FrameHeader {
    /// The length of the header with its magic.
    len: usize,
    has_checksum: bool,
}

impl FrameHeader {
    /// RFC 8878, section 3.1.1.1. None if the reserved bit is set, the magic is wrong or the bytes end before the header.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let (magic, rest) = bytes.split_first_chunk::<4>()?;
        let descriptor = *rest.first()?;
        if u32::from_le_bytes(*magic) != zstd::zstd_safe::MAGICNUMBER || descriptor & 8 != 0 {
            return None;
        }
        let is_single_segment = descriptor & 0x20 != 0;
        let window_len = usize::from(!is_single_segment);
        let dictionary_len = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let size_len = match descriptor >> 6 {
            0 => usize::from(is_single_segment),
            flag => 1 << flag,
        };
        let len = 5 + window_len + dictionary_len + size_len;
        (len <= bytes.len()).then_some(Self { len, has_checksum: descriptor & 4 != 0 })
    }
}

/// The length of a block header.
const BLOCK_HEADER: usize = 3;

struct BlockHeader {
    is_last: bool,
    /// How many bytes follow the header.
    stored_len: usize,
}

impl BlockHeader {
    /// RFC 8878, section 3.1.1.2. None for the reserved type and for lengths that no block has.
    fn parse([first, second, third]: [u8; BLOCK_HEADER]) -> Option<Self> {
        let header = u32::from_le_bytes([first, second, third, 0]);
        let (is_last, kind, size) = (header & 1 == 1, header >> 1 & 3, (header >> 3) as usize);
        let stored_len = match kind {
            0 | 2 => size,
            1 => 1,
            _ => return None,
        };
        (size <= BLOCK_MAX).then_some(Self { is_last, stored_len })
    }
}

#[cfg(test)]
mod tests {
    use tamis_testkit::member;

    use super::*;

    fn end_of(bytes: &[u8], start: u64) -> FrameEnd {
        let read_at = |offset: u64, room: &mut [u8]| {
            let rest = &bytes[(offset as usize).min(bytes.len())..];
            let n = rest.len().min(room.len());
            room[..n].copy_from_slice(&rest[..n]);
            Ok(n)
        };
        frame_end(start, read_at, bytes.len() as u64).expect("a slice reads")
    }

    fn noise(len: usize) -> Vec<u8> {
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        };
        (0..len).map(|_| next()).collect()
    }

    #[test]
    fn the_end_of_a_frame_is_known_without_decoding() {
        let mut checked = zstd::Encoder::new(Vec::new(), 3).expect("an encoder");
        checked.include_checksum(true).expect("it takes the flag");
        std::io::Write::write_all(&mut checked, &noise(300_000)).expect("it encodes");
        let checked = checked.finish().expect("it encodes");
        let texts = [vec![], b"page".to_vec(), b"page".repeat(100_000), noise(1000), noise(700_000)];
        let frames = texts.iter().map(|text| member::zstd(text)).chain([
            checked,
            member::zstd_with_dictionary(b"page of words", &noise(3000)),
            member::dictionary_frame(&noise(3000), member::Dictionary::Raw),
        ]);
        for frame in frames {
            let bytes = [&b"before"[..], &frame, b"after"].concat();
            assert_eq!(end_of(&bytes, 6), FrameEnd::At(6 + frame.len() as u64));
            for cut in [1, 2, frame.len() / 2, frame.len() - 5] {
                let cut = end_of(&frame[..frame.len() - cut.clamp(1, frame.len() - 1)], 0);
                assert_eq!(cut, FrameEnd::Cut, "{}", frame.len());
            }
            if skippable_frame(&frame).is_none() {
                let needed = first_block_end(&frame).expect("it is a frame");
                assert!(needed <= frame.len() && needed > 6, "{needed} of {}", frame.len());
            }
        }
        assert_eq!(end_of(b"no frame, but some text", 0), FrameEnd::Invalid);
        assert_eq!(first_block_end(&[0x28, 0xb5, 0x2f, 0xfd].repeat(10)), None, "the reserved bit is set");
    }
}
