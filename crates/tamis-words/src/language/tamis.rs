//! Our own detector: words and runs of letters weighed by a trained model, and the page as a mixture of languages.
//!
//! A page is read once, of long ones ever smaller parts (`pieces.rs`). Each word is hashed and its votes are taken from a cache or
//! counted from the model; the votes of a sentence or of a few lines are summed; the sums of all pieces are weighed against each other
//! (`page.rs`). Memory is bounded by the number of pieces, which is limited, and time is at most linear in the length of the text.

mod compose;
mod confidence;
pub mod features;
pub mod model;
mod page;
mod pieces;
pub mod scan;
pub mod script;
mod words;

use std::borrow::Cow;
use std::sync::{LazyLock, Mutex};

use self::confidence::confidence;
use self::model::{Model, ModelError};
use self::page::{FLOOR, OF_PAGES, OF_SENTENCES, Verdict, judged};
use self::pieces::{Beforehand, Pieces, Reading};
use self::script::Characters;
use self::words::Cache;
pub use self::words::votes_to_keep;
use super::{Answer, Detect, Language, Span};

static MODEL: &[u8] = include_bytes!("../../models/language.bin");
static CHARACTERS: LazyLock<Characters> = LazyLock::new(Characters::new);
/// Caches that no page uses at the moment; as many as there were threads at once.
const MOST_IDLE_CACHES: usize = 64;
/// A text of no more bytes is a few sentences, each of which may be in a language of its own.
const FEW_SENTENCES: usize = 600;
/// All of them must be this likely for the text to be in several: a sentence that is anyone's guess is in the language of the others.
const SURE_OF_SEVERAL: f32 = 0.6;

/// The detector that `tamis` uses unless told otherwise.
pub struct Tamis {
    model: Model,
    caches: Mutex<Vec<Cache>>,
}

impl Tamis {
    /// The detector with the model that comes with it.
    ///
    /// # Panics
    /// Never: a test reads the model.
    pub fn new() -> Self {
        Self::with_model(MODEL).expect("a test reads the model")
    }

    /// The detector with another model of the same format.
    pub fn with_model(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, ModelError> {
        Ok(Self { model: Model::read(bytes)?, caches: Mutex::default() })
    }

    /// The languages the model knows, each once, in order of their codes.
    pub fn languages(&self) -> Vec<Language> {
        let mut languages: Vec<Language> =
            self.model.classes().iter().filter_map(model::Class::language).collect();
        languages.sort_unstable();
        languages.dedup();
        languages
    }

    /// How well a text agrees with a language: the part it reaches of the score it had if all its words spoke for the same
    /// language. None if the text has no words in a script the language shares with others.
    pub fn agreement(&self, text: &str, code: [u8; 3]) -> Option<f32> {
        self.with_cache(|cache| {
            let pieces = self.read(cache, text, Reading::Whole, Beforehand::Alike);
            let (mut reached, mut ceiling) = (0i64, 0i64);
            for piece in &pieces.list {
                let (first, count) = self.model.script(piece.script);
                if let Some(place) =
                    self.model.classes()[first..first + count].iter().position(|class| class.code == code)
                {
                    reached += pieces.reached(piece, first + place);
                    ceiling += i64::from(piece.ceiling);
                }
            }
            (ceiling > 0).then(|| reached as f32 / ceiling as f32)
        })
    }

    /// Reads a text and hands over its pieces and what they are in. A text of a few sentences is read up to three times: sentence by
    /// sentence, which counts if they are in different languages; as others are; and if nothing is named, without regard to usage, since
    /// a language in wide use may have been preferred that the text does not agree with.
    fn judge<T>(&self, text: &str, reading: Reading, then: impl FnOnce(&Pieces<'_>, Verdict) -> T) -> T {
        self.with_cache(|cache| {
            let is_short = text.len() <= FEW_SENTENCES;
            if is_short {
                let pieces = self.read(cache, text, Reading::Sentences, Beforehand::Usage);
                let verdict = judged(&self.model, &pieces, &OF_SENTENCES);
                let is_sure =
                    || confidence(&self.model, &pieces, &verdict, |_| true) >= Some(SURE_OF_SEVERAL);
                if verdict.names_several() && is_sure() {
                    return then(&pieces, verdict);
                }
            }
            let pieces = self.read(cache, text, reading, Beforehand::Usage);
            let verdict = judged(&self.model, &pieces, &OF_PAGES);
            if !is_short || verdict.names_any() {
                return then(&pieces, verdict);
            }
            let pieces = self.read(cache, text, reading, Beforehand::Alike);
            let verdict = judged(&self.model, &pieces, &OF_PAGES);
            then(&pieces, verdict)
        })
    }

    fn read<'a>(
        &'a self,
        cache: &'a mut Cache,
        text: &str,
        reading: Reading,
        beforehand: Beforehand,
    ) -> Pieces<'a> {
        let mut pieces = Pieces::new(&self.model, cache, text, reading, beforehand);
        scan::scan(text, &CHARACTERS, &mut pieces);
        pieces
    }

