//! Where a position of the old text lies in the new one.

/// The way from the character offsets of a text to those of its repaired form.
///
/// Kept as runs of equal replacements, so that a page of misread Cyrillic costs a run a word, not an entry a letter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PositionMap {
    runs: Vec<Run>,
}

/// `count` replacements, one behind the other, each of `old_len` characters by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    old: usize,
    new: usize,
    old_len: usize,
    count: usize,
}

impl Run {
    fn old_end(&self) -> usize {
        self.old + self.old_len * self.count
    }

    fn new_end(&self) -> usize {
        self.new + self.count
    }
}

impl PositionMap {
    /// Whether no position moves.
    pub fn is_identity(&self) -> bool {
        self.runs.is_empty()
    }

    /// The offset in the new text of what stood at `old`, both in characters. What stood within a replaced group is where
    /// the group's replacement starts. The end of the old text is at the end of the new one.
    pub fn new_offset(&self, old: usize) -> usize {
        let next = self.runs.partition_point(|run| run.old <= old);
        let Some(run) = next.checked_sub(1).map(|at| self.runs[at]) else { return old };
        if old >= run.old_end() {
            return run.new_end() + (old - run.old_end());
        }
        run.new + (old - run.old) / run.old_len
    }

    /// The start and length in the new text of `length` characters from `start` in the old one. A group that the range
    /// holds only in part belongs to it whole.
    pub fn new_range(&self, start: usize, length: usize) -> (usize, usize) {
        let first = self.new_offset(start);
        if length == 0 {
            return (first, 0);
        }
        let end = start.saturating_add(length);
        let mut last = self.new_offset(end);
        if self.is_within_group(end) {
            last += 1;
        }
        (first, last.saturating_sub(first))
    }

    fn is_within_group(&self, old: usize) -> bool {
        let next = self.runs.partition_point(|run| run.old < old);
        let run = next.checked_sub(1).map(|at| self.runs[at]);
        run.is_some_and(|run| old < run.old_end() && !(old - run.old).is_multiple_of(run.old_len))
    }

    /// Notes that `old_len` characters at `old` became one at the place that follows from the notes so far. In order.
    pub(super) fn note(&mut self, old: usize, old_len: usize) {
        let new = self.new_offset(old);
        if let Some(run) = self.runs.last_mut()
            && run.old_end() == old
            && run.old_len == old_len
        {
            run.count += 1;
            return;
        }
        self.runs.push(Run { old, new, old_len, count: 1 });
    }

    /// This map and then `next`, which starts from where this one leads.
    pub(super) fn then(&self, next: &Self) -> Self {
        let mut whole = Self::default();
        let mut firsts = self.groups().peekable();
        for group in next.groups() {
            while let Some(first) = firsts.next_if(|first| first.new < group.old) {
                whole.note(first.old, first.old_len);
            }
            // Every group became one character, so the groups of the first map lie wholly within those of the second.
            let mut old_len = group.old_len;
            let mut old = None;
            while let Some(first) = firsts.next_if(|first| first.new < group.old + group.old_len) {
                old.get_or_insert(first.old - (first.new - group.old));
                old_len += first.old_len - 1;
            }
            whole.note(old.unwrap_or_else(|| self.old_offset(group.old)), old_len);
        }
        for first in firsts {
            whole.note(first.old, first.old_len);
        }
        whole
    }

    /// The offset in the old text of what stands at `new`, the start of the group for a replaced one.
    pub fn old_offset(&self, new: usize) -> usize {
        let next = self.runs.partition_point(|run| run.new <= new);
        let Some(run) = next.checked_sub(1).map(|at| self.runs[at]) else { return new };
        if new >= run.new_end() {
            return run.old_end() + (new - run.new_end());
        }
        run.old + (new - run.new) * run.old_len
    }

    fn groups(&self) -> impl Iterator<Item = Run> {
        self.runs.iter().flat_map(|run| {
            (0..run.count).map(|at| Run {
                old: run.old + at * run.old_len,
                new: run.new + at,
                count: 1,
                ..*run
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn map(groups: &[(usize, usize)]) -> PositionMap {
        let mut map = PositionMap::default();
        for &(old, old_len) in groups {
            map.note(old, old_len);
        }
        map
    }

    #[test]
    fn offsets_behind_a_group_move_by_what_it_lost() {
        // caf[Ã©] [â€™]s -> café ’s
        let map = map(&[(3, 2), (6, 3)]);
        let moved: Vec<usize> = (0..=10).map(|old| map.new_offset(old)).collect();
        assert_eq!(moved, [0, 1, 2, 3, 3, 4, 5, 5, 5, 6, 7]);
        let back: Vec<usize> = (0..=7).map(|new| map.old_offset(new)).collect();
        assert_eq!(back, [0, 1, 2, 3, 5, 6, 9, 10]);
    }

    #[test]
    fn a_word_of_equal_groups_is_one_run() {
        let word = map(&[(2, 2), (4, 2), (6, 2), (9, 2)]);
        assert_eq!(word.runs.len(), 2);
        assert_eq!((word.new_offset(6), word.new_offset(8), word.new_offset(9)), (4, 5, 6));
    }

    #[test]
    fn ranges_take_whole_groups() {
        let map = map(&[(3, 2), (6, 3)]);
        for (old, new) in
            [((0, 5), (0, 4)), ((0, 4), (0, 4)), ((3, 2), (3, 1)), ((4, 1), (3, 1)), ((6, 0), (5, 0))]
        {
            assert_eq!(map.new_range(old.0, old.1), new, "{old:?}");
        }
    }

    proptest! {
        #[test]
        fn two_maps_in_one_lead_where_the_two_lead(
            first in proptest::collection::vec((0usize..4, 2usize..5), 0..12),
            second in proptest::collection::vec((0usize..4, 2usize..5), 0..12),
        ) {
            let build = |gaps: &[(usize, usize)]| {
                let mut at = 0;
                let groups: Vec<_> = gaps.iter().map(|&(gap, len)| { at += gap + len; (at - len, len) }).collect();
                map(&groups)
            };
            let (first, second) = (build(&first), build(&second));
            let whole = first.then(&second);
            for old in 0..120 {
                prop_assert_eq!(whole.new_offset(old), second.new_offset(first.new_offset(old)), "at {}", old);
            }
        }
    }
}
