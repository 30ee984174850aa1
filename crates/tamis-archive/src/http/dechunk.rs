//! The chunked transfer coding (RFC 9112, section 7.1), undone as far as the body has it.

use std::io::{self, BufRead, Read};

use super::quirk::{HttpQuirk, HttpQuirks};
use crate::fields::trim;

/// Reads a chunked body as the bytes that were chunked. Memory: one line of at most 4 KiB.
///
/// A body that does not begin with a chunk size is given as it stands, because many archives keep
/// `Transfer-Encoding: chunked` on bodies that were stored without it. So is the rest of a body from the place where
/// a size is wrong.
#[derive(Debug)]
pub struct Dechunk<R> {
    inner: R,
    state: State,
    line: Vec<u8>,
    quirks: HttpQuirks,
    met_chunk: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Size,
    /// Inside a chunk, with this many bytes to go.
    Data(u64),
    DataEnd,
    /// Behind the last chunk, with this many bytes of trailer fields read.
    Trailers(usize),
    /// No chunks from here on: first the rest of the line that was read ahead, from this place.
    Pass(usize),
    Done,
}

/// How reading a line ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    Lf,
    Eof,
    TooLong,
}

const MAX_LINE_BYTES: usize = 4096;
const MAX_TRAILER_BYTES: usize = 64 << 10;

impl<R: BufRead> Dechunk<R> {
    /// A reader of the bytes that `inner` holds in chunks.
    pub fn new(inner: R) -> Self {
        Self { inner, state: State::Start, line: Vec::new(), quirks: HttpQuirks::default(), met_chunk: false }
    }

    /// A reader that gives the bytes of `inner` as they stand.
    pub(super) fn transparent(inner: R) -> Self {
        Self { state: State::Pass(0), ..Self::new(inner) }
    }

    /// What is odd about the chunks so far.
    pub fn quirks(&self) -> HttpQuirks {
        self.quirks
    }

    /// Whether a chunk was met so far, be it the last one.
    pub fn is_dechunked(&self) -> bool {
        self.met_chunk
    }

    /// Goes on to the next chunk, or behind the last one.
    fn advance(&mut self) -> io::Result<()> {
        self.state = match self.state {
            State::Start => self.first_size()?,
            State::Size => self.next_size()?,
            State::DataEnd => self.data_end()?,
            State::Trailers(len) => self.trailer(len)?,
            state @ (State::Data(_) | State::Pass(_) | State::Done) => state,
        };
        Ok(())
    }

    fn first_size(&mut self) -> io::Result<State> {
        let end = self.read_line()?;
        if end == LineEnd::Eof && self.line.is_empty() {
            return Ok(State::Done);
        }
        match parse_size(&self.line) {
            // A line of digits that ends in LF alone is a text of numbers rather than a chunk size.
            Some(size) if end == LineEnd::Lf && self.line.ends_with(b"\r\n") => {
                self.met_chunk = true;
                Ok(after_size(size))
            }
            _ => Ok(self.pass_line(HttpQuirk::NotChunked)),
        }
    }

    fn next_size(&mut self) -> io::Result<State> {
        match (self.read_line()?, parse_size(&self.line)) {
            (LineEnd::Eof, _) if self.line.is_empty() => Ok(self.unended()),
            (LineEnd::Eof, Some(1..)) => Ok(self.unended()),
            (LineEnd::Lf | LineEnd::Eof, Some(size)) => Ok(after_size(size)),
            _ => Ok(self.pass_line(HttpQuirk::WrongChunkSize)),
        }
    }

    /// The line end behind a chunk. LF alone comes of a size that counted the CR; the next size is in its place then.
    fn data_end(&mut self) -> io::Result<State> {
        self.line.clear();
        match peek(&mut self.inner)? {
            None => return Ok(self.unended()),
            Some(b'\n') => {
                self.inner.consume(1);
                self.quirks.insert(HttpQuirk::WrongChunkSize);
                return Ok(State::Size);
            }
            Some(b'\r') => {}
            Some(_) => return Ok(self.pass_line(HttpQuirk::WrongChunkSize)),
        }
        self.inner.consume(1);
        self.line.push(b'\r');
        match peek(&mut self.inner)? {
            None => Ok(self.unended()),
            Some(b'\n') => {
                self.inner.consume(1);
                Ok(State::Size)
            }
            Some(_) => Ok(self.pass_line(HttpQuirk::WrongChunkSize)),
        }
    }

