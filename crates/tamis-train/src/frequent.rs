//! The frequent words of each language, whose votes the model keeps: the sum of what is learnt of their letters and of each as a whole.

use std::collections::{BTreeMap, BTreeSet};

use tamis_words::language::tamis::features::features;
use tamis_words::language::tamis::model::NO_LANGUAGE;
use tamis_words::language::tamis::scan::{self, Words, scan};
use tamis_words::language::tamis::script::{Characters, HAN, Kind};

use crate::codes::{Codes, is_large};
use crate::corpus::Corpus;
use crate::random::Random;

/// Snippets drawn of each language to count words in.
const SNIPPETS: usize = 3000;
/// The letters of each.
const SNIPPET_LETTERS: usize = 150;
/// So many words are kept of languages that much of the web is written in, and of Chinese and Japanese as many characters,
const OF_LARGE: usize = 4000;
/// of others in wide use,
const OF_OTHERS: usize = 800;
/// and of rarer ones.
const OF_RARER: usize = 100;

/// A word.
#[derive(PartialEq, Eq, PartialOrd, Ord, Clone)]
pub(crate) struct Word {
    /// Its script.
    pub(crate) script: Kind,
    /// Its small letters.
    pub(crate) letters: Vec<u16>,
}

impl Word {
    /// The feature that is the word as a whole; a character of Han has no other.
    pub(crate) fn whole(&self) -> Option<u64> {
        let mut first = None;
        features(self.script, &self.letters, |feature| first = first.or(Some(feature)));
        first.filter(|_| self.script != HAN)
    }
}

struct Counts {
    script: Kind,
    words: BTreeMap<Vec<u16>, u32>,
}

impl Words for Counts {
    fn word(&mut self, word: &scan::Word) {
        if word.script == self.script {
            *self.words.entry(word.letters().to_vec()).or_default() += 1;
        }
    }
    fn sentence_end(&mut self, _: usize) {}
    fn line_end(&mut self, _: usize) -> usize {
        0
    }
    fn end(&mut self, _: usize) {}
}

/// The frequent words of all languages that share a script, in order.
pub(crate) fn frequent_words(corpus: &Corpus, codes: &Codes, characters: &Characters) -> Vec<Word> {
    let mut found = BTreeSet::new();
    for script in corpus.scripts() {
        let languages = corpus.languages(script);
        if languages.len() < 2 {
            continue;
        }
        for code in languages.into_iter().filter(|&code| code != NO_LANGUAGE) {
            let most = match code {
                code if script == HAN || is_large(code) => OF_LARGE,
                code if codes.tier(code) == 2 => OF_RARER,
                _ => OF_OTHERS,
            };
            found.extend(most_frequent(corpus, (script, code), most, characters));
        }
    }
    found.into_iter().collect()
}

fn most_frequent(
    corpus: &Corpus,
    (script, code): (Kind, [u8; 3]),
    most: usize,
    characters: &Characters,
) -> Vec<Word> {
    let mut random = Random::new(0xf4e9);
    let mut counts = Counts { script, words: BTreeMap::new() };
    for _ in 0..SNIPPETS {
        scan(&corpus.snippet((script, code), SNIPPET_LETTERS, &mut random), characters, &mut counts);
    }
    let mut ranked: Vec<(Vec<u16>, u32)> = counts.words.into_iter().filter(|(_, count)| *count > 1).collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked.truncate(most);
    ranked.into_iter().map(|(letters, _)| Word { script, letters }).collect()
}
