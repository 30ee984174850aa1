//! The tokeniser against Stanford's, and on text that would take a careless one for ever.

use std::fs;
use std::time::{Duration, Instant};

use serde::Deserialize;
use tamis_testkit::real_data;
use tamis_words::tokens::{sentences, split};

#[expect(unreachable_pub, reason = "the fuzz target uses it as a module of its own")]
#[path = "../../../../fuzz/src/tokens.rs"]
mod any;

#[derive(Deserialize)]
struct Gold {
    text: String,
    tokens: Vec<(String, usize, usize)>,
}

#[test]
fn all_of_the_gold_texts_are_split_the_same() {
    let Some(folder) = real_data("ptb") else { return };
    let gold = fs::read_to_string(folder.join("ptb-gold.jsonl")).expect("it is unpacked");
    let mut count = 0;
    for line in gold.lines() {
        let gold: Gold = serde_json::from_str(line).expect("a text with its tokens");
        let tokens = split(&gold.text, Some("en"));
        let mut units = vec![0];
        for character in gold.text.chars() {
            units.push(units[units.len() - 1] + character.len_utf16());
        }
        let written: Vec<_> = tokens
            .iter()
            .map(|token| {
                (token.text(&gold.text).into_owned(), units[token.start as usize], units[token.end as usize])
            })
            .collect();
        assert_eq!(written, gold.tokens, "{}", gold.text);
        count += 1;
    }
    assert!(count > 13_000, "{count} texts");
}

#[test]
fn tokens_of_any_text() {
    tamis_testkit::replay("tokens", any::check);
}

/// Texts of some megabytes for which a tokeniser may look ahead far and for nothing.
fn hostile() -> Vec<(&'static str, String)> {
    let mb = 1 << 20;
    vec![
        ("no space", "a".repeat(10 * mb)),
        ("quotes", "\"".repeat(mb)),
        ("single quotes", "'".repeat(mb)),
        ("combining marks", "\u{301}".repeat(mb)),
        ("tags that never end", "<a b ".repeat(mb / 4)),
        ("quoted values that never end", "<a b=\"".repeat(mb / 4)),
        ("comments that never end", "<!--".repeat(mb / 4)),
        ("addresses that are none", "a=".repeat(mb)),
        ("hosts that are none", "a.".repeat(mb)),
        ("mail that is none", "a-%".repeat(mb / 2)),
        ("hyphens", "a-".repeat(mb)),
        ("points", ". ".repeat(mb)),
        ("points behind each other", ".".repeat(4 * mb)),
        ("numbers", "12 345 ".repeat(mb / 4)),
        ("file names that are none", "a_".repeat(mb)),
        ("joined people", "👨\u{200D}".repeat(mb / 4)),
        ("Thai", "ภาษาไทย".repeat(mb / 32)),
        ("Chinese", "中文".repeat(mb / 8)),
        ("escapes of surrogates", "&#55357;\\uD83D".repeat(mb / 8)),
    ]
}

/// A second is what they take on an idle machine; where each place looked at all the rest it would be hours.
#[test]
fn hostile_text_takes_linear_time() {
    for (name, text) in hostile() {
        let start = Instant::now();
        let tokens = split(&text, Some("en"));
        let count = sentences(&text, &tokens, Some("en")).len();
        assert!(count <= tokens.len());
        assert!(start.elapsed() < Duration::from_mins(2), "{name}: {:?}", start.elapsed());
    }
}

#[test]
fn hostile_text_has_words_in_other_languages_in_time() {
    for (name, text) in hostile() {
        let text = &text[..text.floor_char_boundary(1 << 18)];
        let start = Instant::now();
        let tokens = split(text, Some("th"));
        assert!(start.elapsed() < Duration::from_mins(2), "{name}: {} tokens", tokens.len());
    }
}
