//! zstd frames and the dictionary that a file of them may begin with.

use std::io::Read;

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
