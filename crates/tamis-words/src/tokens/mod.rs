//! Words and sentences, with their places in the text.
//!
//! English is split as the Penn Treebank is ([`ptb`]); every other language by Unicode's rules, with dictionaries for those that
//! put no spaces between words. [`split`] chooses. [`sentences`] groups tokens.

mod abbreviations;
pub mod ptb;
mod sentence;
mod token;
mod unicode;

pub use sentence::{Sentence, sentences};
pub use token::{Form, Token};

/// The tokens of a text in a language, given by its BCP 47 tag or its code of ISO 639. A text in no known language is
/// split as English is.
///
/// Linear in time; the memory is that of the tokens. Texts beyond 4 GiB are cut there.
///
/// ```
/// use tamis_words::tokens::split;
///
/// let text = "สวัสดีครับ";
/// let tokens: Vec<_> = split(text, Some("th")).iter().map(|token| token.source(text)).collect();
/// assert_eq!(tokens, ["สวัสดี", "ครับ"]);
/// ```
pub fn split(text: &str, language: Option<&str>) -> Vec<Token> {
    let text = bounded(text);
    if language.is_none_or(is_english) { ptb::tokens(text).collect() } else { unicode::tokens(text) }
}

/// Whether a tag names English.
pub(crate) fn is_english(tag: &str) -> bool {
    matches!(primary(tag).to_ascii_lowercase().as_str(), "en" | "eng")
}

/// The language of a tag, without script, region and the like.
pub(crate) fn primary(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or(tag)
}

/// The part of a text whose places are numbers of 32 bits.
fn bounded(text: &str) -> &str {
    match u32::try_from(text.len()) {
        Ok(_) => text,
        Err(_) => &text[..text.floor_char_boundary(u32::MAX as usize)],
    }
}

#[cfg(test)]
mod tests;
