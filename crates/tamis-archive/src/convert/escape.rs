//! Bytes as text that a head can carry, without losing any.

use std::fmt::Write;

use crate::fields::bytes_to_text;

/// A URI with percent signs for blanks, control characters and bytes that are not UTF-8.
pub(crate) fn escaped_uri(uri: &[u8]) -> String {
    let mut escaped = String::with_capacity(uri.len());
    for chunk in uri.utf8_chunks() {
        for c in chunk.valid().chars() {
            push(&mut escaped, c, c.is_ascii_control() || c == ' ');
        }
        for &b in chunk.invalid() {
            push(&mut escaped, char::from(b), true);
        }
    }
    escaped
}

/// Any other value: UTF-8, or else Latin-1, with percent signs for control characters.
pub(crate) fn printable(value: &[u8]) -> String {
    let mut escaped = String::with_capacity(value.len());
    for c in bytes_to_text(value).chars() {
        push(&mut escaped, c, c.is_ascii_control() && c != '\t');
    }
    escaped
}

/// Any bytes, with percent signs for all that is not printable ASCII, and for the percent sign: none of them is lost.
pub(crate) fn escaped_bytes(value: &[u8]) -> String {
    let mut escaped = String::with_capacity(value.len());
    for &b in value {
        push(&mut escaped, char::from(b), !(b.is_ascii_graphic() || b == b' ') || b == b'%');
    }
    escaped
}

/// Characters to be escaped are below 256.
fn push(text: &mut String, c: char, is_escaped: bool) {
    if is_escaped {
        write!(text, "%{:02X}", u32::from(c)).expect("memory takes all");
    } else {
        text.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_byte_is_lost() {
        assert_eq!(escaped_uri(b"http://a/b c\td"), "http://a/b%20c%09d");
        assert_eq!(escaped_uri("http://a/é".as_bytes()), "http://a/é");
        assert_eq!(escaped_uri(b"http://a/\xe9%20"), "http://a/%E9%20");
        assert_eq!(printable(b"caf\xe9 \x0b\t"), "café %0B\t");
    }
}
