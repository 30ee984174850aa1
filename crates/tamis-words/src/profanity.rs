//! Words that many do not want to read, found by lists and replaced.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, MatchKind};

use crate::language::Language;

/// What stands for a word of the list.
pub const REPLACEMENT: &str = "{profanity}";

/// A list of words, ready to be found in texts.
#[derive(Clone, Debug)]
pub struct Profanity {
    /// None if the list is empty.
    automaton: Option<AhoCorasick>,
}

/// The lists of languages.
#[derive(Debug, Default)]
pub struct Lists {
    words: BTreeMap<Language, Vec<String>>,
    /// What was made of each list when it was first asked for.
    ready: BTreeMap<Language, OnceLock<Profanity>>,
}

static BUILT_IN: LazyLock<Lists> = LazyLock::new(|| Lists::read(include_str!("../models/profanity.tsv")));

impl Lists {
    /// The lists that come with the program, for 27 languages.
    pub fn built_in() -> &'static Lists {
        &BUILT_IN
    }

    /// Reads lists: lines of a language's code, a tab, and a word or phrase. Lines of no known language are left out.
    pub fn read(lists: &str) -> Lists {
        let mut read = Lists::default();
        for (language, word) in lists.lines().filter_map(|line| line.split_once('\t')) {
            if let (Some(language), word) = (Language::parse(language), word.trim())
                && !word.is_empty()
            {
                read.words.entry(language.macro_language()).or_default().push(word.to_owned());
            }
        }
        read.ready = read.words.keys().map(|&language| (language, OnceLock::new())).collect();
        read
    }

    /// The list of a language, by its tag or code.
    pub fn of(&self, language: &str) -> Option<&Profanity> {
        let language = Language::parse(language)?.macro_language();
        Some(self.ready.get(&language)?.get_or_init(|| Profanity::new(&self.words[&language])))
    }
}

impl Profanity {
    /// A list of words and phrases, which are found with capitals and without.
    pub fn new(words: &[String]) -> Profanity {
        let mut forms: Vec<String> =
            words.iter().flat_map(|word| [word.to_lowercase(), word.to_uppercase(), titled(word)]).collect();
        forms.retain(|form| !form.trim().is_empty());
        forms.sort_unstable();
        forms.dedup();
        let builder =
            AhoCorasick::builder().match_kind(MatchKind::Standard).ascii_case_insensitive(true).build(&forms);
        Profanity { automaton: builder.ok().filter(|_| !forms.is_empty()) }
    }

    /// Where words of the list are in a text, in bytes: the longest from each place, none in another. A word is found only
    /// as a whole, except in writing without spaces.
    ///
    /// Linear in time.
    pub fn find(&self, text: &str) -> Vec<Range<usize>> {
        let Some(automaton) = &self.automaton else { return Vec::new() };
        let whole = automaton.find_overlapping_iter(text).map(|found| found.range());
        let mut found: Vec<Range<usize>> = whole.filter(|range| is_whole(text, range)).collect();
        found.sort_unstable_by_key(|range| (range.start, usize::MAX - range.end));
        let mut end = 0;
        found.retain(|range| {
            let is_next = range.start >= end;
            if is_next {
                end = range.end;
            }
            is_next
        });
        found
    }

    /// The text with [`REPLACEMENT`] for each word of the list.
    ///
    /// ```
    /// use tamis_words::profanity::Profanity;
    ///
    /// let list = Profanity::new(&["heck".to_owned(), "what the heck".to_owned()]);
    /// assert_eq!(list.masked("Heck! What the heck, checkers?"), "{profanity}! {profanity}, checkers?");
    /// ```
    pub fn masked<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let found = self.find(text);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut masked = String::with_capacity(text.len());
        let mut last = 0;
        for range in found {
            masked.push_str(&text[last..range.start]);
            masked.push_str(REPLACEMENT);
            last = range.end;
        }
        masked.push_str(&text[last..]);
        Cow::Owned(masked)
    }
}

/// A word with a capital.
fn titled(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + &letters.as_str().to_lowercase()
}

/// Whether no letter or digit stands beside a range: characters of writing without spaces count as none.
fn is_whole(text: &str, range: &Range<usize>) -> bool {
    let (Some(before), Some(behind), Some(word)) =
        (text.get(..range.start), text.get(range.end..), text.get(range.clone()))
    else {
        return false;
    };
    let bounds = |inside: Option<char>, outside: Option<char>| {
        let joins = |one: Option<char>| {
            one.is_some_and(|one| (one.is_alphanumeric() || is_mark(one)) && !is_unspaced(one))
        };
        !(joins(inside) && joins(outside))
    };
    bounds(word.chars().next(), before.chars().next_back())
        && bounds(word.chars().next_back(), behind.chars().next())
}

/// Whether a character belongs to the letter before it, such as the vowels of Hindi.
fn is_mark(one: char) -> bool {
    matches!(one, '\u{300}'..='\u{36F}' | '\u{610}'..='\u{61A}' | '\u{64B}'..='\u{65F}' | '\u{900}'..='\u{903}' | '\u{93A}'..='\u{94F}')
}

/// Whether words of this writing stand without spaces: Chinese, Japanese, Thai, Lao, Khmer, Burmese.
fn is_unspaced(one: char) -> bool {
    matches!(
        one,
        '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{3040}'..='\u{30FF}'
            | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3134F}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(words: &[&str]) -> Profanity {
        Profanity::new(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn words_are_found_as_a_whole() {
        for (text, masked) in [
            ("darn", "{profanity}"),
            ("DARN it, darned", "{profanity} it, darned"),
            ("darn darn-darn", "{profanity} {profanity}-{profanity}"),
            ("Ärger, ärger, ÄRGER, Ärgernis", "{profanity}, {profanity}, {profanity}, Ärgernis"),
            ("是笨蛋吗", "是{profanity}吗"),
            ("", ""),
        ] {
            assert_eq!(list(&["darn", "ärger", "笨蛋"]).masked(text), masked);
        }
    }

    #[test]
    fn the_longest_word_that_is_whole_counts() {
        let list = list(&["darn", "darn it", "it"]);
        assert_eq!(list.masked("darn it all"), "{profanity} all");
        assert_eq!(list.masked("darn items"), "{profanity} items");
    }

    #[test]
    fn an_empty_list_finds_nothing() {
        assert_eq!(list(&[]).masked("darn"), "darn");
        assert_eq!(list(&[" "]).masked("a b"), "a b");
    }

    #[test]
    fn the_built_in_lists_are_those_of_their_languages() {
        let lists = Lists::built_in();
        let known = ["en", "de-DE", "jpn", "zh", "xx"].map(|language| lists.of(language).is_some());
        assert_eq!(known, [true, true, true, true, false]);
        let english = lists.of("en").expect("it has a list");
        assert_eq!(english.masked("This is bullshit, Mr. Dickens."), "This is {profanity}, Mr. Dickens.");
    }

    #[test]
    fn hostile_text_takes_linear_time() {
        let text = "darn it ".repeat(100_000) + &"darn".repeat(100_000);
        assert_eq!(list(&["darn", "darn it"]).find(&text).len(), 100_000);
    }
}
