//! How names are found, fast: what a word adds to the scores by itself is worked out once and remembered.

use std::borrow::Cow;
use std::iter::{once, repeat, repeat_n};
use std::rc::Rc;

use super::document::Document;
use super::features::{
    REACH, by_mark_and_word, by_marks, by_run, by_run_and_word, last, next, own, own_by_place, second_last,
    second_next, together,
};
use super::label::COUNT;
use super::model::{Model, Scores, WIDTH};
use super::run::{Run, runs};
use crate::tag::Tag;
use crate::tag::features::{hashes, joined, rows};
use crate::tag::lexicon::Lexicon;
use crate::tag::memo::Memo;
use crate::tag::word::Word;

/// Finds the names in sentences by a model.
///
/// It remembers some 8,000 words ([`crate::tag::memo::WORDS`]) with 0.4 kB each. What it remembers does not change its answers.
#[derive(Debug)]
pub struct Finder<'a> {
    model: &'a Model,
    lexicon: &'a Lexicon,
    memo: Memo<Noted>,
    edge: Noted,
    buffer: String,
}

/// A word with the scores it gives labels, of its own and of its neighbours.
#[derive(Debug)]
struct Noted {
    word: Word,
    /// What the gazetteer knows of names that start with it.
    starting: u16,
    /// Within a sentence, and as the first word of one.
    own: [Scores; 2],
    /// If the gazetteer knows nothing of it and the words beside it.
    unmarked: Scores,
    /// If it is in no run.
    no_run: Scores,
    /// Of the word before it.
    next: Scores,
    second_next: Scores,
    /// Of the word behind it.
    last: Scores,
    second_last: Scores,
}

impl<'a> Finder<'a> {
    /// A finder that has read nothing yet.
    pub fn new(model: &'a Model, lexicon: &'a Lexicon) -> Self {
        let edge = Noted::new(Word::edge(), model);
        Self { model, lexicon, memo: Memo::default(), edge, buffer: String::new() }
    }

    /// Reads the next sentence of a document: its tokens, of which the first has this number, and their tags.
    pub fn read<'t>(
        &mut self,
        tokens: impl Iterator<Item = Cow<'t, str>>,
        tags: &[Tag],
        start: usize,
        document: &mut Document,
    ) {
        let words: Vec<Rc<Noted>> = tokens.map(|token| self.note(&token)).collect();
        let names = self.model.names(&self.scores(&words, tags));
        document.add(start, words.iter().map(|one| &one.word), tags, names);
    }

    #[inline]
    fn note(&mut self, token: &str) -> Rc<Noted> {
        self.memo.of(token, || Noted::new(Word::new(token, self.lexicon, &mut self.buffer), self.model))
    }

    /// The scores of labels of the words of a sentence.
    fn scores(&self, words: &[Rc<Noted>], tags: &[Tag]) -> Vec<[i32; COUNT]> {
        let plain: Vec<&Word> = words.iter().map(|one| &one.word).collect();
        let marks = self.model.gazetteer().marks(&plain, |at| words[at].starting);
        let marks: Vec<u16> = once(0).chain(marks).chain([0]).collect();
        let tags = tags.iter().map(|tag| tag.number()).chain(repeat(u8::MAX)).take(words.len());
        let tags: Vec<u8> = once(u8::MAX).chain(tags).chain([u8::MAX]).collect();
        let edges = || repeat_n(&self.edge, REACH);
        let words: Vec<&Noted> = edges().chain(words.iter().map(|one| &**one)).chain(edges()).collect();
        let beside = marks.array_windows().zip(tags.array_windows());
        let all = words.array_windows().zip(runs(&plain)).zip(beside);
        all.map(|((around, run), (marks, tags))| self.scores_of(around, &run, *marks, *tags)).collect()
    }

    /// The scores of the word in the middle.
    #[inline]
    fn scores_of(
        &self,
        &[w2, w1, w0, n1, n2]: &[&Noted; 2 * REACH + 1],
        run: &Run,
        marks: [u16; 3],
        tags: [u8; 3],
    ) -> [i32; COUNT] {
        let model = self.model;
        let is_first = w1.word.exact == Word::edge().exact;
        let mut scores = w0.own[usize::from(is_first)];
        for row in [&n1.next, &n2.second_next, &w1.last, &w2.second_last] {
            add(row, &mut scores);
        }
        for row in model.by_tags(tags) {
            add(row, &mut scores);
        }
        if marks == [0; 3] {
            add(&w0.unmarked, &mut scores);
        } else {
            model.add(&hashes(by_marks(marks)), &mut scores);
            model.add(&hashes(by_mark_and_word(marks[1], &w0.word)), &mut scores);
        }
        if *run == Run::default() {
            add(&w0.no_run, &mut scores);
        } else {
            model.add(&hashes(by_run(run)), &mut scores);
            model.add(&hashes(by_run_and_word(run, &w0.word)), &mut scores);
        }
        model.add(&hashes(together([&w1.word, &w0.word, &n1.word], tags)), &mut scores);
        std::array::from_fn(|label| scores[label].into())
    }
}

