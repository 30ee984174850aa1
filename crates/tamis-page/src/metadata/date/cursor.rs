//! Taking a date's parts out of tokens.

use super::token::{Kind, Token};

/// A place in the tokens.
pub(super) struct Cursor<'c, 't> {
    pub(super) tokens: &'c [Token<'t>],
    pub(super) at: usize,
}

impl<'t> Cursor<'_, 't> {
    pub(super) fn peek(&self) -> Option<&Token<'t>> {
        self.tokens.get(self.at)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<&Token<'t>> {
        self.tokens.get(self.at + ahead)
    }

    pub(super) fn next(&mut self) -> Option<Token<'t>> {
        let token = *self.peek()?;
        self.at += 1;
        Some(token)
    }

    /// Takes one of these marks.
    pub(super) fn mark(&mut self, marks: &[&'static str]) -> Option<&'static str> {
        let token = self.peek()?;
        let mark = marks.iter().find(|mark| token.is(mark))?;
        self.at += 1;
        Some(mark)
    }

    pub(super) fn skip(&mut self, text: &str) -> bool {
        let there = self.peek().is_some_and(|token| token.is(text));
        self.at += usize::from(there);
        there
    }

    pub(super) fn skip_marks(&mut self, marks: &[&str]) {
        for _ in 0..2 {
            if self.peek().is_some_and(|token| marks.contains(&token.text)) {
                self.at += 1;
            }
        }
    }

    /// Words that stand between day, month and year.
    pub(super) fn skip_small_words(&mut self) {
        const SMALL: &[&str] = &[
            "de", "of", "del", "di", "den", "d", "da", "do", "ta", "m", "г", "e", "al", "ngày", "tháng",
            "di", "la",
        ];
        if self.peek().is_some_and(|token| token.kind == Kind::Word && SMALL.contains(&token.text)) {
            self.at += 1;
            self.skip_marks(&["'", "’", "."]);
        }
    }

    /// `st`, `.`, `º` behind a day.
    pub(super) fn skip_ordinal(&mut self) {
        const ORDINALS: &[&str] =
            &["st", "nd", "rd", "th", "er", "º", "ª", "°", ".", "ro", "e", "a", ",", "-", "/"];
        for _ in 0..2 {
            let Some(token) = self.peek() else { return };
            if ORDINALS.iter().any(|ordinal| token.text.eq_ignore_ascii_case(ordinal)) {
                self.at += 1;
            }
        }
    }

    pub(super) fn number(&mut self, digits: std::ops::RangeInclusive<usize>) -> Option<u64> {
        let token = self.peek().filter(|token| digits.contains(&token.digits()))?;
        let value = token.value;
        self.at += 1;
        Some(value)
    }

    pub(super) fn year(&mut self, short: bool) -> Option<i16> {
        let token = self.peek()?;
        let is_year = token.digits() == 4
            || (short
                && token.digits() == 2
                && !self.peek_at(1).is_some_and(|next| matches!(next.text, ":" | "h" | ".")));
        if !is_year {
            return None;
        }
        let year = full_year(token.value, token.digits())?;
        self.at += 1;
        Some(year)
    }

    /// The year of `May 06 10:11:12 CEST 2019`.
    pub(super) fn year_behind_time(&mut self) -> Option<i16> {
        let ahead = self.tokens.get(self.at..)?.iter().take(10);
        let mut seen_colon = false;
        for (skipped, token) in ahead.enumerate() {
            seen_colon |= token.is(":");
            if token.digits() == 4
                && seen_colon
                && !self.tokens[self.at + skipped - 1].is("+")
                && !self.tokens[self.at + skipped - 1].is("-")
            {
                self.at += skipped + 1;
                return full_year(token.value, 4);
            }
        }
        None
    }
}

/// The year of four digits, or of two.
pub(super) fn full_year(value: u64, digits: usize) -> Option<i16> {
    let year = match (digits, value) {
        (4, 1900..=2199) => value,
        // The calendar of Thailand.
        (4, 2533..=2643) => value - 543,
        (2, 0..=69) => 2000 + value,
        (2, 70..=99) => 1900 + value,
        _ => return None,
    };
    i16::try_from(year).ok()
}
