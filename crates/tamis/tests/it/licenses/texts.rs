//! The licence texts in the sources of crates.

use std::fs;
use std::path::Path;

use super::crates::Package;

/// What begins the names of files with licences and notices.
const NAMES: [&str; 7] = ["license", "licence", "copying", "copyright", "notice", "unlicense", "authors"];
/// Code whose name begins like a licence's.
const CODE: [&str; 9] = [".c", ".h", ".html", ".json", ".pl", ".py", ".rs", ".sh", ".toml"];
/// Folders with what is not linked: tests, pictures, tools, and zlib-ng, which we do not choose.
const NOT_LINKED: [&str; 9] =
    ["assets", "benches", "build-aux", "contrib", "doc", "docs", "examples", "tests", "zlib-ng"];
/// A crate that has no licence text, and one of the same authors and licence that has it.
const SAME_AUTHORS: [(&str, &str); 2] = [("alloc-stdlib", "alloc-no-stdlib"), ("selectors", "cssparser")];

/// The licence texts of a crate, without those of GNU that other licences of the same crate make needless.
pub(super) fn of_package(package: &Package, workspace: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    collect(package.folder(), &mut texts);
    let license = package.license.as_deref().unwrap_or_default();
    let only_gnu = license.contains("GPL") && !license.contains(" OR ");
    texts.retain(|text| only_gnu || !is_gnu(text));
    if texts.is_empty() && license.contains("Apache-2.0") {
        texts.push(read(&workspace.join("LICENSE-APACHE")));
    }
    texts
}

/// The crate whose texts hold for one without any.
pub(super) fn stand_in(name: &str) -> Option<&'static str> {
    SAME_AUTHORS.iter().find(|(without, _)| *without == name).map(|(_, with)| *with)
}

/// A text with plain line ends and no blanks at the ends of lines.
pub(super) fn read(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// The letters and digits of a text: texts that differ in nothing else are the same.
pub(super) fn key(text: &str) -> String {
    let text = text.to_lowercase().replace("https://", "http://");
    text.chars().filter(|char| char.is_alphanumeric()).collect()
}

fn collect(folder: &Path, texts: &mut Vec<String>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut entries: Vec<_> = entries.map(|entry| entry.expect("the folder is readable").path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_dir() {
            if !NOT_LINKED.contains(&name.as_str()) {
                collect(&path, texts);
            }
        } else if NAMES.iter().any(|start| name.starts_with(start))
            && !CODE.iter().any(|end| name.ends_with(end))
        {
            texts.push(read(&path));
        }
    }
}

fn is_gnu(text: &str) -> bool {
    let head: String = text.split_whitespace().take(5).collect::<Vec<_>>().join(" ").to_uppercase();
    head.contains("GENERAL PUBLIC LICENSE")
}
