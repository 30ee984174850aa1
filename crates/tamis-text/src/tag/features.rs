//! What the tagger looks at to choose the tag of a word.

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

/// The features of the word in the middle of `around`; `before` are the tags of the two words before it, the nearer one
/// first.
#[inline]
pub fn features(around: &[Known; 2 * REACH + 1], before: [u64; 2]) -> [u64; COUNT] {
    let [w2, w1, w0, n1, n2] = [0, 1, 2, 3, 4].map(|i| &around[i].word);
    let [k1, k0, m1] = [1, 2, 3].map(|i| u64::from(around[i].class));
    let [c2, c1, c0, d1, d2] = [w2, w1, w0, n1, n2].map(|word| u64::from(word.cluster));
    let [t1, t2] = before;
    let tags = t1 << 8 | t2;
    let is_first = u64::from(w1.exact == 1);
    let case = |word: &Word| u64::from(word.capitals) << 1 | u64::from(word.is_capitalised());
    let cases = [w2, w1, w0, n1, n2].into_iter().fold(0, |all, word| all << 8 | word.shape & 255);
    let seen = [
        0,
        w0.small,
        w0.exact,
        w1.small,
        n1.small,
        w2.small,
        n2.small,
        w0.ends[0],
        w0.ends[1],
        w0.ends[2],
        w0.ends[3],
        w0.starts[0],
        w0.starts[1],
        w0.starts[2],
        pair(w0.shape, is_first),
        t1,
        tags,
        pair(t1, w0.small),
        pair(t1, n1.small),
        c0,
        c0 & 15,
        c0 & 63,
        c0 & 1023,
        c1,
        d1,
        pair(c1 & 63, d1 & 63),
        d2,
        pair(c1, c0),
        pair(c0, d1),
        pair(t1, c0),
        pair(t1, d1),
        pair(w1.small, w0.small),
        pair(w0.small, n1.small),
        n1.ends[2],
        w1.ends[2],
        k0,
        m1,
        pair(tags, k0),
        pair(pair(k1, k0), m1),
        pair(pair(t1, k0), m1),
        pair(case(w0), is_first),
        pair(case(w0), case(n1)),
        pair(case(w1), case(w0)),
        pair(t1, case(w0)),
        n1.shape,
        u64::from(w0.small_cluster),
        pair(u64::from(w0.small_cluster), is_first),
        pair(d1, d2 & 63),
        pair(pair(t1, w0.ends[2]), c2 & 15),
        pair(cases, u64::from(w0.capitals)),
        pair(case(w0), pair(k0, is_first)),
        pair(case(w0), w0.ends[2]),
        pair(case(w0), c0 & 1023),
        pair(pair(case(w0), c1 & 63), d1 & 63),
        pair(w1.small, n1.small),
        pair(n1.small, n2.small),
        pair(t1, pair(c0 & 1023, d1 & 1023)),
    ];
    let mut kind = 0;
    seen.map(|seen| {
        kind += 1;
        of_feature(kind, seen)
    })
}
