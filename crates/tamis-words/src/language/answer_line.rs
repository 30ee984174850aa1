//! The text line of a page: answer, expectation, how they agree, and the shares.

use std::fmt;

use super::info_line::{Codes, InfoLineError, languages};
use super::{Agreement, Answer, Language};

/// A line has this many languages by name.
const SHOWN: usize = 5;
/// A whole, in hundredths of a per cent.
const WHOLE: u32 = 10_000;

/// `URL Response:l1,l2 | Expected:l1,l2 SYMBOL l1:N.NN%;…;Other_Langs:N.NN%;Not_Found:N.NN%[WS]`, as the reference prints it.
///
/// The shares add up to 100. The reference rounds each and gives `Other_Langs` what is left, so that 0.01 may stand there
/// without another language being seen. Its samples list the five in an order that is neither by share nor by code nor that of a Java
/// `HashMap` of the codes: here they stand in the order of the answer's counts, which is the largest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerLine {
    /// The page's address.
    pub url: String,
    /// The languages the detector answered.
    pub response: Vec<Language>,
    /// The languages expected, if any.
    pub expected: Vec<Language>,
    /// How the two agree.
    pub agreement: Agreement,
    /// Up to five languages and their shares, in hundredths of a per cent.
    pub shares: Vec<(Language, u32)>,
    /// The share of all other languages, in hundredths of a per cent.
    pub other: u32,
    /// The share of no known language, in hundredths of a per cent.
    pub not_found: u32,
    /// Whether words were split.
    pub words_split: bool,
}

/// What is wrong with an answer line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerLineError {
    /// A part of the line is not where it should be.
    #[error("no {part:?} where it is expected")]
    Missing {
        /// The part.
        part: &'static str,
    },
    /// The sign of the agreement is none of the five.
    #[error("`{symbol}` is not one of ✓ ✗ − + ÷")]
    Symbol {
        /// What stands there.
        symbol: String,
    },
    /// Something among the shares is none.
    #[error("`{text}` is not a share such as eng:6.91%")]
    Share {
        /// What stands there.
        text: String,
    },
    /// Something among the languages is none.
    #[error(transparent)]
    Language(#[from] InfoLineError),
}

impl AnswerLine {
    /// The line for a page.
    pub fn new(url: &str, answer: &Answer, expected: &[Language]) -> Self {
        let known: u32 = answer.counts.iter().map(|(_, count)| *count).fold(0, u32::saturating_add);
        let total = answer.total.max(known);
        let mut shares: Vec<_> = largest(&answer.counts)
            .into_iter()
            .map(|(language, count)| (language, share(count, total)))
            .collect();
        let mut not_found = if total == 0 { WHOLE } else { share(total - known, total) };
        let other = even_out(&mut shares, &mut not_found);
        Self {
            url: url.to_owned(),
            response: answer.languages.clone(),
            expected: expected.to_vec(),
            agreement: Agreement::of(&answer.languages, expected),
            shares,
            other,
            not_found,
            words_split: answer.words_split,
        }
    }

    /// Reads a line back, with or without its line end.
    pub fn parse(line: &str) -> Result<Self, AnswerLineError> {
        let line = line.trim_end_matches(['\r', '\n']);
        let (url, rest) = cut(line, " Response:")?;
        let (response, rest) = cut(rest, " | Expected:")?;
        let (expected, rest) = cut(rest, " ")?;
        let (symbol, rest) = cut(rest, " ")?;
        let mut signs = symbol.chars();
        let agreement = signs.next().and_then(Agreement::of_symbol).filter(|_| signs.next().is_none());
        let words_split = rest.ends_with("[WS]");
        let (named, rest) = cut(rest.strip_suffix("[WS]").unwrap_or(rest), "Other_Langs:")?;
        let (other, not_found) = cut(rest, ";Not_Found:")?;
        let shares: Result<_, _> = named.split_terminator(';').map(named_share).collect();
        Ok(Self {
            url: url.to_owned(),
            response: languages(response)?,
            expected: languages(expected)?,
            agreement: agreement.ok_or_else(|| AnswerLineError::Symbol { symbol: symbol.to_owned() })?,
            shares: shares?,
            other: hundredths(other)?,
            not_found: hundredths(not_found)?,
            words_split,
        })
    }
}

impl fmt::Display for AnswerLine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (response, expected) = (Codes(&self.response), Codes(&self.expected));
        write!(out, "{} Response:{response} | Expected:{expected} {} ", self.url, self.agreement)?;
        for (language, share) in &self.shares {
            write!(out, "{language}:{};", PerCent(*share))?;
        }
        write!(out, "Other_Langs:{};Not_Found:{}", PerCent(self.other), PerCent(self.not_found))?;
        out.write_str(if self.words_split { "[WS]" } else { "" })
    }
}

/// Hundredths of a per cent as Java prints a number: 2.9, 0.0, 83.33.
struct PerCent(u32);

