//! The score of a word: looked up in a small cache, since few words make most of a text.

use super::features::{features, frequent};
use super::model::{MOST_CLASSES, Model};
use super::script::Kind;

/// How many languages a word may speak for.
pub(super) const MOST_VOTES: usize = 12;
/// How many a model keeps of a frequent word.
const MOST_VOTES_KEPT: usize = 8;
/// How many words the cache holds.
const SLOTS: usize = 1 << 16;

/// The languages a word speaks for: places in the script and weights, the loudest first.
#[derive(Clone, Copy)]
pub(super) struct Votes {
    key: u64,
    state: State,
    count: u8,
    votes: [(u8, i8); MOST_VOTES],
}

/// What is known of a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The model has its votes.
    Frequent,
    /// The model does not; they were counted from its letters.
    Counted,
    /// The model does not; nobody has asked for more yet.
    Rare,
}

impl Votes {
    const NONE: Self = Self { key: 0, state: State::Rare, count: 0, votes: [(0, 0); MOST_VOTES] };

    /// The languages and weights.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, i16)> + '_ {
        self.votes[..usize::from(self.count).min(MOST_VOTES)].iter().map(|&(class, weight)| (usize::from(class), i16::from(weight)))
    }

    /// The weight of the loudest.
    #[inline]
    pub(super) fn loudest(&self) -> i16 {
        i16::from(self.votes[0].1)
    }
}

/// A cache of the votes of words, one slot for each value of some bits of the hash. What it answers does not depend on what it holds.
pub(super) struct Cache {
    slots: Vec<Votes>,
    counter: Counter,
}

/// Counts the votes of words from their letters.
struct Counter {
    sums: Box<[i32; MOST_CLASSES]>,
    touched: Vec<u8>,
    found: Vec<(u64, u32, u32)>,
}

impl Cache {
    /// An empty cache, 2.6 MB.
    pub(super) fn new() -> Self {
        Self { slots: vec![Votes::NONE; SLOTS], counter: Counter::new() }
    }

    /// The votes of a word. Those of a rare one cost much more than those of a frequent one: they are counted only if
    /// the caller wants them, and the count of rare words that were is raised.
    #[inline]
    pub(super) fn votes(&mut self, model: &Model, (script, letters, hash): (Kind, &[u16], u64), wanted: bool, rare: &mut u32) -> Option<&Votes> {
        // A zero is an empty slot; the script is in the letters.
        let key = hash | 1;
        let slot = (hash >> 17) as usize % SLOTS;
        if self.slots[slot].key != key {
            self.slots[slot] = looked_up(model, key, hash);
        }
        if self.slots[slot].state != State::Frequent {
            if !wanted {
                return None;
            }
            *rare += 1;
            if self.slots[slot].state == State::Rare {
                self.slots[slot] = self.counter.counted(model, script, letters, key);
            }
        }
        Some(&self.slots[slot])
    }

}

impl Counter {
    fn new() -> Self {
        Self { sums: Box::new([0; MOST_CLASSES]), touched: Vec::new(), found: Vec::new() }
    }

    #[cold]
    #[inline(never)]
    fn counted(&mut self, model: &Model, script: Kind, letters: &[u16], key: u64) -> Votes {
        let Self { sums, touched, found } = self;
        found.clear();
        features(script, letters, |feature| found.push((feature, 0, 0)));
        // Three passes, so that the processor waits for many places of the table at once and not for one after the other.
        for one in found.iter_mut() {
            (one.1, one.2) = model.bucket(one.0);
        }
        let warm = found.iter().map(|one| model.first_byte(one.1)).fold(0, u8::wrapping_add);
        std::hint::black_box(warm);
        for &(feature, from, to) in found.iter() {
            for &[class, weight] in model.weights_in(feature, from, to).unwrap_or_default() {
                let sum = &mut sums[usize::from(class)];
                if *sum == 0 {
                    touched.push(class);
                }
                *sum += i32::from(weight as i8);
            }
        }
        let mut ranked: Vec<(i32, u8)> = Vec::with_capacity(touched.len());
        for class in touched.drain(..) {
            let sum = std::mem::take(&mut sums[usize::from(class)]);
            // A class may be touched twice if its sum came back to nothing in between.
            if sum > 0 {
                ranked.push((sum, class));
            }
        }
        loudest(ranked, key)
    }
}

/// The votes the model has of a frequent word.
#[cold]
#[inline(never)]
fn looked_up(model: &Model, key: u64, hash: u64) -> Votes {
    let mut found = Votes { key, ..Votes::NONE };
    if let Some(votes) = model.weights(frequent(hash)) {
        found.state = State::Frequent;
        for (vote, &[class, weight]) in found.votes.iter_mut().zip(votes) {
            *vote = (class, weight as i8);
            found.count += 1;
        }
    }
    found
}

/// The votes of a word as a model keeps them, counted from its letters.
pub fn votes_to_keep(model: &Model, script: Kind, letters: &[u16]) -> Vec<[u8; 2]> {
    let votes = Counter::new().counted(model, script, letters, 0);
    // As in the cache, what is left counts from the first that is left out.
    let floor = votes.iter().nth(MOST_VOTES_KEPT).map_or(0, |(_, weight)| weight);
    let kept = votes.iter().take(MOST_VOTES_KEPT).filter(|(_, weight)| *weight > floor);
    kept.map(|(class, weight)| [class as u8, (weight - floor) as u8]).collect()
}

/// The loudest votes, counted from the first that is left out.
fn loudest(mut ranked: Vec<(i32, u8)>, key: u64) -> Votes {
    let order = |a: &(i32, u8), b: &(i32, u8)| b.0.cmp(&a.0).then(a.1.cmp(&b.1));
    let mut floor = 0;
    if ranked.len() > MOST_VOTES {
        let (_, first_out, _) = ranked.select_nth_unstable_by(MOST_VOTES, order);
        floor = first_out.0;
        ranked.truncate(MOST_VOTES);
    }
    ranked.sort_unstable_by(order);
    let mut found = Votes { key, state: State::Counted, ..Votes::NONE };
    for (vote, (sum, class)) in found.votes.iter_mut().zip(ranked) {
        // From the unit of features to the unit of scores.
        *vote = (class, ((sum - floor + 2) / 4).min(127) as i8);
        found.count += 1;
    }
    found
}
