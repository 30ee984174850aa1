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

/// The labels behind which no name goes on, ...
pub const CLOSED: [usize; 7] = [OUTSIDE, 3, 4, 7, 8, 11, 12];
/// ... and those that may follow them. Within a name, a label follows those of the same name.
pub const OPENING: [usize; 7] = [OUTSIDE, 1, 4, 5, 8, 9, 12];

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
    fn labels_follow_each_other_as_they_may() {
        for before in 0..COUNT {
            for label in 0..COUNT {
                let opens = CLOSED.contains(&before) && OPENING.contains(&label);
                let first = label.wrapping_sub(1) / 4 * 4 + 1;
                let goes_on = !OPENING.contains(&label) && [first, first + 1].contains(&before);
                assert_eq!(may_follow(before, label), opens || goes_on, "{before} {label}");
            }
            assert_eq!(may_end(before), CLOSED.contains(&before));
        }
    }

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
