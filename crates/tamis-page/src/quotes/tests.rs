//! Quotes of whole texts.

use proptest::prelude::*;

use super::*;

/// The quotes, those within others behind as many `>`.
fn shown(text: &str, language: Option<&str>) -> Vec<String> {
    find(text, language)
        .iter()
        .map(|quote| {
            let there: String = text.chars().skip(quote.start).take(quote.length).collect();
            assert_eq!(there, quote.text, "{text}");
            let goes_on = if quote.goes_on { " …" } else { "" };
            format!("{}{}{goes_on}", ">".repeat(quote.depth.into()), quote.text)
        })
        .collect()
}

fn check(cases: &[(&str, Option<&str>, &[&str])]) {
    for (text, language, expected) in cases {
        assert_eq!(&shown(text, *language), expected, "{text} ({language:?})");
    }
}

#[test]
fn every_convention_is_known_without_a_language() {
    check(&[
        ("He said 'no' twice.", None, &["no"]),
        ("He said ‘no’ twice.", None, &["no"]),
        ("He said \"no\" twice.", None, &["no"]),
        ("He said “no” twice.", None, &["no"]),
        ("Il dit «non» et part.", None, &["non"]),
        ("Il dit « non » et part.", None, &["non"]),
        ("Il dit «\u{a0}non\u{a0}» et part.", None, &["non"]),
        ("Er sagte »nein« und ging.", None, &["nein"]),
        ("Powiedział „nie” i wyszedł.", None, &["nie"]),
        ("Er sagte „nein“ und ging.", None, &["nein"]),
        ("Er sagte „nein\" und ging.", None, &["nein"]),
        ("Hij zei ‚nee’ en ging.", None, &["nee"]),
        ("Er sagte ‚nein‘ und ging.", None, &["nein"]),
        ("Il dit ‹non› et part.", None, &["non"]),
        ("Er sagte ›nein‹ und ging.", None, &["nein"]),
        ("Han sade ”nej” och gick.", None, &["nej"]),
        ("Hon sade »nej» och gick.", None, &["nej"]),
        ("彼は「いいえ」と言った。", None, &["いいえ"]),
        ("彼は『いいえ』と言った。", None, &["いいえ"]),
        ("他说“不”，走了。", None, &["不"]),
        ("他说\"不\"，走了。", None, &["不"]),
        ("他说：“不。”走了。", None, &["不。"]),
        ("He said ``no'' twice.", None, &["no"]),
        ("He said `no' twice.", None, &["no"]),
        ("彼は｢いいえ｣と", None, &["いいえ"]),
        ("قال «لا» وخرج", None, &["لا"]),
        ("قال ”لا“ وخرج", Some("ar"), &["لا"]),
        ("הוא אמר \"לא\" והלך", None, &["לא"]),
    ]);
}

#[test]
fn punctuation_beside_the_marks_does_not_matter() {
    check(&[
        ("\"No,\" he said. \"Never!\"", None, &["No,", "Never!"]),
        ("(\"no\")", None, &["no"]),
        ("he said—\"no\"—and left", None, &["no"]),
        ("he said: \"no\"; and left", None, &["no"]),
        ("he said:\"no\".", None, &["no"]),
        ("\"...and so\" it went", None, &["...and so"]),
        ("\"(Sic)\" was added", None, &["(Sic)"]),
        ("\"$5\" it said", None, &["$5"]),
        ("“No,” he said.“Never!”", None, &["No,", "Never!"]),
        ("“A”“B”", None, &["A", "B"]),
        ("\"\" and \"...\"", None, &[]),
    ]);
}

