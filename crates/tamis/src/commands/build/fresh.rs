//! Whether a step has something to do.
//!
//! Commands that write into the collection find that out by themselves, and are always asked. A file that is made from the
//! collection is made again when the collection has changed.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use tamis_table::Collection;
use xxhash_rust::xxh3::Xxh3;

use super::step::Step;
use crate::commands::new::now;
use crate::commands::open_collection::explain;

/// What a step's result depends on, as a word: the same as long as it need not run again.
pub(super) fn state(collection: &Path, step: &Step) -> anyhow::Result<String> {
    let output = match (&step.output, step.verb) {
        (Some(output), "query" | "report") => output.clone(),
        (_, "report") => collection.join("report.html"),
        // Never the same.
        _ => return Ok(now().to_string()),
    };
    let Ok(written) = fs::metadata(&output) else { return Ok("nothing is written".to_owned()) };
    let mut hash = Xxh3::new();
    hash.update(&written.len().to_le_bytes());
    let collection = Collection::open(collection).map_err(explain)?;
    // Parts of columns and archives are never changed in place: their lists say what there is.
    for archive in collection.archives().map_err(explain)?.values() {
        hash.update(format!("{} {} {};", archive.name, archive.bytes, archive.captures).as_bytes());
    }
    for part in collection.manifest().map_err(explain)?.parts {
        hash.update(format!("{} {};", part.file, part.bytes).as_bytes());
    }
    let seeds = collection.count_seeds().map_err(explain)?;
    hash.update(format!("{seeds:?}").as_bytes());
    let duplicates = collection.root().join("dedup");
    let mut names: Vec<_> = fs::read_dir(&duplicates)
        .map(|entries| entries.flatten().map(|entry| entry.file_name()).collect())
        .unwrap_or_default();
    names.sort();
    for name in names {
        let meta = fs::metadata(duplicates.join(&name));
        let meta = meta.with_context(|| format!("cannot read {}", duplicates.display()))?;
        hash.update(format!("{} {};", name.to_string_lossy(), meta.len()).as_bytes());
    }
    Ok(format!("{:016x}", hash.digest()))
}
