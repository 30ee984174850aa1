//! Streams found in a part: by the type that its body shows, and only where that type has them.

use std::ops::Range;

use flate2::{Decompress, FlushDecompress, Status};
use memchr::memmem;

use super::super::gzip_header::{self, Header};
use super::{Inner, Kind, base64, jpeg};

/// How far a body is looked for behind blank lines, and behind how many of them: the head of a record, and that of HTTP.
const HEADS_LIMIT: usize = 64 << 10;
const HEADS: usize = 3;

/// A shorter stream is left alone.
const LEAST: usize = 128;

/// A longer one, too: it would make its block too large.
const MOST: usize = 16 << 20;

/// All that is inflated to find the ends of streams: so much, and so much for each byte of the part. Streams that do not end
/// could be inflated many times over.
const BUDGET: usize = 64 << 20;
const BUDGET_FOR_ONE: usize = 64;

/// The streams of a part in their order. Time is linear in its length.
pub(in super::super) fn find(part: &[u8]) -> Vec<Inner> {
    bodies(part).find_map(|start| streams_of(part, start)).unwrap_or_else(|| texts_of(part))
}

/// Texts in base 64, in data URIs (RFC 2397) and elsewhere.
fn texts_of(part: &[u8]) -> Vec<Inner> {
    let texts = base64::texts(part, LEAST).filter(|text| text.len() <= MOST);
    texts.map(|text| Inner { kind: Kind::Base64, pieces: vec![text] }).collect()
}

/// Where a body may begin: behind each of the first blank lines.
fn bodies(part: &[u8]) -> impl Iterator<Item = usize> {
    let head = &part[..part.len().min(HEADS_LIMIT)];
    let ends = memchr::memchr_iter(b'\n', head).filter_map(move |end| match &head[end + 1..] {
        [b'\n', ..] => Some(end + 2),
        [b'\r', b'\n', ..] => Some(end + 3),
        _ => None,
    });
    ends.take(HEADS)
}

/// The streams of a body that begins at a place; none if it is of no type that has them.
pub(super) fn streams_of(part: &[u8], start: usize) -> Option<Vec<Inner>> {
    let mut scan = Scan {
        part,
        found: Vec::new(),
        inflate: Decompress::new(false),
        room: vec![0; 64 << 10],
        budget: BUDGET.saturating_add(part.len().saturating_mul(BUDGET_FOR_ONE)),
    };
    // What ends before its time has the streams that were found until then.
    match &part[start..] {
        [b'%', b'P', b'D', b'F', ..] => scan.pdf(start),
        [b'P', b'K', 3, 4, ..] => scan.zip(start),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => _ = scan.png(start),
        [b'w', b'O', b'F', b'F', ..] => _ = scan.woff(start),
        [b'C', b'W', b'S', ..] => _ = scan.zlib(start + 8),
        [0x1f, 0x8b, 8, ..] => _ = scan.gzip(start),
        [0xff, 0xd8, 0xff, ..] => _ = scan.jpeg(start..end_of(part)),
        _ => return None,
    }
    Some(scan.found)
}

/// Where the body of a part ends: before the line ends between records.
fn end_of(part: &[u8]) -> usize {
    part.len() - if part.ends_with(b"\r\n\r\n") { 4 } else { 0 }
}

struct Scan<'a> {
    part: &'a [u8],
    found: Vec<Inner>,
    inflate: Decompress,
    room: Vec<u8>,
    budget: usize,
}

