//! The pieces of a page that are judged one by one: sentences and lines, each in one script.

use std::ops::Range;

use super::model::Model;
use super::scan::Words;
use super::script::{HAN, HANGUL, KINDS, Kind};
use super::words::Cache;

/// A sentence shorter than this goes on with the next one of its line.
const SHORTEST_SENTENCE: u32 = 80;
/// A piece this long ends with the next sentence mark or, if there is none, a bit later.
const LONGEST_PIECE: u32 = 400;
/// A page has at most about this many pieces; on larger pages they are longer.
const MOST_PIECES: usize = 1 << 14;
/// What other scripts have less than this part of a line is names and terms in it.
const LEAST_PART_OF_LINE: u32 = 3;
/// So many rare words of a page are always counted.
const RARE_WORDS_OF_PAGE: u32 = 12;
/// After them those of a piece whose words have not yet said this much, in the unit of scores.
const ENOUGH: u32 = 80;
/// Sums of scores stay below this, far from where 16 bits end.
const HIGHEST: i16 = 30_000;

/// A part of a line in one script.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// Where its line or sentence is, in bytes.
    pub(super) range: Range<usize>,
    /// Its script.
    pub(super) script: Kind,
    /// How much text it is: letters, the characters of East Asia counted as the two or three letters they stand for.
    pub(super) letters: u32,
    /// What its words would score if all spoke for the same language.
    pub(super) ceiling: u32,
    scores: usize,
}

/// The pieces of a page with the scores of each for all classes of its script.
pub(super) struct Pieces<'a> {
    model: &'a Model,
    cache: &'a mut Cache,
    /// The pieces, in the order of the text.
    pub(super) list: Vec<Piece>,
    scores: Vec<i16>,
    /// The pieces of the sentence at hand, one for each script.
    open: Vec<Piece>,
    place: [u8; KINDS],
    from: usize,
    least: u32,
    letters: u32,
    /// Rare words counted so far.
    rare: u32,
}

impl<'a> Pieces<'a> {
    /// No pieces yet, of a text of this many bytes.
    pub(super) fn new(model: &'a Model, cache: &'a mut Cache, length: usize) -> Self {
        let least = (length / MOST_PIECES) as u32;
        let place = [0; KINDS];
        Self { model, cache, list: Vec::new(), scores: Vec::new(), open: Vec::new(), place, from: 0, least, letters: 0, rare: 0 }
    }

    /// The scores of a piece, by the place of a class in its script.
    pub(super) fn scores(&self, piece: &Piece) -> &[i16] {
        &self.scores[piece.scores..piece.scores + self.model.script(piece.script).1]
    }

    #[inline]
    fn vote(&mut self, place: usize, classes: usize, word: (Kind, &[u16], u64)) {
        let piece = &mut self.open[place];
        let wanted = self.rare < RARE_WORDS_OF_PAGE || piece.ceiling < ENOUGH;
        let Some(votes) = self.cache.votes(self.model, word, wanted, &mut self.rare) else { return };
        piece.ceiling += votes.loudest().max(0) as u32;
        let scores = &mut self.scores[piece.scores..piece.scores + classes];
        for (class, weight) in votes.iter() {
            if let Some(score) = scores.get_mut(class) {
                *score = (*score + weight).min(HIGHEST);
            }
        }
    }

    #[inline]
    fn opened(&mut self, script: Kind) -> usize {
        let place = &mut self.place[usize::from(script) % KINDS];
        if *place == 0 {
            let scores = self.scores.len();
            self.scores.resize(scores + self.model.script(script).1, 0);
            self.open.push(Piece { range: 0..0, script, letters: 0, ceiling: 0, scores });
            *place = self.open.len() as u8;
        }
        usize::from(*place) - 1
    }

    fn close(&mut self, at: usize) {
        let Some(main) = (0..self.open.len()).max_by_key(|&i| (self.open[i].letters, usize::MAX - i)) else {
            return;
        };
        let all: u32 = self.letters;
        let mut kept = 0;
        for (i, mut piece) in self.open.drain(..).enumerate() {
            self.place[usize::from(piece.script) % KINDS] = 0;
            piece.range = self.from..at;
            if i == main || piece.letters * LEAST_PART_OF_LINE >= all {
                kept += piece.letters;
                self.list.push(piece);
            }
        }
        // The names and terms in another script go with the text around them.
        if let Some(last) = self.list.last_mut() {
            last.letters += all - kept;
        }
        self.from = at;
        self.letters = 0;
    }
}

impl Words for Pieces<'_> {
    #[inline]
    fn word(&mut self, script: Kind, letters: &[u16], hash: u64) {
        let weight = match script {
            HAN => 3,
            HANGUL => 2 * letters.len() as u32,
            _ => letters.len() as u32,
        };
        self.letters += weight;
        let (_, classes) = self.model.script(script);
        let place = self.opened(script);
        self.open[place].letters += weight;
        if classes > 1 {
            self.vote(place, classes, (script, letters, hash));
        }
    }

    fn sentence_end(&mut self, at: usize) {
        if self.letters >= SHORTEST_SENTENCE.max(self.least) {
            self.close(at);
        }
    }

    fn line_end(&mut self, at: usize) {
        if self.letters >= self.least {
            self.close(at);
        }
    }

    fn end(&mut self, at: usize) {
        self.close(at);
    }

    fn word_end(&mut self, at: usize) {
        if self.letters >= LONGEST_PIECE.max(self.least) {
            self.close(at);
        }
    }
}
