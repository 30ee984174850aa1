//! The model of names, and the best labels of a sentence by it (Viterbi 1967).

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use super::Kind;
use super::features::{REACH, Seen, before, by_marks, by_run, tag_before, tag_behind};
use super::gazetteer::Gazetteer;
use super::label::{CLOSED, COUNT, OPENING, OUTSIDE, may_end, names};
use super::run::{Run, runs};
use crate::tag::features::hashes;
use crate::tag::weights::Weights;
use crate::tag::{Tag, sections, word::Word};

/// What the model's file starts with; the last byte is the version.
pub const MAGIC: [u8; 8] = *b"tamisne\x01";

/// The labels, and places that stay 0, for registers to be full.
pub const WIDTH: usize = 16;

/// Scores of labels.
pub type Scores = [i16; WIDTH];

/// Tags, and what is none.
const TAGS: usize = Tag::COUNT + 1;

/// A score that no sentence reaches.
const NEVER: i32 = i32::MIN / 2;

static BUILT_IN: LazyLock<Option<Model>> =
    LazyLock::new(|| Model::read(Cow::Borrowed(include_bytes!("../../models/entities.bin"))));

/// A model of names.
#[derive(Clone, Debug)]
pub struct Model {
    gazetteer: Gazetteer,
    weights: Weights<COUNT, WIDTH>,
    /// By the label before, the scores of labels.
    follow: [[i32; COUNT]; COUNT],
    /// Of words that the gazetteer does not know, nor those beside them, and of those in no run.
    usual: [Scores; 2],
    /// By a tag and the one before it.
    tag_behind: Vec<Scores>,
    /// By a tag and the next one.
    tag_before: Vec<Scores>,
}

/// A name in a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Its words.
    pub words: Range<usize>,
    /// What it is the name of.
    pub kind: Kind,
    /// How far its labels are ahead of the best other ones.
    pub margin: i32,
}

impl Model {
    /// The model that comes with the program; nothing if it was built with a file that is none.
    pub fn built_in() -> Option<&'static Model> {
        BUILT_IN.as_ref()
    }

    /// Reads a model; nothing if it is not whole.
    pub fn read(bytes: Cow<'static, [u8]>) -> Option<Self> {
        let [gazetteer, weights] = sections::read(bytes, MAGIC)?;
        let weights = Weights::read(weights)?;
        let mut follow = [[0; COUNT]; COUNT];
        for (label, follow) in follow.iter_mut().enumerate() {
            let scores = scores(&weights, &[before(label)]);
            *follow = std::array::from_fn(|label| scores[label].into());
        }
        let by_pairs = |of: &dyn Fn(u8, u8) -> Scores| -> Vec<Scores> {
            let numbers = || (0..Tag::COUNT as u8).chain([u8::MAX]);
            numbers().flat_map(|first| numbers().map(move |second| of(first, second))).collect()
        };
        let tag_behind = by_pairs(&|last, tag| scores(&weights, &hashes(tag_behind(last, tag))));
        let tag_before = by_pairs(&|tag, next| scores(&weights, &hashes(tag_before(tag, next))));
        let gazetteer = Gazetteer::read(gazetteer)?;
        let usual =
            [scores(&weights, &hashes(by_marks([0; 3]))), scores(&weights, &hashes(by_run(&Run::default())))];
        Some(Self { gazetteer, weights, follow, usual, tag_behind, tag_before })
    }

    /// The known names.
    pub(super) fn gazetteer(&self) -> &Gazetteer {
        &self.gazetteer
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

    /// What is known of words that the gazetteer does not know, nor those beside them, and of those in no run.
    pub(super) fn usual(&self) -> &[Scores; 2] {
        &self.usual
    }

    /// The scores of labels by some features.
    #[cfg(test)]
    pub(super) fn scores<const N: usize>(&self, hashes: &[u64; N]) -> Scores {
        scores(&self.weights, hashes)
    }

    /// What the tags of a word, of the one before it and of the next add to its scores.
    #[inline]
    pub(super) fn by_tags(&self, tags: [u8; 3]) -> [&Scores; 2] {
        let [last, tag, next] = tags.map(|tag| usize::from(tag).min(Tag::COUNT));
        [&self.tag_behind[last * TAGS + tag], &self.tag_before[tag * TAGS + next]]
    }

    /// The names in a sentence, given by the scores of the labels of its words.
    pub(super) fn names(&self, scores: &[[i32; COUNT]]) -> Vec<Found> {
        let labels = best_labels(scores, &self.follow);
        let found = names(&labels).into_iter();
        found
            .map(|(words, kind)| {
                let margin = margin(scores, &self.follow, &labels, &words, kind);
                Found { words, kind, margin }
            })
            .collect()
    }
}

fn scores<const N: usize>(weights: &Weights<COUNT, WIDTH>, hashes: &[u64; N]) -> Scores {
    let mut scores = [0; WIDTH];
    weights.add(hashes, &mut scores);
    scores
}

