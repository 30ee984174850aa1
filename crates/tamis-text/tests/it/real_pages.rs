//! Real pages, with html5ever as the oracle.

use std::fs;
use std::path::{Path, PathBuf};

use super::agreement::Agreement;
use super::reading::{html5ever, ours};

/// All pages below a folder, in the order of their paths.
pub fn pages(folder: &Path) -> Vec<PathBuf> {
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

/// Compares one page; damaged UTF-8 is mended before both parsers see it.
pub fn compare(path: &Path) -> Agreement {
    let bytes = fs::read(path).expect("the page was listed");
    let page = String::from_utf8_lossy(&bytes);
    Agreement::of(&ours(&page), &html5ever(&page))
}

#[test]
fn every_twentieth_real_page_agrees_with_html5ever() {
    let Some(folder) = tamis_testkit::real_data("html") else { return };
    let mut all = Agreement::default();
    for path in pages(&folder).iter().step_by(20) {
        all += compare(path);
    }
    println!("{all:#?}");
}
