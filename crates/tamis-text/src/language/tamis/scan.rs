//! From text to words: runs of letters of one script, made small; names of machines, numbers and keys left out.

use super::compose::composed;
use super::script::{APOSTROPHE, Characters, DIGIT, FIRST_SCRIPT, HAN, Kind, MARK, SPACE, STOP, TECHNICAL};

/// Longer runs of letters are cut: writing without spaces, and junk.
pub const LONGEST_WORD: usize = 24;

/// Who takes the words of a text.
pub trait Words {
    /// A word in small letters with its hash. In the Han script each character is one.
    fn word(&mut self, script: Kind, letters: &[u16], hash: u64);

    /// A sentence ends just before this byte.
    fn sentence_end(&mut self, at: usize);

    /// A line ends just before this byte.
    fn line_end(&mut self, at: usize);

    /// Between two words, at white space.
    fn word_end(&mut self, _at: usize) {}

    /// The text ends.
    fn end(&mut self, at: usize);
}

/// The start of a hash.
pub const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash with one more letter.
#[inline]
pub fn mixed(hash: u64, letter: u16) -> u64 {
    (hash ^ u64::from(letter)).wrapping_mul(0x2545_f491_4f6c_dd1d).rotate_left(29)
}

/// Hands over all words of the text, in time linear in its length.
pub fn scan(text: &str, characters: &Characters, words: &mut impl Words) {
    Scanner {
        characters,
        words,
        letters: [0; LONGEST_WORD],
        count: 0,
        hash: SEED,
        script: 0,
        spoilt: false,
        before: SPACE,
        joined: false,
    }
    .run(text.as_bytes());
}

struct Scanner<'a, W> {
    characters: &'a Characters,
    words: &'a mut W,
    letters: [u16; LONGEST_WORD],
    count: usize,
    hash: u64,
    script: Kind,
    /// The word at hand touches what no prose touches.
    spoilt: bool,
    /// The kind of the character before.
    before: Kind,
    /// The character before is a stop that follows a letter at once.
    joined: bool,
}

impl<W: Words> Scanner<'_, W> {
    fn run(&mut self, text: &[u8]) {
        let mut at = 0;
        while at < text.len() {
            let (code, length) = decoded(text, at);
            let (kind, letter) = self.characters.of(code);
            if kind >= FIRST_SCRIPT {
                self.letter(kind, letter);
            } else {
                self.between((kind, letter), text, at, length);
            }
            at += length;
        }
        self.finish();
        self.words.end(text.len());
    }

    #[inline]
    fn letter(&mut self, kind: Kind, letter: u16) {
        if kind == HAN {
            return self.han(letter);
        }
        if self.count == 0 {
            self.spoilt = self.before == DIGIT || self.before == TECHNICAL || self.joined;
            self.script = kind;
        } else if kind != self.script || self.count == LONGEST_WORD {
            self.finish();
            self.script = kind;
        }
        self.push(letter);
        self.before = kind;
    }

    #[inline]
    fn push(&mut self, letter: u16) {
        if let Some(slot) = self.letters.get_mut(self.count) {
            *slot = letter;
            self.count += 1;
            self.hash = mixed(self.hash, letter);
        }
    }

    /// Each Han character is a word.
    #[inline]
    fn han(&mut self, letter: u16) {
        self.finish();
        self.words.word(HAN, &[letter], mixed(SEED, letter));
        self.before = HAN;
    }

    fn between(&mut self, (kind, sign): (Kind, u16), text: &[u8], at: usize, length: usize) {
        match kind {
            // An accent written as a character of its own is part of the word; what is never seen is not.
            MARK if self.count > 0 && sign != 0 => return self.mark(sign),
            MARK => return,
            APOSTROPHE
                if self.count > 0 && self.count < LONGEST_WORD && self.letter_at(text, at + length) =>
            {
                return self.push(0x27);
            }
            DIGIT | TECHNICAL => self.spoilt = true,
            STOP if self.count > 0 && joins(text.get(at + length)) => {
                self.spoilt = true;
                self.finish();
                self.joined = true;
                self.before = STOP;
                return;
            }
            _ => {}
        }
        self.finish();
        self.joined = false;
        self.before = kind;
        match kind {
            STOP => self.words.sentence_end(at + length),
            SPACE if text[at] == b'\n' => self.words.line_end(at + 1),
            SPACE => self.words.word_end(at + length),
            _ => {}
        }
    }

    fn mark(&mut self, mark: u16) {
        let last = self.count - 1;
        let Some(letter) = composed(self.letters[last], mark) else { return self.push(mark) };
        self.letters[last] = letter;
        self.hash = self.letters[..self.count].iter().fold(SEED, |hash, &letter| mixed(hash, letter));
    }

    fn letter_at(&self, text: &[u8], at: usize) -> bool {
        at < text.len() && self.characters.of(decoded(text, at).0).0 == self.script
    }

    #[inline]
    fn finish(&mut self) {
        if self.count > 0 {
            if !self.spoilt {
                self.words.word(self.script, &self.letters[..self.count], self.hash);
            }
            self.count = 0;
            self.hash = SEED;
        }
        self.spoilt = false;
    }
}