    fn with_cache<T>(&self, work: impl FnOnce(&mut Cache) -> T) -> T {
        let idle = self.caches.lock().ok().and_then(|mut caches| caches.pop());
        let mut cache = idle.unwrap_or_else(Cache::new);
        let result = work(&mut cache);
        if let Ok(mut caches) = self.caches.lock()
            && caches.len() < MOST_IDLE_CACHES
        {
            caches.push(cache);
        }
        result
    }

    fn answer(&self, pieces: &Pieces<'_>, verdict: &Verdict) -> Answer {
        let mut counts: Vec<(Language, u32)> = Vec::new();
        let mut total = 0u32;
        for (piece, class) in pieces.list.iter().zip(&verdict.classes) {
            total = total.saturating_add(piece.weight());
            let Some(language) = self.language(*class) else { continue };
            match counts.iter_mut().find(|(known, _)| *known == language) {
                Some((_, letters)) => *letters = letters.saturating_add(piece.weight()),
                None => counts.push((language, piece.weight())),
            }
        }
        counts.sort_by_key(|&(language, letters)| (std::cmp::Reverse(letters), language));
        let least = f64::from(FLOOR) * f64::from(total);
        let languages = counts
            .iter()
            .filter(|(_, letters)| f64::from(*letters) >= least)
            .map(|(language, _)| *language)
            .collect();
        Answer {
            languages,
            counts,
            total,
            words_split: pieces.list.iter().any(|piece| piece.script == script::HAN),
        }
    }

    fn language(&self, class: Option<usize>) -> Option<Language> {
        self.model.classes().get(class?)?.language()
    }
}

impl Default for Tamis {
    fn default() -> Self {
        Self::new()
    }
}

impl Detect for Tamis {
    fn detect(&self, text: &str) -> Answer {
        self.judge(text, Reading::Parts, |pieces, verdict| self.answer(pieces, &verdict))
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        self.judge(text, Reading::Whole, |pieces, verdict| {
            let mut spans: Vec<Span> = Vec::new();
            for (piece, class) in pieces.list.iter().zip(verdict.classes) {
                let language = self.language(class);
                match spans.last_mut() {
                    // Two scripts of one line share its range: the first is named, it is never the lesser by far.
                    Some(last) if last.language == language || last.range.start == piece.range.start => {
                        last.range.end = piece.range.end;
                    }
                    _ => spans.push(Span { range: piece.range.clone(), language }),
                }
            }
            spans
        })
    }

