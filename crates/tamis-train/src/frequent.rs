//! The frequent words of each language, whose votes the model keeps.

use std::collections::{BTreeMap, BTreeSet};

use tamis_text::language::tamis::model::NO_LANGUAGE;
use tamis_text::language::tamis::scan::{self, Words, scan};
use tamis_text::language::tamis::script::{Characters, HAN, Kind};

use crate::codes::Codes;
use crate::corpus::Corpus;
use crate::random::Random;

/// Snippets drawn of each language to count words in.
const SNIPPETS: usize = 3000;
/// The letters of each.
const SNIPPET_LETTERS: usize = 150;
/// Languages that much of the web is written in.
const LARGE: &[&[u8; 3]] = &[
    b"eng", b"rus", b"deu", b"spa", b"fra", b"ita", b"por", b"pol", b"nld", b"tur", b"ces", b"vie", b"ind",
    b"fas", b"swe", b"ara", b"ukr", b"hun", b"ron", b"ell",
];

/// A word.
#[derive(PartialEq, Eq, PartialOrd, Ord, Clone)]
pub(crate) struct Word {
    /// Its script.
    pub(crate) script: Kind,
    /// Its small letters.
    pub(crate) letters: Vec<u16>,
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
                _ if script == HAN => 4000,
                code if LARGE.contains(&&code) => 4000,
                code if codes.tier(code) == 2 => 80,
                _ => 600,
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
