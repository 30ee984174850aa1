//! Tags and texts of markup that need not be sound.

use std::io::BufRead;

use super::LONGEST_TEXT;
use super::bounded::Bounded;

/// A part of the markup, in the scanner's buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// What is between `<` and `>`.
    Tag,
    /// What is between tags, with character references.
    Text,
    /// What is within `<![CDATA[` and `]]>`, without any.
    Data,
}

/// Cuts markup into tags and texts; comments, declarations and instructions are passed over.
pub(super) struct Tokens<R> {
    input: Bounded<R>,
    buffer: Vec<u8>,
    is_too_long: bool,
}

impl<R: BufRead> Tokens<R> {
    pub(super) fn new(input: Bounded<R>) -> Self {
        Self { input, buffer: Vec::new(), is_too_long: false }
    }

    /// The next token, which [`Tokens::bytes`] has; none at the end.
    pub(super) fn next(&mut self) -> Option<Token> {
        loop {
            self.buffer.clear();
            self.is_too_long = false;
            if self.input.peek()? != b'<' {
                self.until(b'<', false);
                return Some(Token::Text);
            }
            self.input.consume(1);
            match self.input.peek()? {
                b'!' => {
                    if self.declaration() {
                        return Some(Token::Data);
                    }
                }
                b'?' => {
                    self.until_end(b"?>");
                }
                _ => {
                    // A tag that the end cuts is none.
                    return self.until(b'>', true).then_some(Token::Tag);
                }
            }
        }
    }

    /// The bytes of the last token; empty where it was too long.
    pub(super) fn bytes(&self) -> &[u8] {
        if self.is_too_long { &[] } else { &self.buffer }
    }

    pub(super) fn into_input(self) -> Bounded<R> {
        self.input
    }

    /// Passes over a comment or declaration; true where it is text after all.
    fn declaration(&mut self) -> bool {
        const DATA: &[u8] = b"![CDATA[";
        self.input.consume(1);
        self.buffer.push(b'!');
        while self.buffer.len() < DATA.len() && self.input.peek() == Some(DATA[self.buffer.len()]) {
            self.buffer.push(DATA[self.buffer.len()]);
            self.input.consume(1);
        }
        let is_data = self.buffer == DATA;
        self.buffer.clear();
        if is_data {
            self.until_end(b"]]>");
        } else if self.input.peek() == Some(b'-') {
            self.until_end(b"-->");
        } else {
            self.until(b'>', true);
        }
        is_data
    }

    /// Takes bytes up to one, which itself is dropped if so asked; false where the input ends before it.
    fn until(&mut self, end: u8, drops_end: bool) -> bool {
        loop {
            let window = self.input.window();
            if window.is_empty() {
                return false;
            }
            let found = memchr::memchr(end, window);
            let n = found.unwrap_or(window.len());
            self.is_too_long |= self.buffer.len() + n > LONGEST_TEXT;
            if !self.is_too_long {
                self.buffer.extend_from_slice(&window[..n]);
            }
            self.input.consume(n + usize::from(found.is_some() && drops_end));
            if found.is_some() {
                return true;
            }
        }
    }

    /// Takes bytes up to a mark that ends with `>`, which is dropped; false where the input ends before it.
    fn until_end(&mut self, mark: &[u8]) -> bool {
        // The last bytes, which may have come in two windows.
        let mut tail = Vec::with_capacity(2 * mark.len());
        loop {
            let window = self.input.window();
            if window.is_empty() {
                return false;
            }
            let n = memchr::memchr(b'>', window).map_or(window.len(), |at| at + 1);
            let taken = &window[..n];
            tail.extend_from_slice(&taken[n.saturating_sub(mark.len())..]);
            tail.drain(..tail.len().saturating_sub(mark.len()));
            self.is_too_long |= self.buffer.len() + n > LONGEST_TEXT;
            if !self.is_too_long {
                self.buffer.extend_from_slice(taken);
            }
            self.input.consume(n);
            if tail == mark {
                self.buffer.truncate(self.buffer.len().saturating_sub(mark.len()));
                return true;
            }
        }
    }
}