/// Whether what follows a stop makes it part of an address or a number: `example.org`, `http://`, `a/b`.
fn joins(next: Option<&u8>) -> bool {
    next.is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'/')
}

/// The character at a boundary of UTF-8 text, and its length. What is no UTF-8 is one byte long, so that a scan always ends.
#[inline(always)]
#[expect(clippy::inline_always, reason = "called for every character, and measured")]
fn decoded(text: &[u8], at: usize) -> (u32, usize) {
    let first = u32::from(text[at]);
    if first < 0x80 {
        return (first, 1);
    }
    let low = |i: usize| text.get(at + i).map_or(0, |&b| u32::from(b & 0x3f));
    match first {
        0xc0..0xe0 => ((first & 0x1f) << 6 | low(1), 2),
        0xe0..0xf0 => ((first & 0x0f) << 12 | low(1) << 6 | low(2), 3),
        0xf0.. => ((first & 0x07) << 18 | low(1) << 12 | low(2) << 6 | low(3), 4),
        _ => (0, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Kept {
        words: Vec<String>,
        lines: usize,
    }

    impl Words for Kept {
        fn word(&mut self, _: Kind, letters: &[u16], hash: u64) {
            assert_eq!(hash, letters.iter().fold(SEED, |hash, &letter| mixed(hash, letter)));
            self.words.push(String::from_utf16_lossy(letters));
        }
        fn sentence_end(&mut self, _: usize) {}
        fn line_end(&mut self, _: usize) {
            self.lines += 1;
        }
        fn end(&mut self, _: usize) {
            self.lines += 1;
        }
    }

    fn words(text: &str) -> String {
        let mut kept = Kept::default();
        scan(text, &Characters::new(), &mut kept);
        kept.words.join(" ")
    }

    #[test]
    fn words_are_runs_of_letters_of_one_script() {
        let cases = [
            ("The quick—brown fox.", "the quick brown fox"),
            ("L’homme d'État 'quoted'", "l'homme d'état quoted"),
            ("Привет world", "привет world"),
            ("東京です", "東 京 で す"),
            ("한국어 글", "한국어 글"),
            ("see http://www.example.org/a/b.html now", "see now"),
            ("mail me@example.org or x=1; h2o my_name {if}", "mail or"),
            ("हिन्दी में", "हिन्दी में"),
            ("e\u{301}te\u{301} tie\u{302}\u{301}ng q\u{301}", "été tiếng q\u{301}"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn long_runs_are_cut() {
        assert_eq!(words(&"a".repeat(60)).split(' ').map(str::len).collect::<Vec<_>>(), [24, 24, 12]);
    }

    #[test]
    fn every_line_ends_once() {
        let mut kept = Kept::default();
        scan("a\nb\n\nc", &Characters::new(), &mut kept);
        assert_eq!(kept.lines, 4);
    }
}