impl fmt::Display for PerCent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 100, self.0 % 100);
        if part % 10 == 0 { write!(out, "{whole}.{}%", part / 10) } else { write!(out, "{whole}.{part:02}%") }
    }
}

/// The five with the highest counts, in the order given; of equals the first.
fn largest(counts: &[(Language, u32)]) -> Vec<(Language, u32)> {
    let mut ranked: Vec<usize> = (0..counts.len()).collect();
    ranked.sort_by_key(|at| u32::MAX - counts[*at].1);
    ranked.truncate(SHOWN);
    ranked.sort_unstable();
    ranked.into_iter().map(|at| counts[at]).collect()
}

/// Rounded to hundredths of a per cent, a half upwards as Java's `Math.round` does.
fn share(count: u32, total: u32) -> u32 {
    let (count, total) = (u64::from(count), u64::from(total.max(1)));
    ((count * u64::from(WHOLE) * 2 + total) / (total * 2)) as u32
}

/// What is left of the whole for other languages. If rounding made more than a whole of the rest, the largest share gives way,
/// for there is nothing below zero.
fn even_out(shares: &mut [(Language, u32)], not_found: &mut u32) -> u32 {
    let sum: u32 = shares.iter().map(|(_, share)| *share).sum::<u32>() + *not_found;
    let over = sum.saturating_sub(WHOLE);
    let largest = shares.iter_mut().map(|(_, share)| share).chain([not_found]).max();
    if let Some(largest) = largest {
        *largest -= over;
    }
    WHOLE.saturating_sub(sum)
}

fn cut<'a>(text: &'a str, part: &'static str) -> Result<(&'a str, &'a str), AnswerLineError> {
    text.split_once(part).ok_or(AnswerLineError::Missing { part })
}

fn named_share(text: &str) -> Result<(Language, u32), AnswerLineError> {
    let (code, share) = text.split_once(':').ok_or_else(|| no_share(text))?;
    let language = languages(code)?.first().copied().ok_or_else(|| no_share(text))?;
    Ok((language, hundredths(share).map_err(|_| no_share(text))?))
}

fn hundredths(text: &str) -> Result<u32, AnswerLineError> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let parsed = || {
        let (whole, part) = text.strip_suffix('%')?.split_once('.')?;
        let is_number =
            matches!(whole.len(), 1..=3) && matches!(part.len(), 1 | 2) && digits(whole) && digits(part);
        let tenths = if part.len() == 1 { 10 } else { 1 };
        is_number.then_some(whole.parse::<u32>().ok()? * 100 + part.parse::<u32>().ok()? * tenths)
    };
    parsed().ok_or_else(|| no_share(text))
}

