//! A file cut into its compressed members, plain stretches, and bytes that are neither.
//!
//! Members that decode and have the right checksum are decoded; all else is given as it is, so that the pieces in their order are
//! the file, whatever its bytes.

use std::fs::File;
use std::io::{self, Read};

use flate2::{Decompress, FlushDecompress, Status};
use tamis_archive::Codec;

use super::coding::MEMBER_LIMIT;
use super::gzip_header::{self, Header, TRAILER_LEN};
use super::zstd_frame::{self, Decoder};

/// What is read at once.
const READ: usize = 1 << 20;

/// The pieces of plain and raw stretches.
const PIECE: usize = 1 << 20;

/// What is looked at to tell what follows.
const LOOK: usize = 64 << 10;

/// The most content of a member. Lengths in gzip trailers have 32 bits.
const LARGE_LIMIT: u64 = u32::MAX as u64;

/// Bytes that were decoded in vain and still may be without giving up, and how many for each byte of the file: so
/// bytes full of magics cost linear time.
const VAIN: u64 = 64 << 20;
const VAIN_RATIO: u64 = 4;

/// A piece of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A part of a plain archive.
    Plain(Vec<u8>),
    /// A part of something that is no archive: damage, garbage, a skippable frame.
    Raw(Vec<u8>),
    /// A gzip member whose checksum is right.
    Gzip { stored: Vec<u8>, header_len: usize, content: Vec<u8> },
    /// The same, of more content than is held in memory: its length.
    LargeGzip { stored: Vec<u8>, header_len: usize, content_len: u64 },
    /// A zstd frame.
    Zstd { stored: Vec<u8>, content: Vec<u8> },
    /// A gzip member that the file ends in, and what is there of its content: the start of a record.
    Cut { stored: Vec<u8>, content: Vec<u8> },
}

/// Cuts a file.
///
/// Memory: [`MEMBER_LIMIT`] for a member and as much for its content, beside what was given away.
pub(super) struct Splitter {
    file: File,
    buf: Vec<u8>,
    start: usize,
    is_eof: bool,
    offset: u64,
    /// Inside a plain archive, in which no member is looked for.
    is_plain: bool,
    /// What is ahead was tried as a member and is none.
    is_refused: bool,
    /// So much of what is ahead is raw, whatever it looks like.
    raw_ahead: u64,
    in_vain: u64,
    inflate: Decompress,
    frames: Option<Decoder>,
    /// The dictionary of the zstd frames, as it was found at the start of the file.
    dictionary: Option<Vec<u8>>,
}

impl Splitter {
    pub(super) fn new(file: File) -> Self {
        Self {
            file,
            buf: Vec::new(),
            start: 0,
            is_eof: false,
            offset: 0,
            is_plain: false,
            is_refused: false,
            raw_ahead: 0,
            in_vain: 0,
            inflate: Decompress::new(false),
            frames: None,
            dictionary: None,
        }
    }

    /// The dictionary that the zstd frames of the file refer to.
    pub(super) fn dictionary(&self) -> Option<&[u8]> {
        self.dictionary.as_deref()
    }

