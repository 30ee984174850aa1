//! Text within markup: judged by what readers see, mended where it is written.
//!
//! Markup and scripts tell nothing of the text: they are ASCII, and they name encodings. So the verdict is on the text alone,
//! and the source is then mended by it: the text as if it stood by itself, line by line where only parts are damaged; and
//! what is not seen (attributes, data in scripts) by the same steps.

use std::borrow::Cow;
use std::ops::Range;

use super::controls::Controls;
use super::misread::Reading;
use super::plan::{known_misread, mended};
use super::survey::{BLANK, Found};
use super::{Repaired, Step};

/// Where the text of a source is.
#[derive(Debug, Default)]
pub(crate) struct Markup {
    /// A range of text, and whether it starts on a line of its own; in order.
    pub(crate) pieces: Vec<(Range<usize>, bool)>,
}

impl Markup {
    /// The source with nothing but its text, in its place.
    fn text(&self, source: &str) -> String {
        self.blanked(source, false)
    }

    /// The source without its text; each value of it is a line.
    fn rest(&self, source: &str) -> String {
        let rest = self.blanked(source, true);
        rest.replace(['<', '>', '"', '\''], "\n")
    }

    /// Every other part byte by byte replaced, so that nothing moves.
    fn blanked(&self, source: &str, text: bool) -> String {
        let mut shown = String::with_capacity(source.len());
        let mut read = 0;
        for (piece, starts_line) in &self.pieces {
            let blank = if *starts_line { '\n' } else { BLANK };
            show(&mut shown, &source[read..piece.start], text, blank);
            show(&mut shown, &source[piece.clone()], !text, '\n');
            read = piece.end;
        }
        show(&mut shown, &source[read..], text, '\n');
        shown
    }
}

fn show(shown: &mut String, part: &str, as_it_is: bool, blank: char) {
    if as_it_is {
        shown.push_str(part);
    } else {
        shown.extend(std::iter::repeat_n(blank, part.len()));
    }
}

/// The source of a text that was found damaged: mended by the same steps, none of which needs a proof again. `find` tells
/// where its text is; `references` are those that it was judged with.
pub(crate) fn mend_markup(
    source: &str,
    verdict: &Repaired<'_>,
    references: References,
    find: impl Fn(&str) -> Markup,
) -> String {
    let mut source = with_characters(source, references).into_owned();
    for step in &verdict.steps {
        match step {
            Step::Misread(reading) => source = undone(&source, *reading, &find(&source)),
            Step::Controls => source = Controls::of(&source).mended(&source),
        }
    }
    source
}

fn undone(source: &str, reading: Reading, markup: &Markup) -> String {
    let (mut found, whole) = known_misread(&markup.text(source), reading, true);
    let (rest, _) = known_misread(&markup.rest(source), reading, whole);
    found.extend(rest);
    found.sort_by_key(|found| found.at);
    mended(source, &found.iter().collect::<Vec<&Found>>())
}

/// Which character references are read before a text is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum References {
    /// Those beside a character beyond ASCII: editors write the second half of `à` as `Ã&nbsp;`. All others were
    /// written by people or by programs that knew what they wrote, and say nothing for or against the rest.
    Bound,
    /// All: some software writes everything so, and `&Atilde;&copy;` is as damaged as `Ã©`.
    All,
}

/// Bytes of the longest reference, `&CounterClockwiseContourIntegral;`.
const LONGEST_REFERENCE: usize = 33;

/// A source with the characters beyond ASCII that it has references for.
pub(crate) fn with_characters(source: &str, references: References) -> Cow<'_, str> {
    let mut written = String::new();
    let (mut read, mut from) = (0, 0);
    while let Some(found) = memchr::memchr(b'&', &source.as_bytes()[from..]) {
        let start = from + found;
        let (chars, end) = run_of_references(source, start);
        from = end.max(start + 1);
        let is_high = |byte: Option<&u8>| byte.is_some_and(|byte| !byte.is_ascii());
        let (before, after) = (source.as_bytes()[..start].last(), source.as_bytes().get(end));
        if !chars.is_empty() && (references == References::All || is_high(before) || is_high(after)) {
            written.push_str(&source[read..start]);
            written.push_str(&chars);
            read = end;
        }
    }
    if read == 0 {
        return Cow::Borrowed(source);
    }
    written.push_str(&source[read..]);
    Cow::Owned(written)
}

/// The characters of the references from `start` on that follow at once upon each other, and where the last ends.
fn run_of_references(source: &str, start: usize) -> (String, usize) {
    let (mut chars, mut end) = (String::new(), start);
    while let Some((char, len)) = source[end..].starts_with('&').then(|| reference(&source[end..])).flatten()
    {
        chars.push(char);
        end += len;
    }
    (chars, end)
}

/// The character beyond ASCII that a source starts with a reference to, and the reference's length.
fn reference(source: &str) -> Option<(char, usize)> {
    let near = &source.as_bytes()[..source.len().min(LONGEST_REFERENCE)];
    let len = memchr::memchr(b';', near)? + 1;
    let text = htmlize::unescape(source.get(..len)?);
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(char @ '\u{80}'..), None) => Some((char, len)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_become_characters_where_they_are_no_markup() {
        for (source, written) in [
            ("caf&Atilde;&copy; &lt;b&gt; &amp;", "cafÃ© &lt;b&gt; &amp;"),
            ("&#233;&#xE9;&#146;&#60;", "éé’&#60;"),
            ("a?b=1&copy=2;", "a?b=1&copy=2;"),
            ("&&eacute;; &é;", "&é; &é;"),
            ("&", "&"),
        ] {
            assert_eq!(with_characters(source, References::All), written);
        }
        for (source, written) in [
            ("dÃ©jÃ&nbsp;vu &copy; 2020", "dÃ©jÃ\u{a0}vu &copy; 2020"),
            ("â&euro;&trade;s", "â€™s"),
            ("&acirc;&euro;\u{99}s", "â€\u{99}s"),
            ("est&aacute;&raquo;&hellip;", "est&aacute;&raquo;&hellip;"),
            ("é&amp;&eacute;", "é&amp;&eacute;"),
        ] {
            assert_eq!(with_characters(source, References::Bound), written);
        }
    }

    #[test]
    fn text_and_rest_lie_where_they_were() {
        let source = "<p title=\"é\">ab<b>ç</b>";
        let markup = Markup { pieces: vec![(14..16, true), (19..21, false)] };
        assert_eq!(markup.text(source), format!("{}ab\0\0\0ç\n\n\n\n", "\n".repeat(14)));
        assert_eq!(markup.rest(source), "\np title=\né\n\n\n\n\nb\n\n\n\n/b\n");
    }
}
