//! Runs of words with capitals: a name is mostly one of them or a part, and its last word and its neighbours tell what it is of.

use crate::tag::hash::of_bytes;
use crate::tag::word::Word;

/// The longest run.
const LONGEST: usize = 16;

/// The run a word is in; all 0 if it is in none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Its first word.
    pub first: u64,
    /// Its last word.
    pub last: u64,
    /// The word before it.
    pub before: u64,
    /// The word behind it.
    pub behind: u64,
    /// The clusters of the four.
    pub first_cluster: u64,
    /// That of the last one.
    pub last_cluster: u64,
    /// That of the word before it.
    pub before_cluster: u64,
    /// That of the word behind it.
    pub behind_cluster: u64,
    /// Whether the word is the first or the last of it, and how many there are, up to three.
    pub place: u64,
}

/// For each word, the run it is in.
pub fn runs(words: &[&Word]) -> Vec<Run> {
    let joints = ["of", "&", "-"].map(|word| of_bytes(word.as_bytes()));
    let is_capital = |at: usize| words.get(at).is_some_and(|word| word.is_capitalised());
    let is_joint = |at: usize| words.get(at).is_some_and(|word| joints.contains(&word.small));
    let mut runs = vec![Run::default(); words.len()];
    let mut start = 0;
    while start < words.len() {
        let mut end = start;
        while end - start < LONGEST
            && (is_capital(end) || end > start && is_joint(end) && is_capital(end + 1))
        {
            end += 1;
        }
        for (at, run) in runs[start..end].iter_mut().enumerate() {
            *run = run_of(words, start, end, at + start);
        }
        start = end.max(start + 1);
    }
    runs
}

fn run_of(words: &[&Word], start: usize, end: usize, at: usize) -> Run {
    let edge = Word::edge();
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).copied().unwrap_or(&edge);
    let [first, last] = [words[start], words[end - 1]];
    let [before, behind] = [word(start.checked_sub(1)), word(Some(end))];
    let ends = u64::from(at == start) << 1 | u64::from(at + 1 == end);
    Run {
        first: first.small,
        last: last.small,
        before: before.small,
        behind: behind.small,
        first_cluster: first.cluster.into(),
        last_cluster: last.cluster.into(),
        before_cluster: before.cluster.into(),
        behind_cluster: behind.cluster.into(),
        place: ends << 2 | (end - start).min(3) as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tag::lexicon::Lexicon;

    #[test]
    fn a_run_goes_on_over_a_joint_between_capitals() {
        let words: Vec<Word> = "at the University of Ohio of old"
            .split(' ')
            .map(|word| Word::new(word, Lexicon::built_in(), &mut String::new()))
            .collect();
        let runs = runs(&words.iter().collect::<Vec<_>>());
        let is_in_run: Vec<bool> = runs.iter().map(|run| *run != Run::default()).collect();
        assert_eq!(is_in_run, [false, false, true, true, true, false, false]);
        assert_eq!(
            (runs[3].before, runs[3].last, runs[3].behind),
            (words[1].small, words[4].small, words[5].small)
        );
    }

    #[test]
    fn runs_without_end_are_cut() {
        let word = Word::new("Word", Lexicon::built_in(), &mut String::new());
        assert_eq!(runs(&vec![&word; 1000]).len(), 1000);
        assert_eq!(runs(&[]), []);
    }
}
