//! A sorted file on its way to be merged: lines that tell only what differs from the line before, in one zstd frame.
//!
//! A line is two numbers (seven bits a byte, the lowest first, the eighth bit set on all but the last byte) and bytes: how
//! many bytes it shares with the line before, how many follow, and those. The frame has a checksum, so that a run
//! that was cut short or changed is an error and not a shorter run.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use zstd::stream::{read::Decoder, write::Encoder};

/// A window of 256 KiB: a merge has many decoders at once, and neighbours in sorted lines are near.
const WINDOW_LOG: u32 = 18;
const LEVEL: i32 = 1;
const BUFFER_BYTES: usize = 64 << 10;
/// Two numbers of 64 bits.
const MAX_HEAD_BYTES: usize = 20;

/// Writes a run line by line.
pub(super) struct RunWriter {
    out: BufWriter<Encoder<'static, File>>,
    last: Vec<u8>,
    count: u64,
}

impl RunWriter {
    pub(super) fn new(file: File) -> io::Result<Self> {
        let mut encoder = Encoder::new(file, LEVEL)?;
        encoder.window_log(WINDOW_LOG)?;
        encoder.include_checksum(true)?;
        let out = BufWriter::with_capacity(BUFFER_BYTES, encoder);
        Ok(Self { out, last: Vec::new(), count: 0 })
    }

    /// Adds a line; with `unique`, one that is the same as the line before is left out.
    pub(super) fn push(&mut self, line: &[u8], unique: bool) -> io::Result<()> {
        let shared = shared_len(&self.last, line);
        if unique && self.count > 0 && shared == line.len() && shared == self.last.len() {
            return Ok(());
        }
        let mut head = [0; MAX_HEAD_BYTES];
        let middle = put_number(&mut head, 0, shared as u64);
        let end = put_number(&mut head, middle, (line.len() - shared) as u64);
        self.out.write_all(&head[..end])?;
        self.out.write_all(&line[shared..])?;
        self.last.truncate(shared);
        self.last.extend_from_slice(&line[shared..]);
        self.count += 1;
        Ok(())
    }

    /// Ends the frame and gives the file and the number of its lines.
    pub(super) fn finish(self) -> io::Result<(File, u64)> {
        let encoder = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok((encoder.finish()?, self.count))
    }
}

/// Reads a run line by line.
pub struct RunReader {
    input: BufReader<Decoder<'static, BufReader<File>>>,
}

impl RunReader {
    /// Reads from where the file stands.
    pub(super) fn new(file: File) -> io::Result<Self> {
        let decoder = Decoder::with_buffer(BufReader::with_capacity(BUFFER_BYTES, file))?;
        Ok(Self { input: BufReader::with_capacity(BUFFER_BYTES, decoder) })
    }

    /// Makes the next line of the one before; false at the end.
    pub(super) fn next(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        let buffer = self.input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(false);
        }
        let (shared, rest) = match take_head(buffer) {
            Some((shared, rest, used)) => {
                self.input.consume(used);
                (shared, rest)
            }
            None => (read_number(&mut self.input)?, read_number(&mut self.input)?),
        };
        let (shared, rest) = (shared as usize, rest as usize);
        if shared > line.len() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a sorted run is damaged"));
        }
        line.truncate(shared);
        let buffer = self.input.buffer();
        if let Some(bytes) = buffer.get(..rest) {
            line.extend_from_slice(bytes);
            self.input.consume(rest);
        } else if (&mut self.input).take(rest as u64).read_to_end(line)? < rest {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(true)
    }
}

/// Both numbers, where they are at hand whole, and how many bytes they take.
fn take_head(buffer: &[u8]) -> Option<(u64, u64, usize)> {
    let (shared, middle) = take_number(buffer, 0)?;
    let (rest, end) = take_number(buffer, middle)?;
    Some((shared, rest, end))
}

fn take_number(bytes: &[u8], mut at: usize) -> Option<(u64, usize)> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = *bytes.get(at)?;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        at += 1;
        if byte < 0x80 {
            return Some((number, at));
        }
        shift += 7;
    }
}

fn read_number(input: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; MAX_HEAD_BYTES / 2];
    for len in 1..=bytes.len() {
        input.read_exact(&mut bytes[len - 1..len])?;
        if let Some((number, _)) = take_number(&bytes[..len], 0) {
            return Ok(number);
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "a sorted run is damaged"))
}

fn put_number(bytes: &mut [u8; MAX_HEAD_BYTES], mut at: usize, mut number: u64) -> usize {
    while number >= 0x80 {
        bytes[at] = number as u8 | 0x80;
        number >>= 7;
        at += 1;
    }
    bytes[at] = number as u8;
    at + 1
}

/// How many bytes two lines have in common at their start.
fn shared_len(a: &[u8], b: &[u8]) -> usize {
    let len = a.len().min(b.len());
    let mut at = 0;
    while let (Some(left), Some(right)) = (a[at..].first_chunk::<8>(), b[at..].first_chunk::<8>()) {
        let differs = u64::from_le_bytes(*left) ^ u64::from_le_bytes(*right);
        if differs != 0 {
            return at + differs.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while at < len && a[at] == b[at] {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use std::io::Seek;

    use proptest::prelude::*;

    use super::*;

    fn stored(lines: &[Vec<u8>], unique: bool) -> File {
        let mut writer = RunWriter::new(tempfile::tempfile().unwrap()).unwrap();
        for line in lines {
            writer.push(line, unique).unwrap();
        }
        let (mut file, _) = writer.finish().unwrap();
        file.rewind().unwrap();
        file
    }

    fn read(file: File) -> io::Result<Vec<Vec<u8>>> {
        let (mut reader, mut line, mut lines) = (RunReader::new(file)?, Vec::new(), Vec::new());
        while reader.next(&mut line)? {
            lines.push(line.clone());
        }
        Ok(lines)
    }

    #[test]
    fn long_lines_cross_every_buffer() {
        let lines: Vec<Vec<u8>> = (0..40usize).map(|n| vec![b'a' + n as u8; 7000 * n]).collect();
        assert_eq!(read(stored(&lines, false)).unwrap(), lines);
    }

    #[test]
    fn a_run_that_was_cut_short_is_an_error() {
        let lines: Vec<Vec<u8>> = (0..20_000u32).map(|n| n.to_string().into_bytes()).collect();
        let file = stored(&lines, false);
        let len = file.metadata().unwrap().len();
        for cut in [len - 1, len / 2, 5] {
            file.set_len(cut).unwrap();
            let mut again = file.try_clone().unwrap();
            again.rewind().unwrap();
            assert!(read(again).is_err(), "{cut} of {len} bytes");
        }
    }

    proptest! {
        #[test]
        fn lines_survive(mut lines in prop::collection::vec(prop::collection::vec(0u8..3, 0..300), 0..60), unique: bool) {
            if unique {
                lines.sort();
            }
            let found = read(stored(&lines, unique)).unwrap();
            if unique {
                lines.dedup();
            }
            prop_assert_eq!(found, lines);
        }
    }
}
