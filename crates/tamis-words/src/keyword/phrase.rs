//! Phrases that may be keywords.

use std::collections::HashMap;

use super::count::Counts;

/// The most words of a phrase.
const LONGEST: usize = 3;

/// A phrase.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    ids: [u32; LONGEST],
    /// How many words it has.
    pub(super) len: usize,
    /// Its first token where it first stands.
    pub(super) first: usize,
    /// How often it stands in the text.
    pub(super) count: u32,
    /// The less the better.
    pub(super) score: f32,
}

impl Candidate {
    pub(super) fn words(&self) -> &[u32] {
        &self.ids[..self.len]
    }
}

/// All phrases of a text, with their scores. Words that stand beside each other only once are no better together than the worst of
/// them, unless they are names, and no phrase at all with a stop word inside.
pub(super) fn candidates(counts: &Counts, scores: &[f32]) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut known: HashMap<([u32; LONGEST], usize), usize> = HashMap::new();
    for first in 0..counts.tokens() {
        let mut ids = [u32::MAX; LONGEST];
        for len in 1..=LONGEST {
            let at = first + len - 1;
            let Some(id) = counts.word_at(at) else { break };
            ids[len - 1] = id;
            if counts.is_stop(ids[0]) {
                break;
            }
            if !counts.is_stop(id) {
                let place = *known.entry((ids, len)).or_insert(found.len());
                match found.get_mut(place) {
                    Some(candidate) => candidate.count += 1,
                    None => found.push(Candidate { ids, len, first, count: 1, score: 0.0 }),
                }
            }
            if counts.ends(at) {
                break;
            }
        }
    }
    found.retain(|one| one.count > 1 || !one.words().iter().any(|&id| counts.is_stop(id)));
    for candidate in &mut found {
        candidate.score = score(candidate, counts, scores);
        if candidate.count == 1 && !candidate.words().iter().all(|&id| counts.is_name(id)) {
            let words = candidate.words().iter().filter_map(|&id| scores.get(id as usize));
            candidate.score = words.fold(candidate.score, |most, &score| most.max(score));
        }
    }
    found
}

/// Section 3.4 of the paper. A stop word inside counts by how firmly it stands between its neighbours.
fn score(candidate: &Candidate, counts: &Counts, scores: &[f32]) -> f32 {
    let (mut product, mut sum) = (1.0, 0.0);
    let words = candidate.words();
    for (place, &id) in words.iter().enumerate() {
        if counts.is_stop(id) && place > 0 && place + 1 < words.len() {
            let bond = counts.bond(words[place - 1], id) * counts.bond(id, words[place + 1]);
            product *= 2.0 - bond;
            sum -= 1.0 - bond;
        } else {
            let score = scores.get(id as usize).copied().unwrap_or(1.0);
            product *= score;
            sum += score;
        }
    }
    product / (candidate.count as f32 * (1.0 + sum).max(0.01))
}
