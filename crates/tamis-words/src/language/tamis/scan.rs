//! From text to words: runs of letters of one script, made small; names of machines, numbers and keys left out.

use memchr::memchr;

use super::compose::composed;
use super::script::{
    APOSTROPHE, Characters, DIGIT, FIRST_SCRIPT, GREEK, HAN, Kind, LATIN, MARK, SPACE, STOP, TECHNICAL,
};

/// Longer runs of letters are cut: writing without spaces, and junk.
pub const LONGEST_WORD: usize = 24;

/// A word in small letters. In the Han script each character is one. A line of the processor's cache, so that it is copied as a whole.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    /// The hash of its letters.
    pub hash: u64,
    /// Its script.
    pub script: Kind,
    count: u8,
    spelling: [u16; LONGEST_WORD],
}

impl Word {
    const EMPTY: Self = Self { hash: SEED, script: 0, count: 0, spelling: [0; LONGEST_WORD] };

    /// Its letters.
    #[inline]
    pub fn letters(&self) -> &[u16] {
        &self.spelling[..usize::from(self.count).min(LONGEST_WORD)]
    }

    #[inline]
    fn push(&mut self, letter: u16) {
        if let Some(slot) = self.spelling.get_mut(usize::from(self.count)) {
            *slot = letter;
            self.count += 1;
            self.hash = mixed(self.hash, letter);
        }
    }

    #[inline]
    fn clear(&mut self) {
        self.count = 0;
        self.hash = SEED;
    }

    fn is_full(&self) -> bool {
        usize::from(self.count) >= LONGEST_WORD
    }
}

/// Who takes the words of a text.
pub trait Words {
    /// A word.
    fn word(&mut self, word: &Word);

    /// A sentence ends just before this byte.
    fn sentence_end(&mut self, at: usize);

    /// A line ends just before this byte. Answers how many bytes may be left out from here on.
    fn line_end(&mut self, at: usize) -> usize;

    /// Whole lines from one byte to the other were left out.
    fn left_out(&mut self, _from: usize, _to: usize) {}

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
    Scanner { characters, words, word: Word::EMPTY, spoilt: false, before: SPACE, joined: false }
        .run(text.as_bytes());
}