/// The words of a sentence with what is known of them, and the edges around it.
pub fn seen(words: Vec<Word>, tags: &[Tag], gazetteer: &Gazetteer) -> Vec<Seen> {
    let plain: Vec<&Word> = words.iter().collect();
    let marks = gazetteer.marks(&plain, |at| gazetteer.starting(plain[at]));
    let runs = runs(&plain);
    let tags = tags.iter().map(|tag| tag.number()).chain(std::iter::repeat(u8::MAX));
    let known = words.into_iter().zip(tags).zip(marks.into_iter().zip(runs));
    let known = known.map(|((word, tag), (mark, run))| Seen { word, tag, mark, run });
    let edges = || std::iter::repeat_with(Seen::edge).take(REACH);
    edges().chain(known).chain(edges()).collect()
}

/// The labels with the highest sum of scores among those that may follow each other; of equal ones before a label the first.
pub fn best_labels(scores: &[[i32; COUNT]], follow: &[[i32; COUNT]; COUNT]) -> Vec<u8> {
    let opening = CLOSED.map(|before| opening(|label| follow[before][label]));
    let mut sums = [NEVER; COUNT];
    sums[OUTSIDE] = 0;
    let mut from: Vec<[u8; COUNT]> = Vec::with_capacity(scores.len());
    for scores in scores {
        let (mut next, mut best) = ([NEVER; COUNT], [OUTSIDE as u8; COUNT]);
        let (opened, opened_from) = best_before(&sums, &opening);
        for (i, label) in OPENING.into_iter().enumerate() {
            (next[label], best[label]) = (opened[i] + scores[label], opened_from[i] as u8);
        }
        for first in Kind::ALL.map(|kind| 1 + 4 * kind as usize) {
            for label in [first + 1, first + 2] {
                let [new, long] = [first, first + 1].map(|before| sums[before] + follow[before][label]);
                let before = first + usize::from(long > new);
                (next[label], best[label]) = (new.max(long) + scores[label], before as u8);
            }
        }
        from.push(best);
        // Sums of a sentence without end would overflow; only their differences count.
        let most = next.iter().copied().max().unwrap_or(0);
        sums = next.map(|sum| (sum - most).max(NEVER / 2));
    }
    let last = (0..COUNT).filter(|&label| may_end(label)).max_by_key(|&label| (sums[label], COUNT - label));
    let mut label = last.unwrap_or(OUTSIDE) as u8;
    let mut labels = vec![0; scores.len()];
    for (at, from) in from.iter().enumerate().rev() {
        labels[at] = label;
        label = from[usize::from(label)];
    }
    labels
}

/// A number for each label that may open a name, and one more for registers to be full.
fn opening(of: impl Fn(usize) -> i32) -> [i32; OPENING.len() + 1] {
    std::array::from_fn(|i| OPENING.get(i).map_or(0, |&label| of(label)))
}

/// For labels that open a name or are in none, the highest sum with a label before that closes one or is in none, and which it is.
#[inline]
fn best_before<const N: usize>(
    sums: &[i32; COUNT],
    follow: &[[i32; N]; CLOSED.len()],
) -> ([i32; N], [i32; N]) {
    let (mut most, mut from) = ([NEVER; N], [0; N]);
    for (before, follow) in CLOSED.into_iter().zip(follow) {
        for i in 0..N {
            let sum = sums[before] + follow[i];
            let is_more = sum > most[i];
            most[i] = if is_more { sum } else { most[i] };
            from[i] = if is_more { before as i32 } else { from[i] };
        }
    }
    (most, from)
}

/// How far the labels of a name are ahead of no name and of the same words as a name of another kind, whichever is nearer.
fn margin(
    scores: &[[i32; COUNT]],
    follow: &[[i32; COUNT]; COUNT],
    labels: &[u8],
    words: &Range<usize>,
    kind: Kind,
) -> i32 {
    let before = words.start.checked_sub(1).map_or(OUTSIDE, |at| labels[at].into());
    let behind = labels.get(words.end).map(|&label| usize::from(label));
    let sum = |relabel: &dyn Fn(usize) -> usize| {
        let (mut last, mut sum) = (before, 0);
        for at in words.clone() {
            let label = relabel(labels[at].into());
            sum += scores[at][label] + follow[last][label];
            last = label;
        }
        sum + behind.map_or(0, |label| follow[last][label])
    };
    let others = Kind::ALL.into_iter().filter(|&other| other != kind);
    let as_other = others.map(|other| sum(&|label| label + 4 * other as usize - 4 * kind as usize)).max();
    sum(&|label| label) - sum(&|_| OUTSIDE).max(as_other.unwrap_or(NEVER))
}

impl Found {
    /// How likely the name is right, from 0 to 1: by how far its labels are ahead, measured on text that was not taught.
    pub fn confidence(&self) -> f32 {
        let ahead = self.margin.max(0) as f32;
        SURE_AT_ONCE + (1.0 - SURE_AT_ONCE) * ahead / (ahead + HALF_WAY)
    }
}

/// How often a name is right whose labels are hardly ahead.
const SURE_AT_ONCE: f32 = 0.2;
/// How far ahead labels are of which half the doubt is gone.
const HALF_WAY: f32 = 80.0;
