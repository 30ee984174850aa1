//! Gzip members whose content is too large for memory: their stored bytes are held, and their content goes by in pieces.
//!
//! Only the reference zlib makes the same stream of a content in pieces as of the whole. What another encoder made is kept as it is.

use flate2::{Decompress, FlushDecompress, Status};

use super::deflate::Encoder;
use super::zlib::{Strategy, Zlib};

/// The pieces that a content goes by in.
const PIECE: usize = 1 << 20;

/// The content of a deflate stream that is inflated piece by piece.
pub(super) struct Pieces<'d> {
    deflated: &'d [u8],
    inflate: Decompress,
    piece: Vec<u8>,
    is_over: bool,
}

impl<'d> Pieces<'d> {
    pub(super) fn new(deflated: &'d [u8]) -> Self {
        Self { deflated, inflate: Decompress::new(false), piece: vec![0; PIECE], is_over: false }
    }

    /// The next piece; an empty one at the end of the stream. None if the stream is damaged.
    pub(super) fn next(&mut self) -> Option<&[u8]> {
        let mut len = 0;
        while !self.is_over && len < PIECE {
            let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
            let input = self.deflated.get(usize::try_from(read).ok()?..)?;
            let status =
                self.inflate.decompress(input, &mut self.piece[len..], FlushDecompress::None).ok()?;
            len += (self.inflate.total_out() - written) as usize;
            self.is_over = status == Status::StreamEnd;
            if !self.is_over && (self.inflate.total_in(), self.inflate.total_out()) == (read, written) {
                return None;
            }
        }
        Some(&self.piece[..len])
    }
}

/// An encoder that takes its content in pieces.
pub(super) struct PieceDeflater {
    zlib: Zlib,
    room: Vec<u8>,
}

impl PieceDeflater {
    /// None for encoders whose stream depends on the pieces.
    pub(super) fn new(encoder: Encoder) -> Option<Self> {
        let zlib = match encoder {
            Encoder::Zlib { level, memory } => Zlib::new(level, memory, 15, Strategy::Default)?,
            Encoder::ZlibFiltered { level } => Zlib::new(level, 8, 15, Strategy::Filtered)?,
            Encoder::ZlibTuned { level, memory, window } => {
                Zlib::new(level, memory, window, Strategy::Default)?
            }
            Encoder::ZlibNg { .. } | Encoder::Libdeflate { .. } => return None,
        };
        Some(Self { zlib, room: vec![0; 64 << 10] })
    }

    /// Takes a piece of the content, the last if it is empty. False if `emit` said to stop, none if zlib fails.
    pub(super) fn push(&mut self, piece: &[u8], emit: &mut dyn FnMut(&[u8]) -> bool) -> Option<bool> {
        let (mut rest, is_last) = (piece, piece.is_empty());
        loop {
            let step = self.zlib.step(rest, &mut self.room, is_last)?;
            rest = &rest[step.read..];
            if step.written > 0 && !emit(&self.room[..step.written]) {
                return Some(false);
            }
            // What zlib still holds back comes with the next piece.
            let is_taken = !is_last && rest.is_empty() && step.written < self.room.len();
            if step.is_done || is_taken {
                return Some(true);
            }
            if step.read == 0 && step.written == 0 {
                return None;
            }
        }
    }
}

/// Whether an encoder makes this stream of its content.
pub(super) fn is_match(encoder: Encoder, deflated: &[u8]) -> bool {
    let Some(mut maker) = PieceDeflater::new(encoder) else { return false };
    let mut pieces = Pieces::new(deflated);
    let mut rest = deflated;
    let mut compare = |bytes: &[u8]| match rest.strip_prefix(bytes) {
        Some(after) => {
            rest = after;
            true
        }
        None => false,
    };
    loop {
        let Some(piece) = pieces.next() else { return false };
        let is_last = piece.is_empty();
        if maker.push(piece, &mut compare) != Some(true) {
            return false;
        }
        if is_last {
            return rest.is_empty();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::deflate::Deflaters;
    use super::*;

    #[test]
    fn content_in_pieces_makes_the_stream_of_the_whole() {
        let content: Vec<u8> = (0..700_000_u32)
            .flat_map(|n| (n.wrapping_mul(2_654_435_761) >> 25).to_string().into_bytes())
            .collect();
        assert!(content.len() > PIECE);
        for encoder in [
            Encoder::Zlib { level: 6, memory: 8 },
            Encoder::Zlib { level: 9, memory: 9 },
            Encoder::ZlibTuned { level: 6, memory: 8, window: 12 },
        ] {
            let deflated = Deflaters::default().stream(encoder, &content).expect("memory");
            assert!(is_match(encoder, &deflated), "{encoder:?}");
            assert!(!is_match(Encoder::Zlib { level: 2, memory: 8 }, &deflated), "{encoder:?}");
            let mut pieces = Pieces::new(&deflated);
            let mut again = Vec::new();
            while let Some(piece) = pieces.next().filter(|piece| !piece.is_empty()) {
                again.extend_from_slice(piece);
            }
            assert!(again == content, "{encoder:?}");
            let mut cut = Pieces::new(&deflated[..deflated.len() - 20]);
            while cut.next().is_some_and(|piece| !piece.is_empty()) {}
            assert!(cut.next().is_none(), "damage is no end");
        }
    }
}
