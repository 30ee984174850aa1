//! Abbreviations that a sentence goes on behind, in languages other than English.

use super::primary;

/// By language: words that stand before a point within sentences, in lower case.
const BY_LANGUAGE: &[(&str, &[&str])] = &[
    ("ca", &["sr", "sra", "dr", "dra", "prof", "núm", "pàg", "av", "etc"]),
    (
        "cs",
        &[
            "např", "tzv", "tj", "resp", "mj", "p", "pí", "ing", "mgr", "dr", "prof", "č", "str", "sv", "ul",
            "atd",
        ],
    ),
    ("da", &["f.eks", "bl.a", "ca", "dvs", "hr", "fr", "dr", "prof", "nr", "kl", "jf", "osv"]),
    (
        "de",
        &[
            "z.b", "d.h", "u.a", "o.ä", "u.ä", "i.d.r", "bzw", "ca", "dr", "prof", "hr", "fr", "nr", "str",
            "abs", "art", "bd", "bspw", "evtl", "geb", "gest", "ggf", "inkl", "jh", "max", "min", "mind",
            "mio", "mrd", "s", "sog", "st", "tel", "u", "usw", "v", "vgl", "vs", "zzgl", "zz", "hl", "ing",
            "dipl", "phil", "med", "jr", "sr",
        ],
    ),
    (
        "es",
        &[
            "sr", "sra", "srta", "dr", "dra", "prof", "d", "dña", "ud", "uds", "núm", "pág", "art", "av",
            "ee", "uu", "p.ej", "etc", "aprox", "tel",
        ],
    ),
    ("fi", &["esim", "ns", "mm", "ks", "tri", "prof", "n", "nk", "os", "s", "v"]),
    (
        "fr",
        &[
            "m", "mm", "mme", "mlle", "dr", "pr", "me", "mgr", "st", "ste", "p", "pp", "art", "av", "bd",
            "cf", "env", "ex", "fig", "hab", "max", "min", "no", "p.ex", "tél", "vol", "j.-c",
        ],
    ),
    (
        "it",
        &[
            "sig", "sigg", "sig.ra", "dott", "dott.ssa", "prof", "prof.ssa", "ing", "avv", "on", "s", "ss",
            "art", "cap", "ecc", "es", "fig", "n", "pag", "pagg", "tel", "vol",
        ],
    ),
    (
        "nl",
        &[
            "bijv", "bv", "d.w.z", "dhr", "mevr", "mw", "dr", "drs", "ir", "mr", "prof", "ca", "enz", "evt",
            "i.p.v", "jl", "m.b.t", "m.a.w", "nl", "nr", "o.a", "resp", "st", "t/m",
        ],
    ),
    ("no", &["f.eks", "bl.a", "ca", "dvs", "hr", "fr", "dr", "prof", "nr", "kl", "jf", "osv"]),
    (
        "pl",
        &[
            "np", "tzn", "tj", "m.in", "dr", "prof", "mgr", "inż", "ks", "św", "ul", "al", "pl", "nr", "r",
            "w", "str", "ok", "godz", "tys", "mln", "mld", "zob", "por",
        ],
    ),
    (
        "pt",
        &[
            "sr", "sra", "srs", "dr", "dra", "prof", "profa", "exmo", "av", "art", "cap", "fig", "n", "núm",
            "p", "pág", "tel", "vol", "p.ex",
        ],
    ),
    ("ro", &["dl", "d-na", "dr", "prof", "ing", "nr", "str", "art", "pag", "etc"]),
    (
        "ru",
        &[
            "г", "гг", "в", "вв", "им", "ул", "пр", "пл", "д", "кв", "стр", "т", "тт", "т.е", "т.д", "т.п",
            "т.к", "др", "проф", "акад", "см", "ср", "напр", "руб", "коп", "тыс", "млн", "млрд", "н.э", "св",
            "род", "рис", "табл",
        ],
    ),
    ("sv", &["t.ex", "bl.a", "ca", "dvs", "hr", "fr", "dr", "prof", "nr", "kl", "jfr", "osv", "s.k", "m.m"]),
    ("tr", &["dr", "prof", "doç", "av", "bkz", "örn", "vb", "vs", "yy", "cad", "sok", "no"]),
    (
        "uk",
        &[
            "р", "рр", "ст", "ім", "вул", "пр", "див", "напр", "тис", "млн", "млрд", "проф", "акад", "ін",
            "т.д", "т.п",
        ],
    ),
];

/// Abbreviations of all languages: titles.
const EVERYWHERE: &[&str] =
    &["dr", "prof", "mr", "mrs", "st", "vs", "ca", "cf", "nr", "no", "p", "pp", "vol", "ed"];

/// Whether a sentence may go on behind this word and its point.
pub(super) fn is_abbreviation(word: &str, language: Option<&str>) -> bool {
    let mut letters = word.chars();
    let is_initial = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none();
    if is_initial {
        return true;
    }
    let word = word.to_lowercase();
    let word = word.trim_end_matches('.');
    let own = language.map(primary).and_then(|language| BY_LANGUAGE.iter().find(|list| list.0 == language));
    EVERYWHERE.contains(&word) || own.is_some_and(|list| list.1.contains(&word))
}
