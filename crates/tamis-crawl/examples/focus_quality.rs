//! How well pages about an event are told from others: the whole model against its terms alone, on real pages.
//!
//!     bench/focus/label.py PAGES > labels.jsonl
//!     cargo run -p tamis-crawl --example focus_quality -- PAGES labels.jsonl
//!
//! For each event and split five pages are the model; all other pages about it, all others with words of its topic and every fifth of the rest are judged. Both scorers
//! learn their threshold from the model pages in the same way.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use tamis_crawl::focus::{Capitalized, Entities, LearnOptions, Model, NameKind, PageText, Scorer};

const SPLITS: u64 = 5;
const MODEL_PAGES: usize = 5;
const LEAST_PAGES: usize = 10;
const EVERY: usize = 5;

#[derive(Deserialize)]
struct Labelled {
    path: String,
    labels: BTreeMap<String, String>,
    topics: Vec<String>,
}

/// Finds no names.
struct NoNames;

impl Entities for NoNames {
    fn each(&self, _: &str, _: &mut dyn FnMut(&str, NameKind)) {}
}

/// Right and wrong answers.
#[derive(Default, Clone, Copy)]
struct Answers {
    found: f64,
    missed: f64,
    wrong: f64,
}

impl Answers {
    fn add(&mut self, is_about: bool, is_told: bool) {
        match (is_about, is_told) {
            (true, true) => self.found += 1.0,
            (true, false) => self.missed += 1.0,
            (false, true) => self.wrong += 1.0,
            (false, false) => {}
        }
    }

    fn f1(&self) -> f64 {
        2.0 * self.found / (2.0 * self.found + self.missed + self.wrong).max(1.0)
    }

    fn precision(&self) -> f64 {
        self.found / (self.found + self.wrong).max(1.0)
    }

    fn recall(&self) -> f64 {
        self.found / (self.found + self.missed).max(1.0)
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(root), Some(labels)) = (arguments.next(), arguments.next()) else {
        eprintln!("say where the pages and their labels are: focus_quality PAGES labels.jsonl");
        return;
    };
    let labels = std::fs::read_to_string(labels).expect("reads");
    let labelled: Vec<Labelled> =
        labels.lines().map(|line| serde_json::from_str(line).expect("a label")).collect();
    let wanted = |at: usize, page: &Labelled| {
        at.is_multiple_of(EVERY)
            || !page.topics.is_empty()
            || page.labels.values().any(|label| label == "yes")
    };
    let pages: Vec<(&Labelled, PageText)> = labelled
        .iter()
        .enumerate()
        .filter(|(at, page)| wanted(*at, page))
        .map(|(_, page)| (page, read(Path::new(&root), &page.path)))
        .collect();
    println!(
        "| event | pages about it | others | F1, terms alone | F1, whole model | precision | recall |\n|---|---|---|---|---|---|---|"
    );
    let events: Vec<String> =
        labelled.first().map(|page| page.labels.keys().cloned().collect()).unwrap_or_default();
    let mut sums = (0.0, 0.0, 0.0);
    for event in &events {
        let about: Vec<usize> = (0..pages.len()).filter(|at| pages[*at].0.labels[event] == "yes").collect();
        if about.len() < LEAST_PAGES {
            println!("| {event} | {} | too few | | | | |", about.len());
            continue;
        }
        let others: Vec<usize> = (0..pages.len()).filter(|at| pages[*at].0.labels[event] == "no").collect();
        let (mut terms, mut whole) = (Answers::default(), Answers::default());
        for split in 0..SPLITS {
            judge(&pages, &about, &others, split, &mut terms, &mut whole);
        }
        println!(
            "| {event} | {} | {} | {:.3} | {:.3} | {:.3} | {:.3} |",
            about.len(),
            others.len(),
            terms.f1(),
            whole.f1(),
            whole.precision(),
            whole.recall()
        );
        sums = (sums.0 + terms.f1(), sums.1 + whole.f1(), sums.2 + 1.0);
    }
    println!("| mean | | | {:.3} | {:.3} | | |", sums.0 / sums.2, sums.1 / sums.2);
}

/// One model, and what it and its terms alone say of all other pages.
fn judge(
    pages: &[(&Labelled, PageText)],
    about: &[usize],
    others: &[usize],
    split: u64,
    terms: &mut Answers,
    whole: &mut Answers,
) {
    let mut about = about.to_vec();
    // The same for every run: by a hash of the page and the split.
    about.sort_by_key(|at| xxhash_rust::xxh3::xxh3_64_with_seed(pages[*at].0.path.as_bytes(), split));
    let (chosen, rest) = about.split_at(MODEL_PAGES);
    let model_pages: Vec<PageText> = chosen.iter().map(|at| pages[*at].1.clone()).collect();
    let model = Model::learn(&model_pages, &Capitalized, LearnOptions::default());
    let scorer = Scorer::new(&model);
    // Of a model without names and days all terms are topic.
    let plain = Model { dates: Vec::new(), ..Model::learn(&model_pages, &NoNames, LearnOptions::default()) };
    let topic = Scorer::new(&plain);
    for (at, is_about) in rest.iter().map(|at| (at, true)).chain(others.iter().map(|at| (at, false))) {
        let relevance = scorer.score(&pages[*at].1);
        terms.add(is_about, topic.is_relevant(&topic.score(&pages[*at].1)));
        whole.add(is_about, scorer.is_relevant(&relevance));
    }
}

fn read(root: &Path, path: &str) -> PageText {
    let mut bytes = std::fs::read(root.join(path)).expect("reads");
    if Path::new(path).extension().is_some_and(|ending| ending == "gz") {
        let mut unpacked = Vec::new();
        flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut unpacked).expect("is gzip");
        bytes = unpacked;
    }
    PageText::read(&bytes, Some("text/html"), "")
}
