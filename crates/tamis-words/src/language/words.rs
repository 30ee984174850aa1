//! Languages by their most frequent words.
//!
//! The algorithm of Crosara, *Analisi della lingua su un dataset di pagine web tramite `MapReduce`* (Verona, 2019), sections
//! 3.3 to 3.9, as it is: a text is split into words; a word that is in the dictionary counts for the one language the
//! dictionary has it for; the shares of the languages in all words decide.
//!
//! What that text leaves open is settled so:
//!
//! - A word is looked up as it is written. The reference keeps the dictionary in a `HashMap<String, Language>`, its lists hold
//!   `Ek` beside `ich`, and nothing in it folds case: `Ich` at the beginning of a sentence is not `ich`.
//! - A word on several lists counts for the last language in the dictionary that has it: later entries overwrite.
//! - An empty string is no word. (Java's `split` makes one before a separator at the very beginning.)
//! - Shares are compared exactly, before they are rounded to be printed.

mod choice;
mod json;
mod split;
mod table;

#[cfg(test)]
mod parity;

use std::sync::LazyLock;

use super::{Answer, Detect, Language, Span};

pub use choice::choose;
pub use json::DictionaryError;

use table::Table;

/// The built-in dictionary, made by `scripts/make-dictionary`; origin and licence are in `models/README.md`.
const BUILT_IN: &[u8] = include_bytes!("../../models/dictionary.json");

/// Finds languages by their most frequent words. The unit of its answers is the word.
///
/// Memory: a few times the dictionary's size; a page needs 4 bytes for each language.
#[derive(Debug)]
pub struct Words {
    name: String,
    version: String,
    languages: Vec<Language>,
    table: Table,
}

impl Words {
    /// The detector with the dictionary we ship.
    pub fn built_in() -> &'static Self {
        static WORDS: LazyLock<Words> =
            LazyLock::new(|| Words::from_json(BUILT_IN).expect("a test reads the built-in dictionary"));
        &WORDS
    }

    /// Reads a dictionary in the reference's schema: `name`, `type`, `version`, and `languages` with `name`, `ISO_639_V1`,
    /// `ISO_639_V2`, `ISO_639_V2_alt` and `words`. A language without words is not implemented and left out.
    pub fn from_json(json: &[u8]) -> Result<Self, DictionaryError> {
        let dictionary = json::parse(json)?;
        let mut languages: Vec<Language> = Vec::new();
        let mut table = Table::default();
        for entry in dictionary.languages.iter().filter(|entry| !entry.words.is_empty()) {
            let language = languages.iter().position(|it| *it == entry.language()).unwrap_or_else(|| {
                languages.push(entry.language());
                languages.len() - 1
            });
            for word in &entry.words {
                table.insert(word, language as u16);
            }
        }
        Ok(Self { name: dictionary.name, version: dictionary.version, languages, table })
    }

    /// What the dictionary calls itself, and its version.
    pub fn dictionary(&self) -> (&str, &str) {
        (&self.name, &self.version)
    }

    /// The implemented languages, in the dictionary's order.
    pub fn languages(&self) -> &[Language] {
        &self.languages
    }

    /// The language that a word counts for.
    pub fn look_up(&self, word: &str) -> Option<Language> {
        self.table.find(word, 0, word.len()).map(|language| self.languages[usize::from(language)])
    }

    fn answer(&self, counted: &[u32], total: u32, words_split: bool) -> Answer {
        let found = self.languages.iter().zip(counted).filter(|(_, count)| **count > 0);
        let mut counts: Vec<_> = found.map(|(language, count)| (*language, *count)).collect();
        counts.sort_unstable_by_key(|(language, count)| (u32::MAX - count, *language));
        Answer { languages: choose(&counts, total), counts, total, words_split }
    }

    /// The language most pieces of a split word count for, the first of equals.
    fn language_of_pieces(&self, text: &str, start: usize, end: usize) -> Option<u16> {
        let mut counted: Vec<(u16, u32)> = Vec::new();
        split::each_piece(text, start, end, |from, to| {
            let Some(language) = self.table.find(text, from, to) else { return };
            match counted.iter_mut().find(|(known, _)| *known == language) {
                Some((_, count)) => *count += 1,
                None => counted.push((language, 1)),
            }
        });
        counted.iter().rev().max_by_key(|(_, count)| *count).map(|(language, _)| *language)
    }
}

impl Detect for Words {
    fn detect(&self, text: &str) -> Answer {
        let mut counted = vec![0; self.languages.len()];
        let (mut total, mut words_split) = (0_u32, false);
        let mut count = |start, end| {
            total = total.saturating_add(1);
            if let Some(language) = self.table.find(text, start, end) {
                counted[usize::from(language)] += 1;
            }
        };
        split::each_word(text, |start, end| {
            if split::is_split(text, start) {
                words_split = true;
                split::each_piece(text, start, end, &mut count);
            } else {
                count(start, end);
            }
        });
        self.answer(&counted, total, words_split)
    }

