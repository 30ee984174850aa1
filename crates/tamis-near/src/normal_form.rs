//! A text in the form in which pages are compared: words in small letters, one space between, without numbers and dates.
//!
//! Two fetches of one page differ in its date, its counters and its "3 hours ago". So a word of ASCII letters and digits that
//! has a digit is left out as a whole, and with it the names of days, months and units of time beside it (English ones;
//! those of other languages are few among a page's words, and `SimHash` bears them). Punctuation and symbols are spaces.
//!
//! This never changes: hashes of it are kept on disk.

/// Bytes of ASCII that are taken at once.
const AT_ONCE: usize = 256;

/// Builds the normal form of a text that comes in pieces. Words go on over the ends of pieces.
#[derive(Debug, Default)]
pub struct NormalForm {
    text: Vec<u8>,
    /// Where the open word starts.
    word: usize,
    /// Where its last run of ASCII starts.
    run: usize,
    /// Whether that run has a digit.
    has_digit: bool,
    /// Whether a number was left out right before the open word.
    after_number: bool,
}

impl NormalForm {
    /// Starts anew, keeping the memory.
    pub fn clear(&mut self) {
        *self = Self { text: std::mem::take(&mut self.text), ..Self::default() };
        self.text.clear();
    }

    /// Adds a piece of text.
    pub fn push(&mut self, piece: &str) {
        let trimmed = piece.trim_ascii_start();
        if trimmed.len() < piece.len() {
            self.end_word();
        }
        let piece = trimmed;
        if piece.is_ascii() {
            self.push_ascii(piece.as_bytes());
            return;
        }
        let mut rest = piece;
        while !rest.is_empty() {
            let ascii = rest.bytes().position(|b| !b.is_ascii()).unwrap_or(rest.len());
            self.push_ascii(&rest.as_bytes()[..ascii]);
            rest = &rest[ascii..];
            let other = rest.bytes().position(|b| b.is_ascii()).unwrap_or(rest.len());
            rest[..other].chars().for_each(|c| self.push_other(c));
            rest = &rest[other..];
        }
    }

    /// Ends the open word: a block ends here.
    pub fn end_word(&mut self) {
        if self.has_digit {
            self.leave_out_number();
        } else if self.text.len() > self.word {
            if self.after_number {
                self.leave_out_date_name();
            }
            if self.text.len() > self.word {
                self.text.push(b' ');
            }
        }
        (self.word, self.run) = (self.text.len(), self.text.len());
        self.has_digit = false;
    }

    /// What was built so far.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The whole, each word with a space behind it.
    pub fn finish(&mut self) -> &[u8] {
        self.end_word();
        &self.text
    }

    fn push_ascii(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while !rest.is_empty() {
            let taken = self.push_words(&rest[..rest.len().min(AT_ONCE)]);
            rest = &rest[taken..];
        }
    }

    /// Takes bytes up to the end of a number, or of a word behind one. Gives how many.
    ///
    /// Every byte is written, and the end moves on if it was one to keep: ends of words come too often and too irregularly
    /// for branches.
    fn push_words(&mut self, piece: &[u8]) -> usize {
        // On the stack: what is written there is not behind a pointer, and the index needs no check.
        let mut out = [0; AT_ONCE];
        let (mut len, mut word) = (0, None);
        let (mut is_open, mut has_digit) = (self.text.len() > self.word, self.has_digit);
        let after_number = self.after_number;
        let mut end = None;
        for (at, &byte) in piece.iter().enumerate() {
            let folded = FOLDED[usize::from(byte)];
            let is_space = folded == b' ';
            if is_space && (has_digit | after_number) {
                end = Some(at + 1);
                break;
            }
            out[len % AT_ONCE] = folded;
            len += usize::from(!is_space | is_open);
            is_open = !is_space;
            word = if is_space { Some(len) } else { word };
            has_digit |= byte.is_ascii_digit();
        }
        let start = self.text.len();
        self.text.extend_from_slice(&out[..len]);
        self.has_digit = has_digit;
        if let Some(word) = word {
            self.word = start + word;
            self.run = self.run.max(self.word);
        }
        if end.is_some() {
            self.end_word();
        }
        end.unwrap_or(piece.len())
    }

    fn push_other(&mut self, c: char) {
        if is_space(c) {
            self.end_word();
            return;
        }
        if self.has_digit {
            self.end_word();
        }
        let mut bytes = [0; 4];
        for c in c.to_lowercase() {
            self.text.extend_from_slice(c.encode_utf8(&mut bytes).as_bytes());
        }
        self.run = self.text.len();
    }

    /// Takes back the open run, and names of days and months before it.
    fn leave_out_number(&mut self) {
        self.text.truncate(self.run);
        if self.run > self.word {
            self.text.push(b' ');
        }
        while let Some(before) = self.text.strip_suffix(b" ") {
            let start = memchr::memrchr(b' ', before).map_or(0, |at| at + 1);
            if !is_date_name(&before[start..]) {
                break;
            }
            self.text.truncate(start);
        }
        self.after_number = true;
    }

