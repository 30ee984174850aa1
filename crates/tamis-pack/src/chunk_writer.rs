//! Chunks written one after another.

use std::io::{self, Write};

use super::chunk::{ChunkKind, Frame, Packing};
use super::root::Place;

/// Writes chunks and knows where they are.
pub(super) struct ChunkWriter<W> {
    out: W,
    offset: u64,
}

impl<W: Write> ChunkWriter<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, offset: 0 }
    }

    /// How much was written.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Writes bytes that are no chunk: the header and the footer.
    pub(super) fn put_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    /// Writes a chunk that is not an opened block.
    pub(super) fn put(
        &mut self,
        kind: ChunkKind,
        number: u64,
        (packing, payload): (Packing, &[u8]),
        raw_len: u64,
    ) -> io::Result<Place> {
        let stored_len = payload.len() as u64;
        let extra = Some(0);
        self.put_frame(Frame { kind, packing, is_opened: false, number, stored_len, raw_len, extra }, payload)
    }

    /// Writes a chunk.
    pub(super) fn put_frame(&mut self, frame: Frame, payload: &[u8]) -> io::Result<Place> {
        let len = frame.write(payload, &mut self.out)?;
        let place = Place { offset: self.offset, len };
        self.offset += len;
        Ok(place)
    }

    pub(super) fn into_inner(self) -> W {
        self.out
    }
}
