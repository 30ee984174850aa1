use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::tokens::{sentences, split};

fn of(text: &str, language: &str, most: usize) -> Vec<Extracted> {
    let tokens = split(text, Some(language));
    extract(text, &tokens, &sentences(text, &tokens, Some(language)), language, most)
}

fn phrases(text: &str, language: &str, most: usize) -> Vec<String> {
    of(text, language, most).into_iter().map(|one| one.phrase).collect()
}

const NEWS: &str = "Wildfires spread across northern California on Monday. The wildfires in northern California forced thousands \
    of people from their homes. Governor Newsom declared a state of emergency, and Governor Newsom asked for help. Crews fought the \
    wildfires through the night. Strong winds drove the flames; strong winds are expected again on Tuesday. More at https://example.com/fires.";

#[test]
fn the_phrases_of_a_text_are_found() {
    let found = phrases(NEWS, "en", 6);
    for phrase in ["Governor Newsom", "northern California", "wildfires"] {
        assert!(found.iter().any(|one| one == phrase), "{phrase}: {found:?}");
    }
}

#[test]
fn keywords_are_where_they_are_said_to_be() {
    let tokens = split(NEWS, Some("en"));
    let found = of(NEWS, "en", 10);
    assert_eq!(found.len(), 10);
    assert!((found[0].score - 1.0).abs() < 1e-6);
    assert!(found.is_sorted_by(|one, other| one.score >= other.score));
    for one in found {
        let (first, last) = (tokens[one.tokens.start], tokens[one.tokens.end - 1]);
        let source = &NEWS[first.start_byte as usize..last.end_byte as usize];
        assert!(source.eq_ignore_ascii_case(&one.phrase), "{source}: {one:?}");
    }
}

#[test]
fn no_keyword_is_a_part_of_another() {
    let found = phrases(NEWS, "en", 20);
    for one in &found {
        let parts = found.iter().filter(|other| format!(" {other} ").contains(&format!(" {one} ")));
        assert_eq!(parts.count(), 1, "{one}: {found:?}");
    }
    assert!(found.iter().all(|one| !one.contains("example.com")));
}

#[test]
fn other_languages_have_keywords() {
    let german = "Die Sonnenfinsternis war in Berlin zu sehen. Eine Sonnenfinsternis ist selten. In Berlin kamen viele Menschen.";
    assert!(phrases(german, "de", 3).contains(&"Sonnenfinsternis".to_owned()));
    let chinese = "日食在北京可见。日食很少见。很多人在北京观看日食。";
    assert!(phrases(chinese, "zh", 3).contains(&"日食".to_owned()), "{:?}", phrases(chinese, "zh", 5));
}

#[test]
fn endings_are_no_keywords() {
    let text =
        "It's Ana's dam. Isn't it Bo's dam? Don't say it's Cy's, it wasn't, and it’s not Di’s. Wasn’t it?";
    let found = phrases(text, "en", 20);
    assert!(found.iter().all(|phrase| !phrase.contains(['\'', '’'])), "{found:?}");
}

#[test]
fn texts_without_words_have_no_keywords() {
    for text in ["", " ", ". . .", "1 2 3", "the of and", "👍👍"] {
        assert_eq!(phrases(text, "en", 5), [""; 0], "{text:?}");
    }
    assert_eq!(phrases(NEWS, "en", 0), [""; 0]);
}

#[test]
fn hostile_text_takes_linear_time() {
    let different = (0..200_000).map(|number| format!("word{number}")).collect::<Vec<_>>().join(" ");
    let texts = [
        "a".repeat(10 << 20),
        "\u{301}".repeat(1 << 20),
        "eclipse ".repeat(1 << 18),
        "Eclipse. ".repeat(1 << 17),
        different,
    ];
    for text in texts {
        let start = Instant::now();
        assert!(of(&text, "en", 20).len() <= 20);
        assert!(start.elapsed() < Duration::from_mins(2), "{:?}", start.elapsed());
    }
}

proptest! {
    #[test]
    fn any_text_has_sound_keywords(text in "(\\PC{0,6}[ .\n]|[A-Za-z]{1,5}[ .]){0,40}", most in 0_usize..8) {
        for one in of(&text, "en", most) {
            prop_assert!(one.score > 0.0 && one.score.is_finite() && one.count > 0);
        }
    }
}