#[test]
fn quotes_stand_within_quotes() {
    check(&[
        ("\"He said 'no' to me\"", None, &["He said 'no' to me", ">no"]),
        ("“He said ‘no’ to me”", None, &["He said ‘no’ to me", ">no"]),
        ("‘He said “no” to me’", None, &["He said “no” to me", ">no"]),
        ("“‘No,’ he said”", None, &["‘No,’ he said", ">No,"]),
        ("“He said ‘no’”", None, &["He said ‘no’", ">no"]),
        ("„Er sagte ‚nein‘ dazu“", Some("de"), &["Er sagte ‚nein‘ dazu", ">nein"]),
        ("»Er sagte ›nein‹ dazu«", Some("de"), &["Er sagte ›nein‹ dazu", ">nein"]),
        ("« Il dit “non” hier »", Some("fr"), &["Il dit “non” hier", ">non"]),
        ("« Il dit « non » hier »", Some("fr"), &["Il dit « non » hier", ">non"]),
        ("«Он сказал „нет“ вчера»", Some("ru"), &["Он сказал „нет“ вчера", ">нет"]),
        ("「彼は『いいえ』と言った」", Some("ja"), &["彼は『いいえ』と言った", ">いいえ"]),
        ("“a ‘b “c” d’ e”", None, &["a ‘b “c” d’ e", ">b “c” d", ">>c"]),
    ]);
}

#[test]
fn apostrophes_are_none() {
    check(&[
        ("I don't and won't; it's Bob's.", None, &[]),
        ("I don’t and won’t; it’s Bob’s.", None, &[]),
        ("’Tis the dogs’ bone, ’twas.", None, &[]),
        ("'Tis the dogs' bone in the '90s, rock 'n' roll.", None, &[]),
        ("the dogs' bones and the cats' tails", None, &[]),
        ("He said 'don't' to me", None, &["don't"]),
        ("He said ‘I don’t know’ to me", None, &["I don’t know"]),
        ("‘the dogs’ bones are here,’ he said", None, &["the dogs’ bones are here,"]),
        (
            "'the dogs' bones and the cats' tails are here,' he said",
            None,
            &["the dogs' bones and the cats' tails are here,"],
        ),
        ("He said 'yes' and the dogs' owner left", None, &["yes"]),
        ("He said 'yes' and then 'no' again", None, &["yes", "no"]),
        ("\"the dogs' bones\"", None, &["the dogs' bones"]),
        ("l'«homme» et l'\"ami\"", Some("fr"), &["homme", "ami"]),
        ("l’« homme » d’aujourd’hui", Some("fr"), &["homme"]),
        ("'s avonds zei hij 'nee' in 't huis", Some("nl"), &["nee"]),
        ("O‘zbekiston va O’zbek", Some("uz"), &[]),
        ("צה\"ל אמר \"לא\" לאו\"ם", Some("he"), &["לא"]),
        ("\"צה\"ל אמר לא\"", Some("he"), &["צה\"ל אמר לא"]),
        ("Use `foo` for the dogs' bones", None, &[]),
    ]);
}

#[test]
fn feet_and_inches_are_none() {
    check(&[
        ("pieces (4\" x 4\" and 4\" x 8\")", None, &[]),
        ("pieces ( 4 '' x 4 '' and 4 '' x 8 '' )", None, &[]),
        ("an 80\" x 80\" quilt, a 64\"x80\" quilt", None, &[]),
        ("He is 5'10\" and she 6'", None, &[]),
        ("5' 10\" by 6' 2\"", None, &[]),
        ("\"He is 5'10\" tall,\" she said", None, &["He is 5'10\" tall,"]),
        ("\"a 4\" x 4\" board\" he said", None, &["a 4\" x 4\" board"]),
        ("\"the 5\" pipe fits,\" he said", None, &["the 5\" pipe fits,"]),
        ("\"I am 5\" he said, \"and you 6\"", None, &["I am 5", "and you 6"]),
        ("a 27″ screen, 5′10″", None, &[]),
        ("a 27” screen and a 30” one", None, &[]),
        ("“Chapter 5” is long", None, &["Chapter 5"]),
        ("born in '68 and '72", None, &[]),
    ]);
}

#[test]
fn tokenised_text_has_the_same_quotes() {
    check(&[
        ("her ` big girl ' bed I told her", None, &["big girl"]),
        ("`` Wow ! '' he said , `` it is n't Bob 's . ''", None, &["Wow !", "it is n't Bob 's ."]),
        ("`` He said ` no ' to me ''", None, &["He said ` no ' to me", ">no"]),
        ("he said \" no \" again", None, &["no"]),
    ]);
    let text = "When Megan moved into her ` big girl ' bed I told her";
    assert_eq!(
        find(text, Some("en"))[0],
        Quote { start: 28, length: 8, text: "big girl", depth: 0, goes_on: false }
    );
}

