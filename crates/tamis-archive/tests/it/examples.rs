//! The examples that people learn from: run, and their output looked at.

#[path = "../../examples/read_archive.rs"]
#[expect(dead_code, reason = "its `main` is for `cargo run --example`")]
mod read_archive;
#[path = "../../examples/write_archive.rs"]
#[expect(dead_code, reason = "its `main` is for `cargo run --example`")]
mod write_archive;

#[test]
fn what_one_example_writes_the_other_reads() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new.warc.gz");
    write_archive::write(&path).expect("it writes");
    assert_eq!(read_archive::responses(&path).expect("it reads"), ["200 http://example.org/"]);
    let bytes = std::fs::read(&path).expect("an archive");
    std::fs::write(&path, &bytes[..bytes.len() - 20]).expect("it can be cut");
    let lines = read_archive::responses(&path).expect("it reads what is there");
    assert_eq!(lines[0], "200 http://example.org/");
    assert!(lines.len() > 1, "the damage is reported: {lines:?}");
}
