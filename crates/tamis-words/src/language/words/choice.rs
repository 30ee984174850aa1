//! Which of the languages seen in a page it is written in: section 3.8 of the reference.

use super::Language;

/// In per cent of the words: less is an error of the analysis (`VALID_LANGUAGE_THRESHOLD`).
const VALID: u64 = 1;
/// In points: how far a language may be behind the first (`VALID_LANGUAGE_MAX_STEP`).
const MAX_STEP: u64 = 3;
/// In per cent: with so much a language counts however far it is behind (`LIMIT_OF_CLEAR_PERCENTAGE`).
const CLEAR: u64 = 10;
/// Languages in an answer (`MAX_NUMBER_LANG_TO_SHOW`).
const MOST: usize = 6;

/// The languages a page of `total` words is written in, the one with the most words first; of equals, the first given.
pub fn choose(counts: &[(Language, u32)], total: u32) -> Vec<Language> {
    let mut ranked: Vec<_> = counts.iter().copied().filter(|(_, count)| *count > 0).collect();
    ranked.sort_by_key(|(_, count)| u32::MAX - count);
    let best = ranked.first().map_or(0, |(_, count)| *count);
    let per_cent = |count: u32, limit: u64| u64::from(count) * 100 >= limit * u64::from(total);
    if per_cent(best, VALID) {
        let near = |count| u64::from(best - count) * 100 <= MAX_STEP * u64::from(total);
        ranked.retain(|(_, count)| per_cent(*count, VALID));
        ranked.truncate(MOST);
        ranked.retain(|(_, count)| near(*count) || per_cent(*count, CLEAR));
    } else {
        ranked.retain(|(_, count)| *count == best);
        ranked.truncate(MOST);
    }
    ranked.into_iter().map(|(language, _)| language).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares in hundredths of a per cent, so of 10,000 words.
    #[test]
    fn the_worked_examples_of_the_reference() {
        for (shares, expected) in [
            ("eng:612 mlt:95 slv:93", "eng"),
            ("jpn:1983 zho:296 ron:49 swe:25", "jpn"),
            ("eng:3123 jpn:2583 zho:116", "eng jpn"),
            // Section 4.
            ("eng:691 slv:122 slk:122 swa:122 ron:122", "eng"),
            ("ukr:193 rus:290 srp:48", "rus ukr"),
            ("ukr:1029 srp:294 rus:588 ceb:147", "ukr"),
            ("eng:222 slv:222 slk:222", "eng slv slk"),
            ("jpn:562 slv:35 zho:187 swe:31 spa:35", "jpn"),
            ("eng:247 tur:93 sqi:93 slv:93 nor:31", "eng"),
            ("jpn:455 sqi:23 cym:23 zho:1024 swe:23", "zho"),
        ] {
            assert_eq!(chosen(shares), expected, "{shares}");
        }
    }

    #[test]
    fn the_edges_of_each_rule() {
        for (shares, expected) in [
            ("", ""),
            ("eng:0", ""),
            // None has one per cent: all of the largest.
            ("eng:99 fra:99 deu:98", "eng fra"),
            ("eng:100 fra:99", "eng"),
            ("eng:400 fra:100 deu:99", "eng fra"),
            ("eng:401 fra:100", "eng"),
            ("eng:5000 fra:1000 deu:999", "eng fra"),
            ("eng:200 fra:200 deu:200 ita:200 spa:200 por:200 ron:200", "eng fra deu ita spa por"),
            ("eng:9 fra:9 deu:9 ita:9 spa:9 por:9 ron:9", "eng fra deu ita spa por"),
        ] {
            assert_eq!(chosen(shares), expected, "{shares}");
        }
    }

    fn chosen(shares: &str) -> String {
        let counts: Vec<_> = shares.split_whitespace().map(pair).collect();
        choose(&counts, 10_000).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    fn pair(text: &str) -> (Language, u32) {
        let (code, count) = text.split_once(':').expect("code:count");
        (Language::parse(code).expect("a code"), count.parse().expect("a count"))
    }
}
