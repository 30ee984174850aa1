//! Streams inside records that are compressed already: deflate in PDF, PNG, WOFF, SWF, ZIP and gzip bodies, and JPEG images; and texts in
//! base 64, with such streams in them.
//!
//! A compressor finds nothing in them. Where it pays, a block is stored *opened*: in the place of such a stream is what it decodes to, and a list in
//! front says how the stream is made again. [`find`] finds streams in parts, [`Opener`] opens those of a block that are worth it,
//! [`close`] gives the block back. Every opened block is closed again and compared before it is written.

mod base64;
mod close;
mod find;
mod jpeg;
mod open;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::deflate::Encoder;
use super::varint::{put, take, take_bytes};

pub(super) use close::close;
pub(super) use find::find;
pub(super) use open::{Opener, Worth};
#[cfg(test)]
pub(super) use tests::archive_of_streams;

/// A stream inside a part: the pieces it lies in, in their order, counted from the start of the part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inner {
    kind: Kind,
    pieces: Vec<Range<usize>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A raw deflate stream, and its zlib header if it has one: the first byte tells its window, the second its level.
    Deflate {
        flags: Option<[u8; 2]>,
    },
    Jpeg,
    /// A text in base 64.
    Base64,
}

impl Inner {
    /// All bytes from its first to its last.
    pub(super) fn range(&self) -> Range<usize> {
        let start = self.pieces.first().map_or(0, |piece| piece.start);
        start..self.pieces.last().map_or(start, |piece| piece.end)
    }

    /// The same, of a whole that its part begins inside.
    pub(super) fn moved(mut self, by: usize) -> Self {
        self.pieces.iter_mut().for_each(|piece| *piece = piece.start + by..piece.end + by);
        self
    }

    /// The same, counted from the start of a block that holds it.
    pub(super) fn inside(&self, block: &Range<usize>) -> Option<Self> {
        let is_in = block.start <= self.range().start && self.range().end <= block.end;
        let moved = |piece: &Range<usize>| piece.start - block.start..piece.end - block.start;
        is_in.then(|| Self { kind: self.kind, pieces: self.pieces.iter().map(moved).collect() })
    }

    fn bytes(&self, whole: &[u8]) -> Vec<u8> {
        self.pieces.iter().flat_map(|piece| &whole[piece.clone()]).copied().collect()
    }
}

/// How a stream is made again of what it decodes to. Corrections to a guess, as members of the archive have them, are not among it: made to deceive, they
/// let `preflate-rs` 0.7 take memory without end.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Making {
    /// By an encoder of deflate.
    Deflate(Encoder),
    /// A JPEG image of its Lepton form.
    Jpeg,
    /// A text in base 64 of so many bytes, which are in an opened form of their own. In that no text is opened.
    Base64 { len: u64 },
}

/// An entry of the list in front of an opened block.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Opening {
    /// How many bytes of the block lie between the stream before and this one.
    before: u64,
    making: Making,
    /// How many bytes stand in the place of the stream.
    plain_len: u64,
    /// The length of the first piece of the stream.
    first_len: u64,
    /// Further pieces: how many bytes lie before each, and its length.
    others: Vec<(u64, u64)>,
}

impl Opening {
    fn put(&self, out: &mut Vec<u8>) {
        put(out, self.before);
        match &self.making {
            Making::Deflate(encoder) => {
                out.push(0);
                out.extend_from_slice(&encoder.to_bytes());
            }
            Making::Jpeg => out.push(1),
            Making::Base64 { len } => {
                out.push(2);
                put(out, *len);
            }
        }
        put(out, self.plain_len);
        put(out, self.first_len);
        put(out, self.others.len() as u64);
        for &(gap, len) in &self.others {
            put(out, gap);
            put(out, len);
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let before = take(bytes)?;
        let making = match take_bytes(bytes, 1)? {
            [0] => Making::Deflate(Encoder::from_bytes(*take_bytes(bytes, 2)?.first_chunk()?)?),
            [1] => Making::Jpeg,
            [2] => Making::Base64 { len: take(bytes)? },
            _ => return None,
        };
        let (plain_len, first_len) = (take(bytes)?, take(bytes)?);
        let mut others = Vec::new();
        for _ in 0..take(bytes)? {
            others.push((take(bytes)?, take(bytes)?));
        }
        Some(Self { before, making, plain_len, first_len, others })
    }
}
