//! Names that are consistent within a document.
//!
//! A full name is told from its surroundings once; a part of it that comes again is the same name where the surroundings say
//! nothing. Only names of people are called by parts; others come again as they are.

use std::collections::HashMap;

use super::Kind;
use super::model::Found;
use crate::tag::Tag;
use crate::tag::hash::pair;
use crate::tag::word::Word;

/// The longest name that is looked for again, in words.
const LONGEST: usize = 6;
/// How far ahead a name is that no part of another name overrules, and that is looked for in the rest of the document.
const SURE: i32 = 150;
/// How far ahead a name has to be: of those that are less, two of three are none.
const LEAST: i32 = 20;

/// The names of a document while its sentences are read.
#[derive(Clone, Debug, Default)]
pub struct Document {
    found: Vec<Found>,
    /// For each token the hash of its word, 0 if it is not written like a name.
    words: Vec<u64>,
}

impl Document {
    /// Adds a sentence whose first token has this number: its words, their tags, and the names in it. Sentences come in their order.
    pub(super) fn add<'a>(
        &mut self,
        start: usize,
        words: impl Iterator<Item = &'a Word>,
        tags: &[Tag],
        names: Vec<Found>,
    ) {
        self.words.resize(start.max(self.words.len()), 0);
        let could_be = words.zip(tags).map(|(word, tag)| {
            let is_name = word.is_capitalised() && tag.as_str().starts_with("NNP");
            if is_name { word.exact } else { 0 }
        });
        self.words.extend(could_be);
        let moved = names
            .into_iter()
            .map(|found| Found { words: found.words.start + start..found.words.end + start, ..found });
        self.found.extend(moved);
    }

    /// All names of the document, in its order.
    pub fn names(self) -> Vec<Found> {
        let (parts, whole) = (self.parts(), self.whole());
        let mut names: Vec<Found> = Vec::with_capacity(self.found.len());
        let mut at = 0;
        for mut found in self.found.iter().cloned() {
            self.search(at..found.words.start, &parts, &whole, &mut names);
            at = found.words.end;
            if let Some(&(kind, margin)) = self.name(&found).and_then(|name| whole.get(&name)) {
                found = Found { kind, margin: margin.max(found.margin), ..found };
            }
            let part = parts.get(&self.words[found.words.start]);
            if let Some(&margin) = part.filter(|_| found.words.len() == 1 && found.margin < SURE) {
                found = Found { kind: Kind::Person, margin: margin.max(found.margin), ..found };
            }
            names.push(found);
        }
        self.search(at..self.words.len(), &parts, &whole, &mut names);
        names.retain(|found| found.margin >= LEAST);
        names
    }

    /// The first and last words of people's full names, with how sure they are. A word that is a name of its own of another kind as
    /// surely is none.
    fn parts(&self) -> HashMap<u64, i32> {
        let mut parts = HashMap::new();
        for found in self.found.iter().filter(|found| found.kind == Kind::Person && found.words.len() > 1) {
            for at in [found.words.start, found.words.end - 1] {
                let margin = parts.entry(self.words[at]).or_insert(0);
                *margin = found.margin.max(*margin);
            }
        }
        parts.remove(&0);
        for found in self.found.iter().filter(|found| found.kind != Kind::Person && found.words.len() == 1) {
            let word = self.words[found.words.start];
            if parts.get(&word).is_some_and(|&margin| margin < found.margin) {
                parts.remove(&word);
            }
        }
        parts
    }

    /// Names by their hashes, with the kind that all of their places together speak for, and how far ahead the surest is.
    fn whole(&self) -> HashMap<u64, (Kind, i32)> {
        let mut sums: HashMap<u64, [(i64, i32); Kind::ALL.len()]> = HashMap::new();
        for found in &self.found {
            if let Some(name) = self.name(found) {
                let (sum, most) = &mut sums.entry(name).or_default()[found.kind as usize];
                *sum += i64::from(found.margin);
                *most = found.margin.max(*most);
            }
        }
        let best = |sums: [(i64, i32); Kind::ALL.len()]| {
            let kind = Kind::ALL.into_iter().rev().max_by_key(|&kind| sums[kind as usize].0);
            kind.map_or((Kind::Person, 0), |kind| (kind, sums[kind as usize].1))
        };
        sums.into_iter().map(|(name, sums)| (name, best(sums))).collect()
    }

    /// The hash of a name, if all of its words are written like one.
    fn name(&self, found: &Found) -> Option<u64> {
        let words = self.words.get(found.words.clone())?;
        (words.len() <= LONGEST && !words.contains(&0)).then(|| hash(words))
    }

    /// Finds known names in a range where there are none yet.
    fn search(
        &self,
        range: std::ops::Range<usize>,
        parts: &HashMap<u64, i32>,
        whole: &HashMap<u64, (Kind, i32)>,
        names: &mut Vec<Found>,
    ) {
        let mut at = range.start;
        while at < range.end {
            let like_names =
                self.words[at..range.end.min(at + LONGEST)].iter().take_while(|&&word| word != 0).count();
            let longest = (1..=like_names).rev().find_map(|length| {
                whole.get(&hash(&self.words[at..at + length])).map(|&(kind, margin)| (length, kind, margin))
            });
            let part = || parts.get(&self.words[at]).map(|&margin| (1, Kind::Person, margin));
            let known = longest.filter(|one| one.2 >= SURE).or_else(part);
            let Some((length, kind, margin)) = known.filter(|one| like_names > 0 && one.2 >= SURE) else {
                at += 1;
                continue;
            };
            names.push(Found { words: at..at + length, kind, margin: margin / 2 });
            at += length;
        }
    }
}

fn hash(words: &[u64]) -> u64 {
    words.iter().fold(words.len() as u64, |name, &word| pair(name, word))
}
