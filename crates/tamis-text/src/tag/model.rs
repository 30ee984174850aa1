//! The model of the tagger, and how it chooses.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::Tag;
use super::features::{Known, REACH, features};
use super::lexicon::Lexicon;
use super::sections;
use super::table::Table;
use super::weights::Weights;
use super::word::Word;

/// What the model's file starts with; the last byte is the version.
pub const MAGIC: [u8; 8] = *b"tamispt\x01";

/// The tag before the first word of a sentence.
pub const START: u64 = 255;

static BUILT_IN: LazyLock<Model> = LazyLock::new(|| {
    Model::read(Cow::Borrowed(include_bytes!("../../models/pos.bin")))
        .expect("the model is whole: a test reads it")
});

/// A model of parts of speech.
#[derive(Clone, Debug)]
pub struct Model {
    classes: Table,
    weights: Weights,
}

impl Model {
    /// The model that comes with the program.
    pub fn built_in() -> &'static Model {
        &BUILT_IN
    }

    /// Reads a model; nothing if it is not whole.
    pub fn read(bytes: Cow<'static, [u8]>) -> Option<Self> {
        let [classes, weights] = sections::read(bytes, MAGIC)?;
        Some(Self { classes: Table::read(classes)?, weights: Weights::read(weights, Tag::COUNT)? })
    }

    /// The bytes of a model.
    pub fn bytes(classes: &[(u64, u16)], weights: &[(u64, Vec<(u8, i32)>)]) -> Vec<u8> {
        sections::bytes(MAGIC, &[Table::bytes(classes), Weights::bytes(weights, Tag::COUNT)])
    }

    /// The class of a word by the tags it had where it was taught, 0 for a rare one. Up to the number of tags, the class is
    /// that of words that have but one tag: the tag's number and 1.
    pub fn class(&self, word: &Word) -> u16 {
        class(&self.classes, word)
    }

    /// The tags of the words of a sentence, which are written so.
    pub fn tags<'a>(&self, sentence: impl Iterator<Item = Cow<'a, str>>, lexicon: &Lexicon) -> Vec<Tag> {
        let mut chosen = Vec::with_capacity(sentence.size_hint().0);
        let mut coming = sentence.map({
            let mut buffer = String::new();
            move |token| {
                let word = Word::new(&token, lexicon, &mut buffer);
                let class =
                    Tag::of_quote(&token).map_or_else(|| self.class(&word), |tag| u16::from(tag.0) + 1);
                Known { word, class }
            }
        });
        let mut around: [Known; 2 * REACH + 1] = std::array::from_fn(|_| Known::edge());
        around[REACH + 1] = coming.next().unwrap_or_else(Known::edge);
        around[REACH + 2] = coming.next().unwrap_or_else(Known::edge);
        let mut before = [START; 2];
        while around[REACH + 1].word.exact != Word::edge().exact {
            around.rotate_left(1);
            around[2 * REACH] = coming.next().unwrap_or_else(Known::edge);
            let tag = self.choose(&around, before);
            before = [u64::from(tag.0), before[0]];
            chosen.push(tag);
        }
        chosen
    }

    #[inline]
    fn choose(&self, around: &[Known; 2 * REACH + 1], before: [u64; 2]) -> Tag {
        if let Some(only) = only_tag(around[REACH].class) {
            return only;
        }
        let mut scores = [0; Tag::COUNT];
        self.weights.add(&features(around, before), &mut scores);
        best(&scores)
    }
}

/// The class of a word in a table of classes.
pub fn class(classes: &Table, word: &Word) -> u16 {
    match classes.get(word.exact) {
        0 => classes.get(word.small),
        class => class,
    }
}

/// The tag of the words of a class that have but one.
pub fn only_tag(class: u16) -> Option<Tag> {
    (1..=Tag::COUNT as u16).contains(&class).then(|| Tag(class as u8 - 1))
}

/// The first of the tags with the highest score.
pub fn best(scores: &[i32; Tag::COUNT]) -> Tag {
    let mut best = 0;
    for (tag, &score) in scores.iter().enumerate() {
        if score > scores[best] {
            best = tag;
        }
    }
    Tag(best as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_model_is_whole_and_others_are_refused() {
        assert!(Model::read(Cow::Borrowed(include_bytes!("../../models/pos.bin"))).is_some());
        assert!(Model::read(Cow::Borrowed(b"tamispt\x02")).is_none());
        let cut = &include_bytes!("../../models/pos.bin")[..1000];
        assert!(Model::read(Cow::Borrowed(cut)).is_none());
    }
}
