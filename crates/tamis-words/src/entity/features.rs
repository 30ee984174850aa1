//! What is looked at to tell whether a word is part of a name.
//!
//! As with tags, most features see but one word, and what they add to the scores is worked out once for it ([`super::finder`]).

use crate::tag::features::{Sight, hashes};
use crate::tag::hash::{of_feature, pair};
use crate::tag::word::Word;

use super::run::Run;

/// A word of a sentence with what was found out about it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The word.
    pub word: Word,
    /// The number of its part of speech.
    pub tag: u8,
    /// What the gazetteer says ([`super::gazetteer::Gazetteer::marks`]).
    pub mark: u16,
    /// The run of words with capitals it is in.
    pub run: Run,
}

impl Seen {
    /// What is before and behind a sentence.
    pub fn edge() -> Self {
        Self { word: Word::edge(), tag: u8::MAX, mark: 0, run: Run::default() }
    }
}

/// How many words before and behind a word are looked at.
pub const REACH: usize = 2;

/// How many features a word has.
pub const COUNT: usize = 58;

/// The kinds of features are numbers above this one.
const FIRST: u64 = 100;

/// The kind of the features that labels before a label are.
const BEFORE: u64 = 1000;

/// The feature of the label before a word.
pub fn before(label: usize) -> u64 {
    of_feature(BEFORE, label as u64)
}

/// The features of the word in the middle, by their kinds.
pub fn features(around: &[Seen; 2 * REACH + 1]) -> [u64; COUNT] {
    let [w2, w1, w0, n1, n2] = around.each_ref().map(|seen| &seen.word);
    let [t1, t0, s1] = [1, 2, 3].map(|i| around[i].tag);
    let marks = [1, 2, 3].map(|i| around[i].mark);
    let is_first = w1.exact == Word::edge().exact;
    let mut all = [0; COUNT];
    place(own(w0), &mut all);
    place(own_by_place(w0, is_first), &mut all);
    place(next(n1), &mut all);
    place(second_next(n2), &mut all);
    place(last(w1), &mut all);
    place(second_last(w2), &mut all);
    place(tag_behind(t1, t0), &mut all);
    place(tag_before(t0, s1), &mut all);
    place(by_marks(marks), &mut all);
    place(by_mark_and_word(marks[1], w0), &mut all);
    place(by_run(&around[REACH].run), &mut all);
    place(by_run_and_word(&around[REACH].run, w0), &mut all);
    place(together([w1, w0, n1], [t1, t0, s1]), &mut all);
    all
}

fn place<const N: usize>(seen: [Sight; N], all: &mut [u64; COUNT]) {
    for ((kind, _), hash) in seen.into_iter().zip(hashes(seen)) {
        all[(kind - FIRST) as usize - 1] = hash;
    }
}

/// What the word itself tells.
pub(super) fn own(word: &Word) -> [Sight; 13] {
    let cluster = u64::from(word.cluster);
    [
        (101, 0),
        (102, word.small),
        (103, word.exact),
        (110, word.ends[1]),
        (111, word.ends[2]),
        (112, word.ends[3]),
        (113, word.starts[2]),
        (114, word.starts[3]),
        (123, cluster),
        (124, cluster & 15),
        (125, cluster & 63),
        (126, cluster & 1023),
        (146, word.small_cluster.into()),
    ]
}

/// What the word itself tells as the first of a sentence, or as another.
pub(super) fn own_by_place(word: &Word, is_first: bool) -> [Sight; 2] {
    let is_first = u64::from(is_first);
    [(115, pair(word.shape, is_first)), (120, pair(word.case(), is_first))]
}

/// What the word behind it tells.
pub(super) fn next(word: &Word) -> [Sight; 4] {
    let cluster = u64::from(word.cluster);
    [(105, word.small), (117, word.shape), (128, cluster), (130, cluster & 63)]
}

/// What the second word behind it tells.
pub(super) fn second_next(word: &Word) -> [Sight; 2] {
    [(107, word.small), (134, u64::from(word.cluster) & 1023)]
}