    fn leave_out_date_name(&mut self) {
        if is_date_name(&self.text[self.word..]) {
            self.text.truncate(self.word);
        } else {
            self.after_number = false;
        }
    }
}

/// Letters in small, digits as they are, all else a space. The apostrophe is a space, too: it is written in many ways.
static FOLDED: [u8; 256] = {
    let mut folded = [b' '; 256];
    let mut byte = 0;
    while byte < 128 {
        if (byte as u8).is_ascii_alphanumeric() {
            folded[byte] = (byte as u8).to_ascii_lowercase();
        }
        byte += 1;
    }
    folded
};

/// Characters beyond ASCII that are of no word: punctuation, symbols, digits of other scripts. By range, so that new
/// versions of Unicode change nothing.
fn is_space(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{A9}' | '\u{AB}'..='\u{B4}' | '\u{B6}'..='\u{B9}' | '\u{BB}'..='\u{BF}' | '×' | '÷'
        | '\u{2000}'..='\u{206F}' | '\u{2070}'..='\u{20CF}' | '\u{2190}'..='\u{2BFF}' | '\u{2E00}'..='\u{2E7F}'
        | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{30FB}' | '\u{E000}'..='\u{F8FF}'
        | '\u{0660}'..='\u{066D}' | '\u{06F0}'..='\u{06F9}' | '\u{060C}' | '\u{061B}' | '\u{061F}' | '\u{06D4}'
        | '\u{0964}' | '\u{0965}' | '\u{0966}'..='\u{096F}' | '\u{FE30}'..='\u{FE4F}' | '\u{FEFF}'
        | '\u{FF00}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF40}' | '\u{FF5B}'..='\u{FF65}' | '\u{FFF0}'..='\u{FFFF}'
        | '\u{1F000}'..='\u{1FAFF}')
}

/// What stands beside the numbers of a date or a time in English.
fn is_date_name(word: &[u8]) -> bool {
    const NAMES: &[&str] = &[
        "ago",
        "am",
        "apr",
        "april",
        "aug",
        "august",
        "cest",
        "cet",
        "day",
        "days",
        "dec",
        "december",
        "edt",
        "est",
        "feb",
        "february",
        "fri",
        "friday",
        "gmt",
        "hour",
        "hours",
        "hrs",
        "jan",
        "january",
        "jul",
        "july",
        "jun",
        "june",
        "mar",
        "march",
        "may",
        "min",
        "mins",
        "minute",
        "minutes",
        "mon",
        "monday",
        "month",
        "months",
        "nov",
        "november",
        "oct",
        "october",
        "pdt",
        "pm",
        "pst",
        "sat",
        "saturday",
        "sec",
        "second",
        "seconds",
        "sep",
        "sept",
        "september",
        "sun",
        "sunday",
        "thu",
        "thur",
        "thurs",
        "thursday",
        "tue",
        "tues",
        "tuesday",
        "utc",
        "wed",
        "wednesday",
        "week",
        "weeks",
        "year",
        "years",
    ];
    (2..=9).contains(&word.len()) && NAMES.binary_search_by(|name| name.as_bytes().cmp(word)).is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn normal(pieces: &[&str]) -> String {
        let mut form = NormalForm::default();
        for piece in pieces {
            form.push(piece);
        }
        String::from_utf8(form.finish().to_vec()).expect("UTF-8 stays UTF-8")
    }

    #[test]
    fn numbers_dates_and_punctuation_are_left_out() {
        for (text, expected) in [
            ("", ""),
            ("  Hello,  WORLD! ", "hello world "),
            ("page 3 of 12, A4", "page of "),
            ("Posted on Friday, 13 March 2026 at 12:30 pm by Ann", "posted on at by ann "),
            ("March 13, 2026: news", "news "),
            ("Fri Mar 13 12:00:00 UTC 2026 end", "end "),
            ("3 hours ago we may march", "we may march "),
            ("v1.2-beta", "beta "),
            ("Ünïcode “QUOTES” – ÄÖ", "ünïcode quotes äö "),
            ("2026年3月1日星期五", "年 月 日星期五 "),
            ("٣ أيام", "أيام "),
            ("Ёлка、ВЕЧЕР", "ёлка вечер "),
            ("12", ""),
        ] {
            assert_eq!(normal(&[text]), expected, "{text}");
        }
    }

    #[test]
    fn words_go_on_over_pieces() {
        assert_eq!(normal(&["fo", "o b", "", "ar"]), "foo bar ");
        assert_eq!(normal(&["a", "4 b"]), "b ");
        assert_eq!(normal(&["é", "t", "é"]), "été ");
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(text in "([a-c1-2 .,]|é|–|中|may|3){0,60}", cut in 0..60_usize) {
            let cut = (0..=cut.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            prop_assert_eq!(normal(&[&text[..cut], &text[cut..]]), normal(&[&text]));
        }

        #[test]
        fn any_text_becomes_words(text: String) {
            let form = normal(&[&text]);
            prop_assert!(!form.starts_with(' ') && !form.contains("  ") && !form.chars().any(|c| c.is_ascii_digit()));
        }
    }
}
