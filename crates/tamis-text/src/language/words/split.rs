//! A text's words: sections 3.5 and 3.9 of the reference.
//!
//! Its expression, as it was printed:
//! `"[\\[0-9\\]\\\\s!\\\\-\\$€%^&*()_+|~='\"{ }\\\\[\\\\]°: \";'<>?,@#.\\\\/•]+"`.
//! The typesetting doubled the backslashes (else the letter `s` would be a separator, and `\` to `$` a range that no engine
//! takes), escaped brackets and the dollar, added spaces, and made a closing quote of the backtick between `=` and `"`: the
//! middle is the old web recipe ``|~=`{}\[\]:";'<>?,./``. So the class is: the digits 0-9; Java's `\s` (space, tab, line feed,
//! vertical tab, form feed, carriage return, and no other white space of Unicode); and
//! ``! - $ € % ^ & * ( ) _ + | ~ = ` " { } [ ] ° : ; ' < > ? , @ # . / •``. The backslash is not in it.

/// The bytes of ASCII that separate words.
const SEPARATORS: &[u8] = b"0123456789 \t\n\x0B\x0C\r!-$%^&*()_+|~=`\"{}[]:;'<>?,@#./";

/// What a byte is, when no character before it is unfinished.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Separator,
    /// The first byte of `°`, `€` or `•`, and of many others.
    Perhaps,
}

const CLASSES: [Class; 256] = classes();

/// Calls `found` with the beginning and end of each word.
#[inline]
pub(super) fn each_word(text: &str, mut found: impl FnMut(usize, usize)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(first) = bytes.get(at) {
        let separator = separator_len(*first, bytes, at);
        if separator > 0 {
            at += separator;
            continue;
        }
        let start = at;
        at += 1;
        while let Some(byte) = bytes.get(at)
            && separator_len(*byte, bytes, at) == 0
        {
            at += 1;
        }
        found(start, at);
    }
}

/// Whether the word that begins here is to be split: its first character is in one of the eight ranges of the reference.
#[inline]
pub(super) fn is_split(text: &str, start: usize) -> bool {
    // All the ranges are in three bytes, from E3 on.
    text.as_bytes()[start] >= 0xE3 && text[start..].chars().next().is_some_and(is_eastern)
}

/// Calls `found` with each character of a word and each two consecutive ones: c1, c1c2, c2, c2c3, …
#[inline]
pub(super) fn each_piece(text: &str, start: usize, end: usize, mut found: impl FnMut(usize, usize)) {
    let mut from = start;
    let mut ends = text[start..end].char_indices().skip(1).map(|(at, _)| start + at).chain([end]);
    let mut to = ends.next();
    while let Some(one) = to {
        found(from, one);
        to = ends.next();
        if let Some(two) = to {
            found(from, two);
        }
        from = one;
    }
}

#[inline]
fn separator_len(first: u8, bytes: &[u8], at: usize) -> usize {
    match CLASSES[usize::from(first)] {
        Class::Word => 0,
        Class::Separator => 1,
        Class::Perhaps => {
            let rest = &bytes[at..];
            ["°", "€", "•"].iter().find(|it| rest.starts_with(it.as_bytes())).map_or(0, |it| it.len())
        }
    }
}

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Word; 256];
    let mut at = 0;
    while at < SEPARATORS.len() {
        classes[SEPARATORS[at] as usize] = Class::Separator;
        at += 1;
    }
    classes[0xC2] = Class::Perhaps;
    classes[0xE2] = Class::Perhaps;
    classes
}

/// The ranges as the reference has them, ends included.
const fn is_eastern(first: char) -> bool {
    matches!(first,
        '\u{3041}'..='\u{309F}'   // Hiragana
        | '\u{30A0}'..='\u{30FF}' // Katakana
        | '\u{31F0}'..='\u{31FF}' // Katakana, phonetic extensions
        | '\u{3190}'..='\u{319F}' // Kanbun
        | '\u{4E00}'..='\u{A000}' // Han; the eighth range, 9FA6 to 9FCC, is in it
        | '\u{3400}'..='\u{4DC0}' // Han, extension A
        | '\u{F900}'..='\u{FB00}' // Han, compatibility
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        each_word(text, |start, end| words.push(&text[start..end]));
        words
    }

    #[test]
    fn words_of_the_reference_example() {
        let text = "Profile views: 38,129 *\nLast seen: 06/07/2018 - 21:06\nAll times are now 15/02/2019, 22:34\n\
                    4 posts (0 per day)\nContact Information\n• HERRY index.? System\n";
        let expected =
            "Profile views Last seen All times are now posts per day Contact Information HERRY index System";
        assert_eq!(words(text), expected.split(' ').collect::<Vec<_>>());
    }

    #[test]
    fn every_character_of_the_class_separates_and_others_do_not() {
        for separator in SEPARATORS.iter().map(|byte| char::from(*byte)).chain(['°', '€', '•']) {
            assert_eq!(
                words(&format!("{separator}a{separator}b{separator}{separator}")),
                ["a", "b"],
                "{separator:?}"
            );
        }
        for letter in ['\\', '\u{A0}', '\u{3000}', '’', '“', '£', '£', '。', '·', '…', '‣', '\0', '٣', 's']
        {
            let word = format!("a{letter}b");
            assert_eq!(words(&word), [&word], "{letter:?}");
        }
    }

    #[test]
    fn pieces_are_characters_and_pairs_in_order() {
        let pieces = |text: &str| {
            let mut pieces = Vec::new();
            each_piece(text, 0, text.len(), |from, to| pieces.push(text[from..to].to_owned()));
            pieces.join(",")
        };
        assert_eq!(pieces("邻居的猫"), "邻,邻居,居,居的,的,的猫,猫");
        assert_eq!(pieces("一"), "一");
        assert_eq!(pieces(""), "");
        assert_eq!(pieces("あ𠀀x"), "あ,あ𠀀,𠀀,𠀀x,x");
    }

    #[test]
    fn the_eight_ranges() {
        for (first, expected) in [
            ("ぁ", true),
            ("\u{3040}", false),
            ("゠", true),
            ("ㇰ", true),
            ("㆐", true),
            ("㆏", false),
            ("一", true),
            ("\u{A000}", true),
            ("\u{A001}", false),
            ("㐀", true),
            ("\u{4DC0}", true),
            ("䷁", false),
            ("豈", true),
            ("\u{FB00}", true),
            ("ﬁ", false),
            ("鿌", true),
            ("한", false),
            ("𠀀", false),
            ("a", false),
        ] {
            assert_eq!(is_split(first, 0), expected, "{first}");
        }
    }
}
