//! The ranges of an archive: those of the parts that are there, and others for what lies between.

use std::num::NonZero;
use std::ops::Range;

use crate::collection::Part;
use crate::pages;

/// All ranges of an archive of this length, in order, each with the part that is there for it.
///
/// `parts` are those of the archive, in order. One that overlaps another counts as none.
pub(super) fn cover<'p>(
    length: u64,
    step: NonZero<u64>,
    parts: &[&'p Part],
) -> Vec<(Range<u64>, Option<&'p Part>)> {
    let usual = pages::ranges(Some(length), Some(step.get()));
    let mut parts = parts.iter().peekable();
    let mut ranges = Vec::new();
    let mut at = 0;
    while at < u64::MAX {
        while parts.next_if(|part| part.start < at).is_some() {}
        let next = parts.peek().map_or(u64::MAX, |part| part.start);
        if next == at {
            let part = parts.next().copied();
            let end = part.and_then(|part| part.end).unwrap_or(u64::MAX);
            ranges.push((at..end, part));
            at = end;
        } else {
            let end = usual.iter().map(|range| range.end).find(|&end| end > at).unwrap_or(u64::MAX).min(next);
            ranges.push((at..end, None));
            at = end;
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(start: u64, end: Option<u64>) -> Part {
        Part { start, end, ..Part::default() }
    }

    #[test]
    fn parts_keep_their_ranges_and_holes_are_filled() {
        let step = NonZero::new(10).expect("not zero");
        let end = u64::MAX;
        for (parts, expected) in [
            (vec![], vec![(0..10, false), (10..20, false), (20..end, false)]),
            (vec![part(10, Some(20))], vec![(0..10, false), (10..20, true), (20..end, false)]),
            (vec![part(0, Some(13)), part(20, None)], vec![(0..13, true), (13..20, false), (20..end, true)]),
            (vec![part(0, None)], vec![(0..end, true)]),
            (vec![part(0, Some(15)), part(10, None)], vec![(0..15, true), (15..20, false), (20..end, false)]),
        ] {
            let found = cover(36, step, &parts.iter().collect::<Vec<_>>());
            let found: Vec<_> = found.into_iter().map(|(range, part)| (range, part.is_some())).collect();
            assert_eq!(found, expected);
        }
    }
}
