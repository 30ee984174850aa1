//! How well pages about an event are told from others: the whole model against one of terms alone, on real pages.
//!
//!     cargo run --release -p tamis-crawl --example focus_quality -- bench/focus/labels.tsv HTML REUTERS
//!
//! `bench/focus/README.md` says what the labels are. Of each event and split five pages are the model; all other pages with a label are judged. Both models learn
//! their threshold from the model pages in the same way. Average precision and the best F1 of any threshold say how well pages are ranked, F1 how
//! well they are told.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Read as _;
use std::path::Path;

use serde::Deserialize;
use tamis_crawl::focus::{Entities, LearnOptions, Model, NameKind, PageText, Scorer, Tagged};
use tamis_page::date::Date;

const SPLITS: u64 = 10;
const MODEL_PAGES: usize = 5;
const WIRE: &str = "reuters";
const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/// A set, and a file of it.
type Place = (String, String);

/// Finds no names.
struct NoNames;

impl Entities for NoNames {
    fn each(&self, _: &str, _: &mut dyn FnMut(&str, NameKind)) {}
}

#[derive(Deserialize)]
struct Story {
    id: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    body: String,
    date: String,
}

/// The pages of an event.
#[derive(Default)]
struct Event {
    about: Vec<Place>,
    others: Vec<Place>,
}

/// How well a model did, summed over splits.
#[derive(Default, Clone, Copy)]
struct Marks {
    precision_at: f64,
    best_f1: f64,
    f1: f64,
    precision: f64,
    recall: f64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [labels, html, reuters] = &arguments[..] else {
        eprintln!("say where labels and pages are: focus_quality labels.tsv HTML REUTERS");
        return;
    };
    let events = read_labels(&std::fs::read_to_string(labels).expect("reads"));
    let wanted: BTreeSet<&Place> =
        events.values().flat_map(|event| event.about.iter().chain(&event.others)).collect();
    let pages = read_pages(&wanted, Path::new(html), Path::new(reuters));
    println!(
        "| event | pages | others | AP, terms | AP, whole | best F1, terms | best F1, whole | F1, terms | F1, whole | gain | precision | recall |\n|---|---|---|---|---|---|---|---|---|---|---|---|"
    );
    let mut sums = [[Marks::default(); 2]; 2];
    let mut counts = [0.0; 2];
    for (at, (name, event)) in events.iter().enumerate() {
        let mut marks = [Marks::default(); 2];
        let mut gains = Vec::new();
        for split in 0..SPLITS {
            let found = judge(&pages, event, split);
            gains.push(found[1].f1 - found[0].f1);
            for (sum, mark) in marks.iter_mut().zip(found) {
                *sum = sum.plus(mark, 1.0 / SPLITS as f64);
            }
        }
        let half = at % 2;
        row(name, &format!("{} | {}", event.about.len(), event.others.len()), marks, &deviation(&gains));
        counts[half] += 1.0;
        for (sum, mark) in sums[half].iter_mut().zip(marks) {
            *sum = sum.plus(mark, 1.0);
        }
    }
    for (half, name) in ["mean of those the rules were chosen by", "mean of the others"].iter().enumerate() {
        row(name, "|", sums[half].map(|sum| Marks::default().plus(sum, 1.0 / counts[half])), "");
    }
    let all = [0, 1].map(|at| sums[0][at].plus(sums[1][at], 1.0));
    row("mean", "|", all.map(|sum| Marks::default().plus(sum, 1.0 / (counts[0] + counts[1]))), "");
}

/// The standard deviation of the gain over splits.
fn deviation(gains: &[f64]) -> String {
    let mean = gains.iter().sum::<f64>() / gains.len() as f64;
    let squares: f64 = gains.iter().map(|gain| (gain - mean) * (gain - mean)).sum();
    format!("± {:.3}", (squares / (gains.len() - 1) as f64).sqrt())
}

fn row(name: &str, counts: &str, [terms, whole]: [Marks; 2], deviation: &str) {
    println!(
        "| {name} | {counts} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:+.3} {deviation} | {:.3} | {:.3} |",
        terms.precision_at,
        whole.precision_at,
        terms.best_f1,
        whole.best_f1,
        terms.f1,
        whole.f1,
        whole.f1 - terms.f1,
        whole.precision,
        whole.recall
    );
}

impl Marks {
    fn plus(self, other: Self, share: f64) -> Self {
        Self {
            precision_at: self.precision_at + share * other.precision_at,
            best_f1: self.best_f1 + share * other.best_f1,
            f1: self.f1 + share * other.f1,
            precision: self.precision + share * other.precision,
            recall: self.recall + share * other.recall,
        }
    }

