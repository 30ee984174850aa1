//! What is counted of each word, and its score.

use std::collections::{HashMap, HashSet};

use super::Stops;
use crate::tokens::{Sentence, Token};

/// Words that are longer are none, in bytes.
const LONGEST: usize = 60;

/// The words of a text.
pub(super) struct Counts {
    words: Vec<Word>,
    /// The word of each token, if it is one.
    of_token: Vec<Option<u32>>,
    /// Behind which tokens a sentence ends.
    ends: Vec<bool>,
    /// How often two words stand beside each other.
    pairs: HashMap<(u32, u32), u32>,
    sentences: usize,
}

/// What is known of a word.
#[derive(Default)]
struct Word {
    small: String,
    is_stop: bool,
    count: u32,
    /// How often it stands with a capital, not at the start of a sentence.
    capitals: u32,
    /// How often it stands in capitals only.
    all_capitals: u32,
    /// How often it stands in small letters.
    smalls: u32,
    /// The sentences it stands in.
    sentences: Vec<u32>,
    /// How many words stand before it, and how many different ones.
    left: (u32, u32),
    /// The same behind it.
    right: (u32, u32),
}

impl Counts {
    pub(super) fn new(text: &str, tokens: &[Token], sentences: &[Sentence], stops: &Stops) -> Counts {
        let mut counts = Counts {
            words: Vec::new(),
            of_token: vec![None; tokens.len()],
            ends: vec![false; tokens.len()],
            pairs: HashMap::new(),
            sentences: sentences.len(),
        };
        let mut known: HashMap<String, u32> = HashMap::new();
        for (number, sentence) in sentences.iter().enumerate() {
            let mut is_first = true;
            for at in sentence.tokens.clone() {
                let Some(token) = tokens.get(at) else { break };
                let written = token.source(text);
                if is_word(written) {
                    let id = counts.id(&mut known, written, stops);
                    counts.words[id as usize].add(written, number as u32, is_first);
                    counts.of_token[at] = Some(id);
                    is_first = false;
                }
            }
            if let Some(end) = sentence.tokens.end.checked_sub(1).and_then(|last| counts.ends.get_mut(last)) {
                *end = true;
            }
        }
        counts.count_neighbours();
        counts
    }

    fn id(&mut self, known: &mut HashMap<String, u32>, written: &str, stops: &Stops) -> u32 {
        let small = written.to_lowercase();
        if let Some(&id) = known.get(&small) {
            return id;
        }
        let id = self.words.len() as u32;
        let is_stop = stops.contains(&small) || small.chars().nth(1).is_none();
        self.words.push(Word { small: small.clone(), is_stop, ..Word::default() });
        known.insert(small, id);
        id
    }

    fn count_neighbours(&mut self) {
        let mut seen = HashSet::new();
        for at in 1..self.of_token.len() {
            let (Some(left), Some(right)) = (self.of_token[at - 1], self.of_token[at]) else { continue };
            if self.ends[at - 1] {
                continue;
            }
            *self.pairs.entry((left, right)).or_default() += 1;
            let is_new = u32::from(seen.insert((left, right)));
            let of_left = &mut self.words[left as usize].right;
            *of_left = (of_left.0 + 1, of_left.1 + is_new);
            let of_right = &mut self.words[right as usize].left;
            *of_right = (of_right.0 + 1, of_right.1 + is_new);
        }
    }

    pub(super) fn tokens(&self) -> usize {
        self.of_token.len()
    }

    /// The word of a token.
    pub(super) fn word_at(&self, at: usize) -> Option<u32> {
        *self.of_token.get(at)?
    }

    /// Whether a sentence ends behind a token.
    pub(super) fn ends(&self, at: usize) -> bool {
        self.ends.get(at).copied().unwrap_or(true)
    }

    pub(super) fn word(&self, id: u32) -> &str {
        &self.words[id as usize].small
    }

    pub(super) fn is_stop(&self, id: u32) -> bool {
        self.words[id as usize].is_stop
    }

    /// Whether a word stands in small letters anywhere.
    pub(super) fn is_small_elsewhere(&self, id: u32) -> bool {
        self.words[id as usize].smalls > 0
    }

    /// Whether a word has a capital most of the time, not only at the start of sentences.
    pub(super) fn is_name(&self, id: u32) -> bool {
        let word = &self.words[id as usize];
        word.capitals + word.all_capitals > word.smalls
    }

    /// How likely the second word stands behind the first, and the first before the second.
    pub(super) fn bond(&self, first: u32, second: u32) -> f32 {
        let together = self.pairs.get(&(first, second)).copied().unwrap_or(0) as f32;
        let count = |id: u32| self.words[id as usize].count.max(1) as f32;
        (together / count(first)).min(together / count(second))
    }

    /// The scores of all words, of which the least is the best.
    pub(super) fn scores(&self) -> Vec<f32> {
        let content: Vec<f32> =
            self.words.iter().filter(|word| !word.is_stop).map(|word| word.count as f32).collect();
        let count = content.len().max(1) as f32;
        let mean = content.iter().sum::<f32>() / count;
        let variance = content.iter().map(|one| (one - mean).powi(2)).sum::<f32>() / count;
        let most = self.words.iter().map(|word| word.count).max().unwrap_or(1) as f32;
        let sentences = self.sentences.max(1) as f32;
        self.words.iter().map(|word| word.score(mean + variance.sqrt(), most, sentences)).collect()
    }
}

impl Word {
    fn add(&mut self, written: &str, sentence: u32, is_first: bool) {
        self.count += 1;
        if self.sentences.last() != Some(&sentence) {
            self.sentences.push(sentence);
        }
        let has_small = written.chars().any(char::is_lowercase);
        let has_capital = written.chars().any(char::is_uppercase);
        self.smalls += u32::from(!has_capital);
        self.all_capitals += u32::from(has_capital && !has_small && written.chars().nth(1).is_some());
        self.capitals += u32::from(has_capital && has_small && !is_first);
    }

    /// Section 3.2 of the paper: casing, position, frequency, relatedness to context, and how many sentences it is in.
    fn score(&self, usual: f32, most: f32, sentences: f32) -> f32 {
        let count = self.count.max(1) as f32;
        let casing = self.capitals.max(self.all_capitals) as f32 / (1.0 + count.ln());
        let median = self.sentences.get(self.sentences.len() / 2).copied().unwrap_or(0) as f32;
        let position = (3.0 + median).ln().ln();
        let frequency = count / usual.max(f32::MIN_POSITIVE);
        let share = |(all, different): (u32, u32)| if all == 0 { 0.0 } else { different as f32 / all as f32 };
        let related = 1.0 + (share(self.left) + share(self.right)) * count / most;
        let spread = self.sentences.len() as f32 / sentences;
        related * position / (casing + frequency / related + spread / related)
    }
}

/// Whether a token is a word and no address, number, mark or ending that was split off.
fn is_word(written: &str) -> bool {
    written.len() <= LONGEST
        && written.starts_with(char::is_alphanumeric)
        && !["n't", "n’t"].contains(&written)
        && written.chars().any(char::is_alphabetic)
        && !written.contains(['/', '@', '<', '>', '=', '_', '\\'])
        && !written.contains("www.")
}
