//! The compression of blocks.

use liblzma::stream::{Action, Filters, LzmaOptions, Status, Stream};
use zstd::zstd_safe::{CCtx, CDict, CParameter, DCtx, DDict, InBuffer, OutBuffer, compress_bound};

use super::chunk::{ChunkKind, Frame, Packing};
use super::inner;
use super::profile::{MAX_BLOCK, Method};
use super::{Error, Result, varint};

/// Compresses blocks on one thread.
pub(super) enum BlockEncoder<'d> {
    Zstd { context: CCtx<'d>, packing: Packing, check: DCtx<'d>, dictionary: Option<&'d DDict<'static>> },
    Lzma2,
}

impl<'d> BlockEncoder<'d> {
    /// An encoder; the dictionary is for both directions, since what was compressed is read again.
    pub(super) fn new(
        method: Method,
        dictionary: Option<&'d (CDict<'static>, DDict<'static>)>,
    ) -> Result<Self> {
        let Method::Zstd(level) = method else { return Ok(Self::Lzma2) };
        let no_memory = || Error::Codec("zstd has no memory for a block");
        let mut context = CCtx::try_create().ok_or_else(no_memory)?;
        let refused = |_| Error::Codec("zstd refuses its settings");
        context.set_parameter(CParameter::CompressionLevel(level)).map_err(refused)?;
        if let Some((dictionary, _)) = dictionary {
            context.ref_cdict(dictionary).map_err(refused)?;
        }
        let packing = if dictionary.is_some() { Packing::ZstdDictionary } else { Packing::Zstd };
        let check = DCtx::try_create().ok_or_else(no_memory)?;
        Ok(Self::Zstd { context, packing, check, dictionary: dictionary.map(|(_, decoding)| decoding) })
    }

    /// The payload of a block. It has been read again and is right.
    pub(super) fn encode(&mut self, raw: &[u8]) -> Result<(Packing, Vec<u8>)> {
        let (packing, payload) = match self {
            Self::Zstd { context, packing, .. } => {
                let mut out = vec![0; compress_bound(raw.len())];
                let len = context
                    .compress2(&mut out[..], raw)
                    .map_err(|_| Error::Codec("zstd fails to compress a block"))?;
                out.truncate(len);
                (*packing, out)
            }
            Self::Lzma2 => (Packing::Lzma2, lzma2_encode(raw)?),
        };
        if payload.len() >= raw.len() {
            return Ok((Packing::Stored, raw.to_vec()));
        }
        let again = match self {
            Self::Zstd { check, dictionary, .. } => zstd_decode(check, &payload, raw.len(), *dictionary),
            Self::Lzma2 => lzma2_decode(&payload, raw.len()),
        };
        if again.as_deref() == Some(raw) {
            Ok((packing, payload))
        } else {
            Err(Error::Codec("a block does not decompress to its original content"))
        }
    }
}

/// The level at which a dictionary is prepared for [`Guess`].
pub(super) const ROUGH_LEVEL: i32 = 9;

/// Says how much would come of a few bytes of a block, in a fraction of the time: to begin with a dictionary at a high level takes as long
/// as to compress 100 KB.
pub(super) struct Guess<'d> {
    alone: CCtx<'d>,
    shared: Option<CCtx<'d>>,
}

impl<'d> Guess<'d> {
    /// With the dictionary at [`ROUGH_LEVEL`], if there is one.
    pub(super) fn new(dictionary: Option<&'d CDict<'static>>) -> Result<Self> {
        let context = |level| -> Result<CCtx<'d>> {
            let mut context = CCtx::try_create().ok_or(Error::Codec("zstd has no memory for a guess"))?;
            let refused = |_| Error::Codec("zstd refuses its settings");
            context.set_parameter(CParameter::CompressionLevel(level)).map_err(refused)?;
            Ok(context)
        };
        let mut shared = None;
        if let Some(dictionary) = dictionary {
            let mut with = context(ROUGH_LEVEL)?;
            with.ref_cdict(dictionary).map_err(|_| Error::Codec("zstd refuses its settings"))?;
            shared = Some(with);
        }
        Ok(Self { alone: context(19)?, shared })
    }

    /// About as many bytes as these would take in a block.
    pub(super) fn len_of(&mut self, raw: &[u8]) -> Option<usize> {
        let mut out = vec![0; compress_bound(raw.len())];
        let alone = self.alone.compress2(&mut out[..], raw).ok()?;
        let shared = self.shared.as_mut().and_then(|context| context.compress2(&mut out[..], raw).ok());
        Some(shared.unwrap_or(alone).min(alone))
    }
}

