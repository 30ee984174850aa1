//! Which features are worth keeping, and for which languages.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use tamis_words::language::tamis::features::features;
use tamis_words::language::tamis::scan::{Word, Words, scan};
use tamis_words::language::tamis::script::{Characters, Kind};

use crate::arithmetic::logarithm;
use crate::codes::Codes;
use crate::corpus::Corpus;
use crate::random::Random;

/// Snippets drawn of each language to count features in.
const SNIPPETS: usize = 6000;
/// The letters of each.
const SNIPPET_LETTERS: usize = 70;
/// A feature seen less often in a language says nothing of it.
const LEAST_COUNT: u32 = 3;
/// Of a frequent word as a whole less is enough.
const LEAST_COUNT_OF_WORD: u32 = 2;
/// A feature speaks for at most this many languages.
const MOST_LANGUAGES: usize = 24;
/// It does not speak for one where it is this much rarer than where it is most frequent.
const LEAST_PART: f32 = 0.015;

/// Hashes are spread already.
#[derive(Default)]
pub(crate) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, &b| hash.rotate_left(8) ^ u64::from(b));
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// A map with the hash of a feature as key.
pub(crate) type ByFeature<T> = HashMap<u64, T, BuildHasherDefault<Spread>>;

/// A feature and the languages (by place) it may speak for.
pub(crate) struct Kept {
    /// The hash.
    pub(crate) feature: u64,
    /// The languages.
    pub(crate) languages: Vec<u8>,
    /// How much more frequent it is in each than where it speaks for nothing, as a logarithm.
    pub(crate) odds: Vec<f32>,
}

/// Gathers the features of the words of one script.
pub(crate) struct Gathered {
    /// The script.
    pub(crate) script: Kind,
    /// The features of all words, in order.
    pub(crate) features: Vec<u64>,
}

impl Words for Gathered {
    fn word(&mut self, word: &Word) {
        if word.script == self.script {
            features(word.script, word.letters(), |feature| self.features.push(feature));
        }
    }
    fn sentence_end(&mut self, _: usize) {}
    fn line_end(&mut self, _: usize) -> usize {
        0
    }
    fn end(&mut self, _: usize) {}
}

/// The features of a script's languages: so many of the most telling ones, and the frequent words, which cost no room (`pack.rs`).
pub(crate) fn kept(
    corpus: &Corpus,
    script: Kind,
    languages: &[[u8; 3]],
    most: usize,
    words: &HashSet<u64>,
    codes: &Codes,
    characters: &Characters,
) -> Vec<Kept> {
    let mut seen: Vec<(u64, u8, f32)> = Vec::new();
    for (place, &code) in languages.iter().enumerate() {
        let mut random = Random::new(place as u64 ^ 0xc0de);
        let mut counts: ByFeature<u32> = ByFeature::default();
        let mut all = 0u32;
        let mut gathered = Gathered { script, features: Vec::new() };
        for _ in 0..SNIPPETS {
            let text = corpus.snippet((script, code), SNIPPET_LETTERS, &mut random);
            scan(&text, characters, &mut gathered);
            all += gathered.features.len() as u32;
            for feature in gathered.features.drain(..) {
                *counts.entry(feature).or_default() += 1;
            }
        }
        let least = |feature| if words.contains(&feature) { LEAST_COUNT_OF_WORD } else { LEAST_COUNT };
        let often = counts.into_iter().filter(|&(feature, count)| count >= least(feature));
        seen.extend(often.map(|(feature, count)| (feature, place as u8, count as f32 / all as f32)));
    }
    seen.sort_unstable_by_key(|one| (one.0, one.1));
    let variety: Vec<f32> = languages.iter().map(|&code| codes.variety(code)).collect();
    most_telling(&seen, &variety, most, words)
}

fn most_telling(seen: &[(u64, u8, f32)], variety: &[f32], most: usize, words: &HashSet<u64>) -> Vec<Kept> {
    let mut ranked: Vec<(f32, Kept)> = Vec::new();
    let mut whole_words = Vec::new();
    for group in seen.chunk_by(|a, b| a.0 == b.0) {
        let highest = group.iter().map(|one| one.2).fold(0.0, f32::max);
        let mean = group.iter().map(|one| one.2).sum::<f32>() / variety.len() as f32;
        let kept = speaking(group, highest, variety);
        if words.contains(&kept.feature) {
            whole_words.push(kept);
        } else {
            ranked.push((value(group, mean), kept));
        }
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.feature.cmp(&b.1.feature)));
    ranked.truncate(most);
    ranked.into_iter().map(|(_, kept)| kept).chain(whole_words).collect()
}

/// What a feature tells of the language it tells most of, and a bit for each other one.
fn value(group: &[(u64, u8, f32)], mean: f32) -> f32 {
    let tells = group.iter().map(|one| (one.2 * logarithm(one.2 / mean)).max(0.0));
    let (top, sum) = tells.fold((0.0f32, 0.0f32), |(top, sum), tells| (top.max(tells), sum + tells));
    top + 0.3 * sum
}

/// The languages a feature may speak for.
fn speaking(group: &[(u64, u8, f32)], highest: f32, variety: &[f32]) -> Kept {
    let least = LEAST_PART * highest;
    let counted = |one: &(u64, u8, f32)| one.2 * variety[usize::from(one.1)];
    let mut speaking: Vec<&(u64, u8, f32)> = group.iter().filter(|one| counted(one) >= least).collect();
    speaking.sort_by(|a, b| counted(b).total_cmp(&counted(a)).then(a.1.cmp(&b.1)));
    let left_out = speaking.iter().skip(MOST_LANGUAGES).map(|one| one.2);
    let floor = left_out.fold(least, f32::max);
    speaking.truncate(MOST_LANGUAGES);
    speaking.sort_by_key(|one| one.1);
    Kept {
        feature: group[0].0,
        languages: speaking.iter().map(|one| one.1).collect(),
        odds: speaking.iter().map(|one| logarithm(one.2 / floor)).collect(),
    }
}
