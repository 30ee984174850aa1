use proptest::prelude::*;

use super::*;

#[test]
fn english_words_have_the_stems_of_nltk() {
    for (word, snowball, porter) in [
        ("running", "run", "run"),
        ("generously", "generous", "gener"),
        ("Flies", "fli", "fli"),
        ("dies", "die", "die"),
        ("skies", "sky", "sky"),
        ("say", "say", "say"),
        ("happy", "happi", "happi"),
        ("'quoted'", "quot", "'quoted'"),
        ("Frank’s", "frank", "frank’"),
        ("communism", "communism", "commun"),
        ("hoping", "hope", "hope"),
        ("hopped", "hop", "hop"),
        ("relational", "relat", "relat"),
        ("analogies", "analog", "analog"),
        ("oed", "o", "o"),
        ("youth", "youth", "youth"),
        ("proceedings", "proceed", "proceed"),
        ("crème", "crème", "crème"),
        ("éclairs", "éclair", "éclair"),
        ("NAÏVELY", "naïv", "naïv"),
        ("is", "is", "is"),
        ("", "", ""),
        ("'", "'", "'"),
    ] {
        assert_eq!(Stemmer::Snowball.stem(word, "en"), snowball, "Snowball: {word}");
        assert_eq!(Stemmer::Porter.stem(word, "eng"), porter, "Porter: {word}");
    }
}

#[test]
fn other_languages_have_their_own_stems() {
    for (language, word, stem) in [
        ("de", "Häuser", "haus"),
        ("fr-CA", "maisons", "maison"),
        ("es", "corriendo", "corr"),
        ("ru", "книги", "книг"),
        ("nb", "husene", "hus"),
        ("ja", "テスト", "テスト"),
        ("nothing", "Words", "words"),
    ] {
        assert_eq!(Stemmer::default().stem(word, language), stem, "{language}: {word}");
        assert_eq!(Stemmer::Porter.stem(word, language), stem, "{language}: {word}");
    }
}

#[test]
fn stemmers_have_names() {
    assert_eq!("porter".parse(), Ok(Stemmer::Porter));
    assert_eq!("snowball".parse(), Ok(Stemmer::Snowball));
    let error = "lovins".parse::<Stemmer>().expect_err("no such stemmer").to_string();
    assert_eq!(error, "no stemmer \"lovins\": there are `snowball` and `porter`");
}

#[test]
fn a_word_that_is_its_stem_is_not_copied() {
    assert!(matches!(Stemmer::Snowball.stem("eclipse", "en"), Cow::Borrowed("eclips")));
    assert!(matches!(Stemmer::Porter.stem("tree", "en"), Cow::Borrowed("tree")));
    assert!(matches!(Stemmer::Snowball.stem("haus", "de"), Cow::Borrowed("haus")));
}

#[test]
fn hostile_words_take_linear_time() {
    for piece in ["a", "ing", "y", "\u{301}", "'", "ational", "中", "И", "l"] {
        let word = piece.repeat((10 << 20) / piece.len());
        for language in ["en", "de", "ar", "ta", "tr"] {
            assert!(Stemmer::Snowball.stem(&word, language).len() <= word.len() + 1);
        }
        assert!(Stemmer::Porter.stem(&word, "en").len() <= word.len() + 1);
    }
}

proptest! {
    #[test]
    fn any_word_has_a_stem(word in "\\PC{0,12}|[a-zA-Z']{0,12}|[а-яёa-ząàéß'’]{0,10}|[ء-ي]{0,9}|[அ-்]{0,12}|[α-ώ]{0,9}") {
        for language in other::codes() {
            let stem = Stemmer::Snowball.stem(&word, language);
            prop_assert!(stem.len() <= word.len() * 3 + 8);
        }
        Stemmer::Snowball.stem(&word, "en");
        Stemmer::Porter.stem(&word, "en");
    }
}
