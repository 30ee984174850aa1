//! `dedup/` of a collection: the tables of all runs, the index of what is kept, and the list that says which files count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize};
use tamis_archive::{Algorithm, Hasher};
use tamis_order::cluster::{Keep, Near};

use super::{Duplicates, Error, Files, Found, Unreadable};
use crate::collection::{self, Collection, atomic};

const VERSION: u64 = 2;
const FOLDER: &str = "dedup";
const LIST: &str = "_manifest.json";

/// What is known of the duplicates of a collection.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Store {
    /// The version of the format.
    pub version: u64,
    /// When pages are nearly the same, in words: what was found under another rule cannot go on.
    pub near: String,
    /// The number of the next page.
    pub next_id: u64,
    /// The archives whose captures were judged, and how many those were.
    #[serde(deserialize_with = "archives_of")]
    pub archives: BTreeMap<String, u64>,
    /// Archives that are being judged, or were when somebody was killed: they have to be judged together.
    #[serde(default)]
    pub pending: BTreeSet<String>,
    /// How many runs there were; each has a file of duplicates and one of kept pages.
    pub runs: u64,
    /// The SHA-256 of each table of duplicates, in hexadecimal digits.
    #[serde(default)]
    pub sha256: Vec<String>,
    /// Pages that were judged.
    pub pages: u64,
    /// Those that are kept.
    pub kept: u64,
    /// Those with the same content as a kept one.
    pub exact: u64,
    /// Those with nearly the same text.
    pub near_duplicates: u64,
    /// CRC-32 of the list without this member, in hexadecimal digits; set when it is written.
    #[serde(default)]
    pub crc: String,
}

/// A table of duplicates.
#[derive(Debug, Clone)]
pub struct TableFile {
    /// The file.
    pub path: PathBuf,
    /// Its SHA-256, in hexadecimal digits.
    sha256: String,
}

impl TableFile {
    /// Compares its bytes with what was written.
    pub(crate) fn check(&self, bytes: &[u8]) -> Result<(), &'static str> {
        let mut hasher = Hasher::new(Algorithm::Sha256);
        hasher.update(bytes);
        let digest = hasher.finish().to_hex();
        if digest.ends_with(&*self.sha256) && !self.sha256.is_empty() {
            Ok(())
        } else {
            Err("its checksum is wrong")
        }
    }

    /// Reads it and compares its bytes with what was written.
    pub fn verify(&self) -> collection::Result<()> {
        let bytes = fs::read(&self.path).map_err(collection::Error::read(&self.path))?;
        self.check(&bytes).map_err(|why| collection::Error::damaged(&self.path, why))
    }
}

/// Version 1 had a list of names, and did not count captures.
fn archives_of<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, u64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Archives {
        Names(Vec<String>),
        Counts(BTreeMap<String, u64>),
    }
    Ok(match Archives::deserialize(from)? {
        Archives::Names(names) => names.into_iter().map(|name| (name, 0)).collect(),
        Archives::Counts(counts) => counts,
    })
}

