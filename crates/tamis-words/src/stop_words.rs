//! Words that say little of what a text is about.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::language::Language;

/// Lists of stop words, by language.
#[derive(Clone, Debug, Default)]
pub struct StopWords {
    by_language: HashMap<Language, HashSet<String>>,
}

static BUILT_IN: LazyLock<StopWords> =
    LazyLock::new(|| StopWords::read(include_str!("../models/stop_words.tsv")));

impl StopWords {
    /// The lists that come with the program, for 58 languages.
    pub fn built_in() -> &'static StopWords {
        &BUILT_IN
    }

    /// Reads lists: lines of a language's code, a tab, and words parted by white space. Lines of no known language are left
    /// out; a language may have several lines.
    pub fn read(lists: &str) -> StopWords {
        let mut read = StopWords::default();
        for (language, words) in lists.lines().filter_map(|line| line.split_once('\t')) {
            if let Some(language) = Language::parse(language) {
                let known = read.by_language.entry(language.macro_language()).or_default();
                known.extend(words.split_whitespace().map(str::to_lowercase));
            }
        }
        read
    }

    /// The stop words of a language, by its tag or code.
    pub fn of(&self, language: &str) -> Option<&HashSet<String>> {
        self.by_language.get(&Language::parse(language)?.macro_language())
    }

    /// Whether a word is a stop word of a language, with capitals or without.
    ///
    /// ```
    /// use tamis_words::stop_words::StopWords;
    ///
    /// let lists = StopWords::built_in();
    /// assert!(lists.contains("en", "The") && lists.contains("deu", "und"));
    /// assert!(!lists.contains("en", "eclipse") && !lists.contains("xx", "the"));
    /// ```
    pub fn contains(&self, language: &str, word: &str) -> bool {
        self.of(language).is_some_and(|words| {
            if word.bytes().any(|byte| byte >= 0x80 || byte.is_ascii_uppercase()) {
                words.contains(&word.to_lowercase())
            } else {
                words.contains(word)
            }
        })
    }

    /// How many languages have a list.
    pub fn languages(&self) -> usize {
        self.by_language.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_languages_of_the_lists_are_known() {
        assert_eq!(
            StopWords::built_in().languages(),
            include_str!("../models/stop_words.tsv").lines().count()
        );
    }

    #[test]
    fn parts_of_words_are_stop_words() {
        let lists = StopWords::built_in();
        assert!(["n't", "'s", "ca", "N'T", "The"].iter().all(|word| lists.contains("en-US", word)));
    }

    #[test]
    fn lists_can_be_replaced() {
        let own = StopWords::read("en\tfoo Bar\nxx\tbaz\n\nen\tqux\n");
        let known = ["foo", "BAR", "baz", "qux", "the"].map(|word| own.contains("en", word));
        assert_eq!(known, [true, true, false, true, false]);
    }
}
