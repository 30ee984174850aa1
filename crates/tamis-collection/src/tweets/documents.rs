//! JSON objects in an array or one behind the other, taken apart without reading them all.

use std::io::{self, BufRead};

use super::MAX_RECORD_BYTES;
use super::lines::line_ends;

/// Reads the outermost objects of a stream of JSON. The arrays around them, and commas between them, are passed over.
pub(super) struct Documents<R> {
    input: R,
    /// The line of the next byte, the first being 1.
    line: u64,
    scan: Scan,
}

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Document {
    /// The line it begins on.
    pub(super) line: u64,
    pub(super) end: End,
}

/// How an object ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    Whole,
    /// The input ends inside it.
    Early,
    TooLong,
    /// It is no object but something else that stands where one should.
    Stray,
}

#[derive(Default)]
struct Scan {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl<R: BufRead> Documents<R> {
    /// `before` lines have been read already.
    pub(super) fn new(input: R, before: u64) -> Self {
        Self { input, line: before + 1, scan: Scan::default() }
    }

    /// Puts the next object into `out`.
    pub(super) fn next(&mut self, out: &mut Vec<u8>) -> io::Result<Option<Document>> {
        out.clear();
        if let Some(line) = self.skip_to_object()? {
            return Ok(Some(Document { line, end: End::Stray }));
        }
        let line = self.line;
        self.scan = Scan::default();
        let mut too_long = false;
        loop {
            let chunk = fill(&mut self.input)?;
            if chunk.is_empty() {
                let began = !out.is_empty() || too_long;
                return Ok(began.then_some(Document { line, end: End::Early }));
            }
            let end = chunk.iter().position(|&byte| self.scan.closes(byte)).map(|at| at + 1);
            let part = &chunk[..end.unwrap_or(chunk.len())];
            self.line += line_ends(part);
            too_long |= out.len() + part.len() > MAX_RECORD_BYTES;
            if too_long {
                out.clear();
            } else {
                out.extend_from_slice(part);
            }
            let used = part.len();
            self.input.consume(used);
            if end.is_some() {
                let end = if too_long { End::TooLong } else { End::Whole };
                return Ok(Some(Document { line, end }));
            }
        }
    }

    /// Goes on to the next brace. Gives the line of the first byte on the way that has no business there.
    fn skip_to_object(&mut self) -> io::Result<Option<u64>> {
        let mut stray = None;
        loop {
            let chunk = fill(&mut self.input)?;
            let found = chunk.iter().position(|&byte| byte == b'{');
            let part = &chunk[..found.unwrap_or(chunk.len())];
            if stray.is_none()
                && let Some(at) = part.iter().position(|byte| !b"[], \t\r\n;".contains(byte))
            {
                stray = Some(self.line + line_ends(&part[..at]));
            }
            self.line += line_ends(part);
            let (used, is_end) = (part.len(), chunk.is_empty());
            self.input.consume(used);
            if found.is_some() || is_end {
                return Ok(stray);
            }
        }
    }
}

impl Scan {
    /// Whether this byte closes the outermost object.
    fn closes(&mut self, byte: u8) -> bool {
        if self.in_string {
            let is_plain = std::mem::take(&mut self.escaped) || !matches!(byte, b'"' | b'\\');
            self.escaped = !is_plain && byte == b'\\';
            self.in_string = is_plain || byte != b'"';
            return false;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' => self.depth += 1,
            b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        byte == b'}' && self.depth == 0
    }
}

/// The next bytes, none at the end.
fn fill(input: &mut impl BufRead) -> io::Result<&[u8]> {
    // Looked at twice because of the borrow; the second look is free.
    while let Err(error) = input.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    input.fill_buf()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn documents(bytes: &[u8]) -> Vec<(u64, End, String)> {
        let mut documents = Documents::new(BufReader::with_capacity(3, bytes), 0);
        let (mut found, mut out) = (Vec::new(), Vec::new());
        while let Some(document) = documents.next(&mut out).expect("memory does not fail") {
            found.push((document.line, document.end, String::from_utf8_lossy(&out).into_owned()));
        }
        found
    }

    #[test]
    fn objects_come_out_of_arrays_and_sequences() {
        let whole = |line, text: &str| (line, End::Whole, text.to_owned());
        for (text, expected) in [
            ("", vec![]),
            ("[]", vec![]),
            ("[{},\n {\"a\":{}}]", vec![whole(1, "{}"), whole(2, "{\"a\":{}}")]),
            ("{\n}{\"}\\\"{\":1}", vec![whole(1, "{\n}"), whole(2, "{\"}\\\"{\":1}")]),
            ("{\"a\\\\\":{}}\n", vec![whole(1, "{\"a\\\\\":{}}")]),
            ("[\n1,\n{}]", vec![(2, End::Stray, String::new()), whole(3, "{}")]),
            ("[{},{\"a\":", vec![whole(1, "{}"), (1, End::Early, "{\"a\":".into())]),
        ] {
            assert_eq!(documents(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn an_object_that_is_too_long_is_passed_over() {
        let long = format!("[{{\"a\":\"{}\"}},{{}}]", "x".repeat(MAX_RECORD_BYTES));
        let ends: Vec<End> = documents(long.as_bytes()).into_iter().map(|(_, end, _)| end).collect();
        assert_eq!(ends, [End::TooLong, End::Whole]);
    }
}
