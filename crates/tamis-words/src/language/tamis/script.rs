//! What a character is to the detector: a letter of a script, or one of a few kinds of what stands between words.

/// The kind of a character; a letter's kind is its script.
pub type Kind = u8;

/// Anything that is no letter and tells nothing.
pub const OTHER: Kind = 0;
/// White space.
pub const SPACE: Kind = 1;
/// A digit: a word that touches one is a name, a measure or a key.
pub const DIGIT: Kind = 2;
/// A sign of addresses, markup and programs: a word that touches one is no prose.
pub const TECHNICAL: Kind = 3;
/// A sign that ends a sentence, and the ones that join the parts of an address.
pub const STOP: Kind = 4;
/// An apostrophe: a letter if it stands between letters.
pub const APOSTROPHE: Kind = 5;
/// A mark that belongs to the letter before it.
pub const MARK: Kind = 6;
/// The first kind that is a script.
pub const FIRST_SCRIPT: Kind = 8;
/// Letters of scripts no language of ours is written in.
pub const UNKNOWN_SCRIPT: Kind = 8;
/// The Latin script.
pub const LATIN: Kind = 9;
/// Han characters with kana and bopomofo: writing without spaces, read by characters and pairs.
pub const HAN: Kind = 10;
/// The syllables of Korean.
pub const HANGUL: Kind = 11;
/// The Greek script, which is read without accents and breathings: the same language is written with many, with one and with none.
pub const GREEK: Kind = 12;
/// How many kinds there are.
pub const KINDS: usize = 64;

/// Blocks of letters with their scripts, in order of the code points.
const BLOCKS: &[(u32, u32, Kind)] = &[
    (0x41, 0x5a, LATIN),
    (0x61, 0x7a, LATIN),
    (0xaa, 0xaa, LATIN),
    (0xba, 0xba, LATIN),
    (0xc0, 0x24f, LATIN),
    (0x250, 0x2af, LATIN),
    (0x2b0, 0x2ff, LATIN),
    (0x300, 0x36f, MARK),
    (0x370, 0x3ff, GREEK),
    (0x400, 0x52f, 13),   // Cyrillic
    (0x530, 0x58f, 14),   // Armenian
    (0x591, 0x5f4, 15),   // Hebrew
    (0x610, 0x6ff, 16),   // Arabic
    (0x700, 0x74f, 17),   // Syriac
    (0x750, 0x77f, 16),   // Arabic
    (0x780, 0x7bf, 18),   // Thaana
    (0x7ca, 0x7f5, 19),   // N'Ko
    (0x860, 0x86f, 17),   // Syriac
    (0x870, 0x8ff, 16),   // Arabic
    (0x900, 0x963, 20),   // Devanagari
    (0x971, 0x97f, 20),   // Devanagari
    (0x980, 0x9fe, 21),   // Bengali
    (0xa01, 0xa75, 22),   // Gurmukhi
    (0xa81, 0xaff, 23),   // Gujarati
    (0xb01, 0xb77, 24),   // Odia
    (0xb82, 0xbf2, 25),   // Tamil
    (0xc00, 0xc7f, 26),   // Telugu
    (0xc80, 0xcff, 27),   // Kannada
    (0xd00, 0xd7f, 28),   // Malayalam
    (0xd81, 0xdf3, 29),   // Sinhala
    (0xe01, 0xe4e, 30),   // Thai
    (0xe81, 0xedf, 31),   // Lao
    (0xf00, 0xf00, 32),   // Tibetan
    (0xf35, 0xfbc, 32),   // Tibetan
    (0x1000, 0x1049, 33), // Myanmar
    (0x1050, 0x109f, 33), // Myanmar
    (0x10a0, 0x10ff, 34), // Georgian
    (0x1100, 0x11ff, HANGUL),
    (0x1200, 0x139f, 35), // Ethiopic
    (0x13a0, 0x13ff, 36), // Cherokee
    (0x1401, 0x167f, 37), // Canadian syllabics
    (0x1700, 0x1734, UNKNOWN_SCRIPT),
    (0x1780, 0x17d3, 38), // Khmer
    (0x1820, 0x18aa, 39), // Mongolian
    (0x18b0, 0x18f5, 37), // Canadian syllabics
    (0x1900, 0x1a1f, UNKNOWN_SCRIPT),
    (0x1a20, 0x1aad, UNKNOWN_SCRIPT),
    (0x1b00, 0x1bff, UNKNOWN_SCRIPT),
    (0x1c00, 0x1c4f, UNKNOWN_SCRIPT),
    (0x1c50, 0x1c7d, 40), // Ol Chiki
    (0x1c80, 0x1c88, 13), // Cyrillic
    (0x1c90, 0x1cbf, 34), // Georgian
    (0x1d00, 0x1dbf, LATIN),
    (0x1dc0, 0x1dff, MARK),
    (0x1e00, 0x1eff, LATIN),
    (0x1f00, 0x1fff, GREEK),
    (0x2c60, 0x2c7f, LATIN),
    (0x2d00, 0x2d2d, 34), // Georgian
    (0x2d30, 0x2d7f, 41), // Tifinagh
    (0x2d80, 0x2ddf, 35), // Ethiopic
    (0x2de0, 0x2dff, 13), // Cyrillic
    (0x3005, 0x3007, HAN),
    (0x3041, 0x3096, HAN),
    (0x309d, 0x309f, HAN),
    (0x30a1, 0x30fa, HAN),
    (0x30fc, 0x30ff, HAN),
    (0x3105, 0x312f, HAN),
    (0x3131, 0x318e, HANGUL),
    (0x31f0, 0x31ff, HAN),
    (0x3400, 0x4dbf, HAN),
    (0x4e00, 0x9fff, HAN),
    (0xa000, 0xa4cf, 42), // Yi
    (0xa4d0, 0xa4fd, UNKNOWN_SCRIPT),
    (0xa500, 0xa62b, 43), // Vai
    (0xa640, 0xa69f, 13), // Cyrillic
    (0xa6a0, 0xa6ff, UNKNOWN_SCRIPT),
    (0xa722, 0xa7ff, LATIN),
    (0xa800, 0xa8df, UNKNOWN_SCRIPT),
    (0xa8e0, 0xa8ff, 20), // Devanagari
    (0xa900, 0xa95f, UNKNOWN_SCRIPT),
    (0xa960, 0xa97f, HANGUL),
    (0xa980, 0xa9cf, UNKNOWN_SCRIPT),
    (0xa9e0, 0xa9ff, 33), // Myanmar
    (0xaa00, 0xaa5f, UNKNOWN_SCRIPT),
    (0xaa60, 0xaa7f, 33), // Myanmar
    (0xab00, 0xab2f, 35), // Ethiopic
    (0xab30, 0xab6f, LATIN),
    (0xab70, 0xabbf, 36), // Cherokee
    (0xabc0, 0xabed, 44), // Meetei Mayek
    (0xac00, 0xd7ff, HANGUL),
    (0xf900, 0xfaff, HAN),
    (0xfb00, 0xfb06, LATIN),
    (0xfb13, 0xfb17, 14), // Armenian
    (0xfb1d, 0xfb4f, 15), // Hebrew
    (0xfb50, 0xfdff, 16), // Arabic
    (0xfe20, 0xfe2f, MARK),
    (0xfe70, 0xfefc, 16), // Arabic
    (0xff21, 0xff3a, LATIN),
    (0xff41, 0xff5a, LATIN),
    (0xff66, 0xff9f, HAN),
    (0xffa0, 0xffdc, HANGUL),
];

