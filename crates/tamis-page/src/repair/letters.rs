//! Which of several candidates a letter was, by the letters of the language.
//!
//! Lower-casing made `Š` and `š` the same, and so two bytes of UTF-8: `ñœ` was `ь` in Russian and `ќ` in Macedonian,
//! `åœ°` was `地` rather than `匰`. The language shows in the letters that are beyond doubt.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::misread::Originals;

/// Letters beyond ASCII of each language, the most frequent first; `bench/repair/letters` makes it.
const TABLE: &str = include_str!("letters.txt");

/// What a letter that a language does not have counts as, by rank.
const UNKNOWN: usize = 20_000;

/// The rank of each letter in one language.
#[derive(Debug)]
struct Language {
    ranks: BTreeMap<char, usize>,
}

static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let letters = lines.filter_map(|line| line.split_once(' ').map(|(_, letters)| letters));
    letters.map(|letters| Language { ranks: letters.chars().zip(0..).collect() }).collect()
});

impl Language {
    fn rank(&self, char: char) -> usize {
        self.ranks.get(&char).copied().unwrap_or(UNKNOWN)
    }

    /// How well letters fit, by Zipf's law.
    fn fit(&self, letters: &BTreeMap<char, usize>) -> f64 {
        letters.iter().map(|(&char, &times)| -(times as f64) * ((self.rank(char) + 2) as f64).ln()).sum()
    }
}

/// The letters of a text that are beyond doubt, and the language they speak for.
#[derive(Debug, Default)]
pub(super) struct Letters {
    language: Option<&'static Language>,
}

impl Letters {
    /// The language of a text with these letters.
    pub(super) fn of(letters: impl Iterator<Item = char>) -> Self {
        let mut counts = BTreeMap::new();
        letters.filter(|char| char.is_alphabetic()).for_each(|char| *counts.entry(char).or_default() += 1);
        if counts.is_empty() {
            return Self::default();
        }
        let fits = LANGUAGES.iter().map(|language| (language.fit(&counts), language));
        let best = fits.max_by(|one, other| one.0.total_cmp(&other.0));
        Self { language: best.map(|(_, language)| language) }
    }

    /// The likeliest of the candidates, between the characters that stand around them.
    pub(super) fn choose(&self, originals: &Originals, before: Option<char>, after: Option<char>) -> char {
        if let Some(sole) = originals.sole() {
            return sole;
        }
        let joins =
            |char: Option<char>| char.is_some_and(|char| char.is_alphabetic() && u32::from(char) > 0x5FF);
        let within_word = joins(before) && joins(after);
        let candidates = originals.as_slice().iter().copied();
        let likelihood = |&char: &char| (self.rank(char, within_word), rarity(char));
        candidates.min_by_key(likelihood).unwrap_or_else(|| originals.first())
    }

    fn rank(&self, char: char, within_word: bool) -> usize {
        match char {
            // The joiner stands within words of Persian and of India; quotation marks around them.
            '\u{200C}' | '\u{200D}' => usize::from(!within_word) * UNKNOWN,
            '‚' | '“' | '„' => usize::from(within_word) * UNKNOWN,
            _ => self.language.map_or(UNKNOWN, |language| language.rank(char)),
        }
    }
}

/// How rare a character is where the language does not say: the standards of the eighties have the common ones first.
fn rarity(char: char) -> usize {
    let pair = |encoding: &'static encoding_rs::Encoding| {
        let text = char.to_string();
        let (bytes, _, lost) = encoding.encode(&text);
        (!lost).then(|| (bytes.first().copied().unwrap_or(0), bytes.get(1).copied().unwrap_or(0)))
    };
    let among = [
        matches!(pair(encoding_rs::GBK), Some((0xB0..=0xD7, 0xA1..))),
        matches!(pair(encoding_rs::BIG5), Some((0xA4..=0xC6, _))),
        matches!(pair(encoding_rs::EUC_JP), Some((0xA4..=0xA5 | 0xB0..=0xCF, _))),
        matches!(pair(encoding_rs::EUC_KR), Some((0xB0..=0xC8, 0xA1..))),
    ];
    let common = among.into_iter().filter(|&common| common).count();
    8 - 2 * common + usize::from(!char.is_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::super::misread::{Reading, sequence};
    use super::*;

    fn chosen(known: &str, doubtful: &str) -> Option<char> {
        let found = sequence(doubtful, Reading::Lowered)?;
        Some(Letters::of(known.chars()).choose(&found.originals, None, None))
    }

    #[test]
    fn the_language_decides() {
        for (known, doubtful, expected) in [
            ("все люди рождаются", "ñœ", 'ь'),
            ("сите човечки суштества ѓ ѕ џ ј", "ñœ", 'ќ'),
            ("für größer schön", "ãœ", 'Ü'),
            ("forêt où été ça", "ãš", 'Ê'),
            ("人人生而自由", "åœ°", '地'),
            ("すべての人間は", "ãƒž", 'マ'),
            ("یک روز", "â€œ", '“'),
        ] {
            assert_eq!(chosen(known, doubtful), Some(expected), "{known}");
        }
    }
}
