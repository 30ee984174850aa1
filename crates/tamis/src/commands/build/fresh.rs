//! Whether a step has something to do.
//!
//! What brings pages in depends on the files it reads; a step that was done is not done again while they are the same. What is computed depends on
//! the pages that are there, and a file that is made from the collection on all of it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use tamis_table::Collection;
use walkdir::WalkDir;
use xxhash_rust::xxh3::Xxh3;

use super::step::Step;
use crate::commands::open_collection::explain;

/// What a step's result depends on, as a word: the same as long as it need not run again.
pub(super) fn state(collection: &Path, step: &Step) -> anyhow::Result<String> {
    let mut state = State { hash: Xxh3::new() };
    match step.verb {
        "import" | "fetch" | "crawl" => state.inputs(step),
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

    /// The files that a command is told to read: of a glob and of a folder all that may be meant.
    fn inputs(&mut self, step: &Step) {
        // The command and the collection are the first words.
        for word in step.words.iter().skip(2) {
            let word = word.to_string_lossy();
            let path = Path::new(word.strip_prefix('@').unwrap_or(&word));
            let is_plain = |part: &&std::ffi::OsStr| !part.to_string_lossy().contains(['*', '?', '[', '{']);
            let whole: PathBuf = path.iter().take_while(is_plain).collect();
            if whole.as_os_str().is_empty() || !whole.exists() {
                continue;
            }
            for entry in WalkDir::new(whole).sort_by_file_name().into_iter().flatten() {
                if let Ok(meta) = entry.metadata().map_err(drop)
                    && meta.is_file()
                {
                    self.add(&(entry.path(), meta.len(), meta.modified().ok()));
                }
            }
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
