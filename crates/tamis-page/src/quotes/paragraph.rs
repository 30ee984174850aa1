//! Where the paragraphs of a text start and end.

use std::ops::Range;

/// The paragraphs, as ranges of bytes: between blank lines, or between line breaks where no line is blank.
pub(super) fn paragraphs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let by_line = blank_line(text).is_none();
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let found = if by_line {
            memchr::memchr(b'\n', rest.as_bytes()).map(|at| at..at + 1)
        } else {
            blank_line(rest)
        };
        let gap = found.unwrap_or(rest.len()..rest.len());
        let paragraph = at..at + gap.start;
        at += gap.end;
        Some(paragraph)
    })
}

/// The line breaks around the first blank line.
fn blank_line(text: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        let start = at + memchr::memchr(b'\n', &bytes[at..])?;
        let gap = bytes[start..].iter().position(|b| !matches!(b, b'\n' | b'\r' | b' ' | b'\t'));
        let end = gap.map_or(bytes.len(), |gap| start + gap);
        if memchr::memchr(b'\n', &bytes[start + 1..end]).is_some() {
            return Some(start..end);
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_part_paragraphs_and_else_line_breaks_do() {
        for (text, expected) in [
            ("", &[][..]),
            ("a", &["a"]),
            ("a\nb", &["a", "b"]),
            ("a\nb\n\nc", &["a\nb", "c"]),
            ("a\r\n\r\nb\n \t\n\nc\n", &["a\r", "b", "c\n"]),
            ("\n\na", &["", "a"]),
            ("a\n", &["a"]),
        ] {
            let found: Vec<&str> = paragraphs(text).map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
