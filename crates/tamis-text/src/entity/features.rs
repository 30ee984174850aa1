//! What is looked at to tell whether a word is part of a name.

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

/// The kind of the features that labels before a label are.
const BEFORE: u64 = 1000;

/// The feature of the label before a word.
pub fn before(label: usize) -> u64 {
    of_feature(BEFORE, label as u64)
}

/// The features of the word in the middle.
#[inline]
pub fn features(around: &[Seen; 2 * REACH + 1]) -> [u64; COUNT] {
    let [w2, w1, w0, n1, n2] = [0, 1, 2, 3, 4].map(|i| &around[i].word);
    let [t1, t0, s1] = [1, 2, 3].map(|i| u64::from(around[i].tag));
    let [g1, g0, h1] = [1, 2, 3].map(|i| u64::from(around[i].mark));
    let [c2, c1, c0, d1, d2] = [w2, w1, w0, n1, n2].map(|word| u64::from(word.cluster));
    let run = &around[REACH].run;
    let is_first = u64::from(w1.exact == 1);
    let case = |word: &Word| u64::from(word.capitals) << 1 | u64::from(word.is_capitalised());
    let seen = [
        0,
        w0.small,
        w0.exact,
        w1.small,
        n1.small,
        w2.small,
        n2.small,
        pair(w1.small, w0.small),
        pair(w0.small, n1.small),
        w0.ends[1],
        w0.ends[2],
        w0.ends[3],
        w0.starts[2],
        w0.starts[3],
        pair(w0.shape, is_first),
        w1.shape,
        n1.shape,
        pair(w1.shape, w0.shape),
        pair(w0.shape, n1.shape),
        pair(case(w0), is_first),
        pair(case(w0), case(n1)),
        pair(case(w1), case(w0)),
        c0,
        c0 & 15,
        c0 & 63,
        c0 & 1023,
        c1,
        d1,
        c1 & 63,
        d1 & 63,
        pair(c1, c0),
        pair(c0, d1),
        c2 & 1023,
        d2 & 1023,
        t0,
        pair(t1, t0),
        pair(t0, s1),
        pair(pair(t1, t0), s1),
        g0,
        pair(g1, g0),
        pair(g0, h1),
        pair(g0, w0.shape),
        pair(g0, c0 & 63),
        pair(w1.small, w0.shape),
        pair(n1.small, w0.shape),
        u64::from(w0.small_cluster),
        pair(run.last, 0),
        pair(run.last_cluster, run.place),
        pair(run.first, 0),
        pair(run.first_cluster, run.place),
        pair(run.before, run.place),
        pair(run.behind, run.place),
        pair(pair(run.before, run.behind), run.place),
        pair(run.before, c0 & 63),
        pair(run.behind, c0 & 63),
        pair(run.before_cluster, run.behind_cluster),
        pair(run.first_cluster, run.last_cluster),
        pair(t0, c0 & 1023),
    ];
    let mut kind = 100;
    seen.map(|seen| {
        kind += 1;
        of_feature(kind, seen)
    })
}