    fn trailer(&mut self, len: usize) -> io::Result<State> {
        let end = self.read_line()?;
        let len = len + self.line.len();
        let is_last = end == LineEnd::Eof || trim(&self.line).is_empty();
        if !is_last && len < MAX_TRAILER_BYTES {
            return Ok(State::Trailers(len));
        }
        let has_more = !is_last || peek(&mut self.inner)?.is_some();
        self.quirks.insert_if(has_more, HttpQuirk::BytesAfterChunks);
        Ok(State::Done)
    }

    fn pass_line(&mut self, quirk: HttpQuirk) -> State {
        self.quirks.insert(quirk);
        State::Pass(0)
    }

    fn unended(&mut self) -> State {
        self.quirks.insert(HttpQuirk::ChunksUnended);
        State::Done
    }

    fn give_chunk(&mut self, left: u64, out: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(left).map_or(out.len(), |left| left.min(out.len()));
        let len = self.inner.read(&mut out[..most])?;
        self.state = match left - len as u64 {
            _ if len == 0 => self.unended(),
            0 => State::DataEnd,
            left => State::Data(left),
        };
        Ok(len)
    }

    /// Reads through the next LF into `self.line`, as far as it is not too long.
    fn read_line(&mut self) -> io::Result<LineEnd> {
        self.line.clear();
        loop {
            let buffered = match self.inner.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffered => buffered?,
            };
            if buffered.is_empty() {
                return Ok(LineEnd::Eof);
            }
            let room = &buffered[..buffered.len().min(MAX_LINE_BYTES - self.line.len())];
            let lf = memchr::memchr(b'\n', room);
            let len = lf.map_or(room.len(), |i| i + 1);
            self.line.extend_from_slice(&room[..len]);
            self.inner.consume(len);
            if lf.is_some() {
                return Ok(LineEnd::Lf);
            }
            if self.line.len() >= MAX_LINE_BYTES {
                return Ok(LineEnd::TooLong);
            }
        }
    }
}

impl<R: BufRead> Read for Dechunk<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            match self.state {
                State::Done => return Ok(0),
                State::Pass(at) if at < self.line.len() => {
                    let len = (&self.line[at..]).read(out)?;
                    self.state = State::Pass(at + len);
                    return Ok(len);
                }
                State::Pass(_) => return self.inner.read(out),
                State::Data(left) => {
                    let len = self.give_chunk(left, out)?;
                    if len > 0 {
                        return Ok(len);
                    }
                }
                _ => self.advance()?,
            }
        }
    }
}

fn after_size(size: u64) -> State {
    if size == 0 { State::Trailers(0) } else { State::Data(size) }
}

fn peek(inner: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        match inner.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            buffered => return Ok(buffered?.first().copied()),
        }
    }
}

