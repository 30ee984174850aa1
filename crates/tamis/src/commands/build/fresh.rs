//! Whether a step has something to do.
//!
//! What brings pages in depends on the files it reads, and on its own files in the collection being there; a step that was done is not done again while they are the same. What is computed depends on
//! the pages that are there, and a file that is made from the collection on all of it.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use tamis_collection::Collection;
use tamis_collection::relevance;
use tamis_crawl::crawl::Folders;
use walkdir::WalkDir;
use xxhash_rust::xxh3::Xxh3;

use super::step::Step;
use crate::commands::focus;
use crate::commands::open_collection::explain;
use crate::inputs::{self, Input, Wanted};

/// What a step's result depends on, as a word: the same as long as it need not run again.
pub(super) fn state(collection: &Path, step: &Step) -> anyhow::Result<String> {
    let mut state = State { hash: Xxh3::new() };
    match step.verb {
        "import" => {
            state.inputs(step);
            state.file(&collection.join(focus::FILE));
        }
        "fetch" => {
            state.inputs(step);
            state.file(&collection.join(focus::FILE));
            state.add(&Folders::of_fetch(collection).has_crawl());
            state.add(&collection.join("fetched.tsv").exists());
        }
        "crawl" => {
            state.inputs(step);
            state.add(&Folders::of(collection).has_crawl());
            state.file(&collection.join(focus::FILE));
        }
        verb => {
            let output = step.output.clone().or((verb == "report").then(|| collection.join("report.html")));
            if let Some(output) = output {
                let Ok(written) = fs::metadata(&output) else { return Ok("nothing is written".to_owned()) };
                state.add(&written.len());
            }
            let collection = Collection::open(collection).map_err(explain)?;
            state.archives(&collection)?;
            if verb != "dedup" {
                state.columns(&collection)?;
            }
            if verb != "clean" {
                state.duplicates(&collection)?;
            }
            if verb != "clean" && verb != "dedup" {
                state.file(&collection.root().join(relevance::FILE));
            }
        }
    }
    Ok(format!("{:016x}", state.hash.digest()))
}

struct State {
    hash: Xxh3,
}

impl State {
    fn add(&mut self, what: &impl std::fmt::Debug) {
        self.hash.update(format!("{what:?};").as_bytes());
    }

    /// The files that a command is told to read: those it names, those of folders, globs and lists.
    fn inputs(&mut self, step: &Step) {
        // The command and the collection are the first words.
        for word in step.words.iter().skip(2) {
            let named = word.to_string_lossy();
            self.file(Path::new(named.strip_prefix('@').unwrap_or(&named)));
            // What is an option, or no list of paths, names no file; the command itself says what is wrong.
            let Ok((found, _)) = inputs::expand(std::slice::from_ref(word), Wanted::Archives) else {
                continue;
            };
            for input in &found.list {
                if let Input::File(path) = input {
                    self.file(path);
                }
            }
        }
    }

    fn file(&mut self, path: &Path) {
        if let Ok(meta) = fs::metadata(path)
            && meta.is_file()
        {
            self.add(&(path.file_name(), meta.len(), meta.modified().ok()));
        }
    }

    fn archives(&mut self, collection: &Collection) -> anyhow::Result<()> {
        for archive in collection.archives().map_err(explain)?.values() {
            self.add(&(&archive.name, archive.bytes, archive.captures));
        }
        self.add(&collection.count_seeds().map_err(explain)?);
        Ok(())
    }

    /// Parts of columns are never changed in place: their list says what there is.
    fn columns(&mut self, collection: &Collection) -> anyhow::Result<()> {
        for part in collection.manifest().map_err(explain)?.parts {
            self.add(&(part.file, part.bytes));
        }
        Ok(())
    }

    fn duplicates(&mut self, collection: &Collection) -> anyhow::Result<()> {
        let folder = collection.root().join("dedup");
        if !folder.exists() {
            return Ok(());
        }
        for entry in WalkDir::new(&folder).sort_by_file_name() {
            let cannot = || format!("cannot read {}", folder.display());
            let entry = entry.with_context(cannot)?;
            let meta = entry.metadata().with_context(cannot)?;
            if meta.is_file() {
                self.add(&(entry.file_name(), meta.len()));
            }
        }
        Ok(())
    }
}
