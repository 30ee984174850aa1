//! The command that trains the model of names.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tamis_words::entity::document::Document;
use tamis_words::entity::features::{Seen, before, features};
use tamis_words::entity::finder::Finder;
use tamis_words::entity::gazetteer::{GOES_ON, Gazetteer, name};
use tamis_words::entity::label::{COUNT, OUTSIDE, labels};
use tamis_words::entity::model::{Found, MAGIC, Model, best_labels, seen};
use tamis_words::tag::lexicon::Lexicon;
use tamis_words::tag::table::Table;
use tamis_words::tag::tagger::Tagger;
use tamis_words::tag::word::Word;
use tamis_words::tag::{self, sections, weights};

use super::named::{CORPORA, Named, read};
use super::perceptron::{ByHash, Perceptron};
use crate::random::Random;

/// Features seen less often are not kept.
const SEEN: u32 = 2;
/// The part of the features that is left out at random while learning, so that none is relied on alone (Hinton et al. 2012).
const DROPPED: f32 = 0.3;
/// What a wrong label is given while learning, so that the right ones get ahead by more.
const WRONG: i32 = 4;
/// How many learners the model is the sum of.
const LEARNERS: u8 = 4;
/// How much of the averaged weights of a learner is one in the model.
const UNIT: f64 = 0.4;
/// The people in a city from which on it is a large one.
const LARGE: u64 = 300_000;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder with `nlp`
    #[arg(long, default_value = "target/data")]
    data: PathBuf,
    /// The folder `data/fetch_tags.py` filled
    #[arg(long, default_value = "target/extra")]
    extra: PathBuf,
    /// A corpus to leave out, to be tested on
    #[arg(long)]
    without: Vec<String>,
    /// How often the sentences are read
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Where the model goes
    #[arg(short)]
    output: PathBuf,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let mut sentences = Vec::new();
    for corpus in CORPORA.iter().filter(|corpus| !options.without.iter().any(|name| name == corpus.name)) {
        let read = read(&options.data.join("nlp"), corpus.train)?;
        sentences.extend(std::iter::repeat_n(read, corpus.times).flatten());
    }
    let names = gazetteer(&options.extra.join("tags"))?;
    let bytes = trained(&sentences, &names, options.rounds, Lexicon::built_in());
    fs::write(&options.output, &bytes).with_context(|| options.output.display().to_string())?;
    eprintln!("{}: {} bytes", options.output.display(), bytes.len());
    Ok(())
}

/// The known names with a bit for each of their kinds.
fn gazetteer(folder: &Path) -> Result<BTreeMap<String, u16>> {
    let mut names: BTreeMap<String, u16> = BTreeMap::new();
    for file in ["places.tsv", "names.tsv"] {
        let path = folder.join(file);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [name, kind, size] = fields[..] else { continue };
            let bit = match kind {
                "country" => 0,
                "state" => 1,
                "city" if size.parse().is_ok_and(|size: u64| size >= LARGE) => 2,
                "city" => 3,
                "given" => 4,
                _ => 5,
            };
            *names.entry(name.to_lowercase()).or_default() |= 1 << bit;
        }
    }
    Ok(names)
}

/// The table of names, with their beginnings.
fn table(names: &BTreeMap<String, u16>, lexicon: &Lexicon) -> Vec<u8> {
    let mut buffer = String::new();
    let mut values: BTreeMap<u64, u16> = BTreeMap::new();
    for (known, &kinds) in names {
        let words: Vec<u64> =
            known.split_whitespace().map(|word| Word::new(word, lexicon, &mut buffer).small).collect();
        for length in 1..words.len() {
            *values.entry(name(words[..length].iter().copied())).or_default() |= GOES_ON;
        }
        *values.entry(name(words)).or_default() |= kinds;
    }
    Table::bytes(&values.into_iter().collect::<Vec<_>>())
}

/// A sentence for learning.
struct Taught {
    /// For each word, the rows of its features.
    rows: Vec<Vec<u32>>,
    labels: Vec<u8>,
}

