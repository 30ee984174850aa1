//! Records of a CSV file (RFC 4180 and what people make of it), in bounded memory.
//!
//! Not the crate of this name, because one quote that is never closed must not swallow the rest of the file: here the
//! line it stands on is given up and the next one is a record again.

use std::io::{self, BufRead};

use super::MAX_RECORD_BYTES;
use super::lines::line_ends;

/// After this many quotes that were never closed, quotes do not reach over line ends any more: the search for the end
/// of each costs as much as a record may be long.
const MAX_OPEN_QUOTES: u32 = 10;
/// How much is read at least.
const MIN_READ_BYTES: usize = 64 << 10;

/// Reads records.
pub(super) struct Records<R> {
    input: R,
    delimiter: u8,
    /// What was read; records begin at `at`.
    buffer: Vec<u8>,
    at: usize,
    is_end: bool,
    /// The line of the next record, the first being 1.
    line: u64,
    open_quotes: u32,
}

/// The cells of a record, without quotes.
#[derive(Debug, Default)]
pub(super) struct Record {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A record that begins on this line.
    Record(u64),
    /// A line that is no record, and why.
    Bad(u64, &'static str),
}

impl<R: BufRead> Records<R> {
    /// `before` lines have been read already.
    pub(super) fn new(input: R, delimiter: u8, before: u64) -> Self {
        let line = before + 1;
        Self { input, delimiter, buffer: Vec::new(), at: 0, is_end: false, line, open_quotes: 0 }
    }

    /// Puts the next record into `record`. Blank lines are passed over.
    pub(super) fn next(&mut self, record: &mut Record) -> io::Result<Option<Found>> {
        loop {
            let rest = &self.buffer[self.at..];
            let quotes = if self.open_quotes < MAX_OPEN_QUOTES { Quotes::OverLines } else { Quotes::InLine };
            if !rest.is_empty()
                && let Some(len) = record.parse(rest, self.delimiter, quotes, self.is_end)
            {
                let line = self.line;
                self.advance(len);
                if record.is_blank() {
                    continue;
                }
                return Ok(Some(Found::Record(line)));
            }
            if rest.len() > MAX_RECORD_BYTES || (self.is_end && !rest.is_empty()) {
                return self.give_up().map(Some);
            }
            if self.is_end {
                return Ok(None);
            }
            // Twice as much each time, so that the parsing from the start stays linear.
            let more = rest.len().max(MIN_READ_BYTES);
            self.fill(more)?;
        }
    }

    /// Passes over the line that begins a record without an end.
    fn give_up(&mut self) -> io::Result<Found> {
        let line = self.line;
        if let Some(end) = self.buffer[self.at..].iter().position(|&byte| byte == b'\n') {
            self.open_quotes += 1;
            self.advance(end + 1);
            return Ok(Found::Bad(line, "a quoted cell is not closed"));
        }
        self.at = self.buffer.len();
        if self.is_end {
            return Ok(Found::Bad(line, "a quoted cell is not closed"));
        }
        self.input.skip_until(b'\n')?;
        self.line += 1;
        Ok(Found::Bad(line, "the line is too long"))
    }

    fn advance(&mut self, len: usize) {
        self.line += line_ends(&self.buffer[self.at..self.at + len]);
        self.at += len;
    }

    fn fill(&mut self, at_least: usize) -> io::Result<()> {
        self.buffer.drain(..self.at);
        self.at = 0;
        let limit = self.buffer.len() + at_least;
        while self.buffer.len() < limit {
            let chunk = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            self.buffer.extend_from_slice(chunk);
            let used = chunk.len();
            self.input.consume(used);
            if used == 0 {
                self.is_end = true;
                break;
            }
        }
        Ok(())
    }
}

/// How far a quoted cell may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quotes {
    OverLines,
    InLine,
}

impl Record {
    /// The cells, where they are no UTF-8 with the sign for that.
    pub(super) fn cells(&self) -> Vec<String> {
        (0..self.ends.len()).map(|at| String::from_utf8_lossy(self.cell_bytes(at)).into_owned()).collect()
    }

