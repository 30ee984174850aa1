//! Lines of bytes, with a bound on how long one may be.

use std::io::{self, BufRead};

/// The longest line that is kept: longer than any URL that was ever fetched.
pub(super) const MAX_LINE_BYTES: usize = 1 << 20;

/// Reads the next line without its line end into `line`; false at the end of the input.
///
/// A line that is longer than [`MAX_LINE_BYTES`] is cut there, so that no input makes memory grow. `consumed` counts
/// the bytes that were read.
pub(super) fn read_line(
    input: &mut impl BufRead,
    line: &mut Vec<u8>,
    consumed: &mut u64,
) -> io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        if buffer.is_empty() {
            break;
        }
        any = true;
        let end = memchr::memchr(b'\n', buffer);
        let part = &buffer[..end.unwrap_or(buffer.len())];
        line.extend_from_slice(&part[..part.len().min(MAX_LINE_BYTES - line.len())]);
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        *consumed += used as u64;
        if end.is_some() {
            break;
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(any)
}