    fn confidence(&self, text: &str) -> Option<f32> {
        self.judge(text, Reading::Parts, |pieces, verdict| {
            let named = self.answer(pieces, &verdict).languages;
            let is_named =
                |class| self.language(Some(class)).is_some_and(|language| named.contains(&language));
            confidence(&self.model, pieces, &verdict, is_named)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static DETECTOR: LazyLock<Tamis> = LazyLock::new(Tamis::new);

    fn languages(text: &str) -> String {
        DETECTOR.detect(text).languages.iter().map(Language::code).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn sentences_of_many_languages_are_known() {
        let cases = [
            (
                "eng",
                "The committee will meet again next week to discuss the proposals that were made by the members.",
            ),
            (
                "fra",
                "Le comité se réunira la semaine prochaine pour discuter des propositions faites par les membres.",
            ),
            (
                "deu",
                "Der Ausschuss trifft sich nächste Woche wieder, um über die Vorschläge der Mitglieder zu sprechen.",
            ),
            (
                "spa",
                "El comité se reunirá de nuevo la próxima semana para hablar de las propuestas de los miembros.",
            ),
            (
                "por",
                "A comissão vai reunir-se novamente na próxima semana para discutir as propostas dos membros.",
            ),
            ("rus", "Комитет снова соберётся на следующей неделе, чтобы обсудить предложения своих членов."),
            ("ukr", "Комітет знову збереться наступного тижня, щоб обговорити пропозиції своїх членів."),
            (
                "ces",
                "Výbor se znovu sejde příští týden, aby projednal návrhy, které předložili jeho členové.",
            ),
            (
                "slk",
                "Výbor sa znova zíde budúci týždeň, aby prerokoval návrhy, ktoré predložili jeho členovia.",
            ),
            ("tur", "Komite, üyelerin yaptığı önerileri görüşmek üzere gelecek hafta yeniden toplanacak."),
            ("jpn", "委員会は来週また集まり、会員の提案について話し合います。"),
            ("zho", "委员会下周将再次开会,讨论各位成员提出的建议。"),
            ("kor", "위원회는 다음 주에 다시 모여 회원들의 제안을 논의할 것이다."),
            ("ara", "ستجتمع اللجنة مرة أخرى في الأسبوع المقبل لمناقشة المقترحات التي قدمها الأعضاء."),
            ("ell", "Η επιτροπή θα συνεδριάσει ξανά την επόμενη εβδομάδα για να συζητήσει τις προτάσεις."),
            ("hin", "समिति अगले सप्ताह फिर से मिलेगी और सदस्यों के प्रस्तावों पर चर्चा करेगी।"),
            ("tha", "คณะกรรมการจะประชุมอีกครั้งในสัปดาห์หน้าเพื่อหารือเกี่ยวกับข้อเสนอ"),
        ];
        for (code, text) in cases {
            assert_eq!(languages(text), code, "{text}");
        }
    }

    /// Words that Spanish shares with its rarer neighbours once spoke for these alone.
    #[test]
    fn short_sentences_of_spanish_are_spanish() {
        let cases = [
            "¿Dónde está mi libro?",
            "Mañana vamos a la playa.",
            "No lo sé, pregúntale a tu hermano.",
            "El perro duerme en la cocina.",
            "¿Por qué no me lo dijiste antes?",
            "Hace mucho frío esta noche.",
        ];
        for text in cases {
            assert_eq!(languages(text), "spa", "{text}");
        }
    }

    /// Words that large languages share with small relatives: which of them is written more decides.
    #[test]
    fn everyday_sentences_are_in_the_language_that_more_is_written_in() {
        let cases = [
            ("spa", "La casa es grande y bonita."),
            ("spa", "El perro duerme en la casa de mi abuela."),
            ("ita", "Mia sorella vive a Roma."),
            ("eng", "Memento for 1/14/2014 10:00am"),
        ];
        for (code, text) in cases {
            assert_eq!(languages(text), code, "{text}");
        }
    }

    /// All of a text can be in a language, and which it is be doubtful.
    #[test]
    fn a_few_words_are_doubtful_and_long_text_is_not() {
        let cases = [
            ("The committee will meet again next week to discuss the proposals of its members.", 0.99..=1.0),
            ("Комитет снова соберётся на следующей неделе, чтобы обсудить предложения.", 0.99..=1.0),
            ("La casa es grande y bonita.", 0.3..=0.7),
            ("Mia sorella vive a Roma.", 0.3..=0.7),
            ("Memento for 1/14/2014 10:00am", 0.3..=0.7),
        ];
        for (text, expected) in cases {
            let confidence = DETECTOR.confidence(text).expect("a language is named");
            assert!(expected.contains(&confidence), "{text}: {confidence}");
            let answer = DETECTOR.detect(text);
            assert!((answer.share(answer.languages[0]) - 1.0).abs() < 1e-6, "{text}");
        }
        assert_eq!(DETECTOR.confidence("12345 67.89 %"), None);
    }

    /// What is written in them is not taken for a large relative's where it is more than a few words.
    #[test]
    fn text_of_small_languages_is_theirs() {
        let cases = [
            (
                "lfn",
                "La parlores de lingua franca nova es en multe paises de la mundo, e los scrive en la rede a cada dia.",
            ),
            (
                "ast",
                "Toles persones nacen llibres y iguales en dignidá y drechos y, pola mor de la razón y la conciencia de so, han comportase fraternalmente los unos colos otros.",
            ),
            (
                "ltz",
                "All Mënsch kënnt fräi a mat deer selwechter Dignitéit an dene selwechte Rechter op d'Welt.",
            ),
        ];
        for (code, text) in cases {
            assert_eq!(languages(text), code, "{text}");
        }
    }

    #[test]
    fn two_sentences_in_two_languages_have_both() {
        let sentences = [
            ("eng", "The weather is very nice today."),
            ("deu", "Ich habe gestern ein neues Buch gekauft."),
            ("fra", "Nous avons mangé dans un petit restaurant."),
            ("spa", "Mañana tengo que trabajar hasta las ocho."),
            ("rus", "Мы живём в маленьком доме у реки."),
            ("jpn", "昨日は友達と映画を見に行きました。"),
        ];
        for (i, (code, text)) in sentences.iter().enumerate() {
            for (other_code, other) in sentences.iter().skip(i + 1) {
                for (page, first) in
                    [(format!("{text}\n{other}"), code), (format!("{other} {text}"), other_code)]
                {
                    let mut found: Vec<String> =
                        DETECTOR.detect(&page).languages.iter().map(ToString::to_string).collect();
                    found.sort_unstable();
                    let mut both = [*code, *other_code];
                    both.sort_unstable();
                    assert_eq!(found, both, "{page}");
                    let spans = DETECTOR.spans(&page);
                    assert_eq!(
                        spans[0].language.map(|language| language.to_string()).as_deref(),
                        Some(*first)
                    );
                }
            }
        }
    }

    /// The sentences of one language stay together, and words of another in them are no second language.
    #[test]
    fn a_few_sentences_in_one_language_have_one() {
        let cases = [
            (
                "deu",
                "Ich wohne in Berlin. Meine Schwester arbeitet bei Microsoft. Am Abend spielen wir zusammen Tennis.",
            ),
            ("nor", "Jeg bor i Oslo. Søsteren min arbeider på et sykehus. Om kvelden leser vi aviser."),
            ("por", "Eu moro em Lisboa. A minha irmã trabalha num hospital. À noite jantamos todos juntos."),
            ("rus", "Я работаю в компании Google Cloud. Вечером мы смотрим фильмы на Netflix."),
        ];
        for (code, text) in cases {
            assert_eq!(languages(text), code, "{text}");
        }
    }

    #[test]
    fn a_page_in_two_languages_has_both_and_spans_tell_where() {
        let english =
            "The committee will meet again next week. It will discuss what the members have said.\n"
                .repeat(3);
        let french =
            "Le comité se réunira la semaine prochaine. Il discutera de ce que les membres ont dit.\n"
                .repeat(3);
        let page = format!("{english}{french}");
        let answer = DETECTOR.detect(&page);
        assert_eq!(answer.languages.len(), 2);
        assert_eq!(answer.counts.iter().map(|(_, letters)| letters).sum::<u32>(), answer.total);
        let spans = DETECTOR.spans(&page);
        assert_eq!(
            spans.iter().map(|span| span.language.map(|l| l.to_string())).collect::<Vec<_>>(),
            [Some("eng".into()), Some("fra".into())]
        );
        assert_eq!(spans[0].range.end, english.len());
        assert_eq!(spans[1].range.end, page.len());
    }

    /// Paragraphs of about a hundred bytes.
    const ENGLISH: &str = "The committee will meet again next week to discuss what the members have said about the old bridge.\n";
    const FRENCH: &str = "Le comité se réunira la semaine prochaine pour discuter de ce que les membres ont dit du vieux pont.\n";

    fn share(text: &str, code: &str) -> f32 {
        DETECTOR.detect(text).share(Language::parse(code).expect("a code"))
    }

    #[test]
    fn a_language_with_a_tenth_of_a_long_page_is_found_wherever_it_stands() {
        for lines in [200, 1000, 4000] {
            for before in (0..=10).map(|tenth| lines * 9 / 10 * tenth / 10) {
                let after = lines * 9 / 10 - before;
                let page =
                    [ENGLISH.repeat(before), FRENCH.repeat(lines * 13 / 100), ENGLISH.repeat(after)].concat();
                assert_eq!(languages(&page), "eng,fra", "{lines} lines, {before} before");
            }
        }
    }

    #[test]
    fn what_is_read_of_a_long_page_stands_for_all_of_it() {
        let halves = [ENGLISH.repeat(600), FRENCH.repeat(600)].concat();
        let stripes = [ENGLISH.repeat(7), FRENCH.repeat(7)].concat().repeat(150);
        let lines = [ENGLISH, FRENCH].concat().repeat(1000);
        for page in [halves, stripes, lines] {
            assert!((share(&page, "fra") - 0.5).abs() < 0.12, "{}", share(&page, "fra"));
            let letters = page.chars().filter(|c| c.is_alphabetic()).count() as f32;
            let total = DETECTOR.detect(&page).total as f32;
            assert!((total / letters - 1.0).abs() < 0.05, "{total} of {letters}");
        }
    }

    #[test]
    fn a_menu_in_english_does_not_make_a_page_english() {
        let menu = "Home\nContact\nCopyright\n";
        let body = "Le comité se réunira la semaine prochaine pour discuter des propositions faites par les membres.\n".repeat(6);
        assert_eq!(languages(&format!("{menu}{body}")), "fra");
    }

    #[test]
    fn what_is_no_language_is_not_named() {
        let cases = [
            "",
            "12345 67.89 % 2024-01-01 +33 1 23 45 67 89",
            "http://www.example.org/index.html?a=b&c=d user@example.org",
            "xkqzv wqzzk pfqxj zzkqw vxqpt kjzqx qwxzk jqxvz kzxqw pqzxv xzqkj wvqxz",
            "\u{1F600}\u{1F601} !!! ??? ---",
            "xxxxxxxx",
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "aaaa aaaa aaaa",
            "zzzzzzzzzzzz zzzzzz",
            "aaa bbb ccc ddd eee fff",
            "hahahahahaha",
            "asdfasdfasdfasdf",
            "ыыыыыыыыыыыы",
            "x x x x x x x x",
            "1234 xyz",
        ];
        for text in cases {
            assert_eq!(languages(text), "", "{text}");
        }
    }

    /// Few of these words are in the model even by their letters, and what was said of the rest decided.
    #[test]
    fn keys_hit_at_random_and_codes_are_not_named() {
        let cases = [
            "sdkfjh skdjfh qwoieu",
            "asdf jkl; fdsa ghgh",
            "kjhg lkjh poiu mnbv",
            "dfgkjh dfkgjh dkfjgh dfg",
            "wertz qgfds hjklp yxcvb",
            "bcdfg hjklm npqrst vwxz",
            "tprst kwvbn zzgrk pltmnd",
            "d41d8cd98f00b204e9800998ecf8427e",
            "9f86d081884c7d65 9a2feaa0c55ad015 a3bf4f1b2b0b822c",
            "550e8400-e29b-41d4-a716-446655440000",
            "SGVsbG8gd29ybGQsIHRoaXMgaXMgYmFzZTY0IHRleHQ=",
            "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO",
            "XJ-4421B KL/200 MNR-17-C TX-990",
            "AB-1234 CD-5678 EF-9012 GH-3456",
            "BRK-2205/7 SPX-88 QLT-430-A",
            "https://cdn.example.net/static/js/main.4f3a9c.js?v=1.2.3",
            "ftp://ftp.example.org/pub/x86_64/pkg_1.0-2.tar.gz",
        ];
        for text in cases {
            assert_eq!(languages(text), "", "{text}");
        }
    }

    #[test]
    fn hostile_text_ends_and_answers() {
        let cases =
            ["a", " ", "\n", "\u{301}", "漢", "ก", "é", "'", ".", "a.", "a\n", "ы'", "\u{10ffff}", "ﷺ", "ß"];
        for unit in cases {
            let text = unit.repeat(300_000 / unit.len());
            let answer = DETECTOR.detect(&text);
            assert!(answer.languages.len() <= 2, "{unit:?}");
            let spans = DETECTOR.spans(&text);
            assert!(spans.iter().all(|span| text.get(span.range.clone()).is_some()), "{unit:?}");
        }
    }

    #[test]
    fn answers_do_not_depend_on_what_was_read_before() {
        let text = "Hverken regjeringen eller opposisjonen ville kommentere saken i går kveld.";
        let fresh = Tamis::new();
        let first = fresh.detect(text);
        fresh.detect(
            &"alle ord i verden er ikke nok for å fylle et lager med fem tusen forskjellige oppslag "
                .repeat(50),
        );
        assert_eq!(fresh.detect(text), first);
        assert_eq!(DETECTOR.detect(text), first);
    }

    #[test]
    fn the_model_knows_many_languages() {
        assert!(DETECTOR.languages().len() > 200);
    }
}
