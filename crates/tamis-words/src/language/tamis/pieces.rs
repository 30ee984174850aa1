//! The pieces of a page that are judged one by one: sentences and lines, each in one script.
//!
//! Where a page is long it is not read whole: after its beginning, parts of a few lines with gaps between them that grow with the
//! page. A part stands for half of the gap on each side. So a language with a tenth of a page is met wherever it stands, and the
//! longest pages cost little more than long ones. Lines are left out whole.

use std::ops::Range;

use super::model::{Class, MOST_CLASSES, Model, NO_LANGUAGE, UNITS_OF_NAT};
use super::scan::{SEED, Word, Words};
use super::script::{HAN, HANGUL, KINDS, Kind};
use super::words::{ALL_FAMILIAR, Cache, Votes};

/// A sentence shorter than this goes on with the next one of its line,
const SHORTEST_SENTENCE: u32 = 80;
/// and a line shorter than this with the next line: the words of a menu entry tell too little alone.
const SHORTEST_LINE: u32 = 64;
/// Where each sentence is to be judged alone it has at least so many: a sentence of 30 bytes, or of 20 characters in other scripts.
const SHORTEST_ALONE: u32 = 16;
/// A piece this long ends with the next sentence mark or, if there is none, a bit later.
const LONGEST_PIECE: u32 = 400;
/// On a page that has shown this many letters
const MANY_LETTERS: u32 = 700;
/// words are no longer asked in a piece that has said this much, in the unit of scores.
const PLENTY: u32 = 480;
/// So many letters of a page are read without a gap,
const READ_WHOLE: u32 = 3200;
/// later so many bytes between two gaps,
const PART: usize = 256;
/// which are of this part of the page, so that none hides a language with a tenth of it,
const GAP: usize = 50;
/// and no shorter than this.
const SHORTEST_GAP: usize = 128;
/// A page has at most about this many pieces; on larger pages they are longer.
const MOST_PIECES: usize = 1 << 14;
/// What other scripts have less than this part of a line is names and terms in it.
const LEAST_PART_OF_LINE: u32 = 3;
/// So many words are asked together.
const BATCH: usize = 16;
/// So many words of a piece are remembered, to count one that returns only once: a list says the same in every line.
const REMEMBERED: usize = 64;
/// So many rare words of a piece can be asked on a short page, on a longer one, and once parts are left out.
const MOST_RARE_WORDS: [usize; 3] = [32, 6, 3];
/// So many rare words of a page are always asked,
const RARE_WORDS_OF_PAGE: u32 = 24;
/// if it has no more bytes than this.
const SHORT_PAGE: usize = 1500;
/// After them those of a piece whose words have not yet said this much, in the unit of scores,
const ENOUGH: u32 = 200;
/// or with less of it for the same language, in per cent: what is said of a rarer language is doubtful, and costs more words.
const SURE: i64 = 70;
/// If it is the language of most of what was read so far, this is enough,
const ENOUGH_AGAIN: u32 = 32;
/// and so sure.
const SURE_AGAIN: i64 = 50;

/// What speaks for the unknown beforehand was learnt from texts of all lengths. On a page with fewer characters than this
const FEW_CHARACTERS: usize = 75;
/// up to so many nats are taken from it: a few words of any language look like none.
const KNOWN_AFTER_ALL: f32 = 5.0;

/// On short text what may as well be in a language that more is written in is in that one: so many nats for each step of usage,
const FOR_USAGE: f32 = 0.35;
/// said once and not in every piece: a page with more characters than a piece has gives each of them its part of it,
const CHARACTERS_OF_PIECE: usize = 80;
/// until nothing is left of it.
const FORGOTTEN: usize = 1000;

/// A part of a line in one script.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// Where its line or sentence is, in bytes.
    pub(super) range: Range<usize>,
    /// Its script.
    pub(super) script: Kind,
    /// How much text it is: letters, the characters of East Asia counted as the two or three letters they stand for.
    pub(super) letters: u32,
    /// The letters of the text left out that it stands for too.
    pub(super) left_out: u32,
    /// What its words would score if all spoke for the same language.
    pub(super) ceiling: u32,
    /// The letters of the words that were asked, times `ALL_FAMILIAR`.
    pub(super) asked: u32,
    /// How much of that is familiar.
    pub(super) familiar: u32,
    /// The class with the highest score.
    pub(super) best: usize,
    scores: usize,
}

