//! Names of people, organisations and places in English text.
//!
//! Each sentence is labelled by itself ([`model`]); then names are made consistent within the document ([`document`]): who was named in
//! full is found again by a part of the name.

pub mod document;
pub mod features;
pub mod finder;
pub mod gazetteer;
pub mod label;
pub mod model;
pub mod run;

use std::cell::RefCell;
use std::ops::Range;

use crate::tag::Tag;
use crate::tag::lexicon::Lexicon;
use crate::tokens::{Sentence, Token};
use document::Document;
use finder::Finder;
use model::Model;

/// What a name is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A person.
    Person,
    /// An organisation.
    Organization,
    /// A place.
    Location,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Person, Kind::Organization, Kind::Location];

    /// Its name as corpora write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Person => "PER",
            Kind::Organization => "ORG",
            Kind::Location => "LOC",
        }
    }
}

/// A name in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    /// Its tokens.
    pub tokens: Range<usize>,
    /// Its first character, counted from the start of the text.
    pub start: u32,
    /// The character behind its last one.
    pub end: u32,
    /// Its first byte in the text.
    pub start_byte: u32,
    /// The byte behind its last one.
    pub end_byte: u32,
    /// What it is the name of.
    pub kind: Kind,
    /// How likely it is a name of this kind with these bounds, from 0 to 1.
    pub confidence: f32,
}

/// The names in an English text, in its order, none within another. `tags` are those of all tokens, as [`crate::tag::pos`] gives
/// them sentence by sentence. For text in other languages ask [`crate::tag::knows`] first: nothing is better than noise.
///
/// Linear in time. The memory is some hundreds of bytes for each token of the longest sentence and eight for each of the text, and some
/// 4 MB of each thread for words that come again ([`Finder`]).
pub fn entities(text: &str, tokens: &[Token], sentences: &[Sentence], tags: &[Tag]) -> Vec<Entity> {
    FINDER.with_borrow_mut(|finder| {
        let Some(finder) = finder else { return Vec::new() };
        let mut document = Document::default();
        for sentence in sentences {
            let range = sentence.tokens.clone();
            let (Some(tokens), Some(tags)) = (tokens.get(range.clone()), tags.get(range)) else { continue };
            let words = tokens.iter().map(|token| token.text(text));
            finder.read(words, tags, sentence.tokens.start, &mut document);
        }
        document.names().into_iter().filter_map(|found| entity(tokens, &found)).collect()
    })
}

thread_local! {
    static FINDER: RefCell<Option<Finder<'static>>> =
        RefCell::new(Model::built_in().map(|model| Finder::new(model, Lexicon::built_in())));
}

fn entity(tokens: &[Token], found: &model::Found) -> Option<Entity> {
    let (first, last) = (tokens.get(found.words.start)?, tokens.get(found.words.end.checked_sub(1)?)?);
    Some(Entity {
        tokens: found.words.clone(),
        start: first.start,
        end: last.end,
        start_byte: first.start_byte,
        end_byte: last.end_byte,
        kind: found.kind,
        confidence: found.confidence(),
    })
}

#[cfg(test)]
mod tests;
