//! The streams of a block opened, as far as it pays.

use flate2::{Decompress, FlushDecompress, Status};

use super::super::deflate::{Deflaters, Encoder};
use super::super::varint::put;
use super::{Inner, Kind, Making, Opening, base64, close, find, jpeg};

/// What a stream must be worth to be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Worth {
    /// The least that is saved, in hundredths of what the stream takes as it is.
    pub(in super::super) percent: usize,
    /// The most bytes that a stream decodes to, for each byte that is saved: they must be compressed again by all who read it.
    pub(in super::super) plain_for_one: usize,
    /// The most bytes that all streams of a block decode to.
    pub(in super::super) plain_limit: usize,
}

/// A stream that saves less is not opened.
const LEAST_SAVED: usize = 64;

/// Opens blocks on one thread.
#[derive(Default)]
pub(in super::super) struct Opener {
    deflaters: Deflaters,
}

impl Opener {
    /// The opened form of a block that has these streams; none if none is worth it. `packed_len` says how much the compressor makes of some bytes.
    pub(in super::super) fn open(
        &mut self,
        block: &[u8],
        streams: &[Inner],
        worth: Worth,
        packed_len: &mut dyn FnMut(&[u8]) -> Option<usize>,
    ) -> Option<Vec<u8>> {
        let (mut list, mut body) = (Vec::new(), Vec::new());
        let (mut count, mut end, mut plain_left) = (0, 0, worth.plain_limit);
        for stream in streams {
            let bytes = stream.bytes(block);
            let worth = Worth { plain_limit: plain_left, ..worth };
            let Some((making, plain)) = self.making(stream.kind, &bytes, worth, packed_len) else { continue };
            let is_worth = is_worth(&making, &plain, &bytes, worth, packed_len);
            if !is_worth.unwrap_or(false) {
                continue;
            }
            plain_left -= plain.len();
            let range = stream.range();
            stream.opening(range.start - end, making, plain.len()).put(&mut list);
            body.extend_from_slice(&block[end..range.start]);
            body.extend_from_slice(&plain);
            for two in stream.pieces.windows(2) {
                body.extend_from_slice(&block[two[0].end..two[1].start]);
            }
            (count, end) = (count + 1, range.end);
        }
        if count == 0 {
            return None;
        }
        body.extend_from_slice(&block[end..]);
        let mut opened = Vec::with_capacity(list.len() + body.len() + 2);
        put(&mut opened, count);
        opened.append(&mut list);
        opened.append(&mut body);
        (close(&opened, block.len())? == block).then_some(opened)
    }

    /// What a stream decodes to and how it is made again. It was made again and is the same.
    fn making(
        &mut self,
        kind: Kind,
        stream: &[u8],
        worth: Worth,
        packed_len: &mut dyn FnMut(&[u8]) -> Option<usize>,
    ) -> Option<(Making, Vec<u8>)> {
        let (making, plain) = match kind {
            Kind::Deflate { flags } => self.deflate(flags, stream, worth.plain_limit)?,
            Kind::Jpeg => (Making::Jpeg, jpeg::lepton_of(stream)?),
            Kind::Base64 => self.text(stream, worth, packed_len)?,
        };
        (plain.len() <= worth.plain_limit).then_some((making, plain))
    }

    fn deflate(&mut self, flags: Option<[u8; 2]>, stream: &[u8], most: usize) -> Option<(Making, Vec<u8>)> {
        let plain = inflate(stream, most)?;
        let encoder = encoders(flags).find(|encoder| self.deflaters.is_match(*encoder, &plain, stream))?;
        Some((Making::Deflate(encoder), plain))
    }

