//! The model of names, and the best labels of a sentence by it (Viterbi 1967).

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use super::Kind;
use super::features::{REACH, Seen, before, features};
use super::gazetteer::Gazetteer;
use super::label::{COUNT, FOLLOWS, OUTSIDE, may_end, names};
use super::run::runs;
use crate::tag::weights::Weights;
use crate::tag::{Tag, sections, word::Word};

/// What the model's file starts with; the last byte is the version.
pub const MAGIC: [u8; 8] = *b"tamisne\x01";

/// A score that no sentence reaches.
const NEVER: i32 = i32::MIN / 2;

static BUILT_IN: LazyLock<Option<Model>> =
    LazyLock::new(|| Model::read(Cow::Borrowed(include_bytes!("../../models/entities.bin"))));

/// A model of names.
#[derive(Clone, Debug)]
pub struct Model {
    gazetteer: Gazetteer,
    weights: Weights,
    /// By the label before, the scores of labels.
    follow: [[i32; COUNT]; COUNT],
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
        let weights = Weights::read(weights, COUNT)?;
        let mut follow = [[0; COUNT]; COUNT];
        for (label, scores) in follow.iter_mut().enumerate() {
            weights.add(&[before(label)], scores);
        }
        Some(Self { gazetteer: Gazetteer::read(gazetteer)?, weights, follow })
    }

    /// The names in a sentence, given by its words and their tags.
    pub fn names(&self, words: Vec<Word>, tags: &[Tag]) -> Vec<Found> {
        let seen = seen(words, tags, &self.gazetteer);
        let scores: Vec<[i32; COUNT]> = seen
            .array_windows()
            .map(|around| {
                let mut scores = [0; COUNT];
                self.weights.add(&features(around), &mut scores);
                scores
            })
            .collect();
        let labels = best_labels(&scores, &self.follow);
        let found = names(&labels).into_iter();
        found
            .map(|(words, kind)| {
                let margin = margin(&scores, &self.follow, &labels, &words, kind);
                Found { words, kind, margin }
            })
            .collect()
    }
}

/// The words of a sentence with what is known of them, and the edges around it.
pub fn seen(words: Vec<Word>, tags: &[Tag], gazetteer: &Gazetteer) -> Vec<Seen> {
    let (marks, runs) = (gazetteer.marks(&words), runs(&words));
    let tags = tags.iter().map(|tag| tag.number()).chain(std::iter::repeat(u8::MAX));
    let known = words.into_iter().zip(tags).zip(marks.into_iter().zip(runs));
    let known = known.map(|((word, tag), (mark, run))| Seen { word, tag, mark, run });
    let edges = || std::iter::repeat_with(Seen::edge).take(REACH);
    edges().chain(known).chain(edges()).collect()
}

/// The labels with the highest sum of scores among those that may follow each other.
pub fn best_labels(scores: &[[i32; COUNT]], follow: &[[i32; COUNT]; COUNT]) -> Vec<u8> {
    let mut sums = [NEVER; COUNT];
    sums[OUTSIDE] = 0;
    let mut from: Vec<[u8; COUNT]> = Vec::with_capacity(scores.len());
    for scores in scores {
        let mut next = [NEVER; COUNT];
        let mut best = [0; COUNT];
        for &(before, label) in &FOLLOWS {
            let (before, label) = (usize::from(before), usize::from(label));
            let sum = sums[before] + follow[before][label] + scores[label];
            if sum > next[label] {
                (next[label], best[label]) = (sum, before as u8);
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
