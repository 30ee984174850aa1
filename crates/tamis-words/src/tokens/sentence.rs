//! Sentences, told by the tokens.

use std::ops::Range;

use super::abbreviations::is_abbreviation;
use super::is_english;
use super::token::Token;

/// A sentence of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Its tokens.
    pub tokens: Range<usize>,
    /// Its first character, counted from the start of the text.
    pub start: u32,
    /// The character behind its last one.
    pub end: u32,
}

/// The sentences of a text whose tokens are given, in a language by its tag.
///
/// A sentence ends with a mark that says so and what closes behind it, or where a paragraph does. In English the tokens
/// tell which points do: those of abbreviations belong to them. Elsewhere a point ends no sentence behind an abbreviation or
/// an initial, or where a small letter follows; behind a number it does so only before what no month is.
///
/// ```
/// use tamis_words::tokens::{sentences, split};
///
/// let text = "Mr. Li said: \"Go!\" He went.";
/// let tokens = split(text, Some("en"));
/// let found: Vec<_> = sentences(text, &tokens, Some("en")).iter().map(|one| (one.start, one.end)).collect();
/// assert_eq!(found, [(0, 18), (19, 27)]);
/// ```
pub fn sentences(text: &str, tokens: &[Token], language: Option<&str>) -> Vec<Sentence> {
    let split = Split { text, tokens, language, by_treebank: language.is_none_or(is_english) };
    let mut sentences = Vec::new();
    let (mut first, mut at) = (0, 0);
    while at < tokens.len() {
        if at > first && split.is_new_paragraph(at) {
            sentences.push(split.sentence(first..at));
            first = at;
        }
        if split.ends(at) {
            let end = split.closed(at + 1);
            if split.may_start(end, end > at + 1) {
                sentences.push(split.sentence(first..end));
                first = end;
            }
            at = end;
        } else {
            at += 1;
        }
    }
    if first < tokens.len() {
        sentences.push(split.sentence(first..tokens.len()));
    }
    sentences
}

struct Split<'a> {
    text: &'a str,
    tokens: &'a [Token],
    language: Option<&'a str>,
    /// Whether the tokens are those of the Penn Treebank.
    by_treebank: bool,
}

impl Split<'_> {
    fn sentence(&self, tokens: Range<usize>) -> Sentence {
        let (start, end) = (self.tokens[tokens.start].start, self.tokens[tokens.end - 1].end);
        Sentence { tokens, start, end }
    }

    fn source(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.source(self.text))
    }

    /// The white space before a token.
    fn gap(&self, at: usize) -> &str {
        let from = at.checked_sub(1).map_or(0, |before| self.tokens[before].end_byte) as usize;
        let to = self.tokens.get(at).map_or(self.text.len(), |token| token.start_byte as usize);
        self.text.get(from..to).unwrap_or_default()
    }

    /// Whether a blank line parts this token from the one before.
    fn is_new_paragraph(&self, at: usize) -> bool {
        self.gap(at).bytes().filter(|&byte| byte == b'\n').count() > 1
    }

    /// Whether a token ends a sentence by itself, whatever follows.
    fn ends(&self, at: usize) -> bool {
        let source = self.source(at);
        let mut marks = source.chars();
        let Some(first) = marks.next() else { return false };
        if !is_terminal(first) || !marks.all(is_terminal) {
            return false;
        }
        // A second point behind an abbreviation in it, or a point of a number by Unicode's rules, is part of the same end.
        source != "." || self.by_treebank || at == 0 || !self.goes_on(at)
    }

    /// Whether a point by Unicode's rules is that of an abbreviation, or of a number that counts.
    fn goes_on(&self, point: usize) -> bool {
        let before = self.source(point - 1);
        let is_beside = self.gap(point).is_empty();
        let next = self.source(point + 1);
        let is_small = next.chars().next().is_some_and(char::is_lowercase);
        let is_glued = self.gap(point + 1).is_empty() && next.starts_with(char::is_alphanumeric);
        let is_count = before.bytes().all(|byte| byte.is_ascii_digit()) && before.len() < 3;
        is_beside && (is_glued || is_small || is_count || is_abbreviation(before, self.language))
    }

    /// The first token from `at` on that closes nothing.
    fn closed(&self, mut at: usize) -> usize {
        while at < self.tokens.len() && self.closes(at) {
            at += 1;
        }
        at
    }

    fn closes(&self, at: usize) -> bool {
        let source = self.source(at);
        if self.is_new_paragraph(at) {
            return false;
        }
        let written = self.tokens[at].text(self.text);
        let is_mark = source.chars().all(|mark| is_terminal(mark) || is_closing(mark));
        // A straight mark with white space before it opens.
        let is_straight = matches!(source, "\"" | "'" | "''");
        let is_attached = self.gap(at).is_empty();
        let opens = matches!(&*written, "``" | "`");
        is_mark && !opens && (is_attached || !is_straight)
    }

    /// Whether a sentence may start with a token: not with a small letter behind points that trail off, or behind what
    /// closes (`"Why?" she asked.`).
    fn may_start(&self, at: usize, is_closed: bool) -> bool {
        let trails_off = at.checked_sub(1).is_some_and(|last| {
            let last = self.source(last);
            last.starts_with("..") || last.starts_with('…') || last.starts_with(". .")
        });
        !(trails_off || is_closed) || !self.source(at).starts_with(char::is_lowercase)
    }
}

/// Whether a mark ends sentences: those of Unicode's property `Sentence_Terminal` that are in wide use.
fn is_terminal(mark: char) -> bool {
    matches!(
        mark,
        '.' | '!'
            | '?'
            | '…'
            | '。'
            | '！'
            | '？'
            | '｡'
            | '．'
            | '‼'
            | '⁇'
            | '⁈'
            | '⁉'
            | '։'
            | '؟'
            | '۔'
            | '।'
            | '॥'
            | '።'
            | '፧'
            | '፨'
            | '។'
            | '៕'
            | '၊'
            | '။'
            | '᠃'
            | '᠉'
            | '⸮'
            | '꓿'
            | '܀'
            | '܁'
            | '܂'
    )
}

/// Whether a mark closes what a sentence opened.
fn is_closing(mark: char) -> bool {
    matches!(
        mark,
        ')' | ']'
            | '}'
            | '"'
            | '\''
            | '’'
            | '”'
            | '»'
            | '›'
            | '」'
            | '』'
            | '）'
            | '】'
            | '》'
            | '〉'
            | '〕'
            | '］'
            | '“'
    )
}
