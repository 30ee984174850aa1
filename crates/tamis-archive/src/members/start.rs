//! Where members and records begin, looked for from any place of a file.

use std::io;

use super::Members;
use crate::boundary::{is_sure_head, is_warc_head, starts_arc, starts_record};
use crate::codec::{
    BLOCK_MAX, Codec, FrameEnd, GzipInflater, Inflater, ZstdInflater, first_block_end, frame_end,
    skippable_frame,
};
use crate::input::SHRINK;

/// Decoded bytes that decide whether a member holds a record.
const PROBE: usize = 1 << 10;

/// Compressed bytes decoded for that, at most; a zstd frame gives nothing before its first block is complete, so of one
/// the first block is decoded. The bound keeps bytes full of magics cheap.
const PROBE_INPUT: usize = 4 << 10;

/// Members are followed for this many bytes to tell those of the file from those inside a record: a `.warc.gz` or `.warc.zst`
/// that was archived itself is stored in blocks of at most 64 KiB (gzip) or 128 KiB (zstd), and the header of each block
/// breaks the chain of the members inside.
const CHAIN: u64 = BLOCK_MAX as u64 + 64;

/// A gzip member longer than this is believed without its end.
const GZIP_CHAIN_MAX: usize = (1 << 20) / SHRINK;

/// The head of a record lies at most this far after the start of its member, if it is stored uncompressed: the header of
/// the member, with the file name or extra field that gzip allows.
const MEMBER_HEADER: u64 = 64;

/// Where a search for the first record of a range ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// At a record or member that belongs to the file.
    Sure,
    /// At what may be inside a record.
    Unsure,
    /// No record begins before the limit.
    Nothing,
}

impl Members {
    /// Goes to the first member, or record of a plain file, that begins at or after the input's place. Reports no faults
    /// about the bytes before it. False if there is none before `limit`.
    pub(crate) fn synchronise(&mut self, limit: u64) -> io::Result<bool> {
        loop {
            let is_found = self.find_start(true, limit)?;
            if is_found || self.input.offset() >= limit || self.input.pass_hole()?.is_none() {
                return Ok(is_found);
            }
        }
    }

    /// Like [`Self::synchronise`], and says whether the place can be trusted. In plain bytes none can: a record may hold
    /// another archive of any length.
    pub(crate) fn synchronise_surely(&mut self, limit: u64) -> io::Result<Found> {
        if self.is_plain_file()? {
            return Ok(Found::Unsure);
        }
        while self.synchronise(limit)? {
            let is_sure = match Codec::of(self.input.window()) {
                Codec::Plain if self.is_inside_member()? => {
                    self.input.consume(1);
                    continue;
                }
                Codec::Plain => false,
                Codec::Gzip => self.is_gzip_chain()?,
                Codec::Zstd => self.is_zstd_chain()?,
            };
            return Ok(if is_sure { Found::Sure } else { Found::Unsure });
        }
        Ok(Found::Nothing)
    }

    /// Whether the file begins with no compressed member. Then none of it is read as one.
    fn is_plain_file(&self) -> io::Result<bool> {
        let mut start = [0; 4];
        let start = self.input.read_at(0, &mut start)?;
        Ok(start.is_none_or(|start| Codec::of(start) == Codec::Plain))
    }

    /// Whether the head of a record at the input's place is the stored content of a member that begins just before it.
    fn is_inside_member(&self) -> io::Result<bool> {
        let offset = self.input.offset();
        let from = offset.saturating_sub(MEMBER_HEADER);
        let mut before = [0; MEMBER_HEADER as usize];
        let before = &mut before[..(offset - from) as usize];
        let before = self.input.read_at(from, before)?.unwrap_or_default();
        Ok((0..before.len()).any(|at| Codec::of(&before[at..]) != Codec::Plain))
    }

    /// Whether zstd frames follow one another from the input's place on, as far as [`CHAIN`] or the end of the file.
    fn is_zstd_chain(&self) -> io::Result<bool> {
        let Some(len) = self.input.len() else { return Ok(true) };
        let read_at =
            |offset: u64, room: &mut [u8]| Ok(self.input.read_at(offset, room)?.map_or(0, <[u8]>::len));
        let start = self.input.offset();
        let mut at = start;
        while at - start < CHAIN && at < len {
            let mut room = [0; PROBE];
            let bytes = self.input.read_at(at, &mut room)?.unwrap_or_default();
            at = match Codec::of(bytes) {
                Codec::Zstd => match frame_end(at, read_at, len)? {
                    FrameEnd::At(end) => end,
                    FrameEnd::Cut => return Ok(true),
                    FrameEnd::Invalid => return Ok(false),
                },
                Codec::Gzip => return Ok(true),
                Codec::Plain => return Ok(starts_record(bytes)),
            };
        }
        Ok(true)
    }

    /// Whether gzip members follow one another from the input's place on, as far as [`CHAIN`] or the end of the file.
    fn is_gzip_chain(&mut self) -> io::Result<bool> {
        let mut inflater = self.gzip.take().unwrap_or_else(|| Box::new(GzipInflater::new()));
        let is_chain = self.follow_gzip(&mut inflater);
        self.gzip = Some(inflater);
        is_chain
    }

