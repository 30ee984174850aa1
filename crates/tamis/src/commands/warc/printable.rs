//! Text of an archive that is safe to print.

use std::borrow::Cow;
use std::io::{self, Write};

/// The text with control characters as `%XX`, as a URL would have them: a URL in an archive may hold line ends, tabs and
/// sequences that a terminal obeys.
pub(super) fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if c.is_control() {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                safe.extend([format!("%{byte:02X}")]);
            }
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

/// The text, cut to the width of a column.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// Passes bytes on to a terminal, with a dot for each control character that is no blank or line end.
pub(super) struct Tamed<W> {
    out: W,
    last: u8,
}

impl<W: Write> Tamed<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, last: 0 }
    }
}

impl<W: Write> Write for Tamed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let tame = |byte: u8| {
            // U+0080 to U+009F, among them another spelling of ESC [, are C2 and this byte in UTF-8.
            let is_c1 = self.last == 0xc2 && (0x80..=0x9f).contains(&byte);
            self.last = byte;
            match byte {
                b'\t' | b'\n' | b'\r' => byte,
                0..=0x1f | 0x7f => b'.',
                _ if is_c1 => b'.',
                _ => byte,
            }
        };
        let tamed: Vec<u8> = bytes.iter().copied().map(tame).collect();
        self.out.write_all(&tamed)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_nothing_else() {
        for (text, safe) in [
            ("http://a/ü?x=%0A", "http://a/ü?x=%0A"),
            ("http://a/\t\n\u{1b}[31m", "http://a/%09%0A%1B[31m"),
            ("a\u{9b}b", "a%C2%9Bb"),
        ] {
            assert_eq!(printable(text), safe);
        }
    }

    #[test]
    fn a_terminal_gets_no_sequences() {
        let mut seen = Vec::new();
        let mut tamed = Tamed::new(&mut seen);
        tamed.write_all(b"a\r\n\tb\x1b[31m\x07\xc2").expect("memory takes all");
        tamed.write_all("\u{9b}é".as_bytes().get(1..).expect("two bytes")).expect("memory takes all");
        assert_eq!(seen, b"a\r\n\tb.[31m.\xc2.\xc3\xa9");
    }
}
