//! Walking a text with the automaton, one token after the other.

use std::collections::HashSet;

use super::rule::Rule;
use super::table::{DEAD, Match, START, Table, UP_TO_POINT};

/// A token as the automaton finds it, by the bytes of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) rule: Rule,
}

/// So many characters beyond the end of a token may be read before the walk takes notes.
const PATIENCE: usize = 16;

/// The way through a text.
///
/// A token is the longest text that a rule matches, so the automaton may read far ahead for nothing: `<a <a <a …` could
/// be a tag each time. What it has read in vain is noted, by place and state, at every [`PATIENCE`]th byte; the automaton
/// never goes that way a second time. Hence the time is linear, and the memory a few bytes for every [`PATIENCE`] of a
/// hostile text (T. Reps, "Maximal-munch" tokenization in linear time, 1998).
pub(super) struct Walk<'a> {
    table: &'a Table,
    text: &'a str,
    at: usize,
    in_vain: HashSet<(usize, u16)>,
    notes: Vec<(usize, u16)>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(table: &'a Table, text: &'a str) -> Walk<'a> {
        Walk { table, text, at: 0, in_vain: HashSet::new(), notes: Vec::new() }
    }

    /// The next token, white space among them.
    pub(super) fn token(&mut self) -> Option<Found> {
        let start = self.at;
        if start >= self.text.len() {
            return None;
        }
        let (end, matched) = self.longest(start);
        let mut found = Found { start, end, rule: matched.rule };
        found.end = match matched.rule {
            // What follows may be of any length, and a tag among it.
            _ if matched.ahead == UP_TO_POINT => {
                let tag = self.text[start..end].find('<').unwrap_or(end - start);
                self.text[start..start + tag].rfind('.').map_or(end, |point| {
                    start + self.text[start..start + point].trim_end_matches([' ', '\u{A0}']).len()
                })
            }
            _ => self.without(start, end, matched.ahead),
        };
        self.at = found.end;
        Some(found)
    }

    /// The end of the longest match from `start`, and what it is. A character that no rule knows is a token.
    fn longest(&mut self, start: usize) -> (usize, Match) {
        let (mut at, mut state, mut vain) = (start, START, 0);
        let mut last: Option<(usize, Match)> = None;
        while let Some((next, column)) = self.step(at) {
            state = self.table.next(state, column);
            if state == DEAD {
                break;
            }
            let is_checkpoint = next / PATIENCE != at / PATIENCE;
            at = next;
            if let Some(matched) = self.table.matched(state) {
                last = Some((at, matched));
                vain = 0;
                continue;
            }
            vain += 1;
            if vain > PATIENCE && is_checkpoint && self.was_in_vain(at, state) {
                break;
            }
        }
        if !self.notes.is_empty() {
            let end = last.map_or(start, |last| last.0);
            self.in_vain.extend(self.notes.drain(..).filter(|note| note.0 > end));
        }
        last.unwrap_or_else(|| {
            let len = self.text[start..].chars().next().map_or(1, char::len_utf8);
            (start + len, Match { rule: Rule::Plain, ahead: 0 })
        })
    }

    /// The place behind the character at a place, and the column of its class. The end of the text is a character, too.
    fn step(&self, at: usize) -> Option<(usize, u8)> {
        match self.text.as_bytes().get(at) {
            Some(&byte) if byte < 0x80 => Some((at + 1, self.table.ascii_column(byte))),
            Some(_) => {
                let character = self.text[at..].chars().next()?;
                Some((at + character.len_utf8(), self.table.column(character)))
            }
            None => (at == self.text.len()).then(|| (at + 1, self.table.end_column())),
        }
    }

    /// Whether the automaton has been here before, for nothing. Takes a note if not.
    fn was_in_vain(&mut self, at: usize, state: u16) -> bool {
        self.notes.push((at, state));
        self.in_vain.contains(&(at, state))
    }

    /// The end without the characters that were only looked at; the end of the text is one of them.
    fn without(&self, start: usize, end: usize, ahead: u8) -> usize {
        let past = end - end.min(self.text.len());
        let ahead = usize::from(ahead).saturating_sub(past);
        let end = end - past;
        if ahead == 0 {
            return end;
        }
        let cut = self.text[start..end].char_indices().rev().nth(ahead - 1);
        cut.filter(|cut| cut.0 > 0).map_or(end, |cut| start + cut.0)
    }
}
