use proptest::prelude::*;

use super::*;

#[track_caller]
fn assert_mended(damaged: &str, sound: &str, kind: Kind) {
    let repaired = repair(damaged, None);
    assert_eq!((repaired.text.as_ref(), repaired.diagnosis.kind), (sound, kind), "{damaged}");
}

/// Reads the UTF-8 of a text as windows-1252.
fn misread(text: &str) -> String {
    encoding_rs::WINDOWS_1252.decode_without_bom_handling(text.as_bytes()).0.into_owned()
}

#[test]
fn text_that_was_misread() {
    for (damaged, sound) in [
        ("cafÃ©", "café"),
        ("MÃ¼ller und SÃ¶hne", "Müller und Söhne"),
        ("donâ€™t", "don’t"),
        ("â€œWell,â€\u{9d} he said", "“Well,” he said"),
        ("â€œWell,â€ he said. Itâ€™s done", "“Well,” he said. It’s done"),
        ("ÐŸÑ€Ð¸Ð²ÐµÑ‚", "Привет"),
        ("æ—¥æœ¬èªž", "日本語"),
        ("Viá»‡t Nam", "Việt Nam"),
        ("Ã§a va, dÃ©jÃ\u{a0} vu", "ça va, déjà vu"),
        ("Ã§a va, dÃ©jÃ vu, et Ã  Paris", "ça va, déjà vu, et à Paris"),
        ("prixÂ : 5Â â‚¬ lâ€™annÃ©e", "prix\u{a0}: 5\u{a0}€ l’année"),
        ("naÃ¯ve ðŸ˜€", "naïve 😀"),
    ] {
        assert_mended(damaged, sound, Kind::B);
    }
}

#[test]
fn text_that_was_misread_more_than_once() {
    for text in ["café crème brûlée", "Привет, мир", "don’t – ever"] {
        let twice = misread(&misread(text));
        let repaired = repair(&twice, None);
        assert_eq!((repaired.text.as_ref(), repaired.diagnosis.rounds), (text, 2));
        assert_mended(&misread(&twice), text, Kind::B);
    }
}

#[test]
fn text_that_was_misread_and_lower_cased() {
    for text in [
        "für größere und schönere häuser",
        "les élèves étaient là, ça va de soi",
        "não há mais informações",
        "привет, это большой день в юрмале",
        "dzień dobry, jak się masz żółw",
    ] {
        assert_mended(&misread(text).to_lowercase(), text, Kind::A);
    }
    // Nothing tells that this one was lower-cased, but its day may.
    let text = misread("“well,” he said — don’t").to_lowercase();
    assert_eq!(repair(&text, None).diagnosis.kind, Kind::B);
    assert_eq!(repair(&text, Date::new(2009, 1, 1)).diagnosis.kind, Kind::A);
}

#[test]
fn sound_text_is_left_alone() {
    for text in [
        "são joão não é avanço, irmã”",
        "«está»…",
        "le café\u{a0}» et l’été…”",
        "IRMÃ” AMANHÃ…",
        "DÉSOLÉ» et CAFÉ®",
        "Spaß“ und heiß…",
        "über “ä” und „ö“",
        "½ Ä€",
        "Bạn có khỏe không",
        "îmbrăcămintea „țării”",
        "çağrı şöför ığüö",
        "日本語と中文",
        "Все люди",
        "┌──┐│ä│└──┘",
        "In UTF-8, é read as Latin-1 is Ã©, and ’ is â€™. So donâ€™t.",
        "mojibake such as â€™ and cafÃ©",
        "more µm² at 20°C ±3 §4 ¶5",
        "NÃO",
        // Chinese that was read as Latin-1 is damaged, but not in this way.
        "¸ü¶àÍ¼Æ¬>>",
        "NejlĂ©pe to vysvÄ›tlĂ\u{ad}",
        "",
        "Â",
        "ã",
    ] {
        for text in [text, &text.to_lowercase()] {
            let repaired = repair(text, None);
            assert_eq!(repaired.text, text);
            assert!(matches!(repaired.text, Cow::Borrowed(_)) && repaired.diagnosis.is_sound(), "{text}");
        }
    }
}

#[test]
fn words_of_capitals_before_a_sign_are_sound() {
    for text in
        ["O DIVÃ© é nosso, GALÃ£", "BÃ£", "MAÇÃ©", "SÅ©", "SMÃ¸", "DIVÃ©, GALÃ£, IRMÃª, AMANHÃº, ROMÃ® SÅ©"]
    {
        let repaired = repair(text, None);
        assert!(repaired.text == text && repaired.diagnosis.is_sound(), "{text}");
        let beside = format!("{text} donâ€™t");
        assert_eq!(repair(&beside, None).text, format!("{text} don’t"));
        assert_eq!(repair(text, Date::new(2010, 7, 20)).text, text);
    }
    for (damaged, sound) in [
        ("NÃ© Ã\u{a0} MontrÃ©al, dÃ©jÃ\u{a0} lÃ\u{a0}", "Né à Montréal, déjà là"),
        ("RÃ©Ã©ducation", "Rééducation"),
        ("LÃ©on", "Léon"),
        ("LIBERTÃ© : la mÃªme idÃ©e, prÃ©sentÃ©e", "LIBERTé : la même idée, présentée"),
        ("CAFÃ‰ donâ€™t", "CAFÉ don’t"),
    ] {
        assert_mended(damaged, sound, Kind::B);
    }
}

