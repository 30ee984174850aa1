//! Marks of a paragraph into quotes.
//!
//! A stack of open quotes, gone over once. A mark closes the nearest quote that takes it, if its neighbours let it close;
//! else it opens one, if they let it open. What stays open at the end was none. Looks ahead and down the stack are
//! bounded, so the whole is linear.

use super::language::Marks;
use super::mark::{APOSTROPHES, Mark, Side, TICKS, is_single};
use super::word::{is_elision, is_measure, is_possessive};

/// Quotes within quotes beyond this depth are none.
const DEEPEST: usize = 16;
/// Marks looked at to tell whether a doubtful one closes a quote.
const LOOK_AHEAD: usize = 12;

/// The marks of a quote, by their index.
pub(super) struct Pair {
    pub(super) open: usize,
    pub(super) close: usize,
}

/// What was found in a paragraph.
pub(super) struct Pairs {
    pub(super) pairs: Vec<Pair>,
    /// The outermost double mark that stayed open.
    pub(super) unclosed: Option<usize>,
}

/// Pairs the marks of a paragraph.
pub(super) fn pairs(paragraph: &str, marks: &[Mark], language: Option<Marks>) -> Pairs {
    let mut pairing = Pairing { paragraph, marks, language, open: Vec::new(), pairs: Vec::new() };
    for at in 0..marks.len() {
        pairing.take(at);
    }
    let unclosed = pairing.open.iter().copied().find(|&at| !marks[at].is_single());
    Pairs { pairs: pairing.pairs, unclosed }
}

struct Pairing<'p> {
    paragraph: &'p str,
    marks: &'p [Mark],
    language: Option<Marks>,
    /// Indices of the marks that wait for their end.
    open: Vec<usize>,
    pairs: Vec<Pair>,
}

/// Which way a mark points where its neighbours do not tell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Opens,
    Closes,
    Both,
}

