//! Parts of speech: a tag of the Penn Treebank for every token of English text.

pub mod features;
pub mod hash;
pub mod lexicon;
pub mod memo;
pub mod model;
pub mod sections;
pub mod table;
pub mod tagger;
pub mod weights;
pub mod word;

use std::cell::RefCell;

use crate::tokens::{Sentence, Token};
use lexicon::Lexicon;
use model::Model;
use tagger::Tagger;

/// The tags, in the order of their numbers.
const TAGS: [&str; Tag::COUNT] = [
    "#", "$", "''", ",", "-LRB-", "-RRB-", ".", ":", "ADD", "AFX", "CC", "CD", "DT", "EX", "FW", "GW",
    "HYPH", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NFP", "NN", "NNP", "NNPS", "NNS", "PDT", "POS", "PRP",
    "PRP$", "RB", "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "WDT",
    "WP", "WP$", "WRB", "XX", "``",
];

/// A tag of the Penn Treebank, as the English Web Treebank has extended it: `ADD` for addresses, `AFX` for affixes that stand by
/// themselves, `GW` for parts of a word torn apart, `HYPH` for hyphens, `NFP` for superfluous punctuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag(u8);

impl Tag {
    /// How many tags there are.
    pub const COUNT: usize = 51;

    /// The tag with a name.
    ///
    /// ```
    /// use tamis_words::tag::Tag;
    ///
    /// assert_eq!(Tag::parse("NNP").map(Tag::as_str), Some("NNP"));
    /// assert_eq!(Tag::parse("noun"), None);
    /// ```
    pub fn parse(name: &str) -> Option<Self> {
        TAGS.iter().position(|&tag| tag == name).map(|at| Self(at as u8))
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        TAGS[usize::from(self.0)]
    }

    /// Its number, below [`Tag::COUNT`].
    pub fn number(self) -> u8 {
        self.0
    }

    /// The tag of a quotation mark that says whether it opens or closes.
    fn of_quote(token: &str) -> Option<Self> {
        match token {
            "``" | "“" => Self::parse("``"),
            "''" | "”" => Self::parse("''"),
            _ => None,
        }
    }
}

thread_local! {
    static TAGGER: RefCell<Tagger<'static>> =
        RefCell::new(Tagger::new(Model::built_in(), Lexicon::built_in()));
}

/// Whether parts of speech are known for a language, by its tag: for English only.
pub fn knows(language: &str) -> bool {
    crate::tokens::is_english(language)
}

/// The tags of the tokens of a sentence of English text, in their order. For text in other languages ask [`knows`] first:
/// the tags would be noise.
///
/// Linear in time; the memory is that of the tags, and some 7 MB of each thread for words that come again ([`Tagger`]).
pub fn pos(text: &str, tokens: &[Token], sentence: &Sentence) -> Vec<Tag> {
    let tokens = tokens.get(sentence.tokens.clone()).unwrap_or_default();
    TAGGER.with_borrow_mut(|tagger| tagger.tags(tokens.iter().map(|token| token.text(text))))
}

#[cfg(test)]
mod tests;
