//! Input that is decompressed, ends at a limit, and ends where it fails.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

const WINDOW: usize = 16 * 1024;

/// Bytes of a file, plain or from gzip, up to a limit.
pub(super) struct Bounded<R> {
    inner: Inner<R>,
    left: u64,
    pub(super) is_cut: bool,
    pub(super) is_damaged: bool,
}

enum Inner<R> {
    Plain(Whole<R>),
    Gzip(Box<BufReader<MultiGzDecoder<Whole<R>>>>),
}

/// The first bytes, which were looked at, and the rest.
type Whole<R> = Chain<Cursor<Vec<u8>>, R>;

impl<R: BufRead> Bounded<R> {
    /// Looks at the first bytes for the magic of gzip.
    pub(super) fn new(mut input: R, max_bytes: u64) -> Self {
        let mut start = Vec::new();
        let is_damaged = (&mut input).take(2).read_to_end(&mut start).is_err();
        let is_gzip = start == [0x1F, 0x8B];
        let whole = Cursor::new(start).chain(input);
        let inner = if is_gzip {
            Inner::Gzip(Box::new(BufReader::with_capacity(WINDOW, MultiGzDecoder::new(whole))))
        } else {
            Inner::Plain(whole)
        };
        Self { inner, left: max_bytes, is_cut: false, is_damaged }
    }

    /// The bytes at hand; none at the end, at the limit, and behind an error.
    pub(super) fn window(&mut self) -> &[u8] {
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        let filled = match &mut self.inner {
            _ if self.is_damaged => Ok(&[][..]),
            Inner::Plain(input) => fill(input),
            Inner::Gzip(input) => fill(input),
        };
        let Ok(bytes) = filled else {
            self.is_damaged = true;
            return &[];
        };
        self.is_cut |= left == 0 && !bytes.is_empty();
        &bytes[..bytes.len().min(left)]
    }

    pub(super) fn consume(&mut self, n: usize) {
        self.left -= (n as u64).min(self.left);
        match &mut self.inner {
            Inner::Plain(input) => input.consume(n),
            Inner::Gzip(input) => input.consume(n),
        }
    }

    /// The next byte, left where it is.
    pub(super) fn peek(&mut self) -> Option<u8> {
        self.window().first().copied()
    }
}

/// Once more where a signal came between.
fn fill(input: &mut impl BufRead) -> io::Result<&[u8]> {
    while let Err(error) = input.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    input.fill_buf()
}

impl<R: BufRead> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let window = self.window();
        let n = window.len().min(buffer.len());
        buffer[..n].copy_from_slice(&window[..n]);
        self.consume(n);
        Ok(n)
    }
}
