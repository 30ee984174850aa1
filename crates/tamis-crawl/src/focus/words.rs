//! The words of a text as terms: small letters, without plurals.

use std::collections::{HashMap, HashSet};

use tamis_words::stop_words::StopWords;

/// Characters of a word; what is longer is no word of a language.
const LONGEST: usize = 40;
/// Words of a text that are looked at. A page of more is no page about an event.
pub(super) const MOST_WORDS: usize = 100_000;

/// Gives each term of a text: words of letters in small letters, of scripts without spaces pairs of characters.
pub(super) fn each(text: &str, mut give: impl FnMut(&str)) {
    each_with_word(text, |_, term| give(term));
}

/// How often each term stands in a text, without stop words.
pub(super) fn count(text: &str, stop: &StopLists) -> HashMap<Box<str>, u32> {
    let mut counts: HashMap<Box<str>, u32> = HashMap::new();
    each_with_word(text, |word, term| {
        if stop.has(word) {
            return;
        }
        match counts.get_mut(term) {
            Some(count) => *count += 1,
            None => drop(counts.insert(term.into(), 1)),
        }
    });
    counts
}

/// Gives each word in small letters, and its term.
fn each_with_word(text: &str, mut give: impl FnMut(&str, &str)) {
    let (mut word, mut term) = (String::new(), String::new());
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    for raw in words.take(MOST_WORDS) {
        if raw.chars().any(is_unspaced) {
            each_pair(raw, &mut word, &mut |pair| give(pair, pair));
            continue;
        }
        let is_word = raw.len() > 1 && raw.len() <= 4 * LONGEST && raw.chars().all(char::is_alphabetic);
        if is_word && raw.chars().count() <= LONGEST {
            word.clear();
            word.extend(raw.chars().flat_map(char::to_lowercase));
            term.clone_from(&word);
            stem(&mut term);
            give(&word, &term);
        }
    }
}

/// The term of a single word, as texts have it.
pub(super) fn term(word: &str) -> String {
    let mut word = word.to_lowercase();
    stem(&mut word);
    word
}

/// The stop words of a page: those of its language, and those of English, which stand on pages of every language.
pub(super) struct StopLists {
    lists: Vec<&'static HashSet<String>>,
}

impl StopLists {
    pub(super) fn of(language: Option<&str>) -> Self {
        let own = language.and_then(|language| StopWords::built_in().of(language));
        Self { lists: StopWords::built_in().of("en").into_iter().chain(own).collect() }
    }

    fn has(&self, word: &str) -> bool {
        self.lists.iter().any(|list| list.contains(word))
    }
}

/// Takes the plural off an English word: the weak stemmer of Harman, "How effective is suffixing?" (JASIS 42, 1991). Stronger ones make
/// `universe` of `university`, and spoil the words of other languages.
fn stem(word: &mut String) {
    if word.len() < 4 || !word.is_ascii() {
        return;
    }
    if word.ends_with("ies") && !word.ends_with("eies") && !word.ends_with("aies") {
        word.truncate(word.len() - 3);
        word.push('y');
    } else if word.ends_with('s') && !word.ends_with("us") && !word.ends_with("ss") {
        word.pop();
    }
}

fn each_pair(raw: &str, pair: &mut String, give: &mut impl FnMut(&str)) {
    let mut before = None;
    for c in raw.chars() {
        if let Some(before) = before {
            pair.clear();
            pair.extend([before, c]);
            give(pair);
        }
        before = Some(c);
    }
}

/// Whether a character is of a script that writes no spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        each(text, |term| terms.push(term.to_owned()));
        terms
    }

    #[test]
    fn words_become_terms() {
        for (text, expected) in [
            ("Floods, cities and Harvey's dams!", vec!["flood", "city", "and", "harvey", "dam"]),
            ("status glass 2017 B2B", vec!["status", "glass"]),
            ("Überschwemmung—Städte", vec!["überschwemmung", "städte"]),
            ("洪水が", vec!["洪水", "水が"]),
            ("", vec![]),
        ] {
            assert_eq!(terms(text), expected, "{text}");
        }
    }

    #[test]
    fn monsters_are_no_words() {
        assert_eq!(terms(&"a".repeat(100_000)), Vec::<String>::new());
        assert_eq!(terms(&"ab ".repeat(MOST_WORDS + 10)).len(), MOST_WORDS);
    }

    #[test]
    fn stop_words_are_not_counted() {
        let counts = count("The flood and the floods, und die Flut", &StopLists::of(Some("de-DE")));
        let mut counts: Vec<_> = counts.iter().map(|(term, count)| (&**term, *count)).collect();
        counts.sort_unstable();
        assert_eq!(counts, [("flood", 2), ("flut", 1)]);
    }
}
