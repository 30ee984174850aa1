//! Lines of a file that is UTF-8 in some of its lines and Latin-1 in others.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

/// Reads a line that is UTF-8, or that was written as Latin-1 where UTF-8 was meant (the other face of
/// [kind B](super::Kind::B)). Says whether it was the latter.
///
/// The file's other lines are no guide: the collection that the kinds are named after changed its ways from one document
/// to the next. A line that is UTF-8 but for a few bytes stays so, with U+FFFD for those.
pub fn read_line(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        return (Cow::Borrowed(text), false);
    }
    let (mut sequences, mut broken) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        sequences += chunk.valid().bytes().filter(|&byte| byte >= 0xC0).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    if sequences > broken {
        return (String::from_utf8_lossy(bytes), false);
    }
    (WINDOWS_1252.decode_without_bom_handling(bytes).0, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_kinds() {
        for (line, text, latin) in [
            (&b"plain"[..], "plain", false),
            ("für".as_bytes(), "für", false),
            (&b"f\xfcr"[..], "für", true),
            (&b"\xe9t\xe9 \x93"[..], "été “", true),
            (&b"\xc3\xa9t\xc3\xa9 \xff"[..], "été \u{FFFD}", false),
        ] {
            assert_eq!(read_line(line), (Cow::Borrowed(text), latin));
        }
    }
}
