//! Archives that others made, for tests that go further than made-up data can.

use std::env;
use std::path::{Path, PathBuf};

/// A file or folder of the real data, such as `warc` or `warc/jhove`, or none.
///
/// It is sought under `TAMIS_DATA`, and under `target/data` of the workspace, where `scripts/test` unpacks it. A test
/// that gets none returns; this function has said on stderr that it was skipped.
///
/// # Panics
/// In continuous integration (`CI` is set) with `TAMIS_DATA`, if what is asked for is missing: data were expected, and a test that skips
/// itself would look like one that passed.
pub fn real_data(set: &str) -> Option<PathBuf> {
    let named = env::var_os("TAMIS_DATA").map(PathBuf::from);
    let must_exist = named.is_some() && env::var_os("CI").is_some_and(|ci| !ci.is_empty() && ci != "false");
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("."));
    find(set, named.into_iter().chain([workspace.join("target/data")]), must_exist)
}

fn find(set: &str, mut bases: impl Iterator<Item = PathBuf>, must_exist: bool) -> Option<PathBuf> {
    let found = bases.find_map(|base| Some(base.join(set)).filter(|path| path.exists()));
    assert!(found.is_some() || !must_exist, "the real data `{set}` are missing in TAMIS_DATA, and CI is set");
    if found.is_none() {
        eprintln!("skipped: the real data `{set}` are not unpacked; `scripts/test` says how");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_or_folder_is_found_in_the_first_base_that_has_it() {
        let base = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(base.path().join("warc")).expect("a folder in it");
        let bases = || ["/nowhere".into(), base.path().to_owned()].into_iter();
        assert_eq!(find("warc", bases(), true), Some(base.path().join("warc")));
        assert_eq!(find("html", bases(), false), None);
    }

    #[test]
    #[should_panic(expected = "the real data `html` are missing")]
    fn missing_data_fail_where_they_are_expected() {
        find("html", std::iter::empty(), true);
    }
}
