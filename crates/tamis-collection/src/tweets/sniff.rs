//! The format of an input, told from its first line.

use std::io::{self, BufRead, Read};

use super::{Error, Format, MAX_RECORD_BYTES, Result};

/// The first line that is not blank.
pub(super) struct Head {
    /// Its bytes (as many as a record may have), to be read again. Empty where the input is.
    pub(super) bytes: Vec<u8>,
    /// How many lines came before.
    pub(super) line: u64,
}

/// What a member's own archive begins with; JSON follows behind the equals sign.
const ARCHIVE_MARK: &[u8] = b"window.YTD.";

/// First bytes that no tweets begin with.
const MAGICS: [(&[u8], &str, &str); 5] = [
    (b"\xff\xfe", "UTF-16 text", "save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text", "save it as UTF-8"),
    (b"\x1f\x8b", "gzip data", "decompress it first"),
    (b"\x28\xb5\x2f\xfd", "zstd data", "decompress it first"),
    (b"PK\x03\x04", "a ZIP file", "unpack it first; a spreadsheet has to be saved as CSV"),
];

/// Reads the first line that is not blank.
pub(super) fn head(input: &mut impl BufRead) -> io::Result<Head> {
    let mut head = Head { bytes: Vec::new(), line: 0 };
    while input.take(MAX_RECORD_BYTES as u64).read_until(b'\n', &mut head.bytes)? > 0 {
        if head.line == 0 && head.bytes.starts_with(b"\xef\xbb\xbf") {
            head.bytes.drain(..3);
        }
        if !head.bytes.trim_ascii().is_empty() {
            break;
        }
        head.line += u64::from(head.bytes.ends_with(b"\n"));
        head.bytes.clear();
    }
    head.drop_archive_mark();
    Ok(head)
}

impl Head {
    pub(super) fn format(&self) -> Result<Format> {
        if let Some((_, what, hint)) = MAGICS.into_iter().find(|(magic, ..)| self.bytes.starts_with(magic)) {
            return Err(Error::Bytes { what, hint });
        }
        let line = self.bytes.trim_ascii();
        Ok(match line.first() {
            Some(b'[') => Format::Json,
            Some(b'{') if goes_on(line) => Format::Json,
            Some(b'{') | None => Format::JsonLines,
            Some(_) => Format::Csv,
        })
    }

    fn drop_archive_mark(&mut self) {
        if self.bytes.starts_with(ARCHIVE_MARK)
            && let Some(at) = self.bytes.iter().position(|&byte| byte == b'=')
        {
            self.bytes.drain(..=at);
        }
    }
}

/// Whether an object that begins on the line is laid out over many. A line that was cut short ends otherwise.
fn goes_on(line: &[u8]) -> bool {
    matches!(line.last(), Some(b'{' | b'[' | b',' | b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_tells_the_format() {
        for (bytes, expected, lines_before) in [
            (&b""[..], Format::JsonLines, 0),
            (b"\n \r\n{\"id\":1}\n", Format::JsonLines, 2),
            (b"\xef\xbb\xbf{\"id\":1}", Format::JsonLines, 0),
            (b"{\"id\":1, \"te", Format::JsonLines, 0),
            (b"{\n  \"id\": 1\n}", Format::Json, 0),
            (b"[{\"id\":1}]", Format::Json, 0),
            (b"window.YTD.tweets.part0 = [\n", Format::Json, 0),
            (b"id,url\n", Format::Csv, 0),
            (b"\"id\";\"url\"\n", Format::Csv, 0),
        ] {
            let head = head(&mut { bytes }).expect("memory does not fail");
            assert_eq!(head.format().ok(), Some(expected), "{}", bytes.escape_ascii());
            assert_eq!(head.line, lines_before);
        }
    }

    #[test]
    fn what_has_to_be_converted_first_is_said() {
        let head = head(&mut &b"\x1f\x8b\x08"[..]).expect("memory does not fail");
        let error = head.format().expect_err("gzip is no format of tweets").to_string();
        assert_eq!(error, "not tweets, but gzip data\nhint: decompress it first");
    }
}