    /// The next piece; none at the end of the file.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece>> {
        loop {
            self.look(LOOK)?;
            if self.window().is_empty() {
                return Ok(None);
            }
            if self.is_plain {
                return self.take(PIECE).map(Piece::Plain).map(Some);
            }
            if self.raw_ahead > 0 {
                let len = self.raw_ahead.min(PIECE as u64) as usize;
                let piece = self.take(len)?;
                self.raw_ahead -= piece.len() as u64;
                return Ok(Some(Piece::Raw(piece)));
            }
            if std::mem::take(&mut self.is_refused) {
                return self.take_refused().map(Some);
            }
            if let Some(piece) = self.take_whole()? {
                return Ok(Some(piece));
            }
        }
    }

    /// A member, if one is ahead; else says what is ahead in its place.
    fn take_whole(&mut self) -> io::Result<Option<Piece>> {
        let is_tired = self.in_vain > VAIN + VAIN_RATIO * self.offset;
        if let Some(len) = zstd_frame::skippable_len(self.window()) {
            self.raw_ahead = len;
            self.note_dictionary(len)?;
            return Ok(None);
        }
        let piece = match Codec::of(self.window()) {
            Codec::Gzip if !is_tired => self.gzip()?,
            Codec::Zstd if !is_tired => self.zstd()?,
            Codec::Plain if starts_archive(self.window()) => {
                self.is_plain = true;
                return Ok(None);
            }
            _ => None,
        };
        self.is_refused = piece.is_none();
        Ok(piece)
    }

    /// Bytes up to the next that may begin a member.
    fn take_refused(&mut self) -> io::Result<Piece> {
        self.look(PIECE)?;
        let window = &self.window()[..self.window().len().min(PIECE)];
        let next = memchr::memchr2_iter(0x1f, 0x28, &window[1..]).map(|at| at + 1).find(|&at| {
            let ahead = &self.window()[at..];
            // A magic that is cut by the end of the window is seen whole in the next one.
            ahead.len() < 4 || Codec::of(ahead) != Codec::Plain
        });
        let len = next.unwrap_or(window.len());
        self.is_refused = next.is_none();
        self.take(len).map(Piece::Raw)
    }

    fn note_dictionary(&mut self, len: u64) -> io::Result<()> {
        if self.offset == 0 && len <= MEMBER_LIMIT as u64 {
            self.look(len as usize)?;
            let frame = self.window().get(..len as usize);
            self.dictionary = frame.and_then(zstd_frame::dictionary_of);
            self.frames = None;
        }
        Ok(())
    }

    fn gzip(&mut self) -> io::Result<Option<Piece>> {
        self.look(LOOK + 1)?;
        let Header::Whole(header_len) = gzip_header::parse(self.window()) else { return Ok(None) };
        self.inflate.reset(false);
        let mut content = Vec::new();
        let mut at = header_len;
        // Whether the stream has ended, or the file in it.
        let (is_over, is_cut) = loop {
            if self.window().len() < at + TRAILER_LEN && !self.fill()? && self.window().len() <= at {
                break (false, true);
            }
            let before = (self.inflate.total_in(), content.len());
            content.reserve((64 << 10).max(content.len() / 2));
            let input = &self.buf[self.start + at..];
            let Ok(status) = self.inflate.decompress_vec(input, &mut content, FlushDecompress::None) else {
                break (false, false);
            };
            at += (self.inflate.total_in() - before.0) as usize;
            if status == Status::StreamEnd {
                break (true, false);
            }
            let is_stuck = self.inflate.total_in() == before.0 && content.len() == before.1;
            if at > MEMBER_LIMIT {
                break (false, false);
            }
            if content.len() > MEMBER_LIMIT {
                return self.large_gzip(header_len, at, &content);
            }
            if is_stuck && !self.fill()? {
                break (false, true);
            }
        };
        self.look(at + TRAILER_LEN)?;
        let expected = gzip_header::trailer(crc32fast::hash(&content), content.len() as u64);
        let trailer = &self.window()[at.min(self.window().len())..];
        let is_cut = is_cut || (is_over && trailer.len() < TRAILER_LEN && expected.starts_with(trailer));
        // Other bytes may look like a member for a while; a record does not come about by chance.
        if is_cut && starts_archive(&content) {
            let stored = self.take(usize::MAX)?;
            return Ok(Some(Piece::Cut { stored, content }));
        }
        if !is_over || self.window().get(at..at + TRAILER_LEN) != Some(&expected[..]) {
            self.in_vain += (at + content.len()) as u64;
            return Ok(None);
        }
        let stored = self.take(at + TRAILER_LEN)?;
        Ok(Some(Piece::Gzip { stored, header_len, content }))
    }

    /// A member with more content than is held in memory, of which `at` bytes are read, and what they decode to.
    fn large_gzip(&mut self, header_len: usize, mut at: usize, start: &[u8]) -> io::Result<Option<Piece>> {
        let (mut crc, mut len) = (crc32fast::Hasher::new(), start.len() as u64);
        crc.update(start);
        let mut room = vec![0; PIECE];
        let mut is_over = !starts_archive(start);
        let is_whole = loop {
            if is_over {
                break false;
            }
            if self.window().len() < at + TRAILER_LEN {
                self.fill()?;
            }
            let before = (self.inflate.total_in(), self.inflate.total_out());
            let input = &self.buf[self.start + at..];
            let Ok(status) = self.inflate.decompress(input, &mut room, FlushDecompress::None) else {
                break false;
            };
            at += (self.inflate.total_in() - before.0) as usize;
            let written = (self.inflate.total_out() - before.1) as usize;
            crc.update(&room[..written]);
            len += written as u64;
            if status == Status::StreamEnd {
                break true;
            }
            let is_stuck = (self.inflate.total_in(), self.inflate.total_out()) == before;
            is_over = at > MEMBER_LIMIT || len > LARGE_LIMIT || (is_stuck && !self.fill()?);
        };
        self.look(at + TRAILER_LEN)?;
        let expected = gzip_header::trailer(crc.finalize(), len);
        if !is_whole || self.window().get(at..at + TRAILER_LEN) != Some(&expected[..]) {
            self.in_vain += at as u64 + len;
            return Ok(None);
        }
        let stored = self.take(at + TRAILER_LEN)?;
        Ok(Some(Piece::LargeGzip { stored, header_len, content_len: len }))
    }

    fn zstd(&mut self) -> io::Result<Option<Piece>> {
        if self.frames.is_none() {
            self.frames = Decoder::new(self.dictionary.as_deref()).or_else(|| Decoder::new(None));
        }
        let mut content = Vec::new();
        let mut want = READ;
        loop {
            self.look(want)?;
            let Some(frames) = &mut self.frames else { return Ok(None) };
            content.clear();
            if let Some(len) = frames.frame(&self.buf[self.start..], MEMBER_LIMIT, &mut content) {
                let stored = self.take(len)?;
                return Ok(Some(Piece::Zstd { stored, content }));
            }
            self.in_vain += (self.window().len() + content.len()) as u64;
            // It may go on behind what is at hand.
            if self.is_eof || want >= MEMBER_LIMIT {
                return Ok(None);
            }
            want *= 4;
        }
    }

    fn window(&self) -> &[u8] {
        &self.buf[self.start..]
    }

    /// Makes the window at least so long, unless the file ends before.
    fn look(&mut self, want: usize) -> io::Result<()> {
        while self.window().len() < want && self.fill()? {}
        Ok(())
    }

    /// Reads more behind the window. False at the end of the file.
    fn fill(&mut self) -> io::Result<bool> {
        if self.is_eof {
            return Ok(false);
        }
        if self.start > self.buf.len() / 2 {
            self.buf.drain(..self.start);
            self.start = 0;
        }
        let read = (&mut self.file).take(READ as u64).read_to_end(&mut self.buf)?;
        self.is_eof = read == 0;
        Ok(read > 0)
    }

    /// Takes bytes from the front, as many as there are up to `len`.
    fn take(&mut self, len: usize) -> io::Result<Vec<u8>> {
        self.look(len)?;
        let len = len.min(self.window().len());
        let taken = self.window()[..len].to_vec();
        self.start += len;
        self.offset += len as u64;
        Ok(taken)
    }
}

