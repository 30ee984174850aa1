//! The command that trains the model of parts of speech.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use tamis_words::tag::Tag;
use tamis_words::tag::features::{Known, REACH, features};
use tamis_words::tag::lexicon::Lexicon;
use tamis_words::tag::model::{Model, START, best, class, only_tag};
use tamis_words::tag::table::Table;
use tamis_words::tag::tagger::Tagger;
use tamis_words::tag::word::Word;

use super::conllu::{Tagged, read};
use super::perceptron::{ByHash, Perceptron};
use crate::random::Random;

/// A word seen so often always has its most frequent tag,
const SURE: u32 = 40;
/// if that is nearly the only one.
const PURE: f32 = 0.996;
/// A word seen less often has no class: it is as if unknown, as half of what is unknown in other text would be.
const FREQUENT: u32 = 8;
/// A tag with a smaller share of a word's is not one of its class.
const SHARE: f32 = 0.02;
/// Features seen less often are not kept.
const SEEN: u32 = 2;
/// The part of the features that is left out at random while learning, so that none is relied on alone (Hinton et al. 2012).
const DROPPED: f32 = 0.4;
/// How far the right tag is to be ahead of all others.
const MARGIN: i32 = 12;
/// How much of the averaged weights is one in the model.
const UNIT: f64 = 0.4;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder with `nlp`
    #[arg(long, default_value = "target/data")]
    data: PathBuf,
    /// How often the sentences are read
    #[arg(long, default_value_t = 8)]
    rounds: usize,
    /// Where the model goes
    #[arg(short)]
    output: PathBuf,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let sentences = read(&options.data.join("nlp/UD_English-EWT/en_ewt-ud-train.REASSEMBLED.conllu"))?;
    let bytes = trained(&sentences, options.rounds, Lexicon::built_in());
    fs::write(&options.output, &bytes).with_context(|| options.output.display().to_string())?;
    eprintln!("{}: {} bytes", options.output.display(), bytes.len());
    Ok(())
}

/// The bytes of a model taught with these sentences.
pub(crate) fn trained(sentences: &[Tagged], rounds: usize, lexicon: &Lexicon) -> Vec<u8> {
    let mut taught: Vec<(Vec<Known>, Vec<Tag>)> = Vec::new();
    let mut buffer = String::new();
    for sentence in sentences.iter().cloned().chain(sentences.iter().filter_map(joined)) {
        let mut known = vec![Known::edge(); REACH];
        known.extend(
            sentence
                .tokens
                .iter()
                .map(|token| Known { word: Word::new(token, lexicon, &mut buffer), class: 0 }),
        );
        known.extend(vec![Known::edge(); REACH]);
        taught.push((known, sentence.tags));
    }
    let classes = classes(&taught);
    let table = Table::read(Table::bytes(&classes).into()).expect("made whole");
    for (known, _) in &mut taught {
        for one in known.iter_mut().filter(|one| one.word.exact != 1) {
            one.class = class(&table, &one.word);
        }
    }
    let mut perceptron = Perceptron::new(Tag::COUNT, seen(&taught).into_iter());
    let mut random = Random::new(0x7a95);
    for round in 0..rounds {
        random.shuffle(&mut taught);
        let wrong: usize =
            taught.iter().map(|(known, tags)| teach(&mut perceptron, known, tags, &mut random)).sum();
        eprintln!("round {round}: {wrong} wrong");
    }
    Model::bytes(&classes, &perceptron.averaged(UNIT))
}

/// The classes of frequent words by the tags they have, known by their hashes as written and in small letters.
fn classes(taught: &[(Vec<Known>, Vec<Tag>)]) -> Vec<(u64, u16)> {
    let mut counts: BTreeMap<u64, BTreeMap<Tag, u32>> = BTreeMap::new();
    for (known, tags) in taught {
        for (one, &tag) in known[REACH..].iter().zip(tags) {
            *counts.entry(one.word.exact).or_default().entry(tag).or_default() += 1;
            if one.word.small != one.word.exact {
                *counts.entry(one.word.small).or_default().entry(tag).or_default() += 1;
            }
        }
    }
    let mut numbers: BTreeMap<Vec<Tag>, u16> = BTreeMap::new();
    let mut classes = Vec::new();
    for (hash, tags) in counts {
        let total: u32 = tags.values().sum();
        if total < FREQUENT {
            continue;
        }
        let most = tags.iter().max_by_key(|one| one.1);
        let class = match most {
            Some((tag, &count)) if total >= SURE && count as f32 >= PURE * total as f32 => {
                u16::from(tag.number()) + 1
            }
            _ => {
                let often = tags
                    .iter()
                    .filter(|one| *one.1 as f32 >= SHARE * total as f32)
                    .map(|one| *one.0)
                    .collect();
                let new = (Tag::COUNT + 1 + numbers.len()) as u16;
                *numbers.entry(often).or_insert(new)
            }
        };
        classes.push((hash, class));
    }
    classes
}

/// The features of the taught sentences that are seen often enough, sorted.
fn seen(taught: &[(Vec<Known>, Vec<Tag>)]) -> Vec<u64> {
    let mut counts: ByHash<u32> = ByHash::default();
    for (known, tags) in taught {
        let mut before = [START; 2];
        for (around, tag) in known.array_windows().zip(tags) {
            if only_tag(around[REACH].class).is_none() {
                for feature in features(around, before) {
                    *counts.entry(feature).or_default() += 1;
                }
            }
            before = [u64::from(tag.number()), before[0]];
        }
    }
    let mut seen: Vec<u64> = counts.into_iter().filter(|one| one.1 >= SEEN).map(|one| one.0).collect();
    seen.sort_unstable();
    seen
}

