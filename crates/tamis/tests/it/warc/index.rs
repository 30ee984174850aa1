//! `tamis warc index`.

use super::{archives, gzip_archive, large_archive};
use crate::scene;

#[test]
fn archives_are_indexed_in_each_format() {
    let scene = archives();
    scene.check("index", "warc index a.warc.gz b.warc");
    scene.check("index-cdx", "warc index --format cdx a.warc.gz");
    scene.check("index-types", "warc index --type request,resource a.warc.gz");
    scene.check("index-damaged", "warc index damaged.warc.gz");
    scene.check("index-empty", "warc index empty.warc");
    scene.check("index-missing", "warc index nothing.warc");
    scene.check("index-file", "warc index a.warc.gz -o a.cdxj");
    scene.check("index-file-again", "warc index a.warc.gz -o a.cdxj");
    let from_stdin = scene.stdin(gzip_archive()).run("warc index -");
    assert_eq!(from_stdin.code, Some(0));
}

#[test]
fn a_zipnum_index_is_two_files() {
    let scene = archives();
    scene.check("index-zipnum", "warc index --format zipnum a.warc.gz -o a");
    scene.check("index-zipnum-stdout", "warc index --format zipnum a.warc.gz");
    let by_index = scene.run("warc get http://example.org/coded?q=1 a.warc.gz --index a.idx");
    assert_eq!((by_index.code, by_index.stdout.as_slice()), (Some(0), &b"<p>coded</p>"[..]));
}

#[test]
fn any_number_of_threads_and_any_memory_give_the_same_index() {
    let scene = scene().file("large.warc", large_archive());
    let alone = scene.run("warc index -j 1 large.warc");
    assert_eq!(String::from_utf8_lossy(&alone.stdout).lines().count(), 40);
    for options in ["-j 3", "-j 2 --memory 1kB"] {
        assert_eq!(scene.run(&format!("warc index {options} large.warc")), alone, "{options}");
    }
}

#[test]
fn a_closed_pipe_is_silent() {
    let ran = archives().run_with_closed_pipe("warc index a.warc.gz");
    assert_eq!((ran.code, ran.stderr.len()), (Some(0), 0));
}
