//! Compressed members: what begins one, and how its bytes are had back.

mod gzip;
mod libdeflate;
mod zstd_frame;

pub(crate) use gzip::GzipInflater;
pub(crate) use libdeflate::{Inflated, Libdeflate};
pub(crate) use zstd_frame::{
    BLOCK_MAX, DICTIONARY_MAGIC, Dictionary, FrameEnd, ZstdInflater, first_block_end, frame_end,
    skippable_frame,
};

/// How a stretch of a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Codec {
    /// Not at all.
    Plain,
    /// RFC 1952, a member at a time.
    Gzip,
    /// RFC 8878, a frame at a time.
    Zstd,
}

impl Codec {
    /// The codec whose magic these bytes begin with.
    pub fn of(bytes: &[u8]) -> Self {
        match bytes {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            _ => Self::Plain,
        }
    }

    /// `gzip`, `zstd` or `plain`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

/// What one step of a decoder did.
pub(crate) struct Step {
    /// Bytes taken from the input.
    pub(crate) read: usize,
    /// Bytes put into the output.
    pub(crate) written: usize,
    /// Whether the member is complete and its checksum right.
    pub(crate) done: bool,
}

/// A decoder of one member, fed piece by piece.
pub(crate) enum Inflater {
    Gzip(Box<GzipInflater>),
    Zstd(Box<ZstdInflater>),
}

impl Inflater {
    /// Decodes as much as fits. The error says what is wrong with the bytes.
    pub(crate) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, &'static str> {
        match self {
            Self::Gzip(inflater) => inflater.step(input, output),
            Self::Zstd(inflater) => inflater.step(input, output),
        }
    }

    pub(crate) fn codec(&self) -> Codec {
        match self {
            Self::Gzip(_) => Codec::Gzip,
            Self::Zstd(_) => Codec::Zstd,
        }
    }
}