#[test]
fn lower_cased_lines_under_a_title_with_capitals() {
    let title = "Le Monde: Actualités\nLe Titre\nà propos\n";
    for sound in [
        "l'été dernier, les élèves étaient là",
        "les résultats de l'été\nle café est fermé\nça ira",
        "it’s a “quoted” sentence — the café’s cafés, naïve",
        "привет, это большой день в юрмале",
    ] {
        let damaged = format!("{title}{}", misread(sound).to_lowercase());
        assert_mended(&damaged, &format!("{title}{sound}"), Kind::A);
    }
    for sound in [
        "O Galã\nirmã© divã£ galãª\nFim",
        "Cafés\na irmã de joão»\n«está»…\n",
        // Lines with capitals that look the same: nobody lower-cased the text.
        "Les rã©sultats\nles rã©sultats, ã©tã©",
    ] {
        assert_eq!(repair(sound, None).text, sound);
    }
    // What was not lower-cased is not taken for it, capitals or none.
    let chinese = "A title\nB\nåœ°å›¾ é—®é¢˜\ndonâ€™t";
    let repaired = repair(chinese, None);
    assert_eq!((repaired.text.as_ref(), repaired.diagnosis.lower_cased), ("A title\nB\n地图 问题\ndon’t", 0));
}

#[test]
fn sound_lines_beside_misread_ones_stay() {
    let page = "Accueil · Été · À propos\ncafÃ© crÃ¨me Ã\u{a0} volontÃ©\n© 2020 Société Â";
    let repaired = repair(page, None);
    assert_eq!(repaired.text, "Accueil · Été · À propos\ncafé crème à volonté\n© 2020 Société Â");
}

#[test]
fn misread_letters_are_mended_beside_sound_ones() {
    let line = "Çünkü onun duruÅŸu, eÄŸitime hizmet aÅŸkÄ±, yüreÄŸi";
    assert_eq!(repair(line, None).text, "Çünkü onun duruşu, eğitime hizmet aşkı, yüreği");
}

#[test]
fn a_hint_lets_less_prove_it_but_not_nothing() {
    let day = Date::new(2009, 1, 1);
    assert_eq!(repair("naïve são joão", day).text, "naïve são joão");
    assert_eq!(repair("å¼", day).text, "å¼");
    assert_eq!(repair("dåºa", None).text, "dåºa");
}

#[test]
fn losses_are_named_and_not_invented() {
    for (text, kind) in [("Herr M?ller fuhr nach K?ln", Kind::D), ("herr m?ller fuhr nach k?ln", Kind::C)] {
        let repaired = repair(text, None);
        assert_eq!((repaired.text.as_ref(), repaired.diagnosis.kind), (text, kind));
        assert_eq!(repaired.diagnosis.lost.question_marks, [6, 23]);
    }
    let diagnosis = diagnose("a\u{FFFD}b");
    assert_eq!((diagnosis.lost.replaced.as_slice(), diagnosis.is_sound()), (&[1][..], false));
}

#[test]
fn positions_follow_the_text() {
    let sound = "Le café “Für Élise” de Göteborg, été 2010";
    for damaged in [misread(sound), misread(&misread(sound))] {
        let repaired = repair(&damaged, None);
        assert_eq!(repaired.text, sound);
        let chars: Vec<char> = damaged.chars().collect();
        let new: Vec<char> = sound.chars().collect();
        for (old, char) in chars.iter().enumerate().filter(|(_, char)| char.is_ascii()) {
            assert_eq!(new[repaired.map.new_offset(old)], *char, "at {old}");
        }
        assert_eq!(repaired.map.new_offset(chars.len()), new.len());
    }
}

#[test]
fn controls_are_mended_behind_what_was_misread() {
    for (damaged, sound, controls) in [
        ("It\u{92}s a test \u{97} isn\u{92}t it", "It’s a test — isn’t it", 3),
        ("cafÃ© crÃ¨me \u{96} donâ\u{80}\u{99}t", "café crème – don’t", 1),
    ] {
        let repaired = repair(damaged, None);
        assert_eq!((repaired.text.as_ref(), repaired.diagnosis.kind), (sound, Kind::B));
        assert_eq!(repaired.diagnosis.controls, controls);
        assert!(repaired.is_mended());
        assert_eq!(repaired.map.new_offset(damaged.chars().count()), sound.chars().count());
    }
    assert!(repair("It\u{92}s", None).map.is_identity());
    assert!(!diagnose("a hole \u{9d}").is_sound());
}

#[test]
fn long_runs_of_one_thing_take_linear_time() {
    for piece in [
        "?", "a? ", "? ", " ", "ã", "ã©", "Ã©", "â€", "ÃƒÂ©", "ð", "œ", "\n", "Ã ", "é?", "\u{92}", "a\u{92}",
    ] {
        let text = piece.repeat(100_000);
        // Seconds even in a debug build on a busy machine; what is quadratic takes hours.
        let seconds = tamis_testkit::cpu_seconds(|| {
            repair(&text, Date::new(2009, 1, 1));
            repair(&text, Date::new(2012, 1, 1));
        });
        assert!(seconds < 60.0, "{piece:?}: {seconds} s");
    }
}

proptest! {
    #[test]
    fn any_text_is_taken(text in "[a-zA-Z?ãâäÃÂÐñðšœžÿ€©¤™“” \\n\u{80}-\u{ff}]{0,80}|\\PC{0,60}") {
        for hint in [None, Date::new(2009, 1, 1), Date::new(2010, 7, 20), Date::new(2012, 1, 1)] {
            let repaired = repair(&text, hint);
            prop_assert_eq!(repaired.map.new_offset(text.chars().count()), repaired.text.chars().count());
        }
    }

    #[test]
    fn what_is_mended_stays(text in "[a-zA-ZãâÃÂÐñ€©¤™ ]{0,60}") {
        let once = repair(&text, None);
        if once.diagnosis.rounds < MOST_ROUNDS {
            let again = repair(&once.text, None);
            prop_assert_eq!(again.text.as_ref(), once.text.as_ref());
        }
    }
}