    fn follow_gzip(&mut self, inflater: &mut GzipInflater) -> io::Result<bool> {
        let mut out = vec![0; (64 << 10) / SHRINK];
        inflater.reset();
        let (mut at, mut member) = (0, 0);
        loop {
            if at > GZIP_CHAIN_MAX {
                return Ok(true);
            }
            if at + PROBE > self.input.window().len() {
                self.input.fill()?;
            }
            let bytes = &self.input.window()[at..];
            if at == member && at > 0 {
                match Codec::of(bytes) {
                    _ if bytes.is_empty() || at as u64 >= CHAIN => return Ok(true),
                    Codec::Gzip => {}
                    Codec::Zstd => return Ok(true),
                    Codec::Plain => return Ok(starts_record(bytes)),
                }
            }
            let Ok(step) = inflater.step(bytes, &mut out) else { return Ok(false) };
            at += step.read;
            if step.done {
                inflater.reset();
                member = at;
            } else if step.read == 0 && step.written == 0 && self.input.at_eof() {
                return Ok(true);
            }
        }
    }

    /// Goes to the next place where a member begins that holds a record, or a plain record at the start of a line.
    pub(super) fn find_start(&mut self, arc: bool, limit: u64) -> io::Result<bool> {
        let mut after_line_end = self.input.offset() == 0;
        loop {
            self.input.top_up()?;
            if self.input.window().is_empty() || self.input.offset() >= limit {
                return Ok(false);
            }
            let at_eof = self.input.at_eof();
            let len = self.input.window().len();
            // Near the window's end too little is seen to judge, unless there is no more.
            let judged = if at_eof { len } else { len - (len / 2).min((64 << 10) / SHRINK) };
            let mut at = 0;
            while at < judged {
                // A magic may lie across the end of what is judged.
                let Some(hit) = next_candidate(&self.input.window()[at..], arc) else { break };
                at += hit;
                if at >= judged {
                    break;
                }
                let before = if at == 0 { after_line_end } else { self.input.window()[at - 1] == b'\n' };
                if self.is_start(at, before)? {
                    self.input.consume(at);
                    return Ok(true);
                }
                at += 1;
            }
            after_line_end = self.input.window()[judged - 1] == b'\n';
            self.input.consume(judged);
        }
    }

    fn is_start(&mut self, at: usize, after_line_end: bool) -> io::Result<bool> {
        if let Some(len) = self.zstd_probe(at) {
            while self.input.window().len() < at + len && self.input.fill()? {}
            self.probed += len as u64;
        }
        let bytes = &self.input.window()[at..];
        Ok(match Codec::of(bytes) {
            Codec::Plain => {
                is_sure_head(bytes) || (after_line_end && (is_warc_head(bytes) || starts_arc(bytes)))
            }
            Codec::Gzip => {
                let mut inflater = self.gzip.take().unwrap_or_else(|| Box::new(GzipInflater::new()));
                inflater.reset();
                let mut inflater = Inflater::Gzip(inflater);
                let is_start = inflates_to(&mut inflater, first(bytes, PROBE_INPUT), self.is_content);
                if let Inflater::Gzip(inflater) = inflater {
                    self.gzip = Some(inflater);
                }
                is_start
            }
            Codec::Zstd => {
                let Some(len) = self.zstd_probe(at) else { return Ok(false) };
                let made = || ZstdInflater::new(self.dictionary.as_ref()).map(Box::new);
                let Some(mut inflater) = self.zstd.take().or_else(made) else { return Ok(false) };
                inflater.reset();
                let mut inflater = Inflater::Zstd(inflater);
                let is_start = inflates_to(&mut inflater, first(bytes, len), self.is_content);
                if let Inflater::Zstd(inflater) = inflater {
                    self.zstd = Some(inflater);
                }
                is_start
            }
        })
    }

    /// How many bytes to decode of what may be a zstd frame at a place of the window. None if it is none.
    fn zstd_probe(&self, at: usize) -> Option<usize> {
        let bytes = &self.input.window()[at..];
        if Codec::of(bytes) != Codec::Zstd || skippable_frame(bytes).is_some() {
            return None;
        }
        let needed = first_block_end(bytes)?.max(PROBE_INPUT);
        let is_affordable = self.probed <= (64 << 20) + 8 * self.input.offset();
        Some(if is_affordable { needed } else { PROBE_INPUT })
    }
}

/// The next byte that may begin a member or a record: magics, `WARC/` or, if `arc`, the start of a line.
fn next_candidate(bytes: &[u8], arc: bool) -> Option<usize> {
    let interesting = |i: &usize| {
        let rest = &bytes[*i..];
        match rest {
            [0x1f, 0x8b, 8, flags, ..] => flags & 0xe0 == 0,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [b'W' | b'w', b'A' | b'a', b'R' | b'r', b'C' | b'c', b'/', ..] => {
                true
            }
            [first, ..] => arc && first.is_ascii_alphabetic() && (*i == 0 || bytes[*i - 1] == b'\n'),
            [] => false,
        }
    };
    (0..bytes.len()).find(interesting)
}

fn inflates_to(inflater: &mut Inflater, bytes: &[u8], is_content: fn(&[u8]) -> bool) -> bool {
    let mut out = [0; PROBE];
    let (mut read, mut written) = (0, 0);
    while written < PROBE {
        let Ok(step) = inflater.step(&bytes[read..], &mut out[written..]) else { break };
        read += step.read;
        written += step.written;
        if step.done || (step.read == 0 && step.written == 0) {
            break;
        }
    }
    is_content(&out[..written])
}

fn first(bytes: &[u8], len: usize) -> &[u8] {
    &bytes[..bytes.len().min(len)]
}
