//! A text's words: sections 3.5 and 3.9 of the reference.
//!
//! Its expression, as it was printed:
//! `"[\\[0-9\\]\\\\s!\\\\-\\$€%^&*()_+|~='\"{ }\\\\[\\\\]°: \";'<>?,@#.\\\\/•]+"`.
//! The typesetting doubled the backslashes (else the letter `s` would be a separator, and `\` to `$` a range that no engine
//! takes), escaped brackets and the dollar, added spaces, and made a closing quote of the backtick between `=` and `"`: the
//! middle is the old web recipe ``|~=`{}\[\]:";'<>?,./``. So the class is: the digits 0-9; Java's `\s` (space, tab, line feed,
//! vertical tab, form feed, carriage return, and no other white space of Unicode); and
//! ``! - $ € % ^ & * ( ) _ + | ~ = ` " { } [ ] ° : ; ' < > ? , @ # . / •``. The backslash is not in it.

/// Bytes looked at in one step, one bit for each.
const BLOCK: usize = 64;

/// Calls `found` with the beginning and end of each word.
///
/// A block of bytes becomes a word of bits, 1 for a separator, without a branch; where a bit differs from the one before, a word
/// begins or ends. Byte by byte, the end of every word would be a branch that no processor foresees.
#[inline]
pub(super) fn each_word(text: &str, mut found: impl FnMut(usize, usize)) {
    let bytes = text.as_bytes();
    let mut start = None;
    // What of a separator of several bytes is in the next block.
    let mut carried = 0;
    for base in (0..bytes.len()).step_by(BLOCK) {
        let (separators, over) = separators(bytes, base);
        let separators = separators | carried;
        carried = over;
        let before = u64::from(start.is_none());
        let mut changes = separators ^ (separators << 1 | before);
        while changes != 0 {
            let at = base + changes.trailing_zeros() as usize;
            changes &= changes - 1;
            start = match start {
                Some(start) => {
                    found(start, at);
                    None
                }
                None => Some(at),
            };
        }
    }
    if let Some(start) = start {
        found(start, bytes.len());
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

/// A bit for each byte of the block at `base` that belongs to a separator, and those bits that fall behind it. Behind the text's
/// end all is separator.
#[inline]
fn separators(bytes: &[u8], base: usize) -> (u64, u64) {
    let mut block = [b' '; BLOCK];
    let rest = &bytes[base..];
    if let Some(whole) = rest.first_chunk::<BLOCK>() {
        block = *whole;
    } else {
        block[..rest.len()].copy_from_slice(rest);
    }
    let ascii = bits(&block, is_separator);
    if block.iter().fold(0, |any, byte| any | u8::from(is_perhaps(*byte))) > 0 {
        let (here, over) = longer_separators(&block, rest);
        (ascii | here, over)
    } else {
        (ascii, 0)
    }
}

/// The bits of `°`, `€` and `•`.
fn longer_separators(block: &[u8; BLOCK], rest: &[u8]) -> (u64, u64) {
    let mut firsts = bits(block, is_perhaps);
    let mut found = 0_u128;
    while firsts != 0 {
        let at = firsts.trailing_zeros();
        firsts &= firsts - 1;
        let here = &rest[at as usize..];
        let separator = ["°", "€", "•"].into_iter().find(|it| here.starts_with(it.as_bytes()));
        found |= separator.map_or(0, |it| (1 << it.len()) - 1) << at;
    }
    (found as u64, (found >> 64) as u64)
}

/// A bit for each byte. Plain enough for the compiler to do many bytes at once.
#[inline]
fn bits(block: &[u8; BLOCK], is: impl Fn(u8) -> bool) -> u64 {
    let mut flags = [0; BLOCK];
    // Not `map`, which some builds call once for each byte.
    for (flag, &byte) in flags.iter_mut().zip(block) {
        *flag = u8::from(is(byte));
    }
    let mut all = 0;
    for (at, eight) in flags.as_chunks::<8>().0.iter().enumerate() {
        // The product moves the lowest bit of each byte into the highest byte, in order.
        let packed = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        all |= packed << (8 * at);
    }
    all
}

/// Whether a byte of ASCII separates words: of the graphic characters, all but letters and the backslash.
#[inline]
fn is_separator(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' '..=b'@' | b'['..=b'`' | b'{'..=b'~') && byte != b'\\'
}

/// Whether it is the first byte of `°`, or of `€` and `•`, and of many other characters.
#[inline]
fn is_perhaps(byte: u8) -> bool {
    // Those two differ from each other in one bit.
    byte & 0xDF == 0xC2
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
        let class = "0123456789 \t\n\u{B}\u{C}\r!-$€%^&*()_+|~=`\"{}[]°:;'<>?,@#./•";
        for separator in class.chars() {
            assert_eq!(
                words(&format!("{separator}a{separator}b{separator}{separator}")),
                ["a", "b"],
                "{separator:?}"
            );
        }
        for other in (0..0x3100).filter_map(char::from_u32).filter(|it| !class.contains(*it)) {
            let word = format!("a{other}b");
            assert_eq!(words(&word), [&word], "{other:?}");
        }
    }

    #[test]
    fn blocks_do_not_show() {
        for before in 0..3 * BLOCK {
            for separator in [" ", "°", "€", "•", "€•", " €"] {
                let text = format!("{}{separator}é{separator}", "a".repeat(before));
                let expected: Vec<_> = text.split(separator).filter(|word| !word.is_empty()).collect();
                assert_eq!(words(&text), expected, "{before} {separator}");
            }
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
