//! Names by the tagger of English text.

use std::fmt;
use std::sync::Arc;

use tamis_words::entity::{self, Kind};
use tamis_words::language::{Detect, Language, default_detector};
use tamis_words::place;
use tamis_words::tag;
use tamis_words::tokens::{self, Sentence, Token};

use super::entities::{Capitalized, Entities, MOST_WORDS, NameKind};

/// Finds names by the tagger where a text is English, and by capital letters elsewhere; in German, whose nouns have them, by the gazetteer too.
#[derive(Clone)]
pub struct Tagged {
    detector: Arc<dyn Detect>,
}

/// Bytes of a text that are tagged: an event is named before.
const MOST_BYTES: usize = 50_000;
/// Tokens of a sentence; the tagger holds it in memory as a whole.
const LONGEST_SENTENCE: usize = 500;
/// Names that the tagger is less sure of are left to others that recur.
const LEAST_CONFIDENCE: f32 = 0.5;

/// Languages that write all nouns with capitals.
const NOUNS: [&str; 4] = ["deu", "gsw", "ltz", "nds"];

impl Default for Tagged {
    fn default() -> Self {
        Self { detector: default_detector() }
    }
}

impl fmt::Debug for Tagged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tagged")
    }
}

impl Entities for Tagged {
    fn each(&self, text: &str, found: &mut dyn FnMut(&str, NameKind)) {
        let text = &text[..text.floor_char_boundary(MOST_BYTES)];
        let answer = self.detector.detect(text);
        match answer.languages.first().map(Language::code) {
            Some(language) if tag::knows(language) => each_tagged(text, language, found),
            Some(language) if NOUNS.contains(&language) => each_place(text, found),
            _ => Capitalized.each(text, found),
        }
    }
}

fn each_tagged(text: &str, language: &str, found: &mut dyn FnMut(&str, NameKind)) {
    let tokens = tokens::split(text, Some(language));
    let sentences = pieces(&tokens::sentences(text, &tokens, Some(language)), &tokens);
    let tags: Vec<_> = sentences.iter().flat_map(|sentence| tag::pos(text, &tokens, sentence)).collect();
    for name in entity::entities(text, &tokens, &sentences, &tags) {
        let phrase = text.get(name.start_byte as usize..name.end_byte as usize).unwrap_or_default();
        let is_name = name.confidence >= LEAST_CONFIDENCE
            && phrase.chars().filter(|c| c.is_alphabetic()).nth(1).is_some()
            && !phrase.contains(char::is_control)
            && phrase.split(' ').count() <= MOST_WORDS;
        if is_name {
            found(phrase, kind(name.kind));
        }
    }
}

/// Of words with capitals those that the gazetteer knows: the others are mostly nouns.
fn each_place(text: &str, found: &mut dyn FnMut(&str, NameKind)) {
    Capitalized.each(text, &mut |name, _| {
        if place::resolve(name, &place::Context::default()).is_some() {
            found(name, NameKind::Place);
        }
    });
}

fn kind(kind: Kind) -> NameKind {
    match kind {
        Kind::Person => NameKind::Person,
        Kind::Organization => NameKind::Organization,
        Kind::Location => NameKind::Place,
    }
}

/// Sentences, and of those that are too long for any the pieces.
fn pieces(sentences: &[Sentence], tokens: &[Token]) -> Vec<Sentence> {
    let of = |sentence: &Sentence| {
        let range = sentence.tokens.clone();
        let end = range.end;
        range.step_by(LONGEST_SENTENCE).map(move |first| {
            let end = end.min(first + LONGEST_SENTENCE);
            Sentence { tokens: first..end, start: tokens[first].start, end: tokens[end - 1].end }
        })
    };
    sentences.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(String, NameKind)> {
        let mut names = Vec::new();
        Tagged::default().each(text, &mut |name, kind| names.push((name.to_owned(), kind)));
        names
    }

    #[test]
    fn english_names_have_kinds_and_begin_sentences() {
        let text = "Brazil stopped its payments in February, said President Jose Sarney. Many banks in New York had lent it money. \
                    Officials of the World Bank met them in Washington to talk about the debt.";
        let names = names(text);
        for (name, kind) in [
            ("Brazil", NameKind::Place),
            ("Jose Sarney", NameKind::Person),
            ("World Bank", NameKind::Organization),
            ("Washington", NameKind::Place),
        ] {
            assert!(names.contains(&(name.to_owned(), kind)), "{name} is missing in {names:?}");
        }
        assert!(!names.iter().any(|(name, _)| name == "Many" || name == "Officials"), "{names:?}");
    }

    #[test]
    fn other_languages_go_by_capitals() {
        let text = "Hier, la rivière a débordé à Besançon, et beaucoup de gens de Saint-Vit ont dû quitter leurs maisons.";
        let names = names(text);
        assert!(names.contains(&("Saint-Vit".to_owned(), NameKind::Name)), "{names:?}");
    }

    #[test]
    fn german_nouns_are_no_names() {
        let text = "Gestern ist der Fluss in Passau über die Ufer getreten, und viele Menschen mussten ihre Häuser verlassen.";
        assert_eq!(names(text), [("Passau".to_owned(), NameKind::Place)]);
    }

    #[test]
    fn nothing_has_no_names() {
        for text in ["", " ", "\u{0}\u{300}", "...!?"] {
            assert!(names(text).is_empty(), "{text:?}");
        }
    }
}
