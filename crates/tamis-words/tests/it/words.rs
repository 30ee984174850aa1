//! Stems against the vocabularies of the Snowball project.

use std::fs;
use std::path::Path;

use tamis_testkit::real_data;
use tamis_words::stem::Stemmer;

/// The words of a vocabulary, with their stems.
fn vocabulary(folder: &Path) -> Option<Vec<(String, String)>> {
    let read = |name| fs::read_to_string(folder.join(name)).ok();
    let (words, stems) = (read("voc.txt")?, read("output.txt")?);
    Some(words.lines().map(str::to_owned).zip(stems.lines().map(str::to_owned)).collect())
}

const LANGUAGES: &[(&str, &str)] = &[
    ("arabic", "ar"),
    ("armenian", "hy"),
    ("basque", "eu"),
    ("catalan", "ca"),
    ("czech", "cs"),
    ("danish", "da"),
    ("dutch", "nl"),
    ("esperanto", "eo"),
    ("estonian", "et"),
    ("finnish", "fi"),
    ("french", "fr"),
    ("german", "de"),
    ("greek", "el"),
    ("hindi", "hi"),
    ("hungarian", "hu"),
    ("indonesian", "id"),
    ("irish", "ga"),
    ("italian", "it"),
    ("lithuanian", "lt"),
    ("nepali", "ne"),
    ("norwegian", "no"),
    ("persian", "fa"),
    ("polish", "pl"),
    ("portuguese", "pt"),
    ("romanian", "ro"),
    ("russian", "ru"),
    ("serbian", "sr"),
    ("spanish", "es"),
    ("swedish", "sv"),
    ("tamil", "ta"),
    ("turkish", "tr"),
    ("yiddish", "yi"),
];

#[test]
fn other_languages_are_stemmed_as_snowball_says() {
    let Some(folder) = real_data("nlp/snowball-data") else { return };
    let mut compared = 0;
    for (name, language) in LANGUAGES {
        let Some(words) = vocabulary(&folder.join(name)) else {
            println!("skipped: no vocabulary of {name}");
            continue;
        };
        compared += 1;
        for (word, stem) in words {
            assert_eq!(Stemmer::Snowball.stem(&word, language), stem, "{name}: {word}");
        }
    }
    assert!(compared >= 15, "{compared} languages have a vocabulary");
}

/// How many words the English of Snowball 3 stems otherwise than that of 2008, which NLTK and we have: `added` to `add`, not `ad`; `international` to `internat`.
const CHANGED_SINCE: usize = 57;
/// The same for NLTK's changes to Porter's algorithm: `age` stays, `alway` for `always`.
const CHANGED_BY_NLTK: usize = 852;

#[test]
fn english_differs_from_newer_snowball_where_nltk_does() {
    let Some(folder) = real_data("nlp/snowball-data") else { return };
    for (stemmer, name, changed) in
        [(Stemmer::Snowball, "english", CHANGED_SINCE), (Stemmer::Porter, "porter", CHANGED_BY_NLTK)]
    {
        let words = vocabulary(&folder.join(name)).expect("English has a vocabulary");
        assert!(words.len() > 42_000);
        let differs = words.iter().filter(|(word, stem)| stemmer.stem(word, "en") != *stem);
        assert_eq!(differs.count(), changed, "{name}");
    }
}
