//! What a terminal shows of a text.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Of no text fewer characters than four times this are read.
const READ: usize = 1000;

/// The columns a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// A text without anything that a terminal obeys, with one space for any run of blanks. Of a long one only so much is read as
/// a terminal might show of it.
pub(super) fn printable(text: &str, terminal: Option<usize>) -> String {
    let most = terminal.map_or(usize::MAX, |width| width.max(READ) * 4);
    let mut made = String::new();
    let mut characters = text.trim().chars();
    let shown = characters.by_ref().take(most);
    for c in shown.filter(|&c| c.is_whitespace() || !(c.is_control() || is_direction(c))) {
        if !c.is_whitespace() {
            made.push(c);
        } else if !made.ends_with(' ') {
            made.push(' ');
        }
    }
    if characters.next().is_some() {
        made.push('…');
    }
    made
}

/// Whether it changes the direction of what follows, beyond the cell.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A text cut to some columns, with a `…` if it was: at its end, or in the middle of one that is no prose, for addresses and
/// digests differ at their ends.
pub(super) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let left = columns.saturating_sub(1);
    let is_word = text.is_ascii() && !text.contains(' ') && !text.starts_with(['[', '{']);
    let tail = if is_word { left / 2 } else { 0 };
    let end: Vec<&str> = taken(text.graphemes(true).rev(), tail).collect();
    let start = taken(text.graphemes(true), left - tail);
    start.chain(["…"]).chain(end.into_iter().rev()).collect()
}

/// As many of these as fit into some columns.
fn taken<'t>(graphemes: impl Iterator<Item = &'t str>, columns: usize) -> impl Iterator<Item = &'t str> {
    let mut left = Some(columns);
    graphemes.take_while(move |grapheme| {
        left = left.and_then(|left| left.checked_sub(width(grapheme)));
        left.is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_what_one_sees_as_characters() {
        for (text, columns, expected) in [
            ("word", 4, "word"),
            ("words and words", 8, "words a…"),
            ("words", 4, "wo…s"),
            ("http://a.example/one/two", 13, "http:/…ne/two"),
            ("日本語", 6, "日本語"),
            ("日 本語", 5, "日 …"),
            ("日本語", 4, "日…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
            ("ab", 0, "…"),
        ] {
            assert_eq!(cut(text, columns), expected, "{text}");
        }
    }

    #[test]
    fn a_terminal_is_given_nothing_to_obey() {
        assert_eq!(printable("\u{1b}[31mred\u{9b}0m \r\n\t \u{202E}end\u{0} ", None), "[31mred0m end");
        assert!(printable(&"x".repeat(1 << 20), Some(80)).len() < 5000);
    }
}
