//! Words by Unicode's rules, in all languages.

use std::sync::LazyLock;

use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

use super::token::{Form, Token};

/// Chinese, Japanese, Burmese, Khmer, Lao and Thai by dictionaries, all others by the rules of Unicode Standard Annex 29.
/// There are neural models for the last four, too: they know words no better and read 26 KB of Thai a second, not 12 MB.
static SEGMENTER: LazyLock<WordSegmenterBorrowed<'static>> =
    LazyLock::new(|| WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()));

/// The longest run without white space that is given to the segmenter at once. No word is nearly as long.
const LONGEST_RUN: usize = 1 << 16;

/// The tokens of a text: words, numbers and marks, but not white space.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let (mut byte, mut characters) = (0, 0);
    for run in runs(text) {
        let mut last = 0;
        for end in SEGMENTER.segment_str(run) {
            let piece = &run[last..end];
            let count = piece.chars().count() as u32;
            if !piece.is_empty() && !piece.chars().all(char::is_whitespace) {
                tokens.push(Token {
                    start: characters,
                    end: characters + count,
                    start_byte: (byte + last) as u32,
                    end_byte: (byte + end) as u32,
                    form: Form::AsIs,
                });
            }
            characters += count;
            last = end;
        }
        byte += run.len();
    }
    tokens
}

/// A text in runs of at most [`LONGEST_RUN`] bytes or a bit more, cut behind white space where there is some.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let most = rest.floor_char_boundary(LONGEST_RUN.min(rest.len()));
        let end = if most == rest.len() {
            most
        } else {
            rest[..most].rfind([' ', '\n']).map_or(most, |space| space + 1)
        };
        let (run, behind) = rest.split_at(end);
        rest = behind;
        Some(run)
    })
}