/// What a payload was made of. None if it is not what its frame says.
pub(super) fn decode(
    packing: Packing,
    payload: &[u8],
    raw_len: u64,
    dictionary: Option<&DDict<'static>>,
) -> Option<Vec<u8>> {
    let raw_len = usize::try_from(raw_len).ok().filter(|&len| len <= MAX_BLOCK)?;
    match packing {
        Packing::Stored => (payload.len() == raw_len).then(|| payload.to_vec()),
        Packing::Zstd => zstd_decode(&mut DCtx::try_create()?, payload, raw_len, None),
        Packing::ZstdDictionary => zstd_decode(&mut DCtx::try_create()?, payload, raw_len, Some(dictionary?)),
        Packing::Lzma2 => lzma2_decode(payload, raw_len),
    }
}

/// What the payload of a chunk was made of. None if it is not what its frame says.
pub(super) fn decode_chunk(
    frame: &Frame,
    mut payload: &[u8],
    dictionary: Option<&DDict<'static>>,
) -> Option<Vec<u8>> {
    if !frame.is_opened {
        return decode(frame.packing, payload, frame.raw_len, dictionary);
    }
    let raw_len = usize::try_from(frame.raw_len).ok().filter(|&len| len <= MAX_BLOCK)?;
    if frame.kind != ChunkKind::Block {
        return None;
    }
    let opened_len = varint::take(&mut payload)?;
    inner::close(&decode(frame.packing, payload, opened_len, dictionary)?, raw_len)
}

/// At least the first `len` bytes of what the payload of a block was made of: no more where it is a zstd frame, else all. None if that is
/// not what its frame says. `room` may be used for them: memory that was used just now is written to faster than any other.
pub(super) fn decode_start(
    frame: &Frame,
    payload: &[u8],
    dictionary: Option<&DDict<'static>>,
    len: usize,
    room: Vec<u8>,
) -> Option<Vec<u8>> {
    let dictionary = match frame.packing {
        Packing::Zstd if !frame.is_opened => None,
        Packing::ZstdDictionary if !frame.is_opened => Some(dictionary?),
        _ => return decode_chunk(frame, payload, dictionary).filter(|block| block.len() >= len),
    };
    let raw_len =
        usize::try_from(frame.raw_len).ok().filter(|&raw_len| raw_len <= MAX_BLOCK && len <= raw_len)?;
    if len > raw_len / 4 * 3 {
        return zstd_decode_to(room, &mut DCtx::try_create()?, payload, raw_len, dictionary);
    }
    zstd_decode_start(room, payload, len, dictionary)
}

/// Compresses what is no block: a dictionary, a page of an index.
pub(super) fn encode_small(raw: &[u8]) -> Result<(Packing, Vec<u8>)> {
    encode_at(raw, 19)
}

/// Compresses what is no block at a level of zstd.
pub(super) fn encode_at(raw: &[u8], level: i32) -> Result<(Packing, Vec<u8>)> {
    let mut context = CCtx::try_create().ok_or(Error::Codec("zstd has no memory for a page"))?;
    let refused = |_| Error::Codec("zstd fails to compress a page");
    context.set_parameter(CParameter::CompressionLevel(level)).map_err(refused)?;
    let mut out = vec![0; compress_bound(raw.len())];
    let len = context.compress2(&mut out[..], raw).map_err(refused)?;
    out.truncate(len);
    Ok(if len < raw.len() { (Packing::Zstd, out) } else { (Packing::Stored, raw.to_vec()) })
}

fn zstd_decode(
    context: &mut DCtx<'_>,
    payload: &[u8],
    raw_len: usize,
    dictionary: Option<&DDict<'static>>,
) -> Option<Vec<u8>> {
    zstd_decode_to(Vec::new(), context, payload, raw_len, dictionary)
}

fn zstd_decode_to(
    mut out: Vec<u8>,
    context: &mut DCtx<'_>,
    payload: &[u8],
    raw_len: usize,
    dictionary: Option<&DDict<'static>>,
) -> Option<Vec<u8>> {
    out.clear();
    out.reserve_exact(raw_len);
    let len = match dictionary {
        Some(dictionary) => context.decompress_using_ddict(&mut out, payload, dictionary),
        None => context.decompress(&mut out, payload),
    };
    (len.ok()? == raw_len).then_some(out)
}

/// The first `len` bytes of a frame.
///
/// Memory: what comes out, and the window of the frame, at most 128 MiB.
fn zstd_decode_start(
    mut out: Vec<u8>,
    payload: &[u8],
    len: usize,
    dictionary: Option<&DDict<'static>>,
) -> Option<Vec<u8>> {
    let mut context = DCtx::try_create()?;
    if let Some(dictionary) = dictionary {
        context.ref_ddict(dictionary).ok()?;
    }
    // No longer than that: zstd fills all of it.
    out.resize(len, 0);
    let mut output = OutBuffer::around(&mut out[..]);
    let mut input = InBuffer::around(payload);
    while output.pos() < len {
        let before = (output.pos(), input.pos());
        context.decompress_stream(&mut output, &mut input).ok()?;
        if (output.pos(), input.pos()) == before {
            return None;
        }
    }
    Some(out)
}