/// Signs within the blocks of letters above that are none.
const PUNCTUATION: &[u32] = &[
    0xd7, 0xf7, 0x37e, 0x387, 0x55a, 0x55b, 0x55c, 0x55d, 0x55e, 0x55f, 0x589, 0x58a, 0x5be, 0x5c0, 0x5c3,
    0x5c6, 0x61b, 0x61d, 0x61e, 0x61f, 0x66a, 0x66b, 0x66c, 0x66d, 0x6d4, 0x6dd, 0xe3f, 0xf85, 0x104a,
    0x104b, 0x10fb, 0x1361, 0x1362, 0x1363, 0x1364, 0x1365, 0x1366, 0x1367, 0x1368, 0x166d, 0x166e, 0x1680,
    0x2d70, 0xfd3e, 0xfd3f, 0xfdfc, 0xff70,
];

/// What each character of the first plane is: its kind, and the small letter it stands for.
pub struct Characters(Vec<u32>);

impl Default for Characters {
    fn default() -> Self {
        Self::new()
    }
}

impl Characters {
    /// The table of the first plane, 256 KB.
    pub fn new() -> Self {
        let mut table: Vec<u32> = (0..0x10000)
            .map(|code| char::from_u32(code).map_or(0, |c| u32::from(plain_kind(c)) << 16))
            .collect();
        for &(first, last, kind) in BLOCKS {
            for code in first..=last {
                if let Some(c) = char::from_u32(code).filter(|c| !c.is_numeric() || kind == HAN || kind == 42)
                {
                    table[code as usize] = u32::from(kind) << 16 | small(c);
                }
            }
        }
        for &code in PUNCTUATION {
            table[code as usize] = u32::from(STOP) << 16 | code;
        }
        // The letter modifiers that Uzbek, Hawaiian and Breton write as apostrophes.
        for code in [0x27, 0x2b9, 0x2bb, 0x2bc, 0x2bd, 0x2bf, 0x2018, 0x2019, 0x60, 0xb4] {
            table[code] = u32::from(APOSTROPHE) << 16 | 0x27;
        }
        Self(table)
    }