/// The size that a line states: hexadecimal digits, blanks around them, and extensions behind a semicolon.
fn parse_size(line: &[u8]) -> Option<u64> {
    let line = trim(line);
    let digits = line.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    let rest = trim(&line[digits..]);
    if !(1..=16).contains(&digits) || !(rest.is_empty() || rest.starts_with(b";")) {
        return None;
    }
    std::str::from_utf8(&line[..digits]).ok().and_then(|digits| u64::from_str_radix(digits, 16).ok())
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use proptest::prelude::*;

    use super::HttpQuirk::*;
    use super::*;

    fn dechunked(body: &[u8], buffer: usize) -> (Vec<u8>, HttpQuirks) {
        let mut reader = Dechunk::new(BufReader::with_capacity(buffer, body));
        let mut out = Vec::new();
        reader.read_to_end(&mut out).expect("a slice reads without errors");
        (out, reader.quirks())
    }

    #[test]
    fn bodies_are_read_in_any_shape() {
        let cases: &[(&str, &str, &[HttpQuirk])] = &[
            ("4\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n", "Wikipedia", &[]),
            ("", "", &[]),
            ("0\r\n\r\n", "", &[]),
            ("0000000A ;name=\"v\"\r\n0123456789\r\n0\r\n\r\n", "0123456789", &[]),
            (" 2 \r\nab\r\n00\r\nTrailer: x\r\nOther: y\r\n\r\n", "ab", &[]),
            ("2\r\nab\r\n0\r\n", "ab", &[]),
            ("2\r\nab\r\n0", "ab", &[]),
            ("2\r\nab\r\n", "ab", &[ChunksUnended]),
            ("2\r\nab", "ab", &[ChunksUnended]),
            ("5\r\nab", "ab", &[ChunksUnended]),
            ("2\r\nab\r\n4", "ab", &[ChunksUnended]),
            ("2\r\nab\r\n0\r\n\r\nmore", "ab", &[BytesAfterChunks]),
            // The size counts the CR behind the data.
            ("3\r\naa\r\n0\r\n\r\n", "aa\r", &[WrongChunkSize]),
            ("1\r\nab\r\n0\r\n\r\n", "ab\r\n0\r\n\r\n", &[WrongChunkSize]),
            ("2\r\nab\r\r\n0\r\n", "ab\r\r\n0\r\n", &[WrongChunkSize]),
            ("2\r\nab\r\nxyz\r\ncd", "abxyz\r\ncd", &[WrongChunkSize]),
            ("ffffffffffffffff\r\nab", "ab", &[ChunksUnended]),
            ("<html>\r\n2\r\nab", "<html>\r\n2\r\nab", &[NotChunked]),
            ("1\n2\n3\n", "1\n2\n3\n", &[NotChunked]),
            ("bead and more", "bead and more", &[NotChunked]),
            ("11111111111111111\r\nab", "11111111111111111\r\nab", &[NotChunked]),
        ];
        for (body, expected, quirks) in cases {
            for buffer in [1, 2, 3, 7, 8192] {
                let (out, found) = dechunked(body.as_bytes(), buffer);
                assert_eq!(String::from_utf8_lossy(&out), *expected, "{body:?}");
                assert_eq!(found, HttpQuirks::of(quirks), "{body:?}: {found}");
            }
        }
    }

    #[test]
    fn a_long_line_is_no_chunk_size() {
        let body = [b"5;".as_slice(), &[b'x'; 3 * MAX_LINE_BYTES]].concat();
        assert_eq!(dechunked(&body, 100), (body.clone(), HttpQuirks::of(&[NotChunked])));
    }

    #[test]
    fn trailers_without_end_are_not_followed() {
        let body = [b"1\r\nx\r\n0\r\n".to_vec(), b"A: b\r\n".repeat(100_000)].concat();
        assert_eq!(dechunked(&body, 8192), (b"x".to_vec(), HttpQuirks::of(&[BytesAfterChunks])));
    }

    proptest! {
        #[test]
        fn chunks_come_back_as_they_went_in(chunks: Vec<Vec<u8>>, buffer in 1..100_usize) {
            let mut body = Vec::new();
            for chunk in chunks.iter().filter(|chunk| !chunk.is_empty()) {
                body.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
                body.extend_from_slice(chunk);
                body.extend_from_slice(b"\r\n");
            }
            body.extend_from_slice(b"0\r\n\r\n");
            prop_assert_eq!(dechunked(&body, buffer), (chunks.concat(), HttpQuirks::default()));
        }

        #[test]
        fn any_bytes_give_no_more_than_they_are(size in "[0-9a-f]{0,2}(\r\n)?", body: Vec<u8>, buffer in 1..100_usize) {
            let body = [size.as_bytes(), &body].concat();
            prop_assert!(dechunked(&body, buffer).0.len() <= body.len());
        }
    }
}
