//! The archives of a collection as members of `pages`.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use crate::collection::{Collection, Manifest, Part, Result};
use crate::column::Column;
use crate::dedup::{Duplicates, Store};
use crate::pages::{Member, PartFile};
use crate::relevance::{self, Relevance};
use crate::scan::Context;

/// The archives of a collection, and the Parquet files that its manifest names but that are not there as it says.
#[derive(Debug)]
pub struct Members {
    /// The archives.
    pub list: Vec<Member>,
    /// Parts that cannot be used: the archive is read in their place.
    pub lost_parts: Vec<PathBuf>,
}

/// The archives of a collection. `context` says how pages are read; the rest of it is the collection's.
pub fn members(collection: &Collection, context: &Context) -> Result<Members> {
    let about = collection.about();
    let context = Arc::new(Context {
        collection: Some((about.id.clone(), about.name.clone())),
        tweets: Arc::new(collection.url_tweets()?),
        relevance: Arc::new(Relevance::read(&collection.root().join(relevance::FILE))?),
        event: about.event.as_deref().unwrap_or(&about.name).into(),
        duplicates: Arc::new(Duplicates::new(Store::read(collection)?.duplicates(collection))),
        ..context.clone()
    });
    let manifest = collection.manifest()?;
    let mut lost_parts = Vec::new();
    let sources = collection.named_sources()?.into_iter();
    let list = sources
        .map(|named| Member {
            parts: usable(collection, &manifest, &named.name, &context, &mut lost_parts),
            source: named.source,
            name: named.name.into(),
            context: context.clone(),
        })
        .collect();
    Ok(Members { list, lost_parts })
}

/// The parts of an archive, if they are all there and cover all of it, and the columns that all of them have.
fn usable(
    collection: &Collection,
    manifest: &Manifest,
    archive: &str,
    context: &Context,
    lost: &mut Vec<PathBuf>,
) -> Option<(Vec<PartFile>, Vec<&'static Column>)> {
    let parts: Vec<&Part> = manifest.parts.iter().filter(|part| part.archive == archive).collect();
    let folder = fs::canonicalize(collection.pages_folder()).unwrap_or_else(|_| collection.pages_folder());
    let before = lost.len();
    for part in &parts {
        if !collection.has_part(part) {
            lost.push(folder.join(&part.file));
        }
    }
    if lost.len() > before || !covers_all(&parts) {
        return None;
    }
    if context.repair && !parts.iter().all(|part| part.repair) {
        return None;
    }
    let shared = collection.shared_digest().ok()?;
    let has = |part: &Part, column: &Column| {
        let is_fresh = !column.is_shared() || part.shared == shared;
        let is_asked = !column.is_of_detector() || context.detector.is_usual;
        is_fresh && is_asked && !column.is_of_dedup() && part.columns.iter().any(|name| name == column.name)
    };
    let columns = crate::COLUMNS.iter().filter(|column| parts.iter().all(|part| has(part, column)));
    let columns = columns.collect();
    let files = parts.iter().map(|part| PartFile { path: folder.join(&part.file), bytes: part.bytes });
    Some((files.collect(), columns))
}

/// Whether parts, in order, leave nothing of an archive out and have nothing twice.
fn covers_all(parts: &[&Part]) -> bool {
    let mut at = Some(0);
    for part in parts {
        if at != Some(part.start) {
            return false;
        }
        at = part.end;
    }
    !parts.is_empty() && at.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_with_a_hole_are_no_table() {
        let part = |start, end| Part { start, end, ..Part::default() };
        for (parts, covers) in [
            (vec![], false),
            (vec![part(0, None)], true),
            (vec![part(0, Some(9)), part(9, None)], true),
            (vec![part(0, Some(9)), part(10, None)], false),
            (vec![part(0, Some(9)), part(8, None)], false),
            (vec![part(0, Some(9))], false),
            (vec![part(9, None)], false),
        ] {
            assert_eq!(covers_all(&parts.iter().collect::<Vec<_>>()), covers);
        }
    }
}
