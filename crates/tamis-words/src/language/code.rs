//! Codes of languages.

mod table;

use std::fmt;

use table::{ALIASES, LANGUAGES, MEMBERS, Row};

/// A language by its code of three letters: ISO 639-2/T where it has one, else ISO 639-3.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language([u8; 3]);

impl Language {
    /// The language with this code of three small letters.
    pub const fn of_code(code: [u8; 3]) -> Option<Self> {
        if code[0].is_ascii_lowercase() && code[1].is_ascii_lowercase() && code[2].is_ascii_lowercase() {
            Some(Self(code))
        } else {
            None
        }
    }

    /// The known language with this code, whatever the standard: ISO 639-1 (`de`), 639-2/B (`ger`), 639-2/T and 639-3
    /// (`deu`), or a tag of BCP 47 (`de-AT`, `de_AT`), of which the first part says the language.
    pub fn parse(code: &str) -> Option<Self> {
        let primary = code.trim().split(['-', '_']).next().unwrap_or_default();
        let mut letters = [0; 3];
        let letters = letters.get_mut(..primary.len())?;
        letters.copy_from_slice(primary.as_bytes());
        letters.make_ascii_lowercase();
        let primary = std::str::from_utf8(letters).ok()?;
        let code = find(LANGUAGES, primary).map(|row| row.0).or_else(|| Some(find(ALIASES, primary)?.1))?;
        Some(Self::listed(code))
    }

    /// The code.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// The code of two letters (ISO 639-1), if the language has one.
    pub fn short_code(&self) -> Option<&'static str> {
        let withdrawn = |alias| matches!(alias, "bh" | "in" | "iw" | "ji" | "jw" | "mo");
        let is_short = |row: &&Row| row.1 == self.code() && row.0.len() == 2 && !withdrawn(row.0);
        ALIASES.iter().find(is_short).map(|row| row.0)
    }

    /// Its name in English; its code if we know no name.
    pub fn name(&self) -> &str {
        find(LANGUAGES, self.code()).map_or(self.code(), |row| row.1)
    }

    /// The language that Common Crawl, with the codes of CLD2, files this one's texts under: `zho` for `cmn` and `yue`, `nor`
    /// for `nob`; itself for most.
    #[must_use]
    pub fn macro_language(self) -> Self {
        find(MEMBERS, self.code()).map_or(self, |row| Self::listed(row.1))
    }

    /// All languages we know, by code.
    pub fn all() -> impl Iterator<Item = Self> {
        LANGUAGES.iter().map(|row| Self::listed(row.0))
    }

    fn listed(code: &str) -> Self {
        Self(code.as_bytes().try_into().expect("codes in the table have three letters"))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())
    }
}

fn find(table: &'static [Row], code: &str) -> Option<&'static Row> {
    table.binary_search_by(|row| row.0.cmp(code)).ok().map(|at| &table[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_known_by_all_its_codes() {
        for (code, expected) in [
            ("deu", Some("deu")),
            ("ger", Some("deu")),
            ("de", Some("deu")),
            ("de-AT", Some("deu")),
            ("DE_at", Some("deu")),
            (" fr ", Some("fra")),
            ("zh-Hant", Some("zho")),
            ("chi", Some("zho")),
            ("iw", Some("heb")),
            ("sh", Some("hbs")),
            ("no", Some("nor")),
            ("nb", Some("nob")),
            ("ceb", Some("ceb")),
            ("bh", Some("bih")),
            ("", None),
            ("-", None),
            ("d", None),
            ("xx", None),
            ("xxx", None),
            ("und", None),
            ("deutsch", None),
            ("日", None),
            ("日本", None),
        ] {
            assert_eq!(Language::parse(code).map(|it| it.to_string()).as_deref(), expected, "{code}");
        }
    }

    #[test]
    fn a_language_has_a_name_and_maybe_a_short_code() {
        for (code, name, short) in [
            (*b"deu", "German", Some("de")),
            (*b"heb", "Hebrew", Some("he")),
            (*b"ron", "Romanian", Some("ro")),
            (*b"hbs", "Serbo-Croatian", Some("sh")),
            (*b"bih", "Bihari languages", None),
            (*b"ceb", "Cebuano", None),
            (*b"qqq", "qqq", None),
        ] {
            let language = Language::of_code(code).expect("small letters");
            assert_eq!((language.name(), language.short_code()), (name, short));
        }
    }

    #[test]
    fn members_of_macro_languages_are_filed_as_common_crawl_does() {
        for (code, expected) in [
            ("cmn", "zho"),
            ("yue", "zho"),
            ("arb", "ara"),
            ("zsm", "msa"),
            ("nb", "nor"),
            ("nn", "nno"),
            ("ind", "ind"),
            ("hrv", "hrv"),
            ("eng", "eng"),
        ] {
            let language = Language::parse(code).expect("known");
            assert_eq!(language.macro_language().code(), expected, "{code}");
        }
    }

    #[test]
    fn the_tables_are_in_order_and_lead_to_languages() {
        for table in [LANGUAGES, ALIASES, MEMBERS] {
            assert!(table.is_sorted_by(|one, next| one.0 < next.0), "sorted, nothing twice");
        }
        assert!(LANGUAGES.iter().all(|row| row.0.len() == 3 && !row.1.is_empty()));
        for (alias, code) in ALIASES {
            assert!(find(LANGUAGES, alias).is_none(), "{alias} is a code itself");
            assert!(find(LANGUAGES, code).is_some(), "{alias} leads nowhere");
        }
        for (member, group) in MEMBERS {
            assert!(find(LANGUAGES, member).is_some() && find(LANGUAGES, group).is_some(), "{member}");
            assert!(find(MEMBERS, group).is_none(), "{member} leads to a member");
        }
        assert_eq!(Language::all().filter(|language| language.short_code().is_some()).count(), 184);
    }
}