fn no_share(text: &str) -> AnswerLineError {
    AnswerLineError::Share { text: text.to_owned() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The seven lines of chapter 4 of the reference, and words that make their percentages. Behind the named languages stand
    /// others, for what is left of the words.
    const SAMPLES: [(&str, &str, u32); 7] = [
        (
            "http://42stocks.com/cgi-bin/symbol.py?symbol=mtnb Response:eng | Expected:eng ✓ eng:6.91%;slv:1.22%;slk:1.22%;\
             swa:1.22%;ron:1.22%;Other_Langs:4.88%;Not_Found:83.33%",
            "eng:17 slv:3 slk:3 swa:3 ron:3 deu:3 fra:3 ita:2 spa:2 por:2",
            246,
        ),
        (
            "http://43.fsin.su/index.php?day=6&month=12&year=2018 Response:ukr,rus | Expected:rus + ukr:1.93%;rus:2.9%;\
             srp:0.48%;Other_Langs:0.0%;Not_Found:94.69%",
            "ukr:4 rus:6 srp:1",
            207,
        ),
        (
            "http://monolite.vk-online.ru/kods-film-ple-xfo.html Response:ukr | Expected:rus ✗ ukr:10.29%;srp:2.94%;rus:5.88%;\
             ceb:1.47%;Other_Langs:0.01%;Not_Found:79.41%",
            "ukr:7 srp:2 rus:4 ceb:1",
            68,
        ),
        (
            "http://45.77.110.76/ Response:eng,slv,slk | Expected:eng + eng:2.22%;slv:2.22%;slk:2.22%;Other_Langs:0.01%;\
             Not_Found:93.33%",
            "eng:1 slv:1 slk:1",
            45,
        ),
        (
            "http://4510m.in/tag/18.../ Response:jpn | Expected:jpn ✓ jpn:5.62%;slv:0.35%;zho:1.87%;swe:0.31%;spa:0.35%;\
             Other_Langs:2.3%;Not_Found:89.2%[WS]",
            "jpn:144 slv:9 zho:48 swe:8 spa:9 eng:8 fra:8 deu:8 ita:7 por:7 nld:7 pol:7 ces:7",
            2564,
        ),
        (
            "http://45rpmrecords.com/KY/Summit.php Response:eng | Expected:eng ✓ eng:2.47%;tur:0.93%;sqi:0.93%;slv:0.93%;\
             nor:0.31%;Other_Langs:2.45%;Not_Found:91.98%",
            "eng:8 tur:3 sqi:3 slv:3 nor:1 deu:1 fra:1 ita:1 spa:1 por:1 nld:1 pol:1 ces:1",
            324,
        ),
        (
            "http://4646234.org/www_26701_com/baixiaojie...html Response:zho | Expected:zho ✓ jpn:4.55%;sqi:0.23%;cym:0.23%;\
             zho:10.24%;swe:0.23%;Other_Langs:1.24%;Not_Found:83.28%[WS]",
            "jpn:40 sqi:2 cym:2 zho:90 swe:2 deu:2 fra:2 ita:2 spa:2 por:2 nld:1",
            879,
        ),
    ];

    fn counts(text: &str) -> Vec<(Language, u32)> {
        let pair = |pair: &str| {
            let (code, count) = pair.split_once(':').expect("code:count");
            (Language::parse(code).expect("a code"), count.parse().expect("a count"))
        };
        text.split_whitespace().map(pair).collect()
    }

    #[test]
    fn the_reference_samples_come_from_their_counts() {
        for (line, counted, total) in SAMPLES {
            let read = AnswerLine::parse(line).expect("a good line");
            let counts = counts(counted);
            let mut chosen = super::super::choose(&counts, total);
            chosen.sort_by_key(|language| counts.iter().position(|(known, _)| known == language));
            let answer = Answer { languages: chosen, counts, total, words_split: line.ends_with("[WS]") };
            let made = AnswerLine::new(&read.url, &answer, &read.expected);
            assert_eq!(made.to_string(), line);
            assert_eq!(made, read);
        }
    }

    #[test]
    fn edges() {
        let line = |counted: &str, total| {
            let counts = counts(counted);
            let answer =
                Answer { languages: super::super::choose(&counts, total), counts, total, words_split: false };
            AnswerLine::new("u", &answer, &[]).to_string()
        };
        assert_eq!(line("", 0), "u Response: | Expected: ✓ Other_Langs:0.0%;Not_Found:100.0%");
        assert_eq!(line("", 3), "u Response: | Expected: ✓ Other_Langs:0.0%;Not_Found:100.0%");
        assert_eq!(
            line("eng:1", 1),
            "u Response:eng | Expected: ✓ eng:100.0%;Other_Langs:0.0%;Not_Found:0.0%"
        );
        // 0.625 twice and 98.75 would be 0.63 + 0.63 + 98.75.
        assert_eq!(
            line("eng:1 fra:1", 160),
            "u Response:eng,fra | Expected: ✓ eng:0.63%;fra:0.63%;Other_Langs:0.0%;Not_Found:98.74%"
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, expected) in [
            ("", "no \" Response:\" where it is expected"),
            ("u Response:eng", "no \" | Expected:\" where it is expected"),
            ("u Response:eng | Expected:eng ?", "no \" \" where it is expected"),
            (
                "u Response:eng | Expected:eng ? Other_Langs:0.0%;Not_Found:0.0%",
                "`?` is not one of ✓ ✗ − + ÷",
            ),
            (
                "u Response:Englisch | Expected: ✓ Other_Langs:0.0%;Not_Found:0.0%",
                "unknown language code `Englisch`",
            ),
            (
                "u Response: | Expected: ✓ eng=1%;Other_Langs:0.0%;Not_Found:0.0%",
                "`eng=1%` is not a share such as eng:6.91%",
            ),
            (
                "u Response: | Expected: ✓ Other_Langs:0.0%;Not_Found:x",
                "`x` is not a share such as eng:6.91%",
            ),
        ] {
            assert_eq!(AnswerLine::parse(line).expect_err(line).to_string(), expected);
        }
    }

    proptest! {
        #[test]
        fn shares_add_up_and_lines_are_read_back(
            counted in proptest::collection::vec(0_u32..50_000, 0..12),
            more in 0_u32..1_000_000,
            expected in 0_usize..4,
        ) {
            let languages: Vec<Language> = Language::all().take(12).collect();
            let counts: Vec<_> = languages.iter().copied().zip(counted).collect();
            let total = counts.iter().map(|it| it.1).sum::<u32>() + more;
            let answer = Answer { languages: super::super::choose(&counts, total), counts, total, words_split: total % 2 == 0 };
            let line = AnswerLine::new("http://a/?b c", &answer, &languages[..expected]);
            prop_assert_eq!(line.shares.iter().map(|it| it.1).sum::<u32>() + line.other + line.not_found, WHOLE);
            prop_assert_eq!(AnswerLine::parse(&line.to_string()), Ok(line));
        }

        #[test]
        fn any_text_is_read_without_harm(text in any::<String>()) {
            let _ = AnswerLine::parse(&text);
            let _ = AnswerLine::parse(&format!("u Response:{text} | Expected:{text} ✓ {text};Other_Langs:{text};Not_Found:{text}"));
        }
    }
}
