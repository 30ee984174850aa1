//! The languages of the model, and the codes that sources call them by.

use std::collections::BTreeMap;

use tamis_words::language::tamis::script::{Kind, LATIN};

/// Code, tier (1: in wide use on the web, 2: rarer, 3: rarer and all but the same in writing as one in wide use) and what else the language or its parts are called.
const LANGUAGES: &str = include_str!("languages.tsv");

/// Lects that are neither languages of the model nor foreign to them: teaching them as unknown would hurt their kin.
const LEFT_OUT: &str = "hbs sh ota orv jpn_kana enm frm frk avk jbo tzl nov roa-tara nan hak vie_han san_gran lld fkv prg san_gran \
                        lat_1 eve mly_arab jpn_hira chr_uppercase ppl kor-vert jpn-vert chi-sim-vert chi-tra-vert";

/// Languages that are not written in Latin letters. Texts in them have Latin words, names and terms for the most part, and what was
/// learnt from those would take lists of names on any page for the language.
const NOT_LATIN: [&[u8; 3]; 50] = [
    b"bak", b"che", b"chv", b"oss", b"sah", b"tat", b"amh", b"ara", b"asm", b"bel", b"ben", b"bod", b"bul",
    b"dzo", b"ell", b"fas", b"grc", b"guj", b"heb", b"hin", b"hye", b"jpn", b"kan", b"kat", b"kaz", b"khm",
    b"kir", b"kor", b"lao", b"mal", b"mar", b"mkd", b"mon", b"mya", b"nep", b"ori", b"pan", b"pus", b"rus",
    b"sin", b"tam", b"tel", b"tgk", b"tha", b"tir", b"uig", b"ukr", b"urd", b"yue", b"zho",
];

/// Languages that much of the web is written in.
const LARGE: &[&[u8; 3]] = &[
    b"eng", b"rus", b"deu", b"spa", b"fra", b"ita", b"por", b"pol", b"nld", b"tur", b"ces", b"vie", b"ind",
    b"fas", b"swe", b"ara", b"ukr", b"hun", b"ron", b"ell",
];

/// Whether much of the web is written in a language.
pub(crate) fn is_large(code: [u8; 3]) -> bool {
    LARGE.contains(&&code)
}

/// Whether a language is taught in a script.
pub(crate) fn is_written_in(code: [u8; 3], script: Kind) -> bool {
    script != LATIN || !NOT_LATIN.contains(&&code)
}

/// What a source's name for a language means to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A language of the model.
    Language([u8; 3]),
    /// A language that is not in the model.
    Foreign,
    /// Not to be used.
    LeftOut,
}

/// The codes of all sources.
pub(crate) struct Codes {
    meanings: BTreeMap<String, [u8; 3]>,
    tiers: BTreeMap<[u8; 3], u8>,
}

impl Codes {
    /// The built-in table.
    pub(crate) fn new() -> Self {
        let mut codes = Self { meanings: BTreeMap::new(), tiers: BTreeMap::new() };
        for line in LANGUAGES.lines() {
            let mut fields = line.split('\t');
            let (Some(code), Some(tier), Some(aliases)) = (fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            let Ok(key) = <[u8; 3]>::try_from(code.as_bytes()) else { continue };
            codes.tiers.insert(key, tier.parse().unwrap_or(2));
            for name in aliases.split(' ').chain([code]) {
                codes.meanings.insert(name.to_owned(), key);
            }
        }
        codes
    }

    /// The tier of a language, 1 to 3.
    pub(crate) fn tier(&self, code: [u8; 3]) -> u8 {
        self.tiers.get(&code).copied().unwrap_or(2).clamp(1, 3)
    }

    /// How much a feature seen in a language counts where languages are more than it may speak for: text of those in wide use is more
    /// varied than the few texts that rarer ones are taught from, so that each feature is less frequent in it.
    pub(crate) fn variety(&self, code: [u8; 3]) -> f32 {
        match self.tier(code) {
            _ if is_large(code) => 3.0,
            1 => 2.0,
            _ => 1.0,
        }
    }

    /// What a source means by a name such as `pt-br`, `azj_cyrl` or `fil`.
    pub(crate) fn meaning(&self, name: &str) -> Meaning {
        let name = name.to_lowercase();
        let stem = name.split('_').next().unwrap_or(&name);
        let base = stem.split('-').next().unwrap_or(stem);
        if LEFT_OUT.split_whitespace().any(|left| left == name || left == stem || left == base)
            || name.ends_with("-old")
        {
            return Meaning::LeftOut;
        }
        let found = [name.as_str(), stem, base].into_iter().find_map(|key| self.meanings.get(key));
        found.map_or(Meaning::Foreign, |&code| Meaning::Language(code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_of_other_scripts_are_not_taught_in_latin_letters() {
        assert!(!is_written_in(*b"rus", LATIN) && is_written_in(*b"rus", 13));
        assert!(is_written_in(*b"srp", LATIN) && is_written_in(*b"srp", 13));
    }

    #[test]
    fn names_of_sources_are_understood() {
        let codes = Codes::new();
        let cases = [
            ("pt-br", Meaning::Language(*b"por")),
            ("azj_cyrl", Meaning::Language(*b"aze")),
            ("cmn_Hans", Meaning::Language(*b"zho")),
            ("nb", Meaning::Language(*b"nor")),
            ("nno", Meaning::Language(*b"nno")),
            ("hbs", Meaning::LeftOut),
            ("tob", Meaning::Foreign),
        ];
        for (name, meaning) in cases {
            assert_eq!(codes.meaning(name), meaning, "{name}");
        }
    }
}
