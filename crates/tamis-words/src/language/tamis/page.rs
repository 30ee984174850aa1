//! From the scores of pieces to the languages of a page.
//!
//! The page is a mixture: each piece is in one of a few languages, and what the other pieces are in says what is likely
//! (expectation and maximisation over the pieces, as for any mixture). Languages without which the page is explained
//! about as well are dropped, so that lines that lean to a near relative do not add it.

use super::model::{Model, UNITS_OF_NAT};
use super::pieces::{Piece, Pieces};
use super::script::LATIN;

/// Languages with less of the page than this are not languages of the page.
pub(super) const FLOOR: f32 = 0.10;
/// How much of a score is believed: features of a word are not independent of each other, nor words of what a page is about.
const TRUST: f32 = 0.6;
/// The most classes a page is weighed over.
const MOST_CANDIDATES: usize = 16;
/// A language this many nats below the best of a piece may still have it.
const NEAR: f32 = 3.0;
/// Rounds of the mixture.
const ROUNDS: usize = 3;
/// What a language must explain of the pieces given to it better than the others do.
pub(super) struct Demand {
    /// So many nats on the whole,
    gain: f32,
    /// so many a letter,
    gain_a_letter: f32,
    /// and this part of what it could be if all words spoke for it alone.
    part: f32,
}

/// Of a page of any length.
pub(super) const OF_PAGES: Demand = Demand { gain: 5.0, gain_a_letter: 0.025, part: 0.0 };
/// Where sentences are judged alone. Few words say few nats, and near relatives differ by few words: the part tells them from languages that
/// have nothing in common.
pub(super) const OF_SENTENCES: Demand = Demand { gain: 2.5, gain_a_letter: 0.025, part: 0.4 };

/// A page with fewer letters than this agrees with its language more or less by chance: less is asked of it, in proportion,
const LETTERS_TO_AGREE: i64 = 150;
/// but no less than of one with this many.
const FEWEST_LETTERS: i64 = 105;

/// Words that would score less than this together if all spoke for the same language say nothing: a letter, a name.
const LEAST_SAID: i64 = 24;

/// Text in Latin letters of which less than this part of the letters, in per cent, stands in words or runs that the model has is in no
/// language it was taught: keys hit at random have about 40, one sentence of a hundred of known languages less than 55.
const LEAST_FAMILIAR: u64 = 55;

/// The verdict on a page.
pub(super) struct Verdict {
    /// The class of each piece, if it is in a language of the page.
    pub(super) classes: Vec<Option<usize>>,
}

impl Verdict {
    /// Whether any piece is in a language.
    pub(super) fn names_any(&self) -> bool {
        self.classes.iter().any(Option::is_some)
    }

    /// Whether pieces are in different languages.
    pub(super) fn names_several(&self) -> bool {
        let mut named = self.classes.iter().flatten();
        named.next().is_some_and(|first| named.any(|other| other != first))
    }
}

/// A piece as the mixture sees it: what each candidate scores, in nats.
struct Seen {
    /// Its letters.
    letters: f32,
    /// And those it stands for.
    weight: f32,
    /// What it would score if all its words spoke for the same language.
    ceiling: f32,
    scores: [f32; MOST_CANDIDATES],
}

/// Weighs the pieces of a page against each other.
pub(super) fn judged(model: &Model, pieces: &Pieces<'_>, demand: &Demand) -> Verdict {
    let candidates = candidates(model, pieces);
    let seen: Vec<Seen> = pieces.list.iter().map(|piece| seen(model, pieces, piece, &candidates)).collect();
    let all: f32 = seen.iter().map(|piece| piece.weight).sum();
    let mut alive = possible(&seen, candidates.len(), all);
    let mut shares = mixture(&seen, &alive, all);
    loop {
        let before = alive.len();
        let largest = alive.iter().copied().max_by(|&a, &b| shares[a].total_cmp(&shares[b]).then(b.cmp(&a)));
        alive.retain(|&i| shares[i] >= FLOOR * 0.5 || Some(i) == largest);
        if alive.len() == before {
            let Some(worst) = weakest(&seen, &alive, &shares, demand) else { break };
            alive.remove(worst);
        }
        shares = mixture(&seen, &alive, all);
    }
    let winners: Vec<Option<usize>> =
        seen.iter().map(|piece| winner(piece, &alive, &shares).map(|i| candidates[i])).collect();
    Verdict { classes: agreed(model, pieces, winners) }
}

