//! The model of the tagger.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::Tag;
use super::features::{hashes, tags};
use super::sections;
use super::table::Table;
use super::weights::{self, Weights};
use super::word::Word;

/// What the model's file starts with; the last byte is the version.
pub const MAGIC: [u8; 8] = *b"tamispt\x01";

/// The tag before the first word of a sentence.
pub const START: u64 = 255;

/// The tags, and places that stay 0, for registers to be full.
pub const WIDTH: usize = 56;

/// Scores of tags.
pub type Scores = [i16; WIDTH];

static BUILT_IN: LazyLock<Model> = LazyLock::new(|| {
    Model::read(Cow::Borrowed(include_bytes!("../../models/pos.bin")))
        .expect("the model is whole: a test reads it")
});

/// A model of parts of speech.
#[derive(Clone, Debug)]
pub struct Model {
    classes: Table,
    weights: Weights<{ Tag::COUNT }, WIDTH>,
    tags_before: Vec<Scores>,
}

impl Model {
    /// The model that comes with the program.
    pub fn built_in() -> &'static Model {
        &BUILT_IN
    }

    /// Reads a model; nothing if it is not whole.
    pub fn read(bytes: Cow<'static, [u8]>) -> Option<Self> {
        let [classes, weights] = sections::read(bytes, MAGIC)?;
        let weights = Weights::read(weights)?;
        let tags_before = all_tags_before(&weights);
        Some(Self { classes: Table::read(classes)?, weights, tags_before })
    }

    /// The bytes of a model.
    pub fn bytes(classes: &[(u64, u16)], weights: &[(u64, Vec<(u8, i32)>)]) -> Vec<u8> {
        sections::bytes(MAGIC, &[Table::bytes(classes), weights::bytes(weights, Tag::COUNT)])
    }

    /// The class of a word by the tags it had where it was taught, 0 for a rare one. Up to the number of tags, the class is
    /// that of words that have but one tag: the tag's number and 1.
    pub fn class(&self, word: &Word) -> u16 {
        class(&self.classes, word)
    }

    /// What the tags of the two words before a word add to its scores, the nearer one first.
    #[inline]
    pub(super) fn tags_before(&self, [last, second_last]: [u64; 2]) -> &Scores {
        let number = |tag: u64| (tag as usize).min(Tag::COUNT);
        &self.tags_before[number(last) * (Tag::COUNT + 1) + number(second_last)]
    }

    /// Adds the weights of features to scores.
    #[inline]
    pub(super) fn add<const N: usize>(&self, hashes: &[u64; N], scores: &mut Scores) {
        self.weights.add(hashes, scores);
    }

    /// Adds the weights of features, each to the row of scores of a number.
    #[inline]
    pub(super) fn add_to<const N: usize, const ROWS: usize>(
        &self,
        features: &[(u64, usize); N],
        rows: &mut [Scores; ROWS],
    ) {
        self.weights.add_to(features, rows);
    }

    /// The scores of tags by some features.
    #[cfg(test)]
    pub(super) fn scores<const N: usize>(&self, hashes: &[u64; N]) -> Scores {
        let mut scores = [0; WIDTH];
        self.add(hashes, &mut scores);
        scores
    }
}

/// For each pair of tags, and what is before a sentence, the scores they give the next tag.
fn all_tags_before(weights: &Weights<{ Tag::COUNT }, WIDTH>) -> Vec<Scores> {
    let numbers = || (0..Tag::COUNT as u64).chain([START]);
    let pairs = numbers().flat_map(|last| numbers().map(move |second_last| [last, second_last]));
    let of = |before| {
        let mut scores = [0; WIDTH];
        weights.add(&hashes(tags(before)), &mut scores);
        scores
    };
    pairs.map(of).collect()
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
#[inline]
pub fn best<T: Copy + Ord, const N: usize>(scores: &[T; N]) -> Tag {
    const { assert!(N >= Tag::COUNT, "a score for each tag") };
    let tags = &scores[..Tag::COUNT];
    let most = tags.iter().fold(tags[0], |most, &score| most.max(score));
    Tag(tags.iter().position(|&score| score == most).unwrap_or(0) as u8)
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
