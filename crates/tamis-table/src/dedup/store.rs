//! `dedup/` of a collection: the tables of all runs, the index of what is kept, and the list that says which files count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use tamis_archive::{Algorithm, Hasher};
use tamis_near::cluster::{Keep, Near};

use super::{Duplicates, Error, Files, Found, Unreadable};
use tamis_collection::sealed::{self, Versions};
use tamis_collection::{Archive, Collection};

const VERSION: u64 = 4;
const VERSIONS: Versions = Versions { sealed: VERSION, newest: VERSION };
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
    /// The archives whose captures were judged.
    pub archives: BTreeMap<String, JudgedArchive>,
    /// Archives that are being judged, or were when somebody was killed: they have to be judged together.
    #[serde(default)]
    pub pending: BTreeSet<String>,
    /// How many runs there were; each has a file of duplicates and one of kept pages.
    pub runs: u64,
    /// The SHA-256 of each file in the folder that counts, in hexadecimal digits, by its path there.
    #[serde(default)]
    pub sha256: BTreeMap<String, String>,
    /// Pages that were judged.
    pub pages: u64,
    /// Those that are kept.
    pub kept: u64,
    /// Those with the same content as a kept one.
    pub exact: u64,
    /// Those with nearly the same text.
    pub near_duplicates: u64,
}

/// An archive as it was when its captures were judged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedArchive {
    /// How many captures it has.
    pub captures: u64,
    /// The SHA-256 of its content.
    pub sha256: String,
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
            Err("wrong checksum")
        }
    }

    /// Reads it and compares its bytes with what was written.
    pub fn verify(&self) -> tamis_collection::Result<()> {
        let bytes = fs::read(&self.path).map_err(tamis_collection::Error::read(&self.path))?;
        self.check(&bytes).map_err(|why| tamis_collection::Error::damaged(&self.path, why))
    }
}

impl Store {
    /// What is known of a collection; nothing, if nobody looked.
    pub fn read(collection: &Collection) -> tamis_collection::Result<Self> {
        let path = folder(collection).join(LIST);
        let store: Option<Self> = sealed::read(&path, VERSIONS)?;
        match store {
            Some(store) if store.version < VERSION => {
                Err(tamis_collection::Error::damaged(&path, "written by an earlier version"))
            }
            Some(store) => match store.sha256.keys().find(|name| !is_inside(name)) {
                Some(name) => Err(tamis_collection::Error::damaged(
                    &path,
                    format!("{name:?} is not a file of this folder"),
                )),
                None => Ok(store),
            },
            None => match first_table(collection) {
                Some(table) => Err(tamis_collection::Error::damaged(
                    &path,
                    format!("it is missing, but {} exists", table.display()),
                )),
                None => Ok(Self::default()),
            },
        }
    }

    /// Writes it down.
    pub fn write(&self, collection: &Collection) -> tamis_collection::Result<()> {
        let folder = folder(collection);
        fs::create_dir_all(&folder).map_err(tamis_collection::Error::write(&folder))?;
        sealed::write(&folder.join(LIST), &Self { version: VERSION, ..self.clone() })
    }

    /// The archives that were judged, and were removed or changed since: what was kept in the place of others may be gone,
    /// so all has to be judged again.
    pub fn stale(&self, collection: &Collection) -> tamis_collection::Result<Vec<String>> {
        let archives = collection.archives()?;
        let is_stale = |(name, judged): &(&String, &JudgedArchive)| {
            archives.get(*name).is_none_or(|archive| archive.sha256 != judged.sha256)
        };
        Ok(self.archives.iter().filter(is_stale).map(|(name, _)| name.clone()).collect())
    }

