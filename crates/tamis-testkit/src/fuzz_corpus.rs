//! What fuzzing found worth keeping.

use std::fs;
use std::path::Path;

/// Goes over every file that is kept for a fuzz target again, with its check.
///
/// # Panics
/// If the corpus is not there, or a check fails: the last file named on stdout is the one.
pub fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("it lists").path())
        .collect();
    paths.sort();
    assert!(paths.len() > 10, "{} files in {}", paths.len(), folder.display());
    for path in paths {
        // Shown only where the check fails.
        println!("{}", path.display());
        check(&fs::read(&path).expect("it reads"));
    }
}
