//! The automaton of the tokeniser: which token starts here, and where it ends.
//!
//! Characters fall into [classes](Table::class): ASCII ones each into its own, the rest of Unicode into some sixty. The
//! automaton steps from class to class and knows at each state which [rule](super::rule::Rule) has matched. It is made from
//! `rules.txt` and `classes.txt` by `tamis-train lexer`, and stored as runs.

use super::rule::Rule;

/// What a stored automaton starts with; the last byte is the version.
pub const MAGIC: [u8; 8] = *b"tamislx\x01";
/// The class of the end of the text.
pub const END_OF_TEXT: u8 = 0xFF;
/// In place of the number of characters that are only looked at: all from the last point on.
pub const UP_TO_POINT: u8 = 0xFF;
/// The state that no token leads out of.
pub(super) const DEAD: u16 = 0;
/// The state before the first character.
pub(super) const START: u16 = 1;

/// Characters of one block of the table of classes.
const BLOCK: usize = 128;

/// An automaton that tells tokens.
pub struct Table {
    /// The column of each character's class: of ASCII by itself, of the others by block.
    ascii: [u8; 128],
    block_of: Vec<u8>,
    blocks: Vec<u8>,
    /// The column of the end of the text.
    end_column: u8,
    columns: usize,
    /// The next state, by state and column.
    next: Vec<u16>,
    /// What has matched, by state.
    matches: Vec<Option<Match>>,
}

/// What an automaton has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    /// What becomes of the token.
    pub(super) rule: Rule,
    /// Characters at the end that were only looked at.
    pub(super) ahead: u8,
}

impl Table {
    /// Reads a stored automaton; none if it is damaged.
    pub fn read(bytes: &[u8]) -> Option<Table> {
        let mut reader = Reader(bytes.strip_prefix(&MAGIC)?);
        let ranges = reader.ranges()?;
        let columns = usize::from(reader.byte()?);
        let mut column_of = [0; 256];
        column_of.copy_from_slice(reader.take(256)?);
        if column_of.iter().any(|&column| usize::from(column) >= columns) {
            return None;
        }
        let end_column = column_of[usize::from(END_OF_TEXT)];
        let kinds = reader.matches()?;
        let states = reader.number()?;
        if states <= usize::from(START) || states > usize::from(u16::MAX) {
            return None;
        }
        let mut matches = Vec::with_capacity(states);
        let mut next = Vec::with_capacity(states * columns);
        for _ in 0..states {
            matches.push(match reader.byte()? {
                0 => None,
                kind => Some(*kinds.get(usize::from(kind) - 1)?),
            });
            reader.row(columns, states, &mut next)?;
        }
        let (block_of, blocks) = spread(&ranges, &column_of)?;
        let mut ascii = [0; 128];
        ascii.copy_from_slice(&blocks[usize::from(block_of[0]) * BLOCK..][..BLOCK]);
        Some(Table { ascii, block_of, blocks, end_column, columns, next, matches })
    }

    /// The column of a character's class.
    pub(super) fn column(&self, character: char) -> u8 {
        let at = character as usize;
        self.blocks[usize::from(self.block_of[at / BLOCK]) * BLOCK + at % BLOCK]
    }

    /// The column of the class of an ASCII character.
    pub(super) fn ascii_column(&self, byte: u8) -> u8 {
        self.ascii[usize::from(byte & 0x7F)]
    }

    /// The state after `state`, by a column of this table.
    pub(super) fn next(&self, state: u16, column: u8) -> u16 {
        self.next[usize::from(state) * self.columns + usize::from(column)]
    }

    /// The column of the end of the text.
    pub(super) fn end_column(&self) -> u8 {
        self.end_column
    }

    /// What has matched when the automaton is in `state`.
    pub(super) fn matched(&self, state: u16) -> Option<Match> {
        self.matches[usize::from(state)]
    }
}

/// The columns of all characters, in blocks that are kept once.
fn spread(ranges: &[(u32, u8)], column_of: &[u8; 256]) -> Option<(Vec<u8>, Vec<u8>)> {
    let (mut block_of, mut blocks) = (Vec::new(), Vec::<u8>::new());
    let mut range = 0;
    for first in (0..=char::MAX as usize).step_by(BLOCK) {
        let mut block = [0; BLOCK];
        for (offset, column) in block.iter_mut().enumerate() {
            let at = (first + offset) as u32;
            while ranges.get(range + 1).is_some_and(|next| next.0 <= at) {
                range += 1;
            }
            *column = column_of[usize::from(ranges.get(range)?.1)];
        }
        let known = blocks.chunks_exact(BLOCK).position(|known| known == block);
        let place = known.unwrap_or_else(|| {
            blocks.extend_from_slice(&block);
            blocks.len() / BLOCK - 1
        });
        block_of.push(u8::try_from(place).ok()?);
    }
    Some((block_of, blocks))
}

/// What is left of a stored automaton.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    /// A number in groups of seven bits, the lowest first.
    fn number(&mut self) -> Option<usize> {
        let mut number = 0;
        for shift in [0, 7, 14] {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// The first character of each range, and its class.
    fn ranges(&mut self) -> Option<Vec<(u32, u8)>> {
        let mut first = 0;
        (0..self.number()?)
            .map(|_| {
                first += self.number()? as u32;
                Some((first, self.byte()?))
            })
            .collect()
    }

    /// What a state may have matched.
    fn matches(&mut self) -> Option<Vec<Match>> {
        (0..self.byte()?)
            .map(|_| Some(Match { rule: Rule::from_number(self.byte()?)?, ahead: self.byte()? }))
            .collect()
    }

    /// The states after one state, as runs of columns with the same.
    fn row(&mut self, columns: usize, states: usize, next: &mut Vec<u16>) -> Option<()> {
        let end = next.len() + columns;
        while next.len() < end {
            let run = usize::from(self.byte()?);
            let state = self.number()?;
            if run == 0 || run > end - next.len() || state >= states {
                return None;
            }
            next.extend(std::iter::repeat_n(state as u16, run));
        }
        Some(())
    }
}