    /// The kind of a character, and its small letter folded into 16 bits.
    #[inline]
    pub fn of(&self, code: u32) -> (Kind, u16) {
        match self.0.get(code as usize) {
            Some(&entry) => ((entry >> 16) as Kind, entry as u16),
            None => beyond(code),
        }
    }
}

fn plain_kind(c: char) -> Kind {
    match c {
        '_' | '=' | '{' | '}' | '<' | '>' | '\\' | '@' | '$' | '^' | '~' => TECHNICAL,
        '.' | '!' | '?' | '…' | '。' | '\u{ff01}' | '\u{ff1f}' | '।' | '॥' | ':' | '/' | ';' => STOP,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => MARK,
        c if c.is_whitespace() => SPACE,
        c if c.is_numeric() => DIGIT,
        _ => OTHER,
    }
}

/// The small letter in 16 bits. The wide letters of East Asian pages are the ASCII ones.
fn small(c: char) -> u32 {
    let c = match u32::from(c) {
        wide @ (0xff21..=0xff3a | 0xff41..=0xff5a) => char::from_u32(wide - 0xfee0).unwrap_or(c),
        _ => c,
    };
    let low = bare(c.to_lowercase().next().map_or(0, u32::from));
    if low < 0x10000 { low } else { u32::from(c) }
}

/// A small Greek letter without its accent, breathing and subscript; any other letter as it is.
fn bare(low: u32) -> u32 {
    let letter = match low {
        0x3ac | 0x1f00..=0x1f07 | 0x1f70..=0x1f71 | 0x1f80..=0x1f87 | 0x1fb0..=0x1fb7 => 'α',
        0x3ad | 0x1f10..=0x1f15 | 0x1f72..=0x1f73 => 'ε',
        0x3ae | 0x1f20..=0x1f27 | 0x1f74..=0x1f75 | 0x1f90..=0x1f97 | 0x1fc2..=0x1fc7 => 'η',
        0x390 | 0x3af | 0x3ca | 0x1f30..=0x1f37 | 0x1f76..=0x1f77 | 0x1fd0..=0x1fd7 => 'ι',
        0x3cc | 0x1f40..=0x1f45 | 0x1f78..=0x1f79 => 'ο',
        0x3b0 | 0x3cb | 0x3cd | 0x1f50..=0x1f57 | 0x1f7a..=0x1f7b | 0x1fe0..=0x1fe3 | 0x1fe6..=0x1fe7 => 'υ',
        0x1fe4..=0x1fe5 => 'ρ',
        0x3ce | 0x1f60..=0x1f67 | 0x1f7c..=0x1f7d | 0x1fa0..=0x1fa7 | 0x1ff2..=0x1ff7 => 'ω',
        _ => return low,
    };
    u32::from(letter)
}

/// Characters outside the first plane.
#[cold]
fn beyond(code: u32) -> (Kind, u16) {
    match code {
        0x1_0330..=0x1_034a => (45, code as u16),
        0x1_e900..=0x1_e921 => (46, (code + 0x22) as u16),
        0x1_e922..=0x1_e94b => (46, code as u16),
        0x2_0000..=0x3_ffff => (HAN, code as u16),
        0x1_1100..=0x1_114f => (47, code as u16),
        _ => (OTHER, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_known_by_script_and_made_small() {
        let characters = Characters::new();
        let cases = [
            ('A', LATIN, 'a'),
            ('é', LATIN, 'é'),
            ('İ', LATIN, 'i'),
            ('Ж', 13, 'ж'),
            ('漢', HAN, '漢'),
            ('カ', HAN, 'カ'),
            ('한', HANGUL, '한'),
            ('’', APOSTROPHE, '\''),
            ('A', LATIN, 'a'),
            ('ि', 20, 'ि'),
            ('Ά', GREEK, 'α'),
            ('ἦ', GREEK, 'η'),
            ('ᾯ', GREEK, 'ω'),
            ('ΐ', GREEK, 'ι'),
        ];
        for (c, kind, low) in cases {
            assert_eq!(characters.of(u32::from(c)), (kind, u32::from(low) as u16), "{c}");
        }
        for (c, kind) in [
            ('1', DIGIT),
            (' ', SPACE),
            ('_', TECHNICAL),
            ('.', STOP),
            ('—', OTHER),
            ('٣', DIGIT),
            ('×', STOP),
            ('😀', OTHER),
        ] {
            assert_eq!(characters.of(u32::from(c)).0, kind, "{c}");
        }
    }

    #[test]
    fn blocks_are_in_order() {
        assert!(BLOCKS.windows(2).all(|two| two[0].1 < two[1].0));
    }
}
