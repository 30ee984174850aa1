//! From places in a text to places in its tokens.

use tamis_page::article::Place;
use tamis_words::tokens::{Form, Token};

/// A text as its tokens, parted by spaces, and where each of them is.
pub(super) struct Joined<'a> {
    /// The tokens, parted by spaces.
    pub(super) text: String,
    tokens: &'a [Token],
    /// The first character of each token in the joined text, and how many it has.
    placed: Vec<Place>,
    length: usize,
}

impl<'a> Joined<'a> {
    /// Joins the tokens of a text.
    pub(super) fn new(source: &str, tokens: &'a [Token]) -> Joined<'a> {
        let mut joined =
            Joined { text: String::with_capacity(source.len()), tokens, placed: Vec::new(), length: 0 };
        for token in tokens {
            if joined.length > 0 {
                joined.text.push(' ');
                joined.length += 1;
            }
            let written = token.text(source);
            let length = written.chars().count();
            joined.placed.push(Place { start: joined.length, length });
            joined.text.push_str(&written);
            joined.length += length;
        }
        joined
    }

    /// Where characters of the text are among its tokens. Nothing is before the token that follows it.
    pub(super) fn place(&self, start: usize, length: usize) -> Place {
        let end = start + length;
        let first = self.tokens.partition_point(|token| token.end as usize <= start);
        let behind = self.tokens.partition_point(|token| (token.start as usize) < end).max(first);
        if length == 0 || first == behind {
            let at = self.tokens.partition_point(|token| (token.start as usize) < start);
            return Place { start: self.placed.get(at).map_or(self.length, |place| place.start), length: 0 };
        }
        let from = self.placed[first].start + self.within(first, start);
        let last = behind - 1;
        let cut = (self.tokens[last].end as usize).saturating_sub(end);
        let to =
            self.placed[last].start + self.placed[last].length - if self.is_as_is(last) { cut } else { 0 };
        Place { start: from, length: to.saturating_sub(from) }
    }

    /// How far within a token a place is, where the token has the characters of the text.
    fn within(&self, token: usize, at: usize) -> usize {
        if self.is_as_is(token) { at.saturating_sub(self.tokens[token].start as usize) } else { 0 }
    }

    fn is_as_is(&self, token: usize) -> bool {
        self.tokens[token].form == Form::AsIs
    }
}
