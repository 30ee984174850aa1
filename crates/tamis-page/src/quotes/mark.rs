//! Quotation marks in a paragraph, each with what stands beside it.

/// Two backticks, and two apostrophes: the marks of typewriters and of the Penn Treebank. Private characters, so that a
/// mark is always one.
pub(super) const TICKS: char = '\u{E000}';
pub(super) const APOSTROPHES: char = '\u{E001}';

/// On which side of a quote the neighbours of a mark put it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Space before, none behind.
    Opening,
    /// Space behind, none before.
    Closing,
    /// Space on both sides.
    Loose,
    /// Space on neither.
    Inner,
}

/// A mark that may open or close a quote.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// The mark, forms of the same one made equal.
    pub(super) glyph: char,
    /// Its bytes in the paragraph.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Index of its first character in the paragraph, and how many it has.
    pub(super) char_start: usize,
    pub(super) char_length: usize,
    /// The nearest characters that are no marks themselves.
    pub(super) before: Option<char>,
    pub(super) after: Option<char>,
    /// Stands right behind the apostrophe of a word, as in `l'"`.
    pub(super) after_elision: bool,
}

impl Mark {
    pub(super) fn is_single(&self) -> bool {
        is_single(self.glyph)
    }

    /// A mark that only knows what stands before it.
    fn behind(paragraph: &str, start: usize, marks: &[Mark]) -> Mark {
        let adjacent = marks.last().filter(|mark| mark.end == start);
        let before = adjacent.map_or_else(|| paragraph[..start].chars().next_back(), |mark| mark.before);
        let is_apostrophe = adjacent.is_some_and(|mark| matches!(mark.glyph, '\'' | '’'));
        let after_elision = is_apostrophe && before.is_some_and(char::is_alphabetic);
        Mark {
            glyph: ' ',
            start,
            end: start,
            char_start: 0,
            char_length: 0,
            before,
            after: None,
            after_elision,
        }
    }

    /// The neighbour with more space wins: white space before punctuation before letters.
    pub(super) fn side(&self) -> Side {
        let left = if self.after_elision { 1 } else { space_before(self.before) };
        let right = space_behind(self.after);
        match (left, right) {
            _ if left > right => Side::Opening,
            _ if left < right => Side::Closing,
            (0, _) => Side::Inner,
            _ => Side::Loose,
        }
    }

    /// Between letters or digits of scripts with spaces: an apostrophe, if it is one by its form.
    pub(super) fn is_within_word(&self) -> bool {
        self.before.is_some_and(is_word) && self.after.is_some_and(is_word)
    }

    pub(super) fn is_behind_digit(&self) -> bool {
        self.before.is_some_and(|c| c.is_ascii_digit() || "½¼¾⅓⅔⅛⅜⅝⅞".contains(c))
    }
}

/// Whether the mark is for quotes within, and may be an apostrophe.
pub(super) fn is_single(glyph: char) -> bool {
    matches!(glyph, '\'' | '`' | '‘' | '’' | '‚')
}

/// All marks of a paragraph, in order.
pub(super) fn marks(paragraph: &str) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    let mut at = 0;
    let (mut counted, mut char_start) = (0, 0);
    while let Some(found) = paragraph.as_bytes()[at..].iter().position(|&b| may_start(b)) {
        let start = at + found;
        let Some(c) = paragraph[start..].chars().next() else { break };
        at = start + c.len_utf8();
        let Some(mut glyph) = glyph(c) else { continue };
        let mut char_length = 1;
        if let Some(double) = doubled(c).filter(|_| paragraph[at..].starts_with(c)) {
            (glyph, char_length) = (double, 2);
            at += c.len_utf8();
        }
        char_start += paragraph[counted..start].chars().count();
        counted = start;
        marks.push(Mark {
            glyph,
            start,
            end: at,
            char_start,
            char_length,
            ..Mark::behind(paragraph, start, &marks)
        });
    }
    look_behind(paragraph, &mut marks);
    marks
}

/// Bytes that a mark's first may be; most text is passed over by this alone.
fn may_start(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`' | 0xC2 | 0xE2 | 0xE3 | 0xEF)
}

/// Fills in what follows each mark.
fn look_behind(paragraph: &str, marks: &mut [Mark]) {
    let mut next: Option<Mark> = None;
    for mark in marks.iter_mut().rev() {
        mark.after = match next {
            Some(next) if next.start == mark.end => next.after,
            _ => paragraph[mark.end..].chars().next(),
        };
        next = Some(*mark);
    }
}

/// The mark a character stands for.
pub(super) fn glyph(c: char) -> Option<char> {
    Some(match c {
        '"' | '\'' | '`' | '‘' | '’' | '‚' | '“' | '”' | '„' | '«' | '»' | '‹' | '›' | '「' | '」' | '『'
        | '』' | '《' | '》' | '〈' | '〉' | '〝' | '〟' => c,
        '＂' => '"',
        '＇' => '\'',
        '‛' => '‘',
        '‟' => '“',
        '〞' => '〟',
        '｢' | '﹁' => '「',
        '｣' | '﹂' => '」',
        '﹃' => '『',
        '﹄' => '』',
        _ => return None,
    })
}

fn doubled(c: char) -> Option<char> {
    match c {
        '`' => Some(TICKS),
        '\'' => Some(APOSTROPHES),
        _ => None,
    }
}

/// How much of a gap a mark has before it.
fn space_before(c: Option<char>) -> u8 {
    gap(c, "([{<>¿¡–—―-/=~:;*_|…（【：；·•")
}

/// How much of a gap a mark has behind it.
fn space_behind(c: Option<char>) -> u8 {
    gap(c, ".,;:!?)]}…–—―-/<*_|。，、；：！？）】·")
}

fn gap(c: Option<char>, punctuation: &str) -> u8 {
    match c {
        Some(c) if c.is_whitespace() => 2,
        Some(c) => u8::from(punctuation.contains(c)),
        None => 2,
    }
}

/// A letter or digit of a script that puts spaces between words.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() && !is_unspaced(c)
}

fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{abff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_tell_the_side() {
        use Side::{Closing, Inner, Loose, Opening};
        for (text, sides) in [
            ("\"a\"", &[Opening, Closing][..]),
            ("a \"b\" c", &[Opening, Closing]),
            ("(\"b\")", &[Opening, Closing]),
            ("a—\"b\"—c", &[Opening, Closing]),
            ("\"—a.\"", &[Opening, Closing]),
            ("\"'a'\" b", &[Opening, Opening, Closing, Closing]),
            ("l'\"a\"", &[Inner, Opening, Closing]),
            ("« a »", &[Loose, Loose]),
            ("a''b ``c", &[Inner, Opening]),
            ("他说\"好\"。", &[Inner, Closing]),
        ] {
            let found: Vec<Side> = marks(text).iter().map(Mark::side).collect();
            assert_eq!(found, sides, "{text}");
        }
    }

    #[test]
    fn marks_know_their_place() {
        let all = marks("ä ``b'' „");
        let places: Vec<_> =
            all.iter().map(|mark| (mark.start, mark.end, mark.char_start, mark.char_length)).collect();
        assert_eq!(places, [(3, 5, 2, 2), (6, 8, 5, 2), (9, 12, 8, 1)]);
        assert_eq!(all[2].glyph, '„');
    }
}
