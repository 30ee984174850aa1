use super::*;
use crate::tag::pos;
use crate::tokens::{sentences, split};

fn all(text: &str) -> Vec<Entity> {
    let tokens = split(text, Some("en"));
    let sentences = sentences(text, &tokens, Some("en"));
    let tags: Vec<Tag> = sentences.iter().flat_map(|sentence| pos(text, &tokens, sentence)).collect();
    entities(text, &tokens, &sentences, &tags)
}

fn found(text: &str) -> Vec<(String, Kind)> {
    let entities = all(text);
    assert!(entities.iter().all(|one| (0.0..=1.0).contains(&one.confidence)));
    assert!(entities.windows(2).all(|pair| pair[0].end <= pair[1].start));
    for one in &entities {
        let by_characters: String =
            text.chars().skip(one.start as usize).take((one.end - one.start) as usize).collect();
        assert_eq!(by_characters, text[one.start_byte as usize..one.end_byte as usize]);
    }
    entities
        .into_iter()
        .map(|one| (text[one.start_byte as usize..one.end_byte as usize].to_owned(), one.kind))
        .collect()
}

#[test]
fn people_organisations_and_places_are_found() {
    let text = "Angela Merkel flew from Berlin to New York on Monday, where she met executives of Microsoft.";
    let names = found(text);
    let expected = [
        ("Angela Merkel", Kind::Person),
        ("Berlin", Kind::Location),
        ("New York", Kind::Location),
        ("Microsoft", Kind::Organization),
    ];
    for (name, kind) in expected {
        assert!(names.contains(&(name.to_owned(), kind)), "{name} in {names:?}");
    }
    assert!(!names.iter().any(|(name, _)| name == "Monday"));
}

#[test]
fn who_was_named_in_full_is_found_by_a_part() {
    let text = "Senator John Hargrove spoke in Boston. Later, in a note to the press, Hargrove and Hargrove's staff agreed.";
    let people = found(text).into_iter().filter(|one| one.1 == Kind::Person).count();
    assert_eq!(people, 3);
}

#[test]
fn text_without_names_has_none() {
    for text in
        ["", " ", "the cat sat on the mat and looked at the rain .", "1 2 3 4 5 6", "\u{301}\u{301} \u{301}"]
    {
        assert_eq!(found(text), [], "{text:?}");
    }
}

#[test]
fn a_sentence_without_end_takes_no_longer_for_each_word() {
    let time = |count: usize| {
        let text = "John Smith Paris ".repeat(count);
        // Without the checks of `found`, which count characters from the start for each name.
        tamis_testkit::cpu_seconds(|| assert!(!all(&text).is_empty())) / count as f64
    };
    // Of several runs the fastest: caches are shared.
    let least = |count| (0..3).map(|_| time(count)).fold(f64::INFINITY, f64::min);
    let short = least(2_000).max(1e-6);
    assert!(least(20_000) < 8.0 * short);
}

#[test]
fn what_does_not_fit_the_text_is_left_out() {
    let text = "Mary lives in London.";
    let tokens = split(text, Some("en"));
    let sentences = sentences(text, &tokens, Some("en"));
    assert_eq!(entities(text, &tokens, &sentences, &[]), []);
    assert_eq!(entities("", &tokens, &sentences, &[]), []);
}

#[test]
fn models_that_are_not_whole_are_none() {
    let whole = include_bytes!("../../models/entities.bin");
    assert!(Model::read(whole.as_slice().into()).is_some());
    for damaged in [&whole[..0], &whole[..8], &whole[..1000], &whole[..whole.len() - 1], b"tamisne\x02"] {
        assert!(Model::read(damaged.to_vec().into()).is_none());
    }
}
