//! How a stretch of the original file is made again from its content.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::deflate::{Deflaters, Encoder};
use super::gzip_header::{TRAILER_LEN, trailer};
use super::varint;
use super::zstd_frame::{FrameMaker, FrameSettings};

/// Content of members is held in memory up to this; larger ones are taken piece by piece, or kept as they are.
pub(super) const MEMBER_LIMIT: usize = 64 << 20;

/// The most codings that a pack lists; a header that is not among them is stored beside its member.
pub(super) const PALETTE_LIMIT: usize = 120;

/// Corrections are no more than this: the survey holds them in memory.
const CORRECTIONS_LIMIT: usize = 64 << 10;

/// How a stretch of the original file follows from its content.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Coding {
    /// It is its content.
    Plain,
    /// A gzip member of a known encoder. Without a header, that is stored beside the member.
    Gzip { encoder: Encoder, header: Option<Vec<u8>> },
    /// A gzip member of an unknown encoder: what differs from the guess is stored beside the member.
    GzipGuessed { header: Option<Vec<u8>> },
    /// A zstd frame.
    Zstd(FrameSettings),
    /// A gzip member that no guess makes again, or the start of one that the file ends in: all of it is stored beside its content.
    Kept,
}

impl Coding {
    /// Adds it to a list of a file.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        let put_header = |out: &mut Vec<u8>, header: &Option<Vec<u8>>| {
            varint::put_text(out, header.as_deref().unwrap_or_default());
        };
        match self {
            Self::Plain => out.push(0),
            Self::Gzip { encoder, header } => {
                out.push(1);
                out.extend_from_slice(&encoder.to_bytes());
                put_header(out, header);
            }
            Self::GzipGuessed { header } => {
                out.push(2);
                put_header(out, header);
            }
            Self::Zstd(settings) => {
                out.push(3);
                out.extend_from_slice(&settings.to_bytes());
            }
            Self::Kept => out.push(4),
        }
    }

    /// Takes one from a list of a file.
    pub(super) fn take(bytes: &mut &[u8]) -> Option<Self> {
        let two = |bytes: &mut &[u8]| varint::take_bytes(bytes, 2)?.first_chunk().copied();
        let header = |bytes: &mut &[u8]| {
            let text = varint::take_text(bytes)?;
            Some((!text.is_empty()).then(|| text.to_vec()))
        };
        match varint::take_bytes(bytes, 1)? {
            [0] => Some(Self::Plain),
            [1] => Some(Self::Gzip { encoder: Encoder::from_bytes(two(bytes)?)?, header: header(bytes)? }),
            [2] => Some(Self::GzipGuessed { header: header(bytes)? }),
            [3] => Some(Self::Zstd(FrameSettings::from_bytes(two(bytes)?)?)),
            [4] => Some(Self::Kept),
            _ => None,
        }
    }

    /// The same without its header, which is then to be stored beside the member.
    pub(super) fn without_header(self) -> Self {
        match self {
            Self::Gzip { encoder, .. } => Self::Gzip { encoder, header: None },
            Self::GzipGuessed { .. } => Self::GzipGuessed { header: None },
            other => other,
        }
    }

    /// The header of a gzip member, given what is stored beside it; what is left of that is corrections.
    pub(super) fn header<'a>(&'a self, side: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        match self {
            Self::Gzip { header: Some(header), .. } | Self::GzipGuessed { header: Some(header) } => {
                Some((header, side))
            }
            Self::Gzip { header: None, .. } | Self::GzipGuessed { header: None } => {
                let mut rest = side;
                let header = varint::take_text(&mut rest)?;
                Some((header, rest))
            }
            Self::Plain | Self::Zstd(_) | Self::Kept => Some((&[], side)),
        }
    }
}

/// Makes members again. It keeps its encoders for the next member.
#[derive(Default)]
pub(super) struct Remaker {
    pub(super) deflaters: Deflaters,
    frames: Option<FrameMaker>,
    dictionary: Option<Vec<u8>>,
}

impl Remaker {
    /// The dictionary of the zstd frames from here on.
    pub(super) fn set_dictionary(&mut self, dictionary: Option<Vec<u8>>) {
        if self.dictionary != dictionary {
            self.dictionary = dictionary;
            self.frames = None;
        }
    }

    /// Adds the stretch of the file that a content was made of. None if that fails, or if the encoder takes its content
    /// as a stream only.
    pub(super) fn remake(
        &mut self,
        coding: &Coding,
        content: &[u8],
        side: &[u8],
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let (header, corrections) = coding.header(side)?;
        match coding {
            Coding::Plain => out.extend_from_slice(content),
            Coding::Kept => out.extend_from_slice(side),
            Coding::Zstd(settings) => out.extend_from_slice(&self.frame(*settings, content)?),
            Coding::Gzip { encoder, .. } => {
                out.extend_from_slice(header);
                let deflater = self.deflaters.ready(*encoder)?;
                deflater.feed(content, &mut |bytes| {
                    out.extend_from_slice(bytes);
                    true
                })?;
                out.extend_from_slice(&trailer(crc32fast::hash(content), content.len() as u64));
            }
            Coding::GzipGuessed { .. } => {
                out.reserve(header.len() + content.len() / 3 + TRAILER_LEN);
                out.extend_from_slice(header);
                out.extend_from_slice(&deflate_corrected(content, corrections)?);
                out.extend_from_slice(&trailer(crc32fast::hash(content), content.len() as u64));
            }
        }
        Some(())
    }

    /// A zstd frame of the content.
    fn frame(&mut self, settings: FrameSettings, content: &[u8]) -> Option<Vec<u8>> {
        self.frames()?.frame(settings, content)
    }

    /// Whether a zstd frame is made by these settings of the content.
    pub(super) fn is_frame(&mut self, settings: FrameSettings, content: &[u8], stored: &[u8]) -> bool {
        let Some(frames) = self.frames() else { return false };
        frames.begins(settings, content, stored)
            && frames.frame(settings, content).is_some_and(|made| made == stored)
    }

    fn frames(&mut self) -> Option<&mut FrameMaker> {
        if self.frames.is_none() {
            self.frames = FrameMaker::new(self.dictionary.as_deref());
        }
        self.frames.as_mut()
    }
}

/// What a deflate stream differs by from the best guess of its encoder; none if there is no good guess.
pub(super) fn corrections(content: &[u8], deflated: &[u8]) -> Option<Vec<u8>> {
    let config = preflate_rs::PreflateConfig {
        max_chain_length: 4096,
        plain_text_limit: MEMBER_LIMIT,
        verify_compression: false,
    };
    // The crate is written to give errors, and a panic in it must not end the work either.
    let guess = || preflate_rs::preflate_whole_deflate_stream(deflated, &config);
    let (result, text) = catch_unwind(AssertUnwindSafe(guess)).ok()?.ok()?;
    let most = CORRECTIONS_LIMIT.min(deflated.len() / 4);
    (text.text() == content && result.corrections.len() <= most).then_some(result.corrections)
}

/// The deflate stream that corrections were made of; none if they are longer than any that are written.
///
/// Memory: that of corrections which [`corrections`] made. Others can make the crate go on without end, and it gives no way to stop it.
pub(super) fn deflate_corrected(content: &[u8], corrections: &[u8]) -> Option<Vec<u8>> {
    if content.len() > MEMBER_LIMIT || corrections.len() > CORRECTIONS_LIMIT {
        return None;
    }
    let recreate = || preflate_rs::recreate_whole_deflate_stream(content, corrections);
    catch_unwind(AssertUnwindSafe(recreate)).ok()?.ok()
}
