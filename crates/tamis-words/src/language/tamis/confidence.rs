//! How likely it is that the languages named are right.

use super::model::{Model, UNITS_OF_NAT};
use super::page::{Verdict, exponential};
use super::pieces::Pieces;

/// What no rival has of the probability is right as often as it says, but where many rivals have a little each, less of it is theirs
/// than it seems: nothing is this unlikely,
const LEAST: f32 = 0.30;
/// and from there on it rises so much for each part, which meets what it says at two thirds. Read off single sentences of Tatoeba, named by a model
/// without it, in all languages alike (`bench/runs/2026-11-16/languages.md`).
const RISE: f32 = 0.55;
/// Rivals so many nats below the best have none.
const FARTHEST: f32 = -12.0;

/// How likely it is that all classes that are named are right: that of the one least sure. None if there is none.
pub(super) fn confidence(
    model: &Model,
    pieces: &Pieces<'_>,
    verdict: &Verdict,
    is_named: impl Fn(usize) -> bool,
) -> Option<f32> {
    let mut named: Vec<usize> =
        verdict.classes.iter().flatten().copied().filter(|&class| is_named(class)).collect();
    named.sort_unstable();
    named.dedup();
    let least = named.into_iter().map(|class| part(model, pieces, verdict, class)).reduce(f32::min)?;
    Some(least.max(LEAST + RISE * least))
}

/// The part of the probability that a language has of the pieces given to it, beside all others in its script.
fn part(model: &Model, pieces: &Pieces<'_>, verdict: &Verdict, class: usize) -> f32 {
    let (first, count) = model.script(model.classes()[class].script);
    let mut sums = vec![0i64; count];
    let given = pieces.list.iter().zip(&verdict.classes).filter(|(_, winner)| **winner == Some(class));
    for (piece, _) in given {
        for (sum, &score) in sums.iter_mut().zip(pieces.scores(piece)) {
            *sum += i64::from(score);
        }
    }
    let highest = sums.iter().copied().max().unwrap_or(0);
    let weight = |sum: i64| {
        let below = (sum - highest) as f32 / UNITS_OF_NAT;
        if below > FARTHEST { exponential(below) } else { 0.0 }
    };
    weight(sums[class - first]) / sums.iter().map(|&sum| weight(sum)).sum::<f32>()
}