impl Scan<'_> {
    fn number(&self, at: usize, len: usize) -> Option<usize> {
        let bytes = self.part.get(at..at.checked_add(len)?)?;
        Some(bytes.iter().fold(0, |sum, &byte| sum << 8 | usize::from(byte)))
    }

    fn little(&self, at: usize) -> Option<usize> {
        self.number(at, 2).map(|number| usize::from((number as u16).swap_bytes()))
    }

    /// Streams of PDF (ISO 32000-1, 7.3.8) begin behind the word and a line end.
    fn pdf(&mut self, start: usize) {
        let mut at = start;
        while let Some(found) = memmem::find(&self.part[at..], b"stream") {
            at += found + b"stream".len();
            let begin = match &self.part[at..] {
                [b'\r', b'\n', ..] => at + 2,
                [b'\n' | b'\r', ..] => at + 1,
                _ => continue,
            };
            let end = match &self.part[begin..] {
                [0xff, 0xd8, 0xff, ..] => self.pdf_image(begin),
                _ => self.zlib(begin),
            };
            at = end.unwrap_or(begin);
        }
    }

    fn pdf_image(&mut self, start: usize) -> Option<usize> {
        let word = memmem::find(&self.part[start..], b"endstream")?;
        let end = memmem::rfind(&self.part[start..start + word], b"\xff\xd9")?;
        let end = start + end + 2;
        self.jpeg(start..end)?;
        Some(end)
    }

    fn jpeg(&mut self, range: Range<usize>) -> Option<()> {
        let is_in = (LEAST..=jpeg::LIMIT).contains(&range.len());
        is_in.then(|| self.found.push(Inner { kind: Kind::Jpeg, pieces: vec![range] }))
    }

    /// The data of a PNG image is one zlib stream, cut into chunks (PNG specification, 10.1).
    fn png(&mut self, start: usize) -> Option<()> {
        let mut at = start + 8;
        let mut pieces = Vec::new();
        while let (Some(len), Some(name)) = (self.number(at, 4), self.part.get(at + 4..at + 8)) {
            let end = at.checked_add(len)?.checked_add(12).filter(|&end| end <= self.part.len());
            match (name, end) {
                (b"IDAT", Some(end)) => pieces.push(at + 8..end - 4),
                (_, Some(_)) if pieces.is_empty() => {}
                _ => break,
            }
            at = end?;
        }
        let stored: Vec<u8> = pieces.iter().flat_map(|piece| &self.part[piece.clone()]).copied().collect();
        let flags = zlib_flags(&stored)?;
        let len = self.deflate_len(&stored[2..])?;
        let pieces = cut(&pieces, 2..2 + len);
        self.push(pieces, Some(flags))
    }

    /// Tables of WOFF 1.0 (section 4) are zlib streams, those that are smaller so.
    fn woff(&mut self, start: usize) -> Option<()> {
        let tables = self.number(start + 12, 2)?;
        let mut starts = Vec::new();
        for entry in (0..tables).map(|table| start + 44 + 20 * table) {
            let (offset, stored) = (self.number(entry + 4, 4)?, self.number(entry + 8, 4)?);
            if stored < self.number(entry + 12, 4)? {
                starts.push(start + offset);
            }
        }
        starts.sort_unstable();
        let mut end = 0;
        for at in starts {
            if at >= end {
                end = self.zlib(at).unwrap_or(end);
            }
        }
        Some(())
    }

    fn gzip(&mut self, start: usize) -> Option<()> {
        let Header::Whole(len) = gzip_header::parse(&self.part[start..]) else { return None };
        self.deflate(start + len, None).map(drop)
    }

    /// Members of ZIP that are deflated, by their local headers (APPNOTE 4.3.7).
    fn zip(&mut self, start: usize) {
        let mut at = start;
        while let Some(found) = memmem::find(&self.part[at..], b"PK\x03\x04") {
            let header = at + found;
            at = header + 4;
            let (Some(method), Some(name), Some(extra)) =
                (self.little(header + 8), self.little(header + 26), self.little(header + 28))
            else {
                break;
            };
            if method == 8 {
                at = self.deflate(header + 30 + name + extra, None).unwrap_or(at);
            }
        }
    }

    /// Notes a zlib stream (RFC 1950) and tells where its deflate stream ends.
    fn zlib(&mut self, start: usize) -> Option<usize> {
        let flags = zlib_flags(self.part.get(start..)?)?;
        self.deflate(start + 2, Some(flags))
    }

    fn deflate(&mut self, start: usize, flags: Option<[u8; 2]>) -> Option<usize> {
        let part = self.part;
        let end = start + self.deflate_len(part.get(start..)?)?;
        let piece = start..end;
        self.push(vec![piece], flags)?;
        Some(end)
    }

    fn push(&mut self, pieces: Vec<Range<usize>>, flags: Option<[u8; 2]>) -> Option<()> {
        let len: usize = pieces.iter().map(ExactSizeIterator::len).sum();
        (LEAST..=MOST)
            .contains(&len)
            .then(|| self.found.push(Inner { kind: Kind::Deflate { flags }, pieces }))
    }

    /// How long the raw deflate stream in front of some bytes is; none if it does not end there, or if the budget does.
    fn deflate_len(&mut self, bytes: &[u8]) -> Option<usize> {
        self.inflate.reset(false);
        loop {
            let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
            let input = &bytes[read as usize..];
            let status = self.inflate.decompress(input, &mut self.room, FlushDecompress::None);
            let step = self.inflate.total_out() - written;
            self.budget = self.budget.checked_sub(step as usize + LEAST)?;
            match status.ok()? {
                Status::StreamEnd => return Some(self.inflate.total_in() as usize),
                _ if step == 0 && self.inflate.total_in() == read => return None,
                _ => {}
            }
        }
    }
}

/// The second byte of a zlib header with a window of any size and no dictionary.
fn zlib_flags(bytes: &[u8]) -> Option<[u8; 2]> {
    let &[method, flags, ..] = bytes else { return None };
    let is_header = method & 15 == 8
        && method >> 4 <= 7
        && flags & 0x20 == 0
        && (u16::from(method) << 8 | u16::from(flags)).is_multiple_of(31);
    is_header.then_some([method, flags])
}

/// The pieces that a range of their joined bytes lies in.
fn cut(pieces: &[Range<usize>], range: Range<usize>) -> Vec<Range<usize>> {
    let (mut start, mut found) = (0, Vec::new());
    for piece in pieces {
        let (from, to) =
            (range.start.clamp(start, start + piece.len()), range.end.clamp(start, start + piece.len()));
        if from < to {
            found.push(piece.start + from - start..piece.start + to - start);
        }
        start += piece.len();
    }
    found
}
