//! The labels of words: outside of names, or first, within, last or alone in a name of a kind (`BILOU`, Ratinov and Roth 2009).

use std::ops::Range;

use super::Kind;

/// How many labels there are.
pub const COUNT: usize = 1 + 4 * Kind::ALL.len();

/// The label of a word that is in no name.
pub const OUTSIDE: usize = 0;

const FIRST: usize = 0;
const WITHIN: usize = 1;
const LAST: usize = 2;
const ALONE: usize = 3;

/// Whether a label may follow another; what is before a sentence is outside.
pub const fn may_follow(before: usize, label: usize) -> bool {
    let is_open = before != OUTSIDE && matches!((before - 1) % 4, FIRST | WITHIN);
    let continues = label != OUTSIDE && matches!((label - 1) % 4, WITHIN | LAST);
    if is_open { continues && (before - 1) / 4 == (label - 1) / 4 } else { !continues }
}

/// How many pairs of labels may follow each other.
const PAIRS: usize = 61;

/// The pairs of labels that may follow each other.
pub const FOLLOWS: [(u8, u8); PAIRS] = {
    let (mut pairs, mut count) = ([(0, 0); PAIRS], 0);
    let mut pair = 0;
    while pair < COUNT * COUNT {
        if may_follow(pair / COUNT, pair % COUNT) {
            pairs[count] = ((pair / COUNT) as u8, (pair % COUNT) as u8);
            count += 1;
        }
        pair += 1;
    }
    assert!(count == PAIRS);
    pairs
};

/// Whether a sentence may end with a label.
pub const fn may_end(label: usize) -> bool {
    label == OUTSIDE || matches!((label - 1) % 4, LAST | ALONE)
}

/// The names that labels tell.
pub fn names(labels: &[u8]) -> Vec<(Range<usize>, Kind)> {
    let (mut names, mut start) = (Vec::new(), 0);
    for (at, &label) in labels.iter().enumerate() {
        let Some(place) = usize::from(label).checked_sub(1) else { continue };
        if matches!(place % 4, FIRST | ALONE) {
            start = at;
        }
        if matches!(place % 4, LAST | ALONE) {
            names.push((start..at + 1, Kind::ALL[place / 4]));
        }
    }
    names
}

/// The labels of so many words with these names.
pub fn labels(count: usize, names: &[(Range<usize>, Kind)]) -> Vec<u8> {
    let mut labels = vec![OUTSIDE as u8; count];
    for (range, kind) in names {
        for at in range.clone() {
            let place = match (at == range.start, at + 1 == range.end) {
                (true, true) => ALONE,
                (true, false) => FIRST,
                (false, true) => LAST,
                (false, false) => WITHIN,
            };
            labels[at] = (1 + 4 * (*kind as usize) + place) as u8;
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_tell_the_names_they_were_made_of() {
        let there = [(0..1, Kind::Person), (1..4, Kind::Location), (5..7, Kind::Organization)];
        let labels = labels(8, &there);
        assert_eq!(names(&labels), there);
        let mut before = OUTSIDE;
        for label in labels.into_iter().map(usize::from) {
            assert!(may_follow(before, label));
            before = label;
        }
        assert!(may_end(before) && !may_follow(OUTSIDE, 2) && !may_end(1) && !may_follow(1, OUTSIDE));
    }
}
