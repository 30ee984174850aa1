//! zstd frames of an archive: taken apart, and made again.

use zstd::zstd_safe::zstd_sys::ZSTD_EndDirective as End;
use zstd::zstd_safe::{CCtx, CParameter, DCtx, DParameter, InBuffer, OutBuffer, ResetDirective};

/// The largest window that is decoded: what `zstd --long=27` writes.
const WINDOW_LOG_MAX: u32 = 27;

/// The magic of the skippable frame with a dictionary (IIPC, "Use of Zstandard compression in WARC files").
const DICTIONARY_MAGIC: [u8; 4] = 0x184D_2A5D_u32.to_le_bytes();

/// A dictionary larger than this is not meant.
const DICTIONARY_LIMIT: usize = 64 << 20;

/// So much of a long content tells settings apart: two blocks.
const START: usize = 256 << 10;

/// The settings of a frame: together with its content, and the dictionary of the file, they are the frame.
#[expect(clippy::struct_excessive_bools, reason = "they are the flags of a frame, in every combination")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FrameSettings {
    pub(super) level: i8,
    /// Whether the encoder knew the length in advance.
    pub(super) knew_len: bool,
    pub(super) states_len: bool,
    pub(super) has_checksum: bool,
    pub(super) states_dictionary: bool,
}

impl FrameSettings {
    /// All that may have made a frame, the most frequent first.
    pub(super) fn candidates(frame: &[u8]) -> impl Iterator<Item = Self> {
        // RFC 8878, section 3.1.1.1.1: two bits for the length of the content size, one for a single segment, then the
        // checksum and the dictionary.
        let descriptor = frame.get(4).copied().unwrap_or_default();
        let states_len = descriptor & 0xe0 != 0;
        let (has_checksum, states_dictionary) = (descriptor & 4 != 0, descriptor & 3 != 0);
        let levels = [3, 19, 1, 22].into_iter().chain(2..=18).chain(20..=21).chain(-7..=-1);
        levels.flat_map(move |level| {
            [true, false].into_iter().filter(move |knew| *knew || !states_len).map(move |knew_len| Self {
                level,
                knew_len,
                states_len,
                has_checksum,
                states_dictionary,
            })
        })
    }

    /// Two bytes for a file.
    pub(super) fn to_bytes(self) -> [u8; 2] {
        let Self { level, knew_len, states_len, has_checksum, states_dictionary } = self;
        let flags = [knew_len, states_len, has_checksum, states_dictionary];
        [level.cast_unsigned(), flags.iter().zip(0..).map(|(&flag, bit)| u8::from(flag) << bit).sum()]
    }

    /// From two bytes of a file.
    pub(super) fn from_bytes([level, flags]: [u8; 2]) -> Option<Self> {
        let level = level.cast_signed();
        let flag = |bit: u8| flags >> bit & 1 == 1;
        ((-7..=22).contains(&level) && flags < 16).then(|| Self {
            level,
            knew_len: flag(0),
            states_len: flag(1),
            has_checksum: flag(2),
            states_dictionary: flag(3),
        })
    }
}

/// The dictionary that a file of frames begins with.
pub(super) fn dictionary_of(skippable: &[u8]) -> Option<Vec<u8>> {
    let content = skippable.strip_prefix(&DICTIONARY_MAGIC)?.get(4..)?;
    if !content.starts_with(&zstd::zstd_safe::MAGICNUMBER.to_le_bytes()) {
        return Some(content.to_vec());
    }
    let mut dictionary = Vec::new();
    Decoder::new(None)?.frame(content, DICTIONARY_LIMIT, &mut dictionary)?;
    Some(dictionary)
}

/// The length of the skippable frame that bytes begin with (RFC 8878, section 3.1.2).
pub(super) fn skippable_len(bytes: &[u8]) -> Option<u64> {
    let (magic, rest) = bytes.split_first_chunk::<4>()?;
    let is_skippable = u32::from_le_bytes(*magic) & 0xffff_fff0 == 0x184D_2A50;
    let len = u32::from_le_bytes(*rest.first_chunk()?);
    is_skippable.then_some(8 + u64::from(len))
}

