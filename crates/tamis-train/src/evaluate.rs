//! Measures the language detector on pages whose languages are known.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Serialize;
use tamis_words::language::{Detect, Language, Tamis, Words};

use crate::pages::Page;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The pages, as JSON lines
    pages: PathBuf,
    /// The detector
    #[arg(long, value_enum, default_value_t)]
    detector: Name,
    /// Another model of `tamis` than the built-in one
    #[arg(long)]
    model: Option<PathBuf>,
    /// Where the answers go, as JSON lines, one for each page
    #[arg(short)]
    output: Option<PathBuf>,
    /// Print the languages that go wrong most
    #[arg(long)]
    confusions: bool,
}

#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum Name {
    #[default]
    Tamis,
    Words,
}

#[derive(Serialize)]
struct Given {
    languages: Vec<String>,
    /// Whether the detector knows all languages of the page.
    known: bool,
    /// How sure the detector is, if it says.
    confidence: Option<f32>,
}

/// What is counted for one kind of page.
#[derive(Default)]
struct Tally {
    pages: usize,
    exact: usize,
    by_language: BTreeMap<String, [usize; 3]>,
}

impl Tally {
    fn add(&mut self, expected: &BTreeSet<&str>, given: &BTreeSet<&str>) {
        self.pages += 1;
        self.exact += usize::from(expected == given);
        for &code in expected.union(given) {
            let [hit, missed, false_alarm] = self.by_language.entry(code.to_owned()).or_default();
            match (expected.contains(code), given.contains(code)) {
                (true, true) => *hit += 1,
                (true, false) => *missed += 1,
                _ => *false_alarm += 1,
            }
        }
    }

    /// The mean of the languages' F1.
    fn macro_f1(&self) -> f64 {
        let tested: Vec<f64> = self
            .by_language
            .values()
            .filter(|n| n[0] + n[1] > 0)
            .map(|&[hit, missed, wrong]| 2.0 * hit as f64 / (2 * hit + missed + wrong) as f64)
            .collect();
        tested.iter().sum::<f64>() / tested.len().max(1) as f64
    }
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let (detector, languages) = named(options)?;
    let text = fs::read_to_string(&options.pages).with_context(|| options.pages.display().to_string())?;
    let mut output = options.output.as_ref().map(fs::File::create).transpose()?;
    let known: BTreeSet<String> = languages.iter().map(ToString::to_string).collect();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut confusions: BTreeMap<(String, String), usize> = BTreeMap::new();
    for line in text.lines() {
        let page: Page = serde_json::from_str(line)?;
        let given: Vec<String> =
            detector.detect(&page.text).languages.iter().map(ToString::to_string).collect();
        if let Some(output) = &mut output {
            writeln!(
                output,
                "{}",
                serde_json::to_string(&Given {
                    languages: given.clone(),
                    known: page.languages.iter().all(|code| known.contains(code)),
                    confidence: detector.confidence(&page.text)
                })?
            )?;
        }
        if !page.languages.iter().all(|code| known.contains(code)) {
            continue;
        }
        let expected = page.languages.iter().map(String::as_str).collect();
        let given = given.iter().map(String::as_str).collect();
        tallies.entry(page.kind.clone()).or_default().add(&expected, &given);
        if expected != given {
            let apart = |a: &BTreeSet<&str>, b: &BTreeSet<&str>| {
                a.difference(b).copied().collect::<Vec<_>>().join(",")
            };
            *confusions.entry((apart(&expected, &given), apart(&given, &expected))).or_default() += 1;
        }
    }
    for (kind, tally) in &tallies {
        let share = 100.0 * tally.exact as f64 / tally.pages as f64;
        println!(
            "{kind:8} {:6} pages  exact set {share:6.2} %  macro F1 {:6.2}",
            tally.pages,
            100.0 * tally.macro_f1()
        );
    }
    if options.confusions {
        print_confusions(confusions);
    }
    Ok(())
}

fn print_confusions(confusions: BTreeMap<(String, String), usize>) {
    let mut ranked: Vec<_> = confusions.into_iter().collect();
    ranked.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for ((expected, given), count) in ranked.into_iter().take(100) {
        println!("{count:5}  {expected} -> {given}");
    }
}

/// The detector asked for, and the languages it knows.
fn named(options: &Options) -> Result<(Box<dyn Detect>, Vec<Language>)> {
    Ok(match options.detector {
        Name::Tamis => {
            let tamis = detector(options.model.as_deref())?;
            let languages = tamis.languages();
            (Box::new(tamis), languages)
        }
        Name::Words => (Box::new(Words::built_in()), Words::built_in().languages().to_vec()),
    })
}

fn detector(model: Option<&Path>) -> Result<Tamis> {
    Ok(match model {
        Some(path) => Tamis::with_model(fs::read(path).with_context(|| path.display().to_string())?)?,
        None => Tamis::new(),
    })
}

/// Reads the pages of a text again and again, and prints the best run.
pub(crate) fn speed(text: &Path, model: Option<&Path>, runs: u32) -> Result<()> {
    let start = Instant::now();
    let detector = detector(model)?;
    detector.detect("a first text loads the tables");
    println!("loaded in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let text = fs::read_to_string(text).with_context(|| text.display().to_string())?;
    let pages: Vec<&str> = if text.contains('\x0c') { text.split('\x0c').collect() } else { pages_of(&text) };
    let best = (0..runs).map(|_| {
        let start = Instant::now();
        for page in &pages {
            black_box(detector.detect(page));
        }
        start.elapsed().as_secs_f64()
    });
    let seconds = best.fold(f64::INFINITY, f64::min);
    println!(
        "{} pages, {:.1} MB: {:.1} MB/s, {:.0} pages/s",
        pages.len(),
        text.len() as f64 / 1e6,
        text.len() as f64 / 1e6 / seconds,
        pages.len() as f64 / seconds
    );
    Ok(())
}

/// Pages of a text that says not where they end: up to the first line past 5 KB.
fn pages_of(text: &str) -> Vec<&str> {
    let mut pages = Vec::new();
    let mut rest = text;
    while rest.len() > 5000 {
        let from = rest.ceil_char_boundary(5000);
        let to = rest[from..].find('\n').map_or(rest.len(), |at| from + at + 1);
        pages.push(&rest[..to]);
        rest = &rest[to..];
    }
    pages.push(rest);
    pages
}
