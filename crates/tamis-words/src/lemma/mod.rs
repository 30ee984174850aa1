//! Lemmas: the form of a word that a dictionary lists.
//!
//! English by WordNet 3.0 and the rules of its `morphy`, with the part of speech of the word: "leaves" is "leaf" as a noun and "leave" as a verb.

mod model;

use std::borrow::Cow;

use model::{Entry, Model};
pub use model::{MAGIC, Pos};

/// What a suffix is replaced with, by part of speech: <https://wordnet.princeton.edu/documentation/morphy7wn>.
const fn rules(pos: Pos) -> &'static [(&'static str, &'static str)] {
    match pos {
        Pos::Noun => &[
            ("s", ""),
            ("ses", "s"),
            ("ves", "f"),
            ("xes", "x"),
            ("zes", "z"),
            ("ches", "ch"),
            ("shes", "sh"),
            ("men", "man"),
            ("ies", "y"),
        ],
        Pos::Verb => &[
            ("s", ""),
            ("ies", "y"),
            ("es", "e"),
            ("es", ""),
            ("ed", "e"),
            ("ed", ""),
            ("ing", "e"),
            ("ing", ""),
        ],
        Pos::Adjective => &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
        Pos::Adverb => &[],
    }
}

/// Parts of words that the tokeniser makes, with their tags. The `'s` of a verb may be "has", too, but seldom is.
const CLITICS: &[(&str, &str, &str)] = &[
    ("n't", "RB", "not"),
    ("'m", "VB", "be"),
    ("'re", "VB", "be"),
    ("'s", "VB", "be"),
    ("'ve", "VB", "have"),
    ("'ll", "MD", "will"),
    ("ca", "MD", "can"),
    ("wo", "MD", "will"),
    ("sha", "MD", "shall"),
    ("ai", "VB", "be"),
];

/// No word of WordNet is longer, in bytes.
const LONGEST: usize = 80;

/// The lemma of an English word with a tag of the Penn Treebank.
///
/// Words of WordNet lose their capitals, names keep them; the lemma of any other word is the word as it is written.
///
/// ```
/// use tamis_words::lemma::lemma;
///
/// assert_eq!(lemma("Enjoys", "VBZ"), "enjoy");
/// assert_eq!(lemma("leaves", "NNS"), "leaf");
/// assert_eq!(lemma("Americans", "NNPS"), "American");
/// assert_eq!(lemma("Texas", "NNP"), "Texas");
/// ```
pub fn lemma<'a>(word: &'a str, tag: &str) -> Cow<'a, str> {
    if word.len() > LONGEST {
        return Cow::Borrowed(word);
    }
    let clitic =
        CLITICS.iter().find(|clitic| tag.starts_with(clitic.1) && word.eq_ignore_ascii_case(clitic.0));
    if let Some(clitic) = clitic {
        return Cow::Borrowed(clitic.2);
    }
    match (tag, Pos::of_tag(tag)) {
        ("NNP", _) | (_, None) => Cow::Borrowed(word),
        ("NNPS", _) => Cow::Borrowed(name(word)),
        (_, Some(pos)) => common(word, pos),
    }
}

/// The lemma of a word as a part of speech, as NLTK's `WordNetLemmatizer` gives it: the shortest of the forms that WordNet lists.
/// None if it lists none. Capitals are not looked through: all its words are in small letters.
pub fn morphy(word: &str, pos: Pos) -> Option<Cow<'_, str>> {
    if word.len() > LONGEST || !word.is_ascii() {
        return None;
    }
    let model = Model::built_in();
    let own = match model.entry(word, pos) {
        Entry::Exception(lemma) => return Some(Cow::Borrowed(lemma)),
        Entry::NoLemma => return None,
        Entry::Listed => Some(Cow::Borrowed(word)),
        Entry::Unknown => None,
    };
    let mut form = String::new();
    rules(pos).iter().fold(own, |best, (suffix, replacement)| {
        let Some(stem) = word.strip_suffix(suffix) else { return best };
        let len = stem.len() + replacement.len();
        if best.as_ref().is_some_and(|best| best.len() <= len) {
            return best;
        }
        form.clear();
        form.push_str(stem);
        form.push_str(replacement);
        match () {
            () if !model.lists(&form, pos) => best,
            () if replacement.is_empty() => Some(Cow::Borrowed(stem)),
            () => Some(Cow::Owned(form.clone())),
        }
    })
}

/// The lemma of a word that is no name.
fn common(word: &str, pos: Pos) -> Cow<'_, str> {
    if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        let small = word.to_ascii_lowercase();
        let lemma = morphy(&small, pos).map(Cow::into_owned);
        lemma.map_or(Cow::Borrowed(word), Cow::Owned)
    } else {
        morphy(word, pos).unwrap_or(Cow::Borrowed(word))
    }
}

/// A name in the plural without its ending, if WordNet lists it so.
fn name(word: &str) -> &str {
    let small = word.to_ascii_lowercase();
    match morphy(&small, Pos::Noun) {
        Some(lemma) if small.starts_with(&*lemma) => &word[..lemma.len()],
        _ => word,
    }
}

#[cfg(test)]
mod tests;