#[test]
fn what_is_not_closed_is_none() {
    check(&[
        ("He said \"no and left.", None, &[]),
        ("He said “no and left.\n\nShe said “yes”.", None, &["yes"]),
        ("He said “no and left “yes”.", None, &["yes"]),
        ("no” he said “yes”", None, &["yes"]),
        ("“a ‘b” c’", None, &["a ‘b"]),
        ("\"a\nb\" c \"d\"", None, &["d"]),
        ("\"a\nb\" c\n\nd", None, &["a\nb"]),
        ("«a (b» c", None, &["a (b"]),
    ]);
}

#[test]
fn a_quote_of_several_paragraphs_is_one_for_each() {
    check(&[
        ("He said: “One.\n\n“Two.\n\n“Three.” Then he left.", None, &["One. …", "Two. …", "Three."]),
        ("\"One.\n\n\"Two.\"", None, &["One. …", "Two."]),
        ("« Un.\n\n« Deux. »", Some("fr"), &["Un. …", "Deux."]),
        ("“One ‘two’.\n\n“Three.”", None, &["One ‘two’. …", ">two", "Three."]),
    ]);
}

#[test]
fn the_language_decides_where_the_neighbours_do_not() {
    check(&[
        ("他说《不》字", Some("zh"), &[]),
        ("그는《아니》라고", Some("ko-KP"), &["아니"]),
        ("Han sade ’nej’ igen", Some("sv"), &["nej"]),
        ("Han sade ’nej’ igen", Some("en"), &[]),
        ("»Nein«, sagte er. »Ja«", Some("de"), &["Nein", "Ja"]),
        ("»Nej», sade han. »Ja»", Some("sv"), &["Nej", "Ja"]),
    ]);
}

#[test]
fn positions_count_characters() {
    let quotes = find("Ä “ö ‘ü’ ß” €", None);
    let places: Vec<_> = quotes.iter().map(|quote| (quote.start, quote.length, quote.depth)).collect();
    assert_eq!(places, [(3, 7, 0), (6, 1, 1)]);
    let quotes = find("Ä “ö” ß\n\nß “é”", None);
    assert_eq!((quotes[1].start, quotes[1].text), (12, "é"));
}

#[test]
fn marks_without_end_take_no_time() {
    for text in [
        "“".repeat(200_000),
        "'a ".repeat(200_000),
        "s' a ".repeat(100_000),
        "\"5\" ".repeat(100_000),
        "“a”".repeat(100_000),
    ] {
        assert!(find(&text, None).len() <= 100_000);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn any_text_has_quotes_within_it(
        pieces in prop::collection::vec(
            prop_oneof![
                prop::sample::select(vec![
                    "\"", "'", "''", "`", "``", "‘", "’", "‚", "“", "”", "„", "«", "»", "‹", "›", "「", "」", "『", "』", "《",
                    "》", " ", " ", "\n", "\n\n", "a", "dogs", "5", " x ", "ä", "字", ".", ",", "(", ")", "\u{a0}", "½",
                ]).prop_map(str::to_owned),
                "\\PC{0,3}",
            ],
            0..40,
        ),
        language in prop::sample::select(vec![None, Some("en"), Some("sv"), Some("de"), Some("fr"), Some("ko-kp"), Some("ar")]),
    ) {
        let text = pieces.concat();
        let quotes = find(&text, language);
        for quote in &quotes {
            let there: String = text.chars().skip(quote.start).take(quote.length).collect();
            prop_assert_eq!(there.as_str(), quote.text);
            prop_assert!(!quote.text.is_empty());
        }
        prop_assert!(quotes.is_sorted_by_key(|quote| quote.start));
        for pair in quotes.windows(2) {
            let end = pair[0].start + pair[0].length;
            let within = pair[1].start + pair[1].length <= end;
            prop_assert!(within == (pair[1].depth > pair[0].depth));
            prop_assert!(within || pair[1].start >= end);
        }
    }
}
