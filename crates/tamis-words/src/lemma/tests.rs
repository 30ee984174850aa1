use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

#[test]
fn the_tag_says_which_lemma_a_word_has() {
    for (word, tag, expected) in [
        ("enjoys", "VBZ", "enjoy"),
        ("enjoys", "NNS", "enjoys"),
        ("leaves", "NNS", "leaf"),
        ("leaves", "VBZ", "leave"),
        ("Children", "NNS", "child"),
        ("better", "JJR", "good"),
        ("better", "RBR", "well"),
        ("ran", "VBD", "run"),
        ("was", "VBD", "be"),
        ("women", "NNS", "woman"),
        ("churches", "NNS", "church"),
        ("abaci", "NNS", "abacus"),
        ("quickly", "RB", "quickly"),
        ("tamises", "NNS", "tamises"),
        ("the", "DT", "the"),
        ("THE", "DT", "THE"),
        ("Apple", "NNP", "Apple"),
        ("Koreans", "NNPS", "Korean"),
        ("n't", "RB", "not"),
        ("'S", "VBZ", "be"),
        ("'s", "POS", "'s"),
        ("ca", "MD", "can"),
        ("Häuser", "NNS", "Häuser"),
        ("", "NN", ""),
        ("", "", ""),
    ] {
        assert_eq!(lemma(word, tag), expected, "{word} {tag}");
    }
}

#[test]
fn morphy_does_not_look_through_capitals() {
    assert_eq!(morphy("Dogs", Pos::Noun), None);
    assert_eq!(morphy("dogs", Pos::Noun).as_deref(), Some("dog"));
    assert_eq!(morphy("us", Pos::Noun).as_deref(), Some("u"));
    assert_eq!(morphy("zzz", Pos::Verb), None);
}

#[test]
fn a_damaged_model_is_none() {
    for bytes in [&b""[..], b"tamislm\x01", b"tamislm\x01\xFF\0\0\0abc", b"tamislm\x02\0\0\0\0"] {
        assert!(Model::read(bytes).is_none());
    }
}

#[test]
fn hostile_words_take_no_time() {
    let start = Instant::now();
    for piece in ["s", "es", "\u{301}", "a"] {
        let word = piece.repeat(10 << 20);
        assert!((0..100).all(|_| lemma(&word, "NNS") == word));
    }
    assert!(start.elapsed() < Duration::from_mins(1));
}

proptest! {
    #[test]
    fn any_word_has_a_lemma(word in "\\PC{0,12}|[a-zA-Z]{1,8}(s|es|ies|ing|ed|men|er|est)", tag in "[NVJR][A-Z]{0,3}|\\PC{0,3}") {
        prop_assert!(lemma(&word, &tag).len() <= word.len() + 40);
    }
}