/// The classes that win pieces, the ones with most text first.
fn candidates(model: &Model, pieces: &Pieces<'_>) -> Vec<usize> {
    let mut mass = vec![0u64; model.classes().len()];
    for piece in &pieces.list {
        if let Some(mass) = mass.get_mut(piece.best).filter(|_| model.script(piece.script).1 > 0) {
            *mass += u64::from(piece.weight());
        }
    }
    let mut found: Vec<usize> = (0..mass.len()).filter(|&class| mass[class] > 0).collect();
    found.sort_by_key(|&class| (std::cmp::Reverse(mass[class]), class));
    found.truncate(MOST_CANDIDATES);
    found
}

fn seen(model: &Model, pieces: &Pieces<'_>, piece: &Piece, candidates: &[usize]) -> Seen {
    let (first, count) = model.script(piece.script);
    let own = pieces.scores(piece);
    let mut scores = [f32::NEG_INFINITY; MOST_CANDIDATES];
    for (score, &class) in scores.iter_mut().zip(candidates) {
        if (first..first + count).contains(&class) {
            *score = f32::from(own[class - first]) * (TRUST / UNITS_OF_NAT);
        }
    }
    Seen {
        letters: piece.letters as f32,
        weight: piece.weight() as f32,
        ceiling: piece.ceiling as f32 * (TRUST / UNITS_OF_NAT),
        scores,
    }
}

/// The candidates that could have a part of the page worth naming if all that is near went to them.
fn possible(seen: &[Seen], candidates: usize, all: f32) -> Vec<usize> {
    let mut reach = [0.0f32; MOST_CANDIDATES];
    for piece in seen {
        let scores = &piece.scores[..candidates];
        let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for (reach, &score) in reach.iter_mut().zip(scores) {
            if score >= highest - NEAR {
                *reach += piece.weight;
            }
        }
    }
    (0..candidates).filter(|&i| reach[i] >= FLOOR * 0.5 * all).collect()
}

/// The share of each language that is alive, found in a few rounds from equal ones.
fn mixture(seen: &[Seen], alive: &[usize], all: f32) -> [f32; MOST_CANDIDATES] {
    let mut shares = [0.0; MOST_CANDIDATES];
    for &i in alive {
        shares[i] = 1.0 / alive.len() as f32;
    }
    if alive.len() < 2 {
        return shares;
    }
    for _ in 0..ROUNDS {
        let mut next = [0.0f32; MOST_CANDIDATES];
        let logs = shares.map(|share| share.max(1e-4).ln());
        for piece in seen {
            spread(piece, alive, &logs, &mut next);
        }
        shares = next.map(|letters| letters / all.max(1.0));
    }
    shares
}

/// Gives the letters of a piece to the languages it may be in.
fn spread(piece: &Seen, alive: &[usize], logs: &[f32; MOST_CANDIDATES], next: &mut [f32; MOST_CANDIDATES]) {
    let highest = alive.iter().map(|&i| piece.scores[i] + logs[i]).fold(f32::NEG_INFINITY, f32::max);
    if highest == f32::NEG_INFINITY {
        return;
    }
    let mut parts = [0.0; MOST_CANDIDATES];
    let mut sum = 0.0;
    for &i in alive {
        let below = piece.scores[i] + logs[i] - highest;
        if below > -12.0 {
            parts[i] = exponential(below);
            sum += parts[i];
        }
    }
    for &i in alive {
        next[i] += piece.weight * parts[i] / sum;
    }
}

/// e to a power from -12 to 0, within a thousandth, the same on every machine.
pub(super) fn exponential(power: f32) -> f32 {
    let part = power / 64.0;
    let series = 1.0 + part * (1.0 + part * (0.5 + part / 6.0));
    (0..6).fold(series, |value, _| value * value)
}

