//! The score of a word: looked up in a small cache, since few words make most of a text.

use super::features::{features, frequent};
use super::model::{MOST_CLASSES, Model};
use super::scan::{LONGEST_WORD, Word};
use super::script::Kind;

/// How many languages a word may speak for.
pub(super) const MOST_VOTES: usize = 12;
/// How many a model keeps of a frequent word.
const MOST_VOTES_KEPT: usize = 10;
/// A word of the longest has no more features: it is one, and from each letter or edge on go three runs.
const MOST_FEATURES: usize = 1 + 3 * (LONGEST_WORD + 2);
/// The most letters that are looked for again and again in a word.
const LONGEST_PERIOD: usize = 4;
/// How many words the cache holds, as a power of two. It fits a core's second cache.
const SLOT_BITS: u32 = 15;
/// Bits of a tag below the key: how familiar the word is, the state and the number of votes. The key is what of a hash is not its slot.
const KEY_AT: u32 = SLOT_BITS;
/// Where a tag has how familiar the word is: so many of this many parts of its features are in the model.
const FAMILIAR_AT: u32 = 10;
pub(super) const ALL_FAMILIAR: u32 = (1 << (KEY_AT - FAMILIAR_AT)) - 1;
/// Bits of a hash below those that are the slot.
const LOW_BITS: u32 = 17;

/// The languages a word speaks for: places in the script and weights, the loudest first. Half a line of the processor's cache.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Votes {
    /// The bits of the word's hash that are not its slot, then how familiar it is, the state and the number of votes.
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
        self.tag >> 8 & 3
    }

    /// The languages and weights.
    #[inline]
    pub(super) fn list(&self) -> &[(u8, i8)] {
        &self.votes[..usize::from(self.tag as u8).min(MOST_VOTES)]
    }

    /// How many of its features are in the model, in parts of `ALL_FAMILIAR`.
    #[inline]
    pub(super) fn familiar(&self) -> u32 {
        (self.tag >> FAMILIAR_AT) as u32 & ALL_FAMILIAR
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
    /// The features of a word with the places of their buckets.
    found: Box<[(u64, u32, u32); MOST_FEATURES]>,
}

impl Cache {
    /// An empty cache, 1 MB.
    pub(super) fn new() -> Self {
        Self { slots: vec![Votes::NONE; 1 << SLOT_BITS], counter: Counter::new() }
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
        if held.tag >> KEY_AT != key || held.tag == EMPTY {
            *held = looked_up(model, key, hash)?;
        }
        (held.state() == FREQUENT).then_some(held)
    }

    /// The votes of any other word, which cost much more.
    pub(super) fn counted(&mut self, model: &Model, word: &Word) -> &Votes {
        let (slot, key) = place(word.hash);
        let held = &mut self.slots[slot];
        if held.tag >> KEY_AT != key || held.tag == EMPTY {
            *held = self.counter.counted(model, word.script, word.letters(), key);
        }
        held
    }
}

impl Counter {
    fn new() -> Self {
        Self { found: Box::new([(0, 0, 0); MOST_FEATURES]) }
    }

    #[cold]
    #[inline(never)]
    fn counted(&mut self, model: &Model, script: Kind, letters: &[u16], key: u64) -> Votes {
        if is_noise(letters) {
            return Votes { tag: key << KEY_AT | COUNTED << 8, ..Votes::NONE };
        }
        let found = self.found.as_mut_slice();
        let mut count = 0;
        features(script, letters, |feature| {
            if let Some(slot) = found.get_mut(count) {
                slot.0 = feature;
                count += 1;
            }
        });
        let found = &mut found[..count];
        // Three passes, so that the processor waits for many places of the table at once and not for one after the other.
        for one in found.iter_mut() {
            (one.1, one.2) = model.bucket(one.0);
        }
        let warm = found.iter().map(|one| model.first_byte(one.1)).fold(0, u8::wrapping_add);
        std::hint::black_box(warm);
        let mut sums = [0i16; MOST_CLASSES];
        let mut met = 0;
        for &(feature, from, to) in found.iter() {
            let Some(weights) = model.weights_in(feature, from, to) else { continue };
            met += 1;
            for &[class, weight] in weights {
                let sum = &mut sums[usize::from(class)];
                *sum = sum.wrapping_add(i16::from(weight as i8));
            }
        }
        // The word as a whole is one of them, and most are only known by their letters.
        let familiar = (met * u64::from(ALL_FAMILIAR) / (count as u64 - 1).max(1)).min(ALL_FAMILIAR.into());
        let mut votes = loudest(&sums, key);
        votes.tag |= familiar << FAMILIAR_AT;
        votes
    }
}

/// Whether a word is the same few letters three times and more, as in `xxxx`, `hahaha` and `asdfasdfasdf`, which is written anywhere.
fn is_noise(letters: &[u16]) -> bool {
    let returns = |period: usize| letters.get(period..).is_some_and(|rest| letters.starts_with(rest));
    (1..=LONGEST_PERIOD).any(|period| letters.len() >= 3 * period && returns(period))
}

/// The slot of a word, and the rest of its hash.
#[inline]
fn place(hash: u64) -> (usize, u64) {
    let slot = (hash >> LOW_BITS) as usize & ((1 << SLOT_BITS) - 1);
    (slot, hash >> (LOW_BITS + SLOT_BITS) << LOW_BITS | hash & ((1 << LOW_BITS) - 1))
}

/// The votes the model has of a frequent word.
#[inline]
fn looked_up(model: &Model, key: u64, hash: u64) -> Option<Votes> {
    let feature = frequent(hash);
    if !model.may_be_frequent(feature) {
        return None;
    }
    let familiar = u64::from(ALL_FAMILIAR) << FAMILIAR_AT;
    let mut found = Votes { tag: key << KEY_AT | familiar | FREQUENT << 8, ..Votes::NONE };
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
fn loudest(sums: &[i16; MOST_CLASSES], key: u64) -> Votes {
    // One more than are kept. Of equals the class that comes first is louder.
    let mut top = [(0i16, 0u8); MOST_VOTES + 1];
    for (block, sixteen) in sums.as_chunks::<16>().0.iter().enumerate() {
        // Most blocks have nothing loud, which the processor sees at once.
        if sixteen.iter().copied().fold(0, i16::max) <= top[MOST_VOTES].0 {
            continue;
        }
        for (place, &sum) in sixteen.iter().enumerate() {
            let mut at = MOST_VOTES;
            if sum > top[at].0 {
                while at > 0 && sum > top[at - 1].0 {
                    top[at] = top[at - 1];
                    at -= 1;
                }
                top[at] = (sum, (block * 16 + place) as u8);
            }
        }
    }
    let floor = top[MOST_VOTES].0;
    let mut found = Votes { tag: key << KEY_AT | COUNTED << 8, ..Votes::NONE };
    for (vote, &(sum, class)) in found.votes.iter_mut().zip(top.iter().filter(|one| one.0 > 0)) {
        // From the unit of features to the unit of scores.
        *vote = (class, ((sum - floor + 2) / 4).min(127) as i8);
        found.tag += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_letters_again_and_again_are_noise() {
        let noise = ["xxx", "xxxxxxxx", "hahaha", "hahahah", "xyzxyzxyz", "asdfasdfasdf", "ыыыы"];
        let words = ["x", "xx", "mama", "papa", "couscous", "jäääär", "banana", "beriberi", "assassins"];
        let letters = |word: &str| word.encode_utf16().collect::<Vec<_>>();
        assert!(noise.iter().all(|word| is_noise(&letters(word))));
        assert!(!words.iter().any(|word| is_noise(&letters(word))));
    }
}
