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

/// The languages a word speaks for: places in the script and weights, the loudest first. Half a line of the processor's cache.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Votes {
    /// 48 bits of the word's hash, the other 16 are the slot; then the state, then the number of votes.
    tag: u64,
    votes: [(u8, i8); MOST_VOTES],
}

/// A slot without a word.
const EMPTY: u64 = 0;
/// The votes were counted from the word's letters.
const COUNTED: u64 = 1;
/// The model has the word's votes.
const FREQUENT: u64 = 2;

impl Votes {
    const NONE: Self = Self { tag: EMPTY, votes: [(0, 0); MOST_VOTES] };

    #[inline]
    fn state(&self) -> u64 {
        self.tag >> 8 & 0xff
    }

    /// The languages and weights.
    #[inline]
    pub(super) fn list(&self) -> &[(u8, i8)] {
        &self.votes[..usize::from(self.tag as u8).min(MOST_VOTES)]
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
    ranked: Vec<(i32, u8)>,
}

impl Cache {
    /// An empty cache, 2 MB.
    pub(super) fn new() -> Self {
        Self { slots: vec![Votes::NONE; SLOTS], counter: Counter::new() }
    }

    /// Reads from the slot of a word, so that it is near when it is needed.
    #[inline]
    pub(super) fn touch(&self, hash: u64) -> u64 {
        self.slots[place(hash).0].tag
    }

    /// The votes of a word the model has them of.
    #[inline]
    pub(super) fn frequent(&mut self, model: &Model, hash: u64) -> Option<&Votes> {
        let (slot, key) = place(hash);
        let held = &mut self.slots[slot];
        if held.tag >> 16 != key || held.tag == EMPTY {
            *held = looked_up(model, key, hash)?;
        }
        (held.state() == FREQUENT).then_some(held)
    }

    /// The votes of any other word, which cost much more.
    pub(super) fn counted(&mut self, model: &Model, script: Kind, letters: &[u16], hash: u64) -> &Votes {
        let (slot, key) = place(hash);
        let held = &mut self.slots[slot];
        if held.tag >> 16 != key || held.tag == EMPTY {
            *held = self.counter.counted(model, script, letters, key);
        }
        held
    }
}

impl Counter {
    fn new() -> Self {
        Self { sums: Box::new([0; MOST_CLASSES]), touched: Vec::new(), found: Vec::new(), ranked: Vec::new() }
    }

    #[cold]
    #[inline(never)]
    fn counted(&mut self, model: &Model, script: Kind, letters: &[u16], key: u64) -> Votes {
        let Self { sums, touched, found, ranked } = self;
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
        ranked.clear();
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

/// The slot of a word, and the rest of its hash.
#[inline]
fn place(hash: u64) -> (usize, u64) {
    ((hash >> 17) as usize % SLOTS, hash >> 33 << 17 | hash & 0x1_ffff)
}

/// The votes the model has of a frequent word.
#[inline]
fn looked_up(model: &Model, key: u64, hash: u64) -> Option<Votes> {
    let feature = frequent(hash);
    if !model.may_be_frequent(feature) {
        return None;
    }
    let mut found = Votes { tag: key << 16 | FREQUENT << 8, ..Votes::NONE };
    for (vote, &[class, weight]) in found.votes.iter_mut().zip(model.weights(feature)?) {
        *vote = (class, weight as i8);
        found.tag += 1;
    }
    Some(found)
}

/// The votes of a word as a model keeps them, counted from its letters.
pub fn votes_to_keep(model: &Model, script: Kind, letters: &[u16]) -> Vec<[u8; 2]> {
    let votes = Counter::new().counted(model, script, letters, 0);
    // As in the cache, what is left counts from the first that is left out.
    let floor = votes.list().get(MOST_VOTES_KEPT).map_or(0, |vote| vote.1);
    let kept = votes.list().iter().take(MOST_VOTES_KEPT).filter(|vote| vote.1 > floor);
    kept.map(|&(class, weight)| [class, (weight - floor) as u8]).collect()
}

/// The loudest votes, counted from the first that is left out.
fn loudest(ranked: &mut Vec<(i32, u8)>, key: u64) -> Votes {
    let order = |a: &(i32, u8), b: &(i32, u8)| b.0.cmp(&a.0).then(a.1.cmp(&b.1));
    let mut floor = 0;
    if ranked.len() > MOST_VOTES {
        let (_, first_out, _) = ranked.select_nth_unstable_by(MOST_VOTES, order);
        floor = first_out.0;
        ranked.truncate(MOST_VOTES);
    }
    ranked.sort_unstable_by(order);
    let mut found = Votes { tag: key << 16 | COUNTED << 8, ..Votes::NONE };
    for (vote, &(sum, class)) in found.votes.iter_mut().zip(ranked.iter()) {
        // From the unit of features to the unit of scores.
        *vote = (class, ((sum - floor + 2) / 4).min(127) as i8);
        found.tag += 1;
    }
    found
}
