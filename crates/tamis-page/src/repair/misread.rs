//! Bytes of UTF-8 that stand in a text as characters of windows-1252, and the characters they were.

/// How the bytes of UTF-8 became the characters that are there now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Read as Latin-1 or windows-1252.
    Plain,
    /// And lower-cased after that: `Ã` became `ã`, `Š` became `š`.
    Lowered,
}

/// The characters of windows-1252 for 0x80 to 0x9F; the five holes are the controls that Latin-1 has there.
pub(super) const SPECIALS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', //
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// The byte that windows-1252 or Latin-1 has for a character beyond ASCII.
pub(super) fn byte_of(char: char) -> Option<u8> {
    match u32::from(char) {
        byte @ 0x80..=0xFF => Some(byte as u8),
        0..=0x7F | 0x2123.. => None,
        _ => SPECIALS.iter().position(|&special| special == char).map(|at| 0x80 + at as u8),
    }
}

/// One character of the original that now stands as two to four.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sequence {
    /// Its length in the text as it is now, in bytes of UTF-8.
    pub(super) len: usize,
    /// And in characters.
    pub(super) chars: usize,
    /// The first character and the last, as they are now.
    pub(super) ends: (char, char),
    /// What it may have been. More than one where lower-casing made two bytes the same.
    pub(super) originals: Originals,
}

impl Sequence {
    /// A sequence of which only `text` is left.
    pub(super) fn of_worn(text: &str, original: char) -> Self {
        let first = text.chars().next().unwrap_or_default();
        let last = text.chars().next_back().unwrap_or_default();
        let mut chars = ['\0'; 8];
        chars[0] = original;
        let originals = Originals { chars, len: 1 };
        Self { len: text.len(), chars: text.chars().count(), ends: (first, last), originals }
    }
}

/// Up to eight candidates; the first is the one with all bytes as they look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Originals {
    chars: [char; 8],
    len: usize,
}

impl Originals {
    pub(super) fn as_slice(&self) -> &[char] {
        &self.chars[..self.len]
    }

    /// The only candidate, where there is no more than one.
    pub(super) fn sole(&self) -> Option<char> {
        (self.len == 1).then_some(self.chars[0])
    }

    pub(super) fn first(&self) -> char {
        self.chars[0]
    }
}

/// The sequence at the start of `text`, if there is one that gives a character people write.
pub(super) fn sequence(text: &str, reading: Reading) -> Option<Sequence> {
    let mut chars = text.chars();
    let lead_char = chars.next()?;
    let lead = byte_of(lead_char)?;
    let mut trail = [0; 3];
    let mut found = 0;
    for (slot, char) in trail.iter_mut().zip(chars) {
        let Some(byte) = trail_byte(char, reading) else { break };
        *slot = byte;
        found += 1;
    }
    let lengths = lengths(lead, reading);
    let fits = |(lead, wanted): (u8, usize)| {
        let trail = trail.get(..wanted).filter(|_| wanted <= found)?;
        let originals = originals(lead, trail, text, reading)?;
        let (at, last) = text.char_indices().nth(wanted)?;
        Some(Sequence { len: at + last.len_utf8(), chars: wanted + 1, ends: (lead_char, last), originals })
    };
    lengths.into_iter().flatten().find_map(fits)
}

/// The bytes that a lead may have been, each with the number of bytes that must follow it; the longer first.
fn lengths(lead: u8, reading: Reading) -> [Option<(u8, usize)>; 2] {
    let plain = |lead| match lead {
        0xC2..=0xDF => Some((lead, 1)),
        0xE0..=0xEF => Some((lead, 2)),
        0xF0..=0xF4 => Some((lead, 3)),
        _ => None,
    };
    match (reading, lead) {
        // No capitals are left.
        (Reading::Lowered, 0xC0..=0xDE) if lead != 0xD7 => [None, None],
        (Reading::Lowered, 0xE0..=0xFE) if lead != 0xF7 => [plain(lead), plain(lead - 0x20)],
        _ => [plain(lead), None],
    }
}

fn trail_byte(char: char, reading: Reading) -> Option<u8> {
    match (reading, byte_of(char)?) {
        (Reading::Lowered, 0xFF) => Some(0x9F),
        (Reading::Lowered, _) if matches!(char, 'Š' | 'Œ' | 'Ž' | 'Ÿ') => None,
        (_, byte @ 0x80..=0xBF) => Some(byte),
        _ => None,
    }
}

