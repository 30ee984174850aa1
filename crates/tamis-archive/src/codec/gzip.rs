//! A gzip member decoded in pieces, for members too large or too damaged to be inflated at once.

use flate2::{Decompress, FlushDecompress, Status};

use super::Step;

/// Decodes one gzip member (RFC 1952) step by step and checks its checksum and length.
pub(crate) struct GzipInflater {
    inflate: Decompress,
    crc: crc32fast::Hasher,
    stage: Stage,
    /// Bytes of a header or trailer that came in pieces.
    pending: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Header,
    Body,
    Trailer,
    Done,
}

/// A header longer than this is none: names and comments are short.
const HEADER_LIMIT: usize = 64 << 10;

impl GzipInflater {
    pub(crate) fn new() -> Self {
        Self {
            inflate: Decompress::new(false),
            crc: crc32fast::Hasher::new(),
            stage: Stage::Header,
            pending: Vec::new(),
        }
    }

    /// Makes it ready for another member.
    pub(crate) fn reset(&mut self) {
        self.inflate.reset(false);
        self.crc.reset();
        self.stage = Stage::Header;
        self.pending.clear();
    }

    pub(crate) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, &'static str> {
        match self.stage {
            Stage::Header => self.header(input),
            Stage::Body => self.body(input, output),
            Stage::Trailer => self.trailer(input),
            Stage::Done => Ok(Step { read: 0, written: 0, done: true }),
        }
    }

    fn header(&mut self, input: &[u8]) -> Result<Step, &'static str> {
        let before = self.pending.len();
        let take = input.len().min(HEADER_LIMIT - before);
        self.pending.extend_from_slice(&input[..take]);
        let Some(len) = header_len(&self.pending)? else {
            let full = self.pending.len() == HEADER_LIMIT;
            return if full {
                Err("header too long")
            } else {
                Ok(Step { read: take, written: 0, done: false })
            };
        };
        self.pending.clear();
        self.stage = Stage::Body;
        Ok(Step { read: len - before, written: 0, done: false })
    }

    fn body(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, &'static str> {
        let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
        let status = self
            .inflate
            .decompress(input, output, FlushDecompress::None)
            .map_err(|_| "invalid deflate data")?;
        let read = (self.inflate.total_in() - read) as usize;
        let written = (self.inflate.total_out() - written) as usize;
        self.crc.update(&output[..written]);
        if status == Status::StreamEnd {
            self.stage = Stage::Trailer;
        }
        Ok(Step { read, written, done: false })
    }

    fn trailer(&mut self, input: &[u8]) -> Result<Step, &'static str> {
        let take = input.len().min(8 - self.pending.len());
        self.pending.extend_from_slice(&input[..take]);
        let &[c0, c1, c2, c3, l0, l1, l2, l3] = self.pending.as_slice() else {
            return Ok(Step { read: take, written: 0, done: false });
        };
        if u32::from_le_bytes([c0, c1, c2, c3]) != self.crc.clone().finalize() {
            return Err("checksum differs");
        }
        if u32::from_le_bytes([l0, l1, l2, l3]) != self.inflate.total_out() as u32 {
            return Err("length differs");
        }
        self.stage = Stage::Done;
        Ok(Step { read: take, written: 0, done: true })
    }
}

/// The length of the gzip header that the bytes begin with; none if they end before it does.
fn header_len(bytes: &[u8]) -> Result<Option<usize>, &'static str> {
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    const HEADER_CRC: u8 = 2;
    let magic = [0x1f, 0x8b, 8];
    if !bytes.iter().zip(magic).all(|(a, b)| *a == b) {
        return Err("no gzip header");
    }
    let Some(&flags) = bytes.get(3) else { return Ok(None) };
    if flags & 0xe0 != 0 {
        return Err("reserved header flags");
    }
    let mut at = 10;
    if flags & EXTRA != 0 {
        let Some(&[low, high]) = bytes.get(at..at + 2) else { return Ok(None) };
        at += 2 + usize::from(u16::from_le_bytes([low, high]));
    }
    for flag in [NAME, COMMENT] {
        if flags & flag != 0 {
            let Some(len) = bytes.get(at..).and_then(|rest| memchr::memchr(0, rest)) else { return Ok(None) };
            at += len + 1;
        }
    }
    at += if flags & HEADER_CRC == 0 { 0 } else { 2 };
    Ok((bytes.len() >= at).then_some(at))
}
