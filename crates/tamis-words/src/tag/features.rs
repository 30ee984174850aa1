//! What the tagger looks at to choose the tag of a word.
//!
//! A feature is of a kind and sees something. Most see but one of the words around, or the tags before: what these add to the scores is
//! worked out once for a word ([`super::tagger`]).

use super::hash::{of_feature, pair};
use super::word::Word;

/// A word of a sentence and the tags it had where it was taught.
#[derive(Clone, Debug)]
pub struct Known {
    /// The word.
    pub word: Word,
    /// The class of its tags ([`super::model::Model::class`]).
    pub class: u16,
}

impl Known {
    /// What is before and behind a sentence.
    pub fn edge() -> Self {
        Self { word: Word::edge(), class: 0 }
    }
}

/// How many words before and behind a word are looked at.
pub const REACH: usize = 2;

/// How many features a word has.
pub const COUNT: usize = 57;

/// The kind of a feature, from 1 to [`COUNT`], and what it sees.
pub(crate) type Sight = (u64, u64);

/// The features of the word in the middle of `around`, by their kinds; `before` are the tags of the two words before it, the nearer one
/// first.
pub fn features(around: &[Known; 2 * REACH + 1], before: [u64; 2]) -> [u64; COUNT] {
    let [w2, w1, w0, n1, n2] = around.each_ref();
    let is_first = w1.word.exact == Word::edge().exact;
    let mut all = [0; COUNT];
    place(own(w0), &mut all);
    place(own_by_place(w0, is_first), &mut all);
    place(next(n1), &mut all);
    place(second_next(n2), &mut all);
    place(last(w1), &mut all);
    place(second_last(w2), &mut all);
    place(tags(before), &mut all);
    place(together(around.each_ref(), before), &mut all);
    all
}

fn place<const N: usize>(seen: [Sight; N], all: &mut [u64; COUNT]) {
    for ((kind, _), hash) in seen.into_iter().zip(hashes(seen)) {
        all[kind as usize - 1] = hash;
    }
}

/// The hashes of features.
#[inline]
pub(crate) fn hashes<const N: usize>(seen: [Sight; N]) -> [u64; N] {
    seen.map(|(kind, seen)| of_feature(kind, seen))
}

/// Features with the number of the row of scores that they are added to.
#[inline]
pub(crate) fn rows<const N: usize>(row: usize, seen: [Sight; N]) -> [(u64, usize); N] {
    hashes(seen).map(|hash| (hash, row))
}

/// The features of all parts, of which there are so many.
#[inline]
pub(crate) fn joined<const N: usize>(parts: &[&[(u64, usize)]]) -> [(u64, usize); N] {
    let mut all = parts.iter().copied().flatten();
    let joined = std::array::from_fn(|_| *all.next().expect("N features"));
    debug_assert!(all.next().is_none(), "more than N features");
    joined
}

/// What the word itself tells.
pub(super) fn own(known: &Known) -> [Sight; 18] {
    let word = &known.word;
    let cluster = u64::from(word.cluster);
    [
        (1, 0),
        (2, word.small),
        (3, word.exact),
        (8, word.ends[0]),
        (9, word.ends[1]),
        (10, word.ends[2]),
        (11, word.ends[3]),
        (12, word.starts[0]),
        (13, word.starts[1]),
        (14, word.starts[2]),
        (20, cluster),
        (21, cluster & 15),
        (22, cluster & 63),
        (23, cluster & 1023),
        (36, known.class.into()),
        (46, word.small_cluster.into()),
        (52, pair(word.case(), word.ends[2])),
        (53, pair(word.case(), cluster & 1023)),
    ]
}

/// What the word itself tells as the first of a sentence, or as another.
pub(super) fn own_by_place(known: &Known, is_first: bool) -> [Sight; 4] {
    let (word, is_first) = (&known.word, u64::from(is_first));
    [
        (15, pair(word.shape, is_first)),
        (41, pair(word.case(), is_first)),
        (47, pair(word.small_cluster.into(), is_first)),
        (51, pair(word.case(), pair(known.class.into(), is_first))),
    ]
}

/// What the word behind it tells.
pub(super) fn next(known: &Known) -> [Sight; 5] {
    let word = &known.word;
    [
        (5, word.small),
        (25, word.cluster.into()),
        (34, word.ends[2]),
        (37, known.class.into()),
        (45, word.shape),
    ]
}

/// What the second word behind it tells.
pub(super) fn second_next(known: &Known) -> [Sight; 2] {
    [(7, known.word.small), (27, known.word.cluster.into())]
}

/// What the word before it tells.
pub(super) fn last(known: &Known) -> [Sight; 3] {
    let word = &known.word;
    [(4, word.small), (24, word.cluster.into()), (35, word.ends[2])]
}

/// What the second word before it tells.
pub(super) fn second_last(known: &Known) -> [Sight; 1] {
    [(6, known.word.small)]
}

/// What the tags before it tell.
pub(super) fn tags([last, second_last]: [u64; 2]) -> [Sight; 2] {
    [(16, last), (17, both([last, second_last]))]
}

fn both([last, second_last]: [u64; 2]) -> u64 {
    last << 8 | second_last
}

/// What only several of them together tell.
#[inline]
pub(super) fn together(around: [&Known; 2 * REACH + 1], before: [u64; 2]) -> [Sight; 22] {
    let [w2, w1, w0, n1, n2] = around.map(|known| &known.word);
    let [k1, k0, m1] = [1, 2, 3].map(|i| u64::from(around[i].class));
    let [c2, c1, c0, d1, d2] = [w2, w1, w0, n1, n2].map(|word| u64::from(word.cluster));
    let t1 = before[0];
    let cases = [w2, w1, w0, n1, n2].into_iter().fold(0, |all, word| all << 8 | word.shape & 255);
    [
        (18, pair(t1, w0.small)),
        (19, pair(t1, n1.small)),
        (26, pair(c1 & 63, d1 & 63)),
        (28, pair(c1, c0)),
        (29, pair(c0, d1)),
        (30, pair(t1, c0)),
        (31, pair(t1, d1)),
        (32, pair(w1.small, w0.small)),
        (33, pair(w0.small, n1.small)),
        (38, pair(both(before), k0)),
        (39, pair(pair(k1, k0), m1)),
        (40, pair(pair(t1, k0), m1)),
        (42, pair(w0.case(), n1.case())),
        (43, pair(w1.case(), w0.case())),
        (44, pair(t1, w0.case())),
        (48, pair(d1, d2 & 63)),
        (49, pair(pair(t1, w0.ends[2]), c2 & 15)),
        (50, pair(cases, w0.capitals.into())),
        (54, pair(pair(w0.case(), c1 & 63), d1 & 63)),
        (55, pair(w1.small, n1.small)),
        (56, pair(n1.small, n2.small)),
        (57, pair(t1, pair(c0 & 1023, d1 & 1023))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_seen_once() {
        let known = Known::edge();
        let mut kinds: Vec<u64> = [
            &own(&known)[..],
            &own_by_place(&known, true),
            &next(&known),
            &second_next(&known),
            &last(&known),
            &second_last(&known),
            &tags([0; 2]),
            &together([&known; 2 * REACH + 1], [0; 2]),
        ]
        .concat()
        .into_iter()
        .map(|(kind, _)| kind)
        .collect();
        kinds.sort_unstable();
        assert_eq!(kinds, (1..=COUNT as u64).collect::<Vec<_>>());
    }
}
