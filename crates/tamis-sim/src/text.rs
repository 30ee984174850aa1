//! Words for pages: sentences of several languages with made-up names in them, and paragraphs of words nobody uses.
//!
//! Crawlers tell near-duplicates by the words of pages. A few hundred sentences make thousands of pages alike, so most
//! paragraphs of a large world are made of a vocabulary of their own; [`WorldOptions::readable`] says how many.
//!
//! [`WorldOptions::readable`]: super::WorldOptions::readable

use std::fmt::Write;

use super::dice::Dice;

/// A language pages are written in.
pub(super) struct Language {
    /// Its code in `<html lang>`.
    pub(super) code: &'static str,
    /// Whether it is written in Cyrillic letters.
    pub(super) cyrillic: bool,
    sentences: &'static str,
}

macro_rules! language {
    ($code:literal, $cyrillic:literal) => {
        Language {
            code: $code,
            cyrillic: $cyrillic,
            sentences: include_str!(concat!("sentences/", $code, ".txt")),
        }
    };
}

/// The languages; most hosts are in one of the first.
pub(super) const LANGUAGES: [Language; 9] = [
    language!("en", false),
    language!("de", false),
    language!("it", false),
    language!("fr", false),
    language!("es", false),
    language!("pt", false),
    language!("nl", false),
    language!("pl", false),
    language!("ru", true),
];

/// The planted topics, in English.
const TOPICS: [&str; 2] = [include_str!("sentences/flood.txt"), include_str!("sentences/observatory.txt")];

/// What links and titles of the topics say.
const TOPIC_WORDS: [[&str; 6]; 2] = [
    [
        "Orvane flood",
        "the flooded valley",
        "dykes and dams",
        "rescue boats",
        "river Orvane",
        "after the flood",
    ],
    [
        "Mount Selka",
        "the new telescope",
        "observatory news",
        "stars and comets",
        "first light",
        "the great mirror",
    ],
];

const ONSETS: [&str; 24] = [
    "b", "br", "d", "dr", "f", "fl", "g", "gr", "h", "k", "kl", "l", "m", "n", "p", "pr", "r", "s", "st",
    "t", "tr", "v", "w", "z",
];
const VOWELS: [&str; 8] = ["a", "e", "i", "o", "u", "ai", "ei", "ou"];
const CODAS: [&str; 10] = ["", "", "n", "r", "l", "s", "m", "nd", "rt", "lk"];
const CYRILLIC: [&str; 24] = [
    "б", "бр", "д", "др", "ф", "фл", "г", "гр", "х", "к", "кл", "л", "м", "н", "п", "пр", "р", "с", "ст",
    "т", "тр", "в", "ж", "з",
];
const CYRILLIC_VOWELS: [&str; 8] = ["а", "е", "и", "о", "у", "я", "ю", "ы"];
const CYRILLIC_CODAS: [&str; 10] = ["", "", "н", "р", "л", "с", "м", "нд", "рт", "лк"];

/// Made-up paragraphs of an alphabet; a page takes some twenty of them, so two pages seldom share more than one.
const PARAGRAPHS: usize = 4096;
const PARAGRAPH_WORDS: u64 = 60;

const THEMES: u64 = 64;
const THEME_BYTES: usize = 32 * 1024;
const COLOURS: [&str; 6] = ["#ffffff", "#f4f1ea", "#1d1d1b", "#0b5fa5", "rgba(0, 0, 0, 0.6)", "inherit"];
const PROPERTIES: [&str; 8] =
    ["margin", "padding", "color", "background", "font-size", "line-height", "border-radius", "max-width"];

/// Paragraphs made once, in some 4 MB, so that a page costs little more than copying it.
pub(super) struct Text {
    latin: Vec<Box<str>>,
    cyrillic: Vec<Box<str>>,
    sentences: Vec<Vec<&'static str>>,
    topics: Vec<Vec<&'static str>>,
    themes: Vec<Box<str>>,
}

impl Text {
    pub(super) fn new(seed: u64) -> Self {
        let made_up = |cyrillic: bool| {
            (0..PARAGRAPHS as u64)
                .map(|n| made_up_paragraph(&mut Dice::new(seed, &[20, u64::from(cyrillic), n]), cyrillic))
                .collect()
        };
        Self {
            latin: made_up(false),
            cyrillic: made_up(true),
            sentences: LANGUAGES.iter().map(|language| language.sentences.lines().collect()).collect(),
            topics: TOPICS.iter().map(|text| text.lines().collect()).collect(),
            themes: (0..THEMES).map(|n| theme(&mut Dice::new(seed, &[21, n]))).collect(),
        }
    }

    /// So many bytes of style and script, which the pages of a host share; whole lines.
    pub(super) fn theme(&self, host: u32, bytes: usize) -> &str {
        let theme = &self.themes[host as usize % self.themes.len()];
        let end = theme.as_bytes()[..bytes.min(theme.len())].iter().rposition(|b| *b == b'\n');
        &theme[..end.map_or(0, |end| end + 1)]
    }

