//! `tamis warc ls`.

use tamis_testkit::{ArchiveBuilder, Record};

use super::{archives, gzip_archive, large_archive};
use crate::scene;

#[test]
fn records_are_listed_in_each_form() {
    let scene = archives();
    scene.check("ls", "warc ls a.warc.gz");
    scene.check("ls-tsv", "warc ls --format tsv a.warc.gz");
    scene.check("ls-jsonl", "warc ls --format jsonl b.warc");
    scene.check("ls-two-files", "warc ls a.warc.gz b.warc --limit 9");
    let from_stdin = scene.stdin(gzip_archive()).run("warc ls -");
    assert_eq!(from_stdin, archives().run("warc ls a.warc.gz"));
}

#[test]
fn options_choose_records() {
    let scene = archives();
    for (options, count) in [
        ("--type response", 3),
        ("--type response,warcinfo", 4),
        ("--type revisit --url example.org", 1),
        ("--url b.example", 1),
        ("--url *q=1", 1),
        ("--status 404", 1),
        ("--status 2xx,404", 4),
        ("--mime text/html", 3),
        ("--mime image/*", 1),
        ("--since 2024-03", 1),
        ("--until 2024-02", 7),
        ("--until 2023", 0),
        ("--type response --mime text --limit 2", 2),
    ] {
        let ran = scene.run(&format!("warc ls a.warc.gz {options}"));
        let lines = String::from_utf8_lossy(&ran.stdout).lines().count();
        assert_eq!((lines, ran.code), (count, Some(i32::from(count == 0))), "{options}");
    }
    scene.check("ls-wrong-option", "warc ls a.warc.gz --status 4");
    scene.check("ls-wrong-type", "warc ls a.warc.gz --type page");
}

#[test]
fn bad_inputs_are_told() {
    let scene = archives();
    scene.check("ls-missing", "warc ls lost.warc.gz a.warc.gz --limit 1");
    scene.check("ls-empty", "warc ls empty.warc");
    scene.check("ls-damaged", "warc ls damaged.warc.gz");
    scene.check("ls-cut", "warc ls cut.warc.gz");
    scene.check("ls-strict", "warc ls --strict damaged.warc.gz");
}

#[test]
fn a_list_goes_into_a_file_and_not_over_one() {
    let scene = archives();
    scene.check("ls-to-file", "warc ls a.warc.gz -o list.tsv --format tsv");
    scene.check("ls-over-file", "warc ls a.warc.gz -o list.tsv");
    assert_eq!(scene.run("warc ls a.warc.gz -o list.tsv --force").code, Some(0));
}

#[test]
fn urls_cannot_command_the_terminal() {
    let url = "http://a/\u{1b}]0;owned\u{7}\tx";
    let archive = ArchiveBuilder::new().plain(&Record::resource(url, "text/plain", "x")).build();
    scene().file("a.warc", archive).check("ls-escapes", "warc ls a.warc");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let scene = scene().file("a.warc", large_archive()).file("b.warc.gz", gzip_archive());
    let one = scene.run("warc ls a.warc b.warc.gz -j 1 --format jsonl");
    assert_eq!(String::from_utf8_lossy(&one.stdout).lines().count(), 48);
    assert_eq!(one, scene.run("warc ls a.warc b.warc.gz -j 3 --format jsonl"));
    assert_eq!(scene.run("warc ls a.warc -j 1 --limit 30"), scene.run("warc ls a.warc -j 3 --limit 30"));
}

#[test]
fn a_closed_pipe_is_silent() {
    let ran = archives().run_with_closed_pipe("warc ls a.warc.gz");
    assert_eq!((ran.code, ran.stderr.len()), (Some(0), 0));
}

#[test]
fn lines_are_whole_however_long_and_many_they_are() {
    // More than what waits in memory, and URLs wider than any terminal.
    let url = |n: u32| format!("http://example.org/{n}/{}", "long/".repeat(400));
    let records: Vec<u8> =
        (0..3000).flat_map(|n| Record::resource(&url(n), "text/plain", "x").bytes()).collect();
    let scene = scene().file("a.warc", records);
    for (format, lines) in [("text", 3000), ("tsv", 3001), ("jsonl", 3000)] {
        let ran = scene.run(&format!("warc ls a.warc --format {format}"));
        let text = String::from_utf8(ran.stdout).expect("text");
        assert!(text.len() > 5 << 20, "{}", text.len());
        assert_eq!(text.lines().count(), lines, "{format}");
        for (line, n) in text.lines().skip(lines - 3000).zip(0..) {
            assert!(line.contains(&url(n)), "{line}");
        }
    }
    let first = scene.run("warc ls a.warc --limit 2999");
    assert_eq!(first.stdout.split(|&byte| byte == b'\n').count(), 3000);
}
