//! The pieces of a page that are judged one by one: sentences and lines, each in one script.

use std::ops::Range;

use super::model::{MOST_CLASSES, Model};
use super::scan::{LONGEST_WORD, Words};
use super::script::{HAN, HANGUL, KINDS, Kind};
use super::words::{Cache, Votes};

/// A sentence shorter than this goes on with the next one of its line.
const SHORTEST_SENTENCE: u32 = 80;
/// A piece this long ends with the next sentence mark or, if there is none, a bit later.
const LONGEST_PIECE: u32 = 400;
/// On a page with this many letters words are no longer asked in a piece that has said
const MANY_LETTERS: u32 = 1500;
/// this much, in the unit of scores.
const PLENTY: u32 = 640;
/// A page has at most about this many pieces; on larger pages they are longer.
const MOST_PIECES: usize = 1 << 14;
/// What other scripts have less than this part of a line is names and terms in it.
const LEAST_PART_OF_LINE: u32 = 3;
/// So many words are asked together.
const BATCH: usize = 16;
/// So many rare words of a sentence can be asked.
const MOST_RARE_WORDS: usize = 32;
/// So many rare words of a page are always asked.
const RARE_WORDS_OF_PAGE: u32 = 24;
/// After them those of a piece whose words have not yet said this much, in the unit of scores,
const ENOUGH: u32 = 200;
/// or with less of it for the same language, in per cent: what is said of a rarer language is doubtful, and costs more words.
const SURE: i64 = 70;

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
    scores: Vec<[i16; MOST_CLASSES]>,
    /// The pieces of the sentence at hand, one for each script.
    open: Vec<Piece>,
    place: [u8; KINDS],
    from: usize,
    least: u32,
    letters: u32,
    /// The letters of the pieces that are closed.
    seen: u32,
    /// The rare words of the sentence at hand.
    rare: Vec<Word>,
    /// The words not yet asked.
    waiting: Vec<Word>,
    /// Rare words asked so far.
    asked: u32,
}

/// A word to be asked what it speaks for.
struct Word {
    place: usize,
    script: Kind,
    hash: u64,
    count: usize,
    letters: [u16; LONGEST_WORD],
}

/// Adds the votes of a word.
#[inline]
fn add(votes: &Votes, piece: &mut Piece, scores: &mut [i16; MOST_CLASSES]) {
    piece.ceiling += votes.loudest().max(0) as u32;
    for &(class, weight) in votes.list() {
        let score = &mut scores[usize::from(class)];
        *score = score.saturating_add(i16::from(weight));
    }
}

/// Whether the words of a piece have said enough, and with one voice.
#[inline]
fn sure(piece: &Piece, scores: &[i16; MOST_CLASSES]) -> bool {
    let highest = || scores.iter().copied().max().map_or(0, i64::from);
    piece.ceiling >= ENOUGH && highest() * 100 >= SURE * i64::from(piece.ceiling)
}

impl<'a> Pieces<'a> {
    /// No pieces yet, of a text of this many bytes.
    pub(super) fn new(model: &'a Model, cache: &'a mut Cache, length: usize) -> Self {
        let least = (length / MOST_PIECES) as u32;
        let place = [0; KINDS];
        Self {
            model,
            cache,
            list: Vec::new(),
            scores: Vec::new(),
            open: Vec::new(),
            place,
            from: 0,
            least,
            letters: 0,
            seen: 0,
            rare: Vec::new(),
            waiting: Vec::new(),
            asked: 0,
        }
    }

    /// The scores of a piece, by the place of a class in its script; what speaks for a class beforehand is in them.
    pub(super) fn scores(&self, piece: &Piece) -> &[i16] {
        &self.scores[piece.scores][..self.model.script(piece.script).1]
    }

    /// What the words of a piece have given a class of its script.
    pub(super) fn reached(&self, piece: &Piece, class: usize) -> i64 {
        let place = class - self.model.script(piece.script).0;
        i64::from(self.scores[piece.scores][place]) - i64::from(self.model.priors(piece.script)[place])
    }

    /// Asks the words that wait. Their slots of the cache are touched first, all of them: the processor fetches them
    /// together and does not wait for one after the other, which takes half of all time otherwise.
    fn ask(&mut self) {
        let touched = self.waiting.iter().map(|word| self.cache.touch(word.hash)).fold(0, u64::wrapping_add);
        std::hint::black_box(touched);
        for word in self.waiting.drain(..) {
            let piece = &mut self.open[word.place];
            if piece.ceiling >= PLENTY && self.seen >= MANY_LETTERS {
                continue;
            }
            if let Some(votes) = self.cache.frequent(self.model, word.hash) {
                add(votes, piece, &mut self.scores[piece.scores]);
            } else if self.rare.len() < MOST_RARE_WORDS {
                self.rare.push(word);
            }
        }
    }

    /// Asks the rare words of the sentence where the frequent ones have not said enough.
    fn ask_rare(&mut self) {
        for word in self.rare.drain(..) {
            let piece = &mut self.open[word.place];
            let scores = &mut self.scores[piece.scores];
            if self.asked < RARE_WORDS_OF_PAGE || !sure(piece, scores) {
                self.asked += 1;
                let votes =
                    self.cache.counted(self.model, word.script, &word.letters[..word.count], word.hash);
                add(votes, piece, scores);
            }
        }
    }

    #[inline]
    fn opened(&mut self, script: Kind) -> usize {
        let place = &mut self.place[usize::from(script) % KINDS];
        if *place == 0 {
            let scores = self.scores.len();
            self.scores.push(*self.model.priors(script));
            self.open.push(Piece { range: 0..0, script, letters: 0, ceiling: 0, scores });
            *place = self.open.len() as u8;
        }
        usize::from(*place) - 1
    }

    fn close(&mut self, at: usize) {
        let Some(main) = (0..self.open.len()).max_by_key(|&i| (self.open[i].letters, usize::MAX - i)) else {
            return;
        };
        self.ask();
        self.ask_rare();
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
        self.seen = self.seen.saturating_add(all);
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
            let mut word = Word { place, script, hash, count: letters.len(), letters: [0; LONGEST_WORD] };
            word.letters[..letters.len()].copy_from_slice(letters);
            self.waiting.push(word);
            if self.waiting.len() == BATCH {
                self.ask();
            }
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
