//! Texts written in the other script of their language, letter by letter, where the rules of spelling say how.
//!
//! Serbian, Turkmen and Uyghur are read on the web in two scripts, and our texts are nearly all in one of them.

use tamis_words::language::tamis::script::{Kind, LATIN};

const CYRILLIC: Kind = 13;
const ARABIC: Kind = 16;

/// Letters, or pairs of them that are looked for first, and what is written for them.
type Table = &'static [(&'static str, &'static str)];

#[rustfmt::skip]
const SERBIAN: Table = &[
    ("а", "a"), ("б", "b"), ("в", "v"), ("г", "g"), ("д", "d"), ("ђ", "đ"), ("е", "e"), ("ж", "ž"), ("з", "z"), ("и", "i"),
    ("ј", "j"), ("к", "k"), ("л", "l"), ("љ", "lj"), ("м", "m"), ("н", "n"), ("њ", "nj"), ("о", "o"), ("п", "p"), ("р", "r"),
    ("с", "s"), ("т", "t"), ("ћ", "ć"), ("у", "u"), ("ф", "f"), ("х", "h"), ("ц", "c"), ("ч", "č"), ("џ", "dž"), ("ш", "š"),
];

#[rustfmt::skip]
const TURKMEN: Table = &[
    ("ýa", "я"), ("ýe", "е"), ("ýo", "ё"), ("ýu", "ю"), ("a", "а"), ("b", "б"), ("ç", "ч"), ("d", "д"), ("e", "е"), ("ä", "ә"),
    ("f", "ф"), ("g", "г"), ("h", "х"), ("i", "и"), ("j", "җ"), ("ž", "ж"), ("k", "к"), ("l", "л"), ("m", "м"), ("n", "н"),
    ("ň", "ң"), ("o", "о"), ("ö", "ө"), ("p", "п"), ("r", "р"), ("s", "с"), ("ş", "ш"), ("t", "т"), ("u", "у"), ("ü", "ү"),
    ("w", "в"), ("y", "ы"), ("ý", "й"), ("z", "з"),
];

#[rustfmt::skip]
const UYGHUR: Table = &[
    ("ئ", ""), ("ا", "a"), ("ە", "e"), ("ې", "ë"), ("ى", "i"), ("و", "o"), ("ۇ", "u"), ("ۆ", "ö"), ("ۈ", "ü"), ("ب", "b"),
    ("پ", "p"), ("ت", "t"), ("ج", "j"), ("چ", "ch"), ("خ", "x"), ("د", "d"), ("ر", "r"), ("ز", "z"), ("ژ", "zh"), ("س", "s"),
    ("ش", "sh"), ("غ", "gh"), ("ف", "f"), ("ق", "q"), ("ك", "k"), ("گ", "g"), ("ڭ", "ng"), ("ل", "l"), ("م", "m"), ("ن", "n"),
    ("ھ", "h"), ("ۋ", "w"), ("ي", "y"),
];

/// The other script that a language is written in, and the table for it.
pub(crate) fn other_writing(code: [u8; 3], script: Kind) -> Option<(Kind, Table)> {
    match (&code, script) {
        (b"srp", CYRILLIC) => Some((LATIN, SERBIAN)),
        (b"tuk", LATIN) => Some((CYRILLIC, TURKMEN)),
        (b"uig", ARABIC) => Some((LATIN, UYGHUR)),
        _ => None,
    }
}

/// The text in small letters of the other script. What the table does not have stays.
pub(crate) fn rewritten(text: &str, table: Table) -> String {
    let small = text.to_lowercase();
    let (mut rest, mut written) = (small.as_str(), String::new());
    while let Some(first) = rest.chars().next() {
        let found = table.iter().find(|(from, _)| rest.starts_with(from));
        let (from, to) = found.map_or((&rest[..first.len_utf8()], &rest[..first.len_utf8()]), |&pair| pair);
        written.push_str(to);
        rest = &rest[from.len()..];
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_written_in_the_other_script() {
        let cases = [
            (*b"srp", CYRILLIC, "Љубав је њихова.", "ljubav je njihova."),
            (*b"tuk", LATIN, "Ýagşy adam ýok.", "ягшы адам ёк."),
            (*b"uig", ARABIC, "ئۇيغۇر تىلى", "uyghur tili"),
        ];
        for (code, script, text, expected) in cases {
            let (_, table) = other_writing(code, script).expect("it has another script");
            assert_eq!(rewritten(text, table), expected);
        }
        assert!(other_writing(*b"rus", CYRILLIC).is_none());
    }
}