struct Scanner<'a, W> {
    characters: &'a Characters,
    words: &'a mut W,
    /// The word at hand.
    word: Word,
    /// It touches what no prose touches.
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
            if SMALL[usize::from(text[at])] != 0 {
                at = self.ascii(text, at);
                continue;
            }
            let (code, length) = decoded(text, at);
            let (kind, letter) = self.characters.of(code);
            at += length;
            if kind >= FIRST_SCRIPT {
                self.letter(kind, letter);
            } else if code == u32::from(b'\n') {
                at = self.line_end(text, at);
            } else {
                self.between((kind, letter), text, at);
            }
        }
        self.finish();
        self.words.end(text.len());
    }

    /// Takes the letters of ASCII from here on, at least one, and returns where they end. Most of most pages goes this way.
    #[inline]
    fn ascii(&mut self, text: &[u8], mut at: usize) -> usize {
        self.begin(LATIN);
        // A copy, which the compiler keeps in registers.
        let (mut count, mut hash) = (usize::from(self.word.count), self.word.hash);
        while let (Some(&byte), Some(slot)) = (text.get(at), self.word.spelling.get_mut(count)) {
            let small = u16::from(SMALL[usize::from(byte)]);
            if small == 0 {
                break;
            }
            *slot = small;
            hash = mixed(hash, small);
            count += 1;
            at += 1;
        }
        (self.word.count, self.word.hash) = (count as u8, hash);
        self.before = LATIN;
        at
    }

    /// Makes room for a letter of a script.
    #[inline]
    fn begin(&mut self, script: Kind) {
        if self.word.count == 0 {
            self.spoilt = self.before == DIGIT || self.before == TECHNICAL || self.joined;
            self.word.script = script;
        } else if script != self.word.script || self.word.is_full() {
            self.finish();
            self.word.script = script;
        }
    }

    #[inline]
    fn letter(&mut self, kind: Kind, letter: u16) {
        if kind == HAN {
            return self.han(letter);
        }
        self.begin(kind);
        self.word.push(letter);
        self.before = kind;
    }

    /// Each Han character is a word.
    #[inline]
    fn han(&mut self, letter: u16) {
        self.finish();
        self.word.script = HAN;
        self.word.push(letter);
        self.words.word(&self.word);
        self.word.clear();
        self.before = HAN;
    }

    /// What stands between words, up to `at`.
    fn between(&mut self, (kind, sign): (Kind, u16), text: &[u8], at: usize) {
        let within = self.word.count > 0;
        match kind {
            // An accent written as a character of its own is part of the word; what is never seen is not.
            MARK if within && sign != 0 => return self.mark(sign),
            MARK => return,
            APOSTROPHE if within && !self.word.is_full() && self.letter_at(text, at) => {
                return self.word.push(0x27);
            }
            DIGIT | TECHNICAL => self.spoilt = true,
            STOP if within && joins(text.get(at)) => {
                self.spoilt = true;
                self.finish();
                self.joined = true;
                self.before = STOP;
                return;
            }
            _ if within && is_numbered(text, at) => self.spoilt = true,
            _ => {}
        }
        self.finish();
        self.joined = false;
        self.before = kind;
        match kind {
            STOP => self.words.sentence_end(at),
            SPACE => self.words.word_end(at),
            _ => {}
        }
    }

    /// Ends a line and returns where to go on.
    fn line_end(&mut self, text: &[u8], at: usize) -> usize {
        self.finish();
        self.joined = false;
        self.before = SPACE;
        let skipped = self.words.line_end(at);
        if skipped == 0 {
            return at;
        }
        let Some(line) = text.get(at + skipped..).and_then(|rest| memchr(b'\n', rest)) else { return at };
        let next = at + skipped + line + 1;
        self.words.left_out(at, next);
        next
    }

    fn mark(&mut self, mark: u16) {
        let word = &mut self.word;
        if word.script == GREEK {
            return;
        }
        let last = usize::from(word.count) - 1;
        let Some(letter) = composed(word.spelling[last], mark) else { return word.push(mark) };
        word.spelling[last] = letter;
        word.hash = word.letters().iter().fold(SEED, |hash, &letter| mixed(hash, letter));
    }

    fn letter_at(&self, text: &[u8], at: usize) -> bool {
        at < text.len() && self.characters.of(decoded(text, at).0).0 == self.word.script
    }

    #[inline]
    fn finish(&mut self) {
        if self.word.count > 0 {
            if !self.spoilt {
                self.words.word(&self.word);
            }
            self.word.clear();
        }
        self.spoilt = false;
    }
}

/// Whether a number follows at once behind a hyphen or a stroke, which end here: `XJ-4421` is no word.
fn is_numbered(text: &[u8], at: usize) -> bool {
    matches!(text.get(at - 1..=at), Some([b'-' | b'/', b'0'..=b'9']))
}

/// The small letter of each letter of ASCII, 0 for all other bytes.
static SMALL: [u8; 256] = small_letters();

const fn small_letters() -> [u8; 256] {
    let mut table = [0; 256];
    let mut small = b'a';
    while small <= b'z' {
        table[small as usize] = small;
        table[small.to_ascii_uppercase() as usize] = small;
        small += 1;
    }
    table
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
        fn word(&mut self, word: &Word) {
            assert_eq!(word.hash, word.letters().iter().fold(SEED, |hash, &letter| mixed(hash, letter)));
            self.words.push(String::from_utf16_lossy(word.letters()));
        }
        fn sentence_end(&mut self, _: usize) {}
        fn line_end(&mut self, _: usize) -> usize {
            self.lines += 1;
            0
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
            ("XJ-4421B, KL/200: well-known, A-", "well known a"),
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
