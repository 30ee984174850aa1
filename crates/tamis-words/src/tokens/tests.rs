use super::*;

fn words(text: &str, language: Option<&str>) -> Vec<String> {
    split(text, language).iter().map(|token| token.text(text).into_owned()).collect()
}

fn parts(text: &str, language: &str) -> Vec<String> {
    let tokens = split(text, Some(language));
    let cut =
        |one: Sentence| text.chars().skip(one.start as usize).take((one.end - one.start) as usize).collect();
    sentences(text, &tokens, Some(language)).into_iter().map(cut).collect()
}

#[test]
fn english_is_split_as_the_treebank_is() {
    for (text, tokens) in [
        ("The cat's toys", "The|cat|'s|toys"),
        ("we'll see, can't we?", "we|'ll|see|,|ca|n't|we|?"),
        ("\"Odd,\" he said", "``|Odd|,|''|he|said"),
        ("a 5-year-old's $3.50 (US$ 4)", "a|5-year-old|'s|$|3.50|(|US$|4|)"),
        ("see http://tamis.example/a?b=c.", "see|http://tamis.example/a?b=c|."),
        ("mail me@tamis.example or #tag @you", "mail|me@tamis.example|or|#tag|@you"),
        ("wait.... No -- gone", "wait|...|.|No|--|gone"),
        ("AT&amp;T &lt;b&gt; x", "AT&T|<|b|>|x"),
        ("At 10:30 p.m. on 1/2/2003 x", "At|10:30|p.m.|on|1/2/2003|x"),
        ("They cannot; we're gonna go.", "They|can|not|;|we|'re|gon|na|go|."),
        ("1½ cups at 350°F, 5km", "1|1/2|cups|at|350|°F|,|5|km"),
        ("don’t “quote” me—ever…", "do|n't|``|quote|''|me|--|ever|..."),
        ("co\u{AD}operate", "cooperate"),
        ("👩🏽\u{200D}🚀🇩🇪 1️⃣", "👩🏽\u{200D}🚀|🇩🇪|1️⃣"),
    ] {
        assert_eq!(words(text, Some("en-GB")).join("|"), tokens, "{text}");
    }
}

#[test]
fn an_abbreviation_that_ends_a_sentence_shares_its_point() {
    let text = "He works at Acme Inc. She does not.";
    let tokens = split(text, None);
    let token = tokens[4];
    assert_eq!((&*token.text(text), token.start, token.end), ("Inc.", 17, 20));
    assert_eq!((tokens[5].source(text), tokens[5].start, tokens[5].end), (".", 20, 21));
}

#[test]
fn places_are_characters_of_the_text() {
    let text = "Ünïcode’s “naïve” 😀 x";
    for token in split(text, None) {
        let characters: String =
            text.chars().skip(token.start as usize).take((token.end - token.start) as usize).collect();
        assert_eq!(characters, token.source(text));
    }
}

#[test]
fn every_language_has_words() {
    for (text, language, tokens) in [
        ("我住在北京。", "zh", "我|住在|北京|。"),
        ("ภาษาไทยง่ายนิดเดียว", "th", "ภาษา|ไทย|ง่าย|นิด|เดียว"),
        ("C'est l'été 2024 !", "fr", "C'est|l'été|2024|!"),
        ("Привет, мир", "ru", "Привет|,|мир"),
    ] {
        assert_eq!(words(text, Some(language)).join("|"), tokens, "{text}");
    }
}

#[test]
fn sentences_end_where_readers_say() {
    for (language, text) in [
        ("en", "Dr. No left.|He came back at 5 p.m. on Monday!|\"Why?\" she asked."),
        ("en", "It cost $3.50.|(He paid.)|U.S. law is clear..."),
        ("de", "Das ist z.B. Dr. Meier am 3. Oktober.|Er lacht."),
        ("fr", "M. Dupont est là.|Il a dit « oui ».|Bon !"),
        ("zh", "你好。|我很好！|你呢？"),
        ("hi", "यह एक है।|वह दो है।"),
    ] {
        let text_whole = text.replace('|', if language == "zh" { "" } else { " " });
        assert_eq!(parts(&text_whole, language).join("|"), text);
    }
}

#[test]
fn a_blank_line_ends_a_sentence() {
    assert_eq!(parts("A heading\n\nAnd a text", "en"), ["A heading", "And a text"]);
    assert_eq!(parts("one line\nand the next", "en"), ["one line\nand the next"]);
}
