//! Binary search in a sorted file of lines, in constant memory.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use super::lines::read_line;

/// A sorted file of lines that is searched by what its lines begin with.
///
/// Memory: a buffer of 8 KiB and one line. A search reads about two buffers for each halving of the file.
pub(super) struct SortedFile<R> {
    input: BufReader<R>,
    len: u64,
    line: Vec<u8>,
}

/// Where a key belongs in a sorted file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Offset of the first line that is not less than the key; the length of the file where there is none.
    pub(super) at: u64,
    /// Offset of the line before it.
    pub(super) before: Option<u64>,
}

impl<R: Read + Seek> SortedFile<R> {
    pub(super) fn new(mut input: R) -> io::Result<Self> {
        let len = input.seek(SeekFrom::End(0))?;
        Ok(Self { input: BufReader::new(input), len, line: Vec::new() })
    }

    /// Finds the place of a key. Lines compare by their bytes.
    pub(super) fn find(&mut self, key: &[u8]) -> io::Result<Place> {
        // All lines that start before `low` are less than the key. None that starts in `high..at` exists.
        let (mut low, mut high) = (0, self.len);
        let mut place = Place { at: self.len, before: None };
        while low < high {
            let middle = low + (high - low) / 2;
            let start = if middle == low { low } else { self.line_start(middle)? };
            if start >= high {
                high = middle;
                continue;
            }
            let end = self.read_line_at(start)?;
            if self.line.as_slice() < key {
                place.before = Some(start);
                low = end;
            } else {
                place.at = start;
                high = middle;
            }
        }
        Ok(place)
    }

    /// Goes to the start of a line.
    pub(super) fn go(&mut self, offset: u64) -> io::Result<()> {
        self.input.seek(SeekFrom::Start(offset)).map(drop)
    }

    /// Reads the next line into `line`; false at the end.
    pub(super) fn next_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        read_line(&mut self.input, line, &mut 0)
    }

    /// Start of the first line that starts at `offset` (above 0) or behind it.
    fn line_start(&mut self, offset: u64) -> io::Result<u64> {
        self.go(offset - 1)?;
        let mut at = offset - 1;
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(at);
            }
            let end = memchr::memchr(b'\n', buffer).map(|end| end + 1);
            let used = end.unwrap_or(buffer.len());
            self.input.consume(used);
            at += used as u64;
            if end.is_some() {
                return Ok(at);
            }
        }
    }

    /// Reads the line that starts at `offset`, and gives the start of the next.
    fn read_line_at(&mut self, offset: u64) -> io::Result<u64> {
        self.go(offset)?;
        let mut consumed = 0;
        read_line(&mut self.input, &mut self.line, &mut consumed)?;
        Ok(offset + consumed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Cursor;

    proptest! {
        #[test]
        fn the_place_is_that_of_a_linear_scan(mut lines in prop::collection::vec("[a-c]{0,6}", 0..30), key in "[a-c]{0,4}", ended: bool) {
            lines.sort();
            let mut text = lines.join("\n");
            if ended && !lines.is_empty() {
                text.push('\n');
            }
            let mut expected = Place { at: text.len() as u64, before: None };
            let mut at = 0;
            for line in text.split_inclusive('\n') {
                if line.trim_end().as_bytes() >= key.as_bytes() {
                    expected.at = at;
                    break;
                }
                expected.before = Some(at);
                at += line.len() as u64;
            }
            let place = SortedFile::new(Cursor::new(text)).unwrap().find(key.as_bytes()).unwrap();
            prop_assert_eq!(place, expected);
        }
    }
}
