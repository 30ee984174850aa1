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

/// Words that Snowball's Python stemmers, generated from the same algorithms, reduce to these stems.
const STEMMED: &[(&str, &[(&str, &str)])] = &[
    ("arabic", &[("الكتاب", "كتاب"), ("كتابهم", "كتاب")]),
    ("danish", &[("indtager", "indtag"), ("underviste", "undervist")]),
    ("dutch", &[("lichamelijke", "lichamelijk"), ("opgingen", "opg")]),
    ("finnish", &[("edeltäjiensä", "edeltäjie"), ("taloissa", "talo")]),
    ("french", &[("continuellement", "continuel"), ("chevaux", "cheval")]),
    ("german", &[("häuser", "haus"), ("aufgegessen", "aufgegess")]),
    ("hungarian", &[("babakocsijáért", "babakocs"), ("házakban", "ház")]),
    ("italian", &[("abbandonata", "abbandon"), ("pronunciare", "pronunc")]),
    ("norwegian", &[("havnedistriktene", "havnedistrikt"), ("opning", "opning")]),
    ("portuguese", &[("quietude", "quietud"), ("boataria", "boat")]),
    ("romanian", &[("absurditatea", "absurd"), ("ochilor", "ochi")]),
    ("russian", &[("важнейшие", "важн"), ("книгами", "книг")]),
    ("spanish", &[("corriendo", "corr"), ("naciones", "nacion")]),
    ("swedish", &[("jaktkarlarne", "jaktkarl"), ("klokheten", "klok")]),
    ("turkish", &[("kitaplar", "kitap"), ("evlerinde", "ev")]),
];

#[test]
fn other_languages_are_stemmed_as_snowball_says() {
    for (name, words) in STEMMED {
        let language = LANGUAGES.iter().find(|(other, _)| other == name).expect("a language of ours").1;
        for (word, stem) in *words {
            assert_eq!(Stemmer::Snowball.stem(word, language), *stem, "{name}: {word}");
        }
    }
    // Whole vocabularies, where the folder has them.
    let Some(folder) = real_data("nlp/snowball-data") else { return };
    for (name, language) in LANGUAGES {
        for (word, stem) in vocabulary(&folder.join(name)).unwrap_or_default() {
            assert_eq!(Stemmer::Snowball.stem(&word, language), stem, "{name}: {word}");
        }
    }
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
