//! WARC 0.9: one header line, whose length covers the whole record, itself and the two line ends included.

use crate::DATE_DIGITS;

/// A record as the draft has it: lower-case letters, a bare number.
pub fn lower_case(url: &str, message: &[u8]) -> Vec<u8> {
    record(url, "", message, |length, rest| format!("warc/0.9 {length} {rest}"))
}

/// A record as `BUbING`'s forerunner wrote it, with named fields below the header line.
pub fn with_fields(url: &str, message: &[u8]) -> Vec<u8> {
    let fields = "BUbING-guessed-charset: iso-8859-1\r\nBUbING-content-digest: 00ff\r\n";
    record(url, fields, message, |length, rest| format!("warc/0.9 {length} {rest}"))
}

/// A record as Heritrix wrote it: upper-case letters, the number padded with zeros so that it can be filled in later.
pub fn upper_case_padded(url: &str, message: &[u8]) -> Vec<u8> {
    record(url, "", message, |length, rest| format!("WARC/0.9 {length:010} {rest}"))
}

/// A record with spaces before the number instead.
pub fn space_padded(url: &str, message: &[u8]) -> Vec<u8> {
    record(url, "", message, |length, rest| format!("WARC/0.9 {length:>10} {rest}"))
}

/// The header line grows with the digits of its own length, so that is sought from below.
fn record(url: &str, fields: &str, message: &[u8], line: impl Fn(usize, &str) -> String) -> Vec<u8> {
    let id = crc32fast::hash(message);
    let rest = format!("response {url} {DATE_DIGITS} message/http uuid:00000000-0000-4000-8000-0000{id:08x}");
    let bytes = |length| {
        let head = format!("{}\r\n{fields}\r\n", line(length, &rest));
        [head.as_bytes(), message, b"\r\n\r\n"].concat()
    };
    let mut length = bytes(0).len();
    while bytes(length).len() != length {
        length = bytes(length).len();
    }
    bytes(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_covers_the_whole_record() {
        for size in [0, 1, 20, 900, 9_870, 99_900] {
            for make in [lower_case, with_fields, upper_case_padded, space_padded] {
                let bytes = make("http://a/", &vec![b'x'; size]);
                let text = String::from_utf8(bytes.clone()).expect("ASCII");
                let length: usize =
                    text.split_whitespace().nth(1).expect("a length").parse().expect("a number");
                assert_eq!(length, bytes.len());
                assert!(text.ends_with("\r\n\r\n"));
            }
        }
    }
}
