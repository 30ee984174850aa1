//! `tamis warc stats`.

use tamis_testkit::{ArchiveBuilder, Record, http_response};

use super::{archives, gzip_archive, large_archive, records};
use crate::scene;

#[test]
fn records_are_counted_in_each_form() {
    let scene = archives();
    scene.check("stats", "warc stats a.warc.gz");
    scene.check("stats-decode", "warc stats a.warc.gz b.warc --decode --top 1");
    scene.check("stats-jsonl", "warc stats a.warc.gz --format jsonl --top 1");
    scene.check("stats-filter", "warc stats a.warc.gz --type response --status 200");
}

#[test]
fn records_in_one_member_have_no_size_of_their_own() {
    let archive = ArchiveBuilder::new().gzip_shared(&records()).build();
    scene().file("a.warc.gz", archive).check("stats-shared", "warc stats a.warc.gz");
}

#[test]
fn keys_cannot_command_the_terminal() {
    let page = http_response("text/\u{1b}[31mhtml", "x");
    let archive = ArchiveBuilder::new().plain(&Record::response("http://a\u{7}/", page)).build();
    let ran = scene().file("a.warc", archive).run("warc stats a.warc");
    assert_eq!(ran.code, Some(0));
    assert!(!ran.stdout.iter().any(|b| b.is_ascii_control() && *b != b'\n'));
}

#[test]
fn bad_inputs_are_told() {
    let scene = archives();
    scene.check("stats-missing", "warc stats lost.warc");
    scene.check("stats-empty", "warc stats empty.warc");
    scene.check("stats-damaged", "warc stats damaged.warc.gz");
    scene.check("stats-cut", "warc stats cut.warc.gz --format jsonl");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let scene = scene().file("a.warc", large_archive()).file("b.warc.gz", gzip_archive());
    let one = scene.run("warc stats a.warc b.warc.gz -j 1 --format jsonl");
    assert_eq!(one.code, Some(0));
    assert_eq!(one, scene.run("warc stats a.warc b.warc.gz -j 3 --format jsonl"));
}

#[test]
fn a_closed_pipe_is_silent() {
    let ran = archives().run_with_closed_pipe("warc stats a.warc.gz");
    assert_eq!((ran.code, ran.stderr.len()), (Some(0), 0));
}
