//! The languages that Snowball has algorithms for, beside English.

use std::borrow::Cow;

pub(super) use snowball_stemmers_rs::Algorithm;
use snowball_stemmers_rs::Stemmer;

use crate::language::Language;

/// The longest word that is stemmed, in bytes; longer ones are none, and some algorithms take the square of their length.
const LONGEST: usize = 256;

/// The algorithms by code of language, ordered.
const ALGORITHMS: &[(&str, Algorithm)] = &[
    ("ara", Algorithm::Arabic),
    ("cat", Algorithm::Catalan),
    ("ces", Algorithm::Czech),
    ("dan", Algorithm::Danish),
    ("deu", Algorithm::German),
    ("ell", Algorithm::Greek),
    ("epo", Algorithm::Esperanto),
    ("est", Algorithm::Estonian),
    ("eus", Algorithm::Basque),
    ("fas", Algorithm::Persian),
    ("fin", Algorithm::Finnish),
    ("fra", Algorithm::French),
    ("gle", Algorithm::Irish),
    ("hin", Algorithm::Hindi),
    ("hun", Algorithm::Hungarian),
    ("hye", Algorithm::Armenian),
    ("ind", Algorithm::Indonesian),
    ("ita", Algorithm::Italian),
    ("lit", Algorithm::Lithuanian),
    ("nep", Algorithm::Nepali),
    ("nld", Algorithm::Dutch),
    ("nor", Algorithm::Norwegian),
    ("pol", Algorithm::Polish),
    ("por", Algorithm::Portuguese),
    ("ron", Algorithm::Romanian),
    ("rus", Algorithm::Russian),
    ("sot", Algorithm::Sesotho),
    ("spa", Algorithm::Spanish),
    ("srp", Algorithm::Serbian),
    ("swe", Algorithm::Swedish),
    ("tam", Algorithm::Tamil),
    ("tur", Algorithm::Turkish),
    ("ukr", Algorithm::Ukrainian),
    ("yid", Algorithm::Yiddish),
];

/// The algorithm of a language.
pub(super) fn algorithm(language: Language) -> Option<Algorithm> {
    ALGORITHMS.binary_search_by_key(&language.code(), |row| row.0).ok().map(|place| ALGORITHMS[place].1)
}

/// The stem of a word in small letters.
pub(super) fn stem(algorithm: Algorithm, word: Cow<'_, str>) -> Cow<'_, str> {
    if word.len() > LONGEST {
        return word;
    }
    let stem = match Stemmer::create(algorithm).stem(&word) {
        Cow::Borrowed(stem) if stem.len() == word.len() => None,
        stem => Some(stem.into_owned()),
    };
    stem.map_or(word, Cow::Owned)
}

#[cfg(test)]
pub(super) fn codes() -> impl Iterator<Item = &'static str> {
    ALGORITHMS.iter().map(|row| row.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_languages_are_ordered_and_known() {
        assert!(ALGORITHMS.is_sorted_by(|one, other| one.0 < other.0));
        for (code, algorithm_of) in ALGORITHMS {
            let language = Language::parse(code).expect("a known language").macro_language();
            assert_eq!(algorithm(language), Some(*algorithm_of), "{code}");
        }
    }
}