/// The place among the living of the language that explains too little and the least for its length, if there is one.
fn weakest(
    seen: &[Seen],
    alive: &[usize],
    shares: &[f32; MOST_CANDIDATES],
    demand: &Demand,
) -> Option<usize> {
    if alive.len() < 2 {
        return None;
    }
    let logs = shares.map(|share| share.max(1e-4).ln());
    let mut gains = [0.0f32; MOST_CANDIDATES];
    let mut letters = [0.0f32; MOST_CANDIDATES];
    let mut ceilings = [0.0f32; MOST_CANDIDATES];
    for piece in seen {
        let (mut best, mut second) = ((f32::NEG_INFINITY, usize::MAX), f32::NEG_INFINITY);
        for &i in alive {
            let score = piece.scores[i] + logs[i];
            if score > best.0 {
                second = best.0;
                best = (score, i);
            } else {
                second = second.max(score);
            }
        }
        if best.1 < MOST_CANDIDATES {
            // A piece in a script of its own language is explained by nothing else.
            gains[best.1] += (best.0 - second).min(piece.letters);
            letters[best.1] += piece.letters;
            ceilings[best.1] += piece.ceiling;
        }
    }
    let gain_a_letter = |i: usize| gains[i] / letters[i].max(1.0);
    let weak = |i: usize| {
        let least = demand.gain.max(demand.part * ceilings[i]);
        gains[i] < least || gain_a_letter(i) < demand.gain_a_letter
    };
    let strongest = *alive.iter().max_by(|&&a, &&b| letters[a].total_cmp(&letters[b]).then(b.cmp(&a)))?;
    (0..alive.len())
        .filter(|&place| alive[place] != strongest && weak(alive[place]))
        .min_by(|&a, &b| gain_a_letter(alive[a]).total_cmp(&gain_a_letter(alive[b])).then(b.cmp(&a)))
}

fn winner(piece: &Seen, alive: &[usize], shares: &[f32; MOST_CANDIDATES]) -> Option<usize> {
    let total = |i: usize| piece.scores[i] + shares[i].max(1e-4).ln();
    let best = alive.iter().copied().max_by(|&a, &b| total(a).total_cmp(&total(b)).then(b.cmp(&a)))?;
    (piece.scores[best] > f32::NEG_INFINITY).then_some(best)
}

/// Takes away the languages whose pieces do not agree with them: text of a language nobody taught us votes for many.
fn agreed(model: &Model, pieces: &Pieces<'_>, mut winners: Vec<Option<usize>>) -> Vec<Option<usize>> {
    let letters = pieces.list.iter().map(|piece| i64::from(piece.letters)).sum::<i64>();
    let eased = letters.clamp(FEWEST_LETTERS, LETTERS_TO_AGREE);
    let mut reached = vec![(0i64, 0i64); model.classes().len()];
    let mut familiar = vec![(0u64, 0u64); model.classes().len()];
    for (piece, winner) in pieces.list.iter().zip(&winners) {
        if let &Some(class) = winner {
            reached[class].0 += pieces.reached(piece, class);
            reached[class].1 += i64::from(piece.ceiling);
            familiar[class].0 += u64::from(piece.familiar);
            familiar[class].1 += u64::from(piece.asked);
        }
    }
    for winner in &mut winners {
        if let Some(class) = *winner {
            let (score, ceiling) = reached[class];
            let of = &model.classes()[class];
            let disagrees = score * 255 * LETTERS_TO_AGREE < i64::from(of.agreement) * ceiling * eased;
            // What is written in a script of one language need not say anything.
            let is_silent = ceiling < LEAST_SAID && model.script(of.script).1 > 1;
            let is_strange =
                of.script == LATIN && familiar[class].0 * 100 < familiar[class].1 * LEAST_FAMILIAR;
            if of.language().is_none() || is_silent || disagrees || is_strange {
                *winner = None;
            }
        }
    }
    winners
}
