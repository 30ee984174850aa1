//! White space in UTF-8: what `char::is_whitespace` says, told by bytes.

/// Length in bytes of the white space that starts a text; 0 where none does.
pub(crate) fn length(text: &[u8]) -> usize {
    match text {
        [b' ' | b'\t'..=b'\r', ..] => 1,
        [0xC2, 0x85 | 0xA0, ..] => 2,
        [0xE1, 0x9A, 0x80, ..]
        | [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..]
        | [0xE2, 0x81, 0x9F, ..]
        | [0xE3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

/// Adds `text` with each run of white space as one space, and none at the start or behind other white space.
pub(crate) fn push_words(to: &mut String, text: &str) {
    let bytes = text.as_bytes();
    let mut is_spaced = ends_in_space(to);
    let (mut from, mut at) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        let length = if MAY_BE_SPACE[usize::from(byte)] { length(&bytes[at..]) } else { 0 };
        if length == 0 {
            is_spaced = false;
            at += 1;
        } else if byte == b' ' && !is_spaced {
            is_spaced = true;
            at += 1;
        } else {
            to.push_str(&text[from..at]);
            if !is_spaced {
                to.push(' ');
                is_spaced = true;
            }
            at += length;
            from = at;
        }
    }
    to.push_str(&text[from..]);
}

/// Adds a space, unless there is white space or nothing before it.
pub(crate) fn push_space(to: &mut String) {
    if !ends_in_space(to) {
        to.push(' ');
    }
}

fn ends_in_space(text: &str) -> bool {
    match text.as_bytes().last() {
        None | Some(b' ') => true,
        Some(0x80..) => text.ends_with(char::is_whitespace),
        Some(byte) => length(&[*byte]) > 0,
    }
}

/// Bytes that white space starts with.
static MAY_BE_SPACE: [bool; 256] = {
    let mut may = [false; 256];
    let mut byte = 0;
    while byte < may.len() {
        may[byte] = matches!(byte as u8, b' ' | b'\t'..=b'\r' | 0xC2 | 0xE1..=0xE3);
        byte += 1;
    }
    may
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_white_space_is_known() {
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            let expected = if c.is_whitespace() { c.len_utf8() } else { 0 };
            assert_eq!(length(text.as_bytes()), expected, "{:04X}", u32::from(c));
        }
    }

    proptest! {
        #[test]
        fn runs_of_white_space_become_one_space(
            before in "[a \u{a0}é]{0,3}",
            text in "[ab \\t\\n\u{b}\u{85}\u{a0}\u{2003}\u{2019}\u{3000}\u{3042}é]{0,20}",
        ) {
            let mut written = before.clone();
            push_words(&mut written, &text);
            let mut expected = before;
            for c in text.chars() {
                if !c.is_whitespace() {
                    expected.push(c);
                } else if !expected.is_empty() && !expected.ends_with(char::is_whitespace) {
                    expected.push(' ');
                }
            }
            prop_assert_eq!(written, expected);
        }
    }
}