/// The length of the header of a frame: the magic, the descriptor, and what that announces (RFC 8878, section 3.1.1.1).
pub(super) fn header_len(frame: &[u8]) -> usize {
    let descriptor = usize::from(frame.get(4).copied().unwrap_or_default());
    let is_single = descriptor >> 5 & 1;
    let content_len = [is_single, 2, 4, 8][descriptor >> 6];
    5 + (1 - is_single) + [0, 1, 2, 4][descriptor & 3] + content_len
}

/// Decodes frames that may refer to a dictionary.
pub(super) struct Decoder(DCtx<'static>);

impl Decoder {
    /// None if zstd refuses the dictionary or has no memory.
    pub(super) fn new(dictionary: Option<&[u8]>) -> Option<Self> {
        let mut context = DCtx::try_create()?;
        context.set_parameter(DParameter::WindowLogMax(WINDOW_LOG_MAX)).ok()?;
        if let Some(dictionary) = dictionary {
            context.load_dictionary(dictionary).ok()?;
        }
        Some(Self(context))
    }

    /// Adds the content of the frame that `bytes` begin with, and gives the frame's length. None if it is damaged, not whole,
    /// or larger than `limit`.
    pub(super) fn frame(&mut self, bytes: &[u8], limit: usize, out: &mut Vec<u8>) -> Option<usize> {
        self.0.reset(ResetDirective::SessionOnly).ok()?;
        let mut input = InBuffer::around(bytes);
        let mut room = vec![0; 128 << 10];
        loop {
            let before = input.pos();
            let mut output = OutBuffer::around(&mut room[..]);
            let left = self.0.decompress_stream(&mut output, &mut input).ok()?;
            let written = output.as_slice();
            if out.len() + written.len() > limit {
                return None;
            }
            out.extend_from_slice(written);
            if left == 0 {
                return Some(input.pos());
            }
            if written.is_empty() && input.pos() == before {
                return None;
            }
        }
    }
}

/// Makes frames that may refer to a dictionary.
pub(super) struct FrameMaker(CCtx<'static>);

impl FrameMaker {
    /// None if zstd refuses the dictionary or has no memory.
    pub(super) fn new(dictionary: Option<&[u8]>) -> Option<Self> {
        let mut context = CCtx::try_create()?;
        if let Some(dictionary) = dictionary {
            context.load_dictionary(dictionary).ok()?;
        }
        Some(Self(context))
    }

    /// Whether a frame begins as these settings make it: false only if they do not make all of it. Of a long content so little is compressed
    /// that all settings there are take no longer than one of them does for the whole.
    pub(super) fn begins(&mut self, settings: FrameSettings, content: &[u8], stored: &[u8]) -> bool {
        if content.len() <= 4 * START {
            return true;
        }
        self.start(settings, content).is_some_and(|made| {
            // The first block is the same whatever comes behind it, but for the bit that says whether it is the last.
            let header_len = header_len(&made);
            let end = made.get(header_len..header_len + 3).map_or(0, |block| {
                let header = u32::from_le_bytes([block[0], block[1], block[2], 0]);
                header_len + 3 + if header >> 1 & 3 == 1 { 1 } else { (header >> 3) as usize }
            });
            stored.get(..end).is_some_and(|start| made.get(..end) == Some(start))
        })
    }

    /// The first blocks of the frame of a content that is longer than they are.
    fn start(&mut self, settings: FrameSettings, content: &[u8]) -> Option<Vec<u8>> {
        let zstd = self.ready(settings)?;
        zstd.set_pledged_src_size(settings.knew_len.then_some(content.len() as u64)).ok()?;
        let mut made: Vec<u8> = Vec::with_capacity(zstd::zstd_safe::compress_bound(START) + 64);
        let mut output = OutBuffer::around(&mut made);
        let mut input = InBuffer::around(&content[..START]);
        let left = zstd.compress_stream2(&mut output, &mut input, End::ZSTD_e_flush).ok()?;
        (left == 0).then_some(made)
    }

    fn ready(&mut self, settings: FrameSettings) -> Option<&mut CCtx<'static>> {
        let zstd = &mut self.0;
        zstd.reset(ResetDirective::SessionOnly).ok()?;
        zstd.set_parameter(CParameter::CompressionLevel(i32::from(settings.level))).ok()?;
        zstd.set_parameter(CParameter::ContentSizeFlag(settings.states_len)).ok()?;
        zstd.set_parameter(CParameter::ChecksumFlag(settings.has_checksum)).ok()?;
        zstd.set_parameter(CParameter::DictIdFlag(settings.states_dictionary)).ok()?;
        Some(zstd)
    }

    /// The frame of a content.
    pub(super) fn frame(&mut self, settings: FrameSettings, content: &[u8]) -> Option<Vec<u8>> {
        let zstd = self.ready(settings)?;
        let mut room = vec![0; zstd::zstd_safe::compress_bound(content.len()) + 64];
        let mut output = OutBuffer::around(&mut room[..]);
        let mut input = InBuffer::around(content);
        if !settings.knew_len {
            while input.pos() < content.len() {
                zstd.compress_stream2(&mut output, &mut input, End::ZSTD_e_continue).ok()?;
            }
        }
        let left = zstd.compress_stream2(&mut output, &mut input, End::ZSTD_e_end).ok()?;
        let len = output.pos();
        room.truncate(len);
        (left == 0).then_some(room)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_a_long_frame_tells_its_settings() {
        let words = ["sieve ", "page ", "<div>", "of the ", "web ", "archive\n"];
        let mut state = 7_u32;
        let mut content = Vec::new();
        while content.len() < 5 << 20 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            content.extend_from_slice(words[(state >> 24) as usize % words.len()].as_bytes());
            content.extend_from_slice((state >> 20).to_string().as_bytes());
        }
        let mut maker = FrameMaker::new(None).expect("memory");
        for (level, knew_len) in [(3, true), (3, false), (9, true), (1, false)] {
            let states_len = knew_len;
            let settings =
                FrameSettings { level, knew_len, states_len, has_checksum: true, states_dictionary: false };
            let frame = maker.frame(settings, &content).expect("it compresses");
            let alike: Vec<_> = FrameSettings::candidates(&frame)
                .filter(|&candidate| maker.begins(candidate, &content, &frame))
                .collect();
            assert!(alike.contains(&settings), "{settings:?}: {alike:?}");
            assert!(alike.len() <= 4, "{settings:?}: {alike:?}");
        }
    }

    #[test]
    fn frames_are_made_again_with_and_without_a_dictionary() {
        let content = b"a page of words and words of a page ".repeat(9000);
        for dictionary in [None, Some(&b"words of a page and pages of words"[..])] {
            let mut maker = FrameMaker::new(dictionary).expect("memory");
            let mut decoder = Decoder::new(dictionary).expect("memory");
            for (level, knew_len) in [(3, true), (3, false), (19, true), (-1, true), (1, false)] {
                let settings = FrameSettings {
                    level,
                    knew_len,
                    states_len: knew_len,
                    has_checksum: level == 3,
                    states_dictionary: false,
                };
                assert_eq!(FrameSettings::from_bytes(settings.to_bytes()), Some(settings));
                let frame = maker.frame(settings, &content).expect("it compresses");
                assert!(
                    FrameSettings::candidates(&frame).any(|candidate| candidate == settings),
                    "{settings:?}"
                );
                let mut out = Vec::new();
                let bytes = [&frame[..], b"more"].concat();
                assert_eq!(decoder.frame(&bytes, usize::MAX, &mut out), Some(frame.len()));
                assert!(
                    out == content
                        && decoder.frame(&frame[..frame.len() - 1], usize::MAX, &mut out).is_none()
                );
            }
        }
    }
}