    /// A cell; empty where the record is too short.
    pub(super) fn cell(&self, at: usize) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(if at < self.ends.len() { self.cell_bytes(at) } else { b"" })
    }

    fn cell_bytes(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[at]]
    }

    fn is_blank(&self) -> bool {
        self.ends.len() <= 1 && self.bytes.trim_ascii().is_empty()
    }

    /// Reads a record from the start of `bytes` and gives its length with the line end; none if it does not end.
    fn parse(&mut self, bytes: &[u8], delimiter: u8, quotes: Quotes, is_end: bool) -> Option<usize> {
        self.bytes.clear();
        self.ends.clear();
        let mut at = 0;
        loop {
            at = match bytes.get(at) {
                Some(b'"') => self.parse_quoted(bytes, at + 1, delimiter, quotes, is_end)?,
                _ => self.parse_plain(bytes, at, delimiter, is_end)?,
            };
            self.ends.push(self.bytes.len());
            match bytes.get(at) {
                Some(&byte) if byte == delimiter => at += 1,
                Some(_) => return Some(at + 1),
                None => return Some(at),
            }
            if at == bytes.len() && !is_end {
                return None;
            }
        }
    }

    /// Reads up to the delimiter or line end and gives its place.
    fn parse_plain(&mut self, bytes: &[u8], start: usize, delimiter: u8, is_end: bool) -> Option<usize> {
        let len = bytes[start..].iter().position(|&byte| byte == delimiter || byte == b'\n');
        let end = match len {
            Some(len) => start + len,
            None if is_end => bytes.len(),
            None => return None,
        };
        let cell = &bytes[start..end];
        let is_last = bytes.get(end) != Some(&delimiter);
        self.bytes.extend_from_slice(if is_last { cell.strip_suffix(b"\r").unwrap_or(cell) } else { cell });
        Some(end)
    }

    /// Reads what is in quotes. A quote inside that is neither doubled nor at the end of the cell is one of the text.
    fn parse_quoted(
        &mut self,
        bytes: &[u8],
        start: usize,
        delimiter: u8,
        quotes: Quotes,
        is_end: bool,
    ) -> Option<usize> {
        let mut at = start;
        loop {
            let stop = |&byte: &u8| byte == b'"' || (byte == b'\n' && quotes == Quotes::InLine);
            let end = at + bytes[at..].iter().position(stop)?;
            self.bytes.extend_from_slice(&bytes[at..end]);
            if bytes[end] == b'\n' {
                return Some(end);
            }
            match (bytes.get(end + 1), bytes.get(end + 2)) {
                (Some(b'"'), _) => {
                    self.bytes.push(b'"');
                    at = end + 2;
                }
                (Some(&next), _) if next == delimiter || next == b'\n' => return Some(end + 1),
                (Some(b'\r'), Some(b'\n')) => return Some(end + 2),
                (None, _) | (Some(b'\r'), None) if is_end => return Some(bytes.len()),
                (None, _) | (Some(b'\r'), None) => return None,
                _ => {
                    self.bytes.push(b'"');
                    at = end + 1;
                }
            }
        }
    }
}

/// The delimiter of a table: the one that its first line has most of, outside of quotes.
pub(super) fn sniff_delimiter(line: &[u8]) -> u8 {
    let mut counts = [(b',', 0_usize), (b';', 0), (b'\t', 0)];
    let mut in_quotes = false;
    for &byte in line {
        in_quotes ^= byte == b'"';
        if let Some((_, count)) = counts.iter_mut().find(|(delimiter, _)| *delimiter == byte && !in_quotes) {
            *count += 1;
        }
    }
    // The first of equals: `max_by_key` alone would take the last.
    let most = counts.iter().rev().max_by_key(|(_, count)| *count);
    most.map_or(b',', |(delimiter, _)| *delimiter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn records(text: &[u8], chunk: usize) -> Vec<(u64, Vec<String>)> {
        let mut records = Records::new(BufReader::with_capacity(chunk, text), b',', 0);
        let mut record = Record::default();
        let mut found = Vec::new();
        while let Some(next) = records.next(&mut record).expect("memory does not fail") {
            found.push(match next {
                Found::Record(line) => (line, record.cells()),
                Found::Bad(line, why) => (line, vec!["!".into(), why.into()]),
            });
        }
        found
    }

    #[test]
    fn records_are_read_as_written() {
        let open = ["!", "a quoted cell is not closed"];
        for (text, expected) in [
            ("", vec![]),
            ("a,b\r\n1,2", vec![(1, &["a", "b"][..]), (2, &["1", "2"])]),
            ("a,\n\n\r\n,b\n", vec![(1, &["a", ""]), (4, &["", "b"])]),
            ("\"a\nb\",\"c\"\"d\"\r\ne", vec![(1, &["a\nb", "c\"d"]), (3, &["e"])]),
            ("\"6\" pipe\",x\n6\" pipe,y\n", vec![(1, &["6\" pipe", "x"]), (2, &["6\" pipe", "y"])]),
            ("a,\"b", vec![(1, &open[..])]),
            ("a,\"b\nc,d\n", vec![(1, &open[..]), (2, &["c", "d"])]),
            ("a,", vec![(1, &["a", ""])]),
            ("\"a\"\r", vec![(1, &["a"])]),
        ] {
            let found = records(text.as_bytes(), 4);
            let found: Vec<(u64, Vec<&str>)> = found
                .iter()
                .map(|(line, cells)| (*line, cells.iter().map(String::as_str).collect()))
                .collect();
            let expected: Vec<(u64, Vec<&str>)> =
                expected.into_iter().map(|(line, cells)| (line, cells.to_vec())).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn many_open_quotes_cost_no_more_than_some() {
        let text = "1,\"a\n".repeat(200_000);
        let found = records(text.as_bytes(), 1 << 16);
        let bad = found.iter().filter(|(_, cells)| cells[0] == "!").count();
        assert_eq!((bad, found.len()), (MAX_OPEN_QUOTES as usize, 200_000));
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over() {
        let text = format!("a\n{}\nb\n", "x".repeat(2 * MAX_RECORD_BYTES));
        let found = records(text.as_bytes(), 1 << 16);
        let cells: Vec<(u64, &str)> = found.iter().map(|(line, cells)| (*line, cells[0].as_str())).collect();
        assert_eq!(cells, [(1, "a"), (2, "!"), (3, "b")]);
    }

    #[test]
    fn the_delimiter_is_the_commonest_outside_of_quotes() {
        for (line, expected) in [
            ("id,url", b','),
            ("id;url;text", b';'),
            ("id\turl", b'\t'),
            ("\"a,b,c\";\"d\"", b';'),
            ("id", b','),
            ("a,b;c", b','),
        ] {
            assert_eq!(sniff_delimiter(line.as_bytes()), expected, "{line}");
        }
    }
}