/// The bytes of a model taught with these sentences and these names.
pub(crate) fn trained(
    sentences: &[Named],
    names: &BTreeMap<String, u16>,
    rounds: usize,
    lexicon: &Lexicon,
) -> Vec<u8> {
    let mut tagger = Tagger::new(tag::model::Model::built_in(), lexicon);
    let table = table(names, lexicon);
    let gazetteer = Gazetteer::read(table.clone().into()).expect("made whole");
    let read: Vec<Vec<Seen>> = sentences
        .iter()
        .map(|sentence| {
            let mut buffer = String::new();
            let words = sentence.tokens.iter().map(|token| Word::new(token, lexicon, &mut buffer)).collect();
            seen(words, &tagger.tags(tokens(sentence)), &gazetteer)
        })
        .collect();
    let mut perceptron = Perceptron::new(COUNT, often_seen(&read).into_iter());
    let mut taught: Vec<Taught> = sentences
        .iter()
        .zip(read)
        .map(|(sentence, seen)| Taught {
            rows: seen.array_windows().map(|around| perceptron.rows(&features(around))).collect(),
            labels: labels(sentence.tokens.len(), &sentence.names),
        })
        .collect();
    let mut random = Random::new(0xe275);
    for learner in 0..LEARNERS {
        perceptron.start_again();
        for round in 0..rounds {
            random.shuffle(&mut taught);
            let wrong: usize = taught.iter().map(|one| teach(&mut perceptron, one, &mut random)).sum();
            eprintln!("learner {learner} round {round}: {wrong} wrong");
        }
    }
    let averaged = perceptron.averaged(UNIT * f64::from(LEARNERS));
    sections::bytes(MAGIC, &[table, weights::bytes(&averaged, COUNT)])
}

fn tokens(sentence: &Named) -> impl Iterator<Item = Cow<'_, str>> {
    sentence.tokens.iter().map(|token| Cow::Borrowed(token.as_str()))
}

/// The features that are seen often enough, sorted, and those of all labels.
fn often_seen(sentences: &[Vec<Seen>]) -> Vec<u64> {
    let mut counts: ByHash<u32> = ByHash::default();
    for feature in sentences.iter().flat_map(|seen| seen.array_windows().flat_map(features)) {
        *counts.entry(feature).or_default() += 1;
    }
    let mut seen: Vec<u64> = counts.into_iter().filter(|one| one.1 >= SEEN).map(|one| one.0).collect();
    seen.extend((0..COUNT).map(before));
    seen.sort_unstable();
    seen
}

/// Labels a sentence and mends the weights where it is wrong; returns how often.
fn teach(perceptron: &mut Perceptron, taught: &Taught, random: &mut Random) -> usize {
    perceptron.tick();
    let mut rows = taught.rows.clone();
    let mut scores = vec![[0; COUNT]; rows.len()];
    for ((rows, scores), &right) in rows.iter_mut().zip(&mut scores).zip(&taught.labels) {
        rows.retain(|_| random.part() >= DROPPED);
        *scores = [WRONG; COUNT];
        scores[usize::from(right)] = 0;
        perceptron.score(rows, scores);
    }
    let before: [Vec<u32>; COUNT] = std::array::from_fn(|label| perceptron.rows(&[before(label)]));
    let mut follow = [[0; COUNT]; COUNT];
    for (rows, scores) in before.iter().zip(&mut follow) {
        perceptron.score(rows, scores);
    }
    let chosen = best_labels(&scores, &follow);
    let (mut last, mut wrong) = ((OUTSIDE, OUTSIDE), 0);
    for (rows, (&chosen, &right)) in rows.iter().zip(chosen.iter().zip(&taught.labels)) {
        let (chosen, right) = (usize::from(chosen), usize::from(right));
        if chosen != right {
            wrong += 1;
            perceptron.change(rows, right, 1);
            perceptron.change(rows, chosen, -1);
        }
        if (chosen, last.0) != (right, last.1) {
            perceptron.change(&before[last.1], right, 1);
            perceptron.change(&before[last.0], chosen, -1);
        }
        last = (chosen, right);
    }
    wrong
}

/// The names a model finds in the sentences, document by document, numbered as if all were one sentence.
pub(crate) fn found(model: &Model, sentences: &[Named], lexicon: &Lexicon) -> Vec<Found> {
    let mut tagger = Tagger::new(tag::model::Model::built_in(), lexicon);
    let mut finder = Finder::new(model, lexicon);
    let (mut all, mut document, mut start, mut base) = (Vec::new(), Document::default(), 0, 0);
    let take = |document: Document, base: usize, all: &mut Vec<Found>| {
        let names = document.names().into_iter();
        all.extend(names.map(|one| Found { words: one.words.start + base..one.words.end + base, ..one }));
    };
    for sentence in sentences {
        if sentence.is_first {
            take(std::mem::take(&mut document), base, &mut all);
            base = start;
        }
        let tags = tagger.tags(tokens(sentence));
        finder.read(tokens(sentence), &tags, start - base, &mut document);
        start += sentence.tokens.len();
    }
    take(document, base, &mut all);
    all
}
