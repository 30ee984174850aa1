//! `tamis warc check`.

use tamis_testkit::{ArchiveBuilder, Record, http_response};

use super::{archives, gzip_archive, large_archive};
use crate::scene;

#[test]
fn sound_archives_pass_and_others_are_told() {
    let scene = archives();
    scene.check("check", "warc check a.warc.gz b.warc");
    scene.check("check-damaged", "warc check damaged.warc.gz cut.warc.gz a.warc.gz");
    scene.check("check-empty", "warc check empty.warc");
    scene.check("check-missing", "warc check a.warc.gz nothing.warc");
    scene.check("check-jsonl", "warc check --format jsonl cut.warc.gz");
    scene.check("check-strict", "warc check --strict cut.warc.gz");
    let from_stdin = scene.stdin(gzip_archive()).run("warc check -");
    assert_eq!(from_stdin.code, Some(0));
}

#[test]
fn a_wrong_digest_is_damage_and_a_bare_line_feed_is_not() {
    let page =
        Record::response("http://example.org/", http_response("text/html", "<p>page</p>")).with_digests();
    let changed = String::from_utf8_lossy(&page.bytes()).replace("<p>page", "<p>Page");
    let bare = page.clone().lf_only().bytes();
    let scene = scene().file("changed.warc", changed).file("bare.warc", bare);
    scene.check("check-digest", "warc check changed.warc");
    scene.check("check-bare-lf", "warc check bare.warc");
    assert_eq!(scene.run("warc check --damage-only bare.warc").code, Some(0));
    assert_eq!(scene.run("warc check --damage-only changed.warc").code, Some(1));
}

#[test]
fn a_wrong_length_costs_one_record() {
    for off_by in [-9, -1, 1, 9, 100_000] {
        let page = |n: u32| {
            Record::response(&format!("http://example.org/{n}"), http_response("text/html", "<p>x</p>"))
        };
        let archive =
            ArchiveBuilder::new().plain(&page(1)).plain(&page(2).length_off_by(off_by)).plain(&page(3));
        let ran = scene().file("a.warc", archive.build()).run("warc check --format jsonl a.warc");
        let line: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("JSON");
        assert_eq!((ran.code, &line["records"]), (Some(1), &3.into()), "{off_by} {line}");
    }
}

#[test]
fn any_number_of_threads_says_the_same() {
    let scene = scene().file("large.warc", large_archive());
    let alone = scene.run("warc check -j 1 large.warc");
    assert_eq!(alone.code, Some(0));
    assert_eq!(scene.run("warc check -j 3 large.warc"), alone);
}
