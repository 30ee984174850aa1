//! Base64 (RFC 4648, section 4), as data URIs have it, and states of scripts.

use std::ops::Range;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const NONE: u8 = 0xff;

/// The value of each letter.
const VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let mut at = 0;
    while at < LETTERS.len() {
        values[LETTERS[at] as usize] = at as u8;
        at += 1;
    }
    values
};

/// Where texts of at least so many letters lie, each of a multiple of four with what fills it up. Only every `least`th byte is looked at, and what is
/// around it if it is a letter.
pub(super) fn texts(bytes: &[u8], least: usize) -> impl Iterator<Item = Range<usize>> {
    let is_letter = |byte: &u8| VALUES[usize::from(*byte)] != NONE;
    let (mut at, mut last_end) = (least - 1, 0);
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let before = bytes[last_end..at].iter().rev().take_while(|byte| is_letter(byte)).count();
            let letters = before + bytes[at..].iter().take_while(|byte| is_letter(byte)).count();
            let start = at - before;
            if !is_letter(&bytes[at]) || letters < least {
                at += least;
                continue;
            }
            let filled = bytes[start + letters..].iter().take(2).take_while(|&&byte| byte == b'=').count();
            let len = if (letters + filled).is_multiple_of(4) { letters + filled } else { letters / 4 * 4 };
            last_end = start + letters;
            at = last_end + least;
            return Some(start..start + len);
        }
        None
    })
}

/// What a text stands for; none if it is not what [`encode`] makes of that.
pub(super) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let letters = text.iter().position(|&byte| byte == b'=').unwrap_or(text.len());
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    for four in text[..letters].chunks(4) {
        let mut sum = 0_u32;
        for &letter in four {
            let value = VALUES[usize::from(letter)];
            if value == NONE {
                return None;
            }
            sum = sum << 6 | u32::from(value);
        }
        sum <<= 6 * (4 - four.len());
        bytes.extend_from_slice(&sum.to_be_bytes()[1..four.len()]);
    }
    (encode(&bytes) == text).then_some(bytes)
}

/// The text that stands for some bytes.
pub(super) fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| three.get(at).copied().unwrap_or(0);
        let sum = u32::from_be_bytes([0, byte(0), byte(1), byte(2)]);
        let letter = |shift: u32| LETTERS[(sum >> shift & 63) as usize];
        text.extend_from_slice(&[letter(18), letter(12), letter(6), letter(0)][..=three.len()]);
    }
    text.resize(text.len().next_multiple_of(4), b'=');
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bytes_survive_and_what_decodes_comes_back(bytes in prop::collection::vec(any::<u8>(), 0..100), text in "[A-Za-z0-9+/]{0,40}={0,3}") {
            prop_assert_eq!(decode(&encode(&bytes)), Some(bytes));
            if let Some(bytes) = decode(text.as_bytes()) {
                prop_assert_eq!(encode(&bytes), text.into_bytes());
            }
        }

        #[test]
        fn texts_are_found_wherever_they_begin(before in "[a-z<> ]{0,60}", letters in "[A-Za-z0-9+/]{40,90}", filled in "={0,3}", after in "[a-z <>]{0,60}") {
            let whole = format!("{before}<{letters}{filled}>{after}");
            let found: Vec<Range<usize>> = texts(whole.as_bytes(), 40).collect();
            let start = before.len() + 1;
            prop_assert!(found.iter().any(|found| found.start == start && found.len() >= letters.len() / 4 * 4));
            prop_assert!(found.is_sorted_by(|a, b| a.end <= b.start) && found.iter().all(|found| found.len() % 4 == 0));
        }
    }

    #[test]
    fn texts_end_in_a_multiple_of_four() {
        for (text, expected) in [
            ("<AAAABBBB>", Some(1..9)),
            ("<AAAABBBBC>", Some(1..9)),
            ("<AAAABBB=>", Some(1..9)),
            ("AAAABB==", Some(0..8)),
            ("AAAABB=", Some(0..4)),
            ("AAAABBBB====", Some(0..8)),
            ("AAA BBB", None),
        ] {
            assert_eq!(texts(text.as_bytes(), 4).next(), expected, "{text}");
        }
    }
}