impl Piece {
    /// How much of the page it stands for.
    pub(super) fn weight(&self) -> u32 {
        self.letters.saturating_add(self.left_out)
    }
}

/// What is read between two gaps.
#[derive(Debug, Default)]
struct Part {
    /// Where it began, in the text and in the list of pieces.
    from: usize,
    first: usize,
    /// The bytes of the gap before it that it stands for.
    gap: usize,
}

/// How a page is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// From its beginning to its end.
    Whole,
    /// All of a short page, and ever smaller parts of a long one, which stand for what is left out between them.
    Parts,
    /// From its beginning to its end, with a piece for each sentence and line that says anything.
    Sentences,
}

impl Reading {
    /// A sentence with fewer letters goes on with the next, and a line with fewer with the next line.
    fn shortest(self) -> (u32, u32) {
        match self {
            Self::Whole | Self::Parts => (SHORTEST_SENTENCE, SHORTEST_LINE),
            Self::Sentences => (SHORTEST_ALONE, SHORTEST_ALONE),
        }
    }
}

/// What languages begin with, besides what was learnt of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beforehand {
    /// All the same.
    Alike,
    /// More on short text the more is written in them.
    Usage,
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
    /// For each class the letters of the pieces that it is the best of, and the class with most.
    mass: Vec<u64>,
    leading: usize,
    length: usize,
    reading: Reading,
    /// The part at hand of a page that is read in parts.
    part: Part,
    /// The rare words of the sentence at hand.
    rare: Vec<Word>,
    /// The words not yet asked.
    waiting: Vec<Word>,
    /// Hashes of words of the sentence at hand, by their last bits.
    remembered: [u64; REMEMBERED],
    /// Rare words asked so far.
    asked: u32,
    /// What a short page changes.
    short: Short,
}

/// What is taken from the unknown on a short page, and given to languages for each step of usage, in the unit of scores.
#[derive(Debug, Clone, Copy)]
struct Short {
    against_unknown: i16,
    for_usage: f32,
}

/// Adds the votes of a word.
#[inline]
fn add(votes: &Votes, word: &Word, piece: &mut Piece, scores: &mut [i16; MOST_CLASSES]) {
    let letters = word.letters().len() as u32;
    piece.asked += letters * ALL_FAMILIAR;
    piece.familiar += letters * votes.familiar();
    piece.ceiling += votes.loudest().max(0) as u32;
    for &(class, weight) in votes.list() {
        let score = &mut scores[usize::from(class)];
        *score = score.saturating_add(i16::from(weight));
    }
}

