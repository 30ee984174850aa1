//! What the taggers see of a word by itself.

use std::borrow::Cow;

use super::hash::of_bytes;
use super::lexicon::Lexicon;

/// A word as the taggers see it: hashes of what it is written with, and what is known of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The word as it is written.
    pub exact: u64,
    /// In small letters, every digit as 0.
    pub small: u64,
    /// Its last one to four characters.
    pub ends: [u64; 4],
    /// Its first one to four characters.
    pub starts: [u64; 4],
    /// The kinds of its characters: runs of capitals, digits and so on.
    pub shape: u64,
    /// Its Brown cluster ([`Lexicon::cluster`]).
    pub cluster: u16,
    /// That of the same word in small letters.
    pub small_cluster: u16,
    /// How often it has a capital ([`Lexicon::capitals`]).
    pub capitals: u16,
}

impl Word {
    /// What is before the first and behind the last word of a sentence.
    pub fn edge() -> Self {
        Self { exact: 1, small: 1, shape: 1, ..Self::default() }
    }

    /// The word that a token is; `buffer` is for its small letters.
    pub fn new(token: &str, lexicon: &Lexicon, buffer: &mut String) -> Self {
        let plain = plain(token);
        let plain = bounded(&plain);
        lower(plain, buffer);
        let letters = of_bytes(buffer.as_bytes());
        let cluster = lexicon.cluster(plain, buffer, letters);
        let small_cluster = if buffer.as_str() == plain { cluster } else { lexicon.small_cluster(letters) };
        let capitals = lexicon.capitals(letters);
        let mut has_digit = false;
        if buffer.bytes().any(|byte| byte.is_ascii_digit()) {
            has_digit = true;
            *buffer = buffer.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        }
        let small = if has_digit { of_bytes(buffer.as_bytes()) } else { letters };
        let (starts, ends) = affixes(buffer);
        let (exact, shape) = (of_bytes(plain.as_bytes()), shape(plain));
        Self { exact, small, ends, starts, shape, cluster, small_cluster, capitals }
    }

    /// Whether its first character is a capital.
    pub fn is_capitalised(&self) -> bool {
        self.shape & 15 == 1 + CAPITAL
    }

    /// Whether it is, and how often the word has a capital.
    #[inline]
    pub(crate) fn case(&self) -> u64 {
        u64::from(self.capitals) << 1 | u64::from(self.is_capitalised())
    }
}

/// A token as plain text writes it: the treebank's signs for quotation marks and brackets, and typographic ones, in ASCII.
pub fn plain(token: &str) -> Cow<'_, str> {
    Cow::Borrowed(match token {
        "``" | "''" | "“" | "”" | "„" | "«" | "»" | "’’" | "‘‘" => "\"",
        "`" | "‘" | "’" | "‚" => "'",
        "-LRB-" => "(",
        "-RRB-" => ")",
        "-LSB-" => "[",
        "-RSB-" => "]",
        "-LCB-" => "{",
        "-RCB-" => "}",
        "–" | "—" => "--",
        "…" => "...",
        _ if token.is_ascii() || !token.contains('’') => token,
        _ => return Cow::Owned(token.replace('’', "'")),
    })
}

/// What is looked at of a word without end.
fn bounded(word: &str) -> &str {
    const LONGEST: usize = 128;
    &word[..word.floor_char_boundary(LONGEST)]
}

fn lower(word: &str, buffer: &mut String) {
    buffer.clear();
    if word.is_ascii() {
        buffer.push_str(word);
        buffer.make_ascii_lowercase();
    } else {
        buffer.extend(word.chars().flat_map(char::to_lowercase));
    }
}

/// Hashes of the first and of the last one to four characters; 0 where the word is shorter.
fn affixes(word: &str) -> ([u64; 4], [u64; 4]) {
    let (mut starts, mut ends) = ([0; 4], [0; 4]);
    for (start, (at, character)) in starts.iter_mut().zip(word.char_indices()) {
        *start = of_bytes(&word.as_bytes()[..at + character.len_utf8()]);
    }
    for (end, (at, _)) in ends.iter_mut().zip(word.char_indices().rev()) {
        *end = of_bytes(&word.as_bytes()[at..]);
    }
    (starts, ends)
}

/// The kind of a capital in a shape.
const CAPITAL: u64 = 0;

/// The kinds of the characters in four bits each, runs of more than two as two, sixteen at most.
fn shape(word: &str) -> u64 {
    let (mut shape, mut bits, mut last, mut run) = (0, 0, u64::MAX, 0);
    for character in word.chars() {
        let kind = kind(character);
        run = if kind == last { run + 1 } else { 1 };
        last = kind;
        if run <= 2 && bits < 64 {
            shape |= (kind + 1) << bits;
            bits += 4;
        }
    }
    shape
}

fn kind(character: char) -> u64 {
    match character {
        'A'..='Z' => CAPITAL,
        'a'..='z' => 1,
        '0'..='9' => 2,
        '-' => 3,
        '.' => 4,
        ',' | ':' | '/' => 5,
        '\'' | '"' => 6,
        '@' | '#' | '_' => 7,
        '!'..='~' => 8,
        _ if character.is_uppercase() => CAPITAL,
        _ if character.is_lowercase() => 1,
        _ if character.is_alphabetic() => 9,
        _ => 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(token: &str) -> Word {
        Word::new(token, Lexicon::built_in(), &mut String::new())
    }

    #[test]
    fn the_treebanks_signs_are_those_of_plain_text() {
        let same = [
            ("``", "\""),
            ("''", "“"),
            ("-LRB-", "("),
            ("-RCB-", "}"),
            ("—", "--"),
            ("don’t", "don't"),
            ("…", "..."),
        ];
        for (treebank, plain) in same {
            assert_eq!(word(treebank), word(plain), "{treebank} {plain}");
        }
        assert_ne!(word("("), word(")"));
    }

    #[test]
    fn shapes_are_runs_of_kinds() {
        assert_eq!(shape("Hello"), shape("Światło"));
        assert_eq!(shape("1999"), shape("2026"));
        for (one, other) in [("Hello", "hello"), ("HELLO", "Hello"), ("U.S.", "US"), ("x-ray", "xray")] {
            assert_ne!(shape(one), shape(other), "{one} {other}");
        }
        assert!(word("Éa").is_capitalised() && !word("éa").is_capitalised() && !word("").is_capitalised());
    }

    #[test]
    fn any_token_is_a_word() {
        for token in ["", "\u{301}\u{301}", "İİİ", "🦀", &"ß".repeat(100_000), "\0"] {
            word(token);
        }
    }
}
