//! Languages that archives name by three letters (ISO 639-3, or 639-2/B), by the two that BCP 47 asks for where there are
//! two (RFC 5646, section 2.2.1).

use crate::language::Language;

/// The BCP 47 tag of the first language in a list of ISO 639 codes such as `spa,eng`, as WET files state it. Three letters stay where there are no two.
pub fn first_tag(list: &str) -> Option<String> {
    let first = list.split([',', ';']).map(str::trim).find(|code| !code.is_empty())?.to_ascii_lowercase();
    let is_code = matches!(first.len(), 2 | 3) && first.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_code || matches!(&*first, "und" | "zxx" | "mis" | "mul") {
        return None;
    }
    // A language that counts as one of another, such as Mandarin, has that one's tag where it has none itself.
    let language = Language::parse(&first);
    let known =
        language.and_then(|language| language.short_code().or(language.macro_language().short_code()));
    Some(known.map_or(first, str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_language_gets_its_short_tag() {
        for (list, expected) in [
            ("spa", Some("es")),
            ("eng,spa", Some("en")),
            (" DEU , eng", Some("de")),
            ("ceb", Some("ceb")),
            ("cmn", Some("zh")),
            ("ger", Some("de")),
            ("fr", Some("fr")),
            ("und", None),
            ("", None),
            ("Spanish", None),
            ("日本", None),
        ] {
            assert_eq!(first_tag(list).as_deref(), expected, "{list}");
        }
    }
}