    /// Of scores of pages, and whether they are about the event.
    fn of(mut scores: Vec<(f64, bool)>, threshold: f64) -> Self {
        // Of pages with the same score those about the event come last: no credit for chance.
        scores
            .sort_by(|(one, about), (other, other_about)| other.total_cmp(one).then(about.cmp(other_about)));
        let about = scores.iter().filter(|(_, is_about)| *is_about).count() as f64;
        let (mut found, mut precisions, mut best_f1): (f64, f64, f64) = (0.0, 0.0, 0.0);
        for (at, (_, is_about)) in scores.iter().enumerate() {
            if *is_about {
                found += 1.0;
                precisions += found / (at + 1) as f64;
                best_f1 = best_f1.max(2.0 * found / (about + (at + 1) as f64));
            }
        }
        let told = scores.iter().filter(|(score, _)| *score >= threshold);
        let (told, right) = told.fold((0.0, 0.0), |(told, right), (_, is_about)| {
            (told + 1.0, right + f64::from(u8::from(*is_about)))
        });
        Self {
            precision_at: precisions / about,
            best_f1,
            f1: 2.0 * right / (about + told),
            precision: right / f64::max(told, 1.0),
            recall: right / about,
        }
    }
}

/// What a model of terms alone and the whole one say of all pages that are not their own.
fn judge(pages: &HashMap<Place, PageText>, event: &Event, split: u64) -> [Marks; 2] {
    let mut about: Vec<&Place> = event.about.iter().collect();
    // The same for every run: by a hash of the page and the split.
    about.sort_by_key(|place| {
        xxhash_rust::xxh3::xxh3_64_with_seed(format!("{}/{}", place.0, place.1).as_bytes(), split)
    });
    let (chosen, rest) = about.split_at(MODEL_PAGES);
    let model_pages: Vec<PageText> = chosen.iter().map(|place| pages[*place].clone()).collect();
    let terms_only = LearnOptions { names: 0, dates: 0, ..LearnOptions::default() };
    let models = [
        Model::learn(&model_pages, &NoNames, terms_only),
        Model::learn(&model_pages, &Tagged::default(), LearnOptions::default()),
    ];
    models.map(|model| {
        let scorer = Scorer::new(&model);
        let judged = |place: &Place, is_about: bool| (scorer.score(&pages[place]).total, is_about);
        let found = rest.iter().map(|place| judged(place, true));
        let all = found.chain(event.others.iter().map(|place| judged(place, false)));
        Marks::of(all.collect(), model.threshold)
    })
}

/// The events of a table of labels.
fn read_labels(table: &str) -> BTreeMap<String, Event> {
    let mut events: BTreeMap<String, Event> = BTreeMap::new();
    let mut samples: Vec<Place> = Vec::new();
    for line in table.lines().skip(1) {
        let [set, file, event, label] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line:?} has not four columns")
        };
        let place = (set.to_owned(), file.to_owned());
        match label {
            "about" => events.entry(event.to_owned()).or_default().about.push(place),
            "not" | "near" => events.entry(event.to_owned()).or_default().others.push(place),
            "other" => samples.push(place),
            _ => {}
        }
    }
    for event in events.values_mut() {
        let of_wire = event.about[0].0 == WIRE;
        event.others.extend(samples.iter().filter(|(set, _)| (set == WIRE) == of_wire).cloned());
    }
    events
}

fn read_pages(wanted: &BTreeSet<&Place>, html: &Path, reuters: &Path) -> HashMap<Place, PageText> {
    let mut pages: HashMap<Place, PageText> = HashMap::new();
    for entry in std::fs::read_dir(reuters).expect("a folder") {
        let text = std::fs::read_to_string(entry.expect("reads").path()).expect("reads");
        for story in serde_json::from_str::<Vec<Story>>(&text).expect("stories") {
            let place = (WIRE.to_owned(), story.id.clone());
            if wanted.contains(&place) {
                pages.insert(place, of_story(&story));
            }
        }
    }
    for place in wanted.iter().filter(|(set, _)| set != WIRE) {
        pages.insert((*place).clone(), of_file(&html.join(&place.0).join(&place.1)));
    }
    pages
}

/// A story as a page. The last word is the agency's name, of each of them.
fn of_story(story: &Story) -> PageText {
    let body = story.body.split_whitespace().collect::<Vec<_>>().join(" ");
    let body = body.trim_end().trim_end_matches(|c: char| !c.is_alphabetic());
    let body = body.strip_suffix("Reuter").or(body.strip_suffix("REUTER")).unwrap_or(body);
    let mut day = story.date.trim().split(['-', ' ']);
    let mut part = || day.next().unwrap_or_default();
    let (number, month, year) = (part().parse::<u8>(), part(), part().parse::<i16>());
    let month = (1..).zip(MONTHS).find(|(_, name)| *name == month).map(|(number, _)| number);
    PageText {
        title: story.title.clone(),
        text: body.to_owned(),
        language: Some("en".to_owned()),
        published: number
            .ok()
            .zip(month)
            .zip(year.ok())
            .and_then(|((day, month), year)| Date::new(year, month, day)),
        url: String::new(),
    }
}

fn of_file(path: &Path) -> PageText {
    let mut bytes = std::fs::read(path).expect("reads");
    if path.extension().is_some_and(|ending| ending == "gz") {
        let mut unpacked = Vec::new();
        flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut unpacked).expect("is gzip");
        bytes = unpacked;
    }
    PageText::read(&bytes, Some("text/html"), "")
}