/// All that the bytes may have been, `š`, `œ` and `ž` standing for their capitals too where the text was lower-cased.
fn originals(lead: u8, trail: &[u8], text: &str, reading: Reading) -> Option<Originals> {
    let mut folded = [false; 3];
    for (slot, char) in folded.iter_mut().zip(text.chars().skip(1)) {
        *slot = reading == Reading::Lowered && matches!(char, 'š' | 'œ' | 'ž');
    }
    let mut found = Originals { chars: ['\0'; 8], len: 0 };
    for choice in 0_u8..8 {
        let mut bytes = [lead, 0, 0, 0];
        // A bit of `choice` for a byte that has no capital would only repeat what was tried.
        let repeats = (0..3).any(|at| choice >> at & 1 == 1 && !(at < trail.len() && folded[at]));
        if repeats {
            continue;
        }
        for (at, byte) in trail.iter().enumerate() {
            bytes[at + 1] = byte - ((choice >> at & 1) << 4);
        }
        let text = std::str::from_utf8(&bytes[..=trail.len()]).ok();
        if let Some(char) = text.and_then(|text| text.chars().next()).filter(|&char| is_written(char)) {
            found.chars[found.len] = char;
            found.len += 1;
        }
    }
    (found.len > 0).then_some(found)
}

/// Whether a character belongs to what is written on the web, by blocks of Unicode. The misread form of the others (the
/// phonetic letters, N'Ko, Syriac …) is more often a capital before a quotation mark: `É”` would be `ɔ`.
fn is_written(char: char) -> bool {
    matches!(u32::from(char),
        // The controls are what the first of two misreadings leaves.
        0x80..=0x1DC | 0x1E4..=0x1F5 | 0x1F8..=0x1FF | 0x218..=0x21B | 0x259 | 0x2BB..=0x2BC | 0x2C6..=0x2DC
        | 0x300..=0x345 | 0x370..=0x52F | 0x531..=0x5F4 | 0x600..=0x6FF
        | 0x900..=0x137F | 0x1780..=0x17FF | 0x1E00..=0x1FFF | 0x2000..=0x206F | 0x2070..=0x209C | 0x20A0..=0x20C0
        | 0x2100..=0x2BFF | 0x3000..=0x312F | 0x3131..=0x318E | 0x3200..=0x33FF | 0x3400..=0x9FFF | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF | 0xFB00..=0xFB06 | 0xFB1D..=0xFDFF | 0xFE00..=0xFE0F | 0xFE30..=0xFE4F | 0xFE70..=0xFEFF
        | 0xFF00..=0xFFEF | 0x1F000..=0x1FAFF | 0x20000..=0x2FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn originals_of(text: &str, reading: Reading) -> Option<(String, usize)> {
        sequence(text, reading).map(|found| (found.originals.as_slice().iter().collect(), found.chars))
    }

    #[test]
    fn every_byte_has_its_character_and_back() {
        for byte in 0x80..=0xFF_u8 {
            let (text, _) =
                encoding_rs::WINDOWS_1252.decode_without_bom_handling(std::slice::from_ref(&byte));
            assert_eq!(text.chars().next().and_then(byte_of), Some(byte));
            assert_eq!(byte_of(char::from(byte)), Some(byte));
        }
        assert_eq!(byte_of('a'), None);
        assert_eq!(byte_of('漢'), None);
    }

    #[test]
    fn plain_sequences() {
        for (text, original) in [
            ("Ã¤", "ä"),
            ("Ã©s", "é"),
            ("â€™t", "’"),
            ("â\u{80}\u{99}", "’"),
            ("ðŸ˜€", "😀"),
            ("å…¬", "公"),
            ("Ð¿", "п"),
        ] {
            let expected = text.trim_end_matches(|c: char| c.is_ascii()).chars().count();
            assert_eq!(originals_of(text, Reading::Plain), Some((original.to_owned(), expected)), "{text}");
        }
        for text in ["", "Ã", "Ão", "ã©", "é", "É”", "ß“", "漢", "Ã漢"] {
            assert_eq!(originals_of(text, Reading::Plain), None, "{text}");
        }
    }

    #[test]
    fn lowered_sequences_with_all_they_may_have_been() {
        for (text, originals) in [
            ("ã¤", "ä"),
            ("ã©", "é"),
            ("ãÿ", "ß"),
            ("ð¿", "п"),
            ("ñœ", "ќь"),
            ("ãš", "ÚÊ"),
            ("â€œ", "“\u{200C}"),
            ("×©", "ש"),
            ("ðÿ˜€", "😀"),
            ("åœ°", "地匰"),
        ] {
            assert_eq!(
                originals_of(text, Reading::Lowered).map(|(found, _)| found).as_deref(),
                Some(originals),
                "{text}"
            );
        }
        for text in ["ão", "Ã©", "âŒ", "ã", "÷¤"] {
            assert_eq!(originals_of(text, Reading::Lowered), None, "{text}");
        }
    }
}
