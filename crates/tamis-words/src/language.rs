//! Which languages a page is written in.
//!
//! A [`Detect`] answers for a whole page: the languages it is written in, and how much of the text each has.

mod agreement;
mod answer_line;
#[cfg(feature = "cld2")]
mod cld2;
mod code;
mod info_line;
mod tag_list;
pub mod tamis;
mod words;

#[cfg(all(test, feature = "cld2"))]
mod any_text;

use std::ops::Range;
use std::sync::Arc;

pub use agreement::{Agreement, Score, Tally};
pub use answer_line::{AnswerLine, AnswerLineError};
#[cfg(feature = "cld2")]
pub use cld2::{Cld2, Hints, Summary};
pub use code::Language;
pub use info_line::{InfoLine, InfoLineError, languages};
pub use tag_list::first_tag;
pub use tamis::Tamis;
pub use words::{DictionaryError, Words, choose};

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

impl Answer {
    /// How much of the text is in a language, from 0 to 1.
    pub fn share(&self, language: Language) -> f32 {
        let count = self.counts.iter().find(|(other, _)| *other == language).map_or(0, |&(_, count)| count);
        if self.total == 0 { 0.0 } else { count as f32 / self.total as f32 }
    }
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

    /// How likely it is that the languages named are right, from 0 to 1, if the detector can say. A share tells how much of a text is in
    /// a language and nothing of this: a word that may be in ten languages has all of its text in the one that is named.
    fn confidence(&self, _text: &str) -> Option<f32> {
        None
    }
}

impl<D: Detect + ?Sized> Detect for &D {
    fn detect(&self, text: &str) -> Answer {
        (**self).detect(text)
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        (**self).spans(text)
    }

    fn confidence(&self, text: &str) -> Option<f32> {
        (**self).confidence(text)
    }
}

/// The detector that is used unless another is asked for.
pub fn default_detector() -> Arc<dyn Detect> {
    Arc::new(Tamis::new())
}