/// Tags a sentence as the tagger does and mends the weights where it is wrong; returns how often.
fn teach(perceptron: &mut Perceptron, known: &[Known], tags: &[Tag], random: &mut Random) -> usize {
    let (mut before, mut wrong) = ([START; 2], 0);
    for (around, &right) in known.array_windows().zip(tags) {
        let tag = only_tag(around[REACH].class).unwrap_or_else(|| {
            perceptron.tick();
            let mut rows = perceptron.rows(&features(around, before));
            rows.retain(|_| random.part() >= DROPPED);
            let mut scores = [0; Tag::COUNT];
            perceptron.score(&rows, &mut scores);
            let chosen = best(&scores);
            wrong += usize::from(chosen != right);
            // The right tag has to be ahead of all others by a margin, not just to be the best.
            scores[usize::from(right.number())] -= MARGIN;
            let rival = best(&scores);
            if rival != right {
                perceptron.change(&rows, usize::from(right.number()), 1);
                perceptron.change(&rows, usize::from(rival.number()), -1);
            }
            chosen
        });
        before = [u64::from(tag.number()), before[0]];
    }
    wrong
}

/// The sentence with its hyphenated words as one token each, as the tokeniser has them, if there is one. Their tags are those
/// that the Penn Treebank gave such words.
fn joined(sentence: &Tagged) -> Option<Tagged> {
    let mut whole = Tagged { tokens: Vec::new(), tags: Vec::new(), glued: Vec::new() };
    let mut at = 0;
    while at < sentence.tokens.len() {
        let mut end = at + 1;
        let mut token = sentence.tokens[at].clone();
        while end + 1 < sentence.tokens.len()
            && sentence.tags[end].as_str() == "HYPH"
            && sentence.glued[end - 1]
            && sentence.glued[end]
        {
            token.push('-');
            token.push_str(&sentence.tokens[end + 1]);
            end += 2;
        }
        let tag = if end == at + 1 { sentence.tags[at] } else { joined_tag(sentence, at, end) };
        whole.tokens.push(token);
        whole.tags.push(tag);
        whole.glued.push(sentence.glued[end - 1]);
        at = end;
    }
    (whole.tokens.len() < sentence.tokens.len()).then_some(whole)
}

fn joined_tag(sentence: &Tagged, start: usize, end: usize) -> Tag {
    let first = sentence.tags[start].as_str();
    let last = sentence.tags[end - 1].as_str();
    let next = sentence.tags.get(end).map_or("", |tag| tag.as_str());
    let name = match (first, last) {
        (_, "NNP" | "NNPS" | "NNS") => last,
        ("CD", "CD") => "CD",
        (_, "NN") if !next.starts_with("NN") => "NN",
        (_, "RB" | "VB" | "VBD" | "VBP" | "VBZ") if first.starts_with("VB") || first == "RB" => last,
        _ => "JJ",
    };
    Tag::parse(name).unwrap_or(sentence.tags[end - 1])
}

/// How many of the tags of sentences a model finds, and how many there are.
pub(crate) fn right(model: &Model, sentences: &[Tagged], lexicon: &Lexicon) -> (usize, usize) {
    let (mut tagger, mut right) = (Tagger::new(model, lexicon), 0);
    for sentence in sentences {
        let found = tagger.tags(sentence.tokens.iter().map(|token| Cow::Borrowed(token.as_str())));
        right += found.iter().zip(&sentence.tags).filter(|(one, other)| one == other).count();
    }
    (right, sentences.iter().map(|sentence| sentence.tags.len()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(words: &[(&str, &str)]) -> Tagged {
        Tagged {
            tokens: words.iter().map(|word| word.0.to_owned()).collect(),
            tags: words.iter().map(|word| Tag::parse(word.1).expect("known")).collect(),
            glued: vec![true; words.len()],
        }
    }

    fn sentences() -> Vec<Tagged> {
        let verb = sentence(&[("They", "PRP"), ("run", "VBP"), ("home", "RB"), (".", ".")]);
        let noun = sentence(&[("A", "DT"), ("run", "NN"), ("ended", "VBD"), (".", ".")]);
        [verb, noun].iter().cycle().take(20).cloned().collect()
    }

    #[test]
    fn the_same_sentences_give_the_same_bytes_and_are_learnt() {
        let bytes = trained(&sentences(), 3, Lexicon::built_in());
        assert_eq!(bytes, trained(&sentences(), 3, Lexicon::built_in()));
        let model = Model::read(bytes.into()).expect("whole");
        assert_eq!(right(&model, &sentences(), Lexicon::built_in()), (80, 80));
    }

    #[test]
    fn hyphenated_words_are_joined() {
        let known =
            [("well", "RB"), ("-", "HYPH"), ("known", "VBN"), ("al", "NNP"), ("-", "HYPH"), ("Ani", "NNP")];
        let whole = joined(&sentence(&known)).expect("has hyphens");
        assert_eq!(whole.tokens, ["well-known", "al-Ani"]);
        assert_eq!(whole.tags.iter().map(|tag| tag.as_str()).collect::<Vec<_>>(), ["JJ", "NNP"]);
        assert!(joined(&sentence(&known[..1])).is_none());
    }
}
