//! The decoders behind one small face: bytes in, bytes out, and what came of it.

use std::io;

use brotli_decompressor::{
    BrotliDecoderHasMoreOutput, BrotliDecoderTakeOutput, BrotliDecompressStream, BrotliResult, BrotliState,
    StandardAlloc,
};
use flate2::{Decompress, FlushDecompress, Status};
use zstd::stream::raw::{DParameter, Decoder as ZstdDecoder, Operation};

use super::coding::Coding;

/// The largest window that `zstd -d` takes unasked, 128 MiB. RFC 9659 allows servers 8 MiB.
const ZSTD_WINDOW_LOG_MAX: u32 = 27;

const BROTLI_PIECE_BYTES: usize = 2048;

type Brotli = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

/// A decoder of one coded stream.
pub(super) enum Decoder {
    /// gzip, zlib or raw deflate.
    Inflate(Decompress),
    Brotli(Box<Brotli>),
    Zstd(ZstdDecoder<'static>),
}

/// What one call of a decoder did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) consumed: usize,
    pub(super) produced: usize,
    pub(super) verdict: Verdict,
}

/// How the stream stands behind a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The stream goes on.
    More,
    /// The stream, or one member of it, is at its end.
    End,
    /// The bytes are no such stream.
    Failed,
}

impl Decoder {
    /// A decoder for a stream that begins with these bytes. None if no such stream begins so.
    pub(super) fn open(coding: Coding, start: &[u8]) -> io::Result<Option<Self>> {
        Ok(match coding {
            Coding::Gzip if is_gzip(start) => Some(Self::Inflate(Decompress::new_gzip(15))),
            Coding::Deflate => Some(Self::Inflate(Decompress::new(is_zlib(start)))),
            Coding::Br => Some(Self::brotli()),
            Coding::Zstd if is_zstd(start) => Some(Self::zstd()?),
            Coding::Gzip | Coding::Zstd | Coding::Chunked => None,
        })
    }

    fn brotli() -> Self {
        let alloc = StandardAlloc::default;
        // `new_strict` refuses the large windows, up to 1 GiB, that RFC 7932 does not have.
        Self::Brotli(Box::new(Brotli::new_strict(alloc(), alloc(), alloc())))
    }

    fn zstd() -> io::Result<Self> {
        let mut decoder = ZstdDecoder::new()?;
        decoder.set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG_MAX))?;
        Ok(Self::Zstd(decoder))
    }

    /// Decodes some of `input` to the beginning of `out`.
    pub(super) fn step(&mut self, input: &[u8], out: &mut [u8]) -> Step {
        match self {
            Self::Inflate(inflate) => inflate_step(inflate, input, out),
            Self::Brotli(state) => brotli_step(state, input, out),
            Self::Zstd(decoder) => zstd_step(decoder, input, out),
        }
    }
}

/// Whether another member of the same stream may begin with these bytes.
pub(super) fn goes_on_with(coding: Coding, start: &[u8]) -> bool {
    match coding {
        Coding::Gzip => is_gzip(start),
        Coding::Zstd => is_zstd(start),
        Coding::Deflate | Coding::Br | Coding::Chunked => false,
    }
}

/// Whether a stream of this coding begins with bytes that tell it from anything else.
pub(super) fn has_magic(coding: Coding) -> bool {
    matches!(coding, Coding::Gzip | Coding::Zstd)
}

fn inflate_step(inflate: &mut Decompress, input: &[u8], out: &mut [u8]) -> Step {
    let (in_before, out_before) = (inflate.total_in(), inflate.total_out());
    let status = inflate.decompress(input, out, FlushDecompress::None);
    let verdict = match status {
        Ok(Status::Ok | Status::BufError) => Verdict::More,
        Ok(Status::StreamEnd) => Verdict::End,
        Err(_) => Verdict::Failed,
    };
    let consumed = (inflate.total_in() - in_before) as usize;
    let produced = (inflate.total_out() - out_before) as usize;
    Step { consumed, produced, verdict }
}

/// The decoder fills its window ahead of what it gives, and drops it all where it fails. Small pieces, each given whole
/// before the next is taken, keep what stands before the damage.
fn brotli_step(state: &mut Brotli, input: &[u8], out: &mut [u8]) -> Step {
    if BrotliDecoderHasMoreOutput(state) {
        let mut produced = out.len();
        let ready = BrotliDecoderTakeOutput(state, &mut produced);
        out[..produced].copy_from_slice(&ready[..produced]);
        return Step { consumed: 0, produced, verdict: Verdict::More };
    }
    let input = &input[..input.len().min(BROTLI_PIECE_BYTES)];
    let (mut in_left, mut consumed, mut out_left, mut produced) = (input.len(), 0, out.len(), 0);
    let result = BrotliDecompressStream(
        &mut in_left,
        &mut consumed,
        input,
        &mut out_left,
        &mut produced,
        out,
        &mut 0,
        state,
    );
    let verdict = match result {
        BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => Verdict::More,
        BrotliResult::ResultSuccess => Verdict::End,
        BrotliResult::ResultFailure => Verdict::Failed,
    };
    Step { consumed, produced, verdict }
}

fn zstd_step(decoder: &mut ZstdDecoder<'_>, input: &[u8], out: &mut [u8]) -> Step {
    match decoder.run_on_buffers(input, out) {
        Ok(status) => {
            let verdict = if status.remaining == 0 { Verdict::End } else { Verdict::More };
            Step { consumed: status.bytes_read, produced: status.bytes_written, verdict }
        }
        Err(_) => Step { consumed: 0, produced: 0, verdict: Verdict::Failed },
    }
}

fn is_gzip(start: &[u8]) -> bool {
    start.starts_with(&[0x1f, 0x8b, 8])
}

/// RFC 1950, section 2.2: method 8, a window of at most 32 KiB, and a check that makes a multiple of 31.
fn is_zlib(start: &[u8]) -> bool {
    match *start {
        [method, flags, ..] => {
            method & 0x0f == 8 && method >> 4 <= 7 && u16::from_be_bytes([method, flags]).is_multiple_of(31)
        }
        _ => false,
    }
}

/// A frame, or a skippable one.
fn is_zstd(start: &[u8]) -> bool {
    matches!(start, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}
