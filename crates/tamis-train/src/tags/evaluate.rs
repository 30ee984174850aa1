//! The command that measures the taggers.

use std::collections::HashSet;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use tamis_words::entity::model::{Found, Model as Names};
use tamis_words::tag::lexicon::Lexicon;
use tamis_words::tag::model::Model as Tagger;

use super::named::{CORPORA, Named, read};
use super::{conllu, ner, pos};

/// How often the speed is measured; the fastest counts.
const RUNS: usize = 5;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder with `nlp`
    #[arg(long, default_value = "target/data")]
    data: PathBuf,
    /// Another model of parts of speech than the built-in one
    #[arg(long)]
    pos: Option<PathBuf>,
    /// Another model of names than the built-in one
    #[arg(long)]
    entities: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let (nlp, lexicon) = (options.data.join("nlp"), Lexicon::built_in());
    let tagger = match &options.pos {
        Some(path) => {
            Tagger::read(bytes(path)?.into()).with_context(|| format!("{}: no model", path.display()))?
        }
        None => Tagger::built_in().clone(),
    };
    let names = match &options.entities {
        Some(path) => {
            Names::read(bytes(path)?.into()).with_context(|| format!("{}: no model", path.display()))?
        }
        None => Names::built_in().context("entities.bin: no model")?.clone(),
    };
    let treebank = conllu::read(&nlp.join("UD_English-EWT/en_ewt-ud-dev.conllu"))?;
    let (right, count) = pos::right(&tagger, &treebank, lexicon);
    println!("pos ewt accuracy {:.2} % of {count} tokens", percent(right, count));
    println!("pos ewt speed {:.0} tokens/s", speed(count, || pos::right(&tagger, &treebank, lexicon)));
    for corpus in &CORPORA {
        let sentences = read(&nlp, corpus.test)?;
        measure_names(corpus.name, &names, &sentences, lexicon);
    }
    Ok(())
}

fn bytes(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| path.display().to_string())
}

fn measure_names(corpus: &str, model: &Names, sentences: &[Named], lexicon: &Lexicon) {
    let (mut there, mut start) = (HashSet::new(), 0);
    for sentence in sentences {
        there.extend(
            sentence.names.iter().map(|(range, kind)| (range.start + start, range.end + start, *kind)),
        );
        start += sentence.tokens.len();
    }
    let found = ner::found(model, sentences, lexicon);
    let is_right = |one: &Found| there.contains(&(one.words.start, one.words.end, one.kind));
    let right = found.iter().filter(|one| is_right(one)).count();
    let f1 = percent(2 * right, found.len() + there.len());
    let (precision, recall) = (percent(right, found.len()), percent(right, there.len()));
    println!("ner {corpus} precision {precision:.2} recall {recall:.2} f1 {f1:.2} of {} names", there.len());
    println!("ner {corpus} confidence {}", calibration(&found, is_right));
    let rate = speed(start, || ner::found(model, sentences, lexicon));
    println!("ner {corpus} speed {rate:.0} tokens/s, tagging included");
}

/// For each fifth of the names by their confidence, what it is and how many are right.
fn calibration(found: &[Found], is_right: impl Fn(&Found) -> bool) -> String {
    let mut sorted: Vec<_> = found.iter().map(|one| (one.confidence(), is_right(one))).collect();
    sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
    let fifths = sorted.chunks(sorted.len().div_ceil(5).max(1)).map(|fifth| {
        let mean = fifth.iter().map(|one| one.0).sum::<f32>() / fifth.len() as f32;
        let right = fifth.iter().filter(|one| one.1).count();
        format!("{mean:.2}:{:.2}", right as f64 / fifth.len() as f64)
    });
    fifths.collect::<Vec<_>>().join(" ")
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// How many of `count` things are done in a second.
fn speed<T>(count: usize, run: impl Fn() -> T) -> f64 {
    let seconds = (0..RUNS).map(|_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64()
    });
    count as f64 / seconds.fold(f64::INFINITY, f64::min)
}
