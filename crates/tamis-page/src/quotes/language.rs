//! The quotation marks of languages, from the Unicode CLDR (version 48.2, `delimiters`; Unicode License v3).

/// The marks of a language: those that open and close a quote, then those for a quote within.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) opens: [char; 2],
    pub(super) closes: [char; 2],
}

/// Start, end, alternate start, alternate end; and the languages that use them. What is not here uses `“”‘’`, or is like
/// the language that its tag names first.
const TABLE: &[(&str, &str)] = &[
    (
        "“”‘’",
        "af an as az ba bn bo brx ceb chr ckb co cy da dz ee en es fil fo fy ga gd gl gn gu gv ha haw hi id ig iu jv \
         km kn ko kok ks ku kw la lg lmo ln lo lv mai mi ml mn mni mr ms mt my ne nso ny om or pa pap pcm ps pt qu sa sat \
         scn sd si so sq ss su sw ta te tg th to tr ts tt ve vec vi wa wo xh yo zh zu",
    ),
    (
        "«»“”",
        "ast bm br ca cv el es-us eu ie it kab kk lij mg pms pt-ao pt-ch pt-cv pt-gw pt-lu pt-mo pt-mz pt-pt pt-st pt-tl sc \
         sg ti",
    ),
    ("„“‚‘", "bs-cyrl cs de dsb et hr hsb is ksh lb mk nds sk sl"),
    ("«»‹›", "am az-arab az-cyrl fa fr-ch gsw mzn rm"),
    ("«»„“", "be bua ky os ru sah tyv uk"),
    ("””’’", "fi he rn se sn sv yi"),
    ("«»‘’", "nb nn no rw"),
    ("«»«»", "fr ht hy oc"),
    ("”“’‘", "ar syr ur"),
    ("„“„“", "bg lt"),
    ("‘’“”", "fur ia tn"),
    ("„”«»", "pl ro"),
    ("「」『』", "ja yue zh-hant zh-hk zh-mo zh-tw"),
    ("„”‚’", "ff"),
    ("»«›‹", "ug"),
    ("«»„”", "shi zgh"),
    ("„”»«", "hu szl"),
    ("“”“”", "tk"),
    ("„”‘’", "bs"),
    ("“”«»", "eo"),
    ("„”’’", "sr"),
    ("“”’‘", "uz"),
    ("„“«»", "ka"),
    ("‘’‘’", "nl"),
    ("«»”“", "fr-ca"),
    // Not in CLDR: the usage of Swiss printers, and the orthography of Korea's North.
    ("«»‹›", "de-ch de-li"),
    ("《》〈〉", "ko-kp"),
];

impl Marks {
    /// The marks of a language tag (BCP 47, `_` as well as `-`); none where the language is not in the table.
    pub(super) fn of(language: &str) -> Option<Marks> {
        let tag = language.trim().to_ascii_lowercase().replace('_', "-");
        let mut tag = tag.as_str();
        loop {
            let row = TABLE.iter().find(|(_, tags)| tags.split_ascii_whitespace().any(|known| known == tag));
            if let Some((marks, _)) = row {
                return Marks::parse(marks);
            }
            tag = tag.rsplit_once('-')?.0;
        }
    }

    fn parse(marks: &str) -> Option<Marks> {
        let mut chars = marks.chars();
        let mut next = || chars.next();
        let [start, end, inner_start, inner_end] = [next()?, next()?, next()?, next()?];
        Some(Marks { opens: [start, inner_start], closes: [end, inner_end] })
    }

    pub(super) fn opens(&self, glyph: char) -> bool {
        self.opens.contains(&glyph)
    }

    pub(super) fn closes(&self, glyph: char) -> bool {
        self.closes.contains(&glyph)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_find_their_language() {
        for (tag, opens) in [
            ("en", Some('“')),
            ("de_AT", Some('„')),
            ("de-CH", Some('«')),
            ("DE-ch-1901", Some('«')),
            ("fr-CA", Some('«')),
            ("zh-Hans-CN", Some('“')),
            ("zh-TW", Some('「')),
            ("zh-Hant-HK", Some('「')),
            ("sv", Some('”')),
            ("x-unknown", None),
            ("", None),
        ] {
            assert_eq!(Marks::of(tag).map(|marks| marks.opens[0]), opens, "{tag}");
        }
    }

    #[test]
    fn every_row_has_four_marks_and_every_language_one_row() {
        let mut seen = Vec::new();
        for (marks, tags) in TABLE {
            assert_eq!(marks.chars().count(), 4);
            for tag in tags.split_ascii_whitespace() {
                assert!(!seen.contains(&tag), "{tag}");
                seen.push(tag);
            }
        }
        assert!(seen.len() > 150);
    }
}
