//! The report of a run: the languages found, and how they agree with what was expected, if anything was.

use std::io::{self, Write};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tamis_words::language::{Agreement, Language, Score};
use terminal_size::{Width, terminal_size};

use super::job::Counted;
use super::tables;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::palette::Palette;
use tamis_plot::{Bar, Bars, Numbers, Terminal};

/// The file in a run's folder.
pub(super) const FILE: &str = "report.json";
/// So many pairs of languages and so many languages are printed; the file has all.
const MOST_ROWS: usize = 15;
/// As wide as bars are at most.
const USUAL_WIDTH: usize = 90;

/// All figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Report {
    /// The version of this format.
    pub(super) version: u32,
    /// When the run ended, UTC.
    pub(super) time: String,
    pub(super) detector: String,
    pub(super) files: u64,
    pub(super) pages: u64,
    pub(super) text_bytes: u64,
    pub(super) seconds: f64,
    /// Pages of each class, by its sign.
    pub(super) agreement: Vec<(char, u64)>,
    pub(super) without_expectation: u64,
    /// Expected and missed, answered and not expected, pages; the most frequent first.
    pub(super) confusions: Vec<(String, String, u64)>,
    /// For each language the pages it was expected of, answered for, and both.
    pub(super) languages: Vec<(String, u64, u64, u64)>,
    pub(super) macro_f1: Option<f64>,
    /// On how many pages each language was found, whatever was expected; the most frequent first.
    #[serde(default)]
    pub(super) found: Vec<(String, u64)>,
    /// Pages that no language was found on.
    #[serde(default)]
    pub(super) without_language: u64,
    /// Faults of archives, which may have cost pages.
    #[serde(default)]
    pub(super) damage: u64,
    /// Lines of info files that could not be read.
    #[serde(default)]
    pub(super) bad_info_lines: u64,
}

const VERSION: u32 = 1;

impl Report {
    pub(super) fn new(detector: &str, files: u64, counted: &Counted, took: Duration, time: String) -> Self {
        let tally = &counted.tally;
        let code = |language: Language| language.code().to_owned();
        let mut found: Vec<_> =
            counted.found.iter().map(|(language, pages)| (code(*language), *pages)).collect();
        found.sort_by_key(|(_, pages)| u64::MAX - pages);
        Self {
            version: VERSION,
            time,
            detector: detector.to_owned(),
            files,
            pages: tally.pages(),
            text_bytes: counted.text_bytes,
            seconds: (took.as_secs_f64() * 1000.0).round() / 1000.0,
            agreement: Agreement::ALL.map(|class| (class.symbol(), tally.count(class))).to_vec(),
            without_expectation: tally.without_expectation(),
            confusions: tally.confusions().iter().map(|&(a, b, pages)| (code(a), code(b), pages)).collect(),
            languages: tally
                .scores()
                .map(|(language, score)| (code(language), score.expected, score.answered, score.both))
                .collect(),
            macro_f1: tally.macro_f1(),
            found,
            without_language: counted.without_language,
            damage: counted.damage,
            bad_info_lines: counted.bad_info_lines,
        }
    }

    pub(super) fn to_json(&self) -> anyhow::Result<Vec<u8>> {
        let mut json = serde_json::to_vec_pretty(self)?;
        json.push(b'\n');
        Ok(json)
    }

    /// Pages that something was expected of.
    fn compared(&self) -> u64 {
        self.pages.saturating_sub(self.without_expectation)
    }

    /// The histogram: how answers agree with what was expected, or where nothing was, the languages found.
    pub(super) fn bars(&self) -> Bars {
        if self.compared() == 0 { self.bars_of_languages() } else { self.bars_of_agreement() }
    }

    /// The classes of the pages that something was expected of.
    fn bars_of_agreement(&self) -> Bars {
        let compared = self.compared();
        let bar = |&(sign, pages): &(char, u64)| {
            // A page that nothing was expected of counts as the same in the file.
            let none_expected = if sign == Agreement::Same.symbol() { self.without_expectation } else { 0 };
            let pages = pages.saturating_sub(none_expected);
            let name = Agreement::of_symbol(sign).map_or("", name);
            Bar::new(format!("{sign} {name}"), pages as f64).with_note(share_of(pages, compared))
        };
        let title = format!(
            "{} compared with expected languages, {}",
            self.detector,
            HumanCount::of(compared, "page")
        );
        Bars { title, numbers: Numbers::Grouped, bars: self.agreement.iter().map(bar).collect() }
    }

