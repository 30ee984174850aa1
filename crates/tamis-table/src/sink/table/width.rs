//! What a terminal shows of a text.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The columns a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// A text without anything that a terminal obeys, with one space for any run of blanks. Of a text that is wider than a
/// terminal only so much is read that it is still wider.
pub(super) fn printable(text: &str, most: Option<usize>) -> String {
    // Characters that take no column are few, and what is cut here is cut again.
    let most = most.map_or(usize::MAX, |width| width.saturating_mul(4).saturating_add(64));
    let mut made = String::new();
    let shown = text.trim().chars().take(most);
    for c in shown.filter(|&c| c.is_whitespace() || !(c.is_control() || is_direction(c))) {
        if !c.is_whitespace() {
            made.push(c);
        } else if !made.ends_with(' ') {
            made.push(' ');
        }
    }
    made
}

/// Whether it changes the direction of what follows, beyond the cell.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A text cut to some columns, with a `…` if it was.
pub(super) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let fits = |grapheme: &&str| {
        let fits = width(grapheme) <= left;
        left = left.saturating_sub(width(grapheme));
        fits
    };
    let kept: String = text.graphemes(true).take_while(fits).collect();
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_what_one_sees_as_characters() {
        for (text, columns, expected) in [
            ("word", 4, "word"),
            ("words", 4, "wor…"),
            ("日本語", 6, "日本語"),
            ("日本語", 5, "日本…"),
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
        assert!(printable(&"x".repeat(1 << 20), Some(80)).len() < 500);
    }
}
