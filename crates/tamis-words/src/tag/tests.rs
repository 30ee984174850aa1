use super::*;
use crate::tokens::{sentences, split};

/// The tokens and tags of an English text.
fn tagged(text: &str) -> Vec<(String, &'static str)> {
    let tokens = split(text, Some("en"));
    let sentences = sentences(text, &tokens, Some("en"));
    let tags: Vec<Tag> = sentences.iter().flat_map(|sentence| pos(text, &tokens, sentence)).collect();
    assert_eq!(tags.len(), tokens.len());
    tokens.iter().map(|token| token.text(text).into_owned()).zip(tags.into_iter().map(Tag::as_str)).collect()
}

#[test]
fn sentences_are_tagged() {
    let cases = [
        ("The old man sees two dogs.", "DT JJ NN VBZ CD NNS ."),
        ("She quickly ran home because it was raining.", "PRP RB VBD RB IN PRP VBD VBG ."),
        ("Can you open a can?", "MD PRP VB DT NN ."),
        ("I saw her duck (yesterday).", "PRP VBD PRP$ NN -LRB- NN -RRB- ."),
        ("\"We don't know\", he said.", "`` PRP VBP RB VB '' , PRP VBD ."),
        ("John Smith lives in Paris.", "NNP NNP VBZ IN NNP ."),
    ];
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (text, expected) in cases {
        let found = tagged(text);
        assert_eq!(found.len(), expected.split(' ').count(), "{found:?}");
        count += found.len();
        wrong.extend(found.into_iter().zip(expected.split(' ')).filter(|(one, tag)| one.1 != *tag));
    }
    assert!(wrong.len() * 20 <= count, "{wrong:?}");
}

#[test]
fn the_same_word_has_the_tag_of_its_place() {
    let tag = |text: &str, word: &str| tagged(text).into_iter().find(|one| one.0 == word).map(|one| one.1);
    assert_eq!(tag("They walk to school every day.", "walk"), Some("VBP"));
    assert_eq!(tag("They went for a walk.", "walk"), Some("NN"));
    assert_eq!(tag("A well-known writer came.", "well-known"), Some("JJ"));
}

#[test]
fn quotation_marks_say_whether_they_open_or_close() {
    let marks: Vec<_> =
        tagged("“One” and \"two\".").into_iter().filter(|one| matches!(one.1, "``" | "''")).collect();
    let tags: Vec<_> = marks.iter().map(|one| one.1).collect();
    assert_eq!(tags.iter().filter(|tag| **tag == "``").count(), 2, "{marks:?}");
    assert_eq!(tags.iter().filter(|tag| **tag == "''").count(), 2, "{marks:?}");
}

#[test]
fn all_names_come_back() {
    for number in 0..Tag::COUNT as u8 {
        assert_eq!(Tag::parse(Tag(number).as_str()), Some(Tag(number)));
    }
    assert_eq!(Tag::parse(""), None);
}

#[test]
fn only_english_is_known() {
    assert!(knows("en") && knows("en-GB") && knows("eng"));
    assert!(!knows("de") && !knows("") && !knows("enm"));
}

#[test]
fn a_sentence_without_end_takes_no_longer_for_each_word() {
    let tokens = |count: usize| {
        let text = "a run ".repeat(count);
        let tokens = split(&text, Some("en"));
        (text, tokens)
    };
    let time = |count: usize| {
        let (text, tokens) = tokens(count);
        let all = Sentence { tokens: 0..tokens.len(), start: 0, end: 0 };
        let seconds = tamis_testkit::cpu_seconds(|| assert_eq!(pos(&text, &tokens, &all).len(), 2 * count));
        seconds / count as f64
    };
    // Of several runs the fastest: caches are shared.
    let least = |count| (0..3).map(|_| time(count)).fold(f64::INFINITY, f64::min);
    let short = least(10_000).max(1e-7);
    assert!(least(100_000) < 8.0 * short);
}

#[test]
fn hostile_tokens_have_tags() {
    for text in [
        "",
        "\u{301}\u{301}\u{301}",
        "🦀🦀 \u{200b}",
        &"ß".repeat(1 << 20),
        &"''``\"".repeat(10_000),
        "\0 \u{fffd}",
    ] {
        tagged(text);
    }
    let text = "one two";
    let tokens = split(text, Some("en"));
    let beyond = Sentence { tokens: 1..9, start: 0, end: 0 };
    assert_eq!(pos(text, &tokens, &beyond), []);
    // Places that are not in the text are empty tokens.
    let all = Sentence { tokens: 0..2, start: 0, end: 0 };
    assert_eq!(pos("", &tokens, &all).len(), 2);
}
