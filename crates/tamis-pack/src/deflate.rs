//! The deflate encoders that archives are written with, made to work again.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::panic::{AssertUnwindSafe, catch_unwind};

use flate2::{Compress, Compression, FlushCompress, Status};
use libdeflater::{CompressionLvl, Compressor};

use super::zlib::{Strategy, Zlib};

/// An encoder and its settings: together with the content they are a deflate stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Encoder {
    /// The reference zlib: Python, Java, wget, and with a `memory` of 9 gzip.
    Zlib { level: u8, memory: u8 },
    /// The reference zlib with its strategy for images, as libpng has it.
    ZlibFiltered { level: u8 },
    /// The reference zlib with a window of fewer bits than 15, or a `memory` that few choose.
    ZlibTuned { level: u8, memory: u8, window: u8 },
    /// zlib-ng and zlib-rs.
    ZlibNg { level: u8 },
    /// libdeflate, as this project writes archives.
    Libdeflate { level: u8 },
}

/// As much is compressed between two looks at whether it is still right.
const ROOM: usize = 32 << 10;

impl Encoder {
    /// All that members of archives are made with and that can be told apart, the most frequent first.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let levels = [6, 9, 1, 5, 7, 8, 4, 3, 2];
        let zlib = |memory| levels.into_iter().map(move |level| Self::Zlib { level, memory });
        zlib(8)
            .chain([6, 12, 1, 9].map(|level| Self::Libdeflate { level }))
            .chain(zlib(9))
            .chain(levels.map(|level| Self::ZlibNg { level }))
            .chain([2, 3, 4, 5, 7, 8, 10, 11].map(|level| Self::Libdeflate { level }))
    }

    /// Settings of zlib that few choose.
    pub(super) fn odd() -> impl Iterator<Item = Self> {
        let tuned = |memory, window| move |level| Self::ZlibTuned { level, memory, window };
        let windows = (9..15).rev().flat_map(move |window| [6, 9, 1].map(tuned(8, window)));
        windows.chain((1..8).rev().flat_map(move |memory| [6, 9, 1].map(tuned(memory, 15))))
    }

    /// Two bytes for a file.
    pub(super) fn to_bytes(self) -> [u8; 2] {
        match self {
            Self::Zlib { level, memory } => [memory, level],
            Self::ZlibFiltered { level } => [3, level],
            // The first bit, three for the window, four for the memory.
            Self::ZlibTuned { level, memory, window } => [0x80 | (window - 8) << 4 | memory, level],
            Self::ZlibNg { level } => [1, level],
            Self::Libdeflate { level } => [2, level],
        }
    }

    /// From two bytes of a file.
    pub(super) fn from_bytes([kind, level]: [u8; 2]) -> Option<Self> {
        match (kind, level) {
            (8 | 9, 1..=9) => Some(Self::Zlib { level, memory: kind }),
            (1, 1..=9) => Some(Self::ZlibNg { level }),
            (3, 1..=9) => Some(Self::ZlibFiltered { level }),
            (2, 1..=12) => Some(Self::Libdeflate { level }),
            (0x80.., 1..=9) => {
                let (memory, window) = (kind & 15, 8 + (kind >> 4 & 7));
                let is_odd = !(window == 15 && matches!(memory, 8 | 9));
                ((1..=9).contains(&memory) && window > 8 && is_odd).then_some(Self::ZlibTuned {
                    level,
                    memory,
                    window,
                })
            }
            _ => None,
        }
    }
}

/// Encoders at work, kept for the next stream.
#[derive(Default)]
pub(super) struct Deflaters(HashMap<Encoder, Deflater>);

impl Deflaters {
    /// The encoder, ready for a new stream. None if it has no memory.
    pub(super) fn ready(&mut self, encoder: Encoder) -> Option<&mut Deflater> {
        let deflater = match self.0.entry(encoder) {
            Entry::Occupied(found) => found.into_mut(),
            Entry::Vacant(place) => place.insert(Deflater::new(encoder)?),
        };
        deflater.reset();
        Some(deflater)
    }

    /// All that an encoder makes of a content.
    pub(super) fn stream(&mut self, encoder: Encoder, content: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let mut keep = |bytes: &[u8]| {
            out.extend_from_slice(bytes);
            true
        };
        self.ready(encoder)?.feed(content, &mut keep)?;
        Some(out)
    }

    /// How many of the first bytes that the encoder makes of the content are these.
    pub(super) fn common_len(&mut self, encoder: Encoder, content: &[u8], deflated: &[u8]) -> usize {
        let mut common = 0;
        let mut compare = |bytes: &[u8]| {
            let same =
                bytes.iter().zip(&deflated[common..]).take_while(|(made, there)| made == there).count();
            common += same;
            same == bytes.len()
        };
        let _ = self.ready(encoder).and_then(|maker| maker.feed(content, &mut compare));
        common
    }

