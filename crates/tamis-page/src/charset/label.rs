//! What a label of an encoding means.

use encoding_rs::Encoding;

/// Spellings that stand in real pages and that the Encoding Standard does not list.
const ALIASES: &[(&str, &str)] = &[
    ("utf8mb4", "utf-8"),
    ("cp65001", "utf-8"),
    ("windows-65001", "utf-8"),
    ("win-1250", "windows-1250"),
    ("win-1251", "windows-1251"),
    ("win-1252", "windows-1252"),
    ("windows1250", "windows-1250"),
    ("windows1251", "windows-1251"),
    ("windows1252", "windows-1252"),
    ("cp-1250", "windows-1250"),
    ("cp-1251", "windows-1251"),
    ("cp-1252", "windows-1252"),
    ("cp936", "gbk"),
    ("ms936", "gbk"),
    ("cp932", "shift_jis"),
    ("shift-jis", "shift_jis"),
    ("x-ms-cp932", "shift_jis"),
    ("eucjp", "euc-jp"),
    ("euckr", "euc-kr"),
    ("cp949", "euc-kr"),
    ("uhc", "euc-kr"),
    ("cp950", "big5"),
    ("big-5", "big5"),
    ("koi8r", "koi8-r"),
    ("latin-1", "windows-1252"),
    ("tis620", "windows-874"),
];

/// The encoding that a label names, if it is one that text can be read in.
///
/// Quotes, spaces and what follows a `;` or `,` are no matter, nor is `_` for `-`. The labels that the Encoding Standard
/// maps to its `replacement` encoding (`hz-gb-2312`, `iso-2022-kr`) name none.
pub fn encoding_for(label: &str) -> Option<&'static Encoding> {
    let label = label.split([';', ',']).next()?.trim().trim_matches(['"', '\'', ' ', '\\']);
    // No label is longer; a header may be.
    if label.is_empty() || label.len() > 32 {
        return None;
    }
    let known = |label: &str| Encoding::for_label_no_replacement(label.as_bytes());
    known(label).or_else(|| {
        let label = label.to_ascii_lowercase().replace('_', "-");
        let alias = ALIASES.iter().find(|(spelling, _)| *spelling == label).map(|(_, meant)| *meant);
        known(alias.unwrap_or(&label))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_the_standard_and_of_real_pages() {
        for (label, name) in [
            ("utf-8", "UTF-8"),
            (" \"UTF-8\" ", "UTF-8"),
            ("'utf8'", "UTF-8"),
            ("utf_8", "UTF-8"),
            ("utf-8;", "UTF-8"),
            ("UTF-8, text/html", "UTF-8"),
            ("ISO-8859-1", "windows-1252"),
            ("iso_8859-1", "windows-1252"),
            ("latin1", "windows-1252"),
            ("gb2312", "GBK"),
            ("Shift-JIS", "Shift_JIS"),
            ("x-sjis", "Shift_JIS"),
            ("ks_c_5601-1987", "EUC-KR"),
            ("EUC_KR", "EUC-KR"),
            ("win-1251", "windows-1251"),
            ("tis-620", "windows-874"),
            ("unicode", "UTF-16LE"),
        ] {
            assert_eq!(encoding_for(label).map(Encoding::name), Some(name), "{label:?}");
        }
    }

    #[test]
    fn labels_that_name_nothing() {
        for label in ["", " ", "none", "auto", "hz-gb-2312", "iso-2022-kr", "utf-7", &"u".repeat(1000)] {
            assert_eq!(encoding_for(label), None, "{label:?}");
        }
    }

    #[test]
    fn every_alias_means_something() {
        for (spelling, meant) in ALIASES {
            assert!(
                encoding_for(spelling).is_some() && encoding_for(spelling) == encoding_for(meant),
                "{spelling}"
            );
        }
    }
}
