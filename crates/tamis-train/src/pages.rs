//! Builds pages whose languages are known: short and long, in one language, in two and in three.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::codes::{Codes, Meaning};
use crate::random::Random;
use crate::sources::read_all;

/// A language with fewer characters than this is not tested.
const LEAST_TEXT: usize = 2500;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder with `langid` and `wordfreq`
    #[arg(long)]
    data: PathBuf,
    /// The folder `data/fetch.py` filled
    #[arg(long, default_value = "target/extra")]
    extra: PathBuf,
    /// The source
    #[arg(long)]
    source: String,
    /// Pages of each kind for each language
    #[arg(long, default_value_t = 8)]
    each: usize,
    /// Only these languages: pages in several have no others, so that none is lost where detectors are compared that know different ones
    #[arg(long, value_delimiter = ',')]
    among: Vec<String>,
    /// Where the pages go, as JSON lines
    #[arg(short)]
    output: PathBuf,
}

/// A page.
#[derive(Serialize, Deserialize)]
pub(crate) struct Page {
    /// How it was built.
    pub(crate) kind: String,
    /// The codes of its languages; none if they are foreign to the model.
    pub(crate) languages: Vec<String>,
    /// Its text.
    pub(crate) text: String,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let (known, foreign) = texts(options)?;
    let mut output =
        BufWriter::new(File::create(&options.output).with_context(|| options.output.display().to_string())?);
    let mut random = Random::new(20_240_817);
    let codes: Vec<&String> = known.keys().collect();
    for code in &codes {
        for _ in 0..options.each {
            for (kind, languages, from, to) in [
                ("short", 1, 100, 300),
                ("long", 1, 2000, 6000),
                ("two", 2, 2000, 6000),
                ("three", 3, 2000, 6000),
            ] {
                let page =
                    page(kind, code, languages, from + random.below(to - from), &known, &codes, &mut random);
                writeln!(output, "{}", serde_json::to_string(&page)?)?;
            }
        }
    }
    for lines in foreign.values() {
        for length in [200, 2000] {
            let page = Page {
                kind: "foreign".to_owned(),
                languages: Vec::new(),
                text: block(lines, length, &mut random),
            };
            writeln!(output, "{}", serde_json::to_string(&page)?)?;
        }
    }
    eprintln!(
        "{}: pages in {} languages, and in {} foreign ones",
        options.output.display(),
        codes.len(),
        foreign.len()
    );
    Ok(output.flush()?)
}

type Texts = BTreeMap<String, Vec<String>>;

/// The texts of the source by language of the model, and those of languages that are not in it.
fn texts(options: &Options) -> Result<(Texts, Texts)> {
    let codes = Codes::new();
    let (mut known, mut foreign) = (Texts::new(), Texts::new());
    for raw in read_all(&options.data, &options.extra)?.into_iter().filter(|raw| raw.source == options.source)
    {
        match codes.meaning(&raw.name) {
            Meaning::Language(code) => {
                known.entry(String::from_utf8_lossy(&code).into_owned()).or_default().extend(raw.lines);
            }
            Meaning::Foreign => foreign.entry(raw.name).or_default().extend(raw.lines),
            Meaning::LeftOut => {}
        }
    }
    for texts in [&mut known, &mut foreign] {
        texts.retain(|_, lines| lines.iter().map(|line| line.chars().count()).sum::<usize>() >= LEAST_TEXT);
    }
    if let Some(code) = options.among.iter().find(|code| !known.contains_key(*code)) {
        anyhow::bail!("{code} has no text in {}", options.source);
    }
    known.retain(|code, _| options.among.is_empty() || options.among.contains(code));
    anyhow::ensure!(known.len() >= 3, "pages in three languages need three languages");
    Ok((known, foreign))
}

/// A page with a language and others beside it, each at least a fifth of the text.
fn page(
    kind: &str,
    code: &str,
    count: usize,
    length: usize,
    known: &Texts,
    codes: &[&String],
    random: &mut Random,
) -> Page {
    let mut languages = vec![code.to_owned()];
    while languages.len() < count {
        let other = codes[random.below(codes.len())];
        if !languages.contains(other) {
            languages.push(other.clone());
        }
    }
    random.shuffle(&mut languages);
    let mut parts: Vec<f32> = languages.iter().map(|_| 1.0 + random.part()).collect();
    let all: f32 = parts.iter().sum();
    for part in &mut parts {
        *part /= all;
    }
    let blocks = languages
        .iter()
        .zip(&parts)
        .map(|(code, part)| block(&known[code], (part * length as f32) as usize, random));
    let text = blocks.collect::<Vec<_>>().join("\n");
    Page { kind: kind.to_owned(), languages, text }
}

/// Neighbouring lines of about this many characters.
fn block(lines: &[String], length: usize, random: &mut Random) -> String {
    let mut text = String::new();
    let mut at = random.below(lines.len());
    let mut left = length;
    while left > 0 {
        let line: String = lines[at].chars().take(left.max(40)).collect();
        left = left.saturating_sub(line.chars().count() + 1);
        text.push_str(&line);
        text.push('\n');
        at = (at + 1) % lines.len();
    }
    text
}
