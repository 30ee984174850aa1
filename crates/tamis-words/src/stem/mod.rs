//! Stems: what is left of a word when its ending is cut off.
//!
//! English as NLTK stems it, since that is what collections were stemmed with: its `SnowballStemmer("english")`, which is Snowball's
//! algorithm of 2008, and its `PorterStemmer`, which is Porter's of 1980 with changes of NLTK's own. Other languages by the
//! algorithms of Snowball 3.

mod english;
mod letters;
mod other;
mod porter;

use std::borrow::Cow;
use std::str::FromStr;

use crate::language::Language;

/// How English is stemmed. All other languages are stemmed by Snowball's algorithms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stemmer {
    /// As NLTK's `SnowballStemmer("english")`.
    #[default]
    Snowball,
    /// As NLTK's `PorterStemmer()`.
    Porter,
}

/// No stemmer has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no stemmer {0:?}: there are `snowball` and `porter`")]
pub struct UnknownStemmer(String);

impl FromStr for Stemmer {
    type Err = UnknownStemmer;

    fn from_str(name: &str) -> Result<Self, UnknownStemmer> {
        match name {
            "snowball" => Ok(Self::Snowball),
            "porter" => Ok(Self::Porter),
            other => Err(UnknownStemmer(other.to_owned())),
        }
    }
}

impl Stemmer {
    /// The stem of a word in a language, given by its tag or code, in small letters. A word in a language without a stemmer
    /// only loses its capitals.
    ///
    /// Linear in time for English; in other languages words of more than 256 bytes are not stemmed.
    ///
    /// ```
    /// use tamis_words::stem::Stemmer;
    ///
    /// assert_eq!(Stemmer::Snowball.stem("Generously", "en"), "generous");
    /// assert_eq!(Stemmer::Porter.stem("Generously", "en"), "gener");
    /// assert_eq!(Stemmer::Snowball.stem("Häuser", "de"), "haus");
    /// ```
    pub fn stem<'a>(self, word: &'a str, language: &str) -> Cow<'a, str> {
        self.of(language).stem(word)
    }

    /// The stemmer of one language, for many words.
    pub fn of(self, language: &str) -> OneLanguage {
        let language = Language::parse(language).map(Language::macro_language);
        OneLanguage(match (language, self) {
            (Some(language), Self::Snowball) if language.code() == "eng" => Kind::English,
            (Some(language), Self::Porter) if language.code() == "eng" => Kind::Porter,
            (language, _) => language.and_then(other::algorithm).map_or(Kind::SmallLetters, Kind::Other),
        })
    }
}

/// A stemmer for the words of one language.
#[derive(Clone, Copy, Debug)]
pub struct OneLanguage(Kind);

#[derive(Clone, Copy, Debug)]
enum Kind {
    English,
    Porter,
    Other(other::Algorithm),
    SmallLetters,
}

impl OneLanguage {
    /// Whether the language has a stemmer.
    pub fn is_known(self) -> bool {
        !matches!(self.0, Kind::SmallLetters)
    }

    /// The stem of a word, in small letters.
    pub fn stem(self, word: &str) -> Cow<'_, str> {
        match self.0 {
            Kind::English => english::stem(small(word)),
            Kind::Porter => porter::stem(small(word)),
            Kind::Other(algorithm) => other::stem(algorithm, small(word)),
            Kind::SmallLetters => small(word),
        }
    }
}

/// A word in small letters.
fn small(word: &str) -> Cow<'_, str> {
    if word.bytes().any(|byte| byte >= 0x80 || byte.is_ascii_uppercase()) {
        Cow::Owned(word.to_lowercase())
    } else {
        Cow::Borrowed(word)
    }
}

#[cfg(test)]
mod tests;