    /// Whether the encoder makes these deflated bytes of the content.
    pub(super) fn is_match(&mut self, encoder: Encoder, content: &[u8], deflated: &[u8]) -> bool {
        let Some(maker) = self.ready(encoder) else { return false };
        let mut rest = deflated;
        let mut compare = |bytes: &[u8]| match rest.strip_prefix(bytes) {
            Some(after) => {
                rest = after;
                true
            }
            None => false,
        };
        // zlib-rs 0.6 was seen to panic, in a stream behind one that was left in its midst: a panic is no match, and
        // an encoder that did not come to its end is not used again.
        let made = catch_unwind(AssertUnwindSafe(|| maker.feed(content, &mut compare)));
        let is_done = matches!(made, Ok(Some(true)));
        if !is_done && matches!(encoder, Encoder::ZlibNg { .. }) {
            self.0.remove(&encoder);
        }
        is_done && rest.is_empty()
    }
}

/// One encoder at work.
pub(super) enum Deflater {
    Zlib(Zlib),
    ZlibNg(Box<Compress>),
    Libdeflate { compressor: Box<Compressor>, out: Vec<u8> },
}

impl Deflater {
    fn new(encoder: Encoder) -> Option<Self> {
        Some(match encoder {
            Encoder::Zlib { level, memory } => Self::Zlib(Zlib::new(level, memory, 15, Strategy::Default)?),
            Encoder::ZlibFiltered { level } => Self::Zlib(Zlib::new(level, 8, 15, Strategy::Filtered)?),
            Encoder::ZlibTuned { level, memory, window } => {
                Self::Zlib(Zlib::new(level, memory, window, Strategy::Default)?)
            }
            Encoder::ZlibNg { level } => {
                Self::ZlibNg(Box::new(Compress::new(Compression::new(u32::from(level)), false)))
            }
            Encoder::Libdeflate { level } => {
                let level = CompressionLvl::new(i32::from(level)).ok()?;
                Self::Libdeflate { compressor: Box::new(Compressor::new(level)), out: Vec::new() }
            }
        })
    }

    fn reset(&mut self) {
        match self {
            Self::Zlib(zlib) => zlib.reset(),
            Self::ZlibNg(zlib) => zlib.reset(),
            Self::Libdeflate { .. } => {}
        }
    }

    /// Compresses a content, which must come at once (what zlib-rs makes depends on the pieces it is given), and emits what comes
    /// of it; `emit` says whether to go on. Gives what it said last, or none if the encoder fails.
    pub(super) fn feed(&mut self, content: &[u8], emit: &mut dyn FnMut(&[u8]) -> bool) -> Option<bool> {
        if let Self::Libdeflate { compressor, out } = self {
            let bound = compressor.deflate_compress_bound(content.len());
            out.resize(out.len().max(bound), 0);
            let len = compressor.deflate_compress(content, out).ok()?;
            return Some(emit(&out[..len]));
        }
        let mut room = vec![0; ROOM];
        let mut rest = content;
        loop {
            let (read, written, is_done) = self.step(rest, &mut room)?;
            rest = &rest[read..];
            if written > 0 && !emit(&room[..written]) {
                return Some(false);
            }
            if is_done {
                return Some(true);
            }
            if read == 0 && written == 0 {
                return None;
            }
        }
    }

    fn step(&mut self, input: &[u8], room: &mut [u8]) -> Option<(usize, usize, bool)> {
        match self {
            Self::Zlib(zlib) => {
                let step = zlib.step(input, room, true)?;
                Some((step.read, step.written, step.is_done))
            }
            Self::ZlibNg(zlib) => {
                let (before_in, before_out) = (zlib.total_in(), zlib.total_out());
                let status = zlib.compress(input, room, FlushCompress::Finish).ok()?;
                let read = (zlib.total_in() - before_in) as usize;
                Some((read, (zlib.total_out() - before_out) as usize, status == Status::StreamEnd))
            }
            Self::Libdeflate { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn text(len: usize) -> Vec<u8> {
        let words = ["the ", "sieve ", "of ", "a ", "page ", "<p>", "</p>\n", "href=", "42 "];
        let mut state = 7_u32;
        let mut out = Vec::new();
        while out.len() < len {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
            out.extend_from_slice(words[(state >> 20) as usize % words.len()].as_bytes());
        }
        out.truncate(len);
        out
    }

    #[test]
    fn every_encoder_knows_its_own_streams() {
        let content = text(150_000);
        let mut deflaters = Deflaters::default();
        for encoder in
            Encoder::all().chain(Encoder::odd()).chain([6, 9].map(|level| Encoder::ZlibFiltered { level }))
        {
            assert_eq!(Encoder::from_bytes(encoder.to_bytes()), Some(encoder));
            let deflater = deflaters.ready(encoder).expect("memory");
            let mut whole = Vec::new();
            let mut keep = |bytes: &[u8]| {
                whole.extend_from_slice(bytes);
                true
            };
            assert_eq!(deflater.feed(&content, &mut keep), Some(true));
            let mut inflated = Vec::new();
            flate2::read::DeflateDecoder::new(&whole[..]).read_to_end(&mut inflated).expect("it inflates");
            assert!(inflated == content && deflaters.is_match(encoder, &content, &whole), "{encoder:?}");
            assert!(!deflaters.is_match(encoder, &content, &whole[..whole.len() - 1]), "{encoder:?}");
            assert!(!deflaters.is_match(encoder, &content[1..], &whole), "{encoder:?}");
        }
    }
}
