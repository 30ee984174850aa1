//! What fuzzing found worth keeping, gone over again: the same checks as in the fuzz target, on stable Rust.

use std::fs;
use std::path::Path;

#[expect(unreachable_pub, reason = "the fuzz target uses it as a module of its own")]
#[path = "../../../../fuzz/src/page.rs"]
mod page;

#[test]
fn pages_of_any_bytes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/page");
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("it lists").path())
        .collect();
    paths.sort();
    assert!(paths.len() > 10, "{} files in {}", paths.len(), folder.display());
    for path in paths {
        // Shown only where the check fails.
        println!("{}", path.display());
        page::check(&fs::read(&path).expect("it reads"));
    }
}