impl<'a> Pieces<'a> {
    /// No pieces yet of a text.
    pub(super) fn new(
        model: &'a Model,
        cache: &'a mut Cache,
        text: &str,
        reading: Reading,
        beforehand: Beforehand,
    ) -> Self {
        let length = text.len();
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
            mass: vec![0; model.classes().len()],
            leading: 0,
            length,
            reading,
            part: Part::default(),
            rare: Vec::new(),
            waiting: Vec::new(),
            remembered: [0; REMEMBERED],
            asked: 0,
            short: Short::new(text, beforehand),
        }
    }

    /// The scores of a piece, by the place of a class in its script; what speaks for a class beforehand is in them.
    pub(super) fn scores(&self, piece: &Piece) -> &[i16] {
        &self.scores[piece.scores][..self.model.script(piece.script).1]
    }

    /// What the words of a piece have given a class of its script.
    pub(super) fn reached(&self, piece: &Piece, class: usize) -> i64 {
        let place = class - self.model.script(piece.script).0;
        let beforehand =
            self.model.priors(piece.script)[place] + self.short.given(self.model.classes()[class]);
        i64::from(self.scores[piece.scores][place]) - i64::from(beforehand)
    }

    /// Asks the words that wait. Their slots of the cache are touched first, all of them: the processor fetches them
    /// together and does not wait for one after the other, which takes half of all time otherwise.
    fn ask(&mut self) {
        let touched = self.waiting.iter().map(|word| self.cache.touch(word.hash)).fold(0, u64::wrapping_add);
        std::hint::black_box(touched);
        let is_long = self.length > SHORT_PAGE || self.seen >= MANY_LETTERS;
        let most_rare = MOST_RARE_WORDS[usize::from(is_long) + usize::from(self.seen >= READ_WHOLE)];
        let mut waiting = std::mem::take(&mut self.waiting);
        for word in waiting.drain(..) {
            if let Some(votes) = self.cache.frequent(self.model, word.hash) {
                let place = usize::from(self.place[usize::from(word.script) % KINDS]).saturating_sub(1);
                let piece = &mut self.open[place];
                add(votes, &word, piece, &mut self.scores[piece.scores]);
            } else if self.rare.len() < most_rare {
                self.rare.push(word);
            }
        }
        self.waiting = waiting;
    }

    /// Whether the words of a piece have said enough, and with one voice. On a page that has shown what it is for the most part, less
    /// is enough if it says the same again.
    #[inline]
    fn sure(&self, piece: &Piece) -> bool {
        let most = i64::from(piece.ceiling);
        if piece.ceiling < ENOUGH_AGAIN {
            return false;
        }
        let (first, count) = self.model.script(piece.script);
        let scores = &self.scores[piece.scores][..count];
        let highest = scores.iter().copied().max().map_or(0, i64::from);
        let leading = self.leading.checked_sub(first).and_then(|place| scores.get(place));
        if self.seen >= MANY_LETTERS && leading.is_some_and(|&score| i64::from(score) == highest) {
            return highest * 100 >= SURE_AGAIN * most;
        }
        piece.ceiling >= ENOUGH && highest * 100 >= SURE * most
    }

    /// Asks the rare words of the sentence where the frequent ones have not said enough.
    fn ask_rare(&mut self) {
        let mut rare = std::mem::take(&mut self.rare);
        for word in &rare {
            let place = self.opened(word.script);
            if (self.asked < RARE_WORDS_OF_PAGE && self.length <= SHORT_PAGE) || !self.sure(&self.open[place])
            {
                self.asked += 1;
                let piece = &mut self.open[place];
                add(self.cache.counted(self.model, word), word, piece, &mut self.scores[piece.scores]);
            }
        }
        rare.clear();
        self.rare = rare;
    }

    /// Whether a word was met before in the sentence at hand. Characters of Han return in any text.
    #[inline]
    fn returns(&mut self, word: &Word) -> bool {
        let before = &mut self.remembered[word.hash as usize % REMEMBERED];
        std::mem::replace(before, word.hash) == word.hash && word.script != HAN
    }

    #[inline]
    fn opened(&mut self, script: Kind) -> usize {
        let place = &mut self.place[usize::from(script) % KINDS];
        if *place == 0 {
            let scores = self.scores.len();
            self.scores.push(beginning(self.model, script, self.short));
            self.open.push(Piece {
                range: 0..0,
                script,
                letters: 0,
                left_out: 0,
                ceiling: 0,
                asked: 0,
                familiar: 0,
                best: 0,
                scores,
            });
            *place = self.open.len() as u8;
        }
        usize::from(*place) - 1
    }

    /// Has the pieces of the part at hand, which ends here, stand for so many bytes that were left out beside it.
    fn stand_for(&mut self, bytes: usize, at: usize) {
        let read = at.saturating_sub(self.part.from).max(1) as u64;
        for piece in self.list.iter_mut().skip(self.part.first) {
            piece.left_out = (u64::from(piece.letters) * bytes as u64 / read) as u32;
        }
    }

    fn close(&mut self, at: usize) {
        let Some(main) = (0..self.open.len()).max_by_key(|&i| (self.open[i].letters, usize::MAX - i)) else {
            // The end of a line belongs to the sentence that ended there.
            if let Some(last) = self.list.last_mut().filter(|last| last.range.end == self.from) {
                last.range.end = at;
                self.from = at;
            }
            return;
        };
        self.ask();
        self.ask_rare();
        let all: u32 = self.letters;
        let (mut kept, listed) = (0, self.list.len());
        for (i, mut piece) in self.open.drain(..).enumerate() {
            self.place[usize::from(piece.script) % KINDS] = 0;
            piece.range = self.from..at;
            // Where sentences are judged alone, words in another script are no sentence.
            let is_much = piece.letters * LEAST_PART_OF_LINE >= all && self.reading != Reading::Sentences;
            if i == main || is_much {
                kept += piece.letters;
                let (first, count) = self.model.script(piece.script);
                piece.best = first + highest(&self.scores[piece.scores][..count]);
                self.list.push(piece);
            }
        }
        // The names and terms in another script go with the text around them.
        if let Some(last) = self.list.last_mut() {
            last.letters += all - kept;
        }
        for piece in &self.list[listed..] {
            let mass = self.mass.get_mut(piece.best).map_or(0, |mass| {
                *mass += u64::from(piece.letters);
                *mass
            });
            if self.mass.get(self.leading).is_some_and(|most| mass > *most) {
                self.leading = piece.best;
            }
        }
        self.from = at;
        self.remembered = [0; REMEMBERED];
        self.seen = self.seen.saturating_add(all);
        self.letters = 0;
    }
}