/// Whether bytes begin a plain archive: a WARC version line, or the line of an ARC record, which begins with a URL.
fn starts_archive(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii_start();
    let scheme = bytes.iter().take(20).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let is_warc = bytes.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"WARC/"));
    is_warc || (scheme > 1 && bytes.get(scheme) == Some(&b':'))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;
    use tamis_testkit::member;

    use super::*;

    fn pieces(bytes: &[u8]) -> Vec<Piece> {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("it takes bytes");
        io::Seek::rewind(&mut file).expect("it goes back");
        let mut splitter = Splitter::new(file);
        let mut pieces = Vec::new();
        while let Some(piece) = splitter.next().expect("it reads") {
            pieces.push(piece);
        }
        pieces
    }

    fn joined(pieces: &[Piece]) -> Vec<u8> {
        let bytes = pieces.iter().flat_map(|piece| match piece {
            Piece::Plain(bytes) | Piece::Raw(bytes) => bytes,
            Piece::Gzip { stored, .. }
            | Piece::LargeGzip { stored, .. }
            | Piece::Zstd { stored, .. }
            | Piece::Cut { stored, .. } => stored,
        });
        bytes.copied().collect()
    }

    fn shape(pieces: &[Piece]) -> String {
        let letter = |piece: &Piece| match piece {
            Piece::Plain(_) => 'p',
            Piece::Raw(_) => 'r',
            Piece::Gzip { .. } => 'g',
            Piece::LargeGzip { .. } => 'l',
            Piece::Zstd { .. } => 'z',
            Piece::Cut { .. } => 'c',
        };
        pieces.iter().map(letter).collect()
    }

    #[test]
    fn members_and_what_lies_between_them_are_told_apart() {
        let (gzip, zstd) = (member::gzip(b"a page"), member::zstd(b"a page"));
        let record = member::gzip(b"WARC/1.0\r\nContent-Length: 90\r\n\r\nwords of a page");
        let mut damaged = member::gzip(&b"another page".repeat(30));
        let middle = damaged.len() / 2;
        damaged[middle] ^= 0x55;
        for (parts, expected) in [
            (vec![&gzip[..], &gzip], "gg"),
            (vec![&zstd, &gzip, &zstd], "zgz"),
            (vec![b"garbage", &gzip, b"(\x1f", &gzip], "rgrrrg"),
            (vec![&gzip, &damaged, &gzip], "grg"),
            (vec![&gzip, &gzip[..gzip.len() - 1]], "gr"),
            (vec![&gzip, &record[..record.len() - 1]], "gc"),
            (vec![&gzip, &record[..record.len() - 9]], "gc"),
            (vec![&gzip, &record[..12]], "gr"),
            (vec![&record[..record.len() - 9], &gzip], "rg"),
            (vec![b"WARC/1.0\r\n", &gzip], "p"),
            (vec![b"filedesc://a", &gzip], "p"),
            (vec![], ""),
        ] {
            let bytes = parts.concat();
            let found = pieces(&bytes);
            let mut letters: Vec<char> = shape(&found).chars().collect();
            letters.dedup_by(|a, b| a == b && *a == 'r');
            let mut wanted: Vec<char> = expected.chars().collect();
            wanted.dedup_by(|a, b| a == b && *a == 'r');
            assert_eq!(letters, wanted, "{}", bytes.escape_ascii());
            assert_eq!(joined(&found), bytes);
        }
    }

    #[test]
    fn bytes_full_of_magics_take_little_time() {
        for magic in [
            &b"\x1f\x8b\x08\x00"[..],
            b"\x28\xb5\x2f\xfd",
            b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xed\x00",
        ] {
            let bytes = magic.repeat(300_000);
            assert!(joined(&pieces(&bytes)) == bytes);
        }
    }

    proptest! {
        #[test]
        fn the_pieces_are_the_file(parts in prop::collection::vec((0_u8..6, prop::collection::vec(any::<u8>(), 0..200)), 0..12)) {
            let bytes: Vec<u8> = parts.into_iter().flat_map(|(kind, bytes)| match kind {
                0 => member::gzip(&bytes),
                1 => member::zstd(&bytes),
                2 => { let mut cut = member::gzip(&bytes); cut.truncate(cut.len() * 2 / 3); cut }
                3 => [&b"\x50\x2a\x4d\x18\x09\0\0\0"[..], &bytes].concat(),
                _ => bytes,
            }).collect();
            prop_assert_eq!(joined(&pieces(&bytes)), bytes);
        }
    }
}
