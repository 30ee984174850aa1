//! Charsets in which markup is not ASCII, and pages in them as UTF-8.

use encoding_rs::{Encoding, ISO_2022_JP, UTF_16BE, UTF_16LE};

/// How a page becomes UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transcode(&'static Encoding);

/// How a page has to be transcoded before it is rewritten, by its first bytes and its media type. None for charsets that agree with ASCII.
pub fn needed(first: &[u8], media_type: &str) -> Option<Transcode> {
    if let Some((encoding, _)) = Encoding::for_bom(first) {
        return is_odd(encoding).then_some(Transcode(encoding));
    }
    if let Some(encoding) = stated(media_type.as_bytes()) {
        return is_odd(encoding).then_some(Transcode(encoding));
    }
    // `meta` cannot state UTF-16: it is read as ASCII.
    let head = &first[..first.len().min(1024)];
    (stated(head) == Some(ISO_2022_JP)).then_some(Transcode(ISO_2022_JP))
}

impl Transcode {
    /// The page as UTF-8, without its byte order mark. What cannot be read is U+FFFD.
    pub fn to_utf8(self, bytes: &[u8]) -> String {
        self.0.decode_with_bom_removal(bytes).0.into_owned()
    }
}

fn is_odd(encoding: &'static Encoding) -> bool {
    encoding == UTF_16LE || encoding == UTF_16BE || encoding == ISO_2022_JP
}

/// The charset after the first `charset=`.
fn stated(text: &[u8]) -> Option<&'static Encoding> {
    let lower = text.to_ascii_lowercase();
    let at = lower.windows(8).position(|window| window == b"charset=")? + 8;
    let rest = lower[at..].trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    let end = rest
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\'' | b';' | b'>' | b'/') || byte.is_ascii_whitespace());
    Encoding::for_label(&rest[..end.unwrap_or(rest.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_charsets_unlike_ascii_are_transcoded() {
        for (first, media_type, text) in [
            (&b"\xff\xfe<\0p\0"[..], "", Some("<p")),
            (b"\xfe\xff\0<\0p", "text/html; charset=latin1", Some("<p")),
            (b"<\0p\0", "text/html; charset=UTF-16LE", Some("<p")),
            (
                b"<meta charset='iso-2022-jp'>\x1b$B$\"\x1b(B",
                "text/html",
                Some("<meta charset='iso-2022-jp'>\u{3042}"),
            ),
            (b"<p>\xe9", "text/html; charset=iso-8859-1", None),
            (b"<meta charset=utf-16>\xe9", "text/html", None),
            (b"\xef\xbb\xbf<p>", "text/html; charset=utf-16", None),
            (b"", "", None),
        ] {
            let found = needed(first, media_type).map(|transcode| transcode.to_utf8(first));
            assert_eq!(found.as_deref(), text, "{media_type} {first:?}");
        }
    }
}
