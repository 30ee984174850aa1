//! The example that people learn from: run, and its output looked at.

#[path = "../../examples/query_archive.rs"]
#[expect(dead_code, reason = "its `main` is for `cargo run --example`")]
mod query_archive;

use crate::rows::{gzipped, pages};

#[test]
fn the_example_queries_an_archive() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.warc.gz");
    std::fs::write(&path, gzipped(&pages(3))).expect("it can be written");
    let rows =
        query_archive::rows(&path, "select title from pages order by title desc limit 2").expect("rows");
    assert_eq!(rows, [["Title 2"], ["Title 1"]]);
    assert!(query_archive::rows(&path, "select nothing from pages").is_err());
}
