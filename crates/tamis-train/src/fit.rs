//! Multinomial logistic regression over sparse features: the weights that tell the languages of one script apart.
//!
//! `AdaGrad` (Duchi, Hazan and Singer 2011) over snippets of random length, each language drawn as often as the others but the
//! largest half as often again, features dropped at random so that no few of them carry all; the weights are averaged over the
//! later half (Polyak and Juditsky 1992), and over a few learners that draw snippets of their own. A thread a learner, which share
//! nothing, and no library functions whose last bit differs from machine to machine: the result is the same bit for bit.

use std::thread;

use tamis_words::language::tamis::model::NO_LANGUAGE;
use tamis_words::language::tamis::scan::scan;
use tamis_words::language::tamis::script::{Characters, Kind};

use crate::arithmetic::exponential;
use crate::codes::is_large;
use crate::corpus::Corpus;
use crate::count::{ByFeature, Gathered, Kept};
use crate::random::Random;

/// The step of `AdaGrad`.
const STEP: f32 = 0.06;
/// Features left out of each snippet.
const DROPPED: f32 = 0.3;
/// How much of what the counts say the weights begin with. What nothing in the texts contradicts stays, which holds better on
/// other texts than weights learned from nothing.
const BEGIN_WITH: f32 = 0.15;
/// The weights are the mean of what they were at so many moments, of which those in the first half do not count: the last snippets
/// drawn weigh no more than others, and other texts agree better with the mean.
const NOTED: usize = 32;
/// So many learn apart from each other. What only one of them came to believe is an accident of its snippets: two models that differed
/// in nothing else knew up to a hundredth of the test pages more or less.
const LEARNERS: u64 = 3;
/// The unknown is as varied as this many languages.
const UNKNOWN_AS_MANY: usize = 16;

/// In one of so many rounds, languages that much of the web is written in are drawn twice: what may as well be theirs is theirs.
const LARGE_AGAIN: usize = 2;

/// The weights of one script.
pub(crate) struct Fitted {
    /// What speaks for each language before a word is read, in nats.
    pub(crate) biases: Vec<f32>,
    /// The weights of each feature in nats, in the order of its languages.
    pub(crate) weights: Vec<Vec<f32>>,
}

struct Weights<'a> {
    kept: &'a [Kept],
    index: ByFeature<u32>,
    starts: Vec<usize>,
    /// Weight and sum of squared gradients.
    cells: Vec<(f32, f32)>,
    biases: Vec<(f32, f32)>,
    /// The sums of the weights, then of the biases, at the moments that count, and how many there were.
    sums: Vec<f32>,
    noted: f32,
}

/// Fits a script's languages.
pub(crate) fn fitted(
    corpus: &Corpus,
    script: Kind,
    languages: &[[u8; 3]],
    kept: &[Kept],
    rounds: usize,
    characters: &Characters,
) -> Fitted {
    let learners: Vec<Fitted> = thread::scope(|scope| {
        let learn = |learner| {
            scope.spawn(move || {
                let random = Random::new(0x7a31 ^ u64::from(script) ^ learner << 32);
                learned(corpus, script, languages, kept, rounds, characters, random)
            })
        };
        let threads: Vec<_> = (0..LEARNERS).map(learn).collect();
        threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect()
    });
    mean(learners)
}

/// The mean of the weights of several learners.
fn mean(learners: Vec<Fitted>) -> Fitted {
    let part = 1.0 / learners.len() as f32;
    let mut learners = learners.into_iter();
    let mut mean = learners.next().expect("there is one");
    for one in learners {
        let more = one.weights.iter().flatten().chain(&one.biases);
        mean.weights
            .iter_mut()
            .flatten()
            .chain(&mut mean.biases)
            .zip(more)
            .for_each(|(sum, more)| *sum += more);
    }
    mean.weights.iter_mut().flatten().chain(&mut mean.biases).for_each(|sum| *sum *= part);
    mean
}

