//! The pages of the real data.

use std::fs;
use std::path::{Path, PathBuf};

/// All pages below a folder, in the order of their paths.
pub(crate) fn below(folder: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|end| end == "html" || end == "testhtml") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}
