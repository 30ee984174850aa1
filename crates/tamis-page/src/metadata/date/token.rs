//! Text as numbers, words and marks, for reading dates.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A run of ASCII digits.
    Number,
    /// A run of letters; in scripts without spaces between words, one letter.
    Word,
    /// Anything else but white space.
    Mark,
}

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    /// Whether white space stands before it.
    pub(super) spaced: bool,
    /// A number's value; 0 if it has more than 14 digits.
    pub(super) value: u64,
}

impl Token<'_> {
    pub(super) fn is_number(&self) -> bool {
        self.kind == Kind::Number
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub(super) fn digits(&self) -> usize {
        if self.is_number() { self.text.len() } else { 0 }
    }
}

/// Cuts the text into tokens.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::with_capacity(text.len().min(512) / 3 + 1);
    let mut rest = text;
    let mut spaced = false;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            spaced = true;
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (kind, len) = measure(rest, first);
        let (text, after) = rest.split_at(len);
        found.push(Token { kind, text, spaced, value: value(kind, text) });
        spaced = false;
        rest = after;
    }
    found
}

fn measure(rest: &str, first: char) -> (Kind, usize) {
    let run = |keep: fn(char) -> bool| rest.find(|c| !keep(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        (Kind::Number, run(|c| c.is_ascii_digit()))
    } else if is_unspaced(first) {
        (Kind::Word, first.len_utf8())
    } else if first.is_alphabetic() {
        (Kind::Word, run(|c| (c.is_alphabetic() && !is_unspaced(c)) || is_combining(c)))
    } else {
        (Kind::Mark, first.len_utf8())
    }
}

/// Han, Kana and Hangul.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// Marks that Thai, Hindi and decomposed Latin words hold.
fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{97f}' | '\u{e30}'..='\u{e4e}')
}

fn value(kind: Kind, text: &str) -> u64 {
    if kind == Kind::Number && text.len() <= 14 { text.parse().unwrap_or(0) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_where_dates_need_it() {
        let cut = |text| tokens(text).iter().map(|token| token.text.to_owned()).collect::<Vec<_>>();
        assert_eq!(cut("6th May, 2019"), ["6", "th", "May", ",", "2019"]);
        assert_eq!(cut("2019年5月6日星期一"), ["2019", "年", "5", "月", "6", "日", "星", "期", "一"]);
        assert_eq!(cut("2019-05-06T10:00Z"), ["2019", "-", "05", "-", "06", "T", "10", ":", "00", "Z"]);
    }
}