    /// How many captures of some archives were not judged.
    pub fn captures_left<'a>(&self, archives: impl Iterator<Item = &'a Archive>) -> u64 {
        let left = archives.map(|archive| {
            let judged = self.archives.get(&archive.name).map_or(0, |judged| judged.captures);
            archive.captures.saturating_sub(judged)
        });
        left.sum()
    }

    /// Compares all files with what was written, and the archives with those that were judged.
    pub fn verify(&self, collection: &Collection) -> tamis_collection::Result<Vec<(PathBuf, String)>> {
        let folder = folder(collection);
        let mut flaws = Vec::new();
        // A run that was killed may have added to the index already; the next one goes on with it.
        let is_changing = |name: &str| !self.pending.is_empty() && name.starts_with("index/");
        for (name, expected) in self.sha256.iter().filter(|(name, _)| !is_changing(name)) {
            let path = folder.join(name);
            match tamis_collection::sha256(&path) {
                Ok(found) if found == *expected => {}
                Ok(_) => flaws.push((path, "wrong checksum".to_owned())),
                Err(tamis_collection::Error::Io { source, .. }) => flaws.push((path, source.to_string())),
                Err(error) => return Err(error),
            }
        }
        flaws.extend(self.stale_fault(collection)?);
        Ok(flaws)
    }

    /// What is wrong if archives were removed or changed since they were judged, and the file that says so.
    pub fn stale_fault(
        &self,
        collection: &Collection,
    ) -> tamis_collection::Result<Option<(PathBuf, String)>> {
        let stale = self.stale(collection)?;
        Ok((!stale.is_empty()).then(|| (folder(collection).join(LIST), stale_words(&stale))))
    }

    /// What is known of the duplicates, for queries.
    pub(crate) fn known(collection: &Collection) -> Duplicates {
        let path = || folder(collection).join(LIST);
        let unreadable = |error: &tamis_collection::Error| {
            let text = error.to_string();
            let reason = text.strip_prefix(&format!("{}: ", path().display())).unwrap_or(&text);
            Duplicates::unreadable(Unreadable { reason: reason.to_owned(), path: path() })
        };
        match Self::read(collection) {
            Ok(store) => match store.stale(collection) {
                Ok(stale) if stale.is_empty() => {
                    let judged = store.archives.iter().map(|(name, judged)| (name.clone(), judged.captures));
                    Duplicates::new(store.duplicates(collection), judged.collect())
                }
                Ok(stale) => Duplicates::unreadable(Unreadable { reason: stale_words(&stale), path: path() }),
                Err(error) => unreadable(&error),
            },
            Err(error) => unreadable(&error),
        }
    }

    /// The archives to judge now: those of a run that was killed, else all that are new.
    pub fn due(&self, collection: &Collection) -> tamis_collection::Result<BTreeSet<String>> {
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
        archives: BTreeMap<String, JudgedArchive>,
        found: Found,
        collection: &Collection,
    ) -> tamis_collection::Result<()> {
        self.archives.extend(archives);
        self.pending.clear();
        self.runs += 1;
        self.sha256 = self.digests(collection)?;
        self.next_id += found.pages;
        self.pages += found.pages;
        self.kept += found.kept;
        self.exact += found.exact;
        self.near_duplicates += found.near;
        Ok(())
    }

    /// The SHA-256 of all files that count.
    fn digests(&self, collection: &Collection) -> tamis_collection::Result<BTreeMap<String, String>> {
        let folder = folder(collection);
        let mut names: Vec<String> =
            (0..self.runs).flat_map(|run| [duplicates_name(run), kept_name(run)]).collect();
        let index = folder.join("index");
        for entry in fs::read_dir(&index).map_err(tamis_collection::Error::read(&index))? {
            let entry = entry.map_err(tamis_collection::Error::read(&index))?;
            names.push(format!("index/{}", entry.file_name().to_string_lossy()));
        }
        names
            .into_iter()
            .map(|name| tamis_collection::sha256(&folder.join(&name)).map(|sum| (name, sum)))
            .collect()
    }

    /// The tables of duplicates.
    pub fn duplicates(&self, collection: &Collection) -> Vec<TableFile> {
        let folder = folder(collection);
        let table = |name: String| {
            let sha256 = self.sha256.get(&name).cloned().unwrap_or_default();
            TableFile { path: folder.join(name), sha256 }
        };
        (0..self.runs).map(|run| table(duplicates_name(run))).collect()
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

fn stale_words(stale: &[String]) -> String {
    format!("{} removed or changed since duplicates were found", stale.join(", "))
}

/// A table of duplicates, if there is one.
fn first_table(collection: &Collection) -> Option<PathBuf> {
    let path = folder(collection).join(duplicates_name(0));
    path.exists().then_some(path)
}

fn folder(collection: &Collection) -> PathBuf {
    collection.root().join(FOLDER)
}

/// Whether a path leads from the folder to something in it.
fn is_inside(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
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
        let new = tamis_collection::New { id: "7".into(), name: "c".into(), event: None, created };
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