#[inline]
fn add(row: &Scores, scores: &mut Scores) {
    for (score, weight) in scores.iter_mut().zip(row) {
        *score += weight;
    }
}

impl Noted {
    #[inline(never)]
    fn new(word: Word, model: &Model) -> Self {
        let features: [_; 33] = joined(&[
            &rows(0, own(&word)),
            &rows(1, own_by_place(&word, false)),
            &rows(2, own_by_place(&word, true)),
            &rows(3, by_mark_and_word(0, &word)),
            &rows(4, by_run_and_word(&Run::default(), &word)),
            &rows(5, next(&word)),
            &rows(6, second_next(&word)),
            &rows(7, last(&word)),
            &rows(8, second_last(&word)),
        ]);
        let mut scores = [[0; WIDTH]; 9];
        [scores[3], scores[4]] = *model.usual();
        model.add_to(&features, &mut scores);
        let [own, mut within, mut first, unmarked, no_run, next, second_next, last, second_last] = scores;
        add(&own, &mut within);
        add(&own, &mut first);
        let starting = model.gazetteer().starting(&word);
        let own = [within, first];
        Self { word, starting, own, unmarked, no_run, next, second_next, last, second_last }
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::features;
    use super::super::model::seen;
    use super::*;
    use crate::tag::tagger::Tagger;

    #[test]
    fn what_is_remembered_changes_no_score() {
        let (model, lexicon) = (Model::built_in().expect("a model"), Lexicon::built_in());
        let mut finder = Finder::new(model, lexicon);
        let mut tagger = Tagger::new(crate::tag::model::Model::built_in(), lexicon);
        let sentences = [
            "Angela Merkel flew from Berlin to New York on Monday , where she met executives of Microsoft .",
            "Mary",
            "The University of Ohio beat JOHN SMITH & Sons of London 3-1 .",
            "the cat sat on the mat .",
            "A-word-that-is-much-too-long-for-any-memory in Österreich é 🦀",
            "",
        ];
        for sentence in sentences.iter().chain(&sentences) {
            let tokens = || sentence.split_whitespace().map(Cow::Borrowed);
            let tags = tagger.tags(tokens());
            let noted: Vec<_> = tokens().map(|token| finder.note(&token)).collect();
            let words = noted.iter().map(|one| one.word.clone()).collect();
            let all: Vec<[i32; COUNT]> = seen(words, &tags, model.gazetteer())
                .array_windows()
                .map(|around| model.scores(&features(around)))
                .map(|scores| std::array::from_fn(|label| scores[label].into()))
                .collect();
            assert_eq!(finder.scores(&noted, &tags), all, "{sentence}");
        }
    }
}
