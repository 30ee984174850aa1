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
fn tag(written: &str) -> Option<String> {
    let first = written.split([',', ';', ' ']).find(|part| !part.is_empty())?;
    if let Some((_, code)) = NAMES.iter().find(|(name, _)| first.eq_ignore_ascii_case(name)) {
        return Some((*code).to_owned());
    }
    let mut parts = first.split(['-', '_']);
    let language = parts.next().filter(|part| matches!(part.len(), 2 | 3) && is_word(part))?;
    let mut tag = language.to_ascii_lowercase();
    for part in parts {
        if !(2..=8).contains(&part.len()) || !part.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            break;
        }
        tag.push('-');
        match part.len() {
            2 => tag.push_str(&part.to_ascii_uppercase()),
            4 if is_word(part) => {
                tag.push_str(&part[..1].to_ascii_uppercase());
                tag.push_str(&part[1..].to_ascii_lowercase());
            }
            _ => tag.push_str(&part.to_ascii_lowercase()),
        }
    }
    Some(tag)
}

fn is_word(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_alphabetic())
}

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
            ("utf-8", Some("utf")),
        ] {
            assert_eq!(tag(written).as_deref(), expected, "{written}");
        }
    }
}