    /// Runs of words that count for the same language, or for none. A word that is split has the language of most of its
    /// pieces.
    fn spans(&self, text: &str) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        split::each_word(text, |start, end| {
            let language = if split::is_split(text, start) {
                self.language_of_pieces(text, start, end)
            } else {
                self.table.find(text, start, end)
            };
            let language = language.map(|language| self.languages[usize::from(language)]);
            match spans.last_mut() {
                Some(last) if last.language == language => last.range.end = end,
                _ => spans.push(Span { range: start..end, language }),
            }
        });
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &[u8] = r#"{
        "name": "dictionary", "type": "300_isoV2", "version": "1.1.6",
        "languages": [
            { "name": "Afrikaans", "ISO_639_V1": "af", "ISO_639_V2": "afr", "words": ["as", "Ek", "sy", "wat"] },
            { "name": "German", "ISO_639_V1": "de", "ISO_639_V2": "deu", "ISO_639_V2_alt": "ger",
              "words": ["ich", "sie", "das", "ist"] },
            { "name": "English", "ISO_639_V1": "en", "ISO_639_V2": "eng", "words": ["as", "the", "internationalisation"] },
            { "name": "Chinese", "ISO_639_V1": "zh", "ISO_639_V2": "zho", "ISO_639_V2_alt": "chi", "words": ["的", "红色", "我的"] },
            { "name": "Klingon", "ISO_639_V1": "", "ISO_639_V2": "tlh", "words": [] }
        ]
    }"#
    .as_bytes();

    fn small() -> Words {
        Words::from_json(SMALL).expect("a good dictionary")
    }

    fn shown(answer: &Answer) -> String {
        let counts: Vec<_> =
            answer.counts.iter().map(|(language, count)| format!("{language}:{count}")).collect();
        let split = if answer.words_split { " [WS]" } else { "" };
        format!("{:?} {} of {}{split}", answer.languages, counts.join(","), answer.total)
    }

    #[test]
    fn words_count_for_the_language_they_are_listed_for() {
        let words = small();
        for (text, expected) in [
            ("ich bin, das ist: sie", "[deu] deu:4 of 5"),
            ("as", "[eng] eng:1 of 1"),
            ("Ek ek EK Ich", "[afr] afr:1 of 4"),
            ("the internationalisation internationalisations", "[eng] eng:2 of 3"),
            ("", "[]  of 0"),
            ("12 34 !!", "[]  of 0"),
            ("• wat€the°sie", "[afr, deu, eng] afr:1,deu:1,eng:1 of 3"),
        ] {
            assert_eq!(shown(&words.detect(text)), expected, "{text}");
        }
    }

    #[test]
    fn writing_without_spaces_is_split_into_characters_and_pairs() {
        let words = small();
        for (text, expected) in [
            ("邻居的猫是红色的我的猫是绿色的蓝色条纹", "[zho] zho:6 of 37 [WS]"),
            ("红色", "[zho] zho:1 of 3 [WS]"),
            ("red红色", "[]  of 1"),
            // 我 我的 的 的i i ic c ch h, and ich.
            ("我的ich ich", "[zho, deu] zho:2,deu:1 of 10 [WS]"),
        ] {
            assert_eq!(shown(&words.detect(text)), expected, "{text}");
        }
    }

    #[test]
    fn spans_are_runs_of_words_of_one_language() {
        let words = small();
        let text = "das ist hello world the 我的猫 x";
        let shown: Vec<_> = words.spans(text).into_iter().map(|it| (&text[it.range], it.language)).collect();
        let code = |code| Language::parse(code);
        assert_eq!(
            shown,
            [
                ("das ist", code("deu")),
                ("hello world", None),
                ("the", code("eng")),
                ("我的猫", code("zho")),
                ("x", None)
            ]
        );
    }

    #[test]
    fn a_language_without_words_is_not_implemented() {
        let codes: Vec<_> = small().languages().iter().map(ToString::to_string).collect();
        assert_eq!(codes, ["afr", "deu", "eng", "zho"]);
        assert_eq!(small().dictionary(), ("dictionary", "1.1.6"));
    }

    #[test]
    fn the_built_in_dictionary_has_seventy_languages_of_three_hundred_words() {
        let words = Words::built_in();
        assert!(words.languages().len() >= 70, "{}", words.languages().len());
        let dictionary = json::parse(BUILT_IN).expect("a good dictionary");
        for entry in &dictionary.languages {
            assert_eq!(entry.words.len(), 300, "{}", entry.language());
            for word in &entry.words {
                let mut pieces = 0;
                split::each_word(word, |start, end| pieces += usize::from(end - start == word.len()));
                assert_eq!(pieces, 1, "{}: {word} can be found", entry.language());
            }
        }
        assert_eq!(words.look_up("the"), Language::parse("eng"));
    }
}
