//! Reads corpora with names, whatever labels they use.

use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use tamis_words::entity::Kind;

/// A sentence with its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// The tokens as they are written.
    pub(crate) tokens: Vec<String>,
    /// The names in it.
    pub(crate) names: Vec<(Range<usize>, Kind)>,
    /// Whether a document starts with it.
    pub(crate) is_first: bool,
}

/// A corpus: where it lies, and how it is measured.
pub(crate) struct Corpus {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its files for training, under `nlp`.
    pub(crate) train: &'static [&'static str],
    /// Its files for measuring.
    pub(crate) test: &'static [&'static str],
    /// How often each of its sentences is taught a round.
    pub(crate) times: usize,
}

/// All corpora. Of `WikiGold` all is training for the model that ships, and all is a test of one that was trained without.
pub(crate) const CORPORA: [Corpus; 4] = [
    Corpus {
        name: "uner",
        train: &["UNER_English-EWT/en_ewt-ud-train.OLDER-VERSION.iob2"],
        test: &["UNER_English-EWT/en_ewt-ud-dev.iob2"],
        times: 3,
    },
    Corpus {
        name: "wnut",
        train: &["wnut17/wnut17train.conll"],
        test: &["wnut17/emerging.dev.conll"],
        times: 1,
    },
    Corpus {
        name: "btc",
        train: &[
            "juand-r/data/BTC/CONLL-format/data/a.conll",
            "juand-r/data/BTC/CONLL-format/data/b.conll",
            "juand-r/data/BTC/CONLL-format/data/e.conll",
            "juand-r/data/BTC/CONLL-format/data/f.conll",
            "juand-r/data/BTC/CONLL-format/data/g.conll",
        ],
        test: &["juand-r/data/BTC/CONLL-format/data/h.conll"],
        times: 1,
    },
    Corpus {
        name: "wikigold",
        train: &["juand-r/data/wikigold/CONLL-format/data/wikigold.conll.txt"],
        test: &["juand-r/data/wikigold/CONLL-format/data/wikigold.conll.txt"],
        times: 1,
    },
];

/// The sentences of files under a folder.
pub(crate) fn read(folder: &Path, files: &[&str]) -> Result<Vec<Named>> {
    let mut all = Vec::new();
    for file in files {
        let path = folder.join(file);
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        all.extend(sentences(&String::from_utf8_lossy(&bytes)));
    }
    Ok(all)
}

fn sentences(text: &str) -> Vec<Named> {
    let (mut all, mut rows, mut is_first) = (Vec::new(), Vec::new(), true);
    for line in text.lines().chain([""]) {
        let fields: Vec<&str> = line.split(['\t', ' ']).collect();
        match fields[..] {
            ["#", "newdoc", ..] | ["-DOCSTART-", ..] => is_first = true,
            ["#", ..] if line.contains(" = ") => {}
            // An older version leaves the annotators of words outside of names out.
            [word, label] | [_, word, label] | [_, word, label, _, _] if !word.is_empty() => {
                rows.push((word, label));
            }
            _ if !rows.is_empty() && line.trim().is_empty() => {
                all.push(sentence(&rows, is_first));
                is_first = false;
                rows.clear();
            }
            _ => {}
        }
    }
    all
}

fn sentence(rows: &[(&str, &str)], is_first: bool) -> Named {
    let mut names: Vec<(Range<usize>, Kind)> = Vec::new();
    let mut last = "O";
    for (at, &(_, label)) in rows.iter().enumerate() {
        let (place, kind) = label.split_once('-').unwrap_or(("O", ""));
        if let Some(kind) = kind_of(kind) {
            let goes_on =
                place == "I" && last.split_once('-').is_some_and(|one| kind_of(one.1) == Some(kind));
            match names.last_mut().filter(|name| goes_on && name.0.end == at) {
                Some(name) => name.0.end = at + 1,
                None => names.push((at..at + 1, kind)),
            }
        }
        last = label;
    }
    Named { tokens: rows.iter().map(|row| row.0.to_owned()).collect(), names, is_first }
}

/// The kind of a label: products, works and the like are no names to us.
fn kind_of(label: &str) -> Option<Kind> {
    match label {
        "PER" | "person" => Some(Kind::Person),
        "ORG" | "corporation" | "group" => Some(Kind::Organization),
        "LOC" | "location" => Some(Kind::Location),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_to_write_labels_are_read() {
        let iob = "# newdoc id = a\n# text = Al Ani in Qaim\n1\tAl\tB-PER\t-\tx\n2\tAni\tI-PER\t-\tx\n3\tin\tO\n4\tQaim\tB-LOC\t-\tx\n";
        let wikigold = "The I-ORG\nMad I-ORG\nplayed O\nOsc I-MISC\n\n-DOCSTART- O\n\nParis I-LOC\n";
        let wnut = "#\tO\nIBM\tB-corporation\nGalaxy\tB-product\n";
        assert_eq!(sentences(iob)[0].names, [(0..2, Kind::Person), (3..4, Kind::Location)]);
        let read = sentences(wikigold);
        assert_eq!(read[0].names, [(0..2, Kind::Organization)]);
        assert_eq!((read.len(), read[1].is_first), (2, true));
        assert_eq!(sentences(wnut)[0].names, [(1..2, Kind::Organization)]);
    }
}
