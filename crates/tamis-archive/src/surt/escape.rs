//! Percent-escapes: undone until none is left, and written again for a chosen set of bytes.

/// Undoes percent-escapes, also those that only appear by undoing others: `%25%34%31` becomes `A`.
///
/// Each byte is looked at once and each escape undone shortens the output, so the time is linear however deep
/// the escapes are nested. Escapes never overlap (a `%` is no hex digit), so the order of undoing does not matter.
pub(super) fn unescape_repeatedly(text: &[u8]) -> Vec<u8> {
    let Some(first) = memchr::memchr(b'%', text) else { return text.to_vec() };
    let mut out = Vec::with_capacity(text.len());
    out.extend_from_slice(&text[..first]);
    for &byte in &text[first..] {
        out.push(byte);
        while let Some(decoded) = escape_at_end(&out) {
            out.truncate(out.len() - 3);
            out.push(decoded);
        }
    }
    out
}

/// Undoes percent-escapes once.
pub(super) fn unescape(text: &[u8]) -> Vec<u8> {
    percent_encoding::percent_decode(text).collect()
}

/// Writes each byte that `needs_escape` picks as `%` and two hex digits in upper case.
pub(super) fn escape(text: &[u8], needs_escape: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &byte in text {
        if needs_escape(byte) {
            out.extend_from_slice(percent_encoding::percent_encode_byte(byte).as_bytes());
        } else {
            out.push(byte);
        }
    }
    out
}

/// The bytes that Google's Safe Browsing rules escape: all outside of printable ASCII, `#` and `%`.
pub(super) fn is_unsafe(byte: u8) -> bool {
    !byte.is_ascii_graphic() || matches!(byte, b'#' | b'%')
}

fn escape_at_end(out: &[u8]) -> Option<u8> {
    let [.., b'%', high, low] = *out else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(high)? << 4 | digit(low)?) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone_until_none_is_left() {
        for (text, expected) in [
            ("%!A%21%21%25", "%!A!!%"),
            ("%", "%"),
            ("%2", "%2"),
            ("%25%", "%%"),
            ("%252525", "%"),
            ("%25%32%35", "%"),
            ("%%36%31", "a"),
            ("%25%25361", "a"),
            ("100%zz%4", "100%zz%4"),
        ] {
            assert_eq!(unescape_repeatedly(text.as_bytes()), expected.as_bytes(), "{text}");
        }
    }

    #[test]
    fn escapes_nested_a_million_deep_take_linear_time() {
        let text = format!("%{}41", "25".repeat(1 << 20));
        assert_eq!(unescape_repeatedly(text.as_bytes()), b"A");
    }

    proptest::proptest! {
        #[test]
        fn one_pass_gives_what_repeated_passes_give(text in "[%2-6a-f]{0,40}") {
            let mut expected = text.into_bytes();
            let once = unescape_repeatedly(&expected);
            loop {
                let next = unescape(&expected);
                if next == expected {
                    break;
                }
                expected = next;
            }
            proptest::prop_assert_eq!(once, expected);
        }
    }
}
