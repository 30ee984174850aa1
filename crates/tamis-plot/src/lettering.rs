//! How wide text is, and what to do with too much of it.

use std::sync::LazyLock;

use skrifa::charmap::Charmap;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{FontRef, MetadataProvider};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// A subset of `DejaVu Sans`; `font/README.md` says how it was made.
pub(super) const FONT: &[u8] = include_bytes!("font/DejaVuSans-subset.ttf");

/// The family to draw with. The others are as wide or nearly so, for machines without the first.
pub(super) const FAMILIES: &str = "DejaVu Sans, Bitstream Vera Sans, Verdana, Geneva, sans-serif";

/// Of no label more characters than this are read.
const READ: usize = 2000;

/// Which letters the bundled font has, and how wide they are for a font size of 1.
static BUNDLED: LazyLock<(Charmap<'static>, GlyphMetrics<'static>)> = LazyLock::new(|| {
    let font = FontRef::new(FONT).expect("the bundled font is one, a test opens it");
    (font.charmap(), font.glyph_metrics(Size::new(1.0), LocationRef::default()))
});

/// The width of a text in the unit of the font size. Letters that the font has not are taken as squares, which few
/// exceed: another font has to draw them.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.graphemes(true).map(letter_width).sum::<f64>() * size
}

/// The width of what one sees as one character, for a font size of 1.
fn letter_width(letter: &str) -> f64 {
    let (charmap, metrics) = &*BUNDLED;
    let known = |c: char| charmap.map(c).and_then(|glyph| metrics.advance_width(glyph)).map(f64::from);
    let all: Option<f64> = letter.chars().map(known).sum();
    // A cluster of marks or an emoji of several parts is one shape in any font that has it.
    all.unwrap_or(if letter.width() == 0 { 0.0 } else { 1.0 })
}

/// A text on one line, without anything that a terminal obeys or that XML cannot hold.
pub(super) fn printable(text: &str) -> String {
    let mut made = String::new();
    let mut characters = text.trim().chars();
    for c in characters.by_ref().take(READ).filter(|&c| c.is_whitespace() || !is_obeyed(c)) {
        if !c.is_whitespace() || is_fixed_space(c) {
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

/// Whether it is a command rather than a letter: controls, changes of direction, and what is no character.
fn is_obeyed(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FFFE}' | '\u{FFFF}')
}

/// The spaces in `55.9 %` at which no line ends.
fn is_fixed_space(c: char) -> bool {
    matches!(c, '\u{A0}' | '\u{202F}')
}

/// A text cut so that it fits, with `…` if it was.
pub(super) fn shortened(text: &str, size: f64, fits: f64) -> String {
    cut(text, "…", fits, |part| width(part, size))
}

/// A text cut between what one sees as characters so that it fits, measured as the caller does.
pub(super) fn cut(text: &str, ellipsis: &str, fits: f64, measure: impl Fn(&str) -> f64) -> String {
    if measure(text) <= fits {
        return text.to_owned();
    }
    let mut left = fits - measure(ellipsis);
    if left < 0.0 {
        return String::new();
    }
    let taken = text.graphemes(true).take_while(|letter| {
        left -= measure(letter);
        left >= 0.0
    });
    let end = taken.map(str::len).sum();
    format!("{}{ellipsis}", text[..end].trim_end())
}

/// A text in lines that fit, at most so many, the last cut.
pub(super) fn wrapped(text: &str, size: f64, fits: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let is_last = lines.len() == most;
        match lines.last_mut() {
            // The last line may go beyond its end, so that the cut leaves its mark.
            Some(line) if is_last || width(&format!("{line} {word}"), size) <= fits => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| shortened(line, size, fits)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_font_has_the_letters_of_charts() {
        let (charmap, _) = &*BUNDLED;
        for c in "Az09 ~ÀÿŁőΑωЯё–—“”„…·•✓✗✔✘−+÷×±→←↑↓≈≤≥∞µ%‰€⁰¹⁴⁹⁻\u{A0}\u{202F}".chars()
        {
            assert!(charmap.map(c).is_some_and(|glyph| glyph.to_u32() != 0), "{c:?} U+{:04X}", c as u32);
        }
        assert!(FONT.len() <= 100_000);
    }

    #[test]
    fn widths_are_those_of_the_font() {
        // From the table `hmtx` of DejaVu Sans 2.37, 2048 units to the em.
        for (text, units) in
            [("0", 1303.0), ("i", 569.0), ("M", 1767.0), ("Mi", 2336.0), ("", 0.0), ("日", 2048.0)]
        {
            assert!((width(text, 2048.0) - units).abs() < 0.01, "{text}: {}", width(text, 2048.0));
        }
    }

    #[test]
    fn what_is_obeyed_is_taken_out() {
        for (text, expected) in [
            ("  a\n\tb ", "a b"),
            ("\u{1b}[31mred\u{7}", "[31mred"),
            ("a\u{202E}b\u{0}c\u{FFFF}", "abc"),
            ("55.9\u{A0}%", "55.9\u{A0}%"),
            ("", ""),
        ] {
            assert_eq!(printable(text), expected);
        }
        assert!(printable(&"x".repeat(10_000)).chars().count() <= READ + 1);
    }

    #[test]
    fn what_is_too_long_ends_in_an_ellipsis() {
        let columns = |part: &str| part.chars().count() as f64;
        for (text, fits, expected) in [
            ("word", 4.0, "word"),
            ("words", 4.0, "wor…"),
            ("so it is", 4.0, "so…"),
            ("ab", 1.0, "…"),
            ("ab", 0.0, ""),
        ] {
            assert_eq!(cut(text, "…", fits, columns), expected);
        }
        let long = shortened(&"Donaudampfschiff".repeat(30), 12.0, 100.0);
        assert!(long.ends_with('…') && width(&long, 12.0) <= 100.0, "{long}");
    }

    #[test]
    fn a_title_is_broken_at_its_words() {
        let title = "Time of the job against the number of files it read";
        let lines = wrapped(title, 15.0, 150.0, 9);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, 15.0) <= 150.0), "{lines:?}");
        assert_eq!(lines.join(" "), title);
        let cut = wrapped(title, 15.0, 150.0, 2);
        assert!(cut.len() == 2 && cut[1].ends_with('…'), "{cut:?}");
        assert!(wrapped("", 15.0, 200.0, 2).is_empty());
    }
}
