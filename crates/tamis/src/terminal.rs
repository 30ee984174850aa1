//! Text from archives, servers and file names as a terminal may see it.
//!
//! A title can hold sequences that a terminal obeys: they move the cursor, change its title, answer as if somebody typed, or reverse the order
//! of what follows. Such characters are written out, `\u{1b}` for ESC. Our own colours pass where there are colours. Errors and
//! all else on stderr are always treated like this, stdout only where it is a terminal: data in files and pipes stay as they are.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

const ESC: char = '\u{1b}';
/// No colour of ours is longer.
const LONGEST_COLOR: usize = 16;

/// What may pass besides plain text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colors {
    /// Nothing.
    Escaped,
    /// The colours that this program uses.
    Pass,
}

/// The text with all that a terminal would obey written out, line ends and tabs excepted.
pub fn safe(text: &str, colors: Colors) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut made = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(at) = rest.find(is_obeyed) {
        let (plain, obeyed) = rest.split_at(at);
        made.push_str(plain);
        let length = match color_length(obeyed) {
            Some(length) if colors == Colors::Pass => {
                made.push_str(&obeyed[..length]);
                length
            }
            _ if obeyed.starts_with("\r\n") => {
                made.push_str("\r\n");
                2
            }
            _ => {
                let length = obeyed.chars().next().map_or(0, char::len_utf8);
                obeyed[..length].chars().for_each(|c| escape(c, &mut made));
                length
            }
        };
        rest = &obeyed[length..];
    }
    made.push_str(rest);
    Cow::Owned(made)
}

/// Whether a terminal does something else with a character than to show it.
fn is_obeyed(c: char) -> bool {
    // Controls of C0 and C1, and what reorders the text after it.
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escape(c: char, to: &mut String) {
    // Writing to a text cannot fail.
    let _ = write!(to, "{}", c.escape_default());
}

/// The length of one of our colours at the start of a text: `ESC [ 1 ; 31 m`, of bold, dim and the eight colours.
fn color_length(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix(ESC)?.strip_prefix('[')?;
    let end = parameters.find('m')?;
    let is_ours = |parameter: &str| {
        matches!(parameter, "" | "0" | "1" | "2" | "4")
            || parameter.parse().is_ok_and(|number: u8| matches!(number, 31..=37 | 90..=97))
    };
    let fits = end <= LONGEST_COLOR && parameters[..end].split(';').all(is_ours);
    fits.then_some(end + 3)
}

/// Passes text on to a terminal by [`safe`]. What is no UTF-8 passes, but for the bytes that old terminals take for controls.
pub struct Safe<W> {
    out: W,
    colors: Colors,
    /// The start of a character, a colour or a line end, whose rest is not there yet.
    held: Vec<u8>,
}

impl<W: Write> Safe<W> {
    /// A stream to a terminal.
    pub fn new(out: W, colors: Colors) -> Self {
        Self { out, colors, held: Vec::new() }
    }
}

impl<W: Write> Write for Safe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = std::mem::take(&mut self.held);
        text.extend_from_slice(bytes);
        self.held = text.split_off(text.len() - held_length(&text));
        let mut made = Vec::with_capacity(text.len());
        for chunk in text.utf8_chunks() {
            made.extend_from_slice(safe(chunk.valid(), self.colors).as_bytes());
            for &byte in chunk.invalid() {
                match byte {
                    0x80..=0x9f => made.extend_from_slice(format!("\\x{byte:02x}").as_bytes()),
                    _ => made.push(byte),
                }
            }
        }
        self.out.write_all(&made)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// How many bytes at the end of a text need those after it to be understood.
fn held_length(text: &[u8]) -> usize {
    let last = text.len().saturating_sub(LONGEST_COLOR + 2);
    if let Some(at) = text[last..].iter().rposition(|&byte| byte == 0x1b) {
        let begun = &text[last + at..];
        let is_open = begun.iter().skip(1).all(|byte| matches!(byte, b'[' | b';' | b'0'..=b'9'));
        if is_open {
            return begun.len();
        }
    }
    if text.ends_with(b"\r") {
        return 1;
    }
    let cut = text.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
    let is_cut = std::str::from_utf8(cut).is_err_and(|error| error.error_len().is_none());
    if is_cut && text.ends_with(cut) { cut.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Titles and names from hostile places, and what is seen of them.
    const CASES: [(&str, &str); 10] = [
        ("plain, é, 日本, 🦀\n\tnext\n", "plain, é, 日本, 🦀\n\tnext\n"),
        ("a\u{1b}[2Jb", "a\\u{1b}[2Jb"),
        ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
        ("\u{1b}]8;;http://evil.example/\u{1b}\\link", "\\u{1b}]8;;http://evil.example/\\u{1b}\\link"),
        ("C1 \u{9b}31m", "C1 \\u{9b}31m"),
        ("invoice\u{202e}fdp.exe", "invoice\\u{202e}fdp.exe"),
        ("\u{2066}isolated\u{2069}", "\\u{2066}isolated\\u{2069}"),
        ("over\rwritten\r\n", "over\\rwritten\r\n"),
        ("\u{7f}\u{8}\u{0}", "\\u{7f}\\u{8}\\u{0}"),
        ("العربية\u{200f}", "العربية\u{200f}"),
    ];

    #[test]
    fn what_a_terminal_would_obey_is_written_out() {
        for (text, expected) in CASES {
            for colors in [Colors::Escaped, Colors::Pass] {
                assert_eq!(safe(text, colors), expected);
            }
        }
    }

    #[test]
    fn our_colours_pass_where_there_are_colours() {
        let painted = "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m x";
        assert_eq!(safe(painted, Colors::Pass), painted);
        assert!(!safe(painted, Colors::Escaped).contains(ESC));
        // Hidden, blinking and reversed text, and colours of the terminal's palette, are none of ours.
        for other in ["\u{1b}[8m", "\u{1b}[5m", "\u{1b}[7m", "\u{1b}[38;5;1m", "\u{1b}[30m", "\u{1b}[1"] {
            assert!(!safe(other, Colors::Pass).contains(ESC), "{other:?}");
        }
    }

    #[test]
    fn a_stream_that_is_cut_anywhere_gives_the_same() {
        let all: String = CASES.iter().map(|(text, _)| *text).collect::<String>() + "\u{1b}[1mbold\u{1b}[0m.";
        let expected = safe(&all, Colors::Pass).into_owned();
        for cut in 0..=all.len() {
            let mut seen = Vec::new();
            let mut stream = Safe::new(&mut seen, Colors::Pass);
            stream.write_all(&all.as_bytes()[..cut]).expect("memory takes all");
            stream.write_all(&all.as_bytes()[cut..]).expect("memory takes all");
            drop(stream);
            assert_eq!(String::from_utf8_lossy(&seen), expected, "cut at {cut}");
        }
        let mut seen = Vec::new();
        let mut stream = Safe::new(&mut seen, Colors::Pass);
        all.bytes().for_each(|byte| stream.write_all(&[byte]).expect("memory takes all"));
        drop(stream);
        assert_eq!(String::from_utf8_lossy(&seen), expected);
    }

    #[test]
    fn bytes_that_are_no_text_hold_no_controls() {
        let mut seen = Vec::new();
        Safe::new(&mut seen, Colors::Escaped).write_all(b"a\x9b31m\xff\xc3(").expect("memory takes all");
        assert_eq!(seen, b"a\\x9b31m\xff\xc3(");
    }
}