    /// A text, and the streams in what it stands for.
    fn text(
        &mut self,
        text: &[u8],
        worth: Worth,
        packed_len: &mut dyn FnMut(&[u8]) -> Option<usize>,
    ) -> Option<(Making, Vec<u8>)> {
        let bytes = base64::decode(text)?;
        let streams = find::streams_of(&bytes, 0).unwrap_or_default();
        let making = Making::Base64 { len: bytes.len() as u64 };
        let opened = self.open(&bytes, &streams, worth, packed_len);
        // Without openings the list is empty, which is a zero.
        Some((making, opened.unwrap_or_else(|| [&[0][..], &bytes].concat())))
    }
}

impl Inner {
    fn opening(&self, before: usize, making: Making, plain_len: usize) -> Opening {
        let others =
            self.pieces.windows(2).map(|two| ((two[1].start - two[0].end) as u64, two[1].len() as u64));
        Opening {
            before: before as u64,
            making,
            plain_len: plain_len as u64,
            first_len: self.pieces.first().map_or(0, ExactSizeIterator::len) as u64,
            others: others.collect(),
        }
    }
}

/// Whether an opened stream is so much smaller that it is worth making it again at each reading.
fn is_worth(
    making: &Making,
    plain: &[u8],
    stream: &[u8],
    worth: Worth,
    packed_len: &mut dyn FnMut(&[u8]) -> Option<usize>,
) -> Option<bool> {
    let now = packed_len(stream)?.min(stream.len());
    let opened = match making {
        // What is coded arithmetically has nothing left.
        Making::Jpeg => plain.len(),
        Making::Deflate(_) | Making::Base64 { .. } => packed_len(plain)?,
    };
    let saved = now.saturating_sub(opened);
    // Texts cost next to nothing, and the streams in them were judged before.
    let is_fast =
        matches!(making, Making::Base64 { .. }) || plain.len() <= saved.saturating_mul(worth.plain_for_one);
    Some(saved >= LEAST_SAVED && saved * 100 >= now * worth.percent && is_fast)
}

/// The encoders that write such a header, the most frequent first. Without one it may be any level, of which three are frequent.
fn encoders(flags: Option<[u8; 2]>) -> impl Iterator<Item = Encoder> {
    let levels: &[u8] = match flags.map(|[_, flags]| flags >> 6) {
        Some(0) => &[1],
        Some(1) => &[5, 4, 3, 2],
        Some(2) => &[6],
        Some(_) => &[9, 8, 7],
        None => &[6, 9, 1],
    };
    let of = |make: fn(u8) -> Encoder| levels.iter().map(move |&level| make(level));
    // The window of 256 bytes is one of 512 to zlib.
    let window = flags.map_or(15, |[method, _]| 8 + (method >> 4)).max(9);
    let memories: &[u8] = if window < 15 { &[8, 9] } else { &[] };
    let small = memories.iter().flat_map(move |&memory| {
        levels.iter().map(move |&level| Encoder::ZlibTuned { level, memory, window })
    });
    let usual = of(|level| Encoder::Zlib { level, memory: 8 })
        .chain(of(|level| Encoder::ZlibFiltered { level }))
        .chain(of(|level| Encoder::Zlib { level, memory: 9 }))
        .chain(of(|level| Encoder::ZlibNg { level }))
        .chain([6, 12, 9].map(|level| Encoder::Libdeflate { level }));
    small.chain(usual)
}

/// What a raw deflate stream decodes to; none if that is more than `most`, or if it does not end with the last byte.
fn inflate(stream: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut inflate = Decompress::new(false);
    let mut plain = Vec::with_capacity(most.min(4 * stream.len()).max(1 << 10));
    loop {
        let rest = &stream[inflate.total_in() as usize..];
        let before = (inflate.total_in(), plain.len());
        let status = inflate.decompress_vec(rest, &mut plain, FlushDecompress::None).ok()?;
        if plain.len() > most {
            return None;
        }
        if status == Status::StreamEnd {
            return (inflate.total_in() == stream.len() as u64).then_some(plain);
        }
        if plain.len() == plain.capacity() {
            plain.reserve(plain.capacity());
        } else if before == (inflate.total_in(), plain.len()) {
            return None;
        }
    }
}
