//! The language a page says it is in.

use super::scan::Scan;
use super::signal::Field;
use super::{Found, Rule};

/// Whom to believe: what stands on the text itself, then what stands beside it.
pub(super) const ORDER: &[Rule] = &[
    Rule::Lang,
    Rule::HttpEquiv,
    Rule::JsonLd,
    Rule::Microdata,
    Rule::Meta,
    Rule::DublinCore,
    Rule::Citation,
    Rule::OpenGraph,
];

/// The first well-formed language.
pub(super) fn choose(scan: &Scan<'_>) -> Option<Found<String>> {
    scan.of_field(Field::Language, ORDER)
        .into_iter()
        .find_map(|signal| Some(Found::new(tag(&signal.value)?, signal.rule)))
}

/// A BCP 47 tag in its usual spelling: `en_us` is `en-US`. Of several, the first; a few names in words are known.
/// What follows the first subtag that is none, as in `en_US.UTF-8`, is left out.
fn tag(written: &str) -> Option<String> {
    let first = written.split([',', ';', ' ', '.', '@']).find(|part| !part.is_empty())?;
    if let Some((_, code)) = NAMES.iter().find(|(name, _)| first.eq_ignore_ascii_case(name)) {
        return Some((*code).to_owned());
    }
    let mut parts = first.split(['-', '_']);
    let mut tag = parts.next()?.to_ascii_lowercase();
    if !is_language(&tag) {
        return None;
    }
    let mut last = Place::Language;
    for part in parts {
        let Some(place) = Place::of(part).filter(|&place| place.may_follow(last)) else { break };
        tag.push('-');
        tag.push_str(&place.spell(part));
        last = place;
    }
    Some(tag)
}

/// The subtags of a tag, in the order they come in
/// ([RFC 5646, 2.1](https://www.rfc-editor.org/rfc/rfc5646#section-2.1)).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Language,
    Extended,
    Script,
    Region,
    Variant,
}

impl Place {
    fn of(part: &str) -> Option<Place> {
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        let is_sound = part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match part.len() {
            2 if is_word(part) => Some(Place::Region),
            3 if is_number => Some(Place::Region),
            3 if is_word(part) => Some(Place::Extended),
            4 if is_word(part) => Some(Place::Script),
            4 if is_sound && part.starts_with(|first: char| first.is_ascii_digit()) => Some(Place::Variant),
            5..=8 if is_sound => Some(Place::Variant),
            _ => None,
        }
    }

    fn may_follow(self, last: Place) -> bool {
        self > last || (self == last && matches!(self, Place::Extended | Place::Variant))
    }

    fn spell(self, part: &str) -> String {
        match self {
            Place::Region => part.to_ascii_uppercase(),
            Place::Script => part[..1].to_ascii_uppercase() + &part[1..].to_ascii_lowercase(),
            Place::Language | Place::Extended | Place::Variant => part.to_ascii_lowercase(),
        }
    }
}

/// Whether letters in lower case are the code of a language. Of two letters, those of ISO 639-1; of three, all but those
/// that stand for no language.
fn is_language(code: &str) -> bool {
    match code.len() {
        2 => TWO_LETTERS.split_ascii_whitespace().any(|known| known == code),
        3 => is_word(code) && !NO_LANGUAGE.contains(&code) && !("qaa"..="qtz").contains(&code),
        _ => false,
    }
}

fn is_word(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// ISO 639-1, with the codes that were withdrawn and that pages still have.
const TWO_LETTERS: &str = "\
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz \
    ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik \
    in io is it iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg \
    mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro \
    ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty \
    ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// What ISO 639 has for "unknown", "several" and "none", and words that templates put in the language's place.
const NO_LANGUAGE: [&str; 9] = ["und", "mul", "mis", "zxx", "utf", "ltr", "rtl", "xxx", "unk"];

const NAMES: &[(&str, &str)] = &[
    ("english", "en"),
    ("german", "de"),
    ("deutsch", "de"),
    ("french", "fr"),
    ("français", "fr"),
    ("spanish", "es"),
    ("español", "es"),
    ("italian", "it"),
    ("italiano", "it"),
    ("portuguese", "pt"),
    ("dutch", "nl"),
    ("nederlands", "nl"),
    ("polish", "pl"),
    ("russian", "ru"),
    ("turkish", "tr"),
    ("japanese", "ja"),
    ("chinese", "zh"),
    ("arabic", "ar"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_get_their_usual_spelling() {
        for (written, expected) in [
            ("en", Some("en")),
            ("EN_us", Some("en-US")),
            ("zh-hans-cn", Some("zh-Hans-CN")),
            ("de, en", Some("de")),
            ("es-419", Some("es-419")),
            ("English", Some("en")),
            ("", None),
            ("x", None),
            ("{{lang}}", None),
            ("zh-min-nan", Some("zh-min-nan")),
            ("ZH-yue-hant-hk", Some("zh-yue-Hant-HK")),
            ("de-de-1996", Some("de-DE-1996")),
            ("en-US-US", Some("en-US")),
            ("en_US.UTF-8", Some("en-US")),
            ("be-x-old", Some("be")),
            ("en-", Some("en")),
            ("FIL", Some("fil")),
            ("de-é", Some("de")),
        ] {
            assert_eq!(tag(written).as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn what_is_no_language_is_none() {
        for written in [
            "utf-8",
            "UTF",
            "utf",
            "und",
            "mul",
            "zxx",
            "mis",
            "qaa",
            "qtz",
            "xx",
            "jp",
            "12",
            "e1",
            "é",
            "ltr",
            "-",
            "_",
            "x-default",
            "i-klingon",
            "language",
            "zz-ZZ",
        ] {
            assert_eq!(tag(written), None, "{written}");
        }
    }
}