impl Short {
    fn new(text: &str, beforehand: Beforehand) -> Self {
        let characters = text.chars().take(FORGOTTEN).count();
        let few = 1.0 - characters.min(FEW_CHARACTERS) as f32 / FEW_CHARACTERS as f32;
        let part = CHARACTERS_OF_PIECE as f32 / characters.max(CHARACTERS_OF_PIECE) as f32;
        let counts = beforehand == Beforehand::Usage && characters < FORGOTTEN;
        Self {
            against_unknown: (few * KNOWN_AFTER_ALL * UNITS_OF_NAT) as i16,
            for_usage: if counts { part * FOR_USAGE * UNITS_OF_NAT } else { 0.0 },
        }
    }

    /// What a class is given.
    fn given(self, class: Class) -> i16 {
        match class.code {
            NO_LANGUAGE => -self.against_unknown,
            _ => (f32::from(class.usage) * self.for_usage) as i16,
        }
    }
}

/// What the classes of a script begin with.
#[inline]
fn beginning(model: &Model, script: Kind, short: Short) -> [i16; MOST_CLASSES] {
    let mut scores = *model.priors(script);
    if short.for_usage > 0.0 || short.against_unknown > 0 {
        let (first, count) = model.script(script);
        for (score, class) in scores.iter_mut().zip(&model.classes()[first..first + count]) {
            *score += short.given(*class);
        }
    }
    scores
}

/// How many bytes may be left out here. Never the same twice in a row, so that it does not fall into step with a page that changes
/// language again and again; and at most half of what is left, so that the end is read.
fn gap(at: usize, length: usize) -> usize {
    let mean = length / GAP;
    let chance = (at as u64).wrapping_mul(SEED) >> 56;
    let gap = (mean / 2 + mean * chance as usize / 256).min(length.saturating_sub(at) / 2);
    if gap < SHORTEST_GAP { 0 } else { gap }
}

/// The place of the highest score, the first of equals.
fn highest(scores: &[i16]) -> usize {
    let highest = scores.iter().copied().max();
    scores.iter().position(|&score| Some(score) == highest).unwrap_or(0)
}

impl Words for Pieces<'_> {
    #[inline]
    fn word(&mut self, word: &Word) {
        let (script, letters) = (word.script, word.letters().len() as u32);
        let weight = match script {
            HAN => 3,
            HANGUL => 2 * letters,
            _ => letters,
        };
        self.letters += weight;
        let (_, classes) = self.model.script(script);
        let place = self.opened(script);
        let piece = &mut self.open[place];
        piece.letters += weight;
        let has_said_plenty = piece.ceiling >= PLENTY && self.seen >= MANY_LETTERS;
        if classes > 1 && !has_said_plenty && !self.returns(word) {
            self.waiting.push(*word);
            if self.waiting.len() == BATCH {
                self.ask();
            }
        }
    }

    fn sentence_end(&mut self, at: usize) {
        if self.letters >= self.reading.shortest().0.max(self.least) {
            self.close(at);
        }
    }

    fn line_end(&mut self, at: usize) -> usize {
        // Nothing is open after a sentence that ends its line.
        if self.letters > 0 && self.letters < self.reading.shortest().1.max(self.least) {
            return 0;
        }
        self.close(at);
        if self.reading != Reading::Parts || self.seen < READ_WHOLE {
            self.part = Part { from: at, first: self.list.len(), gap: 0 };
        }
        if at - self.part.from < PART { 0 } else { gap(at, self.length) }
    }

    fn left_out(&mut self, from: usize, to: usize) {
        let half = (to - from) / 2;
        self.stand_for(self.part.gap + half, from);
        self.part = Part { from: to, first: self.list.len(), gap: to - from - half };
        self.from = to;
    }

    fn end(&mut self, at: usize) {
        self.close(at);
        self.stand_for(self.part.gap, at);
    }

    fn word_end(&mut self, at: usize) {
        if self.letters >= LONGEST_PIECE.max(self.least) {
            self.close(at);
        }
    }
}
