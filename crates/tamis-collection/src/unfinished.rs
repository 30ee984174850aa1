//! Archives of a collection that no line lists yet: those that a crawl writes, or wrote when it was killed.

use std::path::PathBuf;

use tamis_archive::Source;
use tamis_archive::write::whole_len;

use super::{Collection, NamedSource, Problem, Result};

/// An archive in the folder of archives that the list does not have.
#[derive(Debug, Clone)]
pub struct Unfinished {
    /// What is read of it: its whole records.
    pub named: NamedSource,
    /// The file.
    pub path: PathBuf,
    /// Whether it is being written, or its writer was killed.
    pub is_open: bool,
}

impl Collection {
    /// The archives that the list does not have, as far as their records are whole. Reads those that are open.
    pub fn unfinished(&self) -> Result<Vec<Unfinished>> {
        let mut found = Vec::new();
        for path in self.unlisted_archives()? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let (name, source, is_open) = match Problem::of_unlisted(path.clone()) {
                Problem::Open(_) => {
                    let name = name.strip_suffix(".open").unwrap_or(&name).to_owned();
                    let len = whole_len(&path)?;
                    (name.clone(), Source::part(path.clone(), name, 0..len), true)
                }
                Problem::Unlisted(_) => (name, self.door().source(path.clone()), false),
                _ => continue,
            };
            found.push(Unfinished { named: NamedSource { name, source }, path, is_open });
        }
        Ok(found)
    }

    /// The files of archives that the list does not have. Reads none of them.
    pub fn unlisted_archives(&self) -> Result<Vec<PathBuf>> {
        let mut paths = self.unlisted(&self.archives()?)?;
        paths.retain(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
            [".warc", ".arc", ".wacz"].iter().any(|ending| name.contains(ending))
        });
        Ok(paths)
    }
}
