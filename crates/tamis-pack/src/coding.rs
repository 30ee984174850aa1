//! How a stretch of the original file is made again from its content.

use zstd::zstd_safe::{CCtx, CParameter, DCtx, get_frame_content_size};

use super::deflate::{Deflaters, Encoder};
use super::gzip_header::{TRAILER_LEN, trailer};
use super::varint;
use super::zstd_frame::{FrameMaker, FrameSettings};

/// Content of members is held in memory up to this; that of larger gzip members goes by piece by piece, and larger zstd frames are
/// kept as they are. Tests have small members to match.
pub(super) const MEMBER_LIMIT: usize = if cfg!(test) { 8 << 20 } else { 64 << 20 };

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
    /// A gzip member of an unknown encoder with corrections of `preflate-rs`, as versions 1 to 3 have them. They are made again only
    /// with the feature `preflate`.
    GzipGuessed { header: Option<Vec<u8>> },
    /// A gzip member that is nearly what a known encoder makes: the patch is stored beside the member.
    GzipPatched { encoder: Encoder, header: Option<Vec<u8>> },
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
            Self::GzipPatched { encoder, header } => {
                out.push(5);
                out.extend_from_slice(&encoder.to_bytes());
                put_header(out, header);
            }
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
            [5] => {
                let encoder = Encoder::from_bytes(two(bytes)?)?;
                Some(Self::GzipPatched { encoder, header: header(bytes)? })
            }
            _ => None,
        }
    }

    /// The same without its header, which is then to be stored beside the member.
    pub(super) fn without_header(self) -> Self {
        match self {
            Self::Gzip { encoder, .. } => Self::Gzip { encoder, header: None },
            Self::GzipGuessed { .. } => Self::GzipGuessed { header: None },
            Self::GzipPatched { encoder, .. } => Self::GzipPatched { encoder, header: None },
            other => other,
        }
    }

    /// The header of a gzip member, given what is stored beside it; what is left of that is corrections.
    pub(super) fn header<'a>(&'a self, side: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        match self {
            Self::Gzip { header: Some(header), .. }
            | Self::GzipGuessed { header: Some(header) }
            | Self::GzipPatched { header: Some(header), .. } => Some((header, side)),
            Self::Gzip { header: None, .. }
            | Self::GzipGuessed { header: None }
            | Self::GzipPatched { header: None, .. } => {
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
            Coding::GzipPatched { encoder, .. } => {
                let made = self.deflaters.stream(*encoder, content)?;
                out.extend_from_slice(header);
                out.extend_from_slice(&patched(&made, corrections)?);
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

/// The encoder whose stream begins most like a deflate stream, and the patch from the one to the other. None if no encoder comes
/// near, or if the patch is too long to be worth it.
pub(super) fn near_miss(
    deflaters: &mut Deflaters,
    content: &[u8],
    deflated: &[u8],
) -> Option<(Encoder, Vec<u8>)> {
    // Every member that nothing makes is tried with each of these, so they are few.
    let levels = [6, 9, 1, 5, 7, 8, 4, 3, 2].map(|level| Encoder::Zlib { level, memory: 8 });
    let encoders = levels.into_iter().chain([6, 9].map(|level| Encoder::Zlib { level, memory: 9 }));
    let like = encoders.map(|encoder| (deflaters.common_len(encoder, content, deflated), encoder));
    let (len, encoder) = like.max_by_key(|&(len, encoder)| (len, std::cmp::Reverse(encoder)))?;
    // Streams of another encoder have no more than a few bytes in common, and a patch would be all of it.
    if len < NEAR_BYTES || len < deflated.len() / 8 {
        return None;
    }
    let patch = patch(&deflaters.stream(encoder, content)?, deflated)?;
    (patch.len() <= CORRECTIONS_LIMIT.min(deflated.len() / 4)).then_some((encoder, patch))
}

/// A stream that has fewer bytes than that in common with another is not near it.
const NEAR_BYTES: usize = 64;

/// What makes `wanted` of `made`: a zstd frame that refers to it.
fn patch(made: &[u8], wanted: &[u8]) -> Option<Vec<u8>> {
    let mut context = CCtx::try_create()?;
    context.set_parameter(CParameter::CompressionLevel(12)).ok()?;
    // So that the frame reaches back to the first byte.
    let window = (made.len() + wanted.len()).max(1 << 10).next_power_of_two().ilog2();
    context.set_parameter(CParameter::WindowLog(window)).ok()?;
    context.ref_prefix(made).ok()?;
    let mut out = Vec::with_capacity(zstd::zstd_safe::compress_bound(wanted.len()));
    context.compress2(&mut out, wanted).ok()?;
    Some(out)
}

/// What a patch makes of a stream; none if it is longer than any that is written.
///
/// Memory: what comes out, at most [`MEMBER_LIMIT`].
fn patched(made: &[u8], patch: &[u8]) -> Option<Vec<u8>> {
    if patch.len() > CORRECTIONS_LIMIT {
        return None;
    }
    let len = get_frame_content_size(patch).ok()??;
    let len = usize::try_from(len).ok().filter(|&len| len <= MEMBER_LIMIT)?;
    let mut context = DCtx::try_create()?;
    context.ref_prefix(made).ok()?;
    let mut out = Vec::with_capacity(len);
    context.decompress(&mut out, patch).ok()?;
    (out.len() == len).then_some(out)
}

/// The deflate stream that corrections of `preflate-rs` were made of; none if they are longer than any that were written.
///
/// Memory: that of corrections which were made of a member. Others can make the crate go on without end, and it gives no way to
/// stop it: packs of strangers are not for this.
#[cfg(feature = "preflate")]
fn deflate_corrected(content: &[u8], corrections: &[u8]) -> Option<Vec<u8>> {
    if content.len() > MEMBER_LIMIT || corrections.len() > CORRECTIONS_LIMIT {
        return None;
    }
    let recreate = || preflate_rs::recreate_whole_deflate_stream(content, corrections);
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(recreate)).ok()?.ok()
}

/// Without the feature nothing makes them again; [`Pack::restore`](super::Pack::restore) says so.
#[cfg(not(feature = "preflate"))]
fn deflate_corrected(_: &[u8], _: &[u8]) -> Option<Vec<u8>> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_that_ends_otherwise_than_its_encoder_does_is_patched() {
        let content: Vec<u8> = (0..60_000_u32).flat_map(|n| (n / 7 % 997).to_string().into_bytes()).collect();
        let mut deflaters = Deflaters::default();
        let encoder = Encoder::Zlib { level: 6, memory: 8 };
        let mut deflated = deflaters.stream(encoder, &content).expect("memory");
        let last = deflated.len() - 40;
        deflated.truncate(last);
        deflated.extend_from_slice(b"another end");
        let (found, patch) = near_miss(&mut deflaters, &content, &deflated).expect("near");
        assert!(found == encoder && patch.len() < 100, "{found:?} {}", patch.len());
        let made = deflaters.stream(found, &content).expect("memory");
        assert_eq!(patched(&made, &patch), Some(deflated.clone()));
        // Nothing in common.
        let other: Vec<u8> = deflated.iter().map(|byte| !byte).collect();
        assert_eq!(near_miss(&mut deflaters, &content, &other), None);
        // A patch that claims more than a member can have is no memory.
        let bomb = zstd::bulk::compress(&vec![0; MEMBER_LIMIT + 1], 1).expect("memory");
        assert!(bomb.len() < CORRECTIONS_LIMIT && patched(&made, &bomb).is_none());
    }
}
