//! Lines of bounded length.

use std::io::{self, BufRead, Read};

use super::MAX_RECORD_BYTES;

/// Reads lines and counts them.
pub(super) struct Lines<R> {
    input: R,
    /// The number of the line that was read last, the first being 1.
    pub(super) number: u64,
}

/// How a line ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Whole,
    TooLong,
}

impl<R: BufRead> Lines<R> {
    /// `before` lines have been read already.
    pub(super) fn new(input: R, before: u64) -> Self {
        Self { input, number: before }
    }

    /// Puts the next line into `line`, with its line end. What is too long is passed over.
    pub(super) fn next(&mut self, line: &mut Vec<u8>) -> io::Result<Option<Line>> {
        line.clear();
        let limit = MAX_RECORD_BYTES as u64 + 1;
        if (&mut self.input).take(limit).read_until(b'\n', line)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if line.len() <= MAX_RECORD_BYTES || line.ends_with(b"\n") {
            return Ok(Some(Line::Whole));
        }
        self.input.skip_until(b'\n')?;
        Ok(Some(Line::TooLong))
    }
}

/// The number of line ends.
#[expect(
    clippy::naive_bytecount,
    reason = "the loop is vectorised, and the parsing around it takes most of the time"
)]
pub(super) fn line_ends(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte == b'\n').count() as u64
}
