//! Places in a query, for the mark under its line.

use std::fmt;

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};

/// A place in a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    line: String,
    number: usize,
    column: usize,
    width: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.number.to_string();
        let gap = " ".repeat(number.len());
        let indent = " ".repeat(self.column - 1);
        write!(f, "{number} | {}\n{gap} | {indent}{}", self.line, "^".repeat(self.width))
    }
}

impl Place {
    /// The place at a line and column, both from 1 on.
    pub(super) fn at(sql: &str, (line, column): (usize, usize), width: usize) -> Option<Self> {
        let text = sql.lines().nth(line.checked_sub(1)?)?.to_owned();
        (column > 0).then_some(Place { line: text, number: line, column, width })
    }

    /// The place after the last character that is not blank.
    pub(super) fn end(sql: &str) -> Option<Self> {
        let text = sql.trim_end();
        let last = text.lines().last()?;
        Self::at(text, (text.lines().count(), last.chars().count() + 1), 1)
    }

    pub(super) fn of_token(sql: &str, token: &TokenWithSpan) -> Option<Self> {
        let (start, end) = (token.span.start, token.span.end);
        let width = if start.line == end.line { end.column.saturating_sub(start.column) } else { 1 };
        Self::at(sql, (start.line as usize, start.column as usize), (width as usize).max(1))
    }

    /// The first place of a word.
    pub(super) fn of_word(sql: &str, word: &str) -> Option<Self> {
        let is_it =
            |token: &Token| matches!(token, Token::Word(found) if found.value.eq_ignore_ascii_case(word));
        Self::of_token(sql, tokens(sql).iter().find(|token| is_it(&token.token))?)
    }

    /// The first place of a text in single quotes.
    pub(super) fn of_text(sql: &str, text: &str) -> Option<Self> {
        let is_it = |token: &Token| matches!(token, Token::SingleQuotedString(found) if found == text);
        Self::of_token(sql, tokens(sql).iter().find(|token| is_it(&token.token))?)
    }
}

/// The tokens of a query without blanks and comments; none, if it has no tokens.
pub(super) fn tokens(sql: &str) -> Vec<TokenWithSpan> {
    let mut tokens = Tokenizer::new(&GenericDialect {}, sql).tokenize_with_location().unwrap_or_default();
    tokens.retain(|token| !matches!(token.token, Token::Whitespace(_)));
    tokens
}
