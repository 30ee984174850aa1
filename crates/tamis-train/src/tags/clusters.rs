//! The command that packs clusters and capitals of words.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use tamis_words::tag::hash::of_bytes;
use tamis_words::tag::lexicon::MAGIC;
use tamis_words::tag::sections;
use tamis_words::tag::table::Table;

/// How many words are known by their capitals.
const CAPITALS: usize = 200_000;
/// The frequency of a form that is not listed: a little less than that of the rarest one.
const RAREST: f64 = 1e-9;
/// The shares of capitals up to which a word is in each step but the last.
const STEPS: [f64; 6] = [0.02, 0.06, 0.2, 0.5, 0.8, 0.95];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder `data/fetch_tags.py` filled
    #[arg(long, default_value = "target/extra")]
    extra: PathBuf,
    /// Where the file goes
    #[arg(short)]
    output: PathBuf,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let path = options.extra.join("tags/words.tsv");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let bytes = packed(&text);
    fs::write(&options.output, &bytes).with_context(|| options.output.display().to_string())?;
    eprintln!("{}: {} bytes", options.output.display(), bytes.len());
    Ok(())
}

/// The bytes of a file made from lines of a word, its cluster and the logarithm of its frequency.
fn packed(lines: &str) -> Vec<u8> {
    let mut clusters = Vec::new();
    // By word in small letters: how often it has a capital, and how often it has none.
    let mut counts: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for line in lines.lines() {
        let mut fields = line.split('\t');
        let (Some(word), Some(cluster), Some(frequency)) = (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        if let Some(cluster) = cluster.parse().ok().filter(|&cluster| cluster != 0) {
            clusters.push((of_bytes(word.as_bytes()), cluster));
        }
        let is_small = !word.starts_with(char::is_uppercase);
        if word.starts_with(char::is_alphabetic) {
            let count = counts.entry(word.to_lowercase()).or_default();
            count[usize::from(is_small)] += frequency.parse::<f64>().unwrap_or(-30.0).exp();
        }
    }
    let mut frequent: Vec<_> = counts.into_iter().collect();
    frequent.sort_by(|one, other| other.1.iter().sum::<f64>().total_cmp(&one.1.iter().sum()));
    let capitals = frequent.iter().take(CAPITALS).map(|(word, [capital, small])| {
        let share = (capital + RAREST) / (capital + small + 2.0 * RAREST);
        let step = STEPS.iter().filter(|&&step| share > step).count() as u16;
        (of_bytes(word.as_bytes()), step + 1)
    });
    sections::bytes(MAGIC, &[Table::bytes(&clusters), Table::bytes(&capitals.collect::<Vec<_>>())])
}
