//! Heads that are copied as they stand.

use super::WarcVersion;
use crate::{Error, Fields, Result, Version};

/// The head with another version line, and every other byte as it is.
///
/// A head that says `WARC/1.0` with a date in fractions of a second is not quite of that version; cutting the date is
/// left to whoever wants it, as is every other change of meaning.
pub fn with_version(head: &[u8], version: WarcVersion) -> Result<Vec<u8>> {
    let end = version_line_end(head).ok_or_else(|| Error::Value {
        what: "head",
        value: String::from_utf8_lossy(&head[..head.len().min(80)]).into_owned(),
        why: "it does not start with a WARC version line".into(),
    })?;
    let mut changed = Version::from(version).to_string().into_bytes();
    changed.extend_from_slice(&head[end..]);
    Ok(changed)
}

/// Refuses a WARC head whose length is not that of its block: the next record could not be found behind it.
pub(super) fn check_length(head: &[u8], found: u64) -> Result<()> {
    let Some(end) = version_line_end(head) else { return Ok(()) };
    let line_end = head[end..].iter().position(|&b| b == b'\n').map_or(head.len(), |at| end + at + 1);
    let mut fields = Fields::default();
    fields.parse(&head[line_end..]);
    let stated = fields.text("Content-Length").unwrap_or_default();
    if stated.parse() == Ok(found) {
        return Ok(());
    }
    let why = format!("the block has {found} bytes");
    Err(Error::Value { what: "Content-Length", value: stated.into_owned(), why })
}

/// Where the version line ends, without its line end. None for ARC and WARC 0.9, which have lines of words.
fn version_line_end(head: &[u8]) -> Option<usize> {
    let line = head.split(|&b| b == b'\n').next()?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let is_version = line.get(..5)?.eq_ignore_ascii_case(b"WARC/") && !line.contains(&b' ');
    is_version.then_some(line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_line_alone_changes() {
        for (head, expected) in [
            ("WARC/1.0\r\nA: 1\r\n folded\r\n\r\n", "WARC/1.1\r\nA: 1\r\n folded\r\n\r\n"),
            ("WARC/0.17\na:b\n\n", "WARC/1.1\na:b\n\n"),
            ("WARC/1.1", "WARC/1.1"),
        ] {
            let changed = with_version(head.as_bytes(), WarcVersion::V1_1).expect(head);
            assert_eq!(String::from_utf8_lossy(&changed), expected);
        }
        for head in ["", "warc/0.9 123 response http://a/ 2008 text/html id", "http://a/ 1 2 3 4\n", "WARC"] {
            assert!(with_version(head.as_bytes(), WarcVersion::V1_0).is_err(), "{head}");
        }
    }

    #[test]
    fn a_length_that_is_not_the_blocks_is_refused() {
        for (head, found, is_good) in [
            ("WARC/1.0\r\nContent-Length: 3\r\n\r\n", 3, true),
            ("WARC/1.0\ncontent-length:3\n\n", 3, true),
            ("WARC/1.0\r\nContent-Length: 3\r\n\r\n", 4, false),
            ("WARC/1.0\r\n\r\n", 0, false),
            ("http://a/ 1.2.3.4 20080430204825 text/html 3\n", 3, true),
        ] {
            assert_eq!(check_length(head.as_bytes(), found).is_ok(), is_good, "{head:?}");
        }
    }
}
