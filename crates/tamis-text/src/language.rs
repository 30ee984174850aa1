//! Which languages a page is written in.
//!
//! A [`Detect`] answers for a whole page: the languages it is written in, and how much of the text each has.

mod code;
pub mod tamis;

use std::ops::Range;

pub use code::Language;
pub use tamis::Tamis;

/// What a detector says of a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// The languages the page is written in, the largest first. Empty if the detector does not know.
    pub languages: Vec<Language>,
    /// How much of the text each language has that was seen in it at all, the largest first, in the detector's unit (words,
    /// letters, per cent).
    pub counts: Vec<(Language, u32)>,
    /// All of the text in the detector's unit. What the counts leave of it belongs to no known language.
    pub total: u32,
    /// Whether words of writing without spaces were split into characters to be counted.
    pub words_split: bool,
}

/// A part of a text in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Where it is, in bytes.
    pub range: Range<usize>,
    /// Its language, if the detector knows it.
    pub language: Option<Language>,
}

/// A way to find a page's languages.
pub trait Detect: Send + Sync {
    /// The languages of the whole text.
    fn detect(&self, text: &str) -> Answer;

    /// The evidence: the parts of the text, in order, with the language of each.
    fn spans(&self, text: &str) -> Vec<Span>;
}