/// The smallest LZMA2 window that holds a block, as the exponent of two: 4 KiB to 128 MiB.
fn window_log(len: usize) -> u32 {
    len.next_power_of_two().ilog2().clamp(12, 27)
}

/// One byte of LZMA2 properties (the window), then the data.
fn lzma2_encode(raw: &[u8]) -> Result<Vec<u8>> {
    let refused = |_| Error::Codec("LZMA2 fails to compress a block");
    let mut options = LzmaOptions::new_preset(9 | 1 << 31).map_err(refused)?;
    let log = window_log(raw.len());
    // Text has no period of four bytes, and its letters depend on those before: measured to be 1 % smaller.
    options.dict_size(1 << log).position_bits(0).literal_context_bits(4).nice_len(273);
    let mut filters = Filters::new();
    filters.lzma2(&options);
    let mut stream = Stream::new_raw_encoder(&filters).map_err(refused)?;
    let mut out = vec![2 * (log as u8 - 12)];
    out.reserve(raw.len() / 4 + (1 << 10));
    loop {
        let rest = &raw[stream.total_in() as usize..];
        let status = stream.process_vec(rest, &mut out, Action::Finish).map_err(refused)?;
        if status == Status::StreamEnd {
            return Ok(out);
        }
        out.reserve(out.capacity().max(1 << 10));
    }
}

fn lzma2_decode(payload: &[u8], raw_len: usize) -> Option<Vec<u8>> {
    let (&window, data) = payload.split_first()?;
    // A window larger than any block is not ours, and would be memory for nothing.
    if window > 2 * (27 - 12) {
        return None;
    }
    let mut filters = Filters::new();
    filters.lzma2_properties(&[window]).ok()?;
    let mut stream = Stream::new_raw_decoder(&filters).ok()?;
    let mut out = Vec::with_capacity(raw_len);
    loop {
        let before = (stream.total_in(), out.len());
        let rest = &data[stream.total_in() as usize..];
        let status = stream.process_vec(rest, &mut out, Action::Finish).ok()?;
        let is_stuck = (stream.total_in(), out.len()) == before;
        if status == Status::StreamEnd {
            return (out.len() == raw_len).then_some(out);
        }
        if is_stuck {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_every_kind_survive_and_damage_gives_none() {
        let dictionary = b"<html><head><title>a page of the sieve</title>".repeat(4);
        let pair = (CDict::create(&dictionary, 19), DDict::create(&dictionary));
        let page = [&dictionary[20..], b"<p>words</p>"].concat().repeat(30);
        let noise: Vec<u8> = (0..3000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for method in [Method::Zstd(5), Method::Zstd(19), Method::Lzma2] {
            for dictionary in [None, Some(&pair)] {
                let mut encoder = BlockEncoder::new(method, dictionary).expect("memory");
                for raw in [&page[..], &noise, b"", b"x"] {
                    let (packing, payload) = encoder.encode(raw).expect("it compresses");
                    let decoded = |payload: &[u8], len: usize| {
                        decode(packing, payload, len as u64, dictionary.map(|pair| &pair.1))
                    };
                    assert_eq!(decoded(&payload, raw.len()).as_deref(), Some(raw));
                    assert_eq!(decoded(&payload, raw.len() + 1), None);
                    check_starts(packing, &payload, raw, dictionary.map(|pair| &pair.1));
                    if !payload.is_empty() {
                        assert_eq!(decoded(&payload[..payload.len() - 1], raw.len()), None);
                    }
                }
            }
        }
    }

    /// The start of a block is that of the whole, of any length that it has.
    fn check_starts(packing: Packing, payload: &[u8], raw: &[u8], dictionary: Option<&DDict<'static>>) {
        let (stored_len, raw_len) = (payload.len() as u64, raw.len() as u64);
        let kind = ChunkKind::Block;
        let frame = Frame { kind, packing, is_opened: false, number: 0, stored_len, raw_len, extra: None };
        for len in [0, 1, raw.len() / 3, raw.len()] {
            let start = decode_start(&frame, payload, dictionary, len.min(raw.len()), vec![7; 100]);
            let start = start.expect("it decompresses");
            assert!(start.len() >= len.min(raw.len()) && raw.starts_with(&start));
        }
        assert_eq!(decode_start(&frame, payload, dictionary, raw.len() + 1, Vec::new()), None);
        let longer = Frame { raw_len: raw_len + 1, ..frame };
        assert_eq!(decode_start(&longer, payload, dictionary, raw.len() + 1, Vec::new()), None);
        if !payload.is_empty() {
            let cut = decode_start(&frame, &payload[..payload.len() - 1], dictionary, raw.len(), Vec::new());
            assert!(cut.is_none_or(|start| start == raw), "what comes out is right");
        }
    }
}
