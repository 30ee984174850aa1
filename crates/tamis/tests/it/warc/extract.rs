//! `tamis warc extract`.

use std::fs;

use tamis_testkit::{ArchiveBuilder, Record, http_response, member};

use super::{archives, gzip_archive, large_archive};
use crate::scene;

/// Files below a folder, with what is in them.
fn files(scene: &tamis_testkit::Scene, folder: &str) -> Vec<(String, Vec<u8>)> {
    let names = scene.files().into_iter().filter(|name| name.starts_with(folder));
    names.map(|name| (name.clone(), fs::read(scene.folder().join(&name)).expect("readable"))).collect()
}

#[test]
fn payloads_become_files() {
    let scene = archives();
    scene.check("extract", "warc extract a.warc.gz -o out");
    let expected: [(&str, &[u8]); 4] = [
        ("out/_/tmp/shot.png", b"\x89PNG\r\n\x1a\n"),
        ("out/b.example/lost.txt", b"no such page"),
        ("out/example.org/coded@q=1.html", b"<p>coded</p>"),
        ("out/example.org/index.html", b"<p>page</p>"),
    ];
    let mut found = files(&scene, "out");
    let manifest = found.iter().position(|(name, _)| name == "out/extracted.jsonl").expect("it is there");
    let (_, manifest) = found.remove(manifest);
    let found: Vec<(&str, &[u8])> = found.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
    assert_eq!(found, expected);
    let dry = scene.check("extract-dry-run", "warc extract a.warc.gz --dry-run");
    assert_eq!(dry.stdout, manifest);
}

#[test]
fn later_captures_get_their_time() {
    let page = |date: &str, text: &str| {
        Record::response("http://a/x", http_response("text/html", text)).with("WARC-Date", date)
    };
    let archive = ArchiveBuilder::new()
        .gzip(&page("2024-01-01T00:00:00Z", "one"))
        .gzip(&page("2024-01-02T00:00:00Z", "two"))
        .gzip(&page("2024-01-02T00:00:00Z", "three"))
        .gzip(&Record::response("http://a/x.html/y", http_response("text/css", "four")));
    let scene = scene().file("a.warc.gz", archive.build());
    assert_eq!(scene.run("warc extract a.warc.gz -o out --mime text").code, Some(0));
    let names: Vec<String> = files(&scene, "out/a").into_iter().map(|(name, _)| name).collect();
    let expected = [
        "out/a/x.20240102000000-2.html",
        "out/a/x.20240102000000.html",
        "out/a/x.html",
        "out/a/x.html+/y.css",
    ];
    assert_eq!(names, expected);
    assert_eq!(fs::read(scene.folder().join("out/a/x.html")).expect("there"), b"one");
}

#[test]
fn a_folder_that_is_not_empty_needs_force() {
    let scene = archives().file("out/mine.txt", "mine").file("out/example.org/index.html", "old");
    scene.check("extract-not-empty", "warc extract a.warc.gz -o out");
    assert_eq!(scene.run("warc extract a.warc.gz -o out --force").code, Some(0));
    assert_eq!(fs::read(scene.folder().join("out/example.org/index.html")).expect("there"), b"<p>page</p>");
    assert_eq!(fs::read(scene.folder().join("out/mine.txt")).expect("there"), b"mine");
}

#[test]
fn a_run_that_was_killed_is_done_again() {
    // What a killed run leaves.
    let scene = archives()
        .file("out/.begun", "")
        .file("out/.unfinished/lock", "")
        .file("out/.unfinished/.tmpAb3dE6", "half")
        .file("out/.extracted.jsonl.Ab3dE6.part", "half")
        .file("out/example.org/index.html", "half");
    scene.check("extract-killed", "warc extract a.warc.gz -o out");
    assert_eq!(fs::read(scene.folder().join("out/example.org/index.html")).expect("there"), b"<p>page</p>");
    let whole = archives();
    whole.run("warc extract a.warc.gz -o out");
    assert_eq!(files(&scene, "out"), files(&whole, "out"));
    assert_eq!(scene.run("warc extract a.warc.gz -o out").code, Some(2), "it is finished now");
}

#[test]
fn what_a_killed_run_left_beside_its_output_goes_away() {
    let scene = archives()
        .file(".new.warc.gz.Ab3dE6.part", "half")
        .file(".new.wacz.Ab3dE6.part", "half")
        .file(".new.wacz.parts/index.cdx.gz", "half");
    assert_eq!(scene.run("warc convert a.warc.gz -o new.warc.gz").code, Some(0));
    assert_eq!(scene.run("warc wacz create a.warc.gz -o new.wacz").code, Some(0));
    let left: Vec<String> = scene.files().into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(left, [""; 0]);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_links() {
    let scene = archives().file("outside/x", "").file("out/x", "");
    let link =
        |to: &str, at: &str| std::os::unix::fs::symlink(scene.folder().join(to), scene.folder().join(at));
    link("outside", "out/example.org").expect("can be made");
    scene.check("extract-link", "warc extract a.warc.gz -o out --force");
    assert_eq!(files(&scene, "outside").len(), 1);
    fs::remove_file(scene.folder().join("out/extracted.jsonl")).expect("it is there");
    link("outside/x", "out/extracted.jsonl").expect("can be made");
    scene.check("extract-link-manifest", "warc extract a.warc.gz -o out --force");
    assert_eq!(fs::read(scene.folder().join("outside/x")).expect("there"), b"");
}

#[test]
fn what_is_too_large_is_left_out_and_told() {
    let bomb =
        [&b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"[..], &member::gzip(&vec![b'x'; 100_000])]
            .concat();
    let archive = ArchiveBuilder::new()
        .gzip(&Record::response("http://a/bomb", bomb))
        .gzip(&Record::resource("http://a/block", "text/plain", vec![b'x'; 20_000]))
        .gzip(&Record::resource("http://a/fits", "text/plain", vec![b'x'; 10_000]));
    let scene = scene().file("a.warc.gz", archive.build());
    scene.check("extract-too-large", "warc extract a.warc.gz -o out --max-size 10kB");
    assert_eq!(scene.files().iter().filter(|name| name.starts_with("out/")).count(), 2);
}

#[test]
fn bad_inputs_are_told() {
    let scene = archives();
    scene.check("extract-missing", "warc extract lost.warc -o out1");
    scene.check("extract-empty", "warc extract empty.warc -o out2");
    scene.check("extract-damaged", "warc extract damaged.warc.gz --dry-run");
    scene.check("extract-cut", "warc extract cut.warc.gz --dry-run");
    scene.check("extract-nothing", "warc extract a.warc.gz -o out3 --status 500");
    scene.check("extract-no-folder", "warc extract a.warc.gz");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let scene = scene().file("a.warc", large_archive()).file("b.warc.gz", gzip_archive());
    for (jobs, folder) in [(1, "one"), (3, "three")] {
        let ran = scene.run(&format!("warc extract a.warc b.warc.gz -o {folder} -j {jobs}"));
        assert_eq!(ran.code, Some(0), "{ran}");
    }
    let without_folder = |folder: &str| {
        let found = files(&scene, folder).into_iter();
        found.map(|(name, bytes)| (name[folder.len()..].to_owned(), bytes)).collect::<Vec<_>>()
    };
    assert_eq!(without_folder("one/").len(), 45);
    assert!(without_folder("one/") == without_folder("three/"));
}

#[test]
fn a_closed_pipe_is_silent() {
    let ran = archives().run_with_closed_pipe("warc extract a.warc.gz --dry-run");
    assert_eq!((ran.code, ran.stderr.len()), (Some(0), 0));
}
