//! Characters that are gone: a `?` or U+FFFD stands in their place.
//!
//! A `?` within a word is no question: `M?ller`, `don?t`, `?? ?????`. What it was cannot be known, so the places are
//! only named.

use std::ops::Range;

/// Places in a text, in characters, where a character was lost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lost {
    /// `?` that stand for a character.
    pub question_marks: Vec<usize>,
    /// U+FFFD: some decoder could not read what was there.
    pub replaced: Vec<usize>,
}

/// How many `?` within words make it sure that they are no typing errors, which are one in some thousand words.
const PROOF: usize = 2;

/// Finds what was lost. `expected` says that the text comes from a time when characters were lost: one `?` proves it then.
pub(super) fn find(text: &str, expected: bool) -> Lost {
    let replaced = positions(text, char::REPLACEMENT_CHARACTER);
    if !may_have_lost(text.as_bytes()) {
        return Lost { question_marks: Vec::new(), replaced };
    }
    let mut finder = Finder::default();
    for word in words(text) {
        finder.word(word);
    }
    let enough = if expected { 1 } else { PROOF };
    let proven = finder.within >= enough && finder.within * 400 >= finder.words;
    Lost { question_marks: if proven { finder.found } else { Vec::new() }, replaced }
}

/// Whether some `?` stand between what may be letters. Nearly all texts have none and end here.
fn may_have_lost(bytes: &[u8]) -> bool {
    let before = |byte: u8| byte.is_ascii_alphabetic() || byte >= 0x80;
    let after = |byte: u8| byte.is_ascii_lowercase() || byte >= 0x80;
    let mut letter_before_run = false;
    memchr::memchr_iter(b'?', bytes).any(|at| {
        let previous = at.checked_sub(1).map(|at| bytes[at]);
        if previous != Some(b'?') {
            letter_before_run = previous.is_some_and(before);
        }
        letter_before_run && bytes.get(at + 1).copied().is_some_and(after)
    })
}

fn positions(text: &str, wanted: char) -> Vec<usize> {
    // Most texts have none, and this is faster than to go through them by characters.
    if !text.contains(wanted) {
        return Vec::new();
    }
    text.chars().enumerate().filter(|(_, char)| *char == wanted).map(|(at, _)| at).collect()
}

/// A word and what follows it, as far as it tells a question from a lost letter.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    /// Offset in characters.
    at: usize,
    /// Whether the next word on the line starts with a small letter.
    goes_on: bool,
}

fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    text.split_inclusive(char::is_whitespace).scan(0, move |offset, piece| {
        let word =
            Word { text: piece.trim_end(), at, goes_on: goes_on(&text[*offset + piece.len()..], piece) };
        at += piece.chars().count();
        *offset += piece.len();
        Some(word)
    })
}

fn goes_on(rest: &str, piece: &str) -> bool {
    !piece.ends_with('\n') && rest.strip_prefix(' ').unwrap_or(rest).starts_with(char::is_lowercase)
}

#[derive(Default)]
struct Finder {
    found: Vec<usize>,
    words: usize,
    /// `?` that cannot be questions.
    within: usize,
}

impl Finder {
    fn word(&mut self, word: Word<'_>) {
        self.words += usize::from(!word.text.is_empty());
        if !word.text.contains('?') || is_address(word.text) {
            return;
        }
        let chars: Vec<char> = word.text.chars().collect();
        let mut at = 0_usize;
        for run in chars.chunk_by(|one, other| (*one == '?') == (*other == '?')) {
            if run[0] == '?' {
                let before = at.checked_sub(1).map(|before| chars[before]);
                self.run(word, at..at + run.len(), before, chars.get(at + run.len()).copied());
            }
            at += run.len();
        }
    }

    /// Judges a run of `?` by what stands around it.
    fn run(&mut self, word: Word<'_>, run: Range<usize>, before: Option<char>, after: Option<char>) {
        let behind_letter = before.is_some_and(char::is_alphabetic);
        let leads_on = after.is_some_and(char::is_lowercase);
        let ends = behind_letter && after.map_or(word.goes_on, |char| matches!(char, ',' | ';' | ':'));
        if behind_letter && leads_on {
            self.within += run.len();
        }
        if leads_on || ends {
            self.found.extend(run.map(|at| word.at + at));
        }
    }
}

/// Addresses have their own use for `?`.
fn is_address(word: &str) -> bool {
    word.contains(['/', '=', '&', '@', '\\', '<', '>', '_']) || word.contains("www.") || word.contains(".?")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &str) -> Vec<usize> {
        find(text, false).question_marks
    }

    #[test]
    fn marks_within_words_are_lost_letters() {
        assert_eq!(marks("Herr M?ller fuhr nach K?ln"), [6, 23]);
        assert_eq!(marks("don?t say it?s so"), [3, 12]);
        assert_eq!(marks("le caf? est ferm? ? l??t?, n?est-ce pas?"), [6, 21, 22, 24, 28]);
    }

    #[test]
    fn questions_are_no_loss() {
        for text in [
            "Really? Yes? no?",
            "what?No",
            "http://a.example/?q=x&r=y http://b.example/?q=x index.php?id=3",
            "who??? me?!",
            "",
            "???",
            "one typing?error only",
        ] {
            assert_eq!(marks(text), [] as [usize; 0], "{text}");
        }
    }

    #[test]
    fn a_time_of_losses_makes_one_enough() {
        assert_eq!(find("caf?s", true).question_marks, [3]);
    }

    #[test]
    fn replacement_characters_are_counted_in_characters() {
        assert_eq!(find("é\u{FFFD}é\u{FFFD}", false).replaced, [1, 3]);
    }
}