    /// The languages by the number of pages they are on. A page may have several.
    fn bars_of_languages(&self) -> Bars {
        let bar =
            |label: String, pages: u64| Bar::new(label, pages as f64).with_note(share_of(pages, self.pages));
        let shown = self.found.iter().take(MOST_ROWS);
        let mut bars: Vec<Bar> =
            shown.map(|(code, pages)| bar(format!("{code} {}", language_name(code)), *pages)).collect();
        if self.without_language > 0 {
            bars.push(bar("none found".to_owned(), self.without_language));
        }
        let title = format!("Languages found by {}, {}", self.detector, HumanCount::of(self.pages, "page"));
        Bars { title, numbers: Numbers::Grouped, bars }
    }

    /// For a person.
    pub(super) fn print(&self, out: &mut impl Write, palette: &Palette) -> io::Result<()> {
        let pages = HumanCount::of(self.pages, "page");
        write!(out, "{pages} with {}, {} of text", self.detector, HumanSize(self.text_bytes))?;
        // What is quick says nothing of the speed.
        if self.seconds >= 1.0 {
            let pages = HumanCount((self.pages as f64 / self.seconds) as u64);
            let bytes = HumanSize((self.text_bytes as f64 / self.seconds) as u64);
            write!(out, " in {:.1} s: {pages} pages/s, {bytes}/s", self.seconds)?;
        }
        writeln!(out, "\n")?;
        let columns = terminal_size().map_or(USUAL_WIDTH, |(Width(columns), _)| usize::from(columns));
        let terminal = Terminal {
            title: palette.heading,
            note: palette.dim,
            ..Terminal::plain(columns.min(USUAL_WIDTH), true)
        };
        write!(out, "{}", self.bars().printed(&terminal))?;
        if self.compared() == 0 {
            return write_more(out, self.found.len());
        }
        if self.without_expectation > 0 {
            let pages = HumanCount::of(self.without_expectation, "page");
            writeln!(out, "\nNo languages were expected of {pages} more.")?;
        }
        self.print_confusions(out)?;
        self.print_languages(out)
    }

    fn print_confusions(&self, out: &mut impl Write) -> io::Result<()> {
        if self.confusions.is_empty() {
            return Ok(());
        }
        let row = |(missed, extra, pages): &(String, String, u64)| {
            vec![
                format!("{} {missed}", language_name(missed)),
                format!("{} {extra}", language_name(extra)),
                pages.to_string(),
            ]
        };
        let rows: Vec<_> = self.confusions.iter().take(MOST_ROWS).map(row).collect();
        writeln!(out)?;
        tables::write(out, &["expected and missed", "found instead", "pages"], &rows)
    }

    fn print_languages(&self, out: &mut impl Write) -> io::Result<()> {
        let mut languages: Vec<_> = self.languages.iter().filter(|(_, expected, ..)| *expected > 0).collect();
        languages.sort_by_key(|(code, expected, ..)| (u64::MAX - expected, code.clone()));
        let row = |(code, expected, answered, both): &&(String, u64, u64, u64)| {
            let score = Score { expected: *expected, answered: *answered, both: *both };
            let per_cent =
                |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{:.1}", value * 100.0));
            vec![
                format!("{code} {}", language_name(code)),
                expected.to_string(),
                answered.to_string(),
                per_cent(score.precision()),
                per_cent(score.recall()),
                per_cent(score.f1()),
            ]
        };
        let rows: Vec<_> = languages.iter().take(MOST_ROWS).map(row).collect();
        writeln!(out)?;
        tables::write(out, &["language", "expected", "answered", "precision", "recall", "F1"], &rows)?;
        write_more(out, languages.len())?;
        match self.macro_f1 {
            Some(f1) => {
                writeln!(out, "\nMacro F1 over all expected languages: {:.1} %", f1 * 100.0)
            }
            None => Ok(()),
        }
    }
}

/// Says how many languages were left out.
fn write_more(out: &mut impl Write, languages: usize) -> io::Result<()> {
    match languages.saturating_sub(MOST_ROWS) as u64 {
        0 => Ok(()),
        more => writeln!(out, "  and {}", HumanCount::of(more, "language")),
    }
}

fn language_name(code: &str) -> String {
    Language::parse(code).map_or(String::new(), |language| language.name().to_owned())
}

fn share_of(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

fn name(class: Agreement) -> &'static str {
    match class {
        Agreement::Same => "same",
        Agreement::Disjoint => "disjoint",
        Agreement::Fewer => "fewer",
        Agreement::More => "more",
        Agreement::Overlap => "overlap",
    }
}
