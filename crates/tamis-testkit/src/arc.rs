//! ARC files, versions 1.0, 1.1 and 2.0 (<http://archive.org/web/researcher/ArcFileFormat.php>).

use crate::DATE_DIGITS;

const FIELDS_1: &str = "URL IP-address Archive-date Content-type Archive-length";
const FIELDS_2: &str =
    "URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length";

/// The block at the beginning of a file of version 1.0, as the Internet Archive wrote it.
pub fn version_block_1_0(filename: &str) -> Vec<u8> {
    version_block(filename, &format!("1 0 InternetArchive\n{FIELDS_1}\n"))
}

/// The block at the beginning of a file of version 1.1, with Heritrix's description of the crawl.
pub fn version_block_1_1(filename: &str) -> Vec<u8> {
    let about = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<arcmetadata><arc:software>tamis-testkit</arc:software></arcmetadata>\n";
    version_block(filename, &format!("1 1 InternetArchive\n{FIELDS_1}\n{about}"))
}

/// The block at the beginning of a file of version 2.0, whose records have ten fields.
pub fn version_block_2_0(filename: &str) -> Vec<u8> {
    version_block(filename, &format!("2 0 InternetArchive\n{FIELDS_2}\n"))
}

/// A record of version 1: one line, the message, and a line end that its length does not count.
pub fn record(url: &str, content_type: &str, message: &[u8]) -> Vec<u8> {
    record_off_by(url, content_type, message, 0)
}

/// Fault: a record of version 1 whose length is so much too large, or too small.
pub fn record_off_by(url: &str, content_type: &str, message: &[u8], bytes: i64) -> Vec<u8> {
    let length = (message.len() as u64).saturating_add_signed(bytes);
    let line = format!("{url} 192.0.2.7 {DATE_DIGITS} {content_type} {length}\n");
    [line.as_bytes(), message, b"\n"].concat()
}

/// A record of version 2.
pub fn record_2(url: &str, content_type: &str, status: u16, message: &[u8]) -> Vec<u8> {
    let length = message.len();
    let line = format!("{url} 192.0.2.7 {DATE_DIGITS} {content_type} {status} - - 0 a.arc {length}\n");
    [line.as_bytes(), message, b"\n"].concat()
}

fn version_block(filename: &str, block: &str) -> Vec<u8> {
    let line = format!("filedesc://{filename} 0.0.0.0 {DATE_DIGITS} text/plain {}\n", block.len());
    [line.as_bytes(), block.as_bytes(), b"\n"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_counts_what_stands_between_the_lines() {
        for bytes in [
            version_block_1_0("a.arc"),
            version_block_1_1("a.arc"),
            version_block_2_0("a.arc"),
            record("http://a/", "text/html", b"HTTP/1.0 200 OK\r\n\r\nx"),
            record_2("http://a/", "text/html", 200, b"HTTP/1.0 200 OK\r\n\r\nx"),
        ] {
            let line_end = bytes.iter().position(|&b| b == b'\n').expect("it has a line");
            let line = String::from_utf8_lossy(&bytes[..line_end]);
            let length: usize = line.rsplit(' ').next().expect("it has words").parse().expect("a number");
            assert_eq!(line_end + 1 + length + 1, bytes.len(), "{line}");
        }
    }
}
