//! The trained weights as a model file.

use std::collections::HashSet;

use tamis_words::language::tamis::features::frequent;
use tamis_words::language::tamis::model::{
    Class, FEATURE_UNITS_OF_NAT, Feature, Model, ModelError, NO_LANGUAGE, UNITS_OF_NAT, written,
};
use tamis_words::language::tamis::scan::{SEED, mixed};
use tamis_words::language::tamis::script::Kind;
use tamis_words::language::tamis::votes_to_keep;

use crate::codes::{Codes, is_large};
use crate::corpus::Corpus;
use crate::count::Kept;
use crate::fit::Fitted;
use crate::frequent::Word;

/// What speaks for a language of each tier in each piece of a page, in nats: of those that are all but the same in writing as one in
/// wide use, the other has more features.
const BEFOREHAND: [f32; 4] = [0.0, 0.0, 0.0, 0.725];
/// For those that much of the web is written in: what may as well be theirs is theirs.
const LARGE: f32 = 0.125;
/// And for the unknown: it was taught other texts than what will be met.
const UNKNOWN: f32 = -1.0;
/// What a feature says less loudly of a language than this, in the unit of features, is not kept.
const LEAST_WEIGHT: u8 = 7;
/// Buckets of the table, as a power of two.
const BITS: u32 = 18;

/// A model in the making.
#[derive(Default)]
pub(crate) struct Pack {
    /// The classes so far.
    pub(crate) classes: Vec<Class>,
    features: Vec<Feature>,
}

impl Pack {
    /// Adds a script with only one language.
    pub(crate) fn single(&mut self, script: Kind, code: [u8; 3], usage: u8) {
        self.classes.push(Class { code, script, prior: 0, agreement: 0, usage });
    }

    /// Adds a script's languages.
    pub(crate) fn add(
        &mut self,
        script: Kind,
        languages: &[[u8; 3]],
        kept: &[Kept],
        fitted: &Fitted,
        codes: &Codes,
        corpus: &Corpus,
    ) {
        for (&code, bias) in languages.iter().zip(&fitted.biases) {
            let beforehand = match code {
                NO_LANGUAGE => UNKNOWN,
                code if is_large(code) => LARGE,
                code => BEFOREHAND[usize::from(codes.tier(code))],
            };
            let prior = ((bias + beforehand) * UNITS_OF_NAT).round().clamp(-127.0, 127.0) as i8;
            self.classes.push(Class { code, script, prior, agreement: 0, usage: corpus.usage(code) });
        }
        for (one, weights) in kept.iter().zip(&fitted.weights) {
            let pairs = one.languages.iter().zip(weights).map(|(&place, weight)| {
                [place, (weight * FEATURE_UNITS_OF_NAT).round().clamp(-127.0, 127.0) as i8 as u8]
            });
            let pairs: Vec<[u8; 2]> =
                pairs.filter(|pair| (pair[1] as i8).unsigned_abs() > LEAST_WEIGHT).collect();
            if !pairs.is_empty() {
                self.features.push(Feature { hash: one.feature, frequent: false, weights: pairs });
            }
        }
    }

    /// Adds the votes of frequent words, so that they need not be counted. What each says as a whole is in them and is not kept apart.
    pub(crate) fn add_frequent(&mut self, words: &[Word]) -> Result<(), ModelError> {
        let model = Model::read(self.bytes())?;
        let whole: HashSet<u64> = words.iter().filter_map(Word::whole).collect();
        self.features.retain(|feature| !whole.contains(&feature.hash));
        for word in words {
            let hash = word.letters.iter().fold(SEED, |hash, &letter| mixed(hash, letter));
            let weights = votes_to_keep(&model, word.script, &word.letters);
            self.features.push(Feature { hash: frequent(hash), frequent: true, weights });
        }
        Ok(())
    }

    /// The file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        written(&self.classes, self.features.clone(), BITS)
    }
}
