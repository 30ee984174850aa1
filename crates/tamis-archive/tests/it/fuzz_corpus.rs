//! What fuzzing found worth keeping, gone over again: the same checks as in the fuzz targets, on stable Rust.

use std::fs;
use std::path::Path;

#[expect(unreachable_pub, reason = "the fuzz targets use it as a crate of its own")]
#[path = "../../../../fuzz/src/lib.rs"]
mod targets;

/// Checks every file kept for a target.
fn replay(target: &str, check: fn(&[u8])) {
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

#[test]
fn archives_of_warc() {
    replay("warc", targets::archive::check);
}

#[test]
fn archives_of_arc() {
    replay("arc", targets::archive::check);
}

#[test]
fn http_messages() {
    replay("http", targets::http::check);
}

#[test]
fn indexes() {
    replay("cdx", targets::cdx::check);
}

#[test]
fn packages() {
    replay("wacz", targets::wacz::check);
}

#[test]
fn small_parsers() {
    replay("small", targets::small::check);
}