/// What the word before it tells.
pub(super) fn last(word: &Word) -> [Sight; 4] {
    let cluster = u64::from(word.cluster);
    [(104, word.small), (116, word.shape), (127, cluster), (129, cluster & 63)]
}

/// What the second word before it tells.
pub(super) fn second_last(word: &Word) -> [Sight; 2] {
    [(106, word.small), (133, u64::from(word.cluster) & 1023)]
}

/// What its tag tells, by itself and behind the tag before.
pub(super) fn tag_behind(last: u8, tag: u8) -> [Sight; 2] {
    [(135, tag.into()), (136, pair(last.into(), tag.into()))]
}

/// What its tag tells before the next one.
pub(super) fn tag_before(tag: u8, next: u8) -> [Sight; 1] {
    [(137, pair(tag.into(), next.into()))]
}

/// What the gazetteer tells of it and the words beside it.
#[inline]
pub(super) fn by_marks(marks: [u16; 3]) -> [Sight; 3] {
    let [last, mark, next] = marks.map(u64::from);
    [(139, mark), (140, pair(last, mark)), (141, pair(mark, next))]
}

/// What the gazetteer tells of it and the word itself.
#[inline]
pub(super) fn by_mark_and_word(mark: u16, word: &Word) -> [Sight; 2] {
    [(142, pair(mark.into(), word.shape)), (143, pair(mark.into(), u64::from(word.cluster) & 63))]
}

/// What the run it is in tells.
#[inline]
pub(super) fn by_run(run: &Run) -> [Sight; 9] {
    [
        (147, pair(run.last, 0)),
        (148, pair(run.last_cluster, run.place)),
        (149, pair(run.first, 0)),
        (150, pair(run.first_cluster, run.place)),
        (151, pair(run.before, run.place)),
        (152, pair(run.behind, run.place)),
        (153, pair(pair(run.before, run.behind), run.place)),
        (156, pair(run.before_cluster, run.behind_cluster)),
        (157, pair(run.first_cluster, run.last_cluster)),
    ]
}

/// What the run it is in and the word itself tell.
#[inline]
pub(super) fn by_run_and_word(run: &Run, word: &Word) -> [Sight; 2] {
    let cluster = u64::from(word.cluster) & 63;
    [(154, pair(run.before, cluster)), (155, pair(run.behind, cluster))]
}

/// What only it and its neighbours together tell.
#[inline]
pub(super) fn together([w1, w0, n1]: [&Word; 3], tags: [u8; 3]) -> [Sight; 12] {
    let [c1, c0, d1] = [w1, w0, n1].map(|word| u64::from(word.cluster));
    let [t1, t0, s1] = tags.map(u64::from);
    [
        (108, pair(w1.small, w0.small)),
        (109, pair(w0.small, n1.small)),
        (118, pair(w1.shape, w0.shape)),
        (119, pair(w0.shape, n1.shape)),
        (121, pair(w0.case(), n1.case())),
        (122, pair(w1.case(), w0.case())),
        (131, pair(c1, c0)),
        (132, pair(c0, d1)),
        (138, pair(pair(t1, t0), s1)),
        (144, pair(w1.small, w0.shape)),
        (145, pair(n1.small, w0.shape)),
        (158, pair(t0, c0 & 1023)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_seen_once() {
        let word = Word::edge();
        let mut kinds: Vec<u64> = [
            &own(&word)[..],
            &own_by_place(&word, true),
            &next(&word),
            &second_next(&word),
            &last(&word),
            &second_last(&word),
            &tag_behind(0, 0),
            &tag_before(0, 0),
            &by_marks([0; 3]),
            &by_mark_and_word(0, &word),
            &by_run(&Run::default()),
            &by_run_and_word(&Run::default(), &word),
            &together([&word; 3], [0; 3]),
        ]
        .concat()
        .into_iter()
        .map(|(kind, _)| kind - FIRST)
        .collect();
        kinds.sort_unstable();
        assert_eq!(kinds, (1..=COUNT as u64).collect::<Vec<_>>());
    }
}
