//! Languages by CLD2, the yardstick: what Common Crawl asks, and what its archives and indexes say.
//!
//! A thin wrapper of our own: it keeps hint strings alive while C++ reads them, gives percentages and chunks, and trusts no number
//! that comes back.

mod native;

use super::{Answer, Detect, Language, Span};

pub use native::Hints;

/// Finds languages with CLD2. The unit of its answers is the per cent of the text's bytes: the total is always 100.
///
/// Memory: a copy of the text, and what CLD2 needs itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cld2 {
    /// In per cent: languages with less are not in the answer. 0, the default, is Common Crawl's rule: up to three languages, all
    /// that CLD2 returns.
    pub floor: u32,
}

/// All that CLD2 says of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Up to three languages and their per cent of the text, in CLD2's order.
    pub languages: Vec<(Language, u32)>,
    /// Bytes of letters CLD2 looked at.
    pub text_bytes: usize,
    /// Whether it holds its answer for reliable.
    pub is_reliable: bool,
}

impl Cld2 {
    /// All that CLD2 says of a text, helped by what is known of the page.
    pub fn summarise(self, text: &str, hints: &Hints) -> Summary {
        summary(&native::detect(text, hints, None))
    }

    /// The languages of the whole text, helped by what is known of the page.
    pub fn detect_with(self, text: &str, hints: &Hints) -> Answer {
        let mut counts = self.summarise(text, hints).languages;
        counts.sort_by_key(|(_, per_cent)| u32::MAX - per_cent);
        let chosen = counts.iter().filter(|(_, per_cent)| *per_cent >= self.floor);
        let languages = chosen.map(|(language, _)| *language).collect();
        Answer { languages, counts, total: 100, words_split: false }
    }
}

impl Detect for Cld2 {
    fn detect(&self, text: &str) -> Answer {
        self.detect_with(text, &Hints::default())
    }

    /// CLD2's chunks, cut where characters end.
    fn spans(&self, text: &str) -> Vec<Span> {
        let mut chunks = native::Chunks::new();
        native::detect(text, &Hints::default(), Some(&mut chunks));
        let mut spans: Vec<Span> = Vec::new();
        for (range, number) in chunks.read() {
            let start =
                spans.last().map_or(0, |last| last.range.end).max(text.floor_char_boundary(range.start));
            let end = text.floor_char_boundary(range.end);
            if start < end {
                spans.push(Span { range: start..end, language: language(number) });
            }
        }
        spans
    }
}

fn summary(found: &native::Found) -> Summary {
    let mut languages: Vec<(Language, u32)> = Vec::new();
    for (number, per_cent) in found.languages.into_iter().zip(found.per_cents) {
        let per_cent = u32::try_from(per_cent).unwrap_or(0).min(100);
        let Some(language) = language(number).filter(|_| per_cent > 0) else { continue };
        // Chinese in both ways of writing is one language.
        match languages.iter_mut().find(|(known, _)| *known == language) {
            Some((_, all)) => *all += per_cent,
            None => languages.push((language, per_cent)),
        }
    }
    Summary {
        languages,
        text_bytes: usize::try_from(found.text_bytes).unwrap_or(0),
        is_reliable: found.is_reliable,
    }
}

/// CLD2's languages have codes of their own (`iw`, `zh-Hant`), which Common Crawl writes in three letters. Scripts it knows no
/// language of (`xx-Goth`), jokes (`zzp`) and the unknown (`un`) have none.
fn language(number: i32) -> Option<Language> {
    Language::parse(native::code(number)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str = "All human beings are born free and equal in dignity and rights. They are endowed with reason and \
        conscience and should act towards one another in a spirit of brotherhood. ";
    const GERMAN: &str = "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt \
        und sollen einander im Geist der Brüderlichkeit begegnen. ";
    const CHINESE: &str =
        "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。";
    const CHINESE_OLD: &str =
        "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。";
    const HEBREW: &str = "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.";
    const NORWEGIAN: &str = "Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter. De er utstyrt med fornuft \
        og samvittighet og bør handle mot hverandre i brorskapets ånd.";

    fn codes(answer: &Answer) -> Vec<&str> {
        answer.languages.iter().map(Language::code).collect()
    }

    #[test]
    fn languages_have_the_codes_common_crawl_writes() {
        for (text, expected) in [
            (ENGLISH, vec!["eng"]),
            (GERMAN, vec!["deu"]),
            (CHINESE, vec!["zho"]),
            (CHINESE_OLD, vec!["zho"]),
            (HEBREW, vec!["heb"]),
            (NORWEGIAN, vec!["nor"]),
            ("", vec![]),
            ("12 34", vec![]),
        ] {
            assert_eq!(codes(&Cld2::default().detect(text)), expected, "{text}");
        }
    }

    #[test]
    fn a_mixed_page_has_both_with_shares_and_a_floor_cuts() {
        let text = format!("{}{GERMAN}", ENGLISH.repeat(3));
        let answer = Cld2::default().detect(&text);
        assert_eq!((codes(&answer), answer.total), (vec!["eng", "deu"], 100));
        assert!(answer.counts[0].1 > answer.counts[1].1 && answer.counts[0].1 + answer.counts[1].1 <= 100);
        let high = Cld2 { floor: 50 }.detect(&text);
        assert_eq!((codes(&high), &high.counts), (vec!["eng"], &answer.counts));
        let both = Cld2::default().detect(&format!("{CHINESE}\n{CHINESE_OLD}"));
        assert_eq!(codes(&both), ["zho"]);
        let summary = Cld2::default().summarise(&text, &Hints::default());
        assert!(summary.is_reliable && (400..=text.len()).contains(&summary.text_bytes), "{summary:?}");
    }

    #[test]
    fn a_text_of_any_length_has_a_language() {
        let text = GERMAN.repeat(25_000_000 / GERMAN.len() + 1);
        assert_eq!(codes(&Cld2::default().detect(&text)), ["deu"]);
    }

    #[test]
    fn spans_follow_the_languages() {
        let text = format!("{}{}", ENGLISH.repeat(2), GERMAN.repeat(2));
        let spans = Cld2::default().spans(&text);
        let found: Vec<_> = spans.iter().filter_map(|span| span.language).collect();
        assert_eq!(found.iter().map(Language::code).collect::<Vec<_>>(), ["eng", "deu"]);
        assert!(spans.iter().any(|span| text[span.range.clone()].contains("Menschen sind frei")));
        assert!(Cld2::default().spans("").is_empty());
    }

    #[test]
    fn hints_move_an_answer_that_hangs_in_the_balance() {
        let text = "Saya makan nasi dan minum air di rumah.";
        let answer = |tld: &str, language: &str| {
            let hints = Hints::new(Some(tld), Some(language));
            codes(&Cld2::default().detect_with(text, &hints)).join(",")
        };
        assert_eq!((answer("my", "ms"), answer("id", "id")), ("msa".to_owned(), "ind".to_owned()));
        for odd in ["\0", "a\0b", "", "much too long for a domain", "日本", ",,,,;q=9;;"] {
            assert!(!answer(odd, odd).is_empty(), "{odd:?}");
        }
    }
}