impl Store {
    /// What is known of a collection; nothing, if nobody looked.
    pub fn read(collection: &Collection) -> collection::Result<Self> {
        let path = folder(collection).join(LIST);
        match fs::read(&path) {
            Ok(bytes) => {
                let store: Self = serde_json::from_slice(&bytes)
                    .map_err(|error| collection::Error::damaged(&path, error))?;
                if store.version > VERSION {
                    return Err(collection::Error::Newer { path, found: store.version, known: VERSION });
                }
                if store.version < VERSION {
                    let why = "made by an earlier version, which did not keep checksums";
                    return Err(collection::Error::damaged(&path, why));
                }
                if store.crc != store.checksum() {
                    return Err(collection::Error::damaged(&path, "its checksum is wrong"));
                }
                Ok(store)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => match first_table(collection) {
                Some(table) => Err(collection::Error::damaged(
                    &path,
                    format!("it is missing, but {} is there", table.display()),
                )),
                None => Ok(Self::default()),
            },
            Err(error) => Err(collection::Error::read(&path)(error)),
        }
    }

    /// Writes it down.
    pub fn write(&self, collection: &Collection) -> collection::Result<()> {
        let folder = folder(collection);
        fs::create_dir_all(&folder).map_err(collection::Error::write(&folder))?;
        let path = folder.join(LIST);
        let mut store = Self { version: VERSION, ..self.clone() };
        store.crc = store.checksum();
        let bytes = serde_json::to_vec_pretty(&store)
            .map_err(|error| collection::Error::write(&path)(error.into()))?;
        atomic::replace_with(&path, &bytes)
    }

    /// The CRC-32 of all of it but the checksum.
    fn checksum(&self) -> String {
        let text = serde_json::to_vec(&Self { crc: String::new(), ..self.clone() });
        format!("{:08x}", crc32fast::hash(&text.unwrap_or_default()))
    }

    /// What is known of the duplicates, for queries.
    pub(crate) fn known(collection: &Collection) -> Duplicates {
        match Self::read(collection) {
            Ok(store) => Duplicates::new(store.duplicates(collection), store.archives.clone()),
            Err(error) => {
                let path = folder(collection).join(LIST);
                let text = error.to_string();
                let reason = text.strip_prefix(&format!("{}: ", path.display())).unwrap_or(&text);
                Duplicates::unreadable(Unreadable { reason: reason.to_owned(), path })
            }
        }
    }

    /// The archives to judge now: those of a run that was killed, else all that are new.
    pub fn due(&self, collection: &Collection) -> collection::Result<BTreeSet<String>> {
        let there = collection.archives()?.into_keys();
        let new: BTreeSet<String> = there.filter(|name| !self.archives.contains_key(name)).collect();
        let left: BTreeSet<String> = self.pending.intersection(&new).cloned().collect();
        Ok(if left.is_empty() { new } else { left })
    }

    /// The files of the next run.
    pub fn files(&self, collection: &Collection, scratch: PathBuf) -> Files {
        let folder = folder(collection);
        Files {
            index: folder.join("index"),
            kept_before: (0..self.runs).map(|run| folder.join(kept_name(run))).collect(),
            kept: folder.join(kept_name(self.runs)),
            duplicates: folder.join(duplicates_name(self.runs)),
            scratch,
        }
    }

    /// Takes in what a run found.
    pub fn add(
        &mut self,
        archives: BTreeMap<String, u64>,
        found: Found,
        files: &Files,
    ) -> collection::Result<()> {
        self.archives.extend(archives);
        self.pending.clear();
        self.runs += 1;
        self.sha256.push(collection::sha256(&files.duplicates)?);
        self.next_id += found.pages;
        self.pages += found.pages;
        self.kept += found.kept;
        self.exact += found.exact;
        self.near_duplicates += found.near;
        Ok(())
    }

    /// The tables of duplicates.
    pub fn duplicates(&self, collection: &Collection) -> Vec<TableFile> {
        let folder = folder(collection);
        let sums = self.sha256.iter().cloned().chain(std::iter::repeat(String::new()));
        let runs = (0..self.runs).zip(sums);
        runs.map(|(run, sha256)| TableFile { path: folder.join(duplicates_name(run)), sha256 }).collect()
    }

    /// Forgets all.
    pub fn remove(collection: &Collection) -> Result<(), Error> {
        let path = folder(collection);
        match fs::remove_dir_all(&path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(Error::Io { path, source }),
            _ => Ok(()),
        }
    }
}

/// A table of duplicates, if there is one.
fn first_table(collection: &Collection) -> Option<PathBuf> {
    let path = folder(collection).join(duplicates_name(0));
    path.exists().then_some(path)
}

fn folder(collection: &Collection) -> PathBuf {
    collection.root().join(FOLDER)
}

fn kept_name(run: u64) -> String {
    format!("kept-{run:05}.parquet")
}

fn duplicates_name(run: u64) -> String {
    format!("duplicates-{run:05}.parquet")
}

/// A rule in words, as people write it and lists keep it.
pub fn near_words(near: Near) -> String {
    match near {
        Near::Never => "none".to_owned(),
        Near::SimHash { most_bits } => format!("simhash:{most_bits}"),
        Near::MinHash { jaccard } => format!("minhash:{jaccard}"),
    }
}

/// The rule of words: `none`, `simhash`, `simhash:2`, `minhash`, `minhash:0.9`.
pub fn near_of_words(words: &str) -> Option<Near> {
    let (name, value) = words.split_once(':').map_or((words, None), |(name, value)| (name, Some(value)));
    match (name, value) {
        ("none", None) => Some(Near::Never),
        ("simhash", None) => Some(Near::SimHash { most_bits: 3 }),
        ("simhash", Some(bits)) => {
            bits.parse().ok().filter(|&bits| bits <= 3).map(|most_bits| Near::SimHash { most_bits })
        }
        ("minhash", None) => Some(Near::MinHash { jaccard: 0.8 }),
        ("minhash", Some(share)) => share
            .parse()
            .ok()
            .filter(|&share: &f64| (0.3..=1.0).contains(&share))
            .map(|jaccard| Near::MinHash { jaccard }),
        _ => None,
    }
}

/// Which page to keep, of a word.
pub fn keep_of_word(word: &str) -> Option<Keep> {
    Some(match word {
        "first" => Keep::First,
        "oldest" => Keep::Oldest,
        "longest" => Keep::Longest,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_words() {
        for words in ["none", "simhash:2", "simhash:3", "minhash:0.8", "minhash:1"] {
            assert_eq!(near_of_words(words).map(near_words).as_deref(), Some(words));
        }
        for words in ["", "simhash:4", "minhash:2", "minhash:x", "minhash:0.1", "none:1", "exact"] {
            assert_eq!(near_of_words(words), None, "{words}");
        }
    }

    #[test]
    fn what_was_begun_is_ended_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("c");
        let created = "2026-08-12T17:00:00Z".parse().expect("a moment");
        let new = crate::collection::New { id: "7".into(), name: "c".into(), event: None, created };
        let collection = Collection::create(&path, &new).expect("is new");
        let mut store = Store::read(&collection).expect("nothing is there");
        assert_eq!(store, Store::default());
        store.pending = ["gone.warc".to_owned()].into();
        store.write(&collection).expect("writes");
        let store = Store::read(&collection).expect("reads");
        assert_eq!(store.pending.len(), 1);
        assert!(store.due(&collection).expect("reads").is_empty(), "what is not there is not due");
    }
}