/// What one learner makes of a script's languages.
fn learned(
    corpus: &Corpus,
    script: Kind,
    languages: &[[u8; 3]],
    kept: &[Kept],
    rounds: usize,
    characters: &Characters,
    mut random: Random,
) -> Fitted {
    let mut weights = Weights::new(kept, languages.len());
    let mut all: Vec<usize> = (0..languages.len()).collect();
    let large = all.iter().copied().filter(|&place| is_large(languages[place])).collect::<Vec<_>>();
    if languages.last() == Some(&NO_LANGUAGE) {
        all.extend(std::iter::repeat_n(languages.len() - 1, UNKNOWN_AS_MANY - 1));
    }
    let mut gathered = Gathered { script, features: Vec::new() };
    for round in 0..rounds {
        if round >= rounds / 2 && (rounds - round).is_multiple_of((rounds / NOTED).max(1)) {
            weights.note();
        }
        let mut deck = all.clone();
        if round.is_multiple_of(LARGE_AGAIN) {
            deck.extend(&large);
        }
        random.shuffle(&mut deck);
        for &language in &deck {
            let letters = (12.0 / exponential(random.part() * -3.2)) as usize;
            let mut text = corpus.snippet((script, languages[language]), letters, &mut random);
            if languages[language] == NO_LANGUAGE && round % 4 == 0 {
                let other = languages[random.below(languages.len())];
                text = scrambled(&corpus.snippet((script, other), letters, &mut random), &mut random);
            }
            gathered.features.clear();
            scan(&text, characters, &mut gathered);
            let known = gathered.features.iter().filter_map(|feature| weights.index.get(feature).copied());
            let used: Vec<u32> = known.filter(|_| random.part() >= DROPPED).collect();
            if !used.is_empty() {
                weights.learn(&used, language);
            }
        }
    }
    weights.fitted()
}

/// Words with their letters in another order: what looks like a language and is none.
fn scrambled(text: &str, random: &mut Random) -> String {
    let words = text.split_whitespace().map(|word| {
        let mut letters: Vec<char> = word.chars().collect();
        random.shuffle(&mut letters);
        letters.into_iter().collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}

impl<'a> Weights<'a> {
    fn new(kept: &'a [Kept], languages: usize) -> Self {
        let mut starts = vec![0];
        let mut index = ByFeature::default();
        for (i, one) in kept.iter().enumerate() {
            index.insert(one.feature, i as u32);
            starts.push(starts[i] + one.languages.len());
        }
        let odds = kept.iter().flat_map(|one| &one.odds);
        let cells = odds.map(|odds| (BEGIN_WITH * odds, 1e-6)).collect();
        Self {
            kept,
            index,
            starts,
            cells,
            biases: vec![(0.0, 1e-6); languages],
            sums: Vec::new(),
            noted: 0.0,
        }
    }

    /// Adds the weights of this moment to the sums.
    fn note(&mut self) {
        self.sums.resize(self.cells.len() + self.biases.len(), 0.0);
        for (sum, cell) in self.sums.iter_mut().zip(self.cells.iter().chain(&self.biases)) {
            *sum += cell.0;
        }
        self.noted += 1.0;
    }

    fn learn(&mut self, used: &[u32], language: usize) {
        let mut scores: Vec<f32> = self.biases.iter().map(|bias| bias.0).collect();
        for &feature in used {
            let feature = feature as usize;
            let cells = &self.cells[self.starts[feature]..self.starts[feature + 1]];
            for (&place, cell) in self.kept[feature].languages.iter().zip(cells) {
                scores[usize::from(place)] += cell.0;
            }
        }
        let errors = errors(scores, language);
        let scale = 1.0 / (used.len() as f32).sqrt();
        for &feature in used {
            let feature = feature as usize;
            let cells = &mut self.cells[self.starts[feature]..self.starts[feature + 1]];
            for (&place, cell) in self.kept[feature].languages.iter().zip(cells) {
                step(cell, errors[usize::from(place)] * scale);
            }
        }
        for (bias, error) in self.biases.iter_mut().zip(errors) {
            step(bias, error * scale);
        }
    }

    fn fitted(mut self) -> Fitted {
        for (cell, sum) in self.cells.iter_mut().chain(&mut self.biases).zip(&self.sums) {
            cell.0 = sum / self.noted;
        }
        let weights =
            self.starts.windows(2).map(|two| self.cells[two[0]..two[1]].iter().map(|cell| cell.0).collect());
        Fitted { biases: self.biases.iter().map(|bias| bias.0).collect(), weights: weights.collect() }
    }
}

/// How much each language's probability is off.
fn errors(mut scores: Vec<f32>, language: usize) -> Vec<f32> {
    let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in &mut scores {
        *score = exponential(*score - highest);
        sum += *score;
    }
    for score in &mut scores {
        *score /= sum;
    }
    scores[language] -= 1.0;
    scores
}

fn step(cell: &mut (f32, f32), gradient: f32) {
    if gradient.abs() > 1e-5 {
        cell.1 += gradient * gradient;
        cell.0 -= STEP * gradient / cell.1.sqrt();
    }
}