    /// A paragraph of words nobody uses.
    pub(super) fn strange(&self, dice: &mut Dice, language: usize, out: &mut String) {
        let paragraphs = if LANGUAGES[language].cyrillic { &self.cyrillic } else { &self.latin };
        out.push_str(dice.pick::<Box<str>>(paragraphs));
    }

    /// The sentences of a language or a topic.
    pub(super) fn sentences(&self, language: usize, topic: Option<u8>) -> &[&'static str] {
        topic.map_or(&self.sentences[language], |topic| &self.topics[usize::from(topic)])
    }
}

/// A sentence with names and numbers in its gaps.
pub(super) fn fill(sentence: &str, dice: &mut Dice, cyrillic: bool, out: &mut String) {
    let mut rest = sentence;
    while let Some((before, behind)) = rest.split_once('{') {
        out.push_str(before);
        let (gap, after) = behind.split_once('}').unwrap_or((behind, ""));
        match gap {
            "n" => out.push_str(&dice.between(2, 997).to_string()),
            "person" => {
                name(dice, cyrillic, out);
                out.push(' ');
                name(dice, cyrillic, out);
            }
            _ => name(dice, cyrillic, out),
        }
        rest = after;
    }
    out.push_str(rest);
}

/// A made-up name.
pub(super) fn name(dice: &mut Dice, cyrillic: bool, out: &mut String) {
    let start = out.len();
    word(dice, cyrillic, out);
    capitalise(out, start);
}

/// A title or the text of a link.
pub(super) fn heading(dice: &mut Dice, cyrillic: bool, topic: Option<u8>, out: &mut String) {
    if let Some(topic) = topic {
        out.push_str(dice.pick::<&str>(&TOPIC_WORDS[usize::from(topic)]));
        out.push(' ');
    }
    name(dice, cyrillic, out);
    out.push(' ');
    word(dice, cyrillic, out);
}

fn made_up_paragraph(dice: &mut Dice, cyrillic: bool) -> Box<str> {
    let mut out = String::new();
    let mut left_in_sentence = 0;
    for _ in 0..PARAGRAPH_WORDS - 15 + dice.below(30) {
        if left_in_sentence == 0 {
            out.push_str(if out.is_empty() { "" } else { ". " });
            left_in_sentence = dice.between(6, 16);
            name(dice, cyrillic, &mut out);
        } else {
            out.push(' ');
            word(dice, cyrillic, &mut out);
        }
        left_in_sentence -= 1;
    }
    out.push('.');
    out.into_boxed_str()
}

/// Rules of a style sheet.
fn theme(dice: &mut Dice) -> Box<str> {
    let mut out = String::new();
    while out.len() < THEME_BYTES {
        out.push_str(".site-");
        word(dice, false, &mut out);
        out.push_str(" .");
        word(dice, false, &mut out);
        for _ in 0..dice.between(1, 3) {
            let (property, value) = (dice.pick::<&str>(&PROPERTIES), dice.between(1, 16));
            let colour = dice.pick::<&str>(&COLOURS);
            let _ = write!(out, " {{ {property}: {value}px; color: {colour} }}");
        }
        out.push('\n');
    }
    out.into_boxed_str()
}

fn word(dice: &mut Dice, cyrillic: bool, out: &mut String) {
    let (onsets, vowels, codas) =
        if cyrillic { (&CYRILLIC, &CYRILLIC_VOWELS, &CYRILLIC_CODAS) } else { (&ONSETS, &VOWELS, &CODAS) };
    // One throw for a word: pages are made of thousands.
    let mut bits = dice.roll();
    for _ in 0..2 + bits % 2 {
        bits >>= 2;
        for part in [&onsets[..], &vowels[..], &codas[..]] {
            out.push_str(part[(bits % part.len() as u64) as usize]);
            bits /= part.len() as u64;
        }
    }
}

fn capitalise(out: &mut String, start: usize) {
    if let Some(first) = out[start..].chars().next() {
        let capital: String = first.to_uppercase().collect();
        out.replace_range(start..start + first.len_utf8(), &capital);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gap_is_filled_and_nothing_needs_escaping() {
        let text = Text::new(1);
        for (language, sentences) in text.sentences.iter().chain(&text.topics).enumerate() {
            for sentence in sentences {
                let mut out = String::new();
                fill(sentence, &mut Dice::new(1, &[language as u64]), false, &mut out);
                assert!(!out.contains(['{', '}', '&', '<', '>', '"']), "{out}");
                assert!(out.ends_with('.'), "{out}");
            }
        }
    }

    #[test]
    fn made_up_paragraphs_differ() {
        let text = Text::new(3);
        let distinct: std::collections::BTreeSet<_> = text.latin.iter().collect();
        assert_eq!(distinct.len(), PARAGRAPHS);
    }
}
