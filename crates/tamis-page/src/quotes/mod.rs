//! Quotes in a text, in the ways of writing of many languages.
//!
//! `'…'` `‘…’` `"…"` `“…”` `«…»` `»…«` `‹…›` `›…‹` `„…”` `„…“` `‚…’` `‚…‘` `”…”` `「…」` `『…』` and the ```` ``…'' ```` of
//! typewriters, one within the other. What decides is where white space and letters stand beside a mark; the language
//! is asked where they do not tell. A quote ends in the paragraph it starts in: what is left open was no quote, unless
//! the next paragraph opens with the same mark, as quotes of several paragraphs do.

mod language;
mod mark;
mod pair;
mod paragraph;
#[cfg(test)]
mod tests;
mod word;

use language::Marks;
use mark::{Mark, glyph, marks};
use paragraph::paragraphs;

/// A quote, without its marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quote<'t> {
    /// Index of its first character in the text.
    pub start: usize,
    /// How many characters it has.
    pub length: usize,
    /// The characters, without white space at the ends.
    pub text: &'t str,
    /// How many quotes are around it.
    pub depth: u8,
    /// Whether it goes on in the next paragraph, as another quote.
    pub goes_on: bool,
}

/// Finds the quotes of a text, in the order they start. Paragraphs are parted by blank lines; where there are none, by
/// line breaks. `language` is a BCP 47 tag.
pub fn find<'t>(text: &'t str, language: Option<&str>) -> Vec<Quote<'t>> {
    let language = language.and_then(Marks::of);
    let mut quotes = Vec::new();
    let mut paragraphs = paragraphs(text).peekable();
    let mut chars_before = 0;
    let mut counted = 0;
    while let Some(paragraph) = paragraphs.next() {
        let all = marks(&text[paragraph.clone()]);
        if all.is_empty() {
            continue;
        }
        chars_before += text[counted..paragraph.start].chars().count();
        counted = paragraph.start;
        let next = paragraphs.peek().and_then(|next| text[next.clone()].trim_start().chars().next());
        let mut found = Found { paragraph: &text[paragraph], chars_before, marks: &all, quotes: Vec::new() };
        found.read(language, next.and_then(glyph));
        quotes.append(&mut found.quotes);
    }
    quotes
}

/// The quotes of one paragraph.
struct Found<'t, 'm> {
    paragraph: &'t str,
    chars_before: usize,
    marks: &'m [Mark],
    quotes: Vec<Quote<'t>>,
}

impl Found<'_, '_> {
    fn read(&mut self, language: Option<Marks>, next: Option<char>) {
        let found = pair::pairs(self.paragraph, self.marks, language);
        for pair in &found.pairs {
            let close = &self.marks[pair.close];
            self.add(pair.open, close.start, close.char_start, false);
        }
        if let Some(open) = found.unclosed.filter(|&open| Some(self.marks[open].glyph) == next) {
            let last =
                self.marks.last().map_or((0, 0), |mark| (mark.end, mark.char_start + mark.char_length));
            let chars = last.1 + self.paragraph[last.0..].chars().count();
            self.add(open, self.paragraph.len(), chars, true);
        }
        self.nest();
    }

    fn add(&mut self, open: usize, end: usize, char_end: usize, goes_on: bool) {
        let open = &self.marks[open];
        let whole = &self.paragraph[open.end..end];
        let text = whole.trim();
        if !text.contains(char::is_alphanumeric) {
            return;
        }
        let leading = whole[..whole.len() - whole.trim_start().len()].chars().count();
        let trailing = whole[whole.trim_end().len()..].chars().count();
        let start = open.char_start + open.char_length + leading;
        let length = char_end - trailing - start;
        self.quotes.push(Quote { start: self.chars_before + start, length, text, depth: 0, goes_on });
    }

    /// Puts the quotes in order, and counts those around each.
    fn nest(&mut self) {
        self.quotes.sort_by_key(|quote| (quote.start, usize::MAX - quote.length));
        let mut ends: Vec<usize> = Vec::new();
        for quote in &mut self.quotes {
            while ends.last().is_some_and(|&end| end <= quote.start) {
                ends.pop();
            }
            quote.depth = ends.len() as u8;
            ends.push(quote.start + quote.length);
        }
    }
}