impl Pairing<'_> {
    fn take(&mut self, at: usize) {
        let mark = self.marks[at];
        if self.is_no_quote(&mark) {
            return;
        }
        let height = self.height_for(mark.glyph);
        match mark.glyph {
            '"' | '\'' => self.take_straight(at, height),
            '`' if matches!(mark.side(), Side::Closing | Side::Inner) => {
                self.open.retain(|&open| self.marks[open].glyph != '`');
            }
            _ => self.take_directed(at, height),
        }
    }

    /// Apostrophes, and marks of feet and inches.
    fn is_no_quote(&self, mark: &Mark) -> bool {
        let behind = &self.paragraph[mark.end..];
        match mark.glyph {
            '\'' | '’' | '‘' | '`' if mark.is_within_word() => true,
            '\'' | '’' | '‘' if mark.side() == Side::Opening && is_elision(behind) => true,
            '\'' | '’' | '"' | '”' | APOSTROPHES => {
                is_measure(&self.paragraph[..mark.start], behind, mark.glyph)
            }
            '《' | '〈' => !self.language.is_some_and(|language| language.opens(mark.glyph)),
            _ => false,
        }
    }

    /// `"` and `'`, which open and close alike.
    fn take_straight(&mut self, at: usize, height: Option<usize>) {
        let mark = self.marks[at];
        match (mark.side(), height) {
            (Side::Opening, Some(height)) if self.marks[self.open[height]].glyph == mark.glyph => {
                self.open.truncate(height);
                self.open(at);
            }
            (Side::Opening, _) => self.open(at),
            (Side::Inner, _) if mark.is_within_word() => {}
            (_, Some(height)) => self.close(height, at),
            (Side::Inner, None) if mark.glyph == '"' => self.open(at),
            (Side::Loose, None) if mark.glyph == '"' && !self.is_behind_number(&mark) => self.open(at),
            _ => {}
        }
    }

    fn take_directed(&mut self, at: usize, height: Option<usize>) {
        let mark = self.marks[at];
        let direction = self.direction(mark.glyph);
        match (mark.side(), height) {
            (Side::Closing | Side::Loose | Side::Inner, Some(height)) => self.close(height, at),
            (Side::Opening, Some(height)) if direction == Direction::Closes => self.close(height, at),
            (Side::Opening, _) => self.open(at),
            (Side::Closing, None) if mark.after_elision && direction == Direction::Opens => self.open(at),
            (Side::Loose | Side::Inner, None) if direction != Direction::Closes => self.open(at),
            _ => {}
        }
    }

    fn is_behind_number(&self, mark: &Mark) -> bool {
        self.paragraph[..mark.start].trim_end().ends_with(|c: char| c.is_ascii_digit())
    }

    /// Height in the stack of the nearest quote that this mark may close. A single mark does not reach past a double one.
    fn height_for(&self, glyph: char) -> Option<usize> {
        for height in (0..self.open.len()).rev() {
            let open = self.marks[self.open[height]].glyph;
            if accepts(open, glyph) {
                return Some(height);
            }
            if is_single(glyph) && !is_single(open) {
                return None;
            }
        }
        None
    }

    fn open(&mut self, at: usize) {
        let may_open = match self.marks[at].glyph {
            '’' => self.language.is_some_and(|language| language.opens('’')),
            APOSTROPHES | '」' | '』' | '》' | '〉' | '〟' => false,
            _ => true,
        };
        if may_open && self.open.len() < DEEPEST {
            self.open.push(at);
        }
    }

    fn close(&mut self, height: usize, at: usize) {
        let open = self.open[height];
        if self.is_doubtful(at) && self.has_better(open, at) {
            return;
        }
        self.open.truncate(height);
        self.pairs.push(Pair { open, close: at });
    }

    /// Behind a number or a plural: a mark that may be no end.
    fn is_doubtful(&self, at: usize) -> bool {
        let mark = &self.marks[at];
        match mark.glyph {
            '"' | '”' | APOSTROPHES => mark.is_behind_digit(),
            '\'' | '’' => {
                mark.is_behind_digit()
                    || (mark.side() == Side::Closing
                        && is_possessive(&self.paragraph[..mark.start], &self.paragraph[mark.end..]))
            }
            _ => false,
        }
    }

    /// Whether a mark that closes this quote without doubt follows before the next quote opens.
    fn has_better(&self, open: usize, at: usize) -> bool {
        let open = &self.marks[open];
        for (ahead, mark) in self.marks.iter().enumerate().skip(at + 1).take(LOOK_AHEAD) {
            if self.is_no_quote(mark) {
                continue;
            }
            let opens_anew = mark.side() == Side::Opening && mark.is_single() == open.is_single();
            if opens_anew || (open.is_single() && !mark.is_single()) {
                return false;
            }
            if accepts(open.glyph, mark.glyph) && mark.side() == Side::Closing && !self.is_doubtful(ahead) {
                return true;
            }
        }
        false
    }

    fn direction(&self, glyph: char) -> Direction {
        let known = self.language.map(|language| (language.opens(glyph), language.closes(glyph)));
        match (known, glyph) {
            (Some((true, true)), _) => Direction::Both,
            (Some((true, false)), _) => Direction::Opens,
            (Some((false, true)), _) | (_, '”' | '’' | '»' | '›') => Direction::Closes,
            _ => Direction::Opens,
        }
    }
}

/// Whether a quote that one mark opened is closed by the other.
fn accepts(open: char, close: char) -> bool {
    match open {
        '"' => close == '"',
        '\'' => close == '\'',
        '`' => matches!(close, '\'' | '’'),
        TICKS => matches!(close, APOSTROPHES | '"' | '”'),
        '“' => matches!(close, '”' | '"'),
        '”' | '„' => matches!(close, '”' | '“' | '"'),
        '‘' => matches!(close, '’' | '\''),
        '’' | '‚' => matches!(close, '’' | '‘' | '\''),
        '«' => close == '»',
        '»' => matches!(close, '«' | '»'),
        '‹' => close == '›',
        '›' => matches!(close, '‹' | '›'),
        '「' => close == '」',
        '『' => close == '』',
        '《' => close == '》',
        '〈' => close == '〉',
        '〝' => close == '〟',
        _ => false,
    }
}
